//! Values known from elsewhere: by hand, and from scikit-learn and SciPy.

use crate::naive::{assert_close, assert_differs, quiet, space};
use quality::{EvaluateOptions, Evaluation, evaluate};
use vectors::Metric;

fn of(hd: &[Vec<f32>], ld: &[Vec<f32>], k: usize) -> Evaluation {
    let options = EvaluateOptions { k, ..Default::default() };
    evaluate(&space(hd, Metric::Euclidean), &space(ld, Metric::Euclidean), &options, &quiet).unwrap()
}

fn on_a_line(places: [f32; 5]) -> Vec<Vec<f32>> {
    places.into_iter().map(|place| vec![place]).collect()
}

#[test]
fn five_points_by_hand() {
    // Points 2 and 3 change places. Neighbours in order, data against embedding:
    //   0: 1 2 3 4 | 1 3 2 4     1: 0 2 3 4 | 0 3 2 4     2: 1 0 3 4 | 3 1 0 4
    //   3: 2 1 0 4 | 1 0 2 4     4: 3 2 1 0 | 2 3 1 0
    // Shared: 2 of 5 at K = 1, 6 of 10 at K = 2, all at K = 3. With k = 2, one neighbour each of points 0 to 3 has
    // rank 3 in the other space: penalty 4 of at most 5·2·(10 − 6 − 1)/2 = 15.
    let hd = on_a_line([0.0, 1.0, 3.0, 7.0, 15.0]);
    let found = of(&hd, &on_a_line([0.0, 1.0, 7.0, 3.0, 15.0]), 2);
    assert_eq!(found.rnx.len(), 3);
    for ((k, value), expected) in found.rnx.iter().zip([0.2, 0.2, 1.0]) {
        assert_close(*value, expected, &format!("R_NX({k})"));
    }
    assert_close(found.auc, 19.0 / 55.0, "AUC");
    assert_close(found.trustworthiness, 1.0 - 4.0 / 15.0, "trustworthiness");
    assert_close(found.continuity, 1.0 - 4.0 / 15.0, "continuity");
    assert_close(found.knn_recall, 0.6, "k-NN recall");
    let moved = of(&hd, &on_a_line([0.0, 1.0, 7.0, 5.0, 15.0]), 2);
    assert_differs(moved.auc, found.auc, "AUC");
}

/// The same rows as `fixed` in the snippet below; every value is an integer that f32 holds exactly.
fn fixed(rows: usize, dims: usize, a: u64, b: u64) -> Vec<Vec<f32>> {
    let value = |i: usize| ((i * i) as u64 * a + i as u64 * b) % 100_003;
    (0..rows).map(|row| (0..dims).map(|dim| value(row * dims + dim) as f32).collect()).collect()
}

// import numpy as np
// from scipy.spatial.distance import pdist
// from scipy.stats import spearmanr
// from sklearn.manifold import trustworthiness
// def fixed(rows, dims, a, b):
//     i = np.arange(rows * dims, dtype=np.int64)
//     return ((i * i * a + i * b) % 100003).astype(float).reshape(rows, dims)
// hd, ld = fixed(60, 3, 7919, 10473), fixed(60, 2, 6007, 3001)
// ld = ld + 2 * hd[:, :2]
// for k in (5, 10): print(k, trustworthiness(hd, ld, n_neighbors=k), trustworthiness(ld, hd, n_neighbors=k))
// print(spearmanr(pdist(hd), pdist(ld))[0])
/// (k, trustworthiness, continuity)
const SCIKIT_LEARN: [(usize, f64, f64); 2] =
    [(5, 0.778_846_153_846_153_9, 0.847_884_615_384_615_3), (10, 0.811_947_565_543_071_1, 0.844_382_022_471_910_1)];
const SCIPY_SPEARMAN: f64 = 0.596_265_415_968_956_8;

#[test]
fn scikit_learn_and_scipy_find_the_same() {
    let hd = fixed(60, 3, 7919, 10_473);
    let mut ld = fixed(60, 2, 6007, 3001);
    for (ld, hd) in ld.iter_mut().zip(&hd) {
        ld.iter_mut().zip(hd).for_each(|(ld, hd)| *ld += 2.0 * hd);
    }
    for (k, trustworthiness, continuity) in SCIKIT_LEARN {
        let found = of(&hd, &ld, k);
        assert_close(found.trustworthiness, trustworthiness, "trustworthiness");
        assert_close(found.continuity, continuity, "continuity");
        assert_close(found.distance_correlation, SCIPY_SPEARMAN, "distance correlation");
    }
    ld[7][0] += 30_000.0;
    let moved = of(&hd, &ld, 5);
    assert_differs(moved.trustworthiness, SCIKIT_LEARN[0].1, "trustworthiness");
    assert_differs(moved.continuity, SCIKIT_LEARN[0].2, "continuity");
    assert_differs(moved.distance_correlation, SCIPY_SPEARMAN, "distance correlation");
}
