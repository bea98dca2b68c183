//! An app with a fake window and manual time, and what a camera shows.

use bevy::camera::SubCameraView;
use bevy::input::mouse::{MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel};
use bevy::input::touch::TouchPhase;
use bevy::input::{ButtonState, InputPlugin, keyboard::Key, keyboard::KeyboardInput};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{PrimaryWindow, WindowResolution};
use orbit_camera::{
    CameraCommand, CameraSettings, CameraState, CloudBounds, OrbitCamera, OrbitCameraPlugin, Pose, orbit_camera_bundle,
};
use std::time::Duration;

/// Frames per second of the tests.
pub const RATE: u32 = 60;

/// Long enough for every ease and glide to end (frames).
pub const AT_REST: u32 = 2 * RATE;

/// A cloud that no mistake between axes, signs or units can leave unnoticed.
pub const CLOUD: CloudBounds = CloudBounds { centre: Vec3::new(3.0, -5.0, 0.7), radius: 2.5, flat: false };

/// A pose as lopsided as the cloud.
pub const POSE: Pose = Pose { yaw: -0.8, pitch: 0.35, distance: 1.7, focus: [0.3, -0.2, 0.55] };

/// An app under test.
pub struct Live {
    pub app: App,
    window: Entity,
}

impl Live {
    /// A window of 1280 × 720, and a camera that has come to rest before the cloud.
    pub fn new() -> Self {
        Self::with_bounds(CLOUD)
    }

    pub fn with_bounds(bounds: CloudBounds) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, InputPlugin, OrbitCameraPlugin)).insert_resource(bounds);
        Self::dress(app)
    }

    /// Adds time, window and camera to an app that has its plugins.
    pub fn dress(mut app: App) -> Self {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / RATE));
        let resolution = WindowResolution::new(1280, 720);
        let window = app.world_mut().spawn((Window { resolution, ..default() }, PrimaryWindow)).id();
        app.world_mut().spawn(orbit_camera_bundle());
        let mut live = Self { app, window };
        live.point_at(Vec2::new(640.0, 360.0));
        live.frames(2);
        live
    }

    pub fn frames(&mut self, count: u32) {
        for _ in 0..count {
            self.app.update();
        }
    }

    pub fn bounds(&mut self, bounds: CloudBounds) {
        self.app.insert_resource(bounds);
    }

    pub fn settings(&mut self) -> Mut<'_, CameraSettings> {
        self.app.world_mut().resource_mut::<CameraSettings>()
    }

    pub fn state(&self) -> CameraState {
        *self.app.world().resource::<CameraState>()
    }

    pub fn command(&mut self, command: CameraCommand) {
        self.app.world_mut().write_message(command);
    }

    /// Jumps to a pose.
    pub fn jump(&mut self, pose: Pose) {
        self.command(CameraCommand::SetPose { pose, seconds: 0.0 });
        self.frames(1);
    }

    pub fn point_at(&mut self, pixel: Vec2) {
        let mut window = self.app.world_mut().get_mut::<Window>(self.window).unwrap();
        window.set_cursor_position(Some(pixel));
    }

    pub fn button(&mut self, button: MouseButton, state: ButtonState) {
        let window = self.window;
        self.app.world_mut().write_message(MouseButtonInput { button, state, window });
    }

    /// Presses a button, moves, and releases it, each in its own frame.
    pub fn drag(&mut self, button: MouseButton, delta: Vec2) {
        self.button(button, ButtonState::Pressed);
        self.frames(1);
        self.shove(delta);
        self.frames(1);
        self.button(button, ButtonState::Released);
        self.frames(1);
    }

    pub fn shove(&mut self, delta: Vec2) {
        self.app.world_mut().write_message(MouseMotion { delta });
    }

    pub fn scroll(&mut self, lines: f32) {
        let (unit, phase, window) = (MouseScrollUnit::Line, TouchPhase::Moved, self.window);
        self.app.world_mut().write_message(MouseWheel { unit, x: 0.0, y: lines, window, phase });
    }

    pub fn key(&mut self, key_code: KeyCode, state: ButtonState) {
        let (logical_key, window) = (Key::Unidentified(bevy::input::keyboard::NativeKey::Unidentified), self.window);
        let message = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
        self.app.world_mut().write_message(message);
    }

    /// What the camera shows.
    pub fn seen(&mut self) -> Seen {
        let mut cameras =
            self.app.world_mut().query_filtered::<(&Transform, &Projection, &Camera), With<OrbitCamera>>();
        let (transform, projection, camera) = cameras.single(self.app.world()).unwrap();
        Seen { transform: *transform, projection: projection.clone(), sub_view: camera.sub_camera_view }
    }
}

