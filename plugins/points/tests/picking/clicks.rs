//! Clicks on many scenes, against the reference.

use super::Scene;
use super::reference::Reference;
use crate::support::{Random, clusters, map, orthographic, perspective, plain, spheres};
use bevy::math::{DVec3, Vec2, Vec3};
use points::{Axes, DrawPath, PointSettings, Positions, flags};
use std::sync::Arc;

/// Clicks on every scene.
const CLICKS: usize = 500;
/// The share of clicks on which rounding may decide.
const MOST_AMBIGUOUS: f32 = 0.01;

fn small() -> PointSettings {
    PointSettings { size: 4.4, attenuation: 0.7, ..plain() }
}

fn large() -> PointSettings {
    PointSettings { size: 14.0, attenuation: 0.7, ..plain() }
}

/// Some hidden, some greyed, a few highlighted, a few selected.
fn flagged(mut points: Vec<(Vec3, u32)>) -> Vec<(Vec3, u32)> {
    for (index, (_, style)) in points.iter_mut().enumerate() {
        *style |= match index % 10 {
            0 => flags::HIDDEN,
            1..=3 => flags::GREYED,
            4 if index % 200 == 4 => flags::HIGHLIGHT,
            5 => flags::SELECTED,
            _ => 0,
        };
    }
    points
}

/// On a sphere: half of them are on its far side.
fn shell(count: usize) -> Vec<(Vec3, u32)> {
    let mut random = Random(17);
    let mut place = || Vec3::from_array(std::array::from_fn(|_| random.normal())).normalize() * 1.6;
    (0..count).map(|_| (place(), 0)).collect()
}

fn flat(count: usize) -> Vec<(Vec3, u32)> {
    let mut random = Random(23);
    (0..count).map(|_| (Vec3::new(random.normal() * 2.2, random.normal() * 1.8, 0.0), 0)).collect()
}

/// Several points at each place.
fn stacked(points: &[(Vec3, u32)]) -> Vec<(Vec3, u32)> {
    points.iter().cycle().take(3 * points.len()).copied().collect()
}

/// Five dimensions of which all are seen, in six numbers each.
fn projected(path: DrawPath) -> Scene {
    let mut scene = Scene::new("five dimensions", small(), perspective(), &[]).from(Vec3::new(2.0, 1.0, 4.0)).by(path);
    let mut random = Random(29);
    let values: Vec<f32> = (0..900 * 6).map(|_| 4.0 * random.next() - 1.0).collect();
    scene.cloud.set_positions(Positions { values: Arc::new(values), count: 900, dims: 5, stride: 6 });
    scene.cloud.set_axes(Axes {
        centre: vec![0.9, 1.1, 0.7, 1.3, 1.0],
        axes: vec![
            Vec3::new(0.6, 0.1, -0.3),
            Vec3::new(-0.2, 0.5, 0.2),
            Vec3::new(0.1, -0.4, 0.6),
            Vec3::new(0.3, 0.3, 0.1),
            Vec3::new(-0.4, 0.2, -0.2),
        ],
    });
    scene
}

fn scenes() -> Vec<Scene> {
    let aside = Vec3::new(-2.5, 1.5, 3.0);
    let tiny = || PointSettings { size: 0.2, ..small() };
    let clouds = clusters(1_500, 7, 5);
    let few = clusters(150, 5, 3);
    let mut scenes = vec![
        Scene::new("small points", small(), perspective(), &clouds),
        Scene::new("spheres", large(), perspective(), &clouds).from(aside),
        Scene::new("large spheres that cut each other", spheres(1.1), perspective(), &few).from(aside),
        Scene::new("spheres before the near plane", spheres(0.5), perspective(), &clouds)
            .from(Vec3::new(0.4, 0.3, 0.6)),
        Scene::new("spheres without perspective", large(), orthographic(), &clouds).from(aside),
        Scene::new("flags", large(), perspective(), &flagged(clusters(900, 5, 9))),
        Scene::new("flags and a share", small(), perspective(), &flagged(clusters(2_000, 5, 9))).share(0.3),
        Scene::new("a map", PointSettings { size: 6.0, ..map() }, orthographic(), &flagged(flat(1_500))),
        Scene::new("a map of tiny points", PointSettings { size: 0.9, ..map() }, orthographic(), &flagged(flat(5_000))),
        Scene::new("several at each place", large(), perspective(), &stacked(&few)),
    ];
    for path in [DrawPath::Splats, DrawPath::Native] {
        scenes.extend([
            Scene::new("a shell", small(), perspective(), &shell(1_500)).from(aside).by(path),
            Scene::new("tiny points", tiny(), perspective(), &clusters(9_000, 7, 5)).by(path),
            Scene::new("flags", small(), perspective(), &flagged(clusters(2_000, 5, 9))).by(path).share(0.7),
            Scene::new("a map", PointSettings { size: 6.0, ..map() }, orthographic(), &flagged(flat(1_500))).by(path),
        ]);
    }
    scenes.push(Scene::new("tiny points", tiny(), perspective(), &clusters(9_000, 7, 5)));
    scenes.push(Scene::new("several at each place", small(), orthographic(), &stacked(&few)).by(DrawPath::Native));
    scenes.extend([projected(DrawPath::Triangles), projected(DrawPath::Native)]);
    scenes
}

/// Of clicks: how many hit a point, on how many rounding decides, and on how many another point was picked.
fn compare(scene: &Scene, reference: &Reference<'_>, clicks: usize) -> [usize; 3] {
    let order = scene.cloud.order();
    let looker = scene.looker(&order);
    let mut counts = [0; 3];
    for click in scene.clicks(clicks, 41) {
        let picked = looker.pick(click).map(|picked| picked.slot);
        let seen = reference.seen(click);
        counts[0] += usize::from(picked.is_some());
        counts[1] += usize::from(seen.possible.len() > 1);
        counts[2] += usize::from(!seen.possible.contains(&picked));
    }
    counts
}

