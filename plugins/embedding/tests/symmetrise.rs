//! Symmetrise against a dense matrix.

use crate::support::data;
use embedding::affinities::Affinities;
use embedding::cpu::calibrate::{Gaussian, calibrate, perplexities};
use embedding::cpu::symmetrise::symmetrise;
use embedding::cpu::widen::Neighbourhoods;
use embedding::lists::Lists;
use std::collections::BTreeMap;
use vectors::{Metric, Space, Vectors};

/// Largest error of a weight, as a share of it, beside rounding of tiny ones.
const WEIGHT_ERROR: f64 = 1e-5;
/// Largest error of the sum of all weights, as a share of it.
const SUM_ERROR: f64 = 1e-4;

/// `N·p_ij` of every stored pair, both directions looked up in a dense matrix.
fn dense(hd: &Lists, gaussians: &[Gaussian]) -> Vec<BTreeMap<u32, f64>> {
    let points = gaussians.len();
    let mut p = vec![vec![None; points]; points];
    for (point, row) in p.iter_mut().enumerate() {
        for (neighbour, &distance) in hd.neighbours(point).zip(hd.distances(point)) {
            let Gaussian { beta, nearest, inverse_sum } = gaussians[point];
            let shifted = f64::from(distance) - f64::from(nearest);
            let scales = beta.iter().zip(inverse_sum);
            let p = scales.map(|(&beta, inverse_sum)| (-f64::from(beta) * shifted).exp() * f64::from(inverse_sum));
            row[neighbour as usize] = Some(p.sum());
        }
    }
    let pair = |i: usize, j: usize| match (p[i][j], p[j][i]) {
        (None, None) => None,
        (there, back) => Some(0.5 * (there.unwrap_or(0.0) + back.unwrap_or(0.0))),
    };
    (0..points).map(|i| (0..points).filter_map(|j| Some((j as u32, pair(i, j)?))).collect()).collect()
}

fn agrees(affinities: &Affinities, expected: &[BTreeMap<u32, f64>]) -> Result<(), String> {
    for (point, expected) in expected.iter().enumerate() {
        let (neighbours, weights) = affinities.row(point);
        if !neighbours.iter().eq(expected.keys()) {
            return Err(format!("row {point} names {neighbours:?} instead of {:?}", expected.keys()));
        }
        for ((neighbour, &weight), expected) in neighbours.iter().zip(weights).zip(expected.values()) {
            let error = (f64::from(weight) - expected).abs();
            if error.is_nan() || error > WEIGHT_ERROR * expected + 1e-9 {
                return Err(format!("{point} and {neighbour} weigh {weight} instead of {expected}"));
            }
        }
    }
    Ok(())
}

fn sum(affinities: &Affinities, points: usize) -> f64 {
    (0..points).flat_map(|point| affinities.row(point).1).map(|&weight| f64::from(weight)).sum()
}

fn calibrated(hd: &Lists, points: usize) -> Vec<Gaussian> {
    let mut gaussians = vec![Gaussian::default(); points];
    calibrate(Neighbourhoods::listed(hd), &vec![true; points], perplexities(4.0, 1.0), &mut gaussians);
    gaussians
}

/// Lists of true neighbours, and what is special about them.
fn cases() -> Vec<(&'static str, Vectors, usize, usize)> {
    let mut duplicates = data::cloud(120, 3, 5);
    for row in 0..60 {
        let original = duplicates.row(row % 7).to_vec();
        duplicates.row_mut(row).copy_from_slice(&original);
    }
    vec![
        ("two points", data::cloud(2, 3, 1), 1, 1),
        ("more entries than others", data::cloud(5, 3, 2), 12, 12),
        ("empty entries", data::cloud(90, 4, 3), 7, 16),
        ("several blocks", data::cloud(1030, 4, 4), 9, 9),
        ("duplicates", duplicates, 8, 8),
    ]
}

#[test]
fn affinities_are_the_mean_of_both_directions() {
    for (case, vectors, found, k) in cases() {
        let points = vectors.rows();
        let mut hd = data::exact_lists(&Space::new(vectors, Metric::Euclidean), found);
        hd.resize(k);
        hd.mark_all_new(); // marks are no part of a name
        let gaussians = calibrated(&hd, points);
        let expected = dense(&hd, &gaussians);
        let mut affinities = Affinities::default();
        assert!(affinities.is_empty());
        symmetrise(Neighbourhoods::listed(&hd), &gaussians, &mut affinities);
        assert_eq!(agrees(&affinities, &expected), Ok(()), "{case}");
        let pairs: usize = (0..points).map(|point| affinities.row(point).0.len()).sum();
        assert_eq!(pairs, expected.iter().map(BTreeMap::len).sum::<usize>(), "{case}");
        let sum = sum(&affinities, points) / points as f64;
        assert!((sum - 1.0).abs() < SUM_ERROR, "{case}: p sums to {sum}");

        if points > 2 {
            let mut perturbed = gaussians.clone();
            perturbed[points - 1].inverse_sum[1] *= 1.03;
            symmetrise(Neighbourhoods::listed(&hd), &perturbed, &mut affinities);
            assert!(agrees(&affinities, &expected).is_err(), "{case}: a wrong Gaussian goes unnoticed");
        }
    }
}

#[test]
fn rows_ascend_and_both_ends_of_a_pair_weigh_the_same() {
    let points = 700;
    let hd = data::exact_lists(&Space::new(data::cloud(points, 4, 6), Metric::Euclidean), 10);
    let mut affinities = Affinities::default();
    symmetrise(Neighbourhoods::listed(&hd), &calibrated(&hd, points), &mut affinities);
    for point in 0..points {
        let (neighbours, weights) = affinities.row(point);
        assert!(neighbours.is_sorted_by(|a, b| a < b), "row {point} is {neighbours:?}");
        assert!(!neighbours.contains(&(point as u32)));
        for (&neighbour, weight) in neighbours.iter().zip(weights) {
            let (back, back_weights) = affinities.row(neighbour as usize);
            let place = back.binary_search(&(point as u32)).expect("a pair stands in both rows");
            assert_eq!(back_weights[place].to_bits(), weight.to_bits(), "{point} and {neighbour}");
        }
    }
}

#[test]
fn a_second_call_leaves_nothing_of_the_first() {
    let (many, few) = (700, 40);
    let lists = |points, seed| data::exact_lists(&Space::new(data::cloud(points, 4, seed), Metric::Euclidean), 6);
    let (before, after) = (lists(many, 7), lists(few, 8));
    let (mut reused, mut fresh) = (Affinities::default(), Affinities::default());
    symmetrise(Neighbourhoods::listed(&before), &calibrated(&before, many), &mut reused);
    symmetrise(Neighbourhoods::listed(&after), &calibrated(&after, few), &mut reused);
    symmetrise(Neighbourhoods::listed(&after), &calibrated(&after, few), &mut fresh);
    assert_eq!(reused, fresh);
}
