//! One matrix in memory, not two.

use crate::support::*;
use arrow::array::ArrayRef;
use arrow::datatypes::DataType;
use dataset::{LoadOptions, PcaChoice};
use std::path::Path;

const CHILD: &str = "DATASET_TEST_MEASURES_MEMORY";
const ROWS: usize = 100_000;
const DIMS: usize = 256;
/// The process may grow by the matrix, the attributes and the batches in flight: this many matrices.
const MAX_GROWTH: f64 = 1.4;

/// Each file is loaded by a process of its own, so that nothing but the loader is measured. Its allocator gives freed
/// batches back at once; by default glibc keeps holes between the attributes, which are no copies.
#[test]
fn files_are_read_without_a_second_matrix() {
    if let Some(path) = std::env::var_os(CHILD) {
        return measure(Path::new(&path));
    }
    let dir = dir();
    let batches: Vec<_> = (0..ROWS / 1000)
        .map(|batch| {
            let values = (0..1000 * DIMS).map(|i| Some(((i * 7919 + batch * 31) % 1009) as f64)).collect();
            let vectors: ArrayRef = lists("fixed", &DataType::Float32, values, DIMS);
            table(vec![("vector", vectors), ("label", numbered_from(batch * 1000, 1000).column(0).clone())])
        })
        .collect();
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        match ending {
            "parquet" => write_parquet(&path, &batches, parquet::basic::Compression::SNAPPY, ROWS), // one row group
            _ => write(&path, &batches),
        }
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "memory::files_are_read_without_a_second_matrix", "--nocapture"])
            .env("MALLOC_MMAP_THRESHOLD_", "1000000")
            .env(CHILD, &path)
            .status();
        assert!(status.unwrap().success(), "{ending}");
    }
}

fn measure(path: &Path) {
    let before = resident_megabytes("VmRSS");
    let data = load(path, &LoadOptions { pca: PcaChoice::Off, ..LoadOptions::default() }).unwrap();
    let matrix = size_of_val(data.vectors.padded()) as f64 / 1048576.0;
    let growth = resident_megabytes("VmHWM") - before;
    println!("{path:?}: matrix {matrix:.0} MB, growth {growth:.0} MB");
    assert!(growth < MAX_GROWTH * matrix, "matrix {matrix:.0} MB, growth {growth:.0} MB, allowed × {MAX_GROWTH}");
}

fn resident_megabytes(key: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(key)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}
