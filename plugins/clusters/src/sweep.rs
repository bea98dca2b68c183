//! Places taken one after the other from where they are near, none twice.

use crate::density::Density;

/// The places not yet taken. Boxes without any are passed by, so that a crowded neighbourhood is looked at in full only
/// once.
pub(crate) struct Sweep<'a> {
    density: &'a Density,
    /// Places not yet taken by node.
    left: Vec<u32>,
    taken: Vec<bool>,
}

impl<'a> Sweep<'a> {
    /// Nothing is taken.
    pub(crate) fn new(density: &'a Density) -> Self {
        let left = density.tree.nodes().iter().map(|node| node.end - node.first).collect();
        Self { density, left, taken: vec![false; density.tree.slots()] }
    }

    /// Whether a slot has been taken.
    pub(crate) fn is_taken(&self, slot: u32) -> bool {
        self.taken[slot as usize]
    }

    /// Takes one slot.
    pub(crate) fn take(&mut self, slot: u32) {
        if std::mem::replace(&mut self.taken[slot as usize], true) {
            return;
        }
        let mut node = 0;
        self.left[node] -= 1;
        while let Some([left, right]) = self.density.tree.children(node) {
            node = if slot < self.density.tree.nodes()[right].first { left } else { right };
            self.left[node] -= 1;
        }
    }

    /// Takes what is left within the radius of a slot and adds it to `found`.
    pub(crate) fn take_around(&mut self, slot: u32, squared_radius: f32, found: &mut Vec<u32>) {
        let before = found.len();
        self.density.tree.search(
            0,
            self.density.tree.point(slot),
            &mut squared_radius.clone(),
            &|node| self.left[node] > 0,
            &mut |near, _| {
                if !self.taken[near as usize] {
                    found.push(near);
                }
                squared_radius
            },
        );
        found[before..].iter().for_each(|&near| self.take(near));
    }
}
