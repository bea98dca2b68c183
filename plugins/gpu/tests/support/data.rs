//! Data: random, degenerate and real.

pub use super::plain::{cloud, noise, random_rows};
use dataset::{LoadOptions, PcaChoice};
use embedding::random::{below, hash};
use std::path::Path;
use vectors::Vectors;

/// Rows of small whole numbers: every sum is exact, in any order, so both backends must find the very same.
pub fn whole_numbers(rows: usize, dims: usize, seed: u32) -> Vectors {
    let value = |at: u32| below(hash(seed, 3, at, 0), 200) as f32 - 100.0;
    Vectors::from_rows(&(0..(rows * dims) as u32).map(value).collect::<Vec<_>>(), dims)
}

/// Whole numbers again, but most rows are copies of a few.
pub fn duplicates(rows: usize, dims: usize, seed: u32) -> Vectors {
    let mut vectors = whole_numbers(rows, dims, seed);
    for row in 0..rows * 3 / 4 {
        let original = vectors.row(rows - 1 - row % 5.min(rows)).to_vec();
        vectors.row_mut(row).copy_from_slice(&original);
    }
    vectors
}

/// Whole numbers, with every third row zero.
pub fn with_zero_rows(rows: usize, dims: usize, seed: u32) -> Vectors {
    let mut vectors = whole_numbers(rows, dims, seed);
    (0..rows).step_by(3).for_each(|row| vectors.row_mut(row).fill(0.0));
    vectors
}

/// Handwritten digits of 8 × 8 pixels (0 to 16), from the demo set that ships with the program.
pub fn digits(rows: usize) -> Vectors {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/demo_optdigits_5620.parquet");
    let options = LoadOptions { limit: Some(rows), pca: PcaChoice::Off, ..LoadOptions::default() };
    dataset::load(&[path], &options, &|_| {}).expect("the demo set").vectors
}

/// Random, degenerate and real sets whose distances are exact; sizes around the workgroup's and the scan's.
pub fn exact_cases() -> Vec<(String, Vectors)> {
    let mut cases: Vec<(String, Vectors)> = [2, 3, 17, 63, 64, 65, 200, 513, 1025]
        .map(|rows| (format!("{rows} rows of whole numbers"), whole_numbers(rows, 6, rows as u32)))
        .into();
    cases.push(("duplicates".to_owned(), duplicates(130, 3, 5)));
    cases.push(("all the same".to_owned(), Vectors::from_rows(&[1.0, -2.0, 3.0].repeat(100), 3)));
    cases.push(("zero rows".to_owned(), with_zero_rows(129, 9, 6)));
    cases.push(("one dimension".to_owned(), whole_numbers(150, 1, 7)));
    cases.push(("digits".to_owned(), digits(700)));
    cases
}
