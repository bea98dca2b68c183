//! `nevis evaluate`: its figures, the space it compares with, labels, and rows that do not match.

use crate::support::*;
use dataset::arrow::array::{Float32Array, StringArray};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

fn embed(dir: &Path, flags: &[&str]) {
    succeed(dir, &[&["embed", "in.parquet", "--out", "out.parquet", "--iterations", "150"], flags].concat());
}

#[test]
fn the_report_holds_every_figure() {
    let dir = dir_of_blobs(400);
    embed(dir.path(), &[]);
    let report = json(dir.path(), &["evaluate", "in.parquet", "out.parquet"]);
    has_keys(&report, &["auc", "rnx", "trustworthiness", "continuity", "knn_recall", "distance_correlation"]);
    has_keys(&report, &["space", "rows", "dims", "queries", "k", "seconds"]);
    assert_eq!(report["labels"], Value::Null);
    let curve = report["rnx"].as_array().unwrap();
    assert_eq!((curve.len(), &curve[0][0]), (398, &1.into()));
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

/// One figure of every representation.
fn figures(report: &Value, name: &str) -> Vec<f64> {
    let representations = report["labels"]["representations"].as_array().unwrap();
    representations.iter().map(|representation| representation[name].as_f64().unwrap()).collect()
}

/// `label` of the blobs, but only every third row has one, and the last row one of its own.
fn write_few_labels(path: &Path, rows: usize) {
    let label = |row: usize| match row {
        row if row == rows - 1 => Some("lonely".to_owned()),
        row => row.is_multiple_of(3).then(|| format!("blob {}", row % 5)),
    };
    let labels: StringArray = (0..rows).map(label).collect();
    let one: StringArray = (0..rows).map(|row| (row > 5).then_some("all alike")).collect();
    write(path, vec![("vector", lists(blobs(rows, 12), 12)), ("label", Arc::new(labels)), ("one", Arc::new(one))]);
}

#[test]
fn labels_are_tested_in_every_representation_side_by_side() {
    let dir = dir_of_blobs(400);
    embed(dir.path(), &["--pca", "4", "--standardize", "--metric", "manhattan"]);
    succeed(dir.path(), &["embed", "in.parquet", "--out", "start.csv", "--iterations", "0", "--init", "random"]);
    let args = ["evaluate", "in.parquet", "out.parquet", "--also", "start.csv", "--label", "label", "--label-k", "3"];
    let report = json(dir.path(), &args);
    let labels = &report["labels"];
    assert_eq!((&labels["column"], &labels["classes"], &labels["labelled"]), (&"label".into(), &5.into(), &400.into()));
    assert_eq!((&labels["trials"], &labels["folds"], &labels["k"]), (&100.into(), &10.into(), &3.into()));
    let representations = labels["representations"].as_array().unwrap();
    let texts = |key: &str| -> Vec<String> { representations.iter().map(|found| found[key].to_string()).collect() };
    assert_eq!(texts("name"), [r#""raw""#, r#""PCA 4""#, r#""out.parquet""#, r#""start.csv""#]);
    assert_eq!(texts("dims"), ["12", "4", "2", "2"]);
    assert_eq!(texts("metric"), [r#""manhattan""#, r#""manhattan""#, r#""euclidean""#, r#""euclidean""#]);
    assert_eq!(texts("one_shot_top5"), ["null"; 4], "five classes are always among five");
    for (name, least) in [("one_shot_top1", 0.95), ("crossval_top1", 0.99), ("silhouette", 0.5)] {
        let found = figures(&report, name);
        assert!(found[..3].iter().all(|&figure| figure > least), "{name}: {found:?}");
        assert!(found[3] < 0.4, "{name} of a random start: {found:?}");
    }
    assert_eq!(figures(&report, "crossval_rows"), [400.0; 4]);

    let text = succeed(dir.path(), &args);
    let line = |begin: &str| text.lines().find(|line| line.trim_start().starts_with(begin)).unwrap();
    assert!(text.contains("\"label\": 5 classes, 400 rows; one-shot: 100 trials"), "{text}");
    assert_eq!(line("raw").split_whitespace().collect::<Vec<_>>(), ["raw", "PCA", "4", "out.parquet", "start.csv"]);
    let shown: Vec<String> = figures(&report, "crossval_top1").iter().map(|share| format!("{share:.4}")).collect();
    assert_eq!(line("10-fold 3-NN top-1").split_whitespace().skip(3).collect::<Vec<_>>(), shown);
}

#[test]
fn labels_may_come_from_either_file() {
    let dir = dir_of_blobs(100);
    embed(dir.path(), &[]);
    write(&dir.path().join("bare.parquet"), vec![("vector", lists(blobs(100, 12), 12))]);
    let report = json(dir.path(), &["evaluate", "bare.parquet", "out.parquet", "--label", "label"]);
    assert!(figures(&report, "crossval_top1").iter().all(|&share| share > 0.9), "{report}");
    assert_eq!(report["labels"]["representations"][0]["name"], "data");
    assert!(report["notes"][0].as_str().unwrap().contains("was made from other bytes"), "{report}");
    let text = fail(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "nowhere"], 1);
    assert!(text.contains("no column \"nowhere\""), "{text}");
    succeed(dir.path(), &["embed", "in.parquet", "--out", "part.csv", "--iterations", FEW, "--limit", "99"]);
    let text =
        fail(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "label", "--also", "part.csv"], 1);
    assert!(text.contains("\"in.parquet\" has 100 rows and \"part.csv\" has 99"), "{text}");
    let text = fail(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--also", "out.parquet"], 2);
    assert!(text.contains("--label"), "{text}");
}

#[test]
fn missing_labels_are_counted_and_hopeless_ones_refused() {
    let dir = dir();
    write_few_labels(&dir.path().join("in.parquet"), 301);
    embed(dir.path(), &[]);
    let report = json(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "label"]);
    let labels = &report["labels"];
    assert_eq!((&labels["classes"], &labels["labelled"], &labels["unlabelled"]), (&6.into(), &101.into(), &200.into()));
    assert_eq!(figures(&report, "crossval_rows"), [100.0; 2]);
    assert_eq!(report["notes"][0], "200 rows without a label left out of the test");
    assert_eq!(report["notes"][1], "1 class of a single row cannot be tested");
    let text = fail(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "one"], 1);
    assert!(text.contains("--label \"one\": labels must be of at least 2 classes"), "{text}");
}

#[test]
fn a_label_among_the_vectors_is_told_of() {
    let dir = dir();
    let column = |of: fn(usize) -> f32| Arc::new(Float32Array::from_iter_values((0..60).map(of))) as _;
    let (x, class) = (column(|row| (row * row % 17) as f32), column(|row| (row % 3) as f32));
    write(&dir.path().join("in.parquet"), vec![("x", x), ("class", class)]);
    embed(dir.path(), &["--columns", "x,class"]);
    let report = json(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "class"]);
    let told = report["notes"].as_array().unwrap().iter().any(|note| note.to_string().contains("part of the vectors"));
    assert!(told, "{report}");
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
        let mut report =
            json(dir.path(), &["evaluate", "in.parquet", "out.parquet", "--label", "label", "--threads", threads]);
        report["seconds"].take();
        report
    };
    assert_eq!(figures("1"), figures("3"));
}
