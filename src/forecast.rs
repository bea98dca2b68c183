//! How much memory an embedding will take, and whether this machine has it.

use dataset::{Info, LoadOptions, Role};
use embedding::Settings;
use gpu::AdapterSummary;
use gpu::shape::Shape;
use gpu::stage::Slot;
use serde::Serialize;
use vectors::Vectors;

/// Bytes that the buffers of a backend will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Buffers {
    /// The matrix, and beside it the one that PCA starts from.
    pub vectors: u64,
    /// Nearest rows in the data and their distances.
    pub hd_lists: u64,
    /// Nearest points in the embedding.
    pub ld_lists: u64,
    /// Symmetrised affinities, and the Gaussians they come from.
    pub affinities: u64,
    /// Positions, velocities and forces.
    pub positions: u64,
    /// Proposals of neighbours in flight.
    pub inbox: u64,
    /// The other columns, which wait for the output.
    pub attributes: u64,
    /// All of it.
    pub total: u64,
}

/// What is to be expected of each backend here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Forecast {
    pub cpu: Buffers,
    /// On the adapter. Attributes stay behind; the total also counts small change that no other field does.
    pub gpu: Buffers,
    /// Whether the gpu backend can be used: there is an adapter.
    pub gpu_available: bool,
    /// What the gpu backend's adapter says to the buffers, if there is one.
    pub gpu_fit: Option<GpuFit>,
    /// Memory that programs can still have, where the system tells.
    pub available: Option<u64>,
    /// Whether the cpu backend's buffers fit into it.
    pub fits: Option<bool>,
}

/// Whether an adapter can hold the buffers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GpuFit {
    /// Its name.
    pub adapter: String,
    /// Whether all of them are within its limits.
    pub fits: bool,
    /// What it refuses and what would help, if it does.
    pub refusal: Option<String>,
    /// Every buffer, the largest first.
    pub buffers: Vec<GpuBuffer>,
}

/// A buffer on an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GpuBuffer {
    pub name: &'static str,
    pub bytes: u64,
    /// Whether the adapter's limits allow it.
    pub fits: bool,
}

/// Bytes of a plain value of an attribute (a number, or a string's place and its few letters).
const ATTRIBUTE_BYTES: u64 = 16;

/// The forecast for files read with these options and embedded with these settings.
pub fn forecast(
    info: &Info,
    options: &LoadOptions,
    settings: &Settings,
    available: Option<u64>,
    adapter: Option<&AdapterSummary>,
) -> Forecast {
    let cpu = buffers(info, options, settings);
    let dims = options.pca.target(info.rows, info.dims).unwrap_or(info.dims);
    let shape = Shape::of(info.rows, Vectors::zeros(0, dims).stride(), settings);
    Forecast {
        cpu,
        gpu: gpu_buffers(&shape),
        gpu_available: adapter.is_some(),
        gpu_fit: adapter.map(|adapter| GpuFit::of(adapter, &shape)),
        available,
        fits: available.map(|bytes| cpu.total <= bytes),
    }
}

fn gpu_buffers(shape: &Shape) -> Buffers {
    let bytes = |slots: &[Slot]| slots.iter().map(|&slot| shape.bytes(slot)).sum();
    Buffers {
        vectors: bytes(&[Slot::Vectors]),
        hd_lists: bytes(&[Slot::HdEntries, Slot::HdDistances]),
        ld_lists: bytes(&[Slot::Ld]),
        affinities: bytes(&[Slot::Gaussians, Slot::EdgeNeighbours, Slot::EdgeWeights]),
        positions: bytes(&[Slot::Positions, Slot::Velocity, Slot::Forces]),
        inbox: bytes(&[Slot::Inbox, Slot::Finds]),
        attributes: 0,
        total: shape.total_bytes(),
    }
}

