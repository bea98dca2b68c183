//! What the flags of a point do.

use crate::support::{BACK, GREEN, RED, Studio, bytes, covered, map, orthographic, perspective, pixels_of, plain, rgb};
use bevy::math::Vec3;
use points::{Background, PointSettings, flags};

fn grey_of(background: Background) -> [u8; 4] {
    bevy::color::ColorToPacked::to_u8_array(bevy::color::Srgba::from(background.greyed()))
}

#[test]
fn hidden_points_are_gone() {
    let mut studio = Studio::new(plain(), perspective());
    studio.show(&[(Vec3::ZERO, RED | flags::HIDDEN), (Vec3::X, GREEN)]);
    let picture = studio.take();
    assert_eq!(pixels_of(&picture, bytes(GREEN)).len(), covered(&picture));
    assert!(covered(&picture) > 40);
}

#[test]
fn greyed_points_are_grey_and_smaller_and_never_gone() {
    for background in [Background::Dark, Background::Light, Background::Black, Background::Custom([90, 30, 60])] {
        let mut studio = Studio::new(PointSettings { background, ..plain() }, perspective());
        studio.show(&[(Vec3::ZERO, RED)]);
        let full = pixels_of(&studio.take(), bytes(RED)).len();
        studio.show(&[(Vec3::ZERO, RED | flags::GREYED)]);
        let picture = studio.take();
        let grey = grey_of(background);
        let near = |pixel: &[u8]| pixel.iter().zip(grey).all(|(a, b)| a.abs_diff(b) <= 1);
        let greyed = picture.rgba.chunks_exact(4).filter(|pixel| near(pixel)).count();
        assert!(greyed > full / 4 && greyed < full * 2 / 3, "{greyed} grey pixels for {full}");
        let contrast = grey[..3].iter().zip(picture.at(0, 0)).map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>();
        assert!((60..260).contains(&contrast), "contrast {contrast} with {background:?}");
    }
}

#[test]
fn greyed_points_are_behind_the_others_on_a_map() {
    let mut studio = Studio::new(map(), orthographic());
    let grey = RED | flags::GREYED;
    for points in [[grey, GREEN], [GREEN, grey]] {
        // Twenty of each, so that any order of drawing would show the grey ones.
        let points: Vec<_> = points.iter().cycle().take(40).map(|style| (Vec3::ZERO, *style)).collect();
        studio.show(&points);
        let picture = studio.take();
        assert!(pixels_of(&picture, bytes(GREEN)).len() > 40);
        assert_eq!(pixels_of(&picture, grey_of(Background::Dark)).len(), 0);
    }
}

#[test]
fn a_highlighted_point_is_larger_and_has_a_ring_that_shows_through() {
    let white = [255, 255, 255, 255];
    for settings in [plain(), map()] {
        let mut studio = Studio::new(settings, orthographic());
        studio.show(&[(Vec3::ZERO, RED)]);
        let usual = pixels_of(&studio.take(), bytes(RED)).len();
        studio.show(&[(Vec3::ZERO, RED | flags::HIGHLIGHT)]);
        let picture = studio.take();
        let (inner, ring) = (pixels_of(&picture, bytes(RED)).len(), pixels_of(&picture, white).len());
        assert!(inner > usual * 3 / 2, "{inner} pixels, {usual} without");
        assert!(ring >= 12, "{ring} pixels of the ring");
        // Something before it.
        let cover: Vec<_> = (0..8).map(|n| (Vec3::new(0.1 * n as f32 - 0.35, 0.0, 2.0), GREEN)).collect();
        studio.show(&[&[(Vec3::ZERO, RED | flags::HIGHLIGHT)], &cover[..]].concat());
        assert!(pixels_of(&studio.take(), white).len() >= 12, "the ring shows through");
    }
}

#[test]
fn selected_points_have_their_colour_and_a_group_of_them_one_rim() {
    let white = [255, 255, 255, 255];
    for settings in [plain(), map()] {
        let mut studio = Studio::new(settings, orthographic());
        studio.show(&[(Vec3::ZERO, RED)]);
        let usual = pixels_of(&studio.take(), bytes(RED)).len();
        studio.show(&[(Vec3::ZERO, RED | flags::SELECTED)]);
        let picture = studio.take();
        assert!(pixels_of(&picture, bytes(RED)).len() >= usual * 9 / 10);
        let rim = pixels_of(&picture, white).len();
        assert!(rim >= 12, "{rim} pixels of the rim");
        // Two that overlap: the rim of one does not cut through the other.
        let pair = [Vec3::new(-0.15, 0.0, 0.0), Vec3::new(0.15, 0.0, 0.0)];
        studio.show(&pair.map(|place| (place, RED | flags::SELECTED)));
        let picture = studio.take();
        for x in 77..83 {
            assert_eq!(picture.at(x, 60), bytes(RED), "at {x}");
        }
        assert_eq!(picture.at(0, 0), BACK);
    }
}

#[test]
fn points_without_a_style_are_grey_but_there() {
    let mut studio = Studio::new(plain(), perspective());
    studio.show(&[(Vec3::ZERO, RED), (Vec3::X, GREEN)]);
    studio.cloud().set_styles(std::sync::Arc::new(vec![RED]));
    let picture = studio.take();
    assert!(pixels_of(&picture, bytes(RED)).len() > 40);
    assert!(pixels_of(&picture, bytes(rgb(0xa8, 0xb0, 0xb8))).len() > 40);
}
