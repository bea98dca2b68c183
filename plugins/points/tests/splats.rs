//! Points without triangles look as those with them.

use crate::support::{
    GREEN, RED, Random, Studio, bytes, clusters, covered, map, orthographic, perspective, pixels_of, plain, usual,
};
use bevy::camera::Projection;
use bevy::math::Vec3;
use points::picture::{Picture, Pixels};
use points::{DrawPath, PointSettings, flags};

/// Small points, which are of one depth either way.
fn small() -> PointSettings {
    PointSettings { size: 4.4, attenuation: 0.7, ..plain() }
}

/// Both ways of splatting, by shaders and by native code.
const PATHS: [DrawPath; 2] = [DrawPath::Splats, DrawPath::Native];

/// The same scene both ways.
fn both(path: DrawPath, settings: &PointSettings, projection: &Projection, points: &[(Vec3, u32)]) -> [Pixels; 2] {
    [DrawPath::Triangles, path].map(|path| {
        let mut studio = Studio::new(settings.clone(), projection.clone());
        studio.app.insert_resource(path);
        studio.show(points);
        studio.take()
    })
}

/// The share of pixels that differ by more than a step or two of a channel, of those that are not background.
fn difference([one, other]: &[Pixels; 2], tolerance: u8) -> f32 {
    let pairs = one.rgba.chunks_exact(4).zip(other.rgba.chunks_exact(4));
    let differ = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > tolerance);
    pairs.filter(differ).count() as f32 / covered(one).max(1) as f32
}

#[test]
fn splats_are_where_triangles_are() {
    for path in PATHS {
        let mut points = clusters(3_000, 7, 5);
        points[3].1 |= flags::HIDDEN;
        for point in points.iter_mut().step_by(3) {
            point.1 |= flags::GREYED;
        }
        points.push((Vec3::NAN, RED));
        points.push((Vec3::new(0.0, 0.0, 5.0), RED));
        for projection in [perspective(), orthographic()] {
            for size in [4.4, 0.2] {
                let pictures = both(path, &PointSettings { size, ..small() }, &projection, &points);
                let differ = difference(&pictures, 0);
                assert!(covered(&pictures[0]) > 300);
                // Edges through the centres of pixels, and points whose distances are told apart by triangles only.
                assert!(differ < 0.03, "{differ} of the pixels differ at {size} px");
            }
        }
        let moved: Vec<_> = points.iter().map(|(place, style)| (*place + 0.1, *style)).collect();
        let [one, _] = both(path, &small(), &perspective(), &points);
        let [_, other] = both(path, &small(), &perspective(), &moved);
        assert!(difference(&[one, other], 0) > 0.1, "another scene, another picture");
    }
}

#[test]
fn splats_are_lit_as_triangles_are() {
    for path in PATHS {
        let points = clusters(6_000, 7, 5);
        for projection in [perspective(), orthographic()] {
            let lit = PointSettings { lighting: 1.0, shading: 0.0, fog: 1.0, ..small() };
            let pictures = both(path, &lit, &projection, &points);
            let differ = difference(&pictures, 24);
            assert!(differ < 0.08, "{differ} of the pixels differ");
            let unlit = both(path, &small(), &projection, &points);
            let [_, plain] = unlit;
            let [triangles, _] = pictures;
            assert!(difference(&[triangles, plain], 24) > 0.3, "light changes the picture");
        }
    }
}

#[test]
fn splatted_maps_are_honest_and_greyed_points_behind() {
    for path in PATHS {
        let mut random = Random(11);
        let mut place = || Vec3::new(random.normal() * 1.6, random.normal() * 1.6, 0.0);
        let points: Vec<_> = (0..2_000).map(|n| (place(), if n < 1_000 { RED } else { GREEN })).collect();
        let [_, splats] = both(path, &PointSettings { size: 6.0, ..map() }, &orthographic(), &points);
        let (red, green) = (pixels_of(&splats, bytes(RED)).len(), pixels_of(&splats, bytes(GREEN)).len());
        assert_eq!(red + green, covered(&splats), "colours as given");
        let share = red as f32 / (red + green) as f32;
        assert!((share - 0.5).abs() < 0.12, "{share} is red"); // as in flat.rs
        let greyed: Vec<_> =
            (0..40).map(|n| (Vec3::ZERO, if n % 2 == 0 { RED | flags::GREYED } else { GREEN })).collect();
        let [_, splats] = both(path, &map(), &orthographic(), &greyed);
        assert_eq!(pixels_of(&splats, bytes(GREEN)).len(), covered(&splats));
    }
}

#[test]
fn splats_have_rims_and_rings_and_no_background() {
    let mut studio = Studio::new(PointSettings { fog: 1.0, ..plain() }, perspective());
    studio.app.insert_resource(DrawPath::Splats);
    let white = [255; 4];
    studio.show(&[(Vec3::ZERO, RED | flags::SELECTED)]);
    assert!(pixels_of(&studio.take(), white).len() >= 12);
    studio.show(&[(Vec3::ZERO, RED | flags::HIGHLIGHT)]);
    assert!(pixels_of(&studio.take(), white).len() >= 12);
    studio.show(&[(Vec3::new(0.0, 0.0, -3.0), RED)]);
    let picture = studio.try_take(Picture { transparent: true, ..usual() }).unwrap();
    assert_eq!(picture.at(0, 0), [0; 4]);
    let [red, _, _, alpha] = picture.at(80, 60);
    assert!(red.abs_diff(200) <= 6 && (60..250).contains(&alpha), "{red} {alpha}");
    studio.cloud().clear();
    assert_eq!(covered(&studio.take()), 0);
}

#[test]
fn many_splats_share_a_pixel_and_the_nearest_wins() {
    for path in PATHS {
        let mut points: Vec<_> = (0..5_000).map(|n| (Vec3::new(0.0, 0.0, -1.0 - n as f32 * 1e-3), GREEN)).collect();
        points.insert(1_234, (Vec3::ZERO, RED));
        let [_, splats] = both(path, &small(), &perspective(), &points);
        assert_eq!(splats.at(80, 60), bytes(RED));
    }
}
