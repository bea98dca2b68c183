//! Render pipelines and layouts of bind groups, made on demand and kept.

use crate::pick::PICK_BYTES;
use crate::shaders::PointShaders;
use crate::view::{LightUniform, Surface, ViewUniform};
use bevy::core_pipeline::core_3d::CORE_3D_DEPTH_FORMAT;
use bevy::ecs::prelude::{Commands, Res, Resource};
use bevy::render::render_resource::binding_types::{
    storage_buffer_read_only_sized, storage_buffer_sized, texture_depth_2d, uniform_buffer, uniform_buffer_sized,
};
use bevy::render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntries, BlendComponent, BlendFactor, BlendOperation, BlendState,
    CachedComputePipelineId, CachedRenderPipelineId, ColorTargetState, ColorWrites, CompareFunction,
    ComputePipelineDescriptor, DepthStencilState, FragmentState, PipelineCache, RenderPipelineDescriptor, ShaderStages,
    TextureFormat, VertexState,
};
use std::collections::HashMap;

/// What a pipeline draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Pass {
    /// Points.
    Points(Surface),
    /// Pixels that points were splatted into.
    Settle,
    /// Rims behind selected points.
    Glow,
    /// Rings around highlighted points, over everything.
    Ring,
    /// Lighting and fog.
    Light,
    /// Fog without a background.
    Fade,
}

/// The pipelines asked for so far. Made anew with every device.
#[derive(Resource)]
pub(crate) struct PointPipelines {
    shaders: PointShaders,
    /// Of the bind group that points are drawn from.
    pub draw_layout: BindGroupLayoutDescriptor,
    /// Of the bind group that points are splatted into.
    pub splat_layout: BindGroupLayoutDescriptor,
    /// Of the bind group that splatted points are read from.
    pub settle_layout: BindGroupLayoutDescriptor,
    /// Of the bind group that lighting reads.
    pub light_layout: BindGroupLayoutDescriptor,
    /// Of the bind group of what is picked.
    pub pick_layout: BindGroupLayoutDescriptor,
    queued: HashMap<(Pass, TextureFormat), CachedRenderPipelineId>,
    queued_splat: Option<CachedComputePipelineId>,
    queued_pick: Option<CachedComputePipelineId>,
}

/// Makes the layouts.
pub(crate) fn start_pipelines(mut commands: Commands, shaders: Res<PointShaders>) {
    let storage = || storage_buffer_read_only_sized(false, None);
    let draw_layout = BindGroupLayoutDescriptor::new(
        "points:layout:draw",
        &BindGroupLayoutEntries::sequential(
            ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE,
            (uniform_buffer::<ViewUniform>(true), storage(), storage(), storage()),
        ),
    );
    let splat_layout = BindGroupLayoutDescriptor::new(
        "points:layout:splat",
        &BindGroupLayoutEntries::sequential(ShaderStages::COMPUTE, (storage_buffer_sized(false, None),)),
    );
    let settle_layout = BindGroupLayoutDescriptor::new(
        "points:layout:settle",
        &BindGroupLayoutEntries::sequential(ShaderStages::FRAGMENT, (storage(), uniform_buffer::<LightUniform>(true))),
    );
    let light_layout = BindGroupLayoutDescriptor::new(
        "points:layout:light",
        &BindGroupLayoutEntries::sequential(
            ShaderStages::FRAGMENT,
            (uniform_buffer::<LightUniform>(true), texture_depth_2d()),
        ),
    );
    let pick_layout = BindGroupLayoutDescriptor::new(
        "points:layout:pick",
        &BindGroupLayoutEntries::sequential(
            ShaderStages::COMPUTE,
            (uniform_buffer_sized(true, Some(PICK_BYTES)), storage(), storage_buffer_sized(false, None)),
        ),
    );
    let shaders = shaders.clone();
    commands.insert_resource(PointPipelines {
        shaders,
        draw_layout,
        splat_layout,
        settle_layout,
        light_layout,
        pick_layout,
        queued: HashMap::new(),
        queued_splat: None,
        queued_pick: None,
    });
}

impl PointPipelines {
    /// Asks for a pipeline.
    pub fn queue(&mut self, cache: &PipelineCache, pass: Pass, format: TextureFormat) -> CachedRenderPipelineId {
        if let Some(id) = self.queued.get(&(pass, format)) {
            return *id;
        }
        let id = cache.queue_render_pipeline(self.descriptor(pass, format));
        self.queued.insert((pass, format), id);
        id
    }

