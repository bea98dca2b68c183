//! Tile: how near some rows are to many others, all pairs at once. A few rows are held against strips of sixteen others
//! whose values lie axis by axis, so that every value that is read serves several pairs and sums stay in registers: ten
//! to forty times as many pairs a second as one by one.
//!
//! What comes out is a *nearness* that ranks as the metric does, `a·b − ‖b‖²/2` for Euclidean rows and the cosine for
//! angular ones. It is rounded more coarsely than a distance; the rows it keeps are measured again.

use crate::lists::EMPTY;
use pulp::Simd;
use rayon::prelude::*;
use vectors::{Metric, Space};

/// Rows that are held against a strip together.
pub const QUERIES: usize = 6;
/// Rows of a strip.
pub const STRIP: usize = 16;
/// Strips that are gone through together, at most.
pub const STRIPS: usize = 4;
/// Rows in this many strips.
pub const PANEL: usize = STRIP * STRIPS;
/// Nearness of a place that holds no row.
const NOBODY: f32 = f32::NEG_INFINITY;
/// One row in this many is enough to know the middle of all.
const MIDDLE_STEP: usize = 16;

/// True for metrics whose ranks a nearness can tell.
#[must_use]
pub fn is_dense(metric: Metric) -> bool {
    matches!(metric, Metric::Euclidean | Metric::Cosine | Metric::Correlation)
}

/// How rows are laid down: moved to the middle of the data, where products lose fewer digits, or turned into directions.
#[derive(Debug, Clone)]
pub struct Frame {
    middle: Vec<f32>,
    angular: bool,
}

impl Frame {
    /// The frame of a space.
    #[must_use]
    pub fn of(space: &Space) -> Self {
        let angular = space.metric() != Metric::Euclidean;
        let mut sums = vec![0.0_f64; space.vectors().dims()];
        let step = MIDDLE_STEP.min(space.rows().div_ceil(MIDDLE_STEP)).max(1);
        let rows = (0..space.rows()).step_by(step);
        let count = rows.len().max(1) as f64;
        if !angular {
            for row in rows {
                sums.iter_mut().zip(space.vectors().row(row)).for_each(|(sum, &value)| *sum += f64::from(value));
            }
        }
        Self { middle: sums.iter().map(|sum| (sum / count) as f32).collect(), angular }
    }

    /// What a nearness must exceed for the squared distance to be less than that; what [`half`](Self::half) says of the
    /// row that looks is still to be added.
    #[inline(always)]
    #[must_use]
    pub fn limit(&self, squared: f32) -> f32 {
        if self.angular { 1.0 - squared.sqrt() } else { -0.5 * squared }
    }

    /// What is taken off products with a row of the frame.
    #[must_use]
    pub fn half(&self, row: &[f32]) -> f32 {
        if self.angular { 0.0 } else { half(row) }
    }

    /// Values of a row.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.middle.len()
    }

    /// One row in the frame.
    #[inline(always)]
    pub fn put(&self, space: &Space, row: usize, into: &mut [f32]) {
        let row = space.row(row);
        let values = into.iter_mut().zip(row.values);
        if self.angular {
            values.for_each(|(into, value)| *into = (value - row.mean) * row.inverse_norm);
        } else {
            values.zip(&self.middle).for_each(|((into, value), middle)| *into = value - middle);
        }
    }
}

/// What is taken off a product with a row where lengths count: half of its squared length.
fn half(values: &[f32]) -> f32 {
    0.5 * values.iter().map(|value| value * value).sum::<f32>()
}

/// Rows in strips, and who they are.
#[derive(Debug, Clone, Default)]
pub struct Strips {
    dims: usize,
    /// `[strips][dims]` values of sixteen rows.
    values: Vec<[f32; STRIP]>,
    /// `[strips]` what is taken off their products.
    halves: Vec<[f32; STRIP]>,
    /// `[strips]` the rows themselves, [`EMPTY`] where there is none.
    pub points: Vec<[u32; STRIP]>,
}

