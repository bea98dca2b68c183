//! What several tests need.

use fastrand::Rng;
use tour::{Frame, GrandTour, Positions};

/// How far from orthonormal a frame may be, at any time.
pub const MAX_ERROR: f64 = 1e-5;
/// By how much the longest step may exceed the shortest.
pub const MAX_UNEVEN: f64 = 0.01;
/// Frames of a long tour.
pub const FRAMES: usize = 10_000;
/// Numbers of dimensions that are tried.
pub const DIMS: [usize; 5] = [4, 5, 8, 32, 64];

/// A frame that is like no other: where a tour is after a while.
pub fn somewhere(dims: usize, shown: usize, seed: u64) -> Frame {
    let mut tour = GrandTour::new(dims, shown, seed);
    (0..40).for_each(|_| {
        tour.advance(1.0, 0.5);
    });
    tour.frame().clone()
}

/// The axes that are drawn.
pub fn axes(frame: &Frame) -> Vec<[f32; 3]> {
    frame.axes().collect()
}

/// The farthest that the tip of a dimension is from where it was.
pub fn farthest_tip(a: &Frame, b: &Frame) -> f64 {
    a.axes().zip(b.axes()).map(|(a, b)| length(&difference(a, b))).fold(0.0, f64::max)
}

/// The root of all squared differences.
pub fn change(a: &Frame, b: &Frame) -> f64 {
    a.axes().zip(b.axes()).map(|(a, b)| length(&difference(a, b)).powi(2)).sum::<f64>().sqrt()
}

pub fn difference(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn length(vector: &[f32]) -> f64 {
    vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt()
}

/// Where a position is seen.
pub fn place(frame: &Frame, position: &[f32]) -> [f32; 3] {
    let add = |sum: [f32; 3], (axis, value): ([f32; 3], &f32)| [0, 1, 2].map(|i| sum[i] + axis[i] * value);
    frame.axes().zip(position).fold([0.0; 3], add)
}

/// The longest step over the shortest, less one.
pub fn unevenness(steps: &[f64]) -> f64 {
    let longest = steps.iter().copied().fold(0.0, f64::max);
    let shortest = steps.iter().copied().fold(f64::INFINITY, f64::min);
    longest / shortest - 1.0
}

pub fn normal(rng: &mut Rng) -> f32 {
    ((-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (std::f64::consts::TAU * rng.f64()).cos()) as f32
}

/// Rows of an embedding that lie densely.
pub fn dense(values: &[f32], dims: usize) -> Positions<'_> {
    Positions { values, dims, stride: dims }
}

/// Three classes, one row after the other, that differ along one hidden direction alone; across it all rows spread ten
/// times as wide.
pub struct Blobs {
    pub values: Vec<f32>,
    pub hidden: Vec<f32>,
    pub dims: usize,
    pub rows: usize,
}

impl Blobs {
    pub fn new(rows: usize, hidden: &[f32], seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let dims = hidden.len();
        let hidden: Vec<f32> = hidden.iter().map(|value| value / length(hidden) as f32).collect();
        let mut values = Vec::with_capacity(rows * dims);
        for row in 0..rows {
            let across: Vec<f32> = (0..dims).map(|_| 3.0 * normal(&mut rng)).collect();
            let along: f32 = across.iter().zip(&hidden).map(|(a, b)| a * b).sum();
            let wanted = (row % 3) as f32 - 1.0 + 0.1 * normal(&mut rng);
            values.extend(across.iter().zip(&hidden).map(|(value, hidden)| value + (wanted - along) * hidden));
        }
        Self { values, hidden, dims, rows }
    }

    pub fn positions(&self) -> Positions<'_> {
        dense(&self.values, self.dims)
    }

    pub fn class_of(row: usize) -> Option<u32> {
        Some(row as u32 % 3)
    }
}
