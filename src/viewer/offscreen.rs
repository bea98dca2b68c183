//! Pictures without a window: the same points, looks and camera.

use crate::error::CommandError;
use bevy::MinimalPlugins;
use bevy::app::{App, Last, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::AssetPlugin;
use bevy::camera::{Camera, CameraPlugin, Projection, RenderTarget};
use bevy::core_pipeline::CorePipelinePlugin;
use bevy::ecs::message::Messages;
use bevy::ecs::prelude::{Entity, ResMut, Resource};
use bevy::image::ImagePlugin;
use bevy::math::{UVec2, Vec2, Vec3};
use bevy::mesh::MeshPlugin;
use bevy::render::RenderPlugin;
use bevy::transform::TransformPlugin;
use bevy::transform::components::{GlobalTransform, Transform};
use bevy::window::{ExitCondition, WindowPlugin};
use gpu::OpenAdapter;
use orbit_camera::{CloudBounds, Pose};
use points::picture::{Picture, PictureTaken, Pixels, TakePicture};
use points::{
    Axes, Background, PointCloud, PointFocus, PointScale, PointSettings, PointsPlugin, Positions, camera_bundle,
};
use std::sync::Arc;
use std::time::Duration;

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
    /// How far the camera is on its way from space (0) to a flat map (1).
    pub flatness: f32,
    pub styles: Arc<Vec<u32>>,
    pub looks: PointSettings,
    pub pose: Pose,
    pub width: u32,
    pub height: u32,
}

impl Shown {
    /// Where it is seen from.
    fn sight(&self) -> (Transform, Projection) {
        let aspect = self.width as f32 / self.height as f32;
        self.pose.transform_and_projection_flattened(&self.bounds, aspect, self.flatness)
    }

    /// The pixels at which places are seen; none for what is behind the eye.
    pub fn seen(&self) -> impl Fn(Vec3) -> Option<Vec2> + use<> {
        let (transform, projection) = self.sight();
        let clip_from_world = projection.get_clip_from_view() * transform.to_matrix().inverse();
        let size = Vec2::new(self.width as f32, self.height as f32);
        move |place| {
            let clip = clip_from_world * place.extend(1.0);
            let at = clip.truncate().truncate() / clip.w;
            (clip.w > 0.0 && at.is_finite()).then(|| (at * Vec2::new(0.5, -0.5) + 0.5) * size)
        }
    }
}

/// A picture, and how long it took.
#[derive(Debug)]
pub struct Drawn {
    pub pixels: Pixels,
    /// From when the device had drawn it until it was in main memory, at its own size.
    pub read_back: Duration,
}

#[derive(Resource, Default)]
struct Taken(Option<PictureTaken>);

/// Draws a picture, smooth if the adapter draws as much.
///
/// # Errors
/// If the adapter cannot draw it.
pub fn draw(shown: Shown, adapter: &OpenAdapter) -> Result<Pixels, CommandError> {
    let supersample = supersample((shown.width, shown.height), SUPERSAMPLE, adapter.largest_side());
    Ok(Studio::new(adapter).draw(shown, supersample)?.pixels)
}

/// As many pixels per pixel, along each side, as can be drawn of those that are wished for, if no side can have more than
/// `most`.
pub fn supersample((width, height): (u32, u32), wish: u32, most: u32) -> u32 {
    (1..=wish).rev().find(|times| width.max(height).saturating_mul(*times) <= most).unwrap_or(1)
}

/// Where pictures are drawn, one after another.
pub struct Studio {
    app: App,
    adapter: String,
    /// The camera, and the size it was last told of.
    camera: Option<(Entity, UVec2)>,
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
    pub fn draw(&mut self, shown: Shown, supersample: u32) -> Result<Drawn, CommandError> {
        let (transform, projection) = shown.sight();
        let focus = shown.bounds.world_from_relative(shown.pose.focus.into()).distance(transform.translation);
        let looks = PointSettings { flat: shown.bounds.flat, ..shown.looks };
        let size = UVec2::new(shown.width, shown.height);
        let transparent = looks.background == Background::Transparent;
        let picture = Picture { width: size.x, height: size.y, supersample, transparent };
        self.app.insert_resource(looks);
        let world = self.app.world_mut();
        let mut cloud = world.resource_mut::<PointCloud>();
        cloud.set_positions(shown.positions);
        cloud.set_axes(shown.axes);
        cloud.set_styles(shown.styles);
        let placed = (transform, GlobalTransform::from(transform), projection, PointFocus(focus));
        let camera = match self.camera {
            Some((camera, known)) if known == size => {
                world.entity_mut(camera).insert(placed);
                camera
            }
            before => {
                before.into_iter().for_each(|(camera, _)| _ = world.despawn(camera));
                let camera = Camera { is_active: false, ..Camera::default() };
                let scale = PointScale(size.y as f32 / USUAL_HEIGHT);
                let camera = world.spawn((camera_bundle(), camera, RenderTarget::None { size }, scale, placed)).id();
                self.camera = Some((camera, size));
                self.app.update(); // it learns its size
                camera
            }
        };
        self.pictures += 1;
        self.app.world_mut().write_message(TakePicture { id: self.pictures, camera, picture });
        for _ in 0..MOST_FRAMES {
            self.app.update();
            if let Some(PictureTaken { result, read_back, .. }) = self.app.world_mut().resource_mut::<Taken>().0.take()
            {
                return Ok(Drawn { pixels: result?, read_back });
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

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::Vec3;

    #[test]
    fn pictures_are_as_smooth_as_the_adapter_allows() {
        assert_eq!(supersample((3840, 2160), 2, 8192), 2);
        assert_eq!(supersample((2160, 5000), 2, 8192), 1);
        assert_eq!(supersample((9000, 10), 2, 8192), 1); // refused when it is drawn, with the limit
        assert_eq!(supersample((10, 10), 1, 8192), 1);
    }

    #[test]
    fn the_focus_is_seen_in_the_middle_and_what_is_behind_is_not_seen() {
        for flat in [false, true] {
            let bounds = CloudBounds { centre: Vec3::new(1.0, 2.0, 0.0), radius: 3.0, flat };
            let pose = Pose { yaw: 0.3, pitch: 0.2, ..Pose::default() };
            let shown = Shown {
                positions: Positions { values: Arc::default(), count: 0, dims: 3, stride: 3 },
                axes: Axes::unit(3),
                flatness: 0.0,
                bounds,
                styles: Arc::default(),
                looks: PointSettings::default(),
                pose,
                width: 400,
                height: 300,
            };
            let (seen, (eye, _)) = (shown.seen(), shown.sight());
            let middle = seen(bounds.world_from_relative(pose.focus.into())).expect("before the eye");
            assert!(middle.distance(Vec2::new(200.0, 150.0)) < 0.1, "{middle}");
            let up = seen(bounds.world_from_relative(pose.focus.into()) + *eye.up()).expect("before the eye");
            assert!((up.x - 200.0).abs() < 0.1 && up.y < 149.0, "{up} lies above {middle}");
            assert!(flat || seen(eye.translation - eye.forward() * 2.0).is_none());
        }
    }
}
