//! The passes of a camera, and what they need: ordinary systems, in the order in which they are submitted.

use crate::buffers::PointBuffers;
use crate::camera::ExtractedPointCamera;
use crate::cloud::PointCloud;
use crate::eye::Eye;
use crate::native::{NativeTarget, Painted, RepaintPace, Scene};
use crate::pipelines::{Pass, PointPipelines};
use crate::settings::PointSettings;
use crate::splat::{SplatPasses, SplatTargets};
use crate::view::{DrawPath, LightUniform, Method, Sight, ViewUniform, is_software};
use bevy::color::ColorToPacked;
use bevy::ecs::prelude::{Commands, Component, Entity, Query, Res, ResMut, Resource};
use bevy::render::camera::ExtractedCamera;
use bevy::render::diagnostic::RecordDiagnostics;
use bevy::render::render_phase::TrackedRenderPass;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, CachedRenderPipelineId, DynamicUniformBuffer, PipelineCache,
    RenderPassDescriptor, StoreOp, TextureUsages,
};
use bevy::render::renderer::{RenderAdapterInfo, RenderContext, RenderDevice, RenderQueue, ViewQuery};
use bevy::render::view::{ExtractedView, Msaa, ViewDepthTexture, ViewTarget};

/// What the passes are told, for all cameras.
#[derive(Resource)]
pub(crate) struct PointUniforms {
    views: DynamicUniformBuffer<ViewUniform>,
    lights: DynamicUniformBuffer<LightUniform>,
}

/// What the points of this frame are drawn from.
#[derive(Resource, Default)]
pub(crate) struct PointBindGroups {
    pub points: Option<BindGroup>,
    selected: Option<BindGroup>,
    highlighted: Option<BindGroup>,
}

/// A camera's passes.
#[derive(Component)]
pub(crate) struct ViewPasses {
    pub view_offset: u32,
    /// What comes of them, once all can run.
    pub method: Method,
    /// And of those that draw highlighted points, after them.
    pub highlight: Method,
    light_offset: u32,
    points: CachedRenderPipelineId,
    splats: Option<SplatPasses>,
    /// Painted by native code: there is nothing else to draw.
    native: bool,
    glow: Option<CachedRenderPipelineId>,
    ring: Option<CachedRenderPipelineId>,
    light: Option<CachedRenderPipelineId>,
    fade: Option<CachedRenderPipelineId>,
}

impl ViewPasses {
    /// Whether all of them can run.
    pub fn ready(&self, cache: &PipelineCache) -> bool {
        [Some(self.points), self.glow, self.ring, self.light, self.fade]
            .into_iter()
            .flatten()
            .all(|id| cache.get_render_pipeline(id).is_some())
            && self.splats.is_none_or(|splats| splats.ready(cache))
    }
}

/// Empty buffers: a device is new.
pub(crate) fn start_uniforms(mut commands: Commands) {
    let mut uniforms =
        PointUniforms { views: DynamicUniformBuffer::default(), lights: DynamicUniformBuffer::default() };
    uniforms.views.set_label(Some("points:buffer:views"));
    uniforms.lights.set_label(Some("points:buffer:lights"));
    commands.insert_resource(uniforms);
    commands.insert_resource(PointBindGroups::default());
}

/// A camera, and what was made for it before.
type CameraToPrepare = (
    Entity,
    &'static ExtractedView,
    &'static ExtractedPointCamera,
    Option<&'static SplatTargets>,
    Option<&'static mut NativeTarget>,
);

