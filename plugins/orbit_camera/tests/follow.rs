//! The view follows the cloud: growth, implosion, nonsense, and between flat and space.

use crate::support::{AT_REST, CLOUD, Live, POSE, RATE, assert_shows};
use bevy::input::ButtonState;
use bevy::prelude::*;
use orbit_camera::{CloudBounds, Pose};

/// How far the cloud's size in the picture may stray, and how much it may change in a frame.
const MOST_STRAY: f32 = 0.2;
const MOST_CHANGE: f32 = 0.05;

/// A cloud at the start of a run.
const SMALL: CloudBounds = CloudBounds { centre: Vec3::new(0.004, -0.006, 0.002), radius: 1e-2, flat: false };

/// Grows a cloud 10 000-fold over 200 frames and checks its size in the picture; `each` acts before each frame.
fn grow(live: &mut Live, mut each: impl FnMut(&mut Live, u32)) {
    let first = live.seen().picture_radius(&SMALL);
    let mut before = first;
    for frame in 1..=200 {
        let growth = 10_000_f32.powf(frame as f32 / 200.0);
        let bounds = CloudBounds { centre: SMALL.centre * growth, radius: SMALL.radius * growth, flat: false };
        live.bounds(bounds);
        each(live, frame);
        live.frames(1);
        let size = live.seen().picture_radius(&bounds);
        assert!((size / first - 1.0).abs() < MOST_STRAY, "{size} instead of {first} in frame {frame}");
        assert!((size / before - 1.0).abs() < MOST_CHANGE, "from {before} to {size} in frame {frame}");
        before = size;
    }
}

#[test]
fn growth_keeps_the_cloud_framed() {
    let mut live = Live::with_bounds(SMALL);
    grow(&mut live, |_, _| ());
    assert!(!live.state().moving, "a growing cloud does not count as moving");
}

#[test]
fn growth_is_followed_while_dragging() {
    let mut live = Live::with_bounds(SMALL);
    live.button(MouseButton::Left, ButtonState::Pressed);
    grow(&mut live, |live, _| live.shove(Vec2::new(3.0, 0.5)));
}

#[test]
fn growth_needs_following() {
    let mut live = Live::with_bounds(SMALL);
    live.settings().follow_seconds = 1e9;
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| grow(&mut live, |_, _| ())));
    assert!(caught.is_err(), "the measure of the tests above cannot fail");
}

#[test]
fn implosion_and_explosion_settle_within_a_second() {
    for factor in [1e-3, 1e3] {
        let mut live = Live::new();
        live.jump(POSE);
        let bounds = CloudBounds { centre: CLOUD.centre * factor, radius: CLOUD.radius * factor, flat: false };
        live.bounds(bounds);
        for _ in 0..RATE {
            live.frames(1);
            let seen = live.seen();
            assert!(seen.transform.is_finite() && seen.ndc(bounds.centre).is_finite());
        }
        assert_shows(&mut live, &POSE, &bounds);
    }
}

#[test]
fn senseless_bounds_are_ignored() {
    let mut live = Live::new();
    live.jump(POSE);
    for bounds in [
        CloudBounds::default(),
        CloudBounds { radius: f32::NAN, ..CLOUD },
        CloudBounds { radius: f32::INFINITY, ..CLOUD },
        CloudBounds { radius: -1.0, ..CLOUD },
        CloudBounds { centre: Vec3::new(0.0, f32::NAN, 0.0), ..CLOUD },
    ] {
        live.bounds(bounds);
        live.frames(10);
        assert_shows(&mut live, &POSE, &CLOUD);
    }
}

#[test]
fn near_and_far_hold_the_cloud_at_every_size() {
    for radius in [1e-2, 1.0, 1e2] {
        let bounds = CloudBounds { radius, ..CLOUD };
        let mut live = Live::with_bounds(bounds);
        let seen = live.seen();
        let Projection::Perspective(lens) = &seen.projection else { panic!("no perspective") };
        let distance = seen.transform.translation.distance(bounds.centre);
        assert!(lens.near < 0.1 * (distance - radius) && lens.far > 3.0 * distance);
    }
}

#[test]
fn to_a_flat_map_and_back_eases() {
    let mut live = Live::new();
    live.jump(POSE);
    let flat = CloudBounds { flat: true, ..CLOUD };
    for bounds in [flat, CLOUD] {
        live.bounds(bounds);
        let mut before = live.seen();
        let focus = CLOUD.centre + Vec3::from_array(POSE.focus) * CLOUD.radius;
        for frame in 0..AT_REST {
            live.frames(1);
            let seen = live.seen();
            let turn = seen.transform.rotation.angle_between(before.transform.rotation);
            assert!(turn < 0.15, "turned by {turn} in frame {frame}");
            // A point beside the focus shows turn, shift and lens at once.
            let beside = focus + Vec3::new(0.5, 0.3, 0.0);
            let moved = seen.pixel(beside).distance(before.pixel(beside));
            assert!(moved < 60.0, "moved by {moved} pixels in frame {frame}");
            before = seen;
        }
        assert_shows(&mut live, &POSE, &bounds);
    }
}

#[test]
fn a_flat_map_never_turns() {
    let mut live = Live::with_bounds(CloudBounds { flat: true, ..CLOUD });
    live.settings().turntable = true;
    let check = |live: &mut Live| {
        let seen = live.seen();
        assert!(!seen.projection.is_perspective());
        assert_eq!(seen.transform.rotation, Quat::IDENTITY);
    };
    for fly in [false, true] {
        live.settings().fly = fly;
        for button in [MouseButton::Left, MouseButton::Right] {
            live.drag(button, Vec2::new(100.0, -40.0));
            check(&mut live);
        }
        live.key(KeyCode::KeyW, ButtonState::Pressed);
        live.scroll(3.0);
        live.command(orbit_camera::CameraCommand::View(orbit_camera::StandardView::Left));
        live.frames(10);
        check(&mut live);
        live.frames(AT_REST);
        check(&mut live);
    }
}

#[test]
fn a_drag_moves_a_flat_map_along() {
    let flat = CloudBounds { flat: true, ..CLOUD };
    for button in [MouseButton::Left, MouseButton::Right] {
        let mut live = Live::with_bounds(flat);
        let place = flat.centre + Vec3::new(0.4, 0.9, 0.0);
        let before = live.seen().pixel(place);
        live.drag(button, Vec2::new(100.0, -40.0));
        let moved = live.seen().pixel(place) - before;
        assert!(moved.distance(Vec2::new(100.0, -40.0)) < 0.1, "moved by {moved}");
        assert_eq!(live.state().pose.yaw, Pose::default().yaw);
    }
}
