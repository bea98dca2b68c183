//! `nevis neighbours`: lists in file order, in the file's numbers.

use crate::support::*;
use dataset::arrow::array::{Array, AsArray};
use dataset::arrow::datatypes::{DataType, UInt32Type};
use dataset::{AttributeColumns, Dataset, LoadOptions};
use std::path::Path;

/// Vectors are the distances; `neighbours` and `row` are attributes.
fn read_graph(path: &Path) -> Dataset {
    let options =
        LoadOptions { vector: Some("distances".into()), attributes: AttributeColumns::All, ..LoadOptions::default() };
    dataset::load(&[path.to_path_buf()], &options, &|_| {}).unwrap()
}

fn neighbours(graph: &Dataset) -> (Vec<u32>, usize) {
    let column = graph.attributes.column_by_name("neighbours").unwrap().as_fixed_size_list();
    assert_eq!(column.values().data_type(), &DataType::UInt32);
    (column.values().as_primitive::<UInt32Type>().values().to_vec(), column.value_length() as usize)
}

#[test]
fn the_report_and_the_lists() {
    let dir = dir_of_blobs(500);
    let report = json(dir.path(), &["neighbours", "in.parquet", "--k", "10", "--out", "graph.parquet", "--recall"]);
    has_keys(&report, &["rows", "k", "recall", "seconds", "iterations", "settled", "out"]);
    has_keys(&report["seconds"], &["load", "search", "recall", "write", "total"]);
    assert_eq!(report["k"], 10);
    assert!(report["recall"].as_f64().unwrap() > 0.99, "{report}");
    let path = dir.path().join("graph.parquet");
    assert_eq!(column_names(&path), ["neighbours", "distances"]);
    let graph = read_graph(&path);
    let (neighbours, k) = neighbours(&graph);
    assert_eq!((k, neighbours.len()), (10, 5000));
    let vectors = blobs(500, 12);
    for row in 0..500 {
        let distances = graph.vectors.row(row);
        assert!(distances.is_sorted(), "nearest first");
        let other = neighbours[row * k] as usize;
        assert_ne!(other, row);
        let square = (0..12).map(|d| (vectors[row * 12 + d] - vectors[other * 12 + d]).powi(2)).sum::<f32>();
        assert!((square.sqrt() - distances[0]).abs() < 1e-3, "true distances");
    }
    let report = json(dir.path(), &["neighbours", "in.parquet", "--k", "10", "--out", "graph.parquet"]);
    assert!(report["recall"].is_null());
}

#[test]
fn left_out_rows_do_not_shift_the_numbers() {
    let dir = dir_of_blobs(300);
    succeed(dir.path(), &["neighbours", "in.parquet", "--k", "5", "--out", "graph.arrow", "--sample", "100"]);
    let graph = read_graph(&dir.path().join("graph.arrow"));
    let rows = graph.attributes.column_by_name("row").unwrap().as_primitive::<UInt32Type>().values().to_vec();
    let (neighbours, k) = neighbours(&graph);
    assert!(neighbours.iter().all(|row| rows.contains(row)), "neighbours are among the sampled rows");
    let same = (0..100).filter(|&row| neighbours[row * k] % 5 == rows[row] % 5).count();
    assert!(same > 95, "{same} of 100 rows have their nearest in their own blob");
}

#[test]
fn more_neighbours_than_rows_are_lowered_with_a_note() {
    let dir = dir_of_blobs(5);
    let report = json(dir.path(), &["neighbours", "in.parquet", "--k", "10", "--out", "graph.parquet", "--recall"]);
    assert_eq!((&report["k"], &report["recall"]), (&4.into(), &1.0.into()));
    assert_eq!(report["notes"][0], "k is 4 instead of 10: a row has no more others");
    let (neighbours, _) = neighbours(&read_graph(&dir.path().join("graph.parquet")));
    for (row, list) in neighbours.chunks(4).enumerate() {
        let mut list = list.to_vec();
        list.sort_unstable();
        assert_eq!(list, (0..5).filter(|&other| other != row as u32).collect::<Vec<_>>());
    }
}

#[test]
fn lists_do_not_depend_on_the_number_of_threads_and_iterations_are_kept_to() {
    let dir = dir_of_blobs(2000);
    let bytes = |threads: &str| {
        let flags = ["--k", "8", "--out", "graph.parquet", "--threads", threads];
        succeed(dir.path(), &[&["neighbours", "in.parquet"], &flags[..]].concat());
        std::fs::read(dir.path().join("graph.parquet")).unwrap()
    };
    assert!(bytes("1") == bytes("3"));
    let flags = ["neighbours", "in.parquet", "--k", "8", "--out", "graph.parquet", "--iterations", "7"];
    assert_eq!(json(dir.path(), &flags)["iterations"], 7);
    assert_eq!(read_graph(&dir.path().join("graph.parquet")).vectors.dims(), 8);
}