impl GpuFit {
    fn of(adapter: &AdapterSummary, shape: &Shape) -> Self {
        let allows = adapter.binding_bytes.min(adapter.buffer_bytes);
        let buffer =
            |&slot: &Slot| GpuBuffer { name: slot.name(), bytes: shape.bytes(slot), fits: shape.bytes(slot) <= allows };
        let mut buffers: Vec<_> = Slot::ALL.iter().map(buffer).filter(|buffer| buffer.bytes > 0).collect();
        buffers.sort_by_key(|buffer| std::cmp::Reverse(buffer.bytes));
        let refusal = adapter.check(shape).err().map(|error| error.to_string());
        Self { adapter: adapter.name.clone(), fits: refusal.is_none(), refusal, buffers }
    }
}

/// The buffers of the engine, field by field as it allocates them: lists hold an index and a distance (4 + 4 bytes)
/// per neighbour, about half of the affinities are reverse edges that no list holds, and each point has a position, a
/// velocity, a pull and a push per dimension and a fixed inbox.
fn buffers(info: &Info, options: &LoadOptions, settings: &Settings) -> Buffers {
    let rows = info.rows as u64;
    let padded = |dims: usize| dims.next_multiple_of(8) as u64;
    let reduced = options.pca.target(info.rows, info.dims).map_or(0, padded);
    let k = settings.hd_list_length(info.rows) as u64;
    let l = settings.ld_list_length(info.rows) as u64;
    let mut buffers = Buffers {
        vectors: rows * 4 * (padded(info.dims) + reduced),
        hd_lists: rows * k * 8,
        ld_lists: rows * l * 4,
        affinities: rows * k * 8 * 3 / 2,
        positions: rows * settings.dims as u64 * 16,
        inbox: rows * 64,
        attributes: attributes(info),
        total: 0,
    };
    let Buffers { vectors, hd_lists, ld_lists, affinities, positions, inbox, attributes, .. } = buffers;
    buffers.total = vectors + hd_lists + ld_lists + affinities + positions + inbox + attributes;
    buffers
}

/// A guess: plain columns by their number; where texts or images are, no less than what they take in the file.
fn attributes(info: &Info) -> u64 {
    let columns = info.columns.iter().filter(|column| column.role != Role::Vector);
    let plain = columns.clone().count() as u64 * info.rows as u64 * ATTRIBUTE_BYTES;
    let bulky = columns.clone().any(|column| matches!(column.role, Role::Text | Role::Image));
    let share = info.rows as f64 / info.file_rows.max(1) as f64;
    if bulky { plain.max((info.bytes as f64 * share) as u64) } else { plain }
}

/// Memory that programs can still have, as Linux tells it.
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(binding_bytes: u64) -> AdapterSummary {
        AdapterSummary {
            name: "small".to_owned(),
            interface: "vulkan".to_owned(),
            kind: "integrated gpu",
            driver: String::new(),
            hardware: true,
            binding_bytes,
            buffer_bytes: 1 << 30,
            storage_buffers: 8,
            workgroups: 65_535,
            timestamps: false,
        }
    }

    #[test]
    fn buffers_are_held_against_the_limits_of_the_adapter() {
        let shape = Shape::of(1_000_000, 56, &Settings::for_rows(1_000_000));
        let roomy = GpuFit::of(&adapter(1 << 30), &shape);
        assert!(roomy.fits && roomy.refusal.is_none() && roomy.buffers.iter().all(|buffer| buffer.fits));
        assert!(roomy.buffers.is_sorted_by(|a, b| a.bytes >= b.bytes));
        let tight = GpuFit::of(&adapter(128 << 20), &shape);
        assert!(!tight.fits && tight.refusal.is_some_and(|text| text.contains("need a 214 MiB binding")));
        let vectors = tight.buffers.iter().find(|buffer| buffer.name == "vectors").expect("a buffer");
        assert_eq!((vectors.bytes, vectors.fits), (224_000_000, false));
    }

    #[test]
    fn the_parts_on_the_adapter_are_nearly_all_of_it() {
        let gpu = gpu_buffers(&Shape::of(70_000, 56, &Settings::for_rows(70_000)));
        let Buffers { vectors, hd_lists, ld_lists, affinities, positions, inbox, .. } = gpu;
        let named = vectors + hd_lists + ld_lists + affinities + positions + inbox;
        assert!(named <= gpu.total && named * 10 > gpu.total * 8, "{gpu:?}");
    }
}
