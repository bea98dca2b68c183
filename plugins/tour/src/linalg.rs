//! The few decompositions that tours need, on one thread: rounding must not depend on how many there are.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::svd::{ComputeSvdVectors, svd, svd_scratch};
use faer::{Accum, Mat, MatRef, Par};
use glam::DMat3;

/// `left · diag(values) · rightᵀ` with orthonormal columns left and right; values fall.
pub(crate) struct Svd {
    pub(crate) left: Mat<f64>,
    pub(crate) values: Vec<f64>,
    pub(crate) right: Mat<f64>,
}

/// The thin singular value decomposition; none if a number is not finite.
pub(crate) fn thin_svd(matrix: &Mat<f64>) -> Option<Svd> {
    let (rows, columns) = matrix.shape();
    let size = rows.min(columns);
    let thin = ComputeSvdVectors::Thin;
    let scratch = svd_scratch::<f64>(rows, columns, thin, thin, Par::Seq, faer::prelude::default());
    let mut memory = MemBuffer::new(scratch);
    let (mut left, mut right) = (Mat::zeros(rows, size), Mat::zeros(columns, size));
    let mut values = Diag::zeros(size);
    svd(
        matrix.as_ref(),
        values.as_mut(),
        Some(left.as_mut()),
        Some(right.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        faer::prelude::default(),
    )
    .ok()?;
    let values: Vec<f64> = values.column_vector().iter().copied().collect();
    values.iter().all(|value| value.is_finite()).then_some(Svd { left, values, right })
}

/// Eigenvalues of a symmetric matrix and eigenvectors as columns, the largest first; none if a number is not finite.
pub(crate) fn symmetric_eigen(matrix: &Mat<f64>) -> Option<(Vec<f64>, Mat<f64>)> {
    let n = matrix.nrows();
    let scratch = self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, faer::prelude::default());
    let mut memory = MemBuffer::new(scratch);
    let mut values = Diag::zeros(n);
    let mut vectors = Mat::zeros(n, n);
    self_adjoint_evd(
        matrix.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        faer::prelude::default(),
    )
    .ok()?;
    let falling: Vec<f64> = values.column_vector().iter().rev().copied().collect();
    let vectors = Mat::from_fn(n, n, |row, column| vectors[(row, n - 1 - column)]);
    falling.iter().all(|value| value.is_finite()).then_some((falling, vectors))
}

/// The product of two matrices.
pub(crate) fn product(left: MatRef<'_, f64>, right: MatRef<'_, f64>) -> Mat<f64> {
    let mut product = Mat::zeros(left.nrows(), right.ncols());
    matmul(product.as_mut(), Accum::Replace, left, right, 1.0, Par::Seq);
    product
}

/// What is left of `matrix` once all that the orthonormal `columns` span is taken off.
pub(crate) fn outside(columns: &Mat<f64>, matrix: &Mat<f64>) -> Mat<f64> {
    let mut rest = matrix.clone();
    // Twice, so that rounding leaves nothing behind.
    for _ in 0..2 {
        let inside = product(columns.transpose(), rest.as_ref());
        rest -= product(columns.as_ref(), inside.as_ref());
    }
    rest
}

/// The nearest matrix with orthonormal columns; none if a number is not finite.
pub(crate) fn nearest_orthonormal(matrix: &Mat<f64>) -> Option<Mat<f64>> {
    let Svd { left, right, .. } = thin_svd(matrix)?;
    Some(product(left.as_ref(), right.transpose()))
}

/// The columns one after the other, each without what those before it span. Their directions must differ.
pub(crate) fn gram_schmidt(columns: &Mat<f64>) -> Mat<f64> {
    let mut done = Mat::zeros(columns.nrows(), 0);
    for column in columns.col_iter() {
        let rest = outside(&done, &Mat::from_fn(column.nrows(), 1, |row, _| column[row]));
        let length = rest.norm_l2();
        done = beside(&done, &(rest * faer::Scale(1.0 / length)));
    }
    done
}

/// The columns of both.
pub(crate) fn beside(left: &Mat<f64>, right: &Mat<f64>) -> Mat<f64> {
    let split = left.ncols();
    Mat::from_fn(left.nrows(), split + right.ncols(), |row, column| {
        if column < split { left[(row, column)] } else { right[(row, column - split)] }
    })
}

/// The sum of the products of all numbers, pair by pair.
pub(crate) fn dot(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    a.col_iter().zip(b.col_iter()).map(|(a, b)| a.iter().zip(b.iter()).map(|(a, b)| a * b).sum::<f64>()).sum()
}

/// A square matrix of up to three columns in the corner of the identity.
pub(crate) fn small(matrix: &Mat<f64>) -> DMat3 {
    let mut small = DMat3::IDENTITY;
    for column in 0..matrix.ncols() {
        for row in 0..matrix.nrows() {
            small.col_mut(column)[row] = matrix[(row, column)];
        }
    }
    small
}
