//! Gaps that are there, and gaps that are not.

use crate::axis_histogram;
use crate::support::{noise, uniform};

/// Draws so many values by a seed.
type Draw = fn(usize, u64) -> Vec<f64>;

/// Heaps without a gap: normal, uniform (flat, where noise shows most), skewed, long-tailed.
const HEAPS: [(&str, Draw); 4] = [
    ("normal", noise),
    ("uniform", uniform),
    ("skewed", |count, seed| noise(count, seed).into_iter().map(|x| (0.7 * x).exp()).collect()),
    ("long tails", |count, seed| noise(count, seed).into_iter().map(|x| x * x * x).collect()),
];

#[test]
fn one_heap_split_at_random_has_no_dip() {
    for (name, draw) in HEAPS {
        let mut found = 0;
        let mut tried = 0;
        for seed in 0..150u64 {
            for (of_a, of_b) in [(15, 60), (100, 100), (50, 2000), (1000, 1000)] {
                let values = draw(of_a + of_b, 1000 * seed + of_b as u64);
                tried += 1;
                found += usize::from(axis_histogram(&values[..of_a], &values[of_a..], None).dip.is_some());
            }
        }
        assert!(found * 200 <= tried, "{name}: {found} dips in {tried} heaps without one");
    }
}

#[test]
fn many_values_do_not_make_a_dip_either() {
    for (name, draw) in HEAPS {
        for seed in 0..5 {
            let values = draw(200_000, seed);
            for of_a in [100, 10_000, 100_000] {
                let found = axis_histogram(&values[..of_a], &values[of_a..], None).dip;
                assert_eq!(found, None, "{name}, {of_a} of 200 000, seed {seed}");
            }
        }
    }
}

#[test]
fn a_heap_cut_in_two_has_no_dip() {
    // Smoothed apart, with widths of their own, the two parts would leave a dip at the cut.
    for (name, draw) in HEAPS {
        let mut values = draw(100_000, 11);
        values.sort_by(f64::total_cmp);
        for cut in [50_000, 80_000, 99_000] {
            let (b, a) = values.split_at(cut);
            assert_eq!(axis_histogram(a, b, None).dip, None, "{name} cut at {cut}");
        }
    }
}

#[test]
fn a_gap_is_found_where_it_is() {
    for (of_a, of_b) in [(60, 60), (300, 5000), (20_000, 20_000), (50, 100_000)] {
        let a: Vec<f64> = noise(of_a, 1).iter().map(|x| x + 8.0).collect();
        let found = axis_histogram(&a, &noise(of_b, 2), None).dip;
        let dip = found.unwrap_or_else(|| panic!("no dip between {of_a} and {of_b}"));
        assert!((3.0..6.5).contains(&dip.at) && dip.depth > 0.95, "{of_a}, {of_b}: {dip:?}");
        assert!(dip.modes[0].abs() < 1.0 && (dip.modes[1] - 8.0).abs() < 1.0, "{of_a}, {of_b}: {dip:?}");
    }
}

#[test]
fn a_dip_within_one_group_counts_as_well() {
    let values: Vec<f64> = noise(4000, 3).iter().enumerate().map(|(i, x)| x + 6.0 * (i % 2) as f64).collect();
    let dip = axis_histogram(&values, &[], None).dip.unwrap();
    assert!((dip.at - 3.0).abs() < 0.5 && (dip.modes[1] - dip.modes[0] - 6.0).abs() < 0.6, "{dip:?}");
}

#[test]
fn two_heaps_of_equal_values_have_the_gap_in_the_middle() {
    let dip = axis_histogram(&[1.0; 40], &[0.0; 50], None).dip.unwrap();
    assert!((dip.at - 0.5).abs() < 0.01 && dip.depth == 1.0, "{dip:?}");
    assert_eq!(axis_histogram(&[1.0; 3], &[0.0; 2], None).dip, None, "five values are no heaps");
}