    /// Asks for the pipeline that splats points.
    pub fn queue_splat(&mut self, cache: &PipelineCache) -> CachedComputePipelineId {
        *self.queued_splat.get_or_insert_with(|| {
            cache.queue_compute_pipeline(ComputePipelineDescriptor {
                label: Some("points:pipeline:splat".into()),
                layout: vec![self.draw_layout.clone(), self.splat_layout.clone()],
                shader: self.shaders.splat.clone(),
                entry_point: Some("splat".into()),
                ..ComputePipelineDescriptor::default()
            })
        })
    }

    /// Asks for the pipeline that picks a point.
    pub fn queue_pick(&mut self, cache: &PipelineCache) -> CachedComputePipelineId {
        *self.queued_pick.get_or_insert_with(|| {
            cache.queue_compute_pipeline(ComputePipelineDescriptor {
                label: Some("points:pipeline:pick".into()),
                layout: vec![self.draw_layout.clone(), self.pick_layout.clone()],
                shader: self.shaders.pick.clone(),
                entry_point: Some("seek".into()),
                ..ComputePipelineDescriptor::default()
            })
        })
    }

    fn descriptor(&self, pass: Pass, format: TextureFormat) -> RenderPipelineDescriptor {
        let (vertex, fragment) = match pass {
            Pass::Points(Surface::Sphere) => ("point", "sphere"),
            Pass::Points(Surface::Spot) => ("point", "spot"),
            Pass::Points(Surface::Disc) => ("point", "disc"),
            Pass::Settle => ("screen", "settle"),
            Pass::Glow => ("halo", "glow"),
            Pass::Ring => ("halo", "ring"),
            Pass::Light => ("screen", "light"),
            Pass::Fade => ("screen", "fade"),
        };
        let (shader, layout) = match pass {
            Pass::Light | Pass::Fade => (&self.shaders.light, vec![self.light_layout.clone()]),
            Pass::Settle => (&self.shaders.splat, vec![self.draw_layout.clone(), self.settle_layout.clone()]),
            Pass::Points(_) | Pass::Glow | Pass::Ring => (&self.shaders.draw, vec![self.draw_layout.clone()]),
        };
        RenderPipelineDescriptor {
            label: Some(format!("points:pipeline:{fragment}").into()),
            layout,
            vertex: VertexState { shader: shader.clone(), entry_point: Some(vertex.into()), ..VertexState::default() },
            fragment: Some(FragmentState {
                shader: shader.clone(),
                entry_point: Some(fragment.into()),
                targets: vec![Some(ColorTargetState { format, blend: blend(pass), write_mask: ColorWrites::ALL })],
                ..FragmentState::default()
            }),
            depth_stencil: depth(pass),
            ..RenderPipelineDescriptor::default()
        }
    }
}

/// How a pass mixes with what is there. Colours are multiplied by their alpha throughout.
fn blend(pass: Pass) -> Option<BlendState> {
    let component = |src_factor, dst_factor| BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
    match pass {
        // Depth decides, all or nothing.
        Pass::Points(Surface::Sphere | Surface::Spot) | Pass::Settle | Pass::Glow => None,
        Pass::Points(Surface::Disc) | Pass::Ring => Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        Pass::Light => Some(BlendState {
            color: component(BlendFactor::One, BlendFactor::SrcAlpha),
            alpha: component(BlendFactor::Zero, BlendFactor::One),
        }),
        Pass::Fade => Some(BlendState {
            color: component(BlendFactor::Zero, BlendFactor::SrcAlpha),
            alpha: component(BlendFactor::Zero, BlendFactor::SrcAlpha),
        }),
    }
}

fn depth(pass: Pass) -> Option<DepthStencilState> {
    let (write, compare) = match pass {
        Pass::Light | Pass::Fade => return None, // they read it
        Pass::Ring => return None,               // shows through
        // Nearer is greater; on a map, later ones of one depth are on top.
        Pass::Points(_) | Pass::Settle | Pass::Glow => (true, CompareFunction::GreaterEqual),
    };
    Some(DepthStencilState {
        format: CORE_3D_DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    })
}
