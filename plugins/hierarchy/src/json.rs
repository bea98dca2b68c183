//! A hierarchy as JSON.

use crate::classes::Label;
use crate::error::ExportError;
use crate::export::Extras;
use crate::graph::{Edge, Hierarchy, Node};
use crate::layout::Place;
use crate::level::Level;
use serde::Serialize;

/// Version of the schema: higher once a reader of this one would go wrong.
const VERSION: u32 = 1;

/// The hierarchy as JSON in one line.
///
/// ```json
/// {
///   "version": 1,
///   "rows": 70000,
///   "levels": [{"level": 0, "alpha": 1.0, "radius": 0.8, "clusters": 4, "noise": 210}],
///   "nodes": [
///     {"id": 0, "level": -1, "size": 70000, "parent": null},
///     {"id": 1, "level": 0, "size": 31200, "parent": 0,
///      "labels": [{"label": "3", "rows": 16000}, {"label": "5", "rows": 15200}], "purity": 0.51,
///      "x": 0.1, "y": 0.5, "r": 0.05, "rows": [0, 4, 5]}
///   ],
///   "edges": [{"parent": 0, "child": 1, "overlap": 31200, "weight": 1.0, "tree": true}]
/// }
/// ```
///
/// The root is node 0 at level −1. `labels` (most frequent first) and `purity` are there if classes are given; `x`, `y`
/// and `r`, in the unit disc, if a layout is; `rows` if members are asked for. The `radius` of a level is in units of
/// its embedding. Every node but the root has one edge with `tree`, from its `parent`.
///
/// # Errors
/// [`ExportError::Hierarchy`] if the extras are of another hierarchy.
pub fn to_json(hierarchy: &Hierarchy, extras: &Extras<'_>) -> Result<String, ExportError> {
    extras.check(hierarchy)?;
    let levels = hierarchy.levels().iter().enumerate().map(|(number, level)| level_out(hierarchy, number, level));
    let document = Document {
        version: VERSION,
        rows: hierarchy.rows(),
        levels: levels.collect(),
        nodes: hierarchy.nodes().iter().map(|node| node_out(node, extras)).collect(),
        edges: hierarchy.edges(),
    };
    Ok(serde_json::to_string(&document)?)
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    rows: usize,
    levels: Vec<LevelOut>,
    nodes: Vec<NodeOut<'a>>,
    edges: &'a [Edge],
}

#[derive(Serialize)]
struct LevelOut {
    level: usize,
    alpha: f32,
    radius: f32,
    clusters: usize,
    noise: usize,
}

#[derive(Serialize)]
struct NodeOut<'a> {
    id: u32,
    level: i64,
    size: usize,
    parent: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<Label<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purity: Option<f64>,
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<&'a [u32]>,
}

fn level_out(hierarchy: &Hierarchy, number: usize, level: &Level) -> LevelOut {
    let clusters = hierarchy.nodes_at(number).count();
    LevelOut { level: number, alpha: level.alpha, radius: level.radius, clusters, noise: level.noise() }
}

fn node_out<'a>(node: &'a Node, extras: &Extras<'a>) -> NodeOut<'a> {
    NodeOut {
        id: node.id,
        level: node.level.map_or(-1, |level| level as i64),
        size: node.size(),
        parent: node.parent,
        labels: extras.classes.map(|classes| classes.labels(node)),
        purity: extras.classes.map(|classes| classes.purity(node)),
        place: extras.layout.map(|layout| layout.places[node.id as usize]),
        rows: extras.members.then_some(&node.rows),
    }
}

#[cfg(test)]
mod tests;
