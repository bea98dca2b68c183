//! `nevis cluster`.

use crate::support::*;
use dataset::arrow::array::{ArrayRef, AsArray, Float32Array, RecordBatch, StringArray};
use dataset::arrow::datatypes::Int32Type;
use std::path::Path;
use std::sync::Arc;

const ROWS: usize = 200;

/// 120 rows around the origin, 79 far to the right, and the last one far from all.
fn write_islands(path: &Path) {
    let noise = |seed: usize| {
        let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((mixed ^ (mixed >> 32)) & 0xFF_FFFF) as f32 / 16_777_216.0
    };
    let right = |row: usize| if row < 120 { 0.0 } else { 50.0 };
    let x = |row: usize| if row + 1 == ROWS { -80.0 } else { right(row) + noise(2 * row) };
    let y = |row: usize| if row + 1 == ROWS { 80.0 } else { noise(2 * row + 1) };
    let axis = |value: &dyn Fn(usize) -> f32| -> ArrayRef { Arc::new((0..ROWS).map(value).collect::<Float32Array>()) };
    let names: ArrayRef = Arc::new((0..ROWS).map(|row| Some(format!("row {row}"))).collect::<StringArray>());
    let table = RecordBatch::try_from_iter([("name", names), ("x", axis(&x)), ("y", axis(&y))]).unwrap();
    dataset::write_table(path, &table, &[]).unwrap();
}

fn clusters_of(path: &Path, column: &str) -> Vec<Option<i32>> {
    let table = read(path, &["x", "y"]);
    table.attributes.column_by_name(column).unwrap().as_primitive::<Int32Type>().iter().collect()
}

#[test]
fn islands_become_a_column_beside_all_others() {
    let dir = dir();
    write_islands(&dir.path().join("map.parquet"));
    let report = json(dir.path(), &["cluster", "map.parquet", "--out", "out.parquet"]);
    assert_eq!((&report["clusters"], &report["noise"], &report["column"]), (&2.into(), &1.into(), &"cluster".into()));
    assert_eq!(report["sizes"], serde_json::json!([120, 79]));
    let out = dir.path().join("out.parquet");
    assert_eq!(column_names(&out), ["name", "x", "y", "cluster"]);
    let expected = |row: usize| if row + 1 == ROWS { None } else { Some(i32::from(row >= 120)) };
    assert!(clusters_of(&out, "cluster").into_iter().eq((0..ROWS).map(expected)));
    // Again, from what it wrote: the column before is left alone.
    succeed(dir.path(), &["cluster", "out.parquet", "--out", "again.parquet", "--radius", "300"]);
    assert_eq!(clusters_of(&dir.path().join("again.parquet"), "cluster").len(), ROWS);
    let all = clusters_of(&dir.path().join("again.parquet"), "nevis_cluster");
    assert!(all.iter().all(|cluster| *cluster == Some(0)), "within 300 everything is one");
}

#[test]
fn an_embedding_keeps_its_recipe_and_text_tells_the_sizes() {
    let dir = dir();
    succeed(dir.path(), &["embed", "demo:", "--out", "map.parquet", "--iterations", FEW]);
    let text = succeed(dir.path(), &["cluster", "map.parquet", "--out", "out.csv", "--name", "island"]);
    assert!(text.contains("among 5 620 rows in 2 dimensions") && text.contains("wrote island to out.csv"), "{text}");
    succeed(dir.path(), &["cluster", "map.parquet", "--out", "out.parquet"]);
    // The recipe is still there: the embedding can be judged against its data.
    let judged = json(dir.path(), &["evaluate", "demo:", "out.parquet", "--queries", "50"]);
    assert!(judged["auc"].is_number() || judged["rnx_auc"].is_number(), "{judged}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let dir = dir();
    write_islands(&dir.path().join("map.parquet"));
    for (args, code, words) in [
        (&["--granularity", "0"][..], 2, "granularity"),
        (&["--radius=-1"], 2, "radius"),
        (&["--embedding-columns", "x,nowhere"], 1, "nowhere"),
    ] {
        let output = run(dir.path(), &[&["cluster", "map.parquet", "--out", "no.parquet"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
        assert!(!dir.path().join("no.parquet").exists());
    }
}
