//! Integrate against the formula, and against what must not spread.

use crate::support::data;
use embedding::cpu::integrate::{
    Acting, GOVERN, Held, LARGEST, LEAST_WEIGHT, MAX_MOVE, Motion, STEP_LIMIT, THINNEST, integrate, per_weight, shrink,
};

/// Longest move of a point in one iteration, in this motion.
const LONGEST_MOVE: f32 = MAX_MOVE;
/// Largest error of a move, as a share of its own length and one.
const MOVE_ERROR: f32 = 1e-5;
const MOTION: Motion = Motion {
    attraction: 1.5,
    repulsion: 0.7,
    step: 0.3,
    annealed: 1.0,
    spring: 0.0,
    momentum: 0.8,
    longest: LONGEST_MOVE,
    shrink: 1.0,
};

#[derive(Clone)]
struct Points {
    stride: usize,
    pull: Vec<f32>,
    push: Vec<f32>,
    stiffness: Vec<[f32; 2]>,
    velocity: Vec<f32>,
    positions: Vec<f32>,
}

impl Points {
    fn random(points: usize, stride: usize) -> Self {
        let noise = |seed| data::noise(points * stride, seed);
        let soft = vec![[0.0; 2]; points];
        Self { stride, pull: noise(1), push: noise(2), stiffness: soft, velocity: noise(3), positions: noise(4) }
    }

    fn integrate(&mut self) -> Option<u32> {
        self.integrate_held(Held::NOBODY)
    }

    fn integrate_held(&mut self, held: Held<'_>) -> Option<u32> {
        let nowhere = vec![0.0; self.stride];
        self.integrate_by(MOTION, held, &nowhere)
    }

    fn integrate_by(&mut self, motion: Motion, held: Held<'_>, drift: &[f32]) -> Option<u32> {
        let Self { stride, pull, push, stiffness, velocity, positions } = self;
        integrate(motion, held, *stride, Acting { pull, push, stiffness, anchors: &[] }, drift, velocity, positions)
    }

    fn row(values: &[f32], stride: usize, point: usize) -> &[f32] {
        &values[point * stride..][..stride]
    }

    /// Velocity of one point after the move, by the formula, before it is cut.
    fn plain_velocity(&self, point: usize) -> Vec<f32> {
        let at = point * self.stride..(point + 1) * self.stride;
        at.map(|at| {
            let gradient = 4.0 * (MOTION.attraction * self.pull[at] - MOTION.repulsion * self.push[at]);
            MOTION.momentum * self.velocity[at] - MOTION.step * gradient
        })
        .collect()
    }
}

fn length(values: &[f32]) -> f32 {
    values.iter().map(|value| value * value).sum::<f32>().sqrt()
}

fn close(found: &[f32], expected: &[f32]) -> bool {
    found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= MOVE_ERROR * (1.0 + expected.abs()))
}

#[test]
fn points_move_by_momentum_and_gradient_and_long_moves_are_cut() {
    for (points, stride) in [(1, 1), (5000, 2), (4097, 3), (300, 8)] {
        let before = Points::random(points, stride);
        let mut after = before.clone();
        assert_eq!(after.integrate(), None);
        let mut cut = 0;
        for point in 0..points {
            let mut velocity = before.plain_velocity(point);
            let long = length(&velocity);
            if long > LONGEST_MOVE {
                cut += 1;
                velocity.iter_mut().for_each(|value| *value *= LONGEST_MOVE / long);
            }
            let position: Vec<f32> =
                Points::row(&before.positions, stride, point).iter().zip(&velocity).map(|(y, v)| y + v).collect();
            assert!(close(Points::row(&after.velocity, stride, point), &velocity), "velocity of point {point}");
            assert!(close(Points::row(&after.positions, stride, point), &position), "position of point {point}");
            velocity[stride - 1] += 0.01;
            assert!(!close(Points::row(&after.velocity, stride, point), &velocity), "a wrong move goes unnoticed");
        }
        assert!(points < 1000 || (cut > points / 100 && cut < points), "{cut} moves were cut");
    }
}