impl Strips {
    /// Lays rows down; `points` says which, [`EMPTY`] for none, and is a whole number of strips.
    #[must_use]
    pub fn of(points: Vec<[u32; STRIP]>, frame: &Frame, put: impl Fn(u32, &mut [f32]) + Sync) -> Self {
        Self::laid(points, frame.dims(), |row| frame.half(row), put)
    }

    /// As [`of`](Self::of) for rows that are none of the frame, such as middles: their lengths always count.
    #[must_use]
    pub fn of_lengths(points: Vec<[u32; STRIP]>, dims: usize, put: impl Fn(u32, &mut [f32]) + Sync) -> Self {
        Self::laid(points, dims, half, put)
    }

    fn laid(
        points: Vec<[u32; STRIP]>,
        dims: usize,
        half: impl Fn(&[f32]) -> f32 + Sync,
        put: impl Fn(u32, &mut [f32]) + Sync,
    ) -> Self {
        let mut values = vec![[0.0; STRIP]; points.len() * dims];
        let mut halves = vec![[-NOBODY; STRIP]; points.len()];
        let strips = values.par_chunks_mut(dims).zip(&mut halves).zip(&points);
        strips.with_min_len(16).for_each_init(
            || vec![0.0; dims],
            |row, ((values, halves), points)| {
                for (lane, &point) in points.iter().enumerate().filter(|(_, point)| **point != EMPTY) {
                    put(point, row);
                    halves[lane] = half(row);
                    values.iter_mut().zip(row.iter()).for_each(|(values, &value)| values[lane] = value);
                }
            },
        );
        Self { dims, values, halves, points }
    }

    /// Number of strips.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// True if there is no strip.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Nearness of some rows to all rows of up to [`STRIPS`] strips from `first` on; returns how many strips those are.
    /// Rows have at least as many values as those of the strips.
    #[inline(always)]
    pub fn tile<S: Simd>(
        &self,
        simd: S,
        rows: [&[f32]; QUERIES],
        first: usize,
        end: usize,
        out: &mut [[f32; PANEL]; QUERIES],
    ) -> usize {
        let count = (end - first).min(STRIPS);
        let wide = S::REGISTER_COUNT >= 32;
        match count {
            4 if wide => self.block::<S, 4>(simd, rows, first, 0, out),
            3 if wide => self.block::<S, 3>(simd, rows, first, 0, out),
            1 => self.block::<S, 1>(simd, rows, first, 0, out),
            _ => {
                self.block::<S, 2>(simd, rows, first, 0, out);
                match count {
                    4 => self.block::<S, 2>(simd, rows, first + 2, 2, out),
                    3 => self.block::<S, 1>(simd, rows, first + 2, 2, out),
                    _ => {}
                }
            }
        }
        count
    }

    /// Nearness of some rows to everybody.
    #[inline(always)]
    pub fn nearness<S: Simd>(&self, simd: S, rows: [&[f32]; QUERIES]) -> [Vec<f32>; QUERIES] {
        let mut near = [const { Vec::new() }; QUERIES];
        near.iter_mut().for_each(|near: &mut Vec<f32>| near.reserve(self.len() * STRIP));
        let mut out = [[0.0; PANEL]; QUERIES];
        for first in (0..self.len()).step_by(STRIPS) {
            let count = self.tile(simd, rows, first, self.len(), &mut out);
            near.iter_mut().zip(&out).for_each(|(near, out)| near.extend_from_slice(&out[..count * STRIP]));
        }
        near
    }

