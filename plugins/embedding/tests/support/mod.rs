//! What the tests share: data, scenes, plain versions.

pub mod data;
pub mod scene;

/// The largest difference of two slices, as a share of the largest expected value.
pub fn relative_error(found: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
    let differences = found.iter().zip(expected).map(|(&found, expected)| (f64::from(found) - expected).abs());
    // `max` would skip a NaN, and a NaN is as wrong as can be.
    differences.fold(0.0, |worst: f64, d| if d.is_nan() { f64::INFINITY } else { worst.max(d) }) / largest
}
