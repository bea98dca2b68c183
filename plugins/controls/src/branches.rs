//! The hierarchy of what is shown: how its clusters part, as a wheel of nodes beside the cloud.

mod wheel;
mod window;

pub use window::draw_hierarchy;

use crate::model::RowImage;
use bevy::ecs::prelude::Resource;
use colours::Rgb;
use embedding::Settings;
use hierarchy::{Hierarchy, HierarchyOptions, Layout};
use selection::Rows;
use std::sync::Arc;

/// A hierarchy that has grown, of rows of the table.
#[derive(Debug)]
pub struct Grown {
    /// It; its rows are places among [`rows`](Self::rows).
    pub hierarchy: Hierarchy,
    /// Where its nodes are on the wheel.
    pub layout: Layout,
    /// How it was grown.
    pub options: HierarchyOptions,
    /// How it was embedded.
    pub settings: Settings,
    /// Rows of the table, ascending.
    pub rows: Vec<u32>,
    /// Rows of the whole table.
    pub table_rows: usize,
    /// The mean picture of each node, where rows have pictures.
    pub pictures: Vec<Option<RowImage>>,
}

impl Grown {
    /// The rows of a node, as the table numbers them; none if there is no such node.
    #[must_use]
    pub fn rows_of(&self, node: u32) -> Option<Rows> {
        let node = self.hierarchy.nodes().get(node as usize)?;
        Some(Rows::from_rows(self.table_rows, node.rows.iter().map(|&place| self.rows[place as usize])))
    }

    /// How much of each node is selected, each from 0 to 1; empty where nothing is.
    #[must_use]
    pub fn shares(&self, selected: &Rows) -> Vec<f32> {
        if selected.is_empty() || selected.len() != self.table_rows {
            return Vec::new();
        }
        let chosen: Vec<bool> = self.rows.iter().map(|&row| selected.contains(row)).collect();
        let share = |node: &hierarchy::Node| {
            node.rows.iter().filter(|&&place| chosen[place as usize]).count() as f32 / node.size().max(1) as f32
        };
        self.hierarchy.nodes().iter().map(share).collect()
    }
}

/// Rows of one class in a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The class.
    pub name: String,
    /// Its colour in the legend.
    pub colour: Rgb,
    /// How many rows.
    pub rows: usize,
}

/// How far a hierarchy has grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Iterations done.
    pub iteration: u32,
    /// Iterations in all.
    pub iterations: u32,
    /// The level that is being found, from 0.
    pub level: usize,
    /// Levels in all.
    pub levels: usize,
    /// About how long it still takes, in seconds; none while that cannot be said.
    pub seconds_left: Option<f32>,
}

/// The hierarchy as the interface has it; filled by the application, which has the table.
#[derive(Resource, Debug, Default)]
pub struct HierarchyCard {
    /// It is to be seen.
    pub open: bool,
    /// It is being grown.
    pub growing: Option<Growth>,
    /// It has grown.
    pub grown: Option<Arc<Grown>>,
    /// The classes in each node, most frequent first; empty where no column tells any.
    pub compositions: Vec<Vec<Slice>>,
    /// How much of each node is selected; empty where nothing is.
    pub shares: Vec<f32>,
    /// The level that is pointed out.
    pub level: usize,
    /// The cloud has the colours of that level.
    pub coloured: bool,
}

impl HierarchyCard {
    /// Whether there is nothing to see and nothing to come.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.grown.is_none() && self.growing.is_none()
    }

    /// Forgets the hierarchy, of data that is gone.
    pub fn forget(&mut self) {
        *self = Self { open: self.open, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hierarchy::Level;

    /// As `clusters::NOISE`.
    const NOISE: u32 = u32::MAX;

    /// Ten rows of a table of twenty, the odd ones, in two clusters; the last row is noise.
    fn grown() -> Grown {
        let labels = (0..10).map(|place| if place == 9 { NOISE } else { u32::from(place >= 5) }).collect();
        let hierarchy = Hierarchy::new(vec![Level { alpha: 1.0, labels, radius: 1.0 }], 0.5);
        let hierarchy = hierarchy.unwrap_or_else(|error| panic!("{error}"));
        Grown {
            layout: Layout::new(&hierarchy),
            hierarchy,
            options: HierarchyOptions::default(),
            settings: Settings::default(),
            rows: (0..10).map(|place| 2 * place + 1).collect(),
            table_rows: 20,
            pictures: Vec::new(),
        }
    }

    #[test]
    fn nodes_have_rows_of_the_table_and_shares_of_what_is_selected() {
        let grown = grown();
        let rows: Vec<u32> = grown.rows_of(2).into_iter().flat_map(|rows| rows.iter().collect::<Vec<_>>()).collect();
        assert_eq!(rows, [11, 13, 15, 17]);
        assert!(grown.rows_of(3).is_none());
        let selected = Rows::from_rows(20, [0, 1, 2, 11, 13, 15]);
        assert_eq!(grown.shares(&selected), [0.4, 0.2, 0.75]);
        assert!(grown.shares(&Rows::none(20)).is_empty() && grown.shares(&Rows::all(19)).is_empty());
    }
}
