//! Mouse and keys.

use crate::support::{AT_REST, CLOUD, Live, POSE, RATE, Seen, assert_shows};
use bevy::input::ButtonState;
use bevy::prelude::*;
use orbit_camera::{CameraCommand, CameraLocked, CloudBounds, Pose, ViewInsets, ZoomAnchor};
use std::f32::consts::TAU;

/// How far a point that should stay may stray (pixels).
const STILL: f32 = 0.2;

/// The place under a pixel that is as deep as the focus.
fn under(seen: &Seen, pixel: Vec2, focus: Vec3) -> Vec3 {
    let (right, up) = (seen.transform.right(), seen.transform.up());
    let origin = seen.pixel(focus);
    let per_x = (seen.pixel(focus + *right) - origin).x;
    let per_y = (seen.pixel(focus + *up) - origin).y;
    focus + right * ((pixel.x - origin.x) / per_x) + up * ((pixel.y - origin.y) / per_y)
}

#[test]
fn zoom_keeps_the_place_under_the_cursor() {
    for (bounds, lines) in [CLOUD, CloudBounds { flat: true, ..CLOUD }].into_iter().flat_map(|b| [(b, 4.0), (b, -3.0)])
    {
        let mut live = Live::with_bounds(bounds);
        let flat_pose = Pose { focus: [0.3, -0.2, 0.0], ..POSE };
        live.jump(flat_pose);
        let pixel = Vec2::new(900.0, 200.0);
        live.point_at(pixel);
        let focus = bounds.centre + Vec3::from_array(flat_pose.focus) * bounds.radius;
        let place = under(&live.seen(), pixel, focus);
        for frame in 0..AT_REST {
            if frame == 0 || frame == 4 {
                live.scroll(lines); // a second turn while the first still glides
            }
            live.frames(1);
            let stray = live.seen().pixel(place).distance(pixel);
            assert!(stray < STILL, "{stray} pixels off in frame {frame}, flat: {}", bounds.flat);
        }
        let expected = (-0.2 * 2.0 * lines).exp();
        let zoomed = live.state().pose.distance / POSE.distance;
        assert!((zoomed / expected - 1.0).abs() < 1e-3, "{zoomed} instead of {expected}");
    }
}

#[test]
fn zoom_goes_towards_a_known_point() {
    let mut live = Live::new();
    live.jump(POSE);
    let place = CLOUD.centre + Vec3::new(1.0, 0.8, -0.6);
    let pixel = live.seen().pixel(place);
    live.app.insert_resource(ZoomAnchor(Some(place)));
    live.scroll(5.0);
    live.frames(AT_REST);
    let stray = live.seen().pixel(place).distance(pixel);
    assert!(stray < STILL, "{stray} pixels off");
    assert!(live.state().pose.distance < 0.5 * POSE.distance);
}

#[test]
fn zoom_has_ends() {
    for lines in [200.0, -200.0] {
        let mut live = Live::new();
        for _ in 0..5 {
            live.scroll(lines);
            live.frames(RATE);
        }
        assert!(live.seen().transform.is_finite());
        live.scroll(-lines / 10.0);
        live.frames(RATE);
        let distance = live.state().pose.distance;
        assert!((1e-3..1e2).contains(&distance), "stuck at {distance}");
    }
}

#[test]
fn right_drag_and_shift_drag_pan_with_the_cursor() {
    for shift in [false, true] {
        let mut live = Live::new();
        live.jump(POSE);
        let focus = CLOUD.centre + Vec3::from_array(POSE.focus) * CLOUD.radius;
        let delta = Vec2::new(-150.0, 60.0);
        if shift {
            live.key(KeyCode::ShiftLeft, ButtonState::Pressed);
            live.drag(MouseButton::Left, delta);
        } else {
            live.drag(MouseButton::Right, delta);
        }
        let moved = live.seen().pixel(focus) - Vec2::new(640.0, 360.0);
        assert!(moved.distance(delta) < STILL, "moved by {moved}");
        assert_eq!((live.state().pose.yaw, live.state().pose.pitch), (POSE.yaw, POSE.pitch));
    }
}

#[test]
fn a_drag_orbits_the_focus() {
    let mut live = Live::new();
    live.jump(POSE);
    live.drag(MouseButton::Left, Vec2::new(64.0, -36.0));
    assert_shows(&mut live, &Pose { yaw: POSE.yaw - TAU / 20.0, pitch: POSE.pitch - TAU / 40.0, ..POSE }, &CLOUD);
}

