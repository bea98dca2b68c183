//! `nevis experiment`, the small versions: files, columns, and the claims that hold at that size.

use crate::support::*;
use dataset::arrow::array::{AsArray, RecordBatch};
use dataset::arrow::datatypes::{Float64Type, UInt32Type};
use dataset::{AttributeColumns, LoadOptions};
use serde_json::Value;
use std::path::Path;

/// Share of the final quality of the neighbours that the feedback loop is timed by.
const REACHED: f64 = 0.9;
/// Least recall among blobs that lie apart.
const MIN_RECALL: f64 = 0.99;

/// Runs a small experiment without Python, checks its files and its line, and gives its report and its table without
/// the last column, which must be numbers.
fn quick(dir: &Path, name: &str, columns: &[&str]) -> (Value, RecordBatch) {
    let report = json(dir, &["experiment", name, "--quick", "--peers-env", "nowhere"]);
    let (table, plot) = (format!("{name}.parquet"), format!("{name}.png"));
    assert_eq!(files_in(&dir.join("experiments")), [table.as_str(), plot.as_str()]);
    assert_eq!(column_names(&dir.join("experiments").join(&table)), columns);
    let picture = std::fs::read(dir.join("experiments").join(&plot)).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 2000, "{plot} holds {} bytes", picture.len());
    let log = std::fs::read_to_string(dir.join("docs/experiments.md")).unwrap();
    let line = log.lines().find(|line| line.contains(&format!("`nevis experiment {name} --quick`"))).unwrap();
    assert!(line.contains(report["figures"].as_str().unwrap()) && line.contains(" cores, "), "{line}");
    // The loader wants vectors: the last column plays them.
    let columns = columns.last().map(|&column| column.to_owned()).into_iter().collect();
    let options = LoadOptions { columns, attributes: AttributeColumns::All, ..LoadOptions::default() };
    let table = dataset::load(&[dir.join("experiments").join(&table)], &options, &|_| {}).unwrap();
    (report, table.attributes)
}

fn numbers(table: &RecordBatch, column: &str) -> Vec<f64> {
    table.column_by_name(column).unwrap().as_primitive::<Float64Type>().values().to_vec()
}

fn counts(table: &RecordBatch, column: &str) -> Vec<u32> {
    table.column_by_name(column).unwrap().as_primitive::<UInt32Type>().values().to_vec()
}

fn texts(table: &RecordBatch, column: &str) -> Vec<String> {
    table.column_by_name(column).unwrap().as_string::<i32>().iter().map(|text| text.unwrap().to_owned()).collect()
}

fn says_that_peers_are_missing(report: &Value) {
    let notes = report["notes"].as_array().unwrap();
    assert_eq!(notes.len(), 1, "said once: {notes:?}");
    assert!(notes[0].as_str().unwrap().contains("without the Python peers"), "{notes:?}");
}

#[test]
fn a_moving_embedding_helps_the_search() {
    let dir = dir();
    let columns = ["dims", "search", "moving", "refinements", "auc", "iterations"];
    let (report, table) = quick(dir.path(), "feedback-loop", &columns);
    assert!(report["notes"].as_array().unwrap().is_empty(), "it needs no peers");
    let moving: Vec<bool> = table.column_by_name("moving").unwrap().as_boolean().iter().map(Option::unwrap).collect();
    let (dims, refinements, auc) = (counts(&table, "dims"), counts(&table, "refinements"), numbers(&table, "auc"));
    let search = texts(&table, "search");
    for wanted in [2, 8] {
        let line = |at: &usize| dims[*at] == wanted && search[*at] == "1 place followed";
        let of = |moves: bool| (0..auc.len()).filter(line).filter(|&at| moving[at] == moves).collect::<Vec<_>>();
        let goal = REACHED * auc[*of(true).last().unwrap()];
        let reached = |moves| of(moves).into_iter().find(|&at| auc[at] >= goal).map(|at| refinements[at]);
        let (with, without) = (reached(true).unwrap(), reached(false));
        assert!(without.is_none_or(|without| with < without), "d = {wanted}: {with} and {without:?} refinements");
        let first = |moves| auc[of(moves)[0]];
        assert_eq!(first(true), first(false), "both begin with the same lists");
    }
}

