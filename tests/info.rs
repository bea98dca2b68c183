//! `nevis info`.

use crate::support::*;
use std::process::Stdio;

#[test]
fn info_describes_columns_oddities_and_memory() {
    let dir = dir_of_blobs(1200);
    let report = json(dir.path(), &["info", "in.parquet"]);
    has_keys(&report, &["file_rows", "rows", "columns", "dims", "constant_dims", "duplicates", "memory", "bad_rows"]);
    assert_eq!((&report["rows"], &report["dims"]), (&1200.into(), &12.into()));
    let roles: Vec<_> = report["columns"].as_array().unwrap().iter().map(|column| &column["role"]).collect();
    assert_eq!(roles, ["categorical", "vector", "continuous"]);
    let cpu = &report["memory"]["cpu"];
    has_keys(cpu, &["vectors", "hd_lists", "ld_lists", "affinities", "positions", "attributes"]);
    assert_eq!(cpu["vectors"], 1200 * 16 * 4);
    assert_eq!((&report["memory"]["fits"], report["memory"]["gpu_available"].is_boolean()), (&true.into(), true));
    has_keys(&report["memory"]["gpu"], &["vectors", "hd_lists", "ld_lists", "affinities", "positions", "total"]);
    let text = succeed(dir.path(), &["info", "in.parquet"]);
    for part in ["1 200", "12 in column \"vector\"", "FixedSizeList(12 x Float32)", "fits into", "  gpu  "] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn info_counts_what_embed_would_refuse() {
    let dir = dir();
    std::fs::write(dir.path().join("in.csv"), "a,b,name\n1,2,x\n1,NaN,y\n1,2,z\n").unwrap();
    let report = json(dir.path(), &["info", "in.csv"]);
    assert_eq!((&report["bad_rows"], &report["duplicates"]["rows"]), (&1.into(), &1.into()));
    assert_eq!(report["constant_dims"], serde_json::json!([0, 1]));
    let text = succeed(dir.path(), &["info", "in.csv"]);
    assert!(text.contains("1 row; first: column \"b\" is not finite (NaN) at row 1"), "{text}");
}

#[test]
fn the_demo_is_described_as_any_file() {
    let dir = dir();
    let report = json(dir.path(), &["info", "demo:"]);
    assert_eq!((&report["rows"], &report["dims"]), (&5620.into(), &64.into()));
    assert_eq!(report["constant_dims"].as_array().unwrap().len(), 2);
}

#[test]
fn a_reader_that_hangs_up_is_no_failure() {
    let dir = dir_of_blobs(50);
    let mut child =
        nevis(dir.path(), &["info", "in.parquet"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}
