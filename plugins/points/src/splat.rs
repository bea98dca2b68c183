//! Points without triangles: what they are splatted into, and how.

use crate::pipelines::PointPipelines;
use crate::view::Workgroups;
use bevy::ecs::prelude::Component;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, BindingResource, Buffer, BufferDescriptor, BufferUsages, CachedComputePipelineId,
    CachedRenderPipelineId, CommandEncoder, ComputePassDescriptor, PipelineCache,
};
use bevy::render::renderer::RenderDevice;

/// A key for every pixel of a camera's viewport; kept while its size stays.
#[derive(Debug, Component)]
pub(crate) struct SplatTargets {
    pixels: u64,
    keys: Buffer,
    splat: BindGroup,
}

impl SplatTargets {
    /// For this many pixels; none if they do not fit into a buffer of the device.
    pub fn new(device: &RenderDevice, cache: &PipelineCache, pipelines: &PointPipelines, pixels: u64) -> Option<Self> {
        let size = pixels.max(1) * 4;
        if size > device.limits().max_storage_buffer_binding_size {
            return None;
        }
        let keys = device.create_buffer(&BufferDescriptor {
            label: Some("points:buffer:keys"),
            size,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = cache.get_bind_group_layout(&pipelines.splat_layout);
        let entries = BindGroupEntries::single(keys.as_entire_binding());
        let splat = device.create_bind_group("points:bindings:splat", &layout, &entries);
        Some(Self { pixels, keys, splat })
    }

    /// For the pass that colours pixels.
    pub fn bind_settle(
        &self,
        device: &RenderDevice,
        cache: &PipelineCache,
        pipelines: &PointPipelines,
        lights: BindingResource,
    ) -> BindGroup {
        let layout = cache.get_bind_group_layout(&pipelines.settle_layout);
        let entries = BindGroupEntries::sequential((self.keys.as_entire_binding(), lights));
        device.create_bind_group("points:bindings:settle", &layout, &entries)
    }

    /// Whether they are for this many pixels.
    pub fn fit(&self, pixels: u64) -> bool {
        self.pixels == pixels
    }
}

/// The pipelines of splatting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplatPasses {
    /// Finds the nearest point of every pixel.
    pub splat: CachedComputePipelineId,
    /// Colours pixels.
    pub settle: CachedRenderPipelineId,
}

impl SplatPasses {
    /// Whether all of them can run.
    pub fn ready(&self, cache: &PipelineCache) -> bool {
        cache.get_compute_pipeline(self.splat).is_some() && cache.get_render_pipeline(self.settle).is_some()
    }

    /// Finds the nearest point of every pixel.
    pub fn record(
        &self,
        encoder: &mut CommandEncoder,
        cache: &PipelineCache,
        targets: &SplatTargets,
        (points, offset): (&BindGroup, u32),
        count: u32,
    ) {
        let Some(pipeline) = cache.get_compute_pipeline(self.splat) else { return }; // still compiling
        encoder.clear_buffer(&targets.keys, 0, None);
        let mut pass = encoder
            .begin_compute_pass(&ComputePassDescriptor { label: Some("points:pass:splat"), timestamp_writes: None });
        let groups = Workgroups::of(count);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, points, &[offset]);
        pass.set_bind_group(1, &targets.splat, &[]);
        pass.dispatch_workgroups(groups.columns, groups.rows, 1);
    }
}
