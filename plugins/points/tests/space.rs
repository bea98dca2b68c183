//! Points in space: where they land, what hides what.

use crate::support::{
    BACK, DISTANCE, GREEN, HEIGHT, RED, Studio, WIDTH, bytes, covered, middle, orthographic, perspective, pixels_of,
    plain, positions, rgb, spheres,
};
use bevy::math::Vec3;
use points::{Axes, PointSettings, Positions, SizeUnits};
use std::sync::Arc;

#[test]
fn a_point_lands_where_the_camera_sees_it_in_the_colour_given() {
    for projection in [perspective(), orthographic()] {
        let mut studio = Studio::new(plain(), projection);
        for (place, style) in [
            (Vec3::new(0.7, 1.1, -0.6), RED),
            (Vec3::new(-1.3, 0.4, 1.2), GREEN),
            (Vec3::new(0.2, -1.2, 0.3), rgb(1, 17, 254)),
            (Vec3::new(-0.2, 0.1, -7.0), rgb(60, 128, 12)),
        ] {
            studio.show(&[(place, style)]);
            let picture = studio.take();
            let seen = pixels_of(&picture, bytes(style));
            assert_eq!(seen.len(), covered(&picture), "every pixel of the point has exactly its colour");
            let area = std::f32::consts::PI * 4.5 * 4.5;
            assert!((seen.len() as f32 - area).abs() < 0.15 * area, "{} pixels, not about {area}", seen.len());
            let expected = studio.seen_at(place);
            assert!(middle(&seen).distance(expected) < 1.0, "seen at {}, not {expected}", middle(&seen));
        }
    }
}

#[test]
fn the_smallest_point_is_one_pixel() {
    let mut studio = Studio::new(PointSettings { size: 0.01, ..plain() }, perspective());
    for step in 0..7 {
        let place = Vec3::new(0.013 * step as f32, 0.5 - 0.021 * step as f32, 0.0);
        studio.show(&[(place, RED)]);
        let seen = pixels_of(&studio.take(), bytes(RED));
        assert_eq!(seen.len(), 1);
        assert!(middle(&seen).distance(studio.seen_at(place)) < 1.0);
    }
}

#[test]
fn a_nearer_sphere_hides_a_farther_one() {
    for size in [9.0, 3.0] {
        let mut studio = Studio::new(PointSettings { size, ..plain() }, perspective());
        for (near, far) in [(0.5, -0.5), (-2.0, -2.1)] {
            for order in [[(near, RED), (far, GREEN)], [(far, GREEN), (near, RED)]] {
                studio.show(&order.map(|(z, style)| (Vec3::new(0.0, 0.0, z), style)));
                let picture = studio.take();
                assert_eq!(pixels_of(&picture, bytes(GREEN)).len(), 0);
                assert!(!pixels_of(&picture, bytes(RED)).is_empty());
            }
        }
    }
}

#[test]
fn spheres_cut_each_other_where_their_surfaces_meet() {
    // Radius 2 each; their surfaces meet in the plane halfway between the centres, so a pixel is red where the red
    // surface is nearer.
    let (red, green) = (Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.5, 0.8));
    let mut studio = Studio::new(spheres(4.0), orthographic());
    studio.show(&[(red, RED), (green, GREEN)]);
    let picture = studio.take();
    let surface = |centre: Vec3, x: f32, y: f32| {
        let across = (x - centre.x).powi(2) + (y - centre.y).powi(2);
        (across < 4.0).then(|| centre.z + (4.0 - across).sqrt())
    };
    let (mut wrong, mut both) = (0, 0);
    for (px, py) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
        let (x, y) = ((px as f32 + 0.5 - 80.0) / 10.0, (60.0 - py as f32 - 0.5) / 10.0);
        let expected = match (surface(red, x, y), surface(green, x, y)) {
            (None, None) => BACK,
            (Some(_), None) => bytes(RED),
            (None, Some(_)) => bytes(GREEN),
            (Some(r), Some(g)) => {
                both += 1;
                if r > g { bytes(RED) } else { bytes(GREEN) }
            }
        };
        wrong += usize::from(picture.at(px, py) != expected);
    }
    assert!(both > 400, "they overlap in {both} pixels only");
    assert!(wrong <= 8, "{wrong} pixels are not as they should be"); // edges through the centre of a pixel
}

