//! Calibrate on whole lists; single rows are tested beside the stage.

use crate::support::data;
use embedding::cpu::calibrate::{Gaussian, calibrate, perplexities};
use embedding::cpu::widen::Neighbourhoods;
use embedding::lists::Lists;
use vectors::{Metric, Space};

/// Largest relative error of the perplexity that a calibrated row may have.
const PERPLEXITY_ERROR: f64 = 2e-3;
const POINTS: usize = 600;
const K: usize = 48;

/// The perplexity of a row, straight from the definition.
fn perplexity(gaussian: &Gaussian, distances: &[f32]) -> f64 {
    let nearest = f64::from(distances[0]);
    let e: Vec<f64> =
        distances.iter().map(|&d| (-f64::from(gaussian.beta[1]) * (f64::from(d) - nearest)).exp()).collect();
    let sum: f64 = e.iter().sum();
    e.iter().filter(|&&e| e > 0.0).map(|e| -(e / sum) * (e / sum).ln()).sum::<f64>().exp()
}

fn lists(metric: Metric) -> Lists {
    data::exact_lists(&Space::new(data::cloud(POINTS, 7, 9), metric), K)
}

#[test]
fn every_row_reaches_the_perplexity_under_every_metric() {
    for metric in Metric::ALL {
        let hd = lists(metric);
        let mut gaussians = vec![Gaussian::default(); POINTS];
        for wanted in [5.0, 30.0, 15.0] {
            // From the second turn on rows start at the width of another perplexity.
            calibrate(Neighbourhoods::listed(&hd), &[true; POINTS], perplexities(wanted, 1.0), &mut gaussians);
            for (point, gaussian) in gaussians.iter().enumerate() {
                let reached = perplexity(gaussian, hd.distances(point));
                let error = (reached / f64::from(wanted) - 1.0).abs();
                assert!(error < PERPLEXITY_ERROR, "row {point} has {reached} instead of {wanted} ({metric})");
                let sum: f64 = hd.distances(point).iter().map(|&d| f64::from(gaussian.p(d))).sum();
                assert!((sum - 1.0).abs() < 1e-4, "p of row {point} sums to {sum} ({metric})");
                let narrower = Gaussian { beta: gaussian.beta.map(|beta| 1.1 * beta), ..*gaussian };
                let error = (perplexity(&narrower, hd.distances(point)) / f64::from(wanted) - 1.0).abs();
                assert!(error > PERPLEXITY_ERROR, "a narrower Gaussian goes unnoticed in row {point} ({metric})");
            }
        }
    }
}

#[test]
fn rows_that_are_not_dirty_stay_as_they_were() {
    let hd = lists(Metric::Euclidean);
    let before = Gaussian { beta: [0.123; 3], nearest: 4.5, inverse_sum: [0.67; 3] };
    let mut gaussians = vec![before; POINTS];
    let dirty: Vec<bool> = (0..POINTS).map(|point| point % 3 == 1).collect();
    calibrate(Neighbourhoods::listed(&hd), &dirty, perplexities(12.0, 1.0), &mut gaussians);
    for (point, gaussian) in gaussians.iter().enumerate() {
        assert_eq!(*gaussian != before, dirty[point], "row {point}");
    }
}

#[test]
fn rows_that_are_not_full_count_only_what_they_hold() {
    let full = data::exact_lists(&Space::new(data::cloud(POINTS, 7, 9), Metric::Euclidean), 20);
    let mut padded = full.clone();
    padded.resize(K);
    let (mut expected, mut found) = (vec![Gaussian::default(); POINTS], vec![Gaussian::default(); POINTS]);
    calibrate(Neighbourhoods::listed(&full), &[true; POINTS], perplexities(8.0, 1.0), &mut expected);
    calibrate(Neighbourhoods::listed(&padded), &[true; POINTS], perplexities(8.0, 1.0), &mut found);
    assert_eq!(found, expected);
}
