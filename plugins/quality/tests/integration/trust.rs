//! Trust in single points against `per_point`.

use crate::naive::{blurred, noise, quiet, space};
use quality::{DistanceTrust, PerPoint, PerPointOptions, Trust, embedding_neighbours, exact_neighbours, per_point};
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Metric;

const ROWS: usize = 300;
const K: usize = 15; // ⌈0.05·300⌉, the most that `per_point` takes

fn wanted() -> bool {
    false
}

fn judged(hd: &[Vec<f32>], ld: &[Vec<f32>], metric: Metric, options: &PerPointOptions) -> PerPoint {
    per_point(&space(hd, metric), &space(ld, Metric::Euclidean), options, &quiet).unwrap()
}

/// Exact lists of the data, `[rows][k]`.
fn hd_lists(hd: &[Vec<f32>], metric: Metric, k: usize) -> Vec<u32> {
    let queries: Vec<u32> = (0..hd.len() as u32).collect();
    let lists = exact_neighbours(&space(hd, metric), &queries, k, &quiet);
    let padded = |list: Vec<(u32, f32)>| list.into_iter().map(|(row, _)| row).chain([u32::MAX].repeat(k)).take(k);
    lists.into_iter().flat_map(padded).collect()
}

fn kept(hd: &[Vec<f32>], ld: &[Vec<f32>], metric: Metric, k_hd: usize, k: usize) -> Vec<f32> {
    let near = embedding_neighbours(&ld.concat(), ld.len(), ld[0].len(), ld[0].len(), k);
    Trust::neighbourhood_kept(&hd_lists(hd, metric, k_hd), k_hd, &near, k)
}

