//! `nevis embed`: what it writes and what it reports.

use crate::support::*;
use dataset::arrow::array::{Array, AsArray, Float32Array};
use dataset::arrow::datatypes::{DataType, Int32Type, UInt32Type};
use std::path::Path;
use std::sync::Arc;

#[test]
fn the_report_says_what_was_done() {
    let dir = dir_of_blobs(200);
    let report = json(dir.path(), &["embed", "in.parquet", "--out", "out.parquet", "--iterations", FEW]);
    has_keys(&report, &["rows", "dims", "input_dims", "backend", "adapter", "iterations", "seconds", "out"]);
    has_keys(&report, &["perplexity", "settings", "columns", "notes", "pca", "dropped_rows"]);
    has_keys(&report["seconds"], &["load", "start", "search", "affinities", "forces", "integrate", "write", "total"]);
    assert_eq!((&report["rows"], &report["dims"], &report["input_dims"]), (&200.into(), &2.into(), &12.into()));
    assert_eq!((&report["backend"], &report["iterations"]), (&"cpu".into(), &30.into()));
    assert!(report["adapter"].is_null());
    let text = succeed(dir.path(), &["embed", "in.parquet", "--out", "out.parquet", "--iterations", "1000"]);
    assert!(text.contains("embedded 200 rows in 2 dimensions, from 12 dimensions"), "{text}");
    assert!(text.contains("1 000 iterations"), "{text}");
    assert!(text.contains("wrote x, y to out.parquet"), "{text}");
}

#[test]
fn attributes_stay_in_order_and_rows_in_file_order() {
    let dir = dir_of_blobs(300);
    let out = dir.path().join("out.parquet");
    succeed(dir.path(), &["embed", "in.parquet", "--out", "out.parquet", "--iterations", "250"]);
    assert_eq!(column_names(&out), ["label", "number", "x", "y"]);
    let table = read(&out, &["x", "y"]);
    let numbers = table.attributes.column_by_name("number").unwrap().as_primitive::<Int32Type>().values().to_vec();
    assert_eq!(numbers, (0..300).collect::<Vec<_>>());
    let labels = table.attributes.column_by_name("label").unwrap().as_string::<i32>();
    assert!((0..300).all(|row| labels.value(row) == format!("blob {}", row % 5)));
    // Positions belong to their rows: a row's nearest in the picture is of its own blob.
    let nearest = |row: usize| {
        let distance = |&other: &usize| {
            let (a, b) = (table.vectors.row(row), table.vectors.row(other));
            ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).to_bits() // ordered as the floats are: none is negative
        };
        (0..300).filter(|&other| other != row).min_by_key(distance).unwrap()
    };
    let right = (0..300).filter(|&row| nearest(row) % 5 == row % 5).count();
    assert!(right > 280, "{right} of 300 rows lie beside a row of their own blob");
}

#[test]
fn dimensions_become_axes_or_one_list() {
    let dir = dir_of_blobs(60);
    let embed = |dims: &str, out: &str| {
        succeed(dir.path(), &["embed", "in.parquet", "--out", out, "--dims", dims, "--iterations", "5"]);
        column_names(&dir.path().join(out))
    };
    assert_eq!(embed("1", "1.parquet"), ["label", "number", "x"]);
    assert_eq!(embed("3", "3.parquet"), ["label", "number", "x", "y", "z"]);
    assert_eq!(embed("5", "5.arrow"), ["label", "number", "embedding"]);
    assert_eq!(read(&dir.path().join("5.arrow"), &["embedding"]).vectors.dims(), 5);
    let text = fail(dir.path(), &["embed", "in.parquet", "--out", "5.csv", "--dims", "5", "--iterations", "5"], 1);
    assert!(text.contains("column \"embedding\" holds FixedSizeList(5 x Float32), which a CSV file cannot"), "{text}");
}

#[test]
fn arrow_and_csv_outputs_hold_the_same_as_parquet() {
    let dir = dir_of_blobs(80);
    for out in ["out.parquet", "out.arrow", "out.csv"] {
        succeed(dir.path(), &["embed", "in.parquet", "--out", out, "--iterations", FEW]);
    }
    let parquet = read(&dir.path().join("out.parquet"), &["x", "y"]);
    for other in ["out.arrow", "out.csv"] {
        let other = read(&dir.path().join(other), &["x", "y"]);
        assert_eq!(other.vectors, parquet.vectors);
        let labels = other.attributes.column_by_name("label").unwrap();
        assert_eq!(labels.as_string::<i32>().value(79), "blob 4");
    }
}

#[test]
fn columns_of_the_input_are_never_replaced() {
    let dir = dir();
    let own: Vec<f32> = (0..50).map(|row| row as f32).collect();
    let columns = vec![("vector", lists(blobs(50, 4), 4)), ("y", Arc::new(Float32Array::from(own.clone())) as _)];
    write(&dir.path().join("in.parquet"), columns);
    let report = json(dir.path(), &["embed", "in.parquet", "--out", "out.parquet", "--iterations", "5"]);
    assert_eq!(report["columns"], serde_json::json!(["nevis_x", "nevis_y"]));
    assert!(report["notes"][0].as_str().unwrap().contains("it is kept"), "{report}");
    let out = dir.path().join("out.parquet");
    assert_eq!(column_names(&out), ["y", "nevis_x", "nevis_y"]);
    assert_eq!(floats(&read(&out, &["nevis_x"]).attributes, "y"), own);
}