#[test]
fn neighbours_of_disjoint_blobs_are_found() {
    let dir = dir();
    let columns = ["set", "rows", "method", "k", "recall", "rnx", "seconds"];
    let (report, table) = quick(dir.path(), "neighbour-search", &columns);
    says_that_peers_are_missing(&report);
    let (sets, k, recall) = (texts(&table, "set"), counts(&table, "k"), numbers(&table, "recall"));
    assert!(texts(&table, "method").iter().all(|method| method == "nevis"));
    let whole = |set: &str| (0..k.len()).find(|&at| sets[at].starts_with(set) && k[at] == 32).map(|at| recall[at]);
    for set in ["disjoint blobs", "overlapping blobs", "digits"] {
        let recall = whole(set).unwrap();
        assert!((MIN_RECALL..=1.0).contains(&recall), "{set}: recall {recall} instead of {MIN_RECALL}");
    }
}

#[test]
fn curves_grids_and_times_are_written() {
    let directory = dir();
    let columns = ["set", "rows", "method", "k", "rnx", "auc", "seconds"];
    let (report, table) = quick(directory.path(), "quality-curves", &columns);
    says_that_peers_are_missing(&report);
    assert!(numbers(&table, "auc").iter().any(|&auc| auc > 0.4), "digits keep their neighbours");

    let directory = dir();
    let (report, table) =
        quick(directory.path(), "scaling", &["method", "dims", "rows", "iterations", "seconds", "cpu_seconds"]);
    says_that_peers_are_missing(&report);
    assert_eq!(counts(&table, "rows"), [500, 1000, 2000]);
    assert_eq!(counts(&table, "dims"), [32; 3]);

    if adapter().is_some() {
        let directory = dir();
        let columns = ["alpha", "repulsion_over_attraction", "auc", "rnx_10", "rnx_100", "trustworthiness"];
        let (_, table) = quick(directory.path(), "alpha-grid", &columns);
        assert_eq!(numbers(&table, "alpha"), [0.5, 1.0]);
        assert_ne!(numbers(&table, "auc")[0], numbers(&table, "auc")[1], "tails make a difference");
    }
}

#[test]
fn one_example_of_a_class_says_more_in_an_embedding() {
    let dir = dir();
    let columns = [
        "representation",
        "dims",
        "one_shot_top1",
        "one_shot_top1_sd",
        "one_shot_top5",
        "crossval_top1",
        "one_shot_rows",
        "silhouette",
    ];
    let (_, table) = quick(dir.path(), "one-shot", &columns);
    let (dims, top1) = (counts(&table, "dims"), numbers(&table, "one_shot_top1"));
    assert_eq!(dims, [64, 8, 8]);
    assert!(top1[1] > top1[0] + 0.1 && top1[2] > top1[0] + 0.1, "{top1:?}");
    // Again: the line is replaced, and not added.
    quick(dir.path(), "one-shot", &columns);
    let log = std::fs::read_to_string(dir.path().join("docs/experiments.md")).unwrap();
    assert_eq!(log.matches("one-shot --quick").count(), 1, "{log}");
}

#[test]
fn what_there_is_can_be_asked_and_what_is_not_is_refused() {
    let dir = dir();
    let names = ["feedback-loop", "neighbour-search", "quality-curves", "scaling", "alpha-grid", "one-shot"];
    let listed = succeed(dir.path(), &["experiment", "list"]);
    let refused = fail(dir.path(), &["experiment", "feedback"], 2);
    for name in names {
        assert!(listed.contains(name) && refused.contains(name), "{listed}{refused}");
    }
    let missing = fail(dir.path(), &["experiment", "one-shot", "--data", "nowhere"], 1);
    assert!(missing.contains("nowhere"), "{missing}");
}
