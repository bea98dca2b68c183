//! Clusters of a real embedding are its islands, without touching anything.
//!
//! `data/optdigits_2d.bin` and `_3d.bin` are what `nevis embed demo_optdigits_5620.parquet --backend cpu --out digits.csv`
//! wrote with `--dims 2` and 3 for 5 620 handwritten digits (UCI): for each row its position as little-endian i16 in
//! steps of 1/256, and the digit as u8.

use crate::scenes::Scene;
use clusters::{ClusterOptions, Clusters, NOISE, dbscan};
use std::collections::BTreeMap;

const MIN_PURITY: f64 = 0.95;
const MIN_RAND: f64 = 0.8;
const MAX_NOISE: f64 = 0.05;

fn digits(bytes: &[u8], dims: usize) -> (Scene, Vec<u8>) {
    let rows = bytes.chunks_exact(2 * dims + 1);
    let values = rows.clone().flat_map(|row| row[..2 * dims].chunks_exact(2));
    let values = values.map(|value| f32::from(i16::from_le_bytes([value[0], value[1]])) / 256.0).collect();
    (Scene { values, dims }, rows.map(|row| row[2 * dims]).collect())
}

fn in_2d_and_3d() -> [(Scene, Vec<u8>); 2] {
    [digits(include_bytes!("../data/optdigits_2d.bin"), 2), digits(include_bytes!("../data/optdigits_3d.bin"), 3)]
}

fn tally<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    keys.for_each(|key| *counts.entry(key).or_default() += 1);
    counts
}

/// Share of the rows in clusters whose digit is the most frequent of their cluster.
fn purity(labels: &[u32], digits: &[u8]) -> f64 {
    let pairs = tally(labels.iter().zip(digits).filter(|&(&label, _)| label != NOISE));
    let mut best: BTreeMap<u32, usize> = BTreeMap::new();
    for (&(&label, _), &count) in &pairs {
        let most = best.entry(label).or_default();
        *most = count.max(*most);
    }
    best.values().sum::<usize>() as f64 / pairs.values().sum::<usize>() as f64
}

/// Agreement of two partitions of the rows: 1 if they are the same, 0 by chance (Hubert and Arabie 1985).
fn adjusted_rand(labels: &[u32], digits: &[u8]) -> f64 {
    let pairs = |count: usize| count as f64 * (count as f64 - 1.0) / 2.0;
    let both: f64 = tally(labels.iter().zip(digits)).into_values().map(pairs).sum();
    let (a, b): (f64, f64) =
        (tally(labels.iter()).into_values().map(pairs).sum(), tally(digits.iter()).into_values().map(pairs).sum());
    let chance = a * b / pairs(labels.len());
    (both - chance) / ((a + b) / 2.0 - chance)
}

fn found(scene: &Scene, granularity: f32) -> Clusters {
    let options = ClusterOptions { granularity, ..ClusterOptions::default() };
    dbscan(scene.positions(), &options, &|| false).unwrap()
}

#[test]
fn digits_fall_into_their_islands() {
    for (scene, digits) in in_2d_and_3d() {
        let clusters = found(&scene, 1.0);
        let noise = clusters.noise as f64 / scene.rows() as f64;
        let (purity, rand) = (purity(&clusters.labels, &digits), adjusted_rand(&clusters.labels, &digits));
        let count = clusters.sizes.len();
        println!("{}-D: {count} clusters, noise {noise:.3}, purity {purity:.3}, Rand {rand:.3}", scene.dims);
        assert!((10..=20).contains(&count), "{count} clusters of 10 digits");
        assert!(noise < MAX_NOISE, "noise {noise}, at most {MAX_NOISE}");
        assert!(purity > MIN_PURITY, "purity {purity}, at least {MIN_PURITY}");
        assert!(rand > MIN_RAND, "adjusted Rand index {rand}, at least {MIN_RAND}");
    }
}

#[test]
fn another_granularity_tears_islands_or_drowns_them() {
    for (scene, digits) in in_2d_and_3d() {
        let (fine, coarse) = (found(&scene, 2.0), found(&scene, 0.2));
        let rand = adjusted_rand(&fine.labels, &digits);
        assert!(rand < MIN_RAND && fine.sizes.len() > 20, "{rand}, {:?}", fine.sizes);
        let purity = purity(&coarse.labels, &digits);
        assert!(purity < MIN_PURITY && coarse.sizes.len() < 10, "{purity}, {:?}", coarse.sizes);
    }
}

#[test]
fn figures_are_what_they_are_for_known_partitions() {
    let digits = [0, 0, 0, 1, 1, 1];
    assert_eq!(adjusted_rand(&[4, 4, 4, 2, 2, 2], &digits), 1.0);
    assert_eq!(purity(&[4, 4, 4, 2, 2, NOISE], &digits), 1.0);
    assert_eq!(purity(&[0; 6], &digits), 0.5);
    assert_eq!(adjusted_rand(&[0; 6], &digits), 0.0);
    // Hubert and Arabie: pairs 2 of 4 and 6, 15 in all.
    let rand = adjusted_rand(&[0, 0, 1, 1, 2, 2], &digits);
    assert!((rand - (2.0 - 1.2) / (4.5 - 1.2)).abs() < 1e-12, "{rand}");
}