/// Per camera: what its passes are told, and their pipelines; what native code paints is painted here.
#[expect(clippy::too_many_arguments, reason = "a system")]
pub(crate) fn prepare_views(
    mut commands: Commands,
    mut uniforms: ResMut<PointUniforms>,
    mut pipelines: ResMut<PointPipelines>,
    mut views: Query<CameraToPrepare>,
    (cloud, settings, path, pace): (Res<PointCloud>, Res<PointSettings>, Res<DrawPath>, Res<RepaintPace>),
    buffers: Res<PointBuffers>,
    cache: Res<PipelineCache>,
    (device, queue, adapter): (Res<RenderDevice>, Res<RenderQueue>, Res<RenderAdapterInfo>),
) {
    let PointUniforms { views: view_uniforms, lights } = &mut *uniforms;
    view_uniforms.clear();
    lights.clear();
    let software = is_software(&adapter);
    for (entity, view, camera, targets, native) in &mut views {
        let eye = Eye::of_view(view, camera);
        let sight = Sight { cloud: &cloud, settings: &settings, eye: &eye };
        let (view_uniform, light_uniform) = (sight.view_uniform(buffers.styled, buffers.drawn), sight.light_uniform());
        let unmarked = buffers.selected_count() == 0 && buffers.highlighted_count == 0;
        let natively = buffers.drawn > 0
            && unmarked
            && sight.native(*path, software)
            && NativeTarget::supports(view.target_format);
        if natively && let Some(positions) = cloud.positions() {
            let scene = Scene {
                positions,
                styles: &cloud.styles()[..buffers.styled as usize],
                order: buffers.order(),
                background: settings.background.colour().to_srgba().to_u8_array(),
            };
            let painted = Painted {
                view: view_uniform.clone(),
                light: light_uniform.clone(),
                positions_generation: cloud.positions_generation,
                styles_generation: cloud.styles_generation,
            };
            let (width, height) = (view.viewport.z, view.viewport.w);
            match native.filter(|native| native.fits(width, height, view.target_format)) {
                Some(mut native) => native.paint(&queue, scene, painted, *pace),
                None => {
                    let mut native = NativeTarget::new(&device, width, height, view.target_format);
                    native.paint(&queue, scene, painted, *pace);
                    commands.entity(entity).insert(native);
                }
            }
        } else if native.is_some() {
            commands.entity(entity).remove::<NativeTarget>();
        }
        let mut splats = None;
        if !natively && sight.splats(*path, software) {
            let pixels = u64::from(view.viewport.z) * u64::from(view.viewport.w);
            let fitting = targets.is_some_and(|targets| targets.fit(pixels));
            let made = if fitting { None } else { SplatTargets::new(&device, &cache, &pipelines, pixels) };
            if fitting || made.is_some() {
                let splat = pipelines.queue_splat(&cache);
                let settle = pipelines.queue(&cache, Pass::Settle, view.target_format);
                splats = Some(SplatPasses { splat, settle });
            }
            if let Some(targets) = made {
                commands.entity(entity).insert(targets);
            }
        } else if targets.is_some() {
            commands.entity(entity).remove::<SplatTargets>();
        }
        let mut queue = |pass| pipelines.queue(&cache, pass, view.target_format);
        let highlight = Method::Triangles(sight.surface());
        let method = match splats {
            _ if natively => Method::Native,
            Some(_) => Method::Splats,
            None => highlight,
        };
        commands.entity(entity).insert(ViewPasses {
            view_offset: view_uniforms.push(&view_uniform),
            method,
            highlight,
            light_offset: lights.push(&light_uniform),
            points: queue(Pass::Points(sight.surface())),
            splats,
            native: natively,
            glow: (buffers.selected_count() > 0).then(|| queue(Pass::Glow)),
            ring: (buffers.highlighted_count > 0).then(|| queue(Pass::Ring)),
            light: sight.lit().then(|| queue(Pass::Light)),
            fade: sight.fades().then(|| queue(Pass::Fade)),
        });
    }
    view_uniforms.write_buffer(&device, &queue);
    lights.write_buffer(&device, &queue);
}

/// Binds the buffers of this frame.
pub(crate) fn prepare_bind_groups(
    mut groups: ResMut<PointBindGroups>,
    uniforms: Res<PointUniforms>,
    pipelines: Res<PointPipelines>,
    buffers: Res<PointBuffers>,
    cache: Res<PipelineCache>,
    device: Res<RenderDevice>,
) {
    *groups = PointBindGroups::default();
    let (Some(views), Some(bindings)) = (uniforms.views.binding(), buffers.bindings()) else { return }; // no points yet
    let layout = cache.get_bind_group_layout(&pipelines.draw_layout);
    let bind = |label, order: &Buffer| {
        let positions = bindings.positions.as_entire_binding();
        let (styles, order) = (bindings.styles.as_entire_binding(), order.as_entire_binding());
        let entries = BindGroupEntries::sequential((views.clone(), positions, styles, order));
        device.create_bind_group(label, &layout, &entries)
    };
    if buffers.drawn > 0 {
        groups.points = Some(bind("points:bindings:points", bindings.order));
        groups.selected = (buffers.selected_count() > 0).then(|| bind("points:bindings:selected", bindings.selected));
        groups.highlighted =
            (buffers.highlighted_count > 0).then(|| bind("points:bindings:highlighted", bindings.highlighted));
    }
}

/// Draws a triangle for each point of a draw list; nothing if its pipeline is not ready.
fn draw_list<'a>(
    pass: &mut TrackedRenderPass<'a>,
    cache: &'a PipelineCache,
    pipeline: Option<CachedRenderPipelineId>,
    (group, offset): (Option<&'a BindGroup>, u32),
    count: u32,
) {
    if let Some(pipeline) = pipeline.and_then(|id| cache.get_render_pipeline(id))
        && let Some(group) = group
    {
        pass.set_render_pipeline(pipeline);
        pass.set_bind_group(0, group, &[offset]);
        pass.draw(0..3 * count, 0..1);
    }
}

/// What points are drawn for.
type PointView = (
    &'static ExtractedCamera,
    &'static ViewTarget,
    &'static ViewDepthTexture,
    &'static ViewPasses,
    Option<&'static SplatTargets>,
    Option<&'static NativeTarget>,
);

