//! Commands, eases, and the turntable.

use crate::support::{AT_REST, CLOUD, Live, POSE, RATE, SAME, assert_shows};
use bevy::input::ButtonState;
use bevy::prelude::*;
use orbit_camera::{CameraCommand, CloudBounds, Pose, StandardView};
use std::f32::consts::TAU;

#[test]
fn runs_without_window_cloud_or_camera() {
    use orbit_camera::OrbitCameraPlugin;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, bevy::input::InputPlugin, OrbitCameraPlugin));
    app.update();
    app.world_mut().spawn(orbit_camera::OrbitCamera);
    app.world_mut().write_message(CameraCommand::FrameAll);
    app.update();
    let mut cameras = app.world_mut().query::<(&orbit_camera::OrbitCamera, &Transform)>();
    assert!(cameras.single(app.world()).unwrap().1.is_finite());
}

#[test]
fn the_first_bounds_hold_at_once() {
    let mut live = Live::new();
    assert_shows(&mut live, &Pose::default(), &CLOUD);
}

#[test]
fn an_ease_ends_exactly_at_its_pose() {
    let mut live = Live::new();
    live.command(CameraCommand::SetPose { pose: POSE, seconds: 0.4 });
    live.frames(1 + RATE * 4 / 10 / 2);
    let halfway = live.seen();
    assert!(live.state().moving);
    live.frames(AT_REST);
    assert_shows(&mut live, &POSE, &CLOUD);
    assert_eq!(live.state().pose, POSE);
    assert!(!live.state().moving);
    assert!(live.seen().difference(&halfway, &CLOUD) > 0.1, "it jumped");
}

#[test]
fn an_ease_is_smooth() {
    let mut live = Live::new();
    let mut before = live.seen();
    live.command(CameraCommand::View(StandardView::Left));
    for frame in 0..AT_REST {
        live.frames(1);
        let seen = live.seen();
        let step = seen.transform.rotation.angle_between(before.transform.rotation);
        assert!(step < 0.2, "turned by {step} in frame {frame}");
        before = seen;
    }
    assert_shows(&mut live, &Pose::view(StandardView::Left), &CLOUD);
}

#[test]
fn frame_shows_the_part_and_focus_keeps_the_distance() {
    let mut live = Live::new();
    live.jump(POSE);
    let (centre, radius) = (CLOUD.centre + Vec3::new(0.5, -1.0, 0.25), 0.5);
    live.command(CameraCommand::FocusOn(centre));
    live.frames(AT_REST);
    assert_shows(&mut live, &Pose { focus: [0.2, -0.4, 0.1], ..POSE }, &CLOUD);
    live.command(CameraCommand::Frame { centre, radius });
    live.frames(AT_REST);
    let part = CloudBounds { centre, radius, flat: false };
    let fill = live.seen().picture_radius(&part);
    assert!((0.8..1.0).contains(&fill), "fills {fill}");
    live.command(CameraCommand::FrameAll);
    live.frames(AT_REST);
    assert_shows(&mut live, &Pose { yaw: POSE.yaw, pitch: POSE.pitch, ..Pose::default() }, &CLOUD);
}

#[test]
fn zooms_add_up_even_while_easing() {
    let mut live = Live::new();
    for _ in 0..2 {
        live.command(CameraCommand::Zoom(2.0));
        live.frames(3);
    }
    live.frames(AT_REST);
    assert_shows(&mut live, &Pose { distance: Pose::frame_distance() / 4.0, ..Pose::default() }, &CLOUD);
}

#[test]
fn senseless_commands_are_ignored() {
    let mut live = Live::new();
    live.jump(POSE);
    for command in [
        CameraCommand::Zoom(f32::NAN),
        CameraCommand::Zoom(-1.0),
        CameraCommand::FocusOn(Vec3::NAN),
        CameraCommand::SetPose { pose: Pose { yaw: f32::INFINITY, ..POSE }, seconds: 0.1 },
        CameraCommand::SetPose { pose: Pose { distance: 0.0, ..POSE }, seconds: f32::NAN },
    ] {
        live.command(command);
        live.frames(AT_REST);
        assert_shows(&mut live, &POSE, &CLOUD);
    }
}

#[test]
fn a_drag_interrupts_an_ease_and_is_kept() {
    let mut live = Live::new();
    live.command(CameraCommand::View(StandardView::Back));
    live.frames(10);
    live.button(MouseButton::Left, ButtonState::Pressed);
    live.frames(1);
    let before = live.state().pose;
    live.shove(Vec2::new(-128.0, 72.0)); // a tenth of the window
    live.frames(1);
    let dragged = Pose { yaw: before.yaw + TAU / 10.0, pitch: before.pitch + TAU / 20.0, ..before };
    assert_shows(&mut live, &dragged, &CLOUD);
    live.button(MouseButton::Left, ButtonState::Released);
    live.frames(AT_REST);
    assert_shows(&mut live, &dragged, &CLOUD);
    assert!((before.yaw - Pose::view(StandardView::Back).yaw).abs() > 0.1, "the ease was over");
}

#[test]
fn the_turntable_turns_evenly_and_waits_for_the_hand() {
    let mut live = Live::new();
    let start = live.seen();
    live.settings().turntable_seconds = 4.0;
    live.command(CameraCommand::ToggleTurntable);
    let mut before = start.clone();
    for frame in 1..=4 * RATE {
        live.frames(1);
        let seen = live.seen();
        let step = seen.transform.translation.distance(before.transform.translation);
        let radius = (start.transform.translation - CLOUD.centre).xz().length();
        let expected = 2.0 * radius * (TAU / (4 * RATE) as f32 / 2.0).sin();
        assert!((step / expected - 1.0).abs() < 0.01, "moved by {step} instead of {expected} in frame {frame}");
        before = seen;
    }
    let difference = before.difference(&start, &CLOUD);
    assert!(difference < 1e-3, "a full turn ends {difference} off");
    assert!(!live.state().moving, "the turntable does not count as moving");

    live.button(MouseButton::Left, ButtonState::Pressed);
    live.frames(1);
    let held = live.seen();
    live.frames(RATE);
    assert!(live.seen().difference(&held, &CLOUD) < SAME, "it turned in the hand");
    live.button(MouseButton::Left, ButtonState::Released);
    live.frames(RATE);
    let turn = live.seen().transform.rotation.angle_between(held.transform.rotation);
    assert!(turn > 1.0, "it did not go on: {turn}");
}
