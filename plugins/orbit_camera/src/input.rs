//! Whose the pointer is, and lending the view to `bevy_panorbit_camera`, which reads mouse and touch.

use crate::lens::{Screen, ViewInsets};
use crate::pose::MAX_PITCH;
use crate::rig::{Rig, share};
use crate::{CameraLocked, CameraSettings, CloudBounds, LeftDrag, OrbitCamera};
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowRef};
use bevy_egui::input::EguiWantsInput;
use bevy_panorbit_camera::{ActiveCameraData, PanOrbitCamera, TouchControls};

/// A button that no mouse has.
const NO_BUTTON: MouseButton = MouseButton::Other(u16::MAX);

/// Who holds the pointer. Whose a drag is and what it does is settled where it begins, and lasts until it ends.
#[derive(Resource, Default, Debug)]
pub(crate) struct Pointer {
    /// Whether a button or finger is down.
    down: bool,
    /// Whether it is the view's: it is over the view, or went down there.
    pub in_view: bool,
    /// Whether it drags the view.
    pub holds_view: bool,
    /// Whether it went down with Shift.
    pans: bool,
}

impl Pointer {
    /// Takes in the state of a frame, and tells whether the pointer may move the view. `free`: no panel is under it.
    fn update(&mut self, down: bool, free: bool, locked: bool, shift: bool) -> bool {
        let begins = down && !self.down;
        if begins {
            self.pans = shift;
        }
        if begins || !down {
            self.in_view = free;
            self.holds_view = down && free;
        }
        self.down = down;
        self.holds_view &= !locked;
        if down { self.holds_view } else { free && !locked }
    }
}

/// Takes in what there is to see and to see it on: the bounds, the window, the panels, the cursor.
pub(crate) fn look_around(
    mut rig: ResMut<Rig>,
    bounds: Res<CloudBounds>,
    insets: Res<ViewInsets>,
    settings: Res<CameraSettings>,
    time: Res<Time>,
    cameras: Query<(&Camera, &RenderTarget), With<OrbitCamera>>,
    windows: Query<(&Window, Has<PrimaryWindow>)>,
) {
    let t = if rig.is_empty() { 1.0 } else { share(time.delta_secs(), settings.glide_seconds) }; // nothing seen: jump
    let shown = rig.screen.insets.glide(&insets, t);
    rig.see_cloud(&bounds);
    rig.field_of_view = settings.field_of_view;
    rig.cursor = None;
    let Ok((camera, target)) = cameras.single() else { return }; // no camera yet
    let window = match target {
        RenderTarget::Window(WindowRef::Primary) => windows.iter().find(|(_, primary)| *primary),
        RenderTarget::Window(WindowRef::Entity(entity)) => windows.get(*entity).ok(),
        _ => None,
    };
    if let Some((window, _)) = window {
        rig.cursor = window.cursor_position();
        if window.width() > 0.0 && window.height() > 0.0 {
            rig.screen = Screen { size: window.size(), scale_factor: window.scale_factor(), insets: shown };
        }
    } else if let Some(size) = camera.logical_target_size().filter(|size| size.min_element() > 0.0) {
        rig.screen = Screen::whole(size);
    }
}

/// Decides whose the pointer is, and hands the view to `bevy_panorbit_camera` accordingly.
pub(crate) fn lend_to_panorbit(
    rig: Res<Rig>,
    settings: Res<CameraSettings>,
    mut pointer: ResMut<Pointer>,
    mut active: ResMut<ActiveCameraData>,
    mut cameras: Query<(Entity, &mut PanOrbitCamera, &Projection), With<OrbitCamera>>,
    (buttons, keys, touches): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>, Res<Touches>),
    (egui, insets, locked, left): (Option<Res<EguiWantsInput>>, Res<ViewInsets>, Res<CameraLocked>, Res<LeftDrag>),
) {
    let touch = touches.iter().next();
    let down = buttons.get_pressed().next().is_some() || touch.is_some();
    let place = touch.map(|touch| touch.position()).or(rig.cursor);
    // egui as run by bevy_egui 0.40 knows its windows and popups, but takes the empty parts of panels for unused.
    let on_panel = place.is_some_and(|place| insets.cover(place, rig.screen.size));
    let free = !on_panel && egui.is_none_or(|egui| !egui.wants_any_pointer_input());
    let shift = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let enabled = pointer.update(down, free, locked.0, shift && !settings.fly);
    let Ok((entity, mut pan_orbit, projection)) = cameras.single_mut() else { return }; // no camera yet

    let left_pans = pointer.pans || rig.is_flat();
    let right = buttons.pressed(MouseButton::Right);
    let main_button = if *left == LeftDrag::Taken { MouseButton::Middle } else { MouseButton::Left };
    let focus = rig.followed.world_from_relative(rig.pose.focus());
    let eye_distance = rig.eye_distance() * rig.followed.radius;
    *pan_orbit = PanOrbitCamera {
        enabled,
        focus,
        target_focus: focus,
        radius: Some(eye_distance),
        target_radius: eye_distance,
        yaw: Some(rig.pose.yaw),
        target_yaw: rig.pose.yaw,
        pitch: Some(rig.pose.pitch),
        target_pitch: rig.pose.pitch,
        button_orbit: if right || left_pans { NO_BUTTON } else { main_button },
        button_pan: if left_pans && !right { main_button } else { MouseButton::Right },
        touch_controls: if rig.is_flat() { TouchControls::TwoFingerOrbit } else { TouchControls::OneFingerOrbit },
        orbit_sensitivity: settings.orbit_sensitivity,
        pan_sensitivity: settings.pan_sensitivity * pan_correction(projection),
        zoom_sensitivity: settings.zoom_sensitivity,
        ..idle_pan_orbit()
    };
    // By hand, as it would not take drags that go on over a panel, and would keep what was scrolled over one.
    active.set_if_neq(ActiveCameraData {
        entity: Some(entity),
        viewport_size: Some(rig.screen.size),
        window_size: Some(rig.screen.size),
        manual: true,
    });
}

/// What makes a panned point stay under the cursor: panorbit takes the angle of view for its tangent.
fn pan_correction(projection: &Projection) -> f32 {
    match projection {
        Projection::Perspective(perspective) => 2.0 * (perspective.fov / 2.0).tan() / perspective.fov,
        _ => 1.0,
    }
}

/// The part of `PanOrbitCamera` that never changes: no smoothing and no limits of its own, for only its targets are read.
pub(crate) fn idle_pan_orbit() -> PanOrbitCamera {
    PanOrbitCamera {
        initialized: true,
        orbit_smoothness: 0.0,
        pan_smoothness: 0.0,
        zoom_smoothness: 0.0,
        zoom_lower_limit: f32::MIN,
        pitch_upper_limit: Some(MAX_PITCH),
        pitch_lower_limit: Some(-MAX_PITCH),
        trackpad_pinch_to_zoom_enabled: true,
        ..default()
    }
}
