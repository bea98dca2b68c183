//! Compute pipelines and layouts of bind groups, specialised on demand and kept.

use crate::error::GpuError;
use crate::shaders::ShaderHandles;
use crate::stage::{Access, Slot, Stage, Variant};
use bevy::ecs::resource::Resource;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntry, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingResource, BindingType, Buffer,
    BufferBinding, BufferBindingType, CachedComputePipelineId, CachedPipelineState, ComputePipeline,
    ComputePipelineDescriptor, PipelineCache, ShaderStages,
};
use bevy::render::renderer::RenderDevice;
use bevy::shader::ShaderCacheError;
use std::collections::HashMap;
use std::num::NonZeroU64;

/// The pipelines asked for so far. Made anew with every device.
#[derive(Resource)]
pub struct Pipelines {
    shaders: ShaderHandles,
    queued: HashMap<(Stage, Variant), CachedComputePipelineId>,
}

/// What keeps a stage from running.
#[derive(Debug, Clone, PartialEq)]
pub enum NotReady {
    /// It is being compiled.
    Waiting,
    /// It never will.
    Failed(GpuError),
}

impl Pipelines {
    /// No pipelines yet.
    #[must_use]
    pub fn new(shaders: ShaderHandles) -> Self {
        Self { shaders, queued: HashMap::new() }
    }

    /// Asks for the pipeline of a stage.
    pub fn queue(&mut self, cache: &PipelineCache, stage: Stage, variant: Variant) -> CachedComputePipelineId {
        let variant = variant.seen_by(stage.varies());
        *self.queued.entry((stage, variant)).or_insert_with(|| {
            cache.queue_compute_pipeline(ComputePipelineDescriptor {
                label: Some(format!("nevis:pipeline:{}", stage.entry()).into()),
                layout: vec![layout(stage)],
                shader: self.shaders.get(stage.path()),
                shader_defs: variant.defs(stage.varies()),
                entry_point: Some(stage.entry().into()),
                ..ComputePipelineDescriptor::default()
            })
        })
    }

    /// The pipeline of a stage.
    ///
    /// # Errors
    /// If it is not ready yet or does not compile.
    pub fn get<'a>(
        &self,
        cache: &'a PipelineCache,
        stage: Stage,
        variant: Variant,
    ) -> Result<&'a ComputePipeline, NotReady> {
        let id = self.queued.get(&(stage, variant.seen_by(stage.varies()))).ok_or(NotReady::Waiting)?;
        match cache.get_compute_pipeline_state(*id) {
            CachedPipelineState::Ok(_) => cache.get_compute_pipeline(*id).ok_or(NotReady::Waiting),
            CachedPipelineState::Err(
                ShaderCacheError::ShaderNotLoaded(_) | ShaderCacheError::ShaderImportNotYetAvailable,
            )
            | CachedPipelineState::Queued
            | CachedPipelineState::Creating(_) => Err(NotReady::Waiting),
            CachedPipelineState::Err(error) => {
                Err(NotReady::Failed(GpuError::Shader { stage: stage.entry(), reason: error.to_string() }))
            }
        }
    }
}

/// The layout of a stage's bind group, straight from the table of stages.
#[must_use]
pub fn layout(stage: Stage) -> BindGroupLayoutDescriptor {
    let entries: Vec<BindGroupLayoutEntry> = stage
        .bindings()
        .iter()
        .map(|&(slot, access)| BindGroupLayoutEntry {
            binding: slot as u32,
            visibility: ShaderStages::COMPUTE,
            ty: BindingType::Buffer {
                ty: match access {
                    Access::Uniform | Access::UniformAt => BufferBindingType::Uniform,
                    Access::Read => BufferBindingType::Storage { read_only: true },
                    Access::Write => BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: access == Access::UniformAt,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    BindGroupLayoutDescriptor::new(format!("nevis:layout:{}", stage.entry()), &entries)
}

/// Binds a stage's buffers; none if one of them does not exist.
pub fn bind<'a>(
    device: &RenderDevice,
    cache: &PipelineCache,
    stage: Stage,
    buffer: impl Fn(Slot) -> Option<&'a Buffer>,
) -> Option<BindGroup> {
    let entries = stage
        .bindings()
        .iter()
        .map(|&(slot, access)| {
            let size = (access == Access::UniformAt).then(|| NonZeroU64::new(size_of::<crate::params::Step>() as u64));
            let binding = BufferBinding { buffer: buffer(slot)?, offset: 0, size: size.flatten() };
            Some(BindGroupEntry { binding: slot as u32, resource: BindingResource::Buffer(binding) })
        })
        .collect::<Option<Vec<_>>>()?;
    let layout = cache.get_bind_group_layout(&layout(stage));
    Some(device.create_bind_group(format!("nevis:bindings:{}", stage.entry()).as_str(), &layout, &entries))
}