/// Draws the points, and rims behind selected ones.
pub(crate) fn draw_points(
    view: ViewQuery<PointView>,
    (groups, uniforms): (Res<PointBindGroups>, Res<PointUniforms>),
    (buffers, pipelines): (Res<PointBuffers>, Res<PointPipelines>),
    cache: Res<PipelineCache>,
    mut context: RenderContext,
) {
    let (camera, target, depth, passes, targets, native) = view.into_inner();
    let Some(points) = &groups.points else { return }; // no points yet
    if let Some(native) = native.filter(|_| passes.native) {
        native.record(context.command_encoder(), target.main_texture());
        return; // painted already
    }
    let splats = passes.splats.filter(|splats| splats.ready(&cache)).zip(targets).zip(uniforms.lights.binding());
    let settle = splats.map(|((splats, targets), lights)| {
        splats.record(context.command_encoder(), &cache, targets, (points, passes.view_offset), buffers.drawn);
        (splats.settle, targets.bind_settle(context.render_device(), &cache, &pipelines, lights))
    });
    let diagnostics = context.diagnostic_recorder();
    let diagnostics = diagnostics.as_deref();
    let mut pass = context.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some("points:pass:draw"),
        color_attachments: &[Some(target.get_color_attachment())],
        depth_stencil_attachment: Some(depth.get_attachment(StoreOp::Store)),
        ..Default::default()
    });
    let span = diagnostics.pass_span(&mut pass, "draw_points");
    if let Some(viewport) = &camera.viewport {
        pass.set_camera_viewport(viewport);
    }
    let selected = (groups.selected.as_ref(), passes.view_offset);
    draw_list(&mut pass, &cache, passes.glow, selected, buffers.selected_count());
    let points = (Some(points), passes.view_offset);
    match &settle {
        Some((settle, group)) => {
            pass.set_bind_group(1, group, &[passes.light_offset]);
            draw_list(&mut pass, &cache, Some(*settle), points, 1);
        }
        None => draw_list(&mut pass, &cache, Some(passes.points), points, buffers.drawn),
    }
    // Even those that are not of the share, or were drawn plainly.
    let highlighted = (groups.highlighted.as_ref(), passes.view_offset);
    draw_list(&mut pass, &cache, Some(passes.points), highlighted, buffers.highlighted_count);
    span.end(&mut pass);
}

/// Darkens points beside nearer ones, and lets distant ones fade.
pub(crate) fn light_points(
    view: ViewQuery<(&ExtractedCamera, &ViewTarget, &ViewDepthTexture, &ViewPasses, &Msaa)>,
    groups: Res<PointBindGroups>,
    uniforms: Res<PointUniforms>,
    pipelines: Res<PointPipelines>,
    cache: Res<PipelineCache>,
    mut context: RenderContext,
) {
    let (camera, target, depth, passes, msaa) = view.into_inner();
    if groups.points.is_none() || passes.light.is_none() {
        return; // nothing to light
    }
    if passes.native || passes.splats.is_some_and(|splats| splats.ready(&cache)) {
        return; // lit already
    }
    if *msaa != Msaa::Off || !depth.texture.usage().contains(TextureUsages::TEXTURE_BINDING) {
        return; // depths not readable
    }
    let Some(lights) = uniforms.lights.binding() else { return }; // no camera
    let layout = cache.get_bind_group_layout(&pipelines.light_layout);
    let entries = BindGroupEntries::sequential((lights, depth.view()));
    let group = context.render_device().create_bind_group("points:bindings:light", &layout, &entries);
    let diagnostics = context.diagnostic_recorder();
    let diagnostics = diagnostics.as_deref();
    let mut pass = context.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some("points:pass:light"),
        color_attachments: &[Some(target.get_unsampled_color_attachment())],
        ..Default::default()
    });
    let span = diagnostics.pass_span(&mut pass, "light_points");
    if let Some(viewport) = &camera.viewport {
        pass.set_camera_viewport(viewport);
    }
    let group = (Some(&group), passes.light_offset);
    draw_list(&mut pass, &cache, passes.light, group, 1);
    draw_list(&mut pass, &cache, passes.fade, group, 1);
    span.end(&mut pass);
}

/// Draws rings around highlighted points, over everything that might cover them.
pub(crate) fn mark_points(
    view: ViewQuery<(&ExtractedCamera, &ViewTarget, &ViewPasses)>,
    groups: Res<PointBindGroups>,
    buffers: Res<PointBuffers>,
    cache: Res<PipelineCache>,
    mut context: RenderContext,
) {
    let (camera, target, passes) = view.into_inner();
    if groups.highlighted.is_none() {
        return; // nothing to mark
    }
    let mut pass = context.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some("points:pass:mark"),
        color_attachments: &[Some(target.get_unsampled_color_attachment())],
        ..Default::default()
    });
    if let Some(viewport) = &camera.viewport {
        pass.set_camera_viewport(viewport);
    }
    let highlighted = (groups.highlighted.as_ref(), passes.view_offset);
    draw_list(&mut pass, &cache, passes.ring, highlighted, buffers.highlighted_count);
}
