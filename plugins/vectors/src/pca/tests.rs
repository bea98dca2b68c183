//! Principal axes against known answers.

use super::*;

/// Rows along known axes: coordinate `i` of the latent row has standard deviation `spread[i]`, then a rotation by
/// Householder reflection and a shift.
fn ellipsoid(rows: usize, dims: usize, spread: &[f64]) -> (Vectors, Vec<Vec<f64>>) {
    let mut state = 11;
    let mirror: Vec<f64> = {
        let raw: Vec<f64> = (0..dims).map(|_| uniform(&mut state)).collect();
        let length = raw.iter().map(|v| v * v).sum::<f64>().sqrt();
        raw.iter().map(|v| v / length).collect()
    };
    let axis = |i: usize| -> Vec<f64> {
        (0..dims).map(|d| f64::from(u8::from(d == i)) - 2.0 * mirror[i] * mirror[d]).collect()
    };
    let axes: Vec<Vec<f64>> = (0..spread.len()).map(axis).collect();
    let mut values = Vec::with_capacity(rows * dims);
    for _ in 0..rows {
        let latent: Vec<f64> = spread.iter().map(|s| s * 3f64.sqrt() * uniform(&mut state)).collect();
        let at = |d: usize| latent.iter().zip(&axes).map(|(l, axis)| l * axis[d]).sum::<f64>() + 5.0;
        values.extend((0..dims).map(|d| at(d) as f32));
    }
    (Vectors::from_rows(&values, dims), axes)
}

fn assert_finds(dims: usize, rows: usize) {
    let spread = [9.0, 5.0, 3.0, 0.5, 0.25];
    let (vectors, axes) = ellipsoid(rows, dims, &spread);
    let pca = Pca::fit(&vectors, 3, 1);
    for (i, axis) in axes.iter().take(3).enumerate() {
        let found = pca.axes.row(i);
        let cosine: f64 = axis.iter().zip(found).map(|(a, &b)| a * f64::from(b)).sum();
        assert!(cosine.abs() > 0.99, "{dims} dimensions, axis {i}: cosine {cosine}");
        let expected = spread[i] * spread[i];
        assert!((pca.variance[i] / expected - 1.0).abs() < 0.15, "axis {i}: variance {}", pca.variance[i]);
    }
    let (kept, all) = (115.0, 115.0 + 0.25 + 0.0625);
    assert!((pca.variance_kept - kept / all).abs() < 0.002, "kept {}", pca.variance_kept);
    assert_orthonormal(&pca);
}

fn assert_orthonormal(pca: &Pca) {
    for a in 0..pca.axes.rows() {
        for b in 0..pca.axes.rows() {
            let rows = pca.axes.row(a).iter().zip(pca.axes.row(b));
            let dot: f64 = rows.map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
            let expected = f64::from(u8::from(a == b));
            assert!((dot - expected).abs() < 1e-5, "axes {a} and {b}: {dot}");
        }
    }
}

#[test]
fn covariance_and_subspace_methods_find_known_axes() {
    assert_finds(40, 3000);
    assert_finds(300, 2100); // several tiles and blocks
    assert_finds(COVARIANCE_MAX_DIMS + 60, 900); // the randomised method
}

#[test]
fn a_line_has_one_axis() {
    let vectors = Vectors::from_rows(&[0.0, 0.0, 3.0, 4.0, 6.0, 8.0], 2);
    let pca = Pca::fit(&vectors, 1, 0);
    assert!((pca.axes.row(0)[0] - 0.6).abs() < 1e-6 && (pca.axes.row(0)[1] - 0.8).abs() < 1e-6);
    assert!((pca.variance[0] - 50.0 / 3.0).abs() < 1e-5 && (pca.variance_kept - 1.0).abs() < 1e-9);
    let projected = pca.project(&vectors);
    for (row, expected) in [-5.0, 0.0, 5.0].into_iter().enumerate() {
        assert!((projected.row(row)[0] - expected).abs() < 1e-5, "row {row}: {:?}", projected.row(row));
    }
}

#[test]
fn axes_do_not_depend_on_the_number_of_threads() {
    for dims in [150, COVARIANCE_MAX_DIMS + 1] {
        let (vectors, _) = ellipsoid(2500, dims, &[4.0, 3.0, 2.0, 1.0]);
        let fit = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
            pool.install(|| {
                let pca = Pca::fit(&vectors, 3, 7);
                let projected = pca.project(&vectors);
                (pca, projected)
            })
        };
        assert_eq!(fit(1), fit(3), "{dims} dimensions");
    }
}

#[test]
fn data_without_variance_and_few_rows_stay_finite() {
    for (rows, dims) in [(1, 5), (3, 5), (2, COVARIANCE_MAX_DIMS + 5)] {
        let vectors = Vectors::from_rows(&vec![2.5; rows * dims], dims);
        let pca = Pca::fit(&vectors, 4, 0);
        assert_eq!(pca.variance_kept, 1.0);
        assert_orthonormal(&pca);
        assert!(pca.project(&vectors).padded().iter().all(|v| v.is_finite()));
    }
    assert_eq!(Pca::fit(&Vectors::from_rows(&[1.0, 2.0, 3.0], 3), 9, 0).axes.rows(), 3);
}

#[test]
fn a_vector_comes_back_from_all_of_its_components() {
    let values: Vec<f32> = (0..40 * 6_u16).map(|at| f32::from(at * 37 % 101) / 10.0).collect();
    let vectors = Vectors::from_rows(&values, 6);
    let pca = Pca::fit(&vectors, 6, 1);
    let projected = pca.project(&vectors);
    let apart = |components: usize| {
        let restored = |row: usize| pca.restore(&projected.row(row)[..components]);
        let farthest = |row: usize| {
            restored(row).iter().zip(vectors.row(row)).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
        };
        (0..40).map(farthest).fold(0.0, f32::max)
    };
    assert!(apart(6) < 1e-4, "{}", apart(6));
    assert!(apart(2) > 0.1, "two components cannot hold everything");
}
