//! `nevis hierarchy`.

use crate::support::*;
use dataset::arrow::array::AsArray;
use dataset::arrow::datatypes::Int32Type;
use dataset::read_metadata;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The nodes of all rows, by level, from a table that the command wrote.
fn nodes_of_rows(path: &Path, levels: usize) -> Vec<Vec<Option<i32>>> {
    let data = read(path, &["label"]); // the levels are beside the vectors then
    let column = |level: usize| {
        let column = data.attributes.column_by_name(&format!("level_{level}")).unwrap();
        column.as_primitive::<Int32Type>().iter().collect()
    };
    (0..levels).map(column).collect()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_graph_of_the_demo_agrees_with_the_table_of_its_rows() {
    let dir = dir();
    let grow = |out: &str| json(dir.path(), &["hierarchy", "demo:", "--levels", "3", "--out", out, "--members"]);
    let report = grow("g.json");
    let graph = read_json(&dir.path().join("g.json"));
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!(
        (&nodes[0]["level"], &nodes[0]["parent"], &nodes[0]["size"]),
        (&(-1).into(), &Value::Null, &5620.into())
    );
    assert_eq!((&report["nodes"], &report["dims"]), (&nodes.len().into(), &4.into()));
    assert_eq!(graph["levels"].as_array().unwrap().len(), 3);

    grow("rows.parquet");
    let table = dir.path().join("rows.parquet");
    let levels = nodes_of_rows(&table, 3);
    let mut rows_of_node: BTreeMap<i64, BTreeSet<usize>> = BTreeMap::new();
    for (level, nodes) in levels.iter().enumerate() {
        assert_eq!(nodes.len(), 5620);
        let noise = nodes.iter().filter(|node| node.is_none()).count();
        assert_eq!(report["levels"][level]["noise"], noise, "every row is in a node or counted as noise");
        for (row, node) in nodes.iter().enumerate() {
            node.map(|node| rows_of_node.entry(node.into()).or_default().insert(row));
        }
    }
    assert_eq!(rows_of_node.len() + 1, nodes.len());
    rows_of_node.insert(0, (0..5620).collect());
    for (id, rows) in &rows_of_node {
        let listed = nodes[*id as usize]["rows"].as_array().unwrap().iter().map(|row| row.as_u64().unwrap() as usize);
        assert!(listed.eq(rows.iter().copied()), "node {id}");
    }
    let edges = graph["edges"].as_array().unwrap();
    assert!(edges.len() + 1 >= nodes.len());
    for edge in edges {
        let (a, b) = (edge["parent"].as_i64().unwrap(), edge["child"].as_i64().unwrap());
        let (a, b) = (&rows_of_node[&a], &rows_of_node[&b]);
        let shared = a.intersection(b).count();
        assert_eq!(edge["overlap"], shared);
        let weight = shared as f64 / a.len().min(b.len()) as f64;
        assert!((edge["weight"].as_f64().unwrap() - weight).abs() < 1e-6 && weight > 0.0, "{edge}");
    }
    let recipe = read_metadata(&table, dataset::RECIPE_KEY).unwrap().unwrap();
    let recipe: Value = serde_json::from_str(&recipe).unwrap();
    assert_eq!((&recipe["command"], &recipe["settings"]["dims"]), (&"hierarchy".into(), &4.into()));
    assert_eq!(recipe["columns"], serde_json::json!(["level_0", "level_1", "level_2"]));
    assert!(read_metadata(&table, "nevis.hierarchy").unwrap().unwrap().contains("\"levels\":3"));
}

#[test]
fn classes_are_guessed_or_named_and_graphml_is_well_formed() {
    let dir = dir_of_blobs(400);
    let report = json(dir.path(), &["hierarchy", "in.parquet", "--levels", "2", "--out", "g.graphml"]);
    let labels = &report["labels"];
    assert_eq!((&labels["column"], labels["classes"].as_array().unwrap().len()), (&"label".into(), 5));
    assert_eq!(labels["separation"].as_array().unwrap().len(), 10, "all pairs of five");
    assert!(labels["in_pure_leaves"].as_f64().unwrap() > 0.9, "blobs that are far apart: {labels}");
    let text = std::fs::read_to_string(dir.path().join("g.graphml")).unwrap();
    let mut open: Vec<&str> = Vec::new();
    let mut nodes = 0;
    for tag in text.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match (tag.starts_with(['?', '!']), tag.starts_with('/'), tag.ends_with('/')) {
            (true, ..) | (_, false, true) => {}
            (_, true, _) => assert_eq!(open.pop(), Some(name)),
            (_, false, false) => open.push(name),
        }
        nodes += usize::from(name == "node" && !tag.starts_with('/'));
    }
    assert!(open.is_empty(), "{open:?} are not closed");
    assert_eq!(report["nodes"], nodes);

    let text = succeed(
        dir.path(),
        &["hierarchy", "in.parquet", "--levels", "1", "--out", "g.csv", "--label", "number", "--vector", "vector"],
    );
    assert!(text.contains("\"number\":") && text.contains("and 388 more classes"), "{text}");
    assert!(text.contains("wrote level_0 to g.csv"), "{text}");
    assert!(column_names(&dir.path().join("g.csv")).contains(&"level_0".to_owned()));
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let dir = dir_of_blobs(60);
    write_blobs(&dir.path().join("few.parquet"), 9);
    for (input, args, code, words) in [
        ("in.parquet", &["--out", "no.xml"][..], 1, ".graphml"),
        ("in.parquet", &["--out", "nowhere/no.json"], 1, "directory"),
        ("in.parquet", &["--out", "no.json", "--label", "nothing"], 1, "nothing"),
        ("in.parquet", &["--out", "no.json", "--label", "vector"], 1, "vector"),
        ("in.parquet", &["--out", "no.json", "--levels", "0"], 2, "levels"),
        ("in.parquet", &["--out", "no.json", "--dims", "0"], 2, "--dims"),
        ("few.parquet", &["--out", "no.json"], 1, "9 rows"),
    ] {
        let said = fail(dir.path(), &[&["hierarchy", input], args].concat(), code);
        assert!(said.contains(words), "{args:?}: {said}");
    }
    assert_eq!(files_in(dir.path()), ["few.parquet", "in.parquet"]);
}
