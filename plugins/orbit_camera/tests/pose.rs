//! The pure maths.

use crate::support::{CLOUD, POSE, Seen};
use bevy::prelude::*;
use orbit_camera::{CloudBounds, Pose, StandardView};
use std::f32::consts::{FRAC_PI_2, PI};

const VIEWS: [StandardView; 7] = [
    StandardView::Front,
    StandardView::Back,
    StandardView::Left,
    StandardView::Right,
    StandardView::Top,
    StandardView::Bottom,
    StandardView::ThreeQuarter,
];

/// The least share of the picture's smaller side that a framed cloud fills.
const LEAST_FILL: f32 = 0.7;

/// Points all over a sphere.
fn sphere(bounds: &CloudBounds) -> impl Iterator<Item = Vec3> {
    let bounds = *bounds;
    (0..2000).map(move |index| {
        let height = 1.0 - 2.0 * (index as f32 + 0.5) / 2000.0;
        let (sin, cos) = (index as f32 * 2.399_963).sin_cos();
        let ring = (1.0 - height * height).sqrt();
        let direction = if bounds.flat { Vec3::new(cos, sin, 0.0) } else { Vec3::new(ring * cos, height, ring * sin) };
        bounds.centre + direction * bounds.radius
    })
}

/// How far towards the picture's edge the points reach: along the fuller axis, or beyond 1 if they are cut off.
fn reach(seen: &Seen, bounds: &CloudBounds) -> f32 {
    let reach = sphere(bounds).map(|point| seen.ndc(point)).fold(Vec2::ZERO, |reach, ndc| {
        assert!((0.0..=1.0).contains(&ndc.z), "between near and far: {ndc}");
        reach.max(ndc.xy().abs())
    });
    reach.max_element()
}

#[test]
fn every_view_frames_the_cloud_at_every_aspect() {
    for aspect in [0.5, 0.8, 1.0, 16.0 / 9.0, 2.5] {
        for (view, flat) in VIEWS.into_iter().flat_map(|view| [(view, false), (view, true)]) {
            let bounds = CloudBounds { flat, ..CLOUD };
            let fill = reach(&Seen::of(&Pose::view(view), &bounds, aspect), &bounds);
            assert!((LEAST_FILL..=1.0).contains(&fill), "{view:?} fills {fill} at aspect {aspect}, flat: {flat}");
        }
    }
}

#[test]
fn framing_survives_another_lens() {
    for field_of_view in [10.0, 30.0, 60.0, 90.0] {
        let (transform, projection) = Pose::default().transform_and_projection_through(&CLOUD, 1.5, field_of_view);
        let fill = reach(&Seen { transform, projection, sub_view: None }, &CLOUD);
        assert!((LEAST_FILL..=1.0).contains(&fill), "fills {fill} at {field_of_view} degrees");
    }
}

#[test]
fn a_closer_pose_does_not_frame_the_cloud() {
    let near = Pose { distance: 0.6 * Pose::frame_distance(), ..Pose::default() };
    assert!(reach(&Seen::of(&near, &CLOUD, 1.5), &CLOUD) > 1.0);
}

#[test]
fn standard_views_look_from_their_side() {
    let sides = [Vec3::Z, Vec3::NEG_Z, Vec3::NEG_X, Vec3::X, Vec3::Y, Vec3::NEG_Y];
    for (view, side) in VIEWS.into_iter().zip(sides) {
        let seen = Seen::of(&Pose::view(view), &CLOUD, 1.0);
        let from = (seen.transform.translation - CLOUD.centre).normalize();
        assert!(from.distance(side) < 1e-3, "{view:?} looks from {from}");
    }
}

#[test]
fn the_focus_is_in_the_middle_of_the_picture() {
    let seen = Seen::of(&POSE, &CLOUD, 1.7);
    let focus = CLOUD.centre + Vec3::from_array(POSE.focus) * CLOUD.radius;
    assert!(seen.ndc(focus).xy().length() < 1e-5);
    assert!(seen.ndc(CLOUD.centre).xy().length() > 0.1);
}

#[test]
fn a_pose_shows_the_same_at_any_scale() {
    let small = CloudBounds { centre: Vec3::new(0.01, 0.02, -0.03), radius: 1e-2, flat: false };
    let large = CloudBounds { centre: Vec3::new(40.0, -70.0, 9.0), radius: 1e2, flat: false };
    for direction in [Vec3::X, Vec3::new(0.2, -0.5, 0.3)] {
        let [a, b] = [small, large]
            .map(|bounds| Seen::of(&POSE, &bounds, 1.3).ndc(bounds.centre + direction * bounds.radius).xy());
        assert!(a.distance(b) < 1e-3, "{a} and {b}");
    }
}

#[test]
fn tween_takes_the_shorter_way_round() {
    let a = Pose { yaw: 3.0, ..POSE };
    let b = Pose { yaw: -3.0, ..POSE };
    let middle = Pose::tween(&a, &b, 0.5);
    assert!((middle.yaw.abs() - PI).abs() < 1e-5, "went over {}", middle.yaw);
    assert!((Pose::tween(&Pose { yaw: 0.2, ..POSE }, &Pose { yaw: 0.6, ..POSE }, 0.25).yaw - 0.3).abs() < 1e-6);
}

#[test]
fn tween_starts_and_ends_exactly_and_zooms_evenly() {
    let b = Pose { yaw: FRAC_PI_2, pitch: -0.4, distance: 0.017, focus: [-0.5, 0.1, 0.9] };
    assert_eq!(Pose::tween(&POSE, &b, 0.0), POSE);
    assert_eq!(Pose::tween(&POSE, &b, 1.0), b);
    let middle = Pose::tween(&POSE, &b, 0.5);
    assert!((middle.distance / (POSE.distance * b.distance).sqrt() - 1.0).abs() < 1e-4);
    // What is gone to never leaves the picture on the way.
    let left = Vec3::from_array(middle.focus).distance(Vec3::from_array(b.focus));
    assert!(left < middle.distance, "{left} away from the goal at a distance of {}", middle.distance);
}

#[test]
fn a_pose_survives_serde() {
    let text = serde_json::to_string(&POSE).unwrap();
    assert_eq!(serde_json::from_str::<Pose>(&text).unwrap(), POSE);
    let settings: orbit_camera::CameraSettings = serde_json::from_str(r#"{ "turntable": true }"#).unwrap();
    assert_eq!(settings, orbit_camera::CameraSettings { turntable: true, ..default() });
}

#[test]
fn bounds_that_are_none_give_a_view_all_the_same() {
    for bounds in [CloudBounds::default(), CloudBounds { radius: f32::NAN, ..CLOUD }] {
        for aspect in [0.0, f32::NAN] {
            assert!(POSE.transform_and_projection(&bounds, aspect).0.is_finite());
        }
    }
}
