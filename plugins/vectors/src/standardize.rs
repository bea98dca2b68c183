//! Columns to mean 0 and variance 1.

use crate::Vectors;
use rayon::prelude::*;

/// Rows are summed in blocks of this many, and the blocks in their order: the same bits for any number of threads.
const BLOCK_ROWS: usize = 4096;

/// Columns whose spread is this small a share of their mean are rounding dust around one value.
const CONSTANT_SPREAD: f64 = 1e-10;

/// How columns were brought to mean 0 and variance 1, so that further rows can be treated alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Standard {
    /// Mean of every column.
    pub mean: Vec<f64>,
    /// What every column is multiplied by after its mean is taken off: one over its deviation, 0 if it is constant.
    pub scale: Vec<f64>,
}

impl Standard {
    /// The means and deviations of a matrix.
    #[must_use]
    pub fn of(vectors: &Vectors) -> Self {
        let mean = column_means(vectors);
        let scale = |(variance, mean): (&f64, &f64)| {
            let spread = variance.sqrt();
            if spread > CONSTANT_SPREAD * mean.abs() { 1.0 / spread } else { 0.0 }
        };
        let scale = column_variances(vectors, &mean).iter().zip(&mean).map(scale).collect();
        Self { mean, scale }
    }

    /// Shifts and scales every row.
    ///
    /// # Panics
    /// If the rows do not have the dimensions that the means were found in.
    pub fn apply(&self, vectors: &mut Vectors) {
        assert_eq!(vectors.dims(), self.mean.len(), "the means were found in another space");
        let stride = vectors.stride().max(1);
        vectors.padded_mut().par_chunks_mut(stride).for_each(|row| {
            for ((value, mean), scale) in row.iter_mut().zip(&self.mean).zip(&self.scale) {
                *value = ((f64::from(*value) - mean) * scale) as f32;
            }
        });
    }
}

/// Scales every column to mean 0 and variance 1; a constant column becomes 0. Says how, for rows that come later.
pub fn standardize(vectors: &mut Vectors) -> Standard {
    let standard = Standard::of(vectors);
    standard.apply(vectors);
    standard
}

/// The mean of every column; zeros without rows.
pub(crate) fn column_means(vectors: &Vectors) -> Vec<f64> {
    average_of_rows(vectors, |_, value| value)
}

/// The population variance of every column.
pub(crate) fn column_variances(vectors: &Vectors, mean: &[f64]) -> Vec<f64> {
    average_of_rows(vectors, |column, value| (value - mean[column]).powi(2))
}

/// The average over all rows of `term(column, value)`, one number per column.
fn average_of_rows(vectors: &Vectors, term: impl Fn(usize, f64) -> f64 + Sync) -> Vec<f64> {
    let (rows, dims) = (vectors.rows(), vectors.dims());
    let blocks: Vec<Vec<f64>> = (0..rows.div_ceil(BLOCK_ROWS))
        .into_par_iter()
        .map(|block| {
            let mut sums = vec![0.0; dims];
            for row in block * BLOCK_ROWS..rows.min((block + 1) * BLOCK_ROWS) {
                for (column, (sum, &value)) in sums.iter_mut().zip(vectors.row(row)).enumerate() {
                    *sum += term(column, f64::from(value));
                }
            }
            sums
        })
        .collect();
    let mut average = vec![0.0; dims];
    for block in &blocks {
        for (total, sum) in average.iter_mut().zip(block) {
            *total += sum;
        }
    }
    for total in &mut average {
        *total /= rows.max(1) as f64;
    }
    average
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows enough for several blocks, columns with unlike means and scales; the third one is constant.
    fn uneven() -> Vectors {
        let values: Vec<f32> = (0..10_000)
            .flat_map(|i| [(i as f32 * 0.7).sin() * 300.0 + 1000.0, (i % 7) as f32 * 0.001, 0.1, (i as f32).cos()])
            .collect();
        Vectors::from_rows(&values, 4)
    }

    #[test]
    fn columns_get_mean_zero_and_variance_one_and_constants_become_zero() {
        let mut vectors = uneven();
        standardize(&mut vectors);
        let mean = column_means(&vectors);
        let variance = column_variances(&vectors, &mean);
        for column in [0, 1, 3] {
            assert!(mean[column].abs() < 1e-5, "mean of column {column} is {}", mean[column]);
            assert!((variance[column] - 1.0).abs() < 1e-4, "variance of column {column} is {}", variance[column]);
        }
        assert!((0..vectors.rows()).all(|row| vectors.row(row)[2] == 0.0), "a constant column must become 0");
        assert!(vectors.padded().chunks(8).all(|row| row[4..].iter().all(|&v| v == 0.0)), "padding must stay zero");
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let scaled = |threads| {
            let mut vectors = uneven();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
            pool.install(|| standardize(&mut vectors));
            vectors
        };
        assert_eq!(scaled(1), scaled(3));
    }

    #[test]
    fn an_empty_matrix_is_left_alone() {
        let mut vectors = Vectors::with_capacity(0, 3);
        standardize(&mut vectors);
        assert_eq!(vectors.rows(), 0);
    }

    #[test]
    fn further_rows_are_treated_as_the_first_were() {
        let all = uneven();
        let mut scaled = all.clone();
        let standard = standardize(&mut scaled);
        let mut later = Vectors::from_rows(all.row(4321), all.dims());
        standard.apply(&mut later);
        assert_eq!(later.row(0), scaled.row(4321));
        assert_ne!(later.row(0), all.row(4321));
    }
}
