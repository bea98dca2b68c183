//! Regions against a naive computation, and at the places where such tests go wrong.

use super::*;
use crate::support::Random;

const SIZE_PX: f32 = 64.0;

/// Even-odd by angles: the winding number summed over the outline in turns, and its parity. It shares no arithmetic
/// with the test by crossings; a loop that winds twice round a place is outside by the even-odd rule.
fn naive(corners: &[[f32; 2]], at: [f32; 2]) -> bool {
    let angle = |corner: [f32; 2]| f64::from(corner[1] - at[1]).atan2(f64::from(corner[0] - at[0]));
    let turn = |place: usize| {
        let turn = angle(corners[(place + 1) % corners.len()]) - angle(corners[place]);
        turn - std::f64::consts::TAU * (turn / std::f64::consts::TAU).round()
    };
    let turns = (0..corners.len()).map(turn).sum::<f64>() / std::f64::consts::TAU;
    (turns.round() as i64).rem_euclid(2) == 1
}

/// How far a place is from the outline, in pixels.
fn outline_distance(corners: &[[f32; 2]], at: [f32; 2]) -> f32 {
    let distance = |[from, to]: Edge| {
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let along = ((at[0] - from[0]) * dx + (at[1] - from[1]) * dy) / (dx * dx + dy * dy).max(f32::MIN_POSITIVE);
        let along = along.clamp(0.0, 1.0);
        (at[0] - from[0] - along * dx).hypot(at[1] - from[1] - along * dy)
    };
    edges(corners).map(distance).fold(f32::INFINITY, f32::min)
}

fn random_corners(random: &mut Random, count: usize, whole: bool) -> Vec<[f32; 2]> {
    let mut value = || random.within(SIZE_PX);
    (0..count).map(|_| [value(), value()].map(|value| if whole { value.floor() } else { value })).collect()
}

/// A star, concave at every other corner.
fn star() -> Vec<[f32; 2]> {
    let corner = |place: u32| {
        let (angle, radius) =
            (place as f32 * std::f32::consts::TAU / 14.0, if place.is_multiple_of(2) { 30.0 } else { 9.0 });
        [32.0 + radius * angle.cos(), 32.0 + radius * angle.sin()]
    };
    (0..14).map(corner).collect()
}

/// Compares on random places, half of them level with corners, which is where crossings are miscounted. Returns how
/// many differ, of how many, and how many are inside.
fn differences(corners: &[[f32; 2]], judged: &[[f32; 2]], random: &mut Random) -> (usize, usize, usize) {
    let region = Region::Lasso(corners.to_vec());
    let prepared = region.prepared();
    let (mut wrong, mut compared, mut inside) = (0, 0, 0);
    for place in 0..500 {
        let level = corners[random.below(corners.len() as u32) as usize][1];
        let at = [random.within(SIZE_PX), if place % 2 == 0 { level } else { random.within(SIZE_PX) }];
        assert_eq!(prepared.contains(at), region.contains(at), "{corners:?} {at:?}");
        if outline_distance(corners, at) < 1e-3 {
            continue; // angles cannot tell which side
        }
        compared += 1;
        inside += usize::from(region.contains(at));
        wrong += usize::from(region.contains(at) != naive(judged, at));
    }
    (wrong, compared, inside)
}

#[test]
fn lassos_agree_with_a_sum_of_angles() {
    let mut random = Random::new(5);
    let mut total = [0, 0];
    let mut shapes = vec![star()];
    for round in 0..300usize {
        shapes.push(random_corners(&mut random, 3 + round % 40, round % 2 == 0)); // most of them cross themselves
    }
    for corners in &shapes {
        let (wrong, compared, inside) = differences(corners, corners, &mut random);
        assert_eq!(wrong, 0, "of {compared}: {corners:?}");
        total = [total[0] + compared, total[1] + inside];
    }
    assert!(total[0] > 100_000 && total[1] > 20_000 && total[1] < total[0] - 20_000, "{total:?}");
}

#[test]
fn the_comparison_sees_a_corner_moved() {
    let corners = star();
    let mut moved = corners.clone();
    moved[2] = [32.0, 32.0];
    assert!(differences(&corners, &moved, &mut Random::new(6)).0 > 0);
}