#[test]
fn rows_that_are_not_all_of_the_file_keep_their_numbers() {
    let dir = dir_of_blobs(100);
    let numbers = |out: &str, flags: &[&str]| {
        let base = ["embed", "in.parquet", "--out", out, "--iterations", "5"];
        succeed(dir.path(), &[&base, flags].concat());
        let path: &Path = &dir.path().join(out);
        assert_eq!(column_names(path), ["label", "number", "row", "x", "y"]);
        let table = read(path, &["x", "y"]);
        let rows = table.attributes.column_by_name("row").unwrap();
        assert_eq!(rows.data_type(), &DataType::UInt32);
        let rows: Vec<i32> = rows.as_primitive::<UInt32Type>().values().iter().map(|&row| row as i32).collect();
        let numbers = table.attributes.column_by_name("number").unwrap().as_primitive::<Int32Type>().values().to_vec();
        assert_eq!(rows, numbers);
        rows
    };
    assert_eq!(numbers("limit.parquet", &["--limit", "40"]), (0..40).collect::<Vec<_>>());
    let sampled = numbers("sample.parquet", &["--sample", "40"]);
    assert_eq!(sampled.len(), 40);
    assert!(sampled.is_sorted() && sampled[39] > 60, "{sampled:?}");
}

#[test]
fn output_does_not_depend_on_the_number_of_threads_but_on_the_seed() {
    let dir = dir_of_blobs(3000);
    let embed = |out: &str, flags: &[&str]| {
        let base = ["embed", "in.parquet", "--out", out, "--iterations", "60"];
        succeed(dir.path(), &[&base, flags].concat());
        std::fs::read(dir.path().join(out)).unwrap()
    };
    let one = embed("1.parquet", &["--threads", "1"]);
    for threads in ["2", "3"] {
        assert!(one == embed("n.parquet", &["--threads", threads]), "{threads} threads give other bytes");
    }
    assert!(one != embed("seed.parquet", &["--seed", "7"]), "another seed must give another picture");
}

#[test]
fn the_start_can_be_columns_of_the_input() {
    let dir = dir();
    let angle = |row: usize| row as f32 / 120.0 * std::f32::consts::TAU;
    let axis = |f: fn(f32) -> f32| Arc::new(Float32Array::from_iter_values((0..120).map(|row| f(angle(row))))) as _;
    write(
        &dir.path().join("in.parquet"),
        vec![("vector", lists(blobs(120, 6), 6)), ("a", axis(f32::sin)), ("b", axis(f32::cos))],
    );
    let base = ["embed", "in.parquet", "--out", "out.parquet", "--iterations", "0", "--init"];
    succeed(dir.path(), &[&base[..], &["a,b"]].concat());
    let table = read(&dir.path().join("out.parquet"), &["x", "y"]);
    // Before the first step the points lie where they were put, but for shift and size.
    let mean = |axis: usize| (0..120).map(|row| table.vectors.row(row)[axis]).sum::<f32>() / 120.0;
    let (mx, my) = (mean(0), mean(1));
    let scale = table.vectors.row(0)[1] - my; // row 0 is at (0, 1)
    for row in 0..120 {
        let (x, y) = ((table.vectors.row(row)[0] - mx) / scale, (table.vectors.row(row)[1] - my) / scale);
        let (sin, cos) = angle(row).sin_cos();
        assert!((x - sin).abs() < 0.05 && (y - cos).abs() < 0.05, "row {row}: {x} {y}");
    }
    let text = fail(dir.path(), &[&base[..], &["a"]].concat(), 2);
    assert!(text.contains("--init names 1 dimensions (a), but the embedding has 2"), "{text}");
    let text = fail(dir.path(), &[&base[..], &["a,nowhere"]].concat(), 1);
    assert!(text.contains("\"in.parquet\": no column \"nowhere\"; there are: "), "{text}");
}

#[test]
fn settings_come_from_a_file_and_flags_win() {
    let dir = dir_of_blobs(60);
    std::fs::write(dir.path().join("s.json"), r#"{"perplexity": 6.5, "alpha": 0.5}"#).unwrap();
    let base = ["embed", "in.parquet", "--out", "out.parquet", "--iterations", "5", "--settings", "s.json"];
    let report = json(dir.path(), &[&base[..], &["--alpha", "0.75"]].concat());
    assert_eq!((&report["settings"]["perplexity"], &report["settings"]["alpha"]), (&6.5.into(), &0.75.into()));
    std::fs::write(dir.path().join("s.json"), r#"{"perplexty": 6.5}"#).unwrap();
    let text = fail(dir.path(), &base, 1);
    assert!(text.contains("\"s.json\" is not JSON of settings: unknown field `perplexty`"), "{text}");
}

#[test]
fn parts_of_a_directory_are_one_input() {
    let dir = dir();
    std::fs::create_dir(dir.path().join("parts")).unwrap();
    for part in ["parts/0.parquet", "parts/1.arrow"] {
        write_blobs(&dir.path().join(part), 40);
    }
    let report = json(dir.path(), &["embed", "parts", "--out", "out.parquet", "--iterations", "5"]);
    assert_eq!(report["rows"], 80);
    let parts = ["embed", "parts/0.parquet", "parts/1.arrow", "--out", "files.parquet", "--iterations", "5"];
    assert_eq!(json(dir.path(), &parts)["rows"], 80);
}
