//! `nevis embed NEW --into OLD`: new rows take their places in a map that stays.

use crate::support::*;
use dataset::arrow::array::{ArrayRef, AsArray, BooleanArray, RecordBatch};
use dataset::arrow::compute::{cast, concat_batches, filter_record_batch};
use dataset::arrow::datatypes::DataType;
use dataset::{Dataset, OpenFile};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// Every so many rows are held out.
const EVERY: usize = 10;
/// Neighbours that vote on a class.
const VOTERS: usize = 10;
/// Points of accuracy that placing rows may cost against embedding all of them together.
const MOST_LOST: f64 = 0.02;

/// Writes the rows of a file in two: `new.parquet` has every tenth, `old.parquet` the others.
fn split(path: &Path, into: &Path) {
    let file = OpenFile::open(path).unwrap();
    let batches: Vec<RecordBatch> = file.batches(1 << 20).map(Result::unwrap).collect();
    let all = concat_batches(&file.schema(), &batches).unwrap();
    for (name, held_out) in [("new.parquet", true), ("old.parquet", false)] {
        let chosen: BooleanArray = (0..all.num_rows()).map(|row| Some(row.is_multiple_of(EVERY) == held_out)).collect();
        dataset::write_table(&into.join(name), &filter_record_batch(&all, &chosen).unwrap(), &[]).unwrap();
    }
}

/// Blobs in two files, and a map of the larger one.
fn dir_of_map(rows: usize, flags: &[&str]) -> TempDir {
    let dir = dir_of_blobs(rows);
    split(&dir.path().join("in.parquet"), dir.path());
    succeed(dir.path(), &[&["embed", "old.parquet", "--out", "map.parquet"], flags].concat());
    dir
}

const INTO: [&str; 6] = ["embed", "new.parquet", "--into", "map.parquet", "--out", "out.parquet"];

fn labels(table: &Dataset) -> Vec<String> {
    let labels = cast(table.attributes.column_by_name("label").unwrap(), &DataType::Utf8).unwrap();
    labels.as_string::<i32>().iter().map(|label| label.unwrap().to_owned()).collect()
}

/// Share of the asked rows whose class most of their nearest known ones have.
fn accuracy(known: &[(Vec<f32>, String)], asked: &[(Vec<f32>, String)]) -> f64 {
    let squared = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
    let right = asked.iter().filter(|(at, class)| {
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.select_nth_unstable_by(VOTERS, |&a, &b| squared(&known[a].0, at).total_cmp(&squared(&known[b].0, at)));
        let votes = |class: &str| order[..VOTERS].iter().filter(|&&row| known[row].1 == *class).count();
        order[..VOTERS].iter().all(|&row| votes(&known[row].1) <= votes(class))
    });
    right.count() as f64 / asked.len() as f64
}

fn placed(table: &Dataset) -> Vec<(Vec<f32>, String)> {
    let positions = (0..table.vectors.rows()).map(|row| table.vectors.row(row).to_vec());
    positions.zip(labels(table)).collect()
}

#[test]
fn held_out_digits_are_told_as_well_as_if_all_had_been_embedded_together() {
    let dir = dir();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo_optdigits_5620.parquet");
    split(&demo, dir.path());
    succeed(dir.path(), &["embed", "old.parquet", "--out", "map.parquet", "--iterations", "400"]);
    let map = std::fs::read(dir.path().join("map.parquet")).unwrap();
    let report = json(dir.path(), &INTO);
    assert_eq!((&report["rows"], &report["old_rows"]), (&562.into(), &5058.into()));
    assert_eq!(report["old_moved"], 0.0, "the map is held to the bit");
    assert!(map == std::fs::read(dir.path().join("map.parquet")).unwrap(), "the file is only read");
    succeed(dir.path(), &["embed", "demo:", "--out", "all.parquet", "--iterations", "400"]);
    let [old, new, all] =
        ["map", "out", "all"].map(|name| placed(&read(&dir.path().join(name).with_extension("parquet"), &["x", "y"])));
    let (asked, known): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(row, _)| row.is_multiple_of(EVERY));
    let [asked, known] = [asked, known].map(|rows| rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>());
    let (together, apart) = (accuracy(&known, &asked), accuracy(&old, &new));
    assert!(together > 0.95 && apart >= together - MOST_LOST, "{apart:.4} placed, {together:.4} embedded together");
    let mut mixed = new.clone();
    for row in 0..mixed.len() {
        mixed[row].0.clone_from(&new[(row + 281) % new.len()].0);
    }
    let wrong = accuracy(&old, &mixed);
    assert!(wrong < 0.5, "{wrong:.4} of rows in the places of others: the accuracy could not fail");
}

