//! Flat maps: honest where points lie on each other.

use crate::support::{GREEN, RED, Random, Studio, bytes, map, orthographic, pixels_of};
use bevy::math::Vec3;
use points::{PointSettings, draw_order};

/// Points that lie on each other, half of them red.
const POINTS: usize = 2_000;
/// How far from half the share of a colour may be: visible discs are about 12 pixels apart, so some hundred of them are
/// on top, each red by a coin; this is about four standard deviations.
const BOUND: f32 = 0.12;

fn share_of_red(points: &[(Vec3, u32)]) -> f32 {
    let mut studio = Studio::new(PointSettings { size: 6.0, ..map() }, orthographic());
    studio.show(points);
    let picture = studio.take();
    let (red, green) = (pixels_of(&picture, bytes(RED)).len(), pixels_of(&picture, bytes(GREEN)).len());
    assert!(red + green > 3_000, "{} pixels of full colour", red + green);
    red as f32 / (red + green) as f32
}

#[test]
fn no_colour_covers_another_more_than_chance_whatever_the_order_of_slots() {
    let mut random = Random(11);
    let places: Vec<Vec3> = (0..POINTS).map(|_| Vec3::new(random.normal() * 1.6, random.normal() * 1.6, 0.0)).collect();
    let coloured = |red: &dyn Fn(usize) -> bool| -> Vec<(Vec3, u32)> {
        let style = |index| if red(index) { RED } else { GREEN };
        places.iter().enumerate().map(|(index, place)| (*place, style(index))).collect()
    };
    for (name, red) in [
        ("first half", &(|index| index < POINTS / 2) as &dyn Fn(usize) -> bool),
        ("second half", &|index| index >= POINTS / 2),
        ("alternating", &|index| index % 2 == 0),
    ] {
        let share = share_of_red(&coloured(red));
        assert!((share - 0.5).abs() < BOUND, "red {name}: {share} of the map is red");
    }
}

#[test]
fn drawn_in_the_order_of_slots_it_would_not_be_honest() {
    // Undoes the shuffle: slot order[k] gets the place in the file that is drawn k-th.
    let order = draw_order(POINTS);
    let mut random = Random(11);
    let mut points = vec![(Vec3::ZERO, GREEN); POINTS];
    for (rank, slot) in order.iter().enumerate() {
        let style = if rank < POINTS / 2 { RED } else { GREEN };
        points[*slot as usize] = (Vec3::new(random.normal() * 1.6, random.normal() * 1.6, 0.0), style);
    }
    let share = share_of_red(&points);
    assert!(share < 0.5 - BOUND, "{share} of the map is red though all red points are drawn first");
}

#[test]
fn discs_have_smooth_edges_and_full_colour_inside() {
    let mut studio = Studio::new(PointSettings { size: 20.0, ..map() }, orthographic());
    studio.show(&[(Vec3::ZERO, RED)]);
    let picture = studio.take();
    let full = pixels_of(&picture, bytes(RED)).len();
    let some = crate::support::covered(&picture) - full;
    assert!(full > 230 && some > 20 && some < 120, "{full} full pixels, {some} at the edge");
}

#[test]
fn depth_does_not_matter_on_a_map() {
    let mut studio = Studio::new(map(), orthographic());
    for (red, green) in [(1.0, -1.0), (-1.0, 1.0)] {
        studio.show(&[(Vec3::new(0.0, 0.0, red), RED), (Vec3::new(0.0, 0.0, green), GREEN)]);
        let last = [RED, GREEN][draw_order(2)[1] as usize];
        assert!(pixels_of(&studio.take(), bytes(last)).len() > 40);
    }
}
