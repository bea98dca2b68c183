//! `evaluate` against the plain definitions.

use crate::naive::{self, assert_close, assert_differs, blurred, noise, orders, quiet, space};
use quality::{EvaluateOptions, Evaluation, QualityError, evaluate};
use vectors::Metric;

const ROWS: usize = 150;

fn of(hd: &[Vec<f32>], ld: &[Vec<f32>], metric: Metric, options: &EvaluateOptions) -> Evaluation {
    evaluate(&space(hd, metric), &space(ld, Metric::Euclidean), options, &quiet).unwrap()
}

#[test]
fn every_figure_agrees_with_its_definition_under_every_metric() {
    let hd = noise(ROWS, 5, 1);
    let ld = blurred(&hd, 2, 0.3, 2);
    let other_ld = orders(&blurred(&hd, 2, 0.8, 3), Metric::Euclidean);
    let ld_orders = orders(&ld, Metric::Euclidean);
    for metric in Metric::ALL {
        let hd_orders = orders(&hd, metric);
        let found = of(&hd, &ld, metric, &EvaluateOptions::default());
        assert_eq!((found.queries, found.k, found.rnx.len()), (ROWS, 10, ROWS - 2));
        for &(k, value) in &found.rnx {
            assert_close(value, naive::r_nx(&hd_orders, &ld_orders, k), &format!("{metric} R_NX({k})"));
        }
        assert_differs(found.rnx[9].1, naive::r_nx(&hd_orders, &other_ld, 10), "R_NX(10)");
        assert_close(found.auc, naive::auc(&hd_orders, &ld_orders, ROWS - 2), "AUC");
        assert_differs(found.auc, naive::auc(&hd_orders, &other_ld, ROWS - 2), "AUC");
        assert_close(found.knn_recall, naive::q_nx(&hd_orders, &ld_orders, 10), "k-NN recall");
        assert_differs(found.knn_recall, naive::q_nx(&hd_orders, &other_ld, 10), "k-NN recall");
        let trust = |ld| naive::trustworthiness(&hd_orders, ld, 10);
        assert_close(found.trustworthiness, trust(&ld_orders), "trustworthiness");
        assert_differs(found.trustworthiness, trust(&other_ld), "trustworthiness");
        let continuity = |ld| naive::trustworthiness(ld, &hd_orders, 10);
        assert_close(found.continuity, continuity(&ld_orders), "continuity");
        assert_differs(found.continuity, continuity(&other_ld), "continuity");
        assert_differs(found.continuity, trust(&ld_orders), "continuity is not trustworthiness");
    }
}

#[test]
fn short_lists_do_not_change_ranks_beyond_them() {
    let hd = noise(ROWS, 4, 5);
    let ld = noise(ROWS, 2, 6); // neighbours are anywhere, mostly beyond the lists
    let long = of(&hd, &ld, Metric::Euclidean, &EvaluateOptions::default());
    for max_k in [1, 7, 40] {
        let short = of(&hd, &ld, Metric::Euclidean, &EvaluateOptions { max_k, ..Default::default() });
        assert_eq!(short.rnx, long.rnx[..max_k]);
        assert_eq!((short.trustworthiness, short.continuity), (long.trustworthiness, long.continuity));
        assert_eq!(short.knn_recall, long.knn_recall);
    }
    let smaller = of(&hd, &ld, Metric::Euclidean, &EvaluateOptions { k: 9, ..Default::default() });
    assert_differs(smaller.trustworthiness, long.trustworthiness, "k");
}

#[test]
fn distance_correlation_agrees_with_its_definition() {
    let hd = noise(40, 5, 7);
    let ld = blurred(&hd, 2, 0.3, 8);
    // `evaluate` sees each pair from both of its ends; doubling all pairs leaves their correlation as it is.
    let pairs = |ld: &[Vec<f32>]| {
        let mut pairs = Vec::new();
        for a in 0..40 {
            for b in 0..a {
                let distance = |rows: &[Vec<f32>]| naive::distance(Metric::Euclidean, &rows[a], &rows[b]);
                pairs.push((distance(&hd), distance(ld)));
            }
        }
        naive::spearman(&pairs)
    };
    let found = of(&hd, &ld, Metric::Euclidean, &EvaluateOptions::default()).distance_correlation;
    assert_close(found, pairs(&ld), "distance correlation");
    assert_differs(found, pairs(&blurred(&hd, 2, 0.3, 9)), "distance correlation");
}

#[test]
fn a_perfect_embedding_is_one_and_a_random_one_is_zero() {
    let hd = noise(600, 3, 12);
    let mirrored: Vec<Vec<f32>> = hd.iter().map(|row| vec![-2.0 * row[0], 2.0 * row[1], 2.0 * row[2]]).collect();
    let perfect = of(&hd, &mirrored, Metric::Euclidean, &EvaluateOptions::default());
    assert_eq!((perfect.auc, perfect.trustworthiness, perfect.continuity), (1.0, 1.0, 1.0));
    assert!(perfect.knn_recall == 1.0 && perfect.distance_correlation > 1.0 - 1e-9);
    let random = of(&hd, &noise(600, 2, 13), Metric::Euclidean, &EvaluateOptions::default());
    assert!(random.auc.abs() < 0.01, "{}", random.auc);
    assert!((random.trustworthiness - 0.5).abs() < 0.02, "{}", random.trustworthiness);
    assert!((random.continuity - 0.5).abs() < 0.02, "{}", random.continuity);
    assert!(random.distance_correlation.abs() < 0.05, "{}", random.distance_correlation);
    assert!(random.knn_recall < 0.05);
}

