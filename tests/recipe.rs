//! Outputs tell how to make them again.

use crate::support::*;
use serde_json::Value;
use std::path::Path;

fn recipe_of(path: &Path) -> Value {
    serde_json::from_str(&dataset::read_metadata(path, dataset::RECIPE_KEY).unwrap().unwrap()).unwrap()
}

/// Flags unlike the defaults, of every kind.
const FLAGS: [&str; 14] = [
    "--iterations",
    "40",
    "--dims",
    "3",
    "--perplexity",
    "8",
    "--alpha",
    "0.9",
    "--metric",
    "cosine",
    "--sample",
    "90",
    "--pca",
    "5",
];

#[test]
fn a_recipe_gives_the_same_bytes_again() {
    let dir = dir_of_blobs(120);
    for (ending, input) in [("parquet", "in.parquet"), ("arrow", "in.parquet"), ("parquet", "demo:")] {
        let (first, again) = (format!("first.{ending}"), format!("again.{ending}"));
        succeed(dir.path(), &[&["embed", input, "--out", &first, "--seed", "5"], &FLAGS[..]].concat());
        succeed(dir.path(), &["embed", "--from-recipe", &first, "--out", &again]);
        let bytes = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
        assert!(bytes(&first) == bytes(&again), "{input} to {ending} differs");
    }
}

#[test]
fn the_recipe_names_everything_that_decides_the_result() {
    let dir = dir_of_blobs(120);
    succeed(dir.path(), &[&["embed", "in.parquet", "--out", "out.parquet"], &FLAGS[..]].concat());
    let recipe = recipe_of(&dir.path().join("out.parquet"));
    assert_eq!(recipe["nevis"], env!("CARGO_PKG_VERSION"));
    assert_eq!(recipe["input"], serde_json::json!(["in.parquet"]));
    assert_eq!(recipe["input_hash"].as_str().unwrap().len(), 64);
    assert_eq!((&recipe["iterations"], &recipe["rows"]), (&40.into(), &90.into()));
    assert_eq!((&recipe["settings"]["metric"], &recipe["load"]["pca"]), (&"cosine".into(), &"5".into()));
    assert!((0.05..1.0).contains(&recipe["auc"].as_f64().unwrap()), "{recipe}");
    has_keys(&recipe["settings"], &["seed", "dims", "perplexity", "early_exaggeration", "init"]);
}

#[test]
fn another_input_is_refused_and_the_same_bytes_elsewhere_are_not() {
    let dir = dir_of_blobs(60);
    succeed(dir.path(), &["embed", "in.parquet", "--out", "first.parquet", "--iterations", "5"]);
    std::fs::rename(dir.path().join("in.parquet"), dir.path().join("moved.parquet")).unwrap();
    let text = fail(dir.path(), &["embed", "--from-recipe", "first.parquet", "--out", "again.parquet"], 1);
    assert!(text.contains("\"in.parquet\" does not exist"), "{text}");
    succeed(dir.path(), &["embed", "moved.parquet", "--from-recipe", "first.parquet", "--out", "again.parquet"]);
    write_blobs(&dir.path().join("in.parquet"), 61);
    let text = fail(dir.path(), &["embed", "--from-recipe", "first.parquet", "--out", "other.parquet"], 1);
    let recipe = recipe_of(&dir.path().join("first.parquet"));
    let expected = &recipe["input_hash"].as_str().unwrap()[..12];
    assert!(text.contains("\"in.parquet\" is not the input of the recipe in \"first.parquet\""), "{text}");
    assert!(text.contains(&format!("the recipe's with {expected};")), "{text}");
    assert!(!dir.path().join("other.parquet").exists());
}

#[test]
fn flags_beside_a_recipe_are_usage_errors() {
    let dir = dir_of_blobs(60);
    succeed(dir.path(), &["embed", "in.parquet", "--out", "first.parquet", "--iterations", "5"]);
    let base = ["embed", "--from-recipe", "first.parquet", "--out", "again.parquet"];
    for flags in [["--iterations", "3"], ["--perplexity", "5"], ["--limit", "9"], ["--settings", "s.json"]] {
        let text = fail(dir.path(), &[&base[..], &flags[..]].concat(), 2);
        assert!(text.contains("cannot be used with"), "{text}");
    }
    succeed(dir.path(), &[&base[..], &["--backend", "cpu"]].concat());
}

#[test]
fn files_without_a_recipe_say_so() {
    let dir = dir_of_blobs(60);
    let text = fail(dir.path(), &["embed", "--from-recipe", "in.parquet", "--out", "out.parquet"], 1);
    assert!(text.contains("\"in.parquet\" holds no recipe"), "{text}");
    succeed(dir.path(), &["neighbours", "in.parquet", "--k", "3", "--out", "graph.parquet"]);
    let text = fail(dir.path(), &["embed", "--from-recipe", "graph.parquet", "--out", "out.parquet"], 1);
    assert!(text.contains("holds the recipe of `nevis neighbours`"), "{text}");
}
