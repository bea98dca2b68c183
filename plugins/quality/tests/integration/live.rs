//! `LiveQuality` against `evaluate`.

use crate::naive::{assert_differs, blurred, noise, quiet, space};
use quality::{EvaluateOptions, LiveCurve, LiveOptions, LiveQuality, evaluate};
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Metric;

fn wanted() -> bool {
    false
}

fn options(queries: usize, max_k: usize) -> LiveOptions {
    LiveOptions { queries, max_k, seed: 5 }
}

fn live(hd: &[Vec<f32>], metric: Metric, options: &LiveOptions) -> LiveQuality {
    LiveQuality::new(&space(hd, metric), options, &wanted).unwrap()
}

/// Positions `stride` apart, with something that must not be read in between.
fn strided(rows: &[Vec<f32>], stride: usize) -> Vec<f32> {
    rows.iter().flat_map(|row| row.iter().copied().chain(std::iter::repeat(f32::NAN)).take(stride)).collect()
}

fn measure(live: &LiveQuality, ld: &[Vec<f32>]) -> LiveCurve {
    live.measure(&strided(ld, ld[0].len() + 1), ld[0].len(), ld[0].len() + 1)
}

/// What `evaluate` says of the same queries.
fn evaluated(hd: &[Vec<f32>], ld: &[Vec<f32>], metric: Metric, live: &LiveOptions) -> LiveCurve {
    let options = EvaluateOptions { queries: live.queries, max_k: live.max_k, seed: live.seed, k: 1 };
    let found = evaluate(&space(hd, metric), &space(ld, Metric::Euclidean), &options, &quiet).unwrap();
    LiveCurve { auc: found.auc, rnx: found.rnx, queries: found.queries }
}

#[test]
fn a_measurement_is_that_of_evaluate_under_every_metric_and_in_any_dimension() {
    let hd = noise(700, 7, 1);
    for metric in Metric::ALL {
        let options = options(90, 200);
        let live = live(&hd, metric, &options);
        for dims in [1, 2, 3, 4, 6] {
            let ld = blurred(&hd, dims, 0.3, 2);
            let found = measure(&live, &ld);
            assert_eq!(found, evaluated(&hd, &ld, metric, &options), "{metric} {dims}");
            assert_eq!((found.queries, found.rnx.len(), live.queries().len()), (90, 200, 90));
            let other = measure(&live, &blurred(&hd, dims, 0.3, 3));
            assert_differs(found.auc, other.auc, "AUC");
            let mut swapped = ld.clone();
            swapped.swap(live.queries()[0] as usize, live.queries()[1] as usize);
            assert_ne!(found.rnx, measure(&live, &swapped).rnx, "{metric} {dims}");
        }
    }
}

#[test]
fn ties_are_broken_as_evaluate_breaks_them() {
    // Groups of equal rows in the data, and an embedding on a coarse grid.
    let hd: Vec<Vec<f32>> = noise(400, 3, 4).iter().map(|row| row.iter().map(|x| x.round()).collect()).collect();
    let ld: Vec<Vec<f32>> =
        blurred(&hd, 2, 0.5, 5).iter().map(|row| row.iter().map(|x| (4.0 * x).round()).collect()).collect();
    let options = options(400, 100);
    let found = measure(&live(&hd, Metric::Euclidean, &options), &ld);
    assert_eq!(found, evaluated(&hd, &ld, Metric::Euclidean, &options));
    assert!(found.auc > 0.05);
    let other_seed = LiveOptions { seed: 6, ..options };
    assert_ne!(found.rnx, evaluated(&hd, &ld, Metric::Euclidean, &other_seed).rnx);
    let imploded = measure(&live(&hd, Metric::Euclidean, &other_seed), &vec![vec![1.0, 2.0]; 400]);
    assert!(imploded.auc.abs() < 0.02, "a map without distances scores {}", imploded.auc);
}

