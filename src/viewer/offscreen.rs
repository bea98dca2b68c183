//! Pictures without a window: the same points, looks and camera.

use crate::error::CommandError;
use bevy::MinimalPlugins;
use bevy::app::{App, Last, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::AssetPlugin;
use bevy::camera::{Camera, CameraPlugin, RenderTarget};
use bevy::core_pipeline::CorePipelinePlugin;
use bevy::ecs::message::Messages;
use bevy::ecs::prelude::{Entity, ResMut, Resource};
use bevy::image::ImagePlugin;
use bevy::math::UVec2;
use bevy::mesh::MeshPlugin;
use bevy::render::RenderPlugin;
use bevy::transform::TransformPlugin;
use bevy::window::{ExitCondition, WindowPlugin};
use gpu::OpenAdapter;
use orbit_camera::{CloudBounds, Pose};
use points::picture::{Picture, PictureTaken, Pixels, TakePicture};
use points::{
    Axes, Background, PointCloud, PointFocus, PointScale, PointSettings, PointsPlugin, Positions, camera_bundle,
};
use std::sync::Arc;

/// Height of the window that sizes in pixels are meant for: larger pictures have larger points.
const USUAL_HEIGHT: f32 = 720.0;
/// Frames within which a picture must be there: pipelines compile in the first ones.
const MOST_FRAMES: usize = 600;

/// Pixels that a picture draws per pixel, along each side, unless told otherwise: edges are smooth.
const SUPERSAMPLE: u32 = 2;

/// What a picture shows.
#[derive(Debug, Clone)]
pub struct Shown {
    pub positions: Positions,
    pub axes: Axes,
    pub bounds: CloudBounds,
    pub styles: Arc<Vec<u32>>,
    pub looks: PointSettings,
    pub pose: Pose,
    pub width: u32,
    pub height: u32,
}

#[derive(Resource, Default)]
struct Taken(Option<PictureTaken>);

/// Draws a picture.
///
/// # Errors
/// If the adapter cannot draw it.
pub fn draw(shown: Shown, adapter: &OpenAdapter) -> Result<Pixels, CommandError> {
    Studio::new(adapter).draw(shown, SUPERSAMPLE)
}

/// Where pictures are drawn, one after another.
pub struct Studio {
    app: App,
    adapter: String,
    camera: Option<Entity>,
    pictures: u64,
}

impl Studio {
    /// A studio on this adapter.
    pub fn new(adapter: &OpenAdapter) -> Self {
        Self { app: drawing_app(adapter), adapter: adapter.summary.name.clone(), camera: None, pictures: 0 }
    }

    /// Draws a picture, with so many pixels drawn per pixel along each side (1 or 2).
    ///
    /// # Errors
    /// If the adapter cannot draw it.
    pub fn draw(&mut self, shown: Shown, supersample: u32) -> Result<Pixels, CommandError> {
        let aspect = shown.width as f32 / shown.height as f32;
        let (transform, projection) = shown.pose.transform_and_projection(&shown.bounds, aspect);
        let focus = shown.bounds.world_from_relative(shown.pose.focus.into()).distance(transform.translation);
        let looks = PointSettings { flat: shown.bounds.flat, ..shown.looks };
        let picture = Picture {
            width: shown.width,
            height: shown.height,
            supersample,
            transparent: looks.background == Background::Transparent,
        };
        self.app.insert_resource(looks);
        let world = self.app.world_mut();
        let mut cloud = world.resource_mut::<PointCloud>();
        cloud.set_positions(shown.positions);
        cloud.set_axes(shown.axes);
        cloud.set_styles(shown.styles);
        let camera = (
            camera_bundle(),
            Camera { is_active: false, ..Camera::default() },
            RenderTarget::None { size: UVec2::new(shown.width, shown.height) },
            PointFocus(focus),
            PointScale(shown.height as f32 / USUAL_HEIGHT),
        );
        if let Some(before) = self.camera.take() {
            world.despawn(before);
        }
        let camera = world.spawn((camera, transform, projection)).id();
        self.camera = Some(camera);
        self.pictures += 1;
        self.app.update(); // the camera takes its place: a picture looks as it does
        self.app.world_mut().write_message(TakePicture { id: self.pictures, camera, picture });
        for _ in 0..MOST_FRAMES {
            self.app.update();
            if let Some(taken) = self.app.world_mut().resource_mut::<Taken>().0.take() {
                return Ok(taken.result?);
            }
        }
        Err(CommandError::Drawing(format!("{} does not answer; try --adapter", self.adapter)))
    }
}

/// Bevy without a window, drawing points on this adapter.
fn drawing_app(adapter: &OpenAdapter) -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins.build().disable::<ScheduleRunnerPlugin>())
        .add_plugins((
            AssetPlugin::default(),
            TransformPlugin,
            WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..Default::default() },
            RenderPlugin {
                render_creation: adapter.creation(),
                synchronous_pipeline_compilation: true,
                ..Default::default()
            },
            ImagePlugin::default(),
            MeshPlugin,
            CameraPlugin,
            CorePipelinePlugin,
            PointsPlugin,
        ))
        .init_resource::<Taken>()
        .add_systems(Last, |mut taken: ResMut<Taken>, mut messages: ResMut<Messages<PictureTaken>>| {
            if let Some(picture) = messages.drain().last() {
                taken.0 = Some(picture);
            }
        });
    app.finish();
    app.cleanup();
    app
}