#[test]
fn a_pentagram_is_hollow_in_its_middle() {
    let corner = |place: u32| {
        let angle = (place * 2) as f32 * std::f32::consts::TAU / 5.0;
        [100.0 * angle.sin(), -100.0 * angle.cos()]
    };
    let star = Region::Lasso((0..5).map(corner).collect());
    assert!(!star.contains([0.0, 0.0]) && star.contains([0.0, -80.0]) && !star.contains([90.0, 80.0]));
}

#[test]
fn the_outline_belongs_to_the_region() {
    let corners = vec![[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [20.0, 20.0], [10.0, 30.0]];
    for region in [Region::Lasso(corners.clone()), Region::Lasso(corners.iter().rev().copied().collect())] {
        let prepared = region.prepared();
        for at in corners.iter().copied().chain([[20.0, 10.0], [10.0, 17.0], [30.0, 30.0], [25.0, 25.0], [15.0, 25.0]])
        {
            assert!(region.contains(at) && prepared.contains(at), "{at:?}");
        }
        for at in [[20.0, 20.5], [9.999, 10.0], [31.0, 10.0], [5.0, 20.0], [20.0, 30.0], [5.0, 10.0], [40.0, 30.0]] {
            assert!(!region.contains(at) && !prepared.contains(at), "{at:?}");
        }
    }
}

#[test]
fn boxes_are_drawn_in_any_direction() {
    for (from, to) in [([1.0, 2.0], [5.0, 9.0]), ([5.0, 9.0], [1.0, 2.0]), ([5.0, 2.0], [1.0, 9.0])] {
        let region = Region::Box { from, to };
        assert_eq!(region.bounds(), [[1.0, 2.0], [5.0, 9.0]]);
        for (at, expected) in
            [([3.0, 3.0], true), ([1.0, 9.0], true), ([0.9, 3.0], false), ([3.0, 9.1], false), ([f32::NAN, 3.0], false)]
        {
            assert_eq!((region.contains(at), region.prepared().contains(at)), (expected, expected), "{at:?}");
        }
    }
}

#[test]
fn clicks_are_not_large_enough() {
    let sized = |x: f32, y: f32| Region::Box { from: [7.0, 7.0], to: [7.0 + x, 7.0 - y] };
    assert!(sized(3.0, 0.0).is_large_enough() && sized(0.0, 3.0).is_large_enough());
    assert!(!sized(2.5, 2.5).is_large_enough());
    assert!(Region::Lasso(vec![[0.0, 0.0], [1.0, 4.0]]).is_large_enough());
    assert!(!Region::Lasso(vec![[0.0, 0.0], [1.0, 2.0]]).is_large_enough());
    assert!(!Region::Lasso(Vec::new()).is_large_enough());
}

#[test]
fn odd_lassos_are_harmless() {
    let square = vec![[0.0, 0.0], [8.0, 0.0], [f32::NAN, 4.0], [8.0, 8.0], [0.0, 8.0], [f32::INFINITY, 0.0]];
    let odd = Region::Lasso(square);
    assert_eq!(odd.bounds(), [[0.0, 0.0], [8.0, 8.0]]);
    assert!(odd.contains([7.0, 4.0]) && odd.prepared().contains([7.0, 4.0]));
    for region in [Region::Lasso(Vec::new()), Region::Lasso(vec![[f32::NAN, 0.0]])] {
        assert_eq!(region.bounds(), [[0.0; 2]; 2]);
        assert!(!region.contains([1.0, 1.0]) && !region.prepared().contains([0.0, 0.0]));
        assert!(!region.contains([f32::NAN, f32::NAN]));
    }
    let flat = Region::Lasso(vec![[0.0, 5.0], [9.0, 5.0], [4.0, 5.0]]);
    assert!(flat.prepared().contains([3.0, 5.0]) && !flat.prepared().contains([3.0, 5.1]));
    assert!(!flat.contains([10.0, 5.0]) && !flat.prepared().contains([10.0, 5.0]));
}
