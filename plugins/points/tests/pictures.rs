//! Pictures of any size, and what the whole looks like.

use crate::support::{
    BACK, GREEN, HEIGHT, RED, Studio, WIDTH, bytes, clusters, covered, orthographic, perspective, pixels_of, plain,
    usual,
};
use bevy::camera::{OrthographicProjection, Projection};
use bevy::ecs::prelude::Entity;
use bevy::math::Vec3;
use bevy::transform::components::Transform;
use points::picture::{Picture, PictureError, TakePicture, write_png};
use points::{Background, PointSettings};

#[test]
fn a_larger_picture_shows_the_same() {
    let mut studio = Studio::new(plain(), perspective());
    studio.show(&[(Vec3::new(0.7, 0.4, 0.0), RED)]);
    let small = pixels_of(&studio.take(), bytes(RED));
    let large = studio.try_take(Picture { width: 3 * WIDTH, height: 3 * HEIGHT, ..usual() }).unwrap();
    let large = pixels_of(&large, bytes(RED));
    let ratio = large.len() as f32 / small.len() as f32;
    assert!((ratio - 9.0).abs() < 0.7, "{ratio} times as many pixels");
    let (small, large) = (crate::support::middle(&small), crate::support::middle(&large));
    assert!((large / 3.0).distance(small) < 0.5, "{small} became {large}");
}

#[test]
fn a_map_in_pixels_of_the_window_shows_the_same_in_a_picture() {
    let mut orthographic = OrthographicProjection::default_3d();
    orthographic.scale = 0.1; // ten pixels per unit
    let mut studio = Studio::new(plain(), Projection::Orthographic(orthographic));
    studio.show(&[(Vec3::new(3.0, 2.0, 0.0), RED)]);
    let large = studio.try_take(Picture { width: 2 * WIDTH, height: 2 * HEIGHT, ..usual() }).unwrap();
    let middle = crate::support::middle(&pixels_of(&large, bytes(RED)));
    assert!(middle.distance(bevy::math::Vec2::new(220.0, 80.0)) < 1.0, "{middle}");
}

#[test]
fn supersampling_smooths_edges_and_keeps_colours() {
    let mut studio = Studio::new(PointSettings { size: 30.0, ..plain() }, orthographic());
    studio.show(&[(Vec3::ZERO, RED)]);
    let rough = studio.take();
    let smooth = studio.try_take(Picture { supersample: 2, ..usual() }).unwrap();
    assert_eq!((smooth.width, smooth.height), (WIDTH, HEIGHT));
    assert_eq!(smooth.at(80, 60), bytes(RED));
    assert_eq!(smooth.at(2, 2), BACK);
    let between = |picture| covered(picture) - pixels_of(picture, bytes(RED)).len();
    assert_eq!(between(&rough), 0);
    assert!(between(&smooth) > 40, "{} pixels are between the colours", between(&smooth));
    let clear = studio.try_take(Picture { supersample: 2, transparent: true, ..usual() }).unwrap();
    assert_eq!(clear.at(2, 2), [0; 4]);
    let some = clear.rgba.chunks_exact(4).filter(|pixel| !matches!(pixel[3], 0 | 255)).collect::<Vec<_>>();
    assert!(
        some.len() > 40 && some.iter().all(|pixel| pixel[..3] == bytes(RED)[..3]),
        "edges have the colour of the point"
    );
}

#[test]
fn impossible_pictures_are_refused() {
    let mut studio = Studio::new(plain(), perspective());
    for picture in [
        Picture { width: 0, ..usual() },
        Picture { height: 1 << 20, ..usual() },
        Picture { width: u32::MAX, supersample: 2, ..usual() },
    ] {
        assert!(matches!(studio.try_take(picture), Err(PictureError::Size { .. })));
    }
    studio.camera = Entity::PLACEHOLDER;
    assert!(matches!(studio.try_take(usual()), Err(PictureError::Camera)));
}

