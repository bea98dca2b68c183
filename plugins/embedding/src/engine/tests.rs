//! The engine as a whole, with a look inside where a promise cannot be seen from outside.

mod actions;
mod determinism;
mod dims;
mod edges;
mod frugal;
mod live;
mod living;
mod resume;

use super::*;
use crate::cpu::field;
use crate::lists::EMPTY;
use crate::random::{hash, normal};
use std::collections::BTreeSet;
use vectors::Metric;

/// Largest relative error of a stored distance: kernels may sum in another order than a single pair does.
const DISTANCE_ERROR: f32 = 1e-5;
/// Largest relative error of the perplexity of a row.
const PERPLEXITY_ERROR: f64 = 2e-3;

/// Gaussian blobs, row by row in turn, positive and of unequal spread.
fn blobs(count: usize, rows: usize, dims: usize, seed: u32) -> Vectors {
    let random = |point: usize, axis: usize, of: u32| {
        normal(hash(seed, of, point as u32, 2 * axis as u32), hash(seed, of, point as u32, 2 * axis as u32 + 1))
    };
    let value = |row: usize, axis: usize| {
        9.0 + 2.0 * random(row % count, axis, 1) + (0.5 + 0.1 * axis as f32) * random(row, axis, 2)
    };
    let values: Vec<f32> = (0..rows * dims).map(|at| value(at / dims, at % dims)).collect();
    Vectors::from_rows(&values, dims)
}

fn engine(vectors: Vectors, settings: Settings) -> Engine {
    Engine::new(vectors, settings).expect("settings are right")
}

fn run(engine: &mut Engine, iterations: u32) {
    (0..iterations).for_each(|_| engine.step());
}

/// Everything that must hold between any two iterations.
fn check_invariants(engine: &Engine, case: &str) {
    let points = engine.rows();
    let hd = &engine.search.hd;
    assert_eq!(hd.k(), engine.settings.hd_list_length(engine.fitted), "{case}");
    let alive = engine.alive();
    assert_eq!(alive.iter().filter(|&&alive| alive).count(), engine.living(), "{case}");
    for point in 0..points {
        let neighbours: Vec<u32> = hd.neighbours(point).collect();
        assert!(alive[point] || neighbours.is_empty(), "{case}: {point} has left its list behind");
        check_names(&neighbours, point, alive, case);
        let (entries, distances) = (hd.entries(point), hd.distances(point));
        assert!(distances.is_sorted(), "{case}: row {point} does not ascend: {distances:?}");
        for (at, &distance) in distances.iter().enumerate() {
            let Some(&neighbour) = neighbours.get(at) else {
                assert!(entries[at] == EMPTY && distance == f32::INFINITY, "{case}: row {point} has a hole");
                continue;
            };
            let expected = engine.space.squared_distance(point, neighbour as usize);
            let error = (distance - expected).abs();
            assert!(
                error <= DISTANCE_ERROR * (1e-3 + expected),
                "{case}: {point}, {neighbour}: {distance}, {expected}"
            );
        }
    }
    let (ld, length) = engine.descent.ld();
    // In few dimensions the tree knows neighbours, once it was asked for them.
    let expected = match engine.dims() {
        dims if dims > field::MAX_DIMS => engine.settings.ld_list_length(engine.fitted),
        _ if ld.is_empty() => 0,
        _ => field::NEIGHBOURS,
    };
    assert_eq!((length, ld.len()), (expected, points * expected), "{case}");
    let lists = ld.chunks_exact(length.max(1)).enumerate().filter(|(point, _)| alive[*point]);
    lists.for_each(|(point, row)| check_names(row, point, alive, case));
    for point in 0..points {
        let (neighbours, weights) = engine.affinities.row(point);
        assert!(alive[point] || neighbours.is_empty(), "{case}: {point} has left affinities behind");
        check_names(neighbours, point, alive, case);
        assert!(weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0), "{case}: {weights:?}");
    }
    assert_eq!(engine.positions().len(), points * engine.dims(), "{case}");
    let stride = position_stride(engine.dims());
    for position in engine.descent.positions.chunks_exact(stride) {
        assert!(position.iter().all(|value| value.is_finite()), "{case}: a point is at {position:?}");
        assert!(position[engine.dims()..].iter().all(|&value| value == 0.0), "{case}: padding moves");
    }
    let mut rows = engine.row_of_point().to_vec();
    rows.sort_unstable();
    assert!(rows.into_iter().eq(0..points as u32), "{case}: rows are lost or doubled");
}

fn check_names(row: &[u32], point: usize, alive: &[bool], case: &str) {
    let distinct: BTreeSet<u32> = row.iter().copied().collect();
    assert_eq!(distinct.len(), row.len(), "{case}: the list of {point} names someone twice: {row:?}");
    assert!(!distinct.contains(&(point as u32)), "{case}: {point} is its own neighbour");
    let lives = |other: &u32| alive.get(*other as usize) == Some(&true);
    assert!(row.iter().all(lives), "{case}: the list of {point} names nobody: {row:?}");
}

/// The perplexity of every row's Gaussian over its list, in f64.
fn perplexities(engine: &Engine) -> Vec<f64> {
    let perplexity = |(point, gaussian): (usize, &Gaussian)| {
        let listed = engine.search.hd.distances(point).iter().take_while(|d| d.is_finite());
        // Of the Gaussian in the middle, which has the perplexity that was asked for.
        let p: Vec<f64> =
            listed.map(|&d| (-f64::from(gaussian.beta[1]) * f64::from(d - gaussian.nearest)).exp()).collect();
        let sum: f64 = p.iter().sum();
        p.iter().filter(|&&p| p > 0.0).map(|p| -(p / sum) * (p / sum).ln()).sum::<f64>().exp()
    };
    engine.gaussians.iter().enumerate().map(perplexity).collect()
}

/// Asserts that every row has the perplexity in force, with affinities that sum to N.
fn check_perplexity(engine: &Engine, case: &str) {
    let wanted = f64::from(engine.settings.perplexity);
    for (point, reached) in perplexities(engine).into_iter().enumerate() {
        assert!((reached / wanted - 1.0).abs() < PERPLEXITY_ERROR, "{case}: row {point} has {reached}, not {wanted}");
    }
    let rows = engine.rows();
    let sum: f64 = (0..rows).flat_map(|point| engine.affinities.row(point).1).map(|&w| f64::from(w)).sum();
    assert!((sum / rows as f64 - 1.0).abs() < 1e-3, "{case}: p sums to {}", sum / rows as f64);
    for (point, gaussian) in engine.gaussians.iter().enumerate().step_by(7) {
        for (neighbour, &distance) in engine.search.hd.neighbours(point).zip(engine.search.hd.distances(point)) {
            let (neighbours, weights) = engine.affinities.row(point);
            let place = neighbours.iter().position(|&named| named == neighbour).expect("affinities follow the lists");
            assert!(weights[place] >= 0.499 * gaussian.p(distance), "{case}: affinities are older than the Gaussians");
        }
    }
}
