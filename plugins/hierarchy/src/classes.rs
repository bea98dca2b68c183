//! What is known about rows beside their vectors, and how far the hierarchy agrees with it.

use crate::error::HierarchyError;
use crate::graph::{Hierarchy, Node};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The class of each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    of_row: Vec<Option<u32>>,
    names: Vec<String>,
}

/// Rows of one class in a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Label<'a> {
    /// Name of the class.
    pub label: &'a str,
    /// How many rows.
    pub rows: usize,
}

/// The leaf that a row ends in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaf {
    /// The node.
    pub node: u32,
    /// Its most frequent class; none if no class is known in it.
    pub class: Option<u32>,
    /// Share of its most frequent class (0 to 1).
    pub purity: f64,
}

impl Classes {
    /// The class of each row, as a place among `names`; none where it is not known.
    ///
    /// # Errors
    /// [`HierarchyError::ClassName`] for the first row of a class without a name.
    pub fn new(of_row: Vec<Option<u32>>, names: Vec<String>) -> Result<Self, HierarchyError> {
        let nameless = |class: &Option<u32>| class.is_some_and(|class| class as usize >= names.len());
        if let Some(row) = of_row.iter().position(nameless) {
            let class = of_row[row].unwrap_or_default();
            return Err(HierarchyError::ClassName { row, class, names: names.len() });
        }
        Ok(Self { of_row, names })
    }

    /// Names of the classes.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The class of a row.
    #[must_use]
    pub fn of_row(&self, row: u32) -> Option<u32> {
        self.of_row.get(row as usize).copied().flatten()
    }

    /// The rows of a class, ascending.
    #[must_use]
    pub fn rows(&self, class: u32) -> Vec<u32> {
        (0..self.of_row.len() as u32).filter(|&row| self.of_row(row) == Some(class)).collect()
    }

    /// The classes in a node and how many of its rows are of each, most frequent first, of equals the first; rows of
    /// no known class are left out.
    #[must_use]
    pub fn composition(&self, node: &Node) -> Vec<(u32, usize)> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for class in node.rows.iter().filter_map(|&row| self.of_row(row)) {
            *counts.entry(class).or_insert(0) += 1;
        }
        let mut counts: Vec<(u32, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|&(class, count)| (Reverse(count), class));
        counts
    }

    /// The same with names.
    #[must_use]
    pub fn labels(&self, node: &Node) -> Vec<Label<'_>> {
        let label = |(class, rows): (u32, usize)| Label { label: &self.names[class as usize], rows };
        self.composition(node).into_iter().map(label).collect()
    }

    /// Share of a node's rows that are of its most frequent class (0 to 1); 0 if no class is known.
    #[must_use]
    pub fn purity(&self, node: &Node) -> f64 {
        self.composition(node).first().map_or(0.0, |&(_, count)| count as f64 / node.size() as f64)
    }

    /// Fails unless there is one entry for each row of a hierarchy.
    pub(crate) fn check(&self, hierarchy: &Hierarchy) -> Result<(), HierarchyError> {
        let (found, rows) = (self.of_row.len(), hierarchy.rows());
        if found == rows { Ok(()) } else { Err(HierarchyError::ClassRows { found, rows }) }
    }
}

impl Hierarchy {
    /// The last leaf that each row is in, and how pure it is; none for rows that are in no leaf, because they were noise
    /// where their branch ended.
    ///
    /// # Errors
    /// [`HierarchyError::ClassRows`] if the classes are of other rows.
    pub fn leaves_of_rows(&self, classes: &Classes) -> Result<Vec<Option<Leaf>>, HierarchyError> {
        classes.check(self)?;
        let mut found = vec![None; self.rows()];
        // Ids rise with levels: a later leaf replaces an earlier one.
        for node in self.leaves() {
            let class = classes.composition(node).first().map(|&(class, _)| class);
            let leaf = Leaf { node: node.id, class, purity: classes.purity(node) };
            node.rows.iter().for_each(|&row| found[row as usize] = Some(leaf));
        }
        Ok(found)
    }

    /// Share of a class's rows that end in leaves of that class and of at least that purity; 0 for a class of no rows.
    ///
    /// # Errors
    /// As [`leaves_of_rows`](Self::leaves_of_rows).
    pub fn pure_share(&self, classes: &Classes, class: u32, purity: f64) -> Result<f64, HierarchyError> {
        let leaves = self.leaves_of_rows(classes)?;
        let rows = classes.rows(class);
        let pure = |leaf: Leaf| leaf.class == Some(class) && leaf.purity >= purity;
        let found = rows.iter().filter(|&&row| leaves[row as usize].is_some_and(pure)).count();
        Ok(if rows.is_empty() { 0.0 } else { found as f64 / rows.len() as f64 })
    }

    /// The node of a level that holds most of some rows; of several the first, none if all of them are noise there.
    #[must_use]
    pub fn majority_node(&self, rows: &[u32], level: usize) -> Option<u32> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for node in rows.iter().filter_map(|&row| self.node_of(row, level)) {
            *counts.entry(node).or_insert(0) += 1;
        }
        crate::overlap::strongest(&counts)
    }

    /// The first level at which most rows of two groups are in different nodes; none if that never happens. A level
    /// where one of the groups is noise altogether says nothing.
    #[must_use]
    pub fn level_of_separation(&self, a_rows: &[u32], b_rows: &[u32]) -> Option<usize> {
        (0..self.levels().len()).find(|&level| {
            let nodes = (self.majority_node(a_rows, level), self.majority_node(b_rows, level));
            matches!(nodes, (Some(a), Some(b)) if a != b)
        })
    }
}

#[cfg(test)]
mod tests;
