//! `nevis evaluate`: its figures, the space it compares with, and rows that do not match.

use crate::support::*;
use dataset::arrow::array::Float32Array;
use std::path::Path;
use std::sync::Arc;

fn embed(dir: &Path, flags: &[&str]) {
    succeed(dir, &[&["embed", "in.parquet", "--out", "out.parquet", "--iterations", "150"], flags].concat());
}

#[test]
fn the_report_holds_every_figure() {
    let dir = dir_of_blobs(400);
    embed(dir.path(), &[]);
    let report = json(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "label"]);
    has_keys(&report, &["auc", "rnx", "trustworthiness", "continuity", "knn_recall", "distance_correlation"]);
    has_keys(&report, &["label_accuracy", "space", "rows", "dims", "queries", "k", "seconds"]);
    let curve = report["rnx"].as_array().unwrap();
    assert_eq!((curve.len(), &curve[0][0]), (398, &1.into()));
    assert!(report["label_accuracy"].as_f64().unwrap() > 0.95, "{report}");
    assert_eq!(report["space"]["description"], "12 dimensions, euclidean");
    let text = succeed(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--queries", "50", "--max-k", "30"]);
    assert!(text.contains("400 rows in 2 dimensions, 50 queries"), "{text}");
    assert!(text.contains("compared with: 12 dimensions, euclidean"), "{text}");
    let curve = text.lines().find(|line| line.trim_start().starts_with("K ")).unwrap();
    assert_eq!(curve.split_whitespace().collect::<Vec<_>>(), ["K", "1", "2", "5", "10", "20"]);
}

#[test]
fn the_recipe_says_how_the_data_is_read_and_flags_say_otherwise() {
    let dir = dir_of_blobs(200);
    embed(dir.path(), &["--sample", "150", "--pca", "4", "--standardize", "--metric", "manhattan"]);
    let report = json(dir.path(), &["evaluate", "in.parquet", "out.parquet"]);
    let text = report["space"]["description"].as_str().unwrap();
    assert!(text.starts_with("PCA 4 of 12 dimensions (") && text.ends_with(", standardized, manhattan"), "{text}");
    assert_eq!((&report["rows"], &report["space"]["dims"]), (&150.into(), &4.into()));
    let flags = ["--pca", "off", "--standardize=false", "--metric", "euclidean"];
    let report = json(dir.path(), &[&["evaluate", "in.parquet", "out.parquet"], &flags[..]].concat());
    assert_eq!(report["space"]["description"], "12 dimensions, euclidean");
}

#[test]
fn rows_that_do_not_match_are_refused() {
    let dir = dir_of_blobs(200);
    embed(dir.path(), &["--limit", "150"]);
    let text = fail(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--limit", "151"], 1);
    assert!(text.contains("\"in.parquet\" has 151 rows and \"out.parquet\" has 150"), "{text}");
    assert!(text.contains("give --limit, --sample and --on-bad-rows"), "{text}");
}

#[test]
fn coordinates_are_found_by_name_or_named() {
    let dir = dir_of_blobs(100);
    embed(dir.path(), &[]);
    succeed(dir.path(), &["embed", "in.parquet", "--out", "out.csv", "--iterations", "150"]);
    let auc = |args: &[&str]| json(dir.path(), &[&["evaluate", "in.parquet"], args].concat())["auc"].as_f64().unwrap();
    let with_recipe = auc(&["out.parquet"]);
    assert_eq!(auc(&["out.csv"]), with_recipe);
    assert_eq!(auc(&["out.csv", "--embedding-columns", "x,y"]), with_recipe);
    let line = auc(&["out.csv", "--embedding-columns", "x"]);
    assert!(line < with_recipe, "one axis of two is worse: {line} {with_recipe}");
    let columns: Vec<f32> = (0..100).map(|row| row as f32).collect();
    write(&dir.path().join("tsne.parquet"), vec![("t1", Arc::new(Float32Array::from(columns)) as _)]);
    assert!(auc(&["tsne.parquet"]) < with_recipe);
}

#[test]
fn labels_may_come_from_either_file() {
    let dir = dir_of_blobs(100);
    embed(dir.path(), &[]);
    write(&dir.path().join("bare.parquet"), vec![("vector", lists(blobs(100, 12), 12))]);
    let report = json(dir.path(), &["evaluate", "bare.parquet", "out.parquet", "--label", "label"]);
    assert!(report["label_accuracy"].as_f64().unwrap() > 0.9, "{report}");
    assert!(report["notes"][0].as_str().unwrap().contains("was made from other bytes"), "{report}");
    let text = fail(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "nowhere"], 1);
    assert!(text.contains("no column \"nowhere\""), "{text}");
}

#[test]
fn each_point_can_be_judged() {
    let dir = dir_of_blobs(100);
    embed(dir.path(), &[]);
    let out = dir.path().join("judged.parquet");
    let report = json(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--per-point", "judged.parquet"]);
    assert_eq!(report["per_point"], "judged.parquet");
    assert_eq!(column_names(&out), ["label", "number", "x", "y", "neighbourhood_kept", "distance_correlation"]);
    let judged = read(&out, &["x", "y"]);
    assert_eq!(judged.vectors, read(&dir.path().join("out.parquet"), &["x", "y"]).vectors);
    let kept = floats(&judged.attributes, "neighbourhood_kept");
    assert!(kept.iter().all(|share| (0.0..=1.0).contains(share)) && kept.iter().any(|&share| share > 0.5));
}

#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let dir = dir_of_blobs(300);
    embed(dir.path(), &[]);
    let figures = |threads: &str| {
        let mut report = json(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--threads", threads]);
        report["seconds"].take();
        report
    };
    assert_eq!(figures("1"), figures("3"));
}
