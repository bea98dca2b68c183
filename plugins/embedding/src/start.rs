//! Where things start: the order of the rows in memory, the positions, the lists of neighbours in the embedding.

use crate::cpu::forces::position_stride;
use crate::cpu::project;
use crate::lists::Lists;
use crate::random::{below, hash, normal, shuffled};
use crate::settings::{Init, Settings};
use rayon::prelude::*;
use vectors::pca::Pca;
use vectors::{Metric, Space, Vectors};

/// Standard deviation of the widest axis at the start: small, so that the first steps see every point next to every
/// other and large-scale order can form; 1e-4, as others have it, kept less of the projection's order (coil20).
const START_SCALE: f32 = 1e-2;
/// Noise on given coordinates, as a share of that: duplicates need a reason to part.
const START_NOISE: f32 = 1e-4;
/// Projection trees that find the first neighbours in the embedding.
const LD_TREES: u32 = 3;
/// Iteration number of random draws made before the first iteration.
const BEFORE: u32 = u32::MAX;

/// Lays the rows out in memory: shuffled by the seed, then sorted by a projection tree, so that neighbours lie near
/// each other and any evenly spaced choice of points is a fair sample of all of them. Returns the caller's row of
/// each point.
pub fn layout(vectors: Vectors, metric: Metric, seed: u32) -> (Space, Vec<u32>) {
    let mut order = shuffled(vectors.rows(), seed);
    let space = Space::new(vectors, metric);
    project::tree(&space, &mut order, seed);
    let mut vectors = space.into_vectors();
    vectors.permute(&order);
    (Space::new(vectors, metric), order)
}

/// Positions of all points where the settings say.
pub fn positions(vectors: &Vectors, settings: &Settings, seed: u32) -> Vec<f32> {
    match settings.init {
        Init::Pca => {
            let axes = settings.dims.min(vectors.dims());
            scaled(&Pca::fit(vectors, axes, settings.seed).project(vectors), settings.dims, seed)
        }
        Init::Random => scaled(&Vectors::zeros(vectors.rows(), 1), settings.dims, seed),
    }
}

/// Positions at given coordinates, which are in the caller's row order.
pub fn given(coordinates: &Vectors, row_of_point: &[u32], dims: usize, seed: u32) -> Vec<f32> {
    let mut ordered = Vectors::with_capacity(coordinates.rows(), coordinates.dims());
    for &row in row_of_point {
        ordered.push(coordinates.row(row as usize));
    }
    scaled(&ordered, dims, seed)
}

/// Coordinates centred and shrunk to the size of a start, with a little noise. Axes that are missing are opened with
/// noise of a tenth of that size; where there is nothing but one point, everything is noise.
fn scaled(coordinates: &Vectors, dims: usize, seed: u32) -> Vec<f32> {
    let rows = coordinates.rows();
    let axes = dims.min(coordinates.dims());
    let sum = |f: &dyn Fn(usize) -> f64| (0..rows).map(f).sum::<f64>() / rows as f64;
    let means: Vec<f64> = (0..axes).map(|axis| sum(&|row| f64::from(coordinates.row(row)[axis]))).collect();
    let deviation = |axis: usize| sum(&|row| (f64::from(coordinates.row(row)[axis]) - means[axis]).powi(2)).sqrt();
    let widest = (0..axes).map(deviation).fold(0.0, f64::max);
    let (scale, missing) =
        if widest > 0.0 { (f64::from(START_SCALE) / widest, 0.1 * START_SCALE) } else { (0.0, START_SCALE) };
    let stride = position_stride(dims);
    let mut positions = vec![0.0; rows * stride];
    positions.par_chunks_mut(stride).enumerate().for_each(|(row, position)| {
        for (axis, value) in position[..dims].iter_mut().enumerate() {
            let random = |draw| hash(seed, BEFORE, row as u32, 2 * axis as u32 + draw);
            let (there, noise) = if axis < axes && scale > 0.0 {
                ((f64::from(coordinates.row(row)[axis]) - means[axis]) * scale, START_NOISE * START_SCALE)
            } else {
                (0.0, missing)
            };
            *value = there as f32 + noise * normal(random(0), random(1));
        }
    });
    positions
}

/// Lists of neighbours in the embedding for points that have just been placed: found by projection trees, as the
/// first neighbours in the data are. Incomplete lists would hide from a point most of what pushes it.
pub fn ld_lists(positions: &[f32], dims: usize, length: usize, seed: u32) -> Vec<u32> {
    let mut vectors = Vectors::with_capacity(positions.len() / position_stride(dims), dims);
    for position in positions.chunks_exact(position_stride(dims)) {
        vectors.push(&position[..dims]);
    }
    let space = Space::new(vectors, Metric::Euclidean);
    let points = space.rows();
    let mut ld = Lists::empty(points, length);
    let mut changed = vec![false; points];
    for tree in 0..LD_TREES {
        let mut order = shuffled(points, hash(seed, BEFORE, tree, 0));
        let ends = project::tree(&space, &mut order, hash(seed, BEFORE, tree, 1));
        let found = project::join_leaves(&space, &order, &ends);
        project::merge_leaves(&mut ld, &mut changed, &order, &found);
    }
    filled(&|point| ld.neighbours(point), points, length, seed)
}

/// Lists of neighbours in the embedding of another length: what was known before, then the neighbours in the data.
pub fn resized_ld_lists(before: &[u32], before_length: usize, hd: &Lists, length: usize, seed: u32) -> Vec<u32> {
    let points = before.len() / before_length;
    let known =
        |point: usize| before[point * before_length..][..before_length].iter().copied().chain(hd.neighbours(point));
    filled(&known, points, length, seed)
}

/// Full lists of distinct others: first those known, then anyone.
fn filled<I: Iterator<Item = u32>>(
    known: &(dyn Fn(usize) -> I + Sync),
    points: usize,
    length: usize,
    seed: u32,
) -> Vec<u32> {
    let mut ld = vec![0; points * length];
    ld.par_chunks_mut(length).enumerate().for_each(|(point, row)| {
        // A few draws anywhere, then everyone in turn: ends for any number of points.
        let anyone = (0..).map(|draw: u32| {
            let random = below(hash(seed, BEFORE, point as u32, draw), points as u32);
            if draw < 64 { random } else { draw % points as u32 }
        });
        let mut filled = 0;
        for candidate in known(point).chain(anyone) {
            if filled == length {
                break;
            }
            if candidate as usize != point && !row[..filled].contains(&candidate) {
                row[filled] = candidate;
                filled += 1;
            }
        }
    });
    ld
}
