//! Two clouds in twenty dimensions, at known distances.

use crate::support::{Table, noise};
use explain::Explanation;

const DIMS: usize = 20;

/// Two normal clouds whose centres are so many standard deviations apart, along an axis that is no coordinate's.
fn clouds(of_a: usize, of_b: usize, distance: f64, seed: u64) -> (Table, Vec<u32>, Vec<u32>) {
    let direction = noise(DIMS, 99);
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    let values = noise((of_a + of_b) * DIMS, seed);
    // Rows of A and B alternate as long as there are both, so that their order tells nothing.
    let in_a = |row: usize| row.is_multiple_of(1 + of_b / of_a) && row / (1 + of_b / of_a) < of_a;
    let vector = |(row, values): (usize, &[f64])| -> Vec<f32> {
        let shift = if in_a(row) { distance } else { 0.0 };
        values.iter().zip(&direction).map(|(x, along)| (x + shift * along / length) as f32).collect()
    };
    let rows: Vec<Vec<f32>> = values.chunks(DIMS).enumerate().map(vector).collect();
    let (a, b) = (0..(of_a + of_b) as u32).partition(|&row| in_a(row as usize));
    (Table::of_rows(&rows), a, b)
}

fn explained(of_a: usize, of_b: usize, distance: f64, seed: u64) -> Explanation {
    let (table, a, b) = clouds(of_a, of_b, distance, seed);
    assert_eq!((a.len(), b.len()), (of_a, of_b));
    table.explain(&a, &b)
}

/// Density of two normal heaps of equal size, at 0 and at `distance`.
fn density(at: f64, distance: f64) -> f64 {
    (-0.5 * at * at).exp() + (-0.5 * (at - distance) * (at - distance)).exp()
}

#[test]
fn the_axis_has_b_at_zero_and_a_at_one() {
    let found = explained(3000, 3000, 4.0, 1);
    let centre = |counts: &[usize]| -> f64 {
        let middles = found.histogram.edges.windows(2).map(|bin| (bin[0] + bin[1]) / 2.0);
        middles.zip(counts).map(|(at, &count)| at * count as f64).sum::<f64>() / counts.iter().sum::<usize>() as f64
    };
    assert!((centre(&found.histogram.a) - 1.0).abs() < 0.01, "{}", centre(&found.histogram.a));
    assert!(centre(&found.histogram.b).abs() < 0.01, "{}", centre(&found.histogram.b));
}

#[test]
fn clouds_four_and_eight_apart_dip_in_the_middle() {
    for distance in [4.0, 8.0] {
        for (size, seed) in [(400, 2), (3000, 3), (20_000, 4)] {
            let dip = explained(size, size, distance, seed).histogram.dip.unwrap();
            let expected = 1.0 - density(distance / 2.0, distance) / density(0.0, distance);
            assert!((dip.at - 0.5).abs() < 0.08, "{distance} sd, {size}: {dip:?}");
            assert!((dip.depth - expected).abs() < 0.1, "{distance} sd, {size}: {dip:?}, expected {expected}");
            assert!(dip.modes[0].abs() < 0.12 && (dip.modes[1] - 1.0).abs() < 0.12, "{distance} sd, {size}: {dip:?}");
        }
    }
}

#[test]
fn clouds_two_apart_are_one_heap() {
    // The sum of two equal normal densities has two modes only beyond two standard deviations.
    for (size, seed) in [(400, 5), (3000, 6), (20_000, 7)] {
        assert_eq!(explained(size, size, 2.0, seed).histogram.dip, None, "{size}");
    }
}

#[test]
fn a_small_cloud_beside_a_large_one_dips_nearer_to_the_small_one() {
    let dip = explained(200, 40_000, 8.0, 8).histogram.dip.unwrap();
    assert!((0.5..0.75).contains(&dip.at) && dip.depth > 0.9, "{dip:?}");
}

#[test]
fn one_cloud_split_at_random_has_no_dip() {
    for seed in 10..40 {
        assert_eq!(explained(500, 500, 0.0, seed).histogram.dip, None, "{seed}");
        assert_eq!(explained(60, 1200, 0.0, seed).histogram.dip, None, "{seed}");
    }
}

#[test]
fn equal_means_have_no_axis() {
    let table = Table::of_rows(&[vec![0.0, 1.0], vec![0.0, -1.0], vec![2.0, 0.0], vec![-2.0, 0.0]]);
    let found = table.explain(&[0, 1], &[2, 3]);
    assert!(found.histogram.edges.is_empty() && found.histogram.a.is_empty() && found.histogram.dip.is_none());
    assert_eq!((found.medoid_a, found.medoid_b), (0, 2), "the first of equals");
    assert_eq!(table.explain(&[0, 2], &[1, 3]).histogram.a.iter().sum::<usize>(), 2);
}