#[test]
fn the_same_cache_serves_many_embeddings() {
    let hd = noise(600, 3, 7);
    let live = live(&hd, Metric::Euclidean, &LiveOptions::default());
    let perfect: Vec<Vec<f32>> = hd.iter().map(|row| row.iter().map(|x| -3.0 * x).collect()).collect();
    let aucs: Vec<f64> = [0.05, 0.2, 0.8].iter().map(|&blur| measure(&live, &blurred(&hd, 2, blur, 8)).auc).collect();
    assert!(measure(&live, &perfect).auc > 1.0 - 1e-6); // but for rounding
    assert!(aucs[0] > aucs[1] + 0.05 && aucs[1] > aucs[2] + 0.05, "{aucs:?}");
    assert!(measure(&live, &noise(600, 2, 9)).auc.abs() < 0.02);
    assert_eq!(measure(&live, &blurred(&hd, 2, 0.2, 8)).auc, aucs[1], "nothing is left of what was measured before");
}

#[test]
fn few_rows_are_enough_and_fewer_do_not_break_it() {
    for rows in [3, 4, 5, 10, 17, 100] {
        let hd = noise(rows, 3, 10);
        let ld = blurred(&hd, 2, 0.3, 11);
        let found = measure(&live(&hd, Metric::Euclidean, &LiveOptions::default()), &ld);
        let defaults = LiveOptions::default();
        assert_eq!(found, evaluated(&hd, &ld, Metric::Euclidean, &defaults), "{rows} rows");
        assert_eq!((found.queries, found.rnx.len()), (rows, rows - 2));
        let none = LiveOptions { queries: 0, max_k: 0, seed: 0 };
        let least = measure(&live(&hd, Metric::Euclidean, &none), &ld);
        assert_eq!((least.queries, least.rnx.len()), (1, 1));
    }
    for rows in [1, 2] {
        let live = live(&noise(rows, 3, 12), Metric::Euclidean, &LiveOptions::default());
        let found = measure(&live, &noise(rows, 2, 13));
        assert_eq!(found, LiveCurve { auc: 0.0, rnx: vec![], queries: 0 });
    }
}

#[test]
fn positions_that_are_not_finite_are_far_and_at_chance_level() {
    let hd = noise(500, 3, 14);
    let all = LiveOptions { queries: 500, ..LiveOptions::default() };
    let live = live(&hd, Metric::Euclidean, &all);
    let whole = measure(&live, &hd).auc;
    assert!(whole > 1.0 - 1e-6, "{whole}"); // but for distances that are the same in `f32`
    for dims in [3, 6] {
        for lost in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
            let mut ld: Vec<Vec<f32>> = hd.iter().map(|row| row.iter().copied().cycle().take(dims).collect()).collect();
            ld[3][1] = lost;
            ld[400][0] = lost;
            let one_lost = measure(&live, &ld).auc;
            assert!((0.95..0.9999).contains(&one_lost), "{lost} twice gives {one_lost}");
            ld.iter_mut().for_each(|row| row[dims - 1] = lost);
            let all_lost = measure(&live, &ld).auc;
            assert!(all_lost.is_finite() && (all_lost.abs() < 0.02 || lost == 1e30), "{lost} everywhere: {all_lost}");
        }
    }
}

#[test]
fn cancelling_ends_it_without_a_result() {
    let hd = space(&noise(2000, 3, 15), Metric::Euclidean);
    let options = LiveOptions { queries: 2000, ..LiveOptions::default() };
    for patience in [0, 1, 7] {
        let asked = AtomicUsize::new(0);
        let cancelled = || asked.fetch_add(1, Ordering::Relaxed) >= patience;
        assert!(LiveQuality::new(&hd, &options, &cancelled).is_none());
        let asked = asked.into_inner();
        assert!(asked < patience + 60, "asked {asked} times, of which {patience} were answered no");
    }
    assert!(LiveQuality::new(&hd, &options, &wanted).is_some());
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let hd = noise(3000, 4, 16);
    let with = |threads: usize, blur_seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let ld = blurred(&hd, 2, 0.2, blur_seed);
        pool.install(|| measure(&live(&hd, Metric::Euclidean, &LiveOptions::default()), &ld))
    };
    assert_eq!(with(1, 17), with(3, 17));
    assert_ne!(with(1, 17), with(3, 18));
}

#[test]
#[should_panic(expected = "10 rows of 2 values do not have 18")]
fn an_embedding_of_other_rows_is_refused() {
    let live = live(&noise(10, 3, 19), Metric::Euclidean, &LiveOptions::default());
    let _ = live.measure(&[0.0; 18], 2, 2);
}
