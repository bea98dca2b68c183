//! Which rows are read: parts, limit, sample, drop. File row numbers survive all of them.

use crate::support::*;
use arrow::datatypes::DataType;
use dataset::{LoadOptions, OnBadRows, PcaChoice, Phase, Progress, RowNumbers};
use std::path::PathBuf;
use std::sync::Mutex;

#[test]
fn several_files_and_a_directory_of_parts_are_one_table() {
    let dir = dir();
    let parts = [("part-2.parquet", 10, 7), ("part-1.arrow", 0, 10), ("part-3.arrows", 17, 5)];
    for (name, first, rows) in parts {
        write(&dir.path().join(name), &[numbered_from(first, rows)]);
    }
    std::fs::write(dir.path().join(".part-0.parquet"), "hidden").unwrap();
    std::fs::write(dir.path().join("_SUCCESS"), "foreign").unwrap();
    let by_directory = load(dir.path(), &LoadOptions::default()).unwrap();
    assert_eq!(by_directory.vectors.rows(), 22);
    assert_rows_belong_together(&by_directory);
    let names = ["part-1.arrow", "part-2.parquet", "part-3.arrows"];
    let paths: Vec<PathBuf> = names.iter().map(|name| dir.path().join(name)).collect();
    let by_name = dataset::load(&paths, &LoadOptions::default(), &|_| {}).unwrap();
    assert_eq!(by_name.vectors, by_directory.vectors);
    assert_eq!(by_name.source, by_directory.source);
    assert_eq!(by_name.source.paths, paths);
    let swapped = dataset::load(&[paths[1].clone(), paths[0].clone()], &LoadOptions::default(), &|_| {}).unwrap();
    assert_ne!(swapped.source.hash, by_name.source.hash);
    assert_eq!(swapped.vectors.row(0)[0], 10.0);
}

#[test]
fn csv_parts_agree_on_the_wider_type() {
    let dir = dir();
    std::fs::write(dir.path().join("1.csv"), "x,name\n1,\n2,\n").unwrap();
    std::fs::write(dir.path().join("2.csv"), "x,name\n1.5,b\n").unwrap();
    let data = load(dir.path(), &LoadOptions::default()).unwrap();
    assert_eq!(data.vectors.row(2), [1.5]);
    assert_eq!(data.attributes.num_rows(), 3);
}

#[test]
fn file_row_numbers_survive_limit_sample_and_drop() {
    let dir = dir();
    let rows = 5000;
    let batch = numbered(rows);
    let bad = |row: usize| row.is_multiple_of(7) || (900..1100).contains(&row);
    let vectors = with_null_rows(batch.column(1), bad);
    let broken = table(vec![("vector", vectors), ("number", batch.column(2).clone())]);
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[broken.slice(0, 2001), broken.slice(2001, 2999)]);
        for (limit, sample, seed) in [
            (None, None, 0),
            (Some(1), Some(1), 0),
            (Some(1003), None, 0),
            (None, Some(600), 1),
            (Some(3000), Some(700), 2),
            (Some(9999), Some(9999), 3),
            (Some(2500), Some(2499), 4),
        ] {
            let options = LoadOptions { limit, sample, seed, on_bad_rows: OnBadRows::Drop, ..LoadOptions::default() };
            let Ok(data) = load(&path, &options) else {
                assert_eq!(limit, Some(1), "only row 0 alone leaves nothing");
                continue;
            };
            assert_rows_belong_together(&data);
            let kept: Vec<u32> = data.row_numbers.iter().collect();
            assert!(kept.is_sorted_by(|a, b| a < b), "in the file's order");
            assert!(kept.iter().all(|&row| !bad(row as usize) && (row as usize) < limit.unwrap_or(rows)));
            let asked = sample.unwrap_or(rows).min(limit.unwrap_or(rows)).min(rows);
            assert_eq!(kept.len() + data.source.dropped_rows, asked, "{ending} {limit:?} {sample:?}");
            assert_eq!(data.source.file_rows, rows);
            let complete = load(&path, &LoadOptions { seed: seed + 100, ..options.clone() }).unwrap();
            assert_eq!(complete.row_numbers == data.row_numbers, sample.is_none_or(|s| s >= asked.max(rows)));
        }
    }
}

#[test]
fn every_format_samples_the_same_rows() {
    let dir = dir();
    let options = LoadOptions { sample: Some(50), seed: 9, ..LoadOptions::default() };
    let sampled: Vec<RowNumbers> = BINARY
        .iter()
        .map(|ending| {
            let path = dir.path().join(format!("a.{ending}"));
            write(&path, &[numbered(500)]);
            load(&path, &options).unwrap().row_numbers
        })
        .collect();
    assert!(sampled.iter().all(|rows| *rows == sampled[0] && rows.len() == 50));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let dir = dir();
    let path = dir.path().join("a.parquet");
    let values: Vec<Option<f64>> = (0..120 * 40_000u64).map(|i| Some((i * 7919 % 1000) as f64)).collect();
    let batch = table(vec![("vector", lists("fixed", &DataType::UInt16, values, 120))]);
    write_parquet(&path, &[batch], parquet::basic::Compression::SNAPPY, 1 << 20);
    let options = LoadOptions { standardize: true, pca: PcaChoice::Auto, ..LoadOptions::default() };
    let load_with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| load(&path, &options).unwrap())
    };
    let (one, four) = (load_with(1), load_with(4));
    assert_eq!(one.vectors.dims(), 50);
    assert_eq!(one.vectors, four.vectors);
    assert_eq!(one.pca, four.pca);
}

#[test]
fn progress_rises_to_the_number_of_rows() {
    let dir = dir();
    let path = dir.path().join("a.parquet");
    write(&path, &[numbered(3000)]);
    let seen: Mutex<Vec<Progress>> = Mutex::default();
    let options = LoadOptions { standardize: true, ..LoadOptions::default() };
    dataset::load(&[path], &options, &|progress| seen.lock().unwrap().push(progress)).unwrap();
    let seen = seen.into_inner().unwrap();
    let reading: Vec<usize> = seen.iter().filter(|p| p.phase == Phase::Reading).map(|p| p.done).collect();
    assert_eq!(reading.iter().max(), Some(&3000));
    assert!(seen.iter().all(|p| p.done <= p.total));
    assert!(seen.iter().any(|p| p.phase == Phase::Standardizing));
}
