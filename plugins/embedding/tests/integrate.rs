//! Integrate against the formula, and against what must not spread.

use crate::support::data;
use embedding::cpu::integrate::{Held, Motion, integrate};

/// Longest move of a point in one iteration.
const LONGEST_MOVE: f32 = 5.0;
/// Largest error of a move, as a share of its own length and one.
const MOVE_ERROR: f32 = 1e-5;
const MOTION: Motion = Motion { attraction: 1.5, repulsion: 0.7, step: 0.3, momentum: 0.8 };

#[derive(Clone)]
struct Points {
    stride: usize,
    pull: Vec<f32>,
    push: Vec<f32>,
    velocity: Vec<f32>,
    positions: Vec<f32>,
}

impl Points {
    fn random(points: usize, stride: usize) -> Self {
        let noise = |seed| data::noise(points * stride, seed);
        Self { stride, pull: noise(1), push: noise(2), velocity: noise(3), positions: noise(4) }
    }

    fn integrate(&mut self) -> Option<u32> {
        self.integrate_held(Held::NOBODY)
    }

    fn integrate_held(&mut self, held: Held<'_>) -> Option<u32> {
        let Self { stride, pull, push, velocity, positions } = self;
        integrate(MOTION, held, *stride, (pull, push), velocity, positions)
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