#[test]
fn the_report_and_the_table_are_of_the_new_rows_alone() {
    let dir = dir_of_map(300, &["--iterations", "250"]);
    let report = json(dir.path(), &INTO);
    has_keys(&report, &["rows", "old_rows", "dims", "iterations", "stiffness", "settings", "seconds", "into", "out"]);
    has_keys(&report["seconds"], &["load", "search", "forces", "write", "total"]);
    assert_eq!((&report["rows"], &report["old_rows"], &report["stiffness"]), (&30.into(), &270.into(), &1.0.into()));
    let out = dir.path().join("out.parquet");
    assert_eq!(column_names(&out), ["label", "number", "x", "y"]);
    let table = read(&out, &["x", "y"]);
    assert_eq!(labels(&table), (0..30).map(|row| format!("blob {}", row * EVERY % 5)).collect::<Vec<_>>());
    let old = placed(&read(&dir.path().join("map.parquet"), &["x", "y"]));
    assert_eq!(accuracy(&old, &placed(&table)), 1.0);
    let text = succeed(dir.path(), &INTO);
    assert!(text.contains("placed 30 rows into the map of 270 rows in 2 dimensions, from 12 dimensions"), "{text}");
    assert!(!text.contains("made room"), "{text}");
    succeed(dir.path(), &["embed", "new.parquet", "--into", "map.parquet", "--out", "out.csv"]);
    assert_eq!(read(&dir.path().join("out.csv"), &["x", "y"]).vectors, table.vectors);
}

#[test]
fn less_stiffness_lets_the_map_make_room() {
    let dir = dir_of_map(300, &["--iterations", "250"]);
    let moved = |stiffness: &str| {
        let report = json(dir.path(), &[&INTO[..], &["--stiffness", stiffness]].concat());
        report["old_moved"].as_f64().unwrap()
    };
    let (firm, soft) = (moved("0.9"), moved("0"));
    assert!(firm > 0.0 && firm < soft, "{firm} at 0.9, {soft} at 0");
    let text = succeed(dir.path(), &[&INTO[..], &["--stiffness", "0.5"]].concat());
    assert!(text.contains("the old rows made room") && text.contains("map.parquet is as it was"), "{text}");
}

#[test]
fn vectors_are_scaled_and_reduced_as_those_of_the_map_were() {
    let dir = dir_of_map(300, &["--standardize", "--pca", "4", "--metric", "cosine", "--iterations", "250"]);
    // Alone, one row would have no deviation and no axes at all.
    succeed(dir.path(), &[&INTO[..], &["--limit", "1"]].concat());
    let old = placed(&read(&dir.path().join("map.parquet"), &["x", "y"]));
    let one = placed(&read(&dir.path().join("out.parquet"), &["x", "y"]));
    assert_eq!((one.len(), accuracy(&old, &one)), (1, 1.0));
    succeed(dir.path(), &INTO);
    assert_eq!(accuracy(&old, &placed(&read(&dir.path().join("out.parquet"), &["x", "y"]))), 1.0);
}

#[test]
fn rows_that_are_in_the_map_already_come_to_lie_beside_themselves() {
    let dir = dir_of_map(300, &["--iterations", "250"]);
    succeed(dir.path(), &["embed", "old.parquet", "--into", "map.parquet", "--out", "out.parquet", "--limit", "40"]);
    let (old, again) =
        (read(&dir.path().join("map.parquet"), &["x", "y"]), read(&dir.path().join("out.parquet"), &["x", "y"]));
    assert_eq!(accuracy(&placed(&old), &placed(&again)), 1.0);
    assert_eq!(column_names(&dir.path().join("out.parquet")), ["label", "number", "row", "x", "y"]);
}

#[test]
fn lists_of_dimensions_and_taken_names_come_out_as_in_the_map() {
    let dir = dir_of_map(200, &["--dims", "5", "--iterations", "50"]);
    succeed(dir.path(), &INTO);
    assert_eq!(column_names(&dir.path().join("out.parquet")), ["label", "number", "embedding"]);
    assert_eq!(read(&dir.path().join("out.parquet"), &["embedding"]).vectors.dims(), 5);
    let text = fail(dir.path(), &["embed", "new.parquet", "--into", "map.parquet", "--out", "out.csv"], 1);
    assert!(text.contains("which a CSV file cannot"), "{text}");
    let numbers: ArrayRef = Arc::new(dataset::arrow::array::Int32Array::from(vec![1, 2]));
    write(&dir.path().join("taken.parquet"), vec![("vector", lists(blobs(2, 12), 12)), ("embedding", numbers)]);
    let report = json(dir.path(), &["embed", "taken.parquet", "--into", "map.parquet", "--out", "out.parquet"]);
    assert_eq!(report["columns"], serde_json::json!(["nevis_embedding"]));
    assert!(report["notes"][0].as_str().unwrap().contains("it is kept"), "{report}");
}