    #[inline(always)]
    fn block<S: Simd, const R: usize>(
        &self,
        simd: S,
        rows: [&[f32]; QUERIES],
        first: usize,
        at: usize,
        out: &mut [[f32; PANEL]; QUERIES],
    ) {
        let dims = self.dims;
        let mut strips: [&[[f32; STRIP]]; R] = [&[]; R];
        for (strip, values) in strips.iter_mut().zip(self.values[first * dims..][..R * dims].chunks_exact(dims)) {
            *strip = &values[..dims];
        }
        let mut own: [&[f32]; QUERIES] = [&[]; QUERIES];
        for (own, row) in own.iter_mut().zip(rows) {
            *own = &row[..dims];
        }
        for piece in 0..STRIP / S::F32_LANES {
            let mut sums = [[simd.splat_f32s(0.0); R]; QUERIES];
            for axis in 0..dims {
                let mut there = [simd.splat_f32s(0.0); R];
                for r in 0..R {
                    there[r] = S::as_simd_f32s(&strips[r][axis]).0[piece];
                }
                for q in 0..QUERIES {
                    let value = simd.splat_f32s(own[q][axis]);
                    for r in 0..R {
                        sums[q][r] = simd.mul_add_e_f32s(value, there[r], sums[q][r]);
                    }
                }
            }
            for r in 0..R {
                let half = S::as_simd_f32s(&self.halves[first + r]).0[piece];
                for q in 0..QUERIES {
                    let place = &mut out[q][(at + r) * STRIP..][..STRIP];
                    S::as_mut_simd_f32s(place).0[piece] = simd.sub_f32s(sums[q][r], half);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::{Arch, WithSimd};
    use vectors::Vectors;

    struct Near<'a>(&'a Strips, [&'a [f32]; QUERIES], usize);
    impl WithSimd for Near<'_> {
        type Output = (usize, [[f32; PANEL]; QUERIES]);
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let mut out = [[f32::NAN; PANEL]; QUERIES];
            let count = self.0.tile(simd, self.1, self.2, self.0.len(), &mut out);
            (count, out)
        }
    }

    fn space(rows: usize, dims: usize, metric: Metric) -> Space {
        let values: Vec<f32> = (0..rows * dims).map(|i| ((i * i) as f32 * 0.37).sin() + 0.25).collect();
        Space::new(Vectors::from_rows(&values, dims), metric)
    }

    /// Rows in strips, one place in seven of which is empty.
    fn strips(space: &Space, frame: &Frame, count: usize) -> Strips {
        let place = |at: usize| if at % 7 == 5 { EMPTY } else { (at % space.rows()) as u32 };
        let points = (0..count).map(|strip| std::array::from_fn(|lane| place(strip * STRIP + lane))).collect();
        Strips::of(points, frame, |point, row| frame.put(space, point as usize, row))
    }

    #[test]
    fn a_nearness_ranks_as_the_metric_does() {
        for (metric, dims) in
            [(Metric::Euclidean, 1), (Metric::Euclidean, 19), (Metric::Cosine, 9), (Metric::Correlation, 8)]
        {
            let space = space(40, dims, metric);
            let frame = Frame::of(&space);
            let strips = strips(&space, &frame, 7);
            let mut rows = vec![0.0; QUERIES * dims];
            rows.chunks_exact_mut(dims).enumerate().for_each(|(row, values)| frame.put(&space, row, values));
            let mut held = [rows.as_slice(); QUERIES];
            held.iter_mut().zip(rows.chunks_exact(dims)).for_each(|(held, row)| *held = row);
            for first in [0, 4, 5, 6] {
                let (count, out) = Arch::new().dispatch(Near(&strips, held, first));
                assert_eq!(count, (7 - first).min(STRIPS));
                for (row, near) in out.iter().enumerate() {
                    let own: f32 = 2.0 * half(held[row]);
                    for (at, &nearness) in near[..count * STRIP].iter().enumerate() {
                        let other = strips.points.as_flattened()[first * STRIP + at];
                        if other == EMPTY {
                            assert_eq!(nearness, NOBODY);
                            continue;
                        }
                        let expected = space.squared_distance(row, other as usize);
                        let found =
                            if metric == Metric::Euclidean { own - 2.0 * nearness } else { (1.0 - nearness).powi(2) };
                        assert!((found - expected).abs() < 1e-4, "{metric}, {row} and {other}: {found} {expected}");
                    }
                    assert!(near[count * STRIP..].iter().all(|value| value.is_nan()), "written beyond its end");
                }
            }
        }
    }
}