/// A camera as it is drawn through.
#[derive(Clone, Debug)]
pub struct Seen {
    pub transform: Transform,
    pub projection: Projection,
    pub sub_view: Option<SubCameraView>,
}

impl Seen {
    pub fn of(pose: &Pose, bounds: &CloudBounds, aspect: f32) -> Self {
        let (transform, projection) = pose.transform_and_projection(bounds, aspect);
        Self { transform, projection, sub_view: None }
    }

    fn clip_from_view(&self) -> Mat4 {
        match &self.sub_view {
            Some(sub_view) => self.projection.get_clip_from_view_for_sub(sub_view),
            None => self.projection.get_clip_from_view(),
        }
    }

    /// From −1 to 1 across the picture, y upwards, and the depth from 0 (far) to 1 (near).
    pub fn ndc(&self, world: Vec3) -> Vec3 {
        (self.clip_from_view() * self.transform.to_matrix().inverse()).project_point3(world)
    }

    /// In pixels from the top left of a window of 1280 × 720.
    pub fn pixel(&self, world: Vec3) -> Vec2 {
        (self.ndc(world).xy() * Vec2::new(0.5, -0.5) + 0.5) * Vec2::new(1280.0, 720.0)
    }

    /// The radius of a sphere in the picture, where half the picture's height is 1.
    pub fn picture_radius(&self, bounds: &CloudBounds) -> f32 {
        let height = self.clip_from_view().y_axis.y;
        let (distance, radius) = (self.transform.translation.distance(bounds.centre), bounds.radius);
        match self.projection {
            Projection::Orthographic(_) => radius * height,
            _ => radius / (distance * distance - radius * radius).sqrt() * height,
        }
    }

    /// The largest difference from another camera: places in cloud radii, the rest as it is.
    pub fn difference(&self, other: &Self, bounds: &CloudBounds) -> f32 {
        let place = self.transform.translation.distance(other.transform.translation) / bounds.radius;
        let turn = [Vec3::X, Vec3::Y] // by directions, as the angle between quaternions is only good to a thousandth
            .map(|axis| (self.transform.rotation * axis).distance(other.transform.rotation * axis))
            .into_iter()
            .fold(0.0, f32::max);
        let lens = (self.clip_from_view() - other.clip_from_view()).abs();
        let kind = f32::from(self.projection.is_perspective() != other.projection.is_perspective());
        let lens = lens.to_cols_array().into_iter().fold(0.0, f32::max);
        [place, turn, lens, kind].into_iter().fold(0.0, f32::max)
    }
}

/// Asserts that the live camera is where the pose says.
pub fn assert_shows(live: &mut Live, pose: &Pose, bounds: &CloudBounds) {
    let (seen, expected) = (live.seen(), Seen::of(pose, bounds, 1280.0 / 720.0));
    let difference = seen.difference(&expected, bounds);
    assert!(difference < SAME, "differs by {difference}, more than {SAME}:\n{seen:?}\n{expected:?}");
}

/// How exactly the live camera comes to rest.
pub const SAME: f32 = 1e-4;