#[test]
fn a_sample_of_queries_estimates_the_whole() {
    let hd = noise(2000, 5, 14);
    let ld = blurred(&hd, 2, 0.1, 15);
    let options = |queries, seed| EvaluateOptions { queries, seed, ..Default::default() };
    let whole = of(&hd, &ld, Metric::Euclidean, &options(2000, 0));
    let part = of(&hd, &ld, Metric::Euclidean, &options(400, 0));
    assert_eq!((whole.queries, part.queries), (2000, 400));
    let figures = |e: &Evaluation| [e.auc, e.trustworthiness, e.continuity, e.knn_recall, e.distance_correlation];
    for (part, whole) in figures(&part).into_iter().zip(figures(&whole)) {
        assert!((part - whole).abs() < 0.02, "{part} {whole}");
    }
    assert_eq!(part, of(&hd, &ld, Metric::Euclidean, &options(400, 0)));
    assert_ne!(part, of(&hd, &ld, Metric::Euclidean, &options(400, 1)));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let hd = noise(3000, 4, 16);
    let ld = blurred(&hd, 2, 0.2, 17);
    let options = EvaluateOptions { queries: 500, max_k: 100, ..Default::default() };
    let with = |threads: usize, ld: &[Vec<f32>]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| of(&hd, ld, Metric::Euclidean, &options))
    };
    assert_eq!(with(1, &ld), with(3, &ld));
    assert_ne!(with(1, &ld), with(3, &blurred(&hd, 2, 0.2, 18)));
}

#[test]
fn progress_reaches_the_total() {
    let hd = noise(100, 3, 19);
    let last = std::sync::atomic::AtomicUsize::new(0);
    let heard = |done: usize, total: usize| {
        assert!(done <= total && total == 60);
        last.fetch_max(done, std::sync::atomic::Ordering::Relaxed);
    };
    let data = space(&hd, Metric::Euclidean);
    evaluate(&data, &data, &EvaluateOptions { queries: 60, ..Default::default() }, &heard).unwrap();
    assert_eq!(last.into_inner(), 60);
}

#[test]
fn bad_input_is_named() {
    let message = |hd: &[Vec<f32>], ld: &[Vec<f32>], options: &EvaluateOptions| {
        let (hd, ld) = (space(hd, Metric::Euclidean), space(ld, Metric::Euclidean));
        evaluate(&hd, &ld, options, &quiet).unwrap_err().to_string()
    };
    let (five, four, two) = (noise(5, 2, 1), noise(4, 2, 1), noise(2, 2, 1));
    let default = EvaluateOptions::default();
    assert_eq!(
        message(&five, &four, &default),
        "the data has 5 rows and the embedding 4: they must be the same rows in the same order"
    );
    assert_eq!(message(&two, &two, &default), "2 rows are too few to compare neighbourhoods: at least 3 are needed");
    let none = EvaluateOptions { max_k: 0, ..Default::default() };
    assert_eq!(message(&five, &five, &none), "option `max_k` is 0: it must be at least 1");
    let mut broken = five.clone();
    broken[3][1] = f32::NAN;
    let expected = QualityError::NotFinite { space: "embedding", row: 3 }.to_string();
    assert_eq!(message(&five, &broken, &default), expected);
    assert_eq!(expected, "row 3 of the embedding is not finite: distances to it have no order");
}

#[test]
fn three_rows_are_enough_and_huge_values_do_not_break_it() {
    let three = noise(3, 2, 1);
    let found = of(&three, &three, Metric::Euclidean, &EvaluateOptions::default());
    assert_eq!((found.rnx.len(), found.k, found.auc), (1, 1, 1.0));
    let huge: Vec<Vec<f32>> = noise(30, 2, 1).iter().map(|row| row.iter().map(|x| x * 1e30).collect()).collect();
    for metric in Metric::ALL {
        let found = of(&huge, &huge, metric, &EvaluateOptions::default());
        assert!(found.auc.is_finite() && found.trustworthiness.is_finite());
    }
}

#[test]
fn json_has_the_curve_as_pairs() {
    let three = noise(3, 2, 1);
    let json = serde_json::to_value(of(&three, &three, Metric::Euclidean, &EvaluateOptions::default())).unwrap();
    assert_eq!(json["rnx"], serde_json::json!([[1, 1.0]]));
    let options: EvaluateOptions = serde_json::from_str(r#"{"queries": 7}"#).unwrap();
    assert_eq!(options, EvaluateOptions { queries: 7, ..Default::default() });
}
