//! Eye-dome lighting, fog, backgrounds.

use crate::support::{
    BACK, GREEN, RED, Studio, background, bytes, orthographic, perspective, pixels_of, plain, spheres, usual,
};
use bevy::math::Vec3;
use points::picture::Picture;
use points::{Background, PointSettings};

/// A sheet of small points side by side, at a depth.
fn sheet(z: f32, style: u32) -> Vec<(Vec3, u32)> {
    let place = |n: i32| Vec3::new((n % 81 - 40) as f32 * 0.1, (n / 81 - 40) as f32 * 0.1, z);
    (0..81 * 81).map(|n| (place(n), style)).collect()
}

fn lit() -> PointSettings {
    PointSettings { size: 4.0, lighting: 1.0, shading: 0.0, ..plain() }
}

#[test]
fn a_flat_region_keeps_its_colour() {
    for projection in [perspective(), orthographic()] {
        let mut studio = Studio::new(lit(), projection);
        studio.show(&sheet(0.0, RED));
        let picture = studio.take();
        for (x, y) in (50..110).flat_map(|x| (30..90).map(move |y| (x, y))) {
            let pixel = picture.at(x, y);
            assert!(pixel == bytes(RED) || pixel == BACK, "{pixel:?} at {x}, {y}");
        }
    }
}

#[test]
fn points_are_darker_beside_nearer_ones_only() {
    for projection in [perspective(), orthographic()] {
        let mut studio = Studio::new(lit(), projection);
        let before: Vec<_> = sheet(1.5, GREEN).into_iter().filter(|(place, _)| place.x < -0.05).collect();
        studio.show(&[sheet(0.0, RED), before].concat());
        let picture = studio.take();
        let green = pixels_of(&picture, bytes(GREEN));
        let edge = green.iter().filter(|(_, y)| *y == 60).map(|(x, _)| *x).max().unwrap();
        let red = |x: u32| (50..70).map(|y| u32::from(picture.at(x, y)[0])).max().unwrap();
        assert!(red(edge + 1) < 170, "{} beside the edge", red(edge + 1));
        assert_eq!(red(edge + 8), 200, "away from it");
        assert!(green.iter().filter(|(x, _)| *x == edge).count() > 40, "the nearer ones keep their colour");
    }
}

#[test]
fn a_stronger_light_is_darker_and_none_changes_nothing() {
    let mut studio = Studio::new(lit(), perspective());
    let mut brightness = |lighting| {
        studio.settings(PointSettings { lighting, ..lit() });
        let scene = [sheet(0.0, RED), vec![(Vec3::new(0.0, 0.0, 1.0), GREEN)]].concat();
        studio.show(&scene);
        studio.take().rgba.chunks_exact(4).map(|pixel| u64::from(pixel[0])).sum::<u64>()
    };
    let (none, some, much) = (brightness(0.0), brightness(1.0), brightness(3.0));
    assert!(none > some && some > much, "{none} {some} {much}");
}

#[test]
fn large_points_look_round() {
    let mut studio = Studio::new(PointSettings { lighting: 1.0, shading: 0.8, ..spheres(6.0) }, orthographic());
    studio.show(&[(Vec3::ZERO, RED)]);
    let picture = studio.take();
    let at = |x: f32, y: f32| picture.at((80.0 + x) as u32, (60.0 - y) as u32)[0];
    assert!(at(-10.0, 14.0) > 190, "bright above to the left: {}", at(-10.0, 14.0));
    assert!(at(18.0, -18.0) < 120, "dark below to the right: {}", at(18.0, -18.0));
}

#[test]
fn distant_points_fade_into_the_background() {
    for projection in [perspective(), orthographic()] {
        let mut studio = Studio::new(PointSettings { fog: 1.0, ..plain() }, projection);
        let mut red = |z: f32| {
            studio.show(&[(Vec3::new(0.0, 0.0, z), RED)]);
            studio.take().at(80, 60)[0]
        };
        let (near, middle, far, farthest) = (red(3.5), red(0.0), red(-3.0), red(-300.0));
        assert!(near >= 180 && middle < near && far < middle && farthest < far, "{near} {middle} {far} {farthest}");
        assert!(farthest > BACK[0] + 20, "never gone");
    }
}

#[test]
fn backgrounds_are_exact() {
    for kind in [Background::Dark, Background::Light, Background::Black, Background::Custom([12, 34, 56])] {
        let mut studio = Studio::new(PointSettings { background: kind, ..plain() }, perspective());
        assert_eq!(studio.take().at(3, 4), background(kind));
    }
    assert_eq!(background(Background::Dark), BACK);
}

#[test]
fn a_transparent_background_is_not_there() {
    for (setting, transparent) in [(Background::Transparent, false), (Background::Light, true)] {
        let settings = PointSettings { background: setting, fog: 1.0, lighting: 1.0, shading: 0.0, ..plain() };
        let mut studio = Studio::new(settings, perspective());
        for (z, least) in [(3.0, 255), (-2.0, 60)] {
            studio.show(&[(Vec3::new(0.0, 0.0, z), RED)]);
            let picture = studio.try_take(Picture { transparent, ..usual() }).unwrap();
            assert_eq!(picture.at(0, 0), [0, 0, 0, 0]);
            let [red, green, blue, alpha] = picture.at(80, 60);
            assert!(alpha >= least && (z > 0.0 || alpha < 250), "alpha {alpha} at {z}");
            let off = red.abs_diff(200).max(green.abs_diff(40)).max(blue.abs_diff(30));
            assert!(off <= 6, "{:?} is not red", picture.at(80, 60)); // of the few steps that little light leaves
        }
    }
}
