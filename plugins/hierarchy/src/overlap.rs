//! How many rows nodes share.

use crate::graph::{Node, ROOT};
use std::collections::BTreeMap;

/// The node that each row is in, by level; none for noise.
pub(crate) type NodesOfRows = Vec<Option<u32>>;

/// Rows that a node shares with each node of another level; the root is a level of its own.
pub(crate) fn overlaps(node: &Node, level: Option<&NodesOfRows>) -> BTreeMap<u32, usize> {
    let mut shared = BTreeMap::new();
    match level {
        None => {
            shared.insert(ROOT, node.rows.len());
        }
        Some(nodes) => {
            for other in node.rows.iter().filter_map(|&row| nodes[row as usize]) {
                *shared.entry(other).or_insert(0) += 1;
            }
        }
    }
    shared
}

/// The node that shares most rows; of several the first.
pub(crate) fn strongest(shared: &BTreeMap<u32, usize>) -> Option<u32> {
    // The last of the largest in reverse is the first.
    shared.iter().rev().max_by_key(|&(_, &overlap)| overlap).map(|(&node, _)| node)
}
