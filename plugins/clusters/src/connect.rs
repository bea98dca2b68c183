//! Which core points are connected at a radius.

use crate::density::Density;
use crate::error::ClusterError;
use crate::forest::Forest;
use crate::tree::LEAF;
use rayon::prelude::*;

/// Dimensions from which looking up whether two places are connected is cheaper than measuring how far apart they are.
const MANY: usize = 8;

/// Connects core points no farther apart than the radius, for as long as `go_on` does not fail.
///
/// Places are taken together in cells: boxes no wider than the radius, in which all core points are connected, and
/// leaves where that is not so. There are few cells within the radius of any cell, however many places it holds, and
/// between two of the first kind a single pair decides.
pub(crate) fn connect(
    density: &Density,
    squared_radius: f32,
    go_on: &(impl Fn() -> Result<(), ClusterError> + Sync),
) -> Result<Forest, ClusterError> {
    let forest = Forest::new(density.tree.slots());
    let mut cells = Vec::new();
    if !density.tree.nodes().is_empty() {
        collect_cells(density, squared_radius, 0, &mut cells);
    }
    let work = Work { density, squared_radius, forest: &forest };
    cells.par_iter().try_for_each(|cell| {
        go_on()?;
        work.connect_within(cell);
        Ok(())
    })?;
    cells.par_iter().try_for_each(|cell| {
        go_on()?;
        work.connect_beyond(cell, 0);
        Ok(())
    })?;
    Ok(forest)
}

/// A node whose places are taken together.
struct Cell {
    node: usize,
    /// Whether all core points in it are connected for being in it.
    tight: bool,
}

/// The cells below a node that have core points.
fn collect_cells(density: &Density, squared_radius: f32, node: usize, cells: &mut Vec<Cell>) {
    if !density.has_core(node, squared_radius) {
        return;
    }
    let tight = density.tree.diagonal(node) <= squared_radius;
    match density.tree.children(node) {
        Some(children) if !tight => {
            children.into_iter().for_each(|child| collect_cells(density, squared_radius, child, cells));
        }
        _ => cells.push(Cell { node, tight }),
    }
}

struct Work<'a> {
    density: &'a Density,
    squared_radius: f32,
    forest: &'a Forest,
}

impl Work<'_> {
    fn cores(&self, node: usize) -> impl Iterator<Item = u32> {
        self.density.tree.nodes()[node].slots().filter(|&slot| self.density.is_core(slot, self.squared_radius))
    }

    fn connect_within(&self, cell: &Cell) {
        if cell.tight {
            let mut cores = self.cores(cell.node);
            if let Some(first) = cores.next() {
                cores.for_each(|core| self.forest.join(first, core));
            }
        } else {
            self.cores(cell.node).for_each(|core| self.connect_to_leaf(core, cell.node));
        }
    }

    /// Connects a cell to the later ones below a node.
    fn connect_beyond(&self, cell: &Cell, node: usize) {
        let tree = &self.density.tree;
        let (own, other) = (tree.nodes()[cell.node], tree.nodes()[node]);
        if other.end <= own.end
            || !self.density.has_core(node, self.squared_radius)
            || tree.gap_between(cell.node, node) > self.squared_radius
        {
            return;
        }
        let tight = tree.diagonal(node) <= self.squared_radius;
        match tree.children(node) {
            Some(children) if !tight => children.into_iter().for_each(|child| self.connect_beyond(cell, child)),
            _ => self.connect_pair(cell, &Cell { node, tight }),
        }
    }

    fn connect_pair(&self, cell: &Cell, other: &Cell) {
        for core in self.cores(cell.node) {
            if self.density.tree.gap(other.node, self.density.tree.point(core)) > self.squared_radius {
                continue;
            }
            if other.tight {
                let connected = self.connect_to_tight(core, other.node);
                if connected && cell.tight {
                    return;
                }
            } else {
                self.connect_to_leaf(core, other.node);
            }
        }
    }

    /// Connects a core point to a cell whose core points are connected; whether it is in the end.
    fn connect_to_tight(&self, core: u32, node: usize) -> bool {
        let Some(any) = self.cores(node).next() else { return false };
        let mut connected = self.forest.root(core) == self.forest.root(any);
        if connected {
            return true;
        }
        self.density.tree.search(
            node,
            self.density.tree.point(core),
            &mut self.squared_radius.clone(),
            &|node| self.density.has_core(node, self.squared_radius),
            &mut |other, _| {
                if connected || !self.density.is_core(other, self.squared_radius) {
                    return self.squared_radius;
                }
                self.forest.join(core, other);
                connected = true;
                -1.0
            },
        );
        connected
    }

    fn connect_to_leaf(&self, core: u32, leaf: usize) {
        let slots = self.density.tree.nodes()[leaf].slots();
        if self.density.tree.dims() >= MANY {
            let root = self.forest.root(core);
            if self.cores(leaf).all(|other| self.forest.root(other) == root) {
                return;
            }
        }
        let distances = self.density.tree.distances(slots.start as usize / LEAF, self.density.tree.point(core));
        for (other, squared) in slots.zip(distances) {
            if squared <= self.squared_radius && self.density.is_core(other, self.squared_radius) {
                self.forest.join(core, other);
            }
        }
    }
}