#[test]
fn pictures_are_cleared_away() {
    let mut studio = Studio::new(plain(), perspective());
    studio.show(&[(Vec3::ZERO, GREEN)]);
    studio.take();
    let count = |studio: &mut Studio| {
        studio.app.update();
        let mut cameras = studio.app.world_mut().query::<&points::PointCamera>();
        cameras.iter(studio.app.world()).count()
    };
    assert_eq!(count(&mut studio), 1, "only the first camera is left");
    // Two at once, of two sizes.
    let camera = studio.camera;
    for (id, width) in [(71, 40), (72, 60)] {
        studio.app.world_mut().write_message(TakePicture { id, camera, picture: Picture { width, ..usual() } });
    }
    let mut sizes = studio.collect(2);
    sizes.sort_unstable();
    assert_eq!(sizes, [(71, 40), (72, 60)]);
}

/// Writes pictures to look at: `POINTS_PICTURES=folder cargo test … look -- --ignored`.
#[test]
#[ignore = "writes pictures to look at"]
fn look() {
    let folder = std::env::var("POINTS_PICTURES").unwrap_or_else(|_| std::env::temp_dir().display().to_string());
    let mut studio = Studio::new(PointSettings::default(), perspective());
    let eye = Transform::from_xyz(3.2, 2.2, 4.6).looking_at(Vec3::ZERO, Vec3::Y);
    let camera = studio.camera;
    studio.app.world_mut().entity_mut(camera).insert((eye, points::PointScale(HEIGHT as f32 / 720.0)));
    let shoot = |studio: &mut Studio, name: &str, supersample, settings: PointSettings| {
        studio.settings(settings);
        let picture = Picture { width: 1280, height: 720, supersample, transparent: false };
        let pixels = studio.try_take(picture).unwrap();
        write_png(format!("{folder}/{name}.png"), &pixels, &[]).unwrap();
    };
    let usual = PointSettings::default();
    for (count, groups) in [(5_000, 9), (70_000, 14)] {
        studio.show(&clusters(count, groups, 7));
        shoot(&mut studio, &format!("dark_{count}"), 1, usual.clone());
        shoot(&mut studio, &format!("smooth_{count}"), 2, usual.clone());
        shoot(
            &mut studio,
            &format!("light_{count}"),
            2,
            PointSettings { background: Background::Light, ..usual.clone() },
        );
        studio.app.insert_resource(points::DrawPath::Splats);
        shoot(&mut studio, &format!("splats_{count}"), 1, usual.clone());
        studio.app.insert_resource(points::DrawPath::Auto);
        shoot(&mut studio, &format!("plain_{count}"), 1, PointSettings { lighting: 0.0, fog: 0.0, ..usual.clone() });
    }
    let mut marked = clusters(5_000, 9, 7);
    for (index, point) in marked.iter_mut().enumerate() {
        point.1 |= match index {
            4 => points::flags::HIGHLIGHT,
            index if index % 9 == 2 => points::flags::SELECTED,
            _ => points::flags::GREYED,
        };
    }
    studio.show(&marked);
    shoot(&mut studio, "marked", 2, usual.clone());
    shoot(&mut studio, "marked_light", 2, PointSettings { background: Background::Light, ..usual.clone() });
    let flat = |points: &[(Vec3, u32)]| points.iter().map(|(p, s)| (p.with_z(0.0), *s)).collect::<Vec<_>>();
    studio.app.world_mut().entity_mut(camera).insert((
        Transform::from_xyz(0.0, 0.0, 10.0),
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: bevy::camera::ScalingMode::FixedVertical { viewport_height: 6.0 },
            ..OrthographicProjection::default_3d()
        }),
    ));
    studio.show(&flat(&clusters(20_000, 12, 7)));
    shoot(&mut studio, "map", 1, PointSettings { flat: true, ..usual.clone() });
    studio.show(&flat(&marked));
    shoot(&mut studio, "map_marked", 1, PointSettings { flat: true, ..usual });
}
