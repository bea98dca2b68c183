//! Clusters of all levels as nodes, and what they share as edges.

use crate::error::HierarchyError;
use crate::level::Level;
use crate::overlap::{NodesOfRows, overlaps, strongest};
use clusters::NOISE;
use serde::Serialize;
use std::collections::BTreeMap;

/// The node of the whole data set.
pub const ROOT: u32 = 0;

/// A cluster of one level, or the whole data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its place among all nodes.
    pub id: u32,
    /// Its level, from 0; none for the root.
    pub level: Option<usize>,
    /// Its rows, ascending.
    pub rows: Vec<u32>,
    /// The node before it that it parted from; none for the root. See [`Hierarchy::new`].
    pub parent: Option<u32>,
}

impl Node {
    /// Number of its rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rows.len()
    }
}

/// Two nodes that share rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Edge {
    /// The node of the earlier level.
    pub parent: u32,
    /// The node of the later level.
    pub child: u32,
    /// Rows in both.
    pub overlap: usize,
    /// The overlap as a share of the smaller node (above 0, at most 1).
    pub weight: f32,
    /// Whether it leads to the child's one parent in the tree.
    pub tree: bool,
}

/// How clusters part from level to level: a graph with a tree in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy {
    rows: usize,
    levels: Vec<Level>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    cut: usize,
    /// By node, ascending.
    children: Vec<Vec<u32>>,
    /// By level.
    nodes_of_rows: Vec<NodesOfRows>,
}

impl Hierarchy {
    /// Joins the clusters of adjacent levels by edges of weight |A∩B| / min(|A|, |B|), and those of the first level
    /// with the root.
    ///
    /// In the tree, a node's parent is the node of the level before that it shares most rows with; of several the
    /// first. A node whose rows were all noise there hangs from the last level before in which they were not, at the
    /// latest from the root. Of the other edges those lighter than `weak_edge` are cut.
    ///
    /// Nodes are numbered from the root by level, and within a level as its clusters are.
    ///
    /// # Errors
    /// [`HierarchyError::Empty`] without levels or rows, [`HierarchyError::Rows`] if levels differ in them,
    /// [`HierarchyError::Options`] if `weak_edge` is not from 0 to 1.
    pub fn new(levels: Vec<Level>, weak_edge: f32) -> Result<Self, HierarchyError> {
        if !(0.0..=1.0).contains(&weak_edge) {
            let value = weak_edge.into();
            return Err(HierarchyError::Options { option: "weak_edge", value, allowed: "from 0 to 1" });
        }
        let rows = levels.first().map_or(0, |level| level.labels.len());
        if rows == 0 {
            return Err(HierarchyError::Empty);
        }
        if let Some((level, other)) = levels.iter().enumerate().find(|(_, level)| level.labels.len() != rows) {
            return Err(HierarchyError::Rows { level, found: other.labels.len(), rows });
        }
        let (mut nodes, nodes_of_rows) = nodes(&levels, rows);
        let (edges, cut) = edges(&mut nodes, &nodes_of_rows, weak_edge);
        let mut children = vec![Vec::new(); nodes.len()];
        for node in &nodes {
            if let Some(parent) = node.parent {
                children[parent as usize].push(node.id);
            }
        }
        Ok(Self { rows, levels, nodes, edges, cut, children, nodes_of_rows })
    }

    /// Rows of the data set.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What it was made from, in order.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// All nodes by id, the root first, every parent before its children.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes of a level; none where there is no such level.
    pub fn nodes_at(&self, level: usize) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(move |node| node.level == Some(level))
    }

    /// The edges that were not cut, by child and then by parent.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Number of edges that were too weak.
    #[must_use]
    pub fn cut_edges(&self) -> usize {
        self.cut
    }

    /// The children of a node in the tree, ascending.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn children(&self, node: u32) -> &[u32] {
        &self.children[node as usize]
    }

    /// The nodes without children in the tree: those of the last level, and those that dissolved before.
    pub fn leaves(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| self.children(node.id).is_empty())
    }

    /// The node of a level that a row is in; none for noise, and where there is no such level or row.
    #[must_use]
    pub fn node_of(&self, row: u32, level: usize) -> Option<u32> {
        self.nodes_of_rows.get(level)?.get(row as usize).copied().flatten()
    }

    /// For each level the node of every row, −1 for noise: columns of a table of rows × levels.
    #[must_use]
    pub fn table(&self) -> Vec<Vec<i32>> {
        let column = |nodes: &NodesOfRows| nodes.iter().map(|node| node.map_or(-1, |id| id as i32)).collect();
        self.nodes_of_rows.iter().map(column).collect()
    }
}

/// The root and one node for each cluster, still without parents, and the node of each row by level.
fn nodes(levels: &[Level], rows: usize) -> (Vec<Node>, Vec<NodesOfRows>) {
    let mut nodes = vec![Node { id: ROOT, level: None, rows: (0..rows as u32).collect(), parent: None }];
    let mut nodes_of_rows = Vec::with_capacity(levels.len());
    for (number, level) in levels.iter().enumerate() {
        let mut rows_of_cluster: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (row, &label) in (0..).zip(&level.labels).filter(|&(_, &label)| label != NOISE) {
            rows_of_cluster.entry(label).or_default().push(row);
        }
        let mut node_of_row = vec![None; rows];
        for rows in rows_of_cluster.into_values() {
            let id = nodes.len() as u32;
            rows.iter().for_each(|&row| node_of_row[row as usize] = Some(id));
            nodes.push(Node { id, level: Some(number), rows, parent: None });
        }
        nodes_of_rows.push(node_of_row);
    }
    (nodes, nodes_of_rows)
}

/// Gives every node its parent; returns the edges that stay and the number of those that do not.
fn edges(nodes: &mut [Node], nodes_of_rows: &[NodesOfRows], weak_edge: f32) -> (Vec<Edge>, usize) {
    let (mut edges, mut cut) = (Vec::new(), 0);
    for child in 1..nodes.len() {
        let Some(level) = nodes[child].level else { continue }; // the root
        // The level before; those before that only while nothing is shared. The root shares everything.
        let before = nodes_of_rows[..level].iter().rev().map(Some).chain([None]);
        let found = before.map(|level| overlaps(&nodes[child], level)).find(|shared| !shared.is_empty());
        let shared = found.unwrap_or_default();
        nodes[child].parent = strongest(&shared);
        for (&parent, &overlap) in &shared {
            let smaller = nodes[child].size().min(nodes[parent as usize].size());
            let weight = overlap as f32 / smaller as f32;
            let tree = nodes[child].parent == Some(parent);
            if tree || weight >= weak_edge {
                edges.push(Edge { parent, child: child as u32, overlap, weight, tree });
            } else {
                cut += 1;
            }
        }
    }
    (edges, cut)
}

#[cfg(test)]
mod tests;
