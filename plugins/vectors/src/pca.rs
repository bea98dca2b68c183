//! Leading principal axes.
//!
//! Up to [`COVARIANCE_MAX_DIMS`] dimensions the covariance matrix is built (blocks of rows, `f32` products summed in
//! `f64`) and decomposed. Above that the matrix is never formed: a random subspace is multiplied by the covariance
//! through the rows until it turns into the leading axes (randomised subspace iteration).
//!
//! Every sum has a fixed order, so the axes are the same for any number of threads.

use crate::Vectors;
use crate::standardize::{column_means, column_variances};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

/// Up to this many dimensions the covariance matrix is decomposed whole.
pub const COVARIANCE_MAX_DIMS: usize = 1200;

/// Rows that are multiplied at once: a block of them stays in the cache.
const BLOCK_ROWS: usize = 1024;
/// Columns of one tile of the covariance matrix: a unit of parallel work, and a whole number of kernel rows (24).
const TILE: usize = 96;
/// Extra directions that the randomised search carries along; they make the wanted ones converge sooner.
const EXTRA_AXES: usize = 14;
/// How often the random subspace is multiplied by the covariance.
const SUBSPACE_PASSES: usize = 7;

/// The leading principal axes of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Pca {
    /// Mean of every input column.
    pub mean: Vec<f64>,
    /// The axes as rows (`k × dims`), orthonormal, by falling variance; the largest component of each is positive.
    pub axes: Vectors,
    /// Variance of the rows along each axis.
    pub variance: Vec<f64>,
    /// Share of the whole variance that the axes carry, 0 to 1 (1 if there is no variance at all).
    pub variance_kept: f64,
}

impl Pca {
    /// Finds the `k` leading axes (at most as many as there are dimensions); `seed` starts the randomised search.
    #[must_use]
    pub fn fit(vectors: &Vectors, k: usize, seed: u64) -> Self {
        let dims = vectors.dims();
        let k = k.min(dims);
        let mean = column_means(vectors);
        let centre: Vec<f32> = mean.iter().map(|&m| m as f32).collect();
        let (axes, variance, total) = if dims <= COVARIANCE_MAX_DIMS {
            let covariance = covariance(vectors, &centre);
            let total: f64 = (0..dims).map(|d| covariance[(d, d)]).sum();
            let (axes, variance) = leading_eigenvectors(&covariance, k);
            (axes, variance, total)
        } else {
            let (axes, variance) = leading_subspace(vectors, &centre, k, seed);
            (axes, variance, column_variances(vectors, &mean).iter().sum())
        };
        let kept: f64 = variance.iter().sum();
        let variance_kept = if total > 0.0 { (kept / total).clamp(0.0, 1.0) } else { 1.0 };
        Self { mean, axes: rows_with_fixed_sign(&axes), variance, variance_kept }
    }

    /// The vector that has these components, as near as they tell.
    #[must_use]
    pub fn restore(&self, components: &[f32]) -> Vec<f32> {
        let mut restored: Vec<f32> = self.mean.iter().map(|&mean| mean as f32).collect();
        for (axis, &component) in components.iter().enumerate().take(self.axes.rows()) {
            restored.iter_mut().zip(self.axes.row(axis)).for_each(|(value, along)| *value += component * along);
        }
        restored
    }

    /// The coordinates of every row along the axes.
    ///
    /// # Panics
    /// If the rows do not have the dimensions that the axes were found in.
    #[must_use]
    pub fn project(&self, vectors: &Vectors) -> Vectors {
        assert_eq!(vectors.dims(), self.axes.dims(), "the axes were found in another space");
        let mut projected = Vectors::zeros(vectors.rows(), self.axes.rows());
        if self.axes.rows() == 0 || vectors.rows() == 0 {
            return projected;
        }
        let centre: Vec<f32> = self.mean.iter().map(|&m| m as f32).collect();
        let axes = view(self.axes.padded(), self.axes.rows(), self.axes.dims(), self.axes.stride());
        let stride = projected.stride();
        projected.padded_mut().par_chunks_mut(BLOCK_ROWS * stride).enumerate().for_each_init(
            Vec::new,
            |block, item| {
                let (index, out) = item;
                let rows = out.len() / stride;
                fill_centred(vectors, &centre, index * BLOCK_ROWS, rows, block);
                let block = view(block, rows, vectors.dims(), vectors.stride());
                // Not straight into `out`: faer 0.24 writes outside a row-major destination of one row or one column.
                let mut scores = Mat::<f32>::zeros(self.axes.rows(), rows);
                matmul(scores.as_mut(), Accum::Replace, axes, block.transpose(), 1.0f32, Par::Seq);
                for (row, scores) in out.chunks_exact_mut(stride).zip(scores.col_iter()) {
                    row.iter_mut().zip(scores.iter()).for_each(|(out, &score)| *out = score);
                }
            },
        );
        projected
    }
}