#[test]
fn a_drag_stops_at_the_pole() {
    let mut live = Live::new();
    live.drag(MouseButton::Left, Vec2::new(0.0, 5000.0));
    let up = live.seen().transform.up();
    live.drag(MouseButton::Left, Vec2::new(64.0, 0.0));
    let yaw = live.state().pose.yaw - Pose::default().yaw;
    assert!(up.y >= 0.0 && (yaw + TAU / 20.0).abs() < 1e-3, "turned by {yaw}");
}

#[test]
fn flying_moves_and_looks_from_the_eye() {
    let mut live = Live::new();
    live.jump(POSE);
    live.command(CameraCommand::ToggleFly);
    live.frames(1);
    let start = live.seen().transform;
    live.drag(MouseButton::Left, Vec2::new(100.0, 30.0));
    let looked = live.seen().transform;
    assert!(looked.translation.distance(start.translation) < 1e-3 * CLOUD.radius, "the eye moved");
    assert!(looked.forward().dot(*start.right()) > 0.1, "it did not look right");

    let distance_flown = |live: &mut Live, keys: &[KeyCode]| {
        let start = live.seen().transform;
        keys.iter().for_each(|key| live.key(*key, ButtonState::Pressed));
        live.frames(RATE);
        keys.iter().for_each(|key| live.key(*key, ButtonState::Released));
        live.frames(AT_REST);
        start.rotation.inverse() * (live.seen().transform.translation - start.translation)
    };
    let forward = distance_flown(&mut live, &[KeyCode::KeyW]);
    let back = distance_flown(&mut live, &[KeyCode::KeyS]);
    assert!(forward.z < -0.1 && forward.xy().length() < 1e-3, "flew {forward}");
    assert!((forward + back).length() < 1e-2, "flew {forward} and back {back}");
    let fast = distance_flown(&mut live, &[KeyCode::ShiftLeft, KeyCode::KeyD]);
    assert!(fast.x > 3.0 * forward.length() && fast.yz().length() < 1e-2 * fast.x, "flew {fast}");
    let up = distance_flown(&mut live, &[KeyCode::KeyE]);
    assert!(up.y > 0.1 && up.xz().length() < 1e-2, "flew {up}");
    let saving = distance_flown(&mut live, &[KeyCode::ControlLeft, KeyCode::KeyS]);
    assert!(saving.length() < 1e-4, "flew {saving} while saving");
}

#[test]
fn a_locked_camera_stays_and_takes_no_drag_halfway() {
    let mut live = Live::new();
    live.jump(POSE);
    live.app.insert_resource(CameraLocked(true));
    live.button(MouseButton::Left, ButtonState::Pressed);
    live.frames(1);
    for locked in [true, false] {
        live.app.insert_resource(CameraLocked(locked));
        live.shove(Vec2::new(50.0, 20.0));
        live.frames(1);
        assert_shows(&mut live, &POSE, &CLOUD);
    }
    live.button(MouseButton::Left, ButtonState::Released);
    live.frames(1);
    live.drag(MouseButton::Left, Vec2::new(50.0, 20.0));
    assert_ne!(live.state().pose, POSE);
}

#[test]
fn insets_centre_the_cloud_in_the_free_area() {
    for flat in [false, true] {
        let bounds = CloudBounds { flat, ..CLOUD };
        let mut live = Live::with_bounds(bounds);
        live.app.insert_resource(ViewInsets { left: 280.0, right: 80.0, top: 26.0, bottom: 120.0 });
        live.frames(1);
        let first = live.seen().pixel(bounds.centre);
        assert!(first.distance(Vec2::new(640.0, 360.0)) < 60.0, "it jumped to {first}");
        live.frames(AT_REST);
        let seen = live.seen();
        let middle = Vec2::new((280.0 + 1200.0) / 2.0, (26.0 + 600.0) / 2.0);
        assert!(seen.pixel(bounds.centre).distance(middle) < STILL, "at {}", seen.pixel(bounds.centre));
        let fill = seen.picture_radius(&bounds) * 720.0 / 574.0;
        assert!((0.8..1.0).contains(&fill), "fills {fill} of the free height");

        // and the wheel still zooms towards the cursor
        let pixel = Vec2::new(1000.0, 150.0);
        live.point_at(pixel);
        let place = under(&seen, pixel, bounds.centre);
        live.scroll(4.0);
        live.frames(AT_REST);
        let stray = live.seen().pixel(place).distance(pixel);
        assert!(stray < STILL, "{stray} pixels off, flat: {flat}");
    }
}

#[test]
fn insets_without_room_are_ignored() {
    let mut live = Live::new();
    live.app.insert_resource(ViewInsets { left: 900.0, right: 900.0, top: f32::NAN, bottom: 0.0 });
    live.frames(AT_REST);
    assert_shows(&mut live, &Pose::default(), &CLOUD);
}