#[test]
fn a_force_that_is_not_finite_stops_its_point_and_nobody_else() {
    for (bad, first) in [([4200, 4999], 4200), ([4500, 17], 17)] {
        for value in [f32::NAN, f32::INFINITY] {
            let before = Points::random(5000, 2);
            let (mut well, mut ill) = (before.clone(), before.clone());
            ill.pull[bad[0] * 2 + 1] = value;
            ill.push[bad[1] * 2] = value;
            assert_eq!(well.integrate(), None);
            assert_eq!(ill.integrate(), Some(first));
            for point in 0..5000 {
                let row = |values| Points::row(values, 2, point);
                if bad.contains(&point) {
                    assert_eq!(row(&ill.positions), row(&before.positions), "point {point} moved");
                    assert_eq!(row(&ill.velocity), [0.0, 0.0], "point {point} is not at rest");
                } else {
                    assert_eq!(row(&ill.positions), row(&well.positions), "point {point} is infected");
                    assert_eq!(row(&ill.velocity), row(&well.velocity), "point {point} is infected");
                }
            }
        }
    }
}

#[test]
fn points_that_are_held_give_way_as_far_as_they_are_told() {
    let pinned: Vec<bool> = (0..300).map(|point| point % 3 == 0).collect();
    for (stride, give) in [(2, 0.0), (3, 0.25), (8, 1.0)] {
        let before = Points::random(300, stride);
        let (mut held, mut free) = (before.clone(), before.clone());
        held.integrate_held(Held { pinned: &pinned, give });
        free.integrate();
        for (point, &pinned) in pinned.iter().enumerate() {
            let moved = |points: &Points| -> Vec<f32> {
                let rows = [points, &before].map(|points| Points::row(&points.positions, stride, point));
                rows[0].iter().zip(rows[1]).map(|(a, b)| a - b).collect()
            };
            let (there, expected) = (moved(&held), moved(&free));
            let share = if pinned { give } else { 1.0 };
            if share == 0.0 {
                assert!(there.iter().all(|&value| value == 0.0), "{point} moves although it is held");
            }
            for (there, expected) in there.iter().zip(&expected) {
                // The longest move is cut after the share is taken.
                let cut = length(&moved(&free)) > 0.99 * LONGEST_MOVE;
                assert!(cut || (there - share * expected).abs() < MOVE_ERROR * 10.0, "{point}: {there}, {expected}");
            }
        }
    }
}

/// Two points of which one is held: where the other, at rest at first, gets in a number of iterations, and the longest of its
/// moves.
fn beside_one_that_is_held(rate: f32, limited: bool, iterations: u32) -> (f32, f32) {
    // A spring of this strength to a hub in the origin: its pull is the distance, its stiffness the strength.
    let mut points = Points {
        stride: 1,
        pull: vec![0.0; 2],
        push: vec![0.0; 2],
        stiffness: vec![[0.0; 2]; 2],
        ..Points::random(2, 1)
    };
    (points.positions, points.velocity) = (vec![1.0, 0.0], vec![0.0; 2]);
    let motion = Motion { attraction: 1.0, momentum: 0.0, step: 1.0, longest: f32::MAX, ..MOTION };
    let mut longest = 0.0_f32;
    for _ in 0..iterations {
        points.pull[0] = rate * points.positions[0];
        points.stiffness[0][0] = if limited { rate } else { 0.0 };
        points.integrate_by(motion, Held { pinned: &[false, true], give: 0.0 }, &[0.0]);
        longest = longest.max(points.velocity[0].abs());
    }
    (points.positions[0], longest)
}

#[test]
fn a_stiff_pull_does_not_overshoot() {
    for rate in [0.3, 1.0, 40.0, 3000.0] {
        let (there, longest) = beside_one_that_is_held(rate, true, 10);
        assert!((-1e-6..1.0).contains(&there), "a pull of {rate} overshoots to {there}");
        assert!(longest <= 1.0 + 1e-6, "a pull of {rate} moves by {longest}");
        // A sibling without the limit is thrown farther with each step.
        let (there, longest) = beside_one_that_is_held(rate, false, 10);
        assert_eq!(there.abs() > 1.0, 4.0 * rate > 2.0, "{there}");
        assert!(4.0 * rate < 2.0 || longest > 10.0, "{longest}");
    }
    assert_eq!(
        beside_one_that_is_held(0.1, true, 5),
        beside_one_that_is_held(0.1, false, 5),
        "soft pulls are not limited"
    );
}