/// The covariance matrix: blocks of rows one after the other, tiles of the matrix in parallel, lower half mirrored.
fn covariance(vectors: &Vectors, centre: &[f32]) -> Mat<f64> {
    let (rows, dims, stride) = (vectors.rows(), vectors.dims(), vectors.stride());
    let tile_columns = |tile: usize| tile * TILE..dims.min((tile + 1) * TILE);
    let tiles = dims.div_ceil(TILE);
    let mut sums: Vec<(usize, usize, Mat<f64>)> = (0..tiles)
        .flat_map(|i| (0..=i).map(move |j| (i, j)))
        .map(|(i, j)| (i, j, Mat::zeros(tile_columns(i).len(), tile_columns(j).len())))
        .collect();
    let mut block = Vec::new();
    for first in (0..rows).step_by(BLOCK_ROWS) {
        let count = BLOCK_ROWS.min(rows - first);
        fill_centred(vectors, centre, first, count, &mut block);
        let block = view(&block, count, dims, stride);
        sums.par_iter_mut().for_each(|(i, j, sum)| {
            let left = block.subcols(*i * TILE, sum.nrows());
            let right = block.subcols(*j * TILE, sum.ncols());
            let mut product = Mat::<f32>::zeros(sum.nrows(), sum.ncols());
            matmul(product.as_mut(), Accum::Replace, left.transpose(), right, 1.0f32, Par::Seq);
            for (total, part) in sum.col_iter_mut().zip(product.col_iter()) {
                total.iter_mut().zip(part.iter()).for_each(|(total, &part)| *total += f64::from(part));
            }
        });
    }
    let mut covariance = Mat::zeros(dims, dims);
    let scale = 1.0 / rows.max(1) as f64;
    for (i, j, sum) in &sums {
        for (b, column) in sum.col_iter().enumerate() {
            for (a, value) in column.iter().enumerate() {
                covariance[(i * TILE + a, j * TILE + b)] = value * scale;
                covariance[(j * TILE + b, i * TILE + a)] = value * scale;
            }
        }
    }
    covariance
}

/// Copies rows with the column means taken off; the padding stays zero.
fn fill_centred(vectors: &Vectors, centre: &[f32], first: usize, count: usize, block: &mut Vec<f32>) {
    let stride = vectors.stride();
    block.clear();
    block.resize(count * stride, 0.0);
    let source = vectors.padded()[first * stride..].chunks_exact(stride);
    for (out, row) in block.chunks_exact_mut(stride).zip(source) {
        for ((out, value), centre) in out.iter_mut().zip(row).zip(centre) {
            *out = value - centre;
        }
    }
}

fn view(values: &[f32], rows: usize, columns: usize, stride: usize) -> MatRef<'_, f32> {
    MatRef::from_row_major_slice_with_stride(values, rows, columns, stride)
}

/// The `k` eigenvectors of a symmetric matrix with the largest eigenvalues, as columns, and those eigenvalues.
fn leading_eigenvectors(matrix: &Mat<f64>, k: usize) -> (Mat<f64>, Vec<f64>) {
    let n = matrix.nrows();
    let mut vectors = Mat::<f64>::zeros(n, n);
    let mut values = faer::diag::Diag::<f64>::zeros(n);
    // One thread: faer's parallel steps are split by the number of threads, and so would the rounding be.
    let scratch = self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, faer::prelude::default());
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    let solved = self_adjoint_evd(
        matrix.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        stack,
        faer::prelude::default(),
    );
    if solved.is_err() {
        // Only numbers that are not finite get here: the plain axes are as good as any.
        return (Mat::identity(n, k), vec![0.0; k]);
    }
    // Eigenvalues rise; the last are the leading ones.
    let axes = Mat::from_fn(n, k, |row, axis| vectors[(row, n - 1 - axis)]);
    let variance = (0..k).map(|axis| values.column_vector()[n - 1 - axis].max(0.0)).collect();
    (axes, variance)
}

