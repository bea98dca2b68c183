//! The systems that move the view: the hand, flight, commands, time; and the one that shows it.

use crate::input::Pointer;
use crate::rig::Rig;
use crate::{CameraCommand, CameraLocked, CameraSettings, CameraState, CloudBounds, OrbitCamera, Pose, ZoomAnchor};
use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;
use bevy_panorbit_camera::PanOrbitCamera;

/// How much faster flight is with Shift.
const FLY_FASTER: f32 = 4.0;

/// The slowest flight, as a share of the speed with the whole cloud in view.
const FLY_SLOWEST: f32 = 0.02;

/// Takes back from `bevy_panorbit_camera` what the user changed: drags at once, zooms as a goal to glide to.
pub(crate) fn take_from_panorbit(
    mut rig: ResMut<Rig>,
    settings: Res<CameraSettings>,
    anchor: Res<ZoomAnchor>,
    bounds: Res<CloudBounds>,
    cameras: Query<&PanOrbitCamera, With<OrbitCamera>>,
) {
    let Ok(pan_orbit) = cameras.single() else { return }; // no camera yet
    let (yaw, pitch) = (pan_orbit.target_yaw - rig.pose.yaw, pan_orbit.target_pitch - rig.pose.pitch);
    let lent_focus = rig.followed.world_from_relative(rig.pose.focus());
    let pan = (pan_orbit.target_focus - lent_focus) / rig.followed.radius;
    let zoom = pan_orbit.target_radius / (rig.eye_distance() * rig.followed.radius) - 1.0;
    if (yaw, pitch) != (0.0, 0.0) {
        if settings.fly && !rig.is_flat() {
            rig.look(yaw, pitch);
        } else {
            rig.turn(yaw, pitch);
        }
    }
    if pan != Vec3::ZERO {
        rig.pan(pan);
    }
    if zoom != 0.0 {
        let known = anchor.0.filter(|_| bounds.is_valid()).map(|world| bounds.relative_from_world(world));
        let about = known.unwrap_or_else(|| rig.under_cursor());
        rig.zoom(about, zoom.exp()); // so that ten steps at once are ten steps
    }
}

/// Flies while its keys are down.
pub(crate) fn fly(
    mut rig: ResMut<Rig>,
    settings: Res<CameraSettings>,
    keys: Res<ButtonInput<KeyCode>>,
    egui: Option<Res<EguiWantsInput>>,
    locked: Res<CameraLocked>,
    time: Res<Time>,
) {
    let typing = egui.is_some_and(|egui| egui.wants_any_keyboard_input());
    let shortcut = keys.any_pressed([
        KeyCode::ControlLeft,
        KeyCode::ControlRight,
        KeyCode::AltLeft,
        KeyCode::AltRight,
        KeyCode::SuperLeft,
        KeyCode::SuperRight,
    ]);
    if !settings.fly || typing || shortcut || locked.0 {
        return;
    }
    let axis = |more: KeyCode, less: KeyCode| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let right = axis(KeyCode::KeyD, KeyCode::KeyA);
    let forward = axis(KeyCode::KeyW, KeyCode::KeyS);
    let direction = if rig.is_flat() {
        Vec3::new(right, forward, 0.0)
    } else {
        rig.pose.rotation() * Vec3::new(right, axis(KeyCode::KeyE, KeyCode::KeyQ), -forward)
    };
    if direction == Vec3::ZERO {
        return;
    }
    let faster = if keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) { FLY_FASTER } else { 1.0 };
    let closeness = (rig.pose.distance / Pose::frame_distance()).clamp(FLY_SLOWEST, 1.0);
    rig.fly(direction.normalize() * settings.fly_speed * faster * closeness * time.delta_secs());
}

/// Does what the application asks.
pub(crate) fn obey_commands(
    mut rig: ResMut<Rig>,
    mut settings: ResMut<CameraSettings>,
    mut commands: MessageReader<CameraCommand>,
) {
    for command in commands.read() {
        match command {
            CameraCommand::ToggleTurntable => settings.turntable = !settings.turntable,
            CameraCommand::ToggleFly => settings.fly = !settings.fly,
            _ => rig.obey(command, settings.ease_seconds),
        }
    }
}

/// Lets time pass.
pub(crate) fn advance(mut rig: ResMut<Rig>, settings: Res<CameraSettings>, pointer: Res<Pointer>, time: Res<Time>) {
    rig.advance(time.delta_secs(), &settings, pointer.holds_view);
}

/// Writes the camera and tells its state.
pub(crate) fn place_camera(
    rig: Res<Rig>,
    pointer: Res<Pointer>,
    mut state: ResMut<CameraState>,
    mut cameras: Query<(&mut Transform, &mut Projection, &mut Camera), With<OrbitCamera>>,
) {
    state.set_if_neq(CameraState { pose: rig.pose, moving: rig.is_moving(), pointer_in_view: pointer.in_view });
    let Ok((mut transform, mut projection, mut camera)) = cameras.single_mut() else { return }; // no camera yet
    let (placed, lens) = rig.placed();
    transform.set_if_neq(placed);
    if !same_lens(&projection, &lens) {
        *projection = lens;
    }
    let sub_camera_view = rig.screen.sub_camera_view();
    if camera.sub_camera_view != sub_camera_view {
        camera.sub_camera_view = sub_camera_view;
    }
}

/// Whether two projections are the same, but for the rounding of window sizes: Bevy keeps those up to date itself.
fn same_lens(a: &Projection, b: &Projection) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * b.abs();
    match (a, b) {
        (Projection::Perspective(a), Projection::Perspective(b)) => {
            (a.fov, a.near, a.far) == (b.fov, b.near, b.far) && near(a.aspect_ratio, b.aspect_ratio)
        }
        (Projection::Orthographic(a), Projection::Orthographic(b)) => {
            (a.scale, a.near, a.far) == (b.scale, b.near, b.far) && near(a.area.width(), b.area.width())
        }
        _ => false,
    }
}
