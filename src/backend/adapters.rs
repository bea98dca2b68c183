//! Which graphics adapters there are, without waking drivers that cannot help.

use gpu::AdapterSummary;

/// How the device files of graphics hardware begin on Linux: direct rendering, NVIDIA's own drivers, Windows' host,
/// and the graphics of small boards.
const DEVICE_FILES: [&str; 8] = ["dri", "nvidia", "nvhost", "nvgpu", "dxg", "kgsl", "mali", "pvr"];

/// Every adapter that can run the stages, the fastest first.
pub fn list() -> Vec<AdapterSummary> {
    gpu::adapter::list()
}

/// The adapter that `auto` takes: the fastest, unless that is a software renderer, which the cpu backend outruns.
pub fn taken_by_auto(adapters: &[AdapterSummary]) -> Option<&AdapterSummary> {
    adapters.first().filter(|adapter| adapter.hardware)
}

/// Whether `auto` has something to open. A Linux without any device file needs no driver to tell: loading a software
/// renderer takes longer than a small embedding, and some complain on stderr where there is no desktop.
pub fn is_hardware_there() -> bool {
    may_have_hardware() && taken_by_auto(&list()).is_some()
}

fn may_have_hardware() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let Ok(devices) = std::fs::read_dir("/dev") else { return true }; // cannot be told
    devices.flatten().any(|device| is_graphics(&device.file_name().to_string_lossy()))
}

fn is_graphics(device: &str) -> bool {
    DEVICE_FILES.iter().any(|beginning| device.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, hardware: bool) -> AdapterSummary {
        AdapterSummary {
            name: name.to_owned(),
            interface: "vulkan".to_owned(),
            kind: if hardware { "discrete gpu" } else { "software" },
            driver: String::new(),
            hardware,
            binding_bytes: 1 << 27,
            buffer_bytes: 1 << 28,
            storage_buffers: 8,
            workgroups: 65_535,
            timestamps: true,
        }
    }

    #[test]
    fn auto_takes_hardware_and_nothing_else() {
        let (fast, slow) = (adapter("fast", true), adapter("slow", false));
        assert_eq!(taken_by_auto(&[]), None);
        assert_eq!(taken_by_auto(std::slice::from_ref(&slow)), None);
        assert_eq!(taken_by_auto(&[fast.clone(), slow]), Some(&fast));
    }

    #[test]
    fn graphics_is_told_by_its_device_file() {
        assert!(is_graphics("dri") && is_graphics("nvidia0") && is_graphics("nvidiactl") && is_graphics("dxg"));
        assert!(!is_graphics("null") && !is_graphics("vda") && !is_graphics("random"));
    }
}