/// Randomised subspace iteration: multiplies a random subspace by the covariance, straight from the rows.
fn leading_subspace(vectors: &Vectors, centre: &[f32], k: usize, seed: u64) -> (Mat<f64>, Vec<f64>) {
    let dims = vectors.dims();
    let width = (k + EXTRA_AXES).min(dims);
    let mut state = seed;
    let mut subspace = Mat::from_fn(dims, width, |_, _| uniform(&mut state));
    orthonormalize(&mut subspace);
    for _ in 0..SUBSPACE_PASSES {
        subspace = covariance_times(vectors, centre, &subspace);
        orthonormalize(&mut subspace);
    }
    // Rayleigh–Ritz: the axes of the covariance within the subspace.
    let image = covariance_times(vectors, centre, &subspace);
    let mut small = Mat::<f64>::zeros(width, width);
    matmul(small.as_mut(), Accum::Replace, subspace.transpose(), &image, 1.0, Par::Seq);
    let symmetric = Mat::from_fn(width, width, |i, j| 0.5 * (small[(i, j)] + small[(j, i)]));
    let (rotation, variance) = leading_eigenvectors(&symmetric, k);
    let mut axes = Mat::zeros(dims, k);
    matmul(axes.as_mut(), Accum::Replace, &subspace, &rotation, 1.0, Par::Seq);
    (axes, variance)
}

/// Covariance × subspace without the covariance: `Σ blockᵀ (block × subspace) / rows`, in the order of the blocks.
fn covariance_times(vectors: &Vectors, centre: &[f32], subspace: &Mat<f64>) -> Mat<f64> {
    let (rows, dims, width) = (vectors.rows(), vectors.dims(), subspace.ncols());
    let basis = Mat::from_fn(dims, width, |i, j| subspace[(i, j)] as f32);
    // A fixed number of strips, each summed by one thread, bounds the memory and fixes the order.
    let strip_rows = rows.div_ceil(16).next_multiple_of(BLOCK_ROWS);
    let strips: Vec<Mat<f64>> = (0..rows.div_ceil(strip_rows.max(1)))
        .into_par_iter()
        .map(|strip| {
            let mut sum = Mat::<f64>::zeros(dims, width);
            let mut block = Vec::new();
            for first in (strip * strip_rows..rows.min((strip + 1) * strip_rows)).step_by(BLOCK_ROWS) {
                let count = BLOCK_ROWS.min(rows - first);
                fill_centred(vectors, centre, first, count, &mut block);
                let block = view(&block, count, dims, vectors.stride());
                let mut scores = Mat::<f32>::zeros(count, width);
                matmul(scores.as_mut(), Accum::Replace, block, &basis, 1.0f32, Par::Seq);
                let mut part = Mat::<f32>::zeros(dims, width);
                matmul(part.as_mut(), Accum::Replace, block.transpose(), &scores, 1.0f32, Par::Seq);
                for (total, part) in sum.col_iter_mut().zip(part.col_iter()) {
                    total.iter_mut().zip(part.iter()).for_each(|(total, &part)| *total += f64::from(part));
                }
            }
            sum
        })
        .collect();
    let mut product = Mat::<f64>::zeros(dims, width);
    for strip in &strips {
        product += strip;
    }
    product * faer::Scale(1.0 / rows.max(1) as f64)
}

/// Gram–Schmidt, twice over, so that rounding leaves nothing behind; a vanished column becomes an unused unit vector.
fn orthonormalize(columns: &mut Mat<f64>) {
    let (rows, count) = (columns.nrows(), columns.ncols());
    let dot = |m: &Mat<f64>, a: usize, b: usize| -> f64 { (0..rows).map(|r| m[(r, a)] * m[(r, b)]).sum() };
    for column in 0..count {
        let mut next_unit = 0;
        loop {
            let before = dot(columns, column, column).sqrt();
            for _ in 0..2 {
                for earlier in 0..column {
                    let overlap = dot(columns, earlier, column);
                    for row in 0..rows {
                        columns[(row, column)] -= overlap * columns[(row, earlier)];
                    }
                }
            }
            let length = dot(columns, column, column).sqrt();
            if length > 1e-12 * before.max(f64::MIN_POSITIVE) && length.is_finite() && length > 0.0 {
                for row in 0..rows {
                    columns[(row, column)] /= length;
                }
                break;
            }
            if next_unit == rows {
                break;
            }
            for row in 0..rows {
                columns[(row, column)] = if row == next_unit { 1.0 } else { 0.0 };
            }
            next_unit += 1;
        }
    }
}

/// Columns as rows of a matrix; the sign of each makes its largest component positive.
fn rows_with_fixed_sign(axes: &Mat<f64>) -> Vectors {
    let mut rows = Vectors::zeros(axes.ncols(), axes.nrows());
    for axis in 0..axes.ncols() {
        let largest = axes.col(axis).iter().fold(0.0f64, |best, &v| if v.abs() > best.abs() { v } else { best });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        for (out, value) in rows.row_mut(axis).iter_mut().zip(axes.col(axis).iter()) {
            *out = (sign * value) as f32;
        }
    }
    rows
}

/// The next number of SplitMix64, spread evenly over −1 to 1.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests;
