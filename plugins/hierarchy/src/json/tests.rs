use super::*;
use crate::classes::Classes;
use crate::error::HierarchyError;
use crate::layout::Layout;
use crate::support::{by_hand, classes};
use serde_json::{Value, json};

fn parsed(extras: &Extras<'_>) -> Value {
    serde_json::from_str(&to_json(&by_hand(0.5), extras).unwrap()).unwrap()
}

#[test]
fn the_graph_alone_is_short() {
    let document = parsed(&Extras::default());
    assert_eq!((&document["version"], &document["rows"]), (&json!(1), &json!(12)));
    let levels = json!([
        {"level": 0, "alpha": 1.0, "radius": 2.0, "clusters": 2, "noise": 1},
        {"level": 1, "alpha": 0.5, "radius": 1.0, "clusters": 3, "noise": 1},
        {"level": 2, "alpha": 0.25, "radius": 0.5, "clusters": 4, "noise": 3},
    ]);
    assert_eq!(document["levels"], levels);
    assert_eq!(document["nodes"][0], json!({"id": 0, "level": -1, "size": 12, "parent": null}));
    assert_eq!(document["nodes"][8], json!({"id": 8, "level": 2, "size": 2, "parent": 3}));
    assert_eq!(document["edges"][8], json!({"parent": 4, "child": 8, "overlap": 1, "weight": 0.5, "tree": false}));
    assert_eq!(document["edges"].as_array().unwrap().len(), 10);
}

#[test]
fn extras_are_said_of_every_node() {
    let (hierarchy, classes) = (by_hand(0.5), classes());
    let layout = Layout::new(&hierarchy);
    let document = parsed(&Extras { classes: Some(&classes), layout: Some(&layout), members: true });
    let node = &document["nodes"][2];
    assert_eq!(node["labels"], json!([{"label": "bell\u{7}", "rows": 4}, {"label": "<i>\"x\"</i>", "rows": 1}]));
    assert_eq!((&node["purity"], &node["rows"]), (&json!(0.8), &json!([6, 7, 8, 9, 10])));
    let place = layout.places[2];
    for (key, value) in [("x", place.x), ("y", place.y), ("r", place.r)] {
        assert!((node[key].as_f64().unwrap() - f64::from(value)).abs() < 1e-6, "{key}");
    }
}

#[test]
fn extras_of_another_hierarchy_are_refused() {
    let short = Classes::new(vec![None; 3], Vec::new()).unwrap();
    let error = to_json(&by_hand(0.5), &Extras { classes: Some(&short), ..Extras::default() }).unwrap_err();
    assert!(matches!(error, ExportError::Hierarchy(HierarchyError::ClassRows { found: 3, rows: 12 })));
    let layout = Layout { places: Vec::new(), rings: Vec::new() };
    let error = to_json(&by_hand(0.5), &Extras { layout: Some(&layout), ..Extras::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the layout has 0 places, but the hierarchy has 10 nodes");
}
