//! Graphics adapters: what there is, and opening one.

use crate::error::GpuError;
use crate::shape::Shape;
use bevy::render::renderer::{
    RenderAdapter, RenderAdapterInfo, RenderDevice, RenderInstance, RenderQueue, WgpuWrapper,
};
use bevy::render::settings::{RenderCreation, RenderResources};
use bevy::tasks::block_on;
use std::sync::Arc;

/// What an adapter is and can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Name of the device.
    pub name: String,
    /// The interface it is reached by: vulkan, metal, dx12, gl.
    pub interface: String,
    /// Discrete, integrated or virtual GPU, or cpu for a software renderer.
    pub kind: &'static str,
    /// Driver and its version.
    pub driver: String,
    /// True unless it is a software renderer.
    pub hardware: bool,
    /// Largest binding of a storage buffer, in bytes.
    pub binding_bytes: u64,
    /// Largest buffer, in bytes.
    pub buffer_bytes: u64,
    /// Storage buffers that one stage can bind.
    pub storage_buffers: u32,
    /// Workgroups in one direction of a dispatch.
    pub workgroups: u32,
    /// Whether it can measure its own time.
    pub timestamps: bool,
}

impl AdapterSummary {
    /// What an adapter that is open already is and can do.
    #[must_use]
    pub fn of(adapter: &wgpu::Adapter) -> Self {
        let (info, limits) = (adapter.get_info(), adapter.limits());
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete gpu",
            wgpu::DeviceType::IntegratedGpu => "integrated gpu",
            wgpu::DeviceType::VirtualGpu => "virtual gpu",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "unknown",
        };
        Self {
            name: info.name,
            interface: info.backend.to_string(),
            kind,
            driver: [info.driver, info.driver_info].join(" ").trim().to_owned(),
            hardware: is_hardware(info.device_type),
            binding_bytes: limits.max_storage_buffer_binding_size,
            buffer_bytes: limits.max_buffer_size,
            storage_buffers: limits.max_storage_buffers_per_shader_stage,
            workgroups: limits.max_compute_workgroups_per_dimension,
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
        }
    }

    /// Says whether a run of this shape fits, before anything is sent there.
    ///
    /// # Errors
    /// As [`Shape::check`].
    pub fn check(&self, shape: &Shape) -> Result<(), GpuError> {
        shape.check(&wgpu::Limits {
            max_storage_buffer_binding_size: self.binding_bytes,
            max_buffer_size: self.buffer_bytes,
            ..wgpu::Limits::default()
        })
    }
}

fn is_hardware(kind: wgpu::DeviceType) -> bool {
    use wgpu::DeviceType::{DiscreteGpu, IntegratedGpu, VirtualGpu};
    matches!(kind, DiscreteGpu | IntegratedGpu | VirtualGpu)
}

/// Storage buffers that the stage with the most of them binds: what every adapter must have.
pub const STORAGE_BUFFERS: u32 = 8;

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
    // Indirect arguments are written by our own stages, within limits that the host checked: no need to have wgpu
    // check them again with a dispatch of its own before each of ours.
    descriptor.flags =
        wgpu::InstanceFlags::from_env_or_default().difference(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    wgpu::Instance::new(descriptor)
}

/// Adapters that can run the stages, the fastest kind first.
fn adapters(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
    let mut adapters = block_on(instance.enumerate_adapters(backends));
    adapters.retain(|adapter| adapter.limits().max_storage_buffers_per_shader_stage >= STORAGE_BUFFERS);
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

/// Every adapter that can run the stages, the one that [`open`] takes by itself first.
#[must_use]
pub fn list() -> Vec<AdapterSummary> {
    adapters(&instance()).iter().map(AdapterSummary::of).collect()
}

/// An open adapter.
#[derive(Clone)]
pub struct OpenAdapter {
    /// What it is.
    pub summary: AdapterSummary,
    pub(crate) resources: RenderResources,
}

impl std::fmt::Debug for OpenAdapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OpenAdapter").field(&self.summary).finish()
    }
}

impl OpenAdapter {
    /// For Bevy's renderer.
    #[must_use]
    pub fn creation(&self) -> RenderCreation {
        RenderCreation::Manual(self.resources.clone())
    }

    /// The most pixels along a side of a picture that it draws.
    #[must_use]
    pub fn largest_side(&self) -> u32 {
        self.resources.0.limits().max_texture_dimension_2d
    }
}

/// Opens the adapter whose name contains `name`, or the fastest there is, with all that it can do.
///
/// # Errors
/// If there is none, none of that name, or its driver refuses.
pub fn open(name: Option<&str>) -> Result<OpenAdapter, GpuError> {
    let instance = instance();
    let adapters = adapters(&instance);
    let known: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let adapter = match name {
        None => adapters.into_iter().next().ok_or(GpuError::NoAdapter)?,
        Some(name) => {
            let found = find(&known, name);
            let found = found.and_then(|index| adapters.into_iter().nth(index));
            found.ok_or_else(|| GpuError::NoSuchAdapter { wanted: name.to_owned(), known })?
        }
    };
    let summary = AdapterSummary::of(&adapter);
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("nevis"),
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        required_limits: adapter.limits(),
        ..Default::default()
    };
    let (device, queue) = block_on(adapter.request_device(&descriptor))
        .map_err(|error| GpuError::Device { adapter: summary.name.clone(), reason: error.to_string() })?;
    let resources = RenderResources(
        RenderDevice::from(device),
        RenderQueue(Arc::new(WgpuWrapper::new(queue))),
        RenderAdapterInfo(WgpuWrapper::new(adapter.get_info())),
        RenderAdapter(Arc::new(WgpuWrapper::new(adapter))),
        RenderInstance(Arc::new(WgpuWrapper::new(instance))),
    );
    Ok(OpenAdapter { summary, resources })
}

/// The first that is called exactly so (one name may be the beginning of another), else the first that contains it.
fn find(known: &[String], name: &str) -> Option<usize> {
    let wanted = name.to_lowercase();
    let exact = known.iter().position(|known| known.to_lowercase() == wanted);
    exact.or_else(|| known.iter().position(|known| known.to_lowercase().contains(&wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters_are_found_by_part_of_their_name_and_whole_names_come_first() {
        let known = ["NVIDIA A100 80GB".to_owned(), "NVIDIA A100".to_owned(), "llvmpipe".to_owned()];
        assert_eq!(find(&known, "LLVM"), Some(2));
        assert_eq!(find(&known, "a100"), Some(0));
        assert_eq!(find(&known, "nvidia a100"), Some(1));
        assert_eq!(find(&known, "radeon"), None);
    }
}
