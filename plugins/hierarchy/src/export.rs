//! What both kinds of files say about a node.

use crate::classes::Classes;
use crate::error::HierarchyError;
use crate::graph::Hierarchy;
use crate::layout::Layout;

/// What is written beside the graph itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'a> {
    /// Classes of the rows: each node then says how many rows of which it has.
    pub classes: Option<&'a Classes>,
    /// Where nodes are in a picture.
    pub layout: Option<&'a Layout>,
    /// Whether nodes list their rows (JSON only): much longer than all the rest.
    pub members: bool,
}

impl Extras<'_> {
    /// Fails unless they are of the hierarchy.
    pub(crate) fn check(&self, hierarchy: &Hierarchy) -> Result<(), HierarchyError> {
        self.classes.map_or(Ok(()), |classes| classes.check(hierarchy))?;
        let nodes = hierarchy.nodes().len();
        match self.layout.map(|layout| layout.places.len()) {
            Some(found) if found != nodes => Err(HierarchyError::LayoutNodes { found, nodes }),
            _ => Ok(()),
        }
    }
}
