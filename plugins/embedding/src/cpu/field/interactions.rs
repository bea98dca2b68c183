//! Interactions: which cells a cell sees from afar, and which leaves a leaf must look at point by point. Each pair of
//! points is in exactly one of these. Lists are made when the tree is built, and stay while its cells move.

use super::cells::{Branch, Cell, Cells};

/// Leaves of a branch whose lists are made by one thread.
const SEQUENTIAL: usize = 512;

/// The lists.
#[derive(Debug, Default, PartialEq)]
pub struct Interactions {
    /// Cells seen from afar by each node, in the order of the nodes.
    pub far: Rows,
    /// Leaves next to each leaf, itself among them.
    pub near: Rows,
}

/// Rows of numbers, one after the other.
#[derive(Debug, Default, PartialEq)]
pub struct Rows {
    ends: Vec<u32>,
    entries: Vec<u32>,
}

impl Rows {
    /// One row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start as usize..self.ends[row] as usize]
    }

    fn end_row(&mut self) {
        self.ends.push(self.entries.len() as u32);
    }

    fn append(&mut self, other: &Self) {
        let before = self.entries.len() as u32;
        self.entries.extend_from_slice(&other.entries);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }
}

impl Interactions {
    /// The lists of a tree as it is. Two cells see each other from afar if the sum of their radii is less than `opening`
    /// times their distance; the field is then off by the third power of that.
    #[must_use]
    pub fn of(cells: &Cells, opening: f32) -> Self {
        let root = cells.root();
        let mut lists = Self::default();
        if root.leaves > 0 {
            collect(&cells.nodes, opening, root, &[root], &mut lists);
        }
        lists
    }

    fn append(&mut self, other: &Self) {
        self.far.append(&other.far);
        self.near.append(&other.near);
    }
}

/// Makes the lists of a branch, of which nobody above has dealt with `open`.
fn collect(nodes: &[Cell], opening: f32, target: Branch, open: &[Branch], lists: &mut Interactions) {
    let halves = target.halves();
    let mut passed_on = Vec::with_capacity(open.len());
    let mut stack = open.to_vec();
    while let Some(source) = stack.pop() {
        if are_apart(&nodes[target.node], &nodes[source.node], opening) {
            lists.far.entries.push(source.node as u32);
            continue;
        }
        let opens_source = halves.is_none() || nodes[source.node].radius > nodes[target.node].radius;
        match source.halves() {
            Some([left, right]) if opens_source => stack.extend([right, left]),
            None if halves.is_none() => lists.near.entries.push(source.leaf as u32),
            _ => passed_on.push(source),
        }
    }
    lists.far.end_row();
    let Some([left, right]) = halves else { return lists.near.end_row() };
    if target.leaves > SEQUENTIAL {
        let mut right_lists = Interactions::default();
        rayon::join(
            || collect(nodes, opening, left, &passed_on, lists),
            || collect(nodes, opening, right, &passed_on, &mut right_lists),
        );
        lists.append(&right_lists);
    } else {
        collect(nodes, opening, left, &passed_on, lists);
        collect(nodes, opening, right, &passed_on, lists);
    }
}

fn are_apart(a: &Cell, b: &Cell, opening: f32) -> bool {
    let squared: f32 = a.centre.iter().zip(b.centre).map(|(a, b)| (a - b).powi(2)).sum();
    (a.radius + b.radius).powi(2) < opening * opening * squared
}