#[test]
fn sizes_in_the_world_shrink_with_distance_and_sizes_in_pixels_as_asked() {
    let diameter = |settings: PointSettings, z: f32| {
        let mut studio = Studio::new(settings, perspective());
        studio.show(&[(Vec3::new(0.0, 0.0, z), RED)]);
        2.0 * (covered(&studio.take()) as f32 / std::f32::consts::PI).sqrt()
    };
    let expect = |found: f32, expected: f32| assert!((found - expected).abs() < 0.6, "{found}, not {expected}");
    // A unit at distance 5 has 120 / (2 · 5 · tan 22.5°) pixels.
    let unit = 120.0 / (2.0 * DISTANCE * (std::f32::consts::FRAC_PI_8).tan());
    let world = PointSettings { size: 0.8, units: SizeUnits::World, ..plain() };
    expect(diameter(world.clone(), 0.0), 0.8 * unit);
    expect(diameter(world, -5.0), 0.4 * unit);
    let pixels = |attenuation| PointSettings { size: 20.0, attenuation, ..plain() };
    expect(diameter(pixels(0.0), -5.0), 20.0);
    expect(diameter(pixels(1.0), -5.0), 10.0);
    expect(diameter(pixels(0.5), -5.0), 20.0 / 2.0f32.sqrt());
    expect(diameter(pixels(1.0), 0.0), 20.0);
}

#[test]
fn five_dimensions_are_seen_as_their_projection() {
    let mut random = crate::support::Random(3);
    let values: Vec<f32> = (0..40 * 6).map(|_| 4.0 * random.next() - 1.0).collect();
    let axes = Axes {
        centre: vec![0.9, 1.1, 0.7, 1.3, 1.0],
        axes: vec![
            Vec3::new(0.6, 0.1, -0.3),
            Vec3::new(-0.2, 0.5, 0.2),
            Vec3::new(0.1, -0.4, 0.6),
            Vec3::new(0.3, 0.3, 0.1),
            Vec3::new(-0.4, 0.2, -0.2),
        ],
    };
    let styles: Vec<u32> = (0..40).map(|index| rgb(50 + 5 * index as u8, 255 - 4 * index as u8, 90)).collect();
    let places: Vec<Vec3> = values.chunks(6).map(|position| axes.place(&position[..5])).collect();
    let mut studio = Studio::new(plain(), perspective());
    studio.cloud().set_positions(positions(&places));
    studio.cloud().set_styles(Arc::new(styles));
    let expected = studio.take();
    assert!(covered(&expected) > 500);
    studio.cloud().set_positions(Positions { values: Arc::new(values), count: 40, dims: 5, stride: 6 });
    studio.cloud().set_axes(axes.clone());
    let differing = |picture: &points::picture::Pixels| {
        let pairs = picture.rgba.chunks_exact(4).zip(expected.rgba.chunks_exact(4));
        pairs.filter(|(a, b)| a != b).count()
    };
    let projected = differing(&studio.take());
    assert!(projected <= 3, "{projected} pixels differ"); // rounding at edges
    let turned = Axes { axes: axes.axes.iter().rev().copied().collect(), ..axes };
    studio.cloud().set_axes(turned);
    assert!(differing(&studio.take()) > 200, "other axes, another picture");
}

#[test]
fn what_is_behind_the_camera_or_nowhere_is_not_drawn() {
    let mut studio = Studio::new(plain(), perspective());
    studio.show(&[
        (Vec3::new(0.0, 0.0, DISTANCE + 1.0), RED),
        (Vec3::new(0.0, 0.0, DISTANCE), RED),
        (Vec3::NAN, RED),
        (Vec3::new(f32::INFINITY, 0.0, 0.0), RED),
        (Vec3::ZERO, GREEN),
    ]);
    let picture = studio.take();
    assert_eq!(pixels_of(&picture, bytes(GREEN)).len(), covered(&picture));
}