#[test]
fn steps_are_limited_by_pull_and_push_together() {
    let before = Points::random(400, 2);
    let stiffness: Vec<[f32; 2]> = data::noise(800, 9).chunks_exact(2).map(|s| [s[0].abs(), s[1]]).collect();
    let (mut limited, mut free) = (Points { stiffness: stiffness.clone(), ..before.clone() }, before.clone());
    let motion = Motion { longest: f32::MAX, ..MOTION };
    limited.integrate_by(motion, Held::NOBODY, &[0.0; 2]);
    free.integrate_by(motion, Held::NOBODY, &[0.0; 2]);
    let mut shorter = 0;
    for (point, [pull, push]) in stiffness.into_iter().enumerate() {
        // A sample may say that the push is stiff the wrong way round: then it counts for nothing.
        let rate = 4.0 * (MOTION.attraction * pull + MOTION.repulsion * push.max(0.0));
        let share = (STEP_LIMIT * (1.0 + MOTION.momentum) / rate / MOTION.step).min(1.0);
        shorter += usize::from(share < 1.0);
        for axis in [2 * point, 2 * point + 1] {
            let kept = MOTION.momentum * before.velocity[axis];
            let expected = kept + share * (free.velocity[axis] - kept);
            let found = limited.velocity[axis];
            assert!((found - expected).abs() < MOVE_ERROR * (1.0 + expected.abs()), "{point}: {found}, {expected}");
        }
    }
    assert!((100..400).contains(&shorter), "{shorter} steps were limited");
}

#[test]
fn drift_and_excess_are_taken_off_all_but_those_that_are_held() {
    let pinned: Vec<bool> = (0..300).map(|point| point % 4 == 0).collect();
    for stride in [2, 3, 8] {
        let before = Points::random(300, stride);
        let drift = data::noise(stride, 8);
        let motion = Motion { shrink: 0.9, ..MOTION };
        let (mut moved, mut still) = (before.clone(), before.clone());
        moved.integrate_by(motion, Held { pinned: &pinned, give: 0.0 }, &drift);
        still.integrate_held(Held { pinned: &pinned, give: 0.0 });
        assert_eq!(moved.velocity, still.velocity, "nobody is faster for it");
        for (at, (&there, &otherwise)) in moved.positions.iter().zip(&still.positions).enumerate() {
            let (from, drift) = (before.positions[at], drift[at % stride]);
            let expected = if pinned[at / stride] { otherwise } else { otherwise - from + 0.9 * (from - drift) };
            assert!((there - expected).abs() < MOVE_ERROR * (1.0 + expected.abs()), "{at}: {there}, {expected}");
            assert!(!pinned[at / stride] || there == from, "{at} is held");
        }
        assert_ne!(moved.positions, still.positions);
    }
}

#[test]
fn a_map_without_a_resting_size_is_kept_within_bounds() {
    for (points, alpha) in [(100, 1.0), (70_000, 0.3), (5000, 10.0)] {
        let largest = LARGEST * (alpha * points as f32).sqrt();
        assert_eq!(shrink(0.99 * largest, points, alpha, GOVERN), 1.0, "sizes of balance are left alone");
        let mut size = 100.0 * largest;
        for _ in 0..300 {
            let factor = shrink(size, points, alpha, GOVERN);
            assert!((1.0 - GOVERN..=1.0).contains(&factor), "{factor} is a jump");
            size *= factor;
        }
        assert!((0.999..1.01).contains(&(size / largest)), "{size} instead of {largest}");
    }
}

#[test]
fn weights_that_vanish_push_nobody() {
    assert_eq!(per_weight(1000, 500.0, 1.0, 1.0), 2.0);
    let most = 1.0 / LEAST_WEIGHT;
    for z in [0.0, -1e-9, 1e-60, f64::NAN] {
        let factor = per_weight(1000, z, 1.0, 1.0);
        assert!((factor / most - 1.0).abs() < 1e-6 && factor * 0.0 == 0.0, "{z} makes {factor}");
    }
}

#[test]
fn who_has_hardly_any_neighbour_is_pushed_less_where_repulsion_exceeds_attraction() {
    let points = 10_000;
    let usual = 18.0 * points as f64;
    for repulsion in [0.0, 0.5, 1.0, 3.0, 10.0, 1e6] {
        assert_eq!(per_weight(points, usual, 1.0, repulsion), (points as f64 / usual) as f32, "repulsion {repulsion}");
    }
    // Nothing is held back in balance, and ever more beyond, without a jump.
    let thin = |repulsion: f32| per_weight(points, points as f64, 1.0, repulsion);
    assert_eq!((thin(0.5), thin(1.0)), (1.0, 1.0));
    let factors: Vec<f32> = (0..1000).map(|i| thin(1.0 + i as f32 * 0.01)).collect();
    assert!(factors.is_sorted_by(|a, b| a >= b) && factors.windows(2).all(|pair| pair[0] - pair[1] < 0.15));
    assert!((factors[999] * THINNEST * 100.0 - 1.0).abs() < 0.15, "{}", factors[999]);
    assert!(per_weight(points, 0.0, 0.0, 1.0).is_finite());
}