fn distance_trust(hd: &[Vec<f32>], ld: &[Vec<f32>], metric: Metric, references: usize, seed: u64) -> Vec<f32> {
    let trust = DistanceTrust::new(&space(hd, metric), references, seed, &wanted).unwrap();
    let strided: Vec<f32> = ld.iter().flat_map(|row| row.iter().copied().chain([f32::NAN])).collect();
    trust.measure(&strided, ld[0].len(), ld[0].len() + 1)
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn neighbourhood_kept_agrees_with_per_point() {
    let hd = noise(ROWS, 5, 41);
    for metric in Metric::ALL {
        for dims in [2, 3, 5] {
            let ld = blurred(&hd, dims, 0.2, 42);
            let expected = judged(&hd, &ld, metric, &PerPointOptions::default()).neighbourhood_kept;
            for k_hd in [K, 40] {
                let found = kept(&hd, &ld, metric, k_hd, K);
                assert!(largest_difference(&found, &expected) < 1e-6, "{metric} {dims}");
                let other = kept(&hd, &blurred(&hd, dims, 0.2, 43), metric, k_hd, K);
                assert!(largest_difference(&other, &expected) > 0.1, "{metric} {dims}");
            }
        }
    }
}

#[test]
fn empty_places_and_lists_of_other_lengths_are_counted_as_said() {
    let none = u32::MAX;
    let ld = [1, 2, 3, 0, 2, none, none, none, none];
    let hd = [3, 2, 9, 1, 0, none, none, none, 0, 1, 2, 3];
    let found = Trust::neighbourhood_kept(&hd, 4, &ld, 3);
    // Of 1, 2, 3 those in 3, 2, 9; of 0, 2 those in 0; nothing of nothing.
    assert_eq!(found, [2.0 / 3.0, 0.5, 0.0]);
    let mut better = hd;
    better[2] = 1;
    assert_ne!(Trust::neighbourhood_kept(&better, 4, &ld, 3), found);
    // Lists of 2 against lists of 3: the first 2 of both.
    assert_eq!(Trust::neighbourhood_kept(&[3, 1, 2, 0, 9, 9], 2, &ld, 3), [0.5, 1.0, 0.0]);
    assert_eq!(Trust::neighbourhood_kept(&[], 0, &ld, 3), [0.0; 3]);
    assert!(Trust::neighbourhood_kept(&[], 4, &[], 3).is_empty());
    for rows in [2, 3, 9] {
        let hd = noise(rows, 3, 44);
        assert_eq!(kept(&hd, &hd, Metric::Euclidean, 12, 12), vec![1.0; rows], "{rows} rows");
    }
}

#[test]
#[should_panic(expected = "3 rows of 4 neighbours do not have 8")]
fn lists_of_other_rows_are_refused() {
    let _ = Trust::neighbourhood_kept(&[0; 8], 4, &[0; 9], 3);
}

#[test]
fn distance_trust_agrees_with_per_point_ties_included() {
    let smooth = noise(ROWS, 5, 45);
    let coarse: Vec<Vec<f32>> = smooth.iter().map(|row| row.iter().map(|x| (1.5 * x).round()).collect()).collect();
    for (hd, ld) in [
        (&smooth, blurred(&smooth, 2, 0.3, 46)),
        (&smooth, blurred(&coarse, 3, 0.0, 46)),
        (&coarse, blurred(&smooth, 2, 0.3, 46)),
        (&coarse, blurred(&coarse, 5, 0.0, 46)),
    ] {
        for metric in Metric::ALL {
            for references in [2, 100, 128, 255] {
                let options = PerPointOptions { references, seed: 3, ..Default::default() };
                let expected = judged(hd, &ld, metric, &options).distance_correlation;
                let found = distance_trust(hd, &ld, metric, references, 3);
                assert!(largest_difference(&found, &expected) < 1e-6, "{metric}, {references} references");
                let other = distance_trust(hd, &blurred(&smooth, 2, 0.5, 47), metric, references, 3);
                assert!(largest_difference(&other, &expected) > 0.01, "{metric}, {references} references");
            }
        }
    }
}

#[test]
fn any_number_of_references_and_rows_will_do() {
    let hd = noise(ROWS, 3, 48);
    for references in [0, 1, 255, 256, 10_000] {
        let found = distance_trust(&hd, &hd, Metric::Euclidean, references, 0);
        assert_eq!(found.len(), ROWS);
        // One distance has no order; otherwise a perfect embedding is perfect.
        assert!(found.iter().all(|&trust| if references < 2 { trust == 0.0 } else { trust > 0.999_99 }));
    }
    let seeds = [1, 2].map(|seed| distance_trust(&hd, &blurred(&hd, 2, 0.3, 49), Metric::Euclidean, 64, seed));
    assert_ne!(seeds[0], seeds[1]);
    for rows in [1, 2, 3, 5, 17] {
        let hd = noise(rows, 3, 50);
        let found = distance_trust(&hd, &hd, Metric::Euclidean, 128, 0);
        assert_eq!(found, vec![if rows < 3 { 0.0 } else { 1.0 }; rows], "{rows} rows");
        let falling: Vec<Vec<f32>> = (0..rows).map(|_| vec![1.0, 1.0]).collect();
        assert_eq!(distance_trust(&hd, &falling, Metric::Euclidean, 128, 0), vec![0.0; rows]);
    }
    let empty = DistanceTrust::new(&quality_space_without_rows(), 128, 0, &wanted).unwrap();
    assert!(empty.measure(&[], 2, 2).is_empty());
}

fn quality_space_without_rows() -> vectors::Space {
    vectors::Space::new(vectors::Vectors::zeros(0, 3), Metric::Euclidean)
}

#[test]
fn lost_positions_have_no_trust_and_take_none_from_others() {
    let hd = noise(ROWS, 3, 51);
    let whole = distance_trust(&hd, &hd, Metric::Euclidean, 128, 0);
    for lost in [f32::NAN, f32::INFINITY] {
        let mut ld = hd.clone();
        ld[7][2] = lost;
        let found = distance_trust(&hd, &ld, Metric::Euclidean, 128, 0);
        assert_eq!(found[7], 0.0);
        assert!(whole[7] > 0.99);
        // One of 128 references may have moved away.
        let others = (0..ROWS).filter(|&row| row != 7);
        assert!(others.map(|row| found[row]).fold(1.0, f32::min) > 0.9);
        assert_eq!(distance_trust(&hd, &vec![vec![lost; 2]; ROWS], Metric::Euclidean, 128, 0), [0.0; ROWS]);
    }
}

#[test]
fn cancelling_ends_it_without_a_result() {
    let hd = space(&noise(5000, 3, 52), Metric::Euclidean);
    for patience in [0, 1, 7] {
        let asked = AtomicUsize::new(0);
        let cancelled = || asked.fetch_add(1, Ordering::Relaxed) >= patience;
        assert!(DistanceTrust::new(&hd, 128, 0, &cancelled).is_none());
        let asked = asked.into_inner();
        assert!(asked < patience + 60, "asked {asked} times, of which {patience} were answered no");
    }
    assert!(DistanceTrust::new(&hd, 128, 0, &wanted).is_some());
}
