//! The plugin: what it adds, where it runs, and why there.

use crate::buffers::{ExternalPositions, prepare_buffers, start_buffers};
use crate::camera::{PointCamera, paint_background};
use crate::cloud::PointCloud;
use crate::draw::{draw_points, light_points, mark_points, prepare_bind_groups, prepare_views, start_uniforms};
use crate::native::RepaintPace;
use crate::pick::{
    PickPoint, PickRequests, PointPicked, Replies, answer_picks, extract_picks, map_picks, pick_points, start_picks,
};
use crate::picture::{PictureTaken, TakePicture, begin_pictures, develop_pictures, hand_over_pictures, spare_pictures};
use crate::pipelines::start_pipelines;
use crate::settings::PointSettings;
use crate::shaders::PointShaders;
use crate::view::DrawPath;
use bevy::app::{App, Plugin, PostUpdate, PreUpdate};
use bevy::asset::Assets;
use bevy::core_pipeline::core_3d::{main_opaque_pass_3d, main_transparent_pass_3d};
use bevy::core_pipeline::schedule::camera_driver;
use bevy::core_pipeline::{Core3d, Core3dSystems};
use bevy::ecs::prelude::{IntoScheduleConfigs, SystemSet};
use bevy::render::extract_component::ExtractComponentPlugin;
use bevy::render::extract_resource::ExtractResourcePlugin;
use bevy::render::renderer::{RenderGraph, RenderGraphSystems};
use bevy::render::{ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};
use bevy::shader::Shader;

/// The systems of the points, by what they are for.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum PointSystems {
    /// Clears cameras with the background of the settings, in `PostUpdate`.
    Background,
    /// Begins pictures that were asked for and hands them over, in `PreUpdate`; reads them back in `RenderGraph`.
    Pictures,
    /// Answers which points are seen, in `PreUpdate`; finds them in `RenderGraph`.
    Pick,
    /// Uploads what changed and tells passes what they need, in `Render`.
    Prepare,
    /// Draws and lights the points of a camera, in `Core3d`.
    Draw,
}

/// Draws a cloud of points for every camera with [`PointCamera`].
///
/// Needs Bevy's `RenderPlugin`, `CorePipelinePlugin` and cameras; without a renderer it only keeps the settings.
#[derive(Debug, Default)]
pub struct PointsPlugin;

impl Plugin for PointsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PointCloud>()
            .init_resource::<PointSettings>()
            .init_resource::<DrawPath>()
            .init_resource::<RepaintPace>()
            .add_message::<TakePicture>()
            .add_message::<PictureTaken>()
            .add_message::<PickPoint>()
            .add_message::<PointPicked>();
        let Some(mut assets) = app.world_mut().get_resource_mut::<Assets<Shader>>() else { return }; // no renderer
        let shaders = PointShaders::add_to(&mut assets);
        if app.get_sub_app(RenderApp).is_none() {
            return; // no renderer
        }
        let replies = Replies::default();
        app.insert_resource(replies.clone());
        app.add_plugins((
            ExtractResourcePlugin::<PointCloud>::default(),
            ExtractResourcePlugin::<PointSettings>::default(),
            ExtractResourcePlugin::<DrawPath>::default(),
            ExtractResourcePlugin::<RepaintPace>::default(),
            ExtractComponentPlugin::<PointCamera>::default(),
        ))
        .add_systems(PreUpdate, (hand_over_pictures, begin_pictures).chain().in_set(PointSystems::Pictures))
        .add_systems(PreUpdate, answer_picks.in_set(PointSystems::Pick))
        .add_systems(PostUpdate, paint_background.in_set(PointSystems::Background));
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return }; // no renderer
        render_app
            .insert_resource(shaders)
            .init_resource::<PointCloud>()
            .init_resource::<PointSettings>()
            .init_resource::<DrawPath>()
            .init_resource::<RepaintPace>()
            .init_resource::<ExternalPositions>()
            .init_resource::<PickRequests>()
            .insert_resource(replies)
            // GPU objects are made here, so that they come back after a lost device.
            .add_systems(RenderStartup, (start_buffers, start_pipelines, start_uniforms, start_picks))
            .add_systems(ExtractSchedule, extract_picks)
            .add_systems(
                Render,
                (prepare_buffers, prepare_views, prepare_bind_groups)
                    .chain() // each needs what the one before it made
                    .in_set(PointSystems::Prepare)
                    .in_set(RenderSystems::PrepareBindGroups), // positions of others are there, in PrepareResources
            )
            .add_systems(
                Render,
                spare_pictures.in_set(PointSystems::Pictures).in_set(RenderSystems::PrepareBindGroups), // the pipeline to spare is chosen in Prepare
            )
            .add_systems(
                RenderGraph,
                develop_pictures.in_set(PointSystems::Pictures).in_set(RenderGraphSystems::Finish), // all is submitted
            )
            .add_systems(
                RenderGraph,
                (
                    pick_points.in_set(RenderGraphSystems::Render).after(camera_driver), // what was drawn is what is picked
                    map_picks.in_set(RenderGraphSystems::Finish), // a buffer must not be mapped before it is submitted
                )
                    .in_set(PointSystems::Pick),
            )
            .add_systems(
                Core3d,
                (
                    draw_points
                        .in_set(Core3dSystems::MainPass)
                        .after(main_opaque_pass_3d) // which clears
                        .before(main_transparent_pass_3d), // which needs depths
                    (light_points, mark_points)
                        .chain() // rings are not lit
                        .in_set(Core3dSystems::EarlyPostProcess),
                )
                    .in_set(PointSystems::Draw),
            );
    }
}
