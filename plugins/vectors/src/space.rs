//! Rows under a metric.

use crate::{Metric, Vectors, kernel};
use rayon::prelude::*;

/// One row as a kernel takes it.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The values, padded with zeros to whole lanes.
    pub values: &'a [f32],
    /// Number of values that are not padding.
    pub dims: usize,
    /// Mean of the values (correlation only, else 0).
    pub mean: f32,
    /// One over the length of the (centred) row, 0 for a zero row (cosine and correlation only, else 0).
    pub inverse_norm: f32,
}

/// A matrix together with the metric that compares its rows.
#[derive(Debug, Clone)]
pub struct Space {
    vectors: Vectors,
    metric: Metric,
    /// `[mean, inverse norm]` of each row; empty for metrics that need neither.
    row_stats: Vec<[f32; 2]>,
}

impl Space {
    /// Takes the matrix and prepares what the metric needs to know of each row.
    #[must_use]
    pub fn new(vectors: Vectors, metric: Metric) -> Self {
        let mut space = Self { vectors, metric, row_stats: Vec::new() };
        space.set_metric(metric);
        space
    }

    /// Compares rows by another metric from now on.
    pub fn set_metric(&mut self, metric: Metric) {
        self.metric = metric;
        let centred = match metric {
            Metric::Cosine => false,
            Metric::Correlation => true,
            _ => return self.row_stats = Vec::new(),
        };
        let vectors = &self.vectors;
        self.row_stats = (0..vectors.rows()).into_par_iter().map(|row| row_stats(vectors.row(row), centred)).collect();
    }

    /// Puts other values into a row, or appends it as the next.
    ///
    /// # Panics
    /// If the row lies beyond the next, or does not have as many values as the others.
    pub fn put(&mut self, row: usize, values: &[f32]) {
        if row == self.vectors.rows() {
            self.vectors.push(values);
        } else {
            self.vectors.row_mut(row).copy_from_slice(values);
        }
        if matches!(self.metric, Metric::Cosine | Metric::Correlation) {
            self.row_stats.resize(self.vectors.rows(), [0.0; 2]);
            self.row_stats[row] = row_stats(values, self.metric == Metric::Correlation);
        }
    }

    /// The metric in force.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The matrix.
    #[must_use]
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Gives the matrix back.
    #[must_use]
    pub fn into_vectors(self) -> Vectors {
        self.vectors
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.vectors.rows()
    }

    /// One row as a kernel takes it.
    #[must_use]
    #[inline(always)]
    pub fn row(&self, row: usize) -> Row<'_> {
        let [mean, inverse_norm] = self.row_stats.get(row).copied().unwrap_or_default();
        Row { values: self.vectors.padded_row(row), dims: self.vectors.dims(), mean, inverse_norm }
    }

    /// The squared distance of two rows. For single pairs; blocks of work go through [`kernel::dispatch`].
    #[must_use]
    pub fn squared_distance(&self, a: usize, b: usize) -> f32 {
        struct Pair<'a>(Row<'a>, Row<'a>);
        impl kernel::WithKernel for Pair<'_> {
            type Output = f32;
            #[inline(always)]
            fn run<K: kernel::Kernel, S: pulp::Simd>(self, simd: S) -> f32 {
                K::squared(simd, self.0, self.1)
            }
        }
        kernel::dispatch(self.metric, Pair(self.row(a), self.row(b)))
    }
}

/// Mean and inverse norm of a row; the mean is zero where rows are not centred.
fn row_stats(values: &[f32], centred: bool) -> [f32; 2] {
    let sum = |f: &dyn Fn(f64) -> f64| values.iter().map(|&v| f(f64::from(v))).sum::<f64>();
    let dims = values.len() as f64;
    let mean = if centred { sum(&|v| v) / dims } else { 0.0 };
    let norm = sum(&|v| (v - mean).powi(2)).sqrt();
    // A constant row has rounding dust instead of a zero norm; dust has no direction.
    let dust = 1e-6 * mean.abs() * dims.sqrt();
    [mean as f32, if norm > dust { (1.0 / norm) as f32 } else { 0.0 }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_put_in_are_as_if_they_had_been_there() {
        let (before, other, more) = ([1.0, 2.0, 4.0], [3.0, -1.0, 0.5], [0.0, 7.0, 2.0]);
        let all = |rows: &[[f32; 3]]| Vectors::from_rows(&rows.concat(), 3);
        for metric in [Metric::Euclidean, Metric::Cosine, Metric::Correlation] {
            let mut space = Space::new(all(&[before, before]), metric);
            space.put(1, &other);
            space.put(2, &more);
            let expected = Space::new(all(&[before, other, more]), metric);
            assert_eq!((space.vectors(), &space.row_stats), (expected.vectors(), &expected.row_stats), "{metric}");
        }
    }
}
