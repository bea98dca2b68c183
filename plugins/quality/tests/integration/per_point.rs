//! `per_point` against the plain definitions.

use crate::naive::{self, blurred, noise, orders, quiet, space};
use quality::{PerPoint, PerPointOptions, per_point};
use vectors::Metric;

const ROWS: usize = 130;

fn of(hd: &[Vec<f32>], ld: &[Vec<f32>], metric: Metric, options: &PerPointOptions) -> PerPoint {
    per_point(&space(hd, metric), &space(ld, Metric::Euclidean), options, &quiet).unwrap()
}

fn expected(hd: &[Vec<f32>], ld: &[Vec<f32>], metric: Metric, k: usize) -> PerPoint {
    let (hd_orders, ld_orders) = (orders(hd, metric), orders(ld, Metric::Euclidean));
    let kept = hd_orders.iter().zip(&ld_orders).map(|(hd, ld)| naive::overlap(hd, ld, k) as f32);
    let correlation = (0..hd.len()).map(|query| {
        let others = (0..hd.len()).filter(|&row| row != query);
        let pair = |row: usize| {
            let hd = naive::distance(metric, &hd[query], &hd[row]);
            (hd, naive::distance(Metric::Euclidean, &ld[query], &ld[row]))
        };
        naive::spearman(&others.map(pair).collect::<Vec<_>>()) as f32
    });
    PerPoint { neighbourhood_kept: kept.collect(), distance_correlation: correlation.collect() }
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn both_figures_agree_with_their_definitions_under_every_metric() {
    let hd = noise(ROWS, 5, 21);
    let ld = blurred(&hd, 2, 0.3, 22);
    for metric in Metric::ALL {
        let found = of(&hd, &ld, metric, &PerPointOptions::default());
        let plain = expected(&hd, &ld, metric, 7); // ⌈0.05·130⌉
        assert!(largest_difference(&found.neighbourhood_kept, &plain.neighbourhood_kept) < 1e-6, "{metric}");
        assert!(largest_difference(&found.distance_correlation, &plain.distance_correlation) < 1e-6, "{metric}");
        let other = expected(&hd, &blurred(&hd, 2, 0.3, 23), metric, 7);
        assert!(largest_difference(&found.neighbourhood_kept, &other.neighbourhood_kept) > 0.1);
        assert!(largest_difference(&found.distance_correlation, &other.distance_correlation) > 0.01);
    }
    let few = of(&hd, &ld, Metric::Euclidean, &PerPointOptions { k: 3, ..Default::default() });
    let plain = expected(&hd, &ld, Metric::Euclidean, 3);
    assert!(largest_difference(&few.neighbourhood_kept, &plain.neighbourhood_kept) < 1e-6);
}

#[test]
fn samples_estimate_the_whole_and_a_perfect_embedding_stays_perfect() {
    let hd = noise(2000, 3, 24);
    let ld = blurred(&hd, 2, 0.05, 25);
    let all = PerPointOptions { k: 100, references: 2000, ..Default::default() };
    let part = PerPointOptions { k: 32, candidates: 640, references: 500, seed: 1 }; // 5 % of both
    let (whole, part_found) = (of(&hd, &ld, Metric::Euclidean, &all), of(&hd, &ld, Metric::Euclidean, &part));
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
    for (a, b) in [
        (&whole.neighbourhood_kept, &part_found.neighbourhood_kept),
        (&whole.distance_correlation, &part_found.distance_correlation),
    ] {
        assert!((mean(a) - mean(b)).abs() < 0.03, "{} {}", mean(a), mean(b));
        assert!(mean(a) < 0.95);
        assert_ne!(a, b);
    }
    let perfect = of(&hd, &hd, Metric::Euclidean, &part);
    assert!(perfect.neighbourhood_kept.iter().all(|&kept| kept == 1.0));
    assert!(perfect.distance_correlation.iter().all(|&correlation| correlation > 0.999_99));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let hd = noise(700, 4, 26);
    let ld = blurred(&hd, 2, 0.2, 27);
    let with = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let options = PerPointOptions { references: 100, seed, ..Default::default() };
        pool.install(|| of(&hd, &ld, Metric::Euclidean, &options))
    };
    assert_eq!(with(1, 0), with(3, 0));
    assert_ne!(with(1, 0), with(3, 1));
}

#[test]
fn bad_input_is_named_and_three_rows_are_enough() {
    let (three, four) = (space(&noise(3, 2, 1), Metric::Euclidean), space(&noise(4, 2, 1), Metric::Euclidean));
    let error = per_point(&three, &four, &PerPointOptions::default(), &quiet).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the data has 3 rows and the embedding 4: they must be the same rows in the same order"
    );
    let none = PerPointOptions { references: 0, ..Default::default() };
    let error = per_point(&four, &four, &none, &quiet).unwrap_err();
    assert_eq!(error.to_string(), "option `references` is 0: it must be at least 1");
    let one = PerPointOptions { candidates: 1, references: 1, ..Default::default() };
    for options in [PerPointOptions::default(), one] {
        let found = per_point(&three, &three, &options, &quiet).unwrap();
        assert_eq!(found.neighbourhood_kept, [1.0; 3]);
    }
}
