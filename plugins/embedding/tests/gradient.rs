//! The forces against finite differences of what they descend: the Kullback-Leibler divergence.

use crate::support::relative_error;
use crate::support::scene::{Small, Sums};
use embedding::cpu::field::MAX_DIMS;

/// Largest error of a gradient, as a share of the largest.
const GRADIENT_ERROR: f64 = 1e-4;
/// Step of the central differences.
const STEP: f64 = 1e-4;
const POINTS: usize = 30;

/// Σ p·ln(p/q) over the stored pairs, at given positions.
fn divergence(small: &Small, positions: &[f64]) -> f64 {
    let squared = |i: usize, j: usize| -> f64 {
        let rows = positions[i * small.dims..].iter().zip(&positions[j * small.dims..]);
        rows.take(small.dims).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let pairs = (0..POINTS).flat_map(|i| (0..POINTS).filter(move |&j| j != i).map(move |j| (i, j)));
    let z: f64 = pairs.map(|(i, j)| small.kernel(squared(i, j)).1).sum();
    let mut sum = 0.0;
    for i in 0..POINTS {
        let (neighbours, weights) = small.affinities.row(i);
        for (&j, &weight) in neighbours.iter().zip(weights) {
            let p = f64::from(weight) / POINTS as f64;
            let q = small.kernel(squared(i, j as usize)).1 / z;
            sum += p * (p / q).ln();
        }
    }
    sum
}

fn finite_differences(small: &Small) -> Vec<f64> {
    let vectors = small.vectors();
    let mut positions: Vec<f64> = (0..POINTS).flat_map(|i| vectors.row(i).to_vec()).map(f64::from).collect();
    let mut gradient = Vec::with_capacity(positions.len());
    for at in 0..positions.len() {
        let here = positions[at];
        positions[at] = here + STEP;
        let ahead = divergence(small, &positions);
        positions[at] = here - STEP;
        let behind = divergence(small, &positions);
        positions[at] = here;
        gradient.push((ahead - behind) / (2.0 * STEP));
    }
    gradient
}

/// The largest error of a gradient made of these sums, with this factor and this sign of the push.
fn error(sums: &Sums, expected: &[f64], factor: f64, sign: f64) -> f64 {
    let forces = sums.pull.iter().zip(&sums.push).map(|(&pull, &push)| {
        let push = f64::from(push) * POINTS as f64 / sums.z;
        (factor * (f64::from(pull) - sign * push) / POINTS as f64) as f32
    });
    relative_error(&forces.collect::<Vec<_>>(), expected)
}

fn check(sums: &Sums, expected: &[f64], case: &str) {
    let right = error(sums, expected, 4.0, 1.0);
    assert!(right < GRADIENT_ERROR, "off by {right:e}, more than {GRADIENT_ERROR:e}: {case}");
    assert!(error(sums, expected, 4.01, 1.0) > GRADIENT_ERROR, "a wrong factor goes unnoticed: {case}");
    assert!(error(sums, expected, 4.0, -1.0) > GRADIENT_ERROR, "a wrong sign goes unnoticed: {case}");
}

#[test]
fn forces_are_the_gradient_of_the_divergence() {
    for dims in [1, 2, 3, 5] {
        for alpha in [0.05, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0, 100.0] {
            for spread in [0.3, 2.0] {
                let small = Small::random(POINTS, dims, alpha, spread);
                let expected = finite_differences(&small);
                let case = format!("{dims}-D, α {alpha}, spread {spread}");
                check(&small.run(1, 0), &expected, &format!("{case}, everyone sampled"));
                if dims <= MAX_DIMS {
                    check(&small.through_the_field(0.0), &expected, &format!("{case}, through the field"));
                }
            }
        }
    }
}
