//! Duplicate rows: order among equals is worth nothing, membership is not punished.

use crate::naive::{noise, quiet, space};
use quality::{EvaluateOptions, Evaluation, PerPointOptions, evaluate, per_point};
use vectors::Metric;

fn of(hd: &[Vec<f32>], ld: &[Vec<f32>], k: usize) -> Evaluation {
    let options = EvaluateOptions { k, ..Default::default() };
    evaluate(&space(hd, Metric::Euclidean), &space(ld, Metric::Euclidean), &options, &quiet).unwrap()
}

#[test]
fn equal_rows_agree_with_nothing() {
    let same = vec![vec![1.0, 2.0]; 400];
    let scattered = noise(400, 2, 41);
    for (hd, ld) in [(&same, &scattered), (&scattered, &same), (&same, &same)] {
        let found = of(hd, ld, 10);
        assert!(found.auc.abs() < 0.01, "{}", found.auc);
        assert!((found.trustworthiness - 0.5).abs() < 0.02, "{}", found.trustworthiness);
        assert!((found.continuity - 0.5).abs() < 0.02, "{}", found.continuity);
        assert_eq!(found.distance_correlation, 0.0);
    }
    assert!(of(&scattered, &scattered, 10).auc > 0.99);
}

/// 30 places, each taken by 10 rows.
fn groups(seed: u64) -> Vec<Vec<f32>> {
    let places = noise(30, 3, seed);
    (0..300).map(|row| places[row * 7 % 30].clone()).collect()
}

#[test]
fn groups_of_duplicates_count_as_groups() {
    let hd = groups(42);
    let found = of(&hd, &hd, 5);
    assert_eq!(found.rnx[8], (9, 1.0), "the 9 nearest are the other 9 of the group");
    // Four of nine chosen twice at random agree in 4/9 of their places; chance level of R_NX is subtracted.
    let expected = (299.0 * (4.0 / 9.0) - 4.0) / (299.0 - 4.0);
    assert!((found.rnx[3].1 - expected).abs() < 0.04, "{} {expected}", found.rnx[3].1);
    assert_eq!(found.knn_recall, 1.0, "any duplicate will do");
    assert!(found.trustworthiness > 0.98 && found.trustworthiness < 1.0);

    let mut torn = hd.clone();
    torn[3] = vec![50.0, 50.0, 50.0];
    let torn = of(&hd, &torn, 5);
    assert!(torn.rnx[8].1 < 1.0 && torn.knn_recall < 1.0);
}

#[test]
fn a_point_among_duplicates_keeps_its_neighbourhood() {
    let hd = space(&groups(43), Metric::Euclidean);
    let options = PerPointOptions { k: 5, ..Default::default() };
    let found = per_point(&hd, &hd, &options, &quiet).unwrap();
    assert!(found.neighbourhood_kept.iter().all(|&kept| kept == 1.0));
    let elsewhere = space(&noise(300, 3, 44), Metric::Euclidean);
    let found = per_point(&hd, &elsewhere, &options, &quiet).unwrap();
    assert!(found.neighbourhood_kept.iter().sum::<f32>() / 300.0 < 0.1);
}