#[test]
fn a_recipe_places_the_same_rows_again() {
    let dir = dir_of_map(200, &["--iterations", "100"]);
    succeed(dir.path(), &[&INTO[..], &["--iterations", "60", "--stiffness", "0.8"]].concat());
    let again = ["embed", "--from-recipe", "out.parquet", "--out", "again.parquet"];
    succeed(dir.path(), &again);
    let bytes = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert!(bytes("out.parquet") == bytes("again.parquet"));
    let recipe = dataset::read_metadata(&dir.path().join("out.parquet"), dataset::RECIPE_KEY).unwrap().unwrap();
    let recipe: Value = serde_json::from_str(&recipe).unwrap();
    assert_eq!((&recipe["into"]["map"], &recipe["rows"]), (&"map.parquet".into(), &20.into()));
    assert!((recipe["settings"]["stiffness"].as_f64().unwrap() - 0.8).abs() < 1e-6);
    succeed(dir.path(), &["embed", "old.parquet", "--out", "map.parquet", "--iterations", "101"]);
    let text = fail(dir.path(), &again, 1);
    assert!(text.contains("\"map.parquet\" is not the input of the recipe in \"out.parquet\""), "{text}");
}

#[test]
fn an_adapter_that_was_asked_for_is_not_passed_over_in_silence() {
    let dir = dir_of_map(100, &["--iterations", "20"]);
    let report = json(dir.path(), &[&INTO[..], &["--backend", "gpu", "--iterations", "5"]].concat());
    assert_eq!(report["backend"], "cpu");
    assert!(report["notes"][0].as_str().unwrap().starts_with("on the cpu: "), "{report}");
}

#[test]
fn what_the_map_has_decided_cannot_be_decided_again() {
    let dir = dir_of_map(100, &["--iterations", "5"]);
    for flags in
        [["--dims", "3"], ["--metric", "cosine"], ["--init", "pca"], ["--pca", "off"], ["--settings", "s.json"]]
    {
        let text = fail(dir.path(), &[&INTO[..], &flags[..]].concat(), 2);
        assert!(text.contains("cannot be used with"), "{text}");
    }
    let text = fail(dir.path(), &[&INTO[..], &["--stiffness", "1.5"]].concat(), 2);
    assert!(text.contains("--stiffness is 1.5, but must be 0 to 1"), "{text}");
    let text = fail(dir.path(), &["embed", "new.parquet", "--into", "map.parquet", "--out", "map.parquet"], 2);
    assert!(text.contains("is the map itself"), "{text}");
}

#[test]
fn rows_of_another_kind_are_refused() {
    let dir = dir_of_map(100, &["--iterations", "5"]);
    let refuse = |input: &str| fail(dir.path(), &["embed", input, "--into", "map.parquet", "--out", "out.parquet"], 1);
    write(&dir.path().join("wide.parquet"), vec![("vector", lists(blobs(3, 13), 13))]);
    let text = refuse("wide.parquet");
    assert!(text.contains("\"wide.parquet\" does not fit the map \"map.parquet\""), "{text}");
    assert!(text.contains("vectors of 13 values, but of 12"), "{text}");
    write(&dir.path().join("other.parquet"), vec![("v", lists(blobs(3, 12), 12))]);
    assert!(refuse("other.parquet").contains("no column \"vector\"; there are: "));
    write(&dir.path().join("none.parquet"), vec![("vector", lists(Vec::new(), 12))]);
    assert!(refuse("none.parquet").contains("\"none.parquet\" has no rows"));
    assert!(!dir.path().join("out.parquet").exists());
}

#[test]
fn a_map_without_its_data_says_what_is_missing() {
    let dir = dir_of_map(100, &["--iterations", "5"]);
    let text = fail(dir.path(), &["embed", "new.parquet", "--into", "old.parquet", "--out", "out.parquet"], 1);
    assert!(text.contains("\"old.parquet\" holds no recipe"), "{text}");
    succeed(dir.path(), &INTO);
    let text = fail(dir.path(), &["embed", "old.parquet", "--into", "out.parquet", "--out", "far.parquet"], 1);
    assert!(text.contains("\"out.parquet\" is no map of its own: its rows were placed into \"map.parquet\""), "{text}");
    std::fs::rename(dir.path().join("old.parquet"), dir.path().join("moved.parquet")).unwrap();
    let text = fail(dir.path(), &INTO, 1);
    assert!(text.contains("the data of the map \"map.parquet\", \"old.parquet\", is not there"), "{text}");
    write_blobs(&dir.path().join("old.parquet"), 91);
    let text = fail(dir.path(), &INTO, 1);
    assert!(text.contains("\"old.parquet\" is not the data that the map \"map.parquet\" was made from"), "{text}");
}
