//! Inputs that break careless arithmetic: very few rows, equal rows, constant columns, zero vectors.

use crate::support::*;
use std::path::Path;

fn finite_positions(dir: &Path, flags: &[&str]) -> usize {
    let base = ["embed", "in.parquet", "--out", "out.parquet", "--iterations", "60"];
    succeed(dir, &[&base, flags].concat());
    let table = read(&dir.join("out.parquet"), &["x", "y"]);
    assert!(table.vectors.padded().iter().all(|value| value.is_finite()));
    table.vectors.rows()
}

fn dir_of(values: Vec<f32>, dims: usize) -> TempDir {
    let dir = dir();
    write(&dir.path().join("in.parquet"), vec![("vector", lists(values, dims))]);
    dir
}

#[test]
fn two_rows_and_fewer_rows_than_neighbours() {
    for rows in [2, 3, 5, 17] {
        assert_eq!(finite_positions(dir_of(blobs(rows, 4), 4).path(), &[]), rows);
    }
}

#[test]
fn equal_rows_and_constant_columns() {
    let equal = vec![3.0; 40 * 6];
    assert_eq!(finite_positions(dir_of(equal, 6).path(), &[]), 40);
    let mut twice = blobs(60, 6);
    twice.extend_from_within(..);
    assert_eq!(finite_positions(dir_of(twice, 6).path(), &[]), 120);
    let mut constant = blobs(60, 6);
    constant.iter_mut().step_by(6).for_each(|value| *value = 7.0);
    let dir = dir_of(constant, 6);
    assert_eq!(finite_positions(dir.path(), &[]), 60);
    assert_eq!(finite_positions(dir.path(), &["--standardize", "--pca", "3"]), 60);
}

#[test]
fn zero_vectors_under_every_metric() {
    let mut values = blobs(60, 6);
    values[..18].fill(0.0);
    let dir = dir_of(values, 6);
    for metric in ["euclidean", "manhattan", "cosine", "correlation", "chebyshev", "bray-curtis"] {
        assert_eq!(finite_positions(dir.path(), &["--metric", metric]), 60);
    }
}

#[test]
fn one_dimension_in_and_more_dimensions_out_than_in() {
    let line = dir_of((0..50u8).map(f32::from).collect(), 1);
    assert_eq!(finite_positions(line.path(), &[]), 50);
    assert_eq!(finite_positions(line.path(), &["--init", "random"]), 50);
}