#[test]
fn a_click_picks_the_point_that_is_seen() {
    let (mut clicks, mut ambiguous) = (0, 0);
    for scene in scenes() {
        let [hit, unclear, wrong] = compare(&scene, &Reference::new(&scene), CLICKS);
        let Scene { name, path, .. } = &scene;
        println!("{name}, {path:?}: {hit} of {CLICKS} clicks hit, {unclear} by rounding, {wrong} wrong");
        assert_eq!(wrong, 0, "{name}, {path:?}");
        assert!(hit > CLICKS / 5, "{name}, {path:?}: {hit} hit");
        clicks += CLICKS;
        ambiguous += unclear;
    }
    println!("{clicks} clicks, {ambiguous} by rounding");
    assert!(clicks >= 10_000, "{clicks} clicks");
    assert!(ambiguous as f32 <= MOST_AMBIGUOUS * clicks as f32, "rounding decides on {ambiguous} of {clicks}");
}

#[test]
fn the_comparison_tells_a_camera_that_stands_a_little_aside() {
    for scene in scenes() {
        let [_, _, wrong] = compare(&scene, &Reference::new(&scene).moved(DVec3::new(0.05, 0.03, 0.0)), 100);
        assert!(wrong > 5, "{}, {:?}: {wrong} wrong", scene.name, scene.path);
    }
}

#[test]
fn the_comparison_tells_another_order_of_drawing() {
    let scenes = [
        Scene::new("a map", PointSettings { size: 12.0, ..map() }, orthographic(), &flat(1_500)),
        Scene::new("several at each place", large(), perspective(), &stacked(&clusters(150, 5, 3))),
    ];
    for scene in scenes {
        let reference = Reference::new(&scene);
        let order: Vec<u32> = scene.cloud.order().iter().rev().copied().collect();
        let looker = scene.looker(&order);
        let picked = |click| looker.pick(click).map(|picked| picked.slot);
        let clicks = scene.clicks(CLICKS, 41);
        let wrong = clicks.into_iter().filter(|click| !reference.seen(*click).possible.contains(&picked(*click)));
        let wrong = wrong.count();
        assert!(wrong > CLICKS / 10, "{}: {wrong} wrong", scene.name);
    }
}

#[test]
fn a_click_beside_a_point_is_meant_for_it() {
    let points = [(Vec3::new(-1.0, 0.0, 0.0), 0), (Vec3::new(1.0, 0.0, -1.0), 0), (Vec3::new(1.3, 0.0, 1.0), 0)];
    let scene = Scene::new("dots", PointSettings { size: 0.1, ..plain() }, orthographic(), &points);
    let order = scene.cloud.order();
    let looker = scene.looker(&order);
    let near = |x: f32, y: f32, reach| looker.pick_near(Vec2::new(x, y), reach).map(|picked| picked.slot);
    // They are in the pixels 70, 90 and 93 of row 59 or 60.
    let y = looker.on_screen()[0].y;
    let row = if near(70.5, y - 0.5, 0.0).is_some() { y - 0.5 } else { y + 0.5 };
    assert_eq!([70.0, 70.5, 70.9].map(|x| near(x, row, 0.0)), [Some(0); 3]);
    assert_eq!([67.9, 69.9, 71.1].map(|x| near(x, row, 0.0)), [None; 3]);
    assert_eq!([68.6, 72.4].map(|x| near(x, row, 2.0)), [Some(0); 2]);
    assert_eq!([68.4, 72.6].map(|x| near(x, row, 2.0)), [None; 2]);
    assert_eq!(near(91.5, row, 4.0), Some(1));
    assert_eq!(near(92.4, row, 4.0), Some(2));
    assert_eq!(near(92.4, row + 9.0, 4.0), None);
    assert_eq!(near(90.5, row, 4.0), Some(1), "the one under the cursor, though another is nearer to the eye");
    let picked = looker.pick(Vec2::new(93.2, row)).unwrap();
    assert_eq!(picked.place, points[2].0);
    for nowhere in [Vec2::new(-3.0, row), Vec2::new(1e30, row), Vec2::new(f32::NAN, row), Vec2::new(90.5, 120.0)] {
        assert_eq!(looker.pick(nowhere), None);
    }
}

#[test]
fn centres_are_on_the_screen_where_the_reference_has_them() {
    let points = [
        (Vec3::new(0.7, 1.1, -0.6), 0),
        (Vec3::new(0.0, 0.0, 9.0), 0), // behind the camera
        (Vec3::new(0.0, 0.4, 0.0), flags::HIDDEN),
        (Vec3::NAN, 0),
        (Vec3::new(40.0, 0.0, 0.0), 0), // outside of the viewport
    ];
    let scene = Scene::new("a few", plain(), perspective(), &points);
    let order = scene.cloud.order();
    let at = scene.looker(&order).on_screen();
    let per_px = 5.6 * 2.0 * (std::f32::consts::FRAC_PI_8).tan() / 120.0;
    assert!(at[0].distance(Vec2::new(80.0 + 0.7 / per_px, 60.0 - 1.1 / per_px)) < 1e-3, "{}", at[0]);
    assert!(at[1..4].iter().all(|at| at.is_nan()), "{at:?}");
    assert!(at[4].x > 160.0);
    let half = scene.share(0.4);
    let shown = half.looker(&order).on_screen().iter().filter(|at| at.is_finite()).count();
    let drawn = order[..2].iter().filter(|slot| [0, 4].contains(*slot)).count();
    assert_eq!(shown, drawn);
}
