//! Not a test of time, but a way to see it:
//! `cargo test --release -p explain --test integration timing -- --ignored --nocapture --test-threads 1`

use crate::support::Table;
use dataset::Role;
use dataset::arrow::array::{ArrayRef, Float32Array, Int32Array, StringArray};
use std::sync::Arc;
use std::time::Instant;
use vectors::Vectors;

#[test]
#[ignore = "takes a while and asserts nothing"]
fn timing_of_a_million_rows() {
    let (rows, dims) = (1_000_000, 50);
    let mut state = 1u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let mut vectors = Vectors::zeros(rows, dims);
    (0..rows).for_each(|row| vectors.row_mut(row).iter_mut().for_each(|value| *value = uniform() + uniform()));
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| format!("kind {}", row * 31 % 97))));
    let integers: ArrayRef = Arc::new(Int32Array::from_iter_values((0..rows as i32).map(|row| row % 40)));
    let numbers: ArrayRef = Arc::new(Float32Array::from_iter_values((0..rows).map(|_| uniform())));
    let columns = vec![
        ("kind", Role::Categorical, texts),
        ("batch", Role::Categorical, integers),
        ("number", Role::Continuous, numbers),
    ];
    let mut table = Table::new(vectors, columns);
    for neighbours in [false, true] {
        if neighbours {
            table.neighbours =
                (0..rows as u32).map(|row| (1..=32).map(|step| (row + step * 7919) % rows as u32).collect()).collect();
        }
        for part in [100, 2] {
            let (a, b): (Vec<u32>, Vec<u32>) = (0..rows as u32).partition(|row| row % part == 0);
            let start = Instant::now();
            let found = table.explain(&a, &b);
            let secs = start.elapsed().as_secs_f64();
            println!(
                "{} of {rows} × {dims}, neighbours: {neighbours}: {secs:.2} s, dip {:?}",
                found.a, found.histogram.dip
            );
        }
    }
}
