//! The data sets beside the repository.

use crate::support::*;
use dataset::{LoadOptions, PcaChoice, Role};
use std::time::Instant;

#[test]
fn the_demo_set_has_its_columns_and_roles() {
    let Some(path) = shared("demo_optdigits_5620.parquet") else { return };
    let data = load(&path, &LoadOptions::default()).unwrap();
    assert_eq!((data.vectors.rows(), data.vectors.dims()), (5620, 64));
    let mut roles = data.roles.clone();
    roles.sort();
    let expected = [("color", Role::Color), ("label", Role::Categorical), ("vector", Role::Vector)];
    assert_eq!(roles, expected.map(|(name, role)| (name.to_owned(), role)));
    assert!(data.row_numbers.is_identity());
}

#[test]
fn pca_of_mnist_keeps_the_variance_that_its_readme_says() {
    let (Some(raw), Some(reduced)) = (shared("mnist_70k.parquet"), shared("mnist_70k_pca50.parquet")) else { return };
    let data = load(&raw, &LoadOptions::default()).unwrap();
    let kept = data.pca.unwrap().variance_kept;
    assert!((kept - 0.825).abs() < 0.001, "kept {kept}");
    // The reduced file is the same projection of pixels / 255, up to the sign of each axis and rounding to 1/512.
    let expected = load(&reduced, &LoadOptions::default()).unwrap();
    for axis in 0..10 {
        let pairs = (0..70_000).map(|row| (data.vectors.row(row)[axis] / 255.0, expected.vectors.row(row)[axis]));
        let (mut same, mut norms) = (0.0, (0.0, 0.0));
        for (a, b) in pairs.map(|(a, b)| (f64::from(a), f64::from(b))) {
            same += a * b;
            norms = (norms.0 + a * a, norms.1 + b * b);
        }
        let cosine = same / (norms.0 * norms.1).sqrt();
        assert!(cosine.abs() > 0.999, "axis {axis}: {cosine}");
    }
}

/// `cargo test --release -p dataset -- --ignored --nocapture timings`
#[test]
#[ignore = "prints timings; for people"]
fn timings() {
    for (name, pca) in [
        ("mnist_70k.parquet", PcaChoice::Off),
        ("mnist_70k.parquet", PcaChoice::Auto),
        ("glove_341k_100d.parquet", PcaChoice::Auto),
        ("image_patches_1m_48d.parquet", PcaChoice::Auto),
        ("kddcup99_10pct_494k.parquet", PcaChoice::Auto),
        ("isolet.parquet", PcaChoice::Auto),
        ("coil20.parquet", PcaChoice::Auto),
    ] {
        let Some(path) = shared(name) else { continue };
        let start = Instant::now();
        let data = load(&path, &LoadOptions { pca, ..LoadOptions::default() }).unwrap();
        let loaded = start.elapsed();
        let start = Instant::now();
        let info = dataset::inspect(&[path], &LoadOptions::default(), &|_| {}).unwrap();
        let inspected = start.elapsed();
        let (rows, dims) = (data.vectors.rows(), data.vectors.dims());
        println!("{name} pca {pca}: {rows} × {dims} in {loaded:.2?}; info in {inspected:.2?}; {:?}", info.duplicates);
        println!("  {:?}", data.roles);
    }
}
