//! Which rows should come apart.

use fastrand::Rng;
use std::collections::BTreeMap;

/// Rows that are looked at, however many there are: enough for means and spreads, few enough for every frame.
const MOST_ROWS: usize = 4096;

/// Rows and the class of each: a fair sample where there are many.
///
/// Chosen anew when labels or the selection change, not when positions move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// Rows in rising order, with their class, counted from 0.
    members: Vec<(u32, usize)>,
    count: usize,
}

impl Classes {
    /// Chooses among the first `rows` rows (fewer than 2³²) those that have a class. For a selection against the rest:
    /// `|row| Some(u32::from(selected(row)))`.
    ///
    /// Small classes are taken whole and large ones share the rest evenly: a selection of a few rows out of a million
    /// counts as much as what it is held against.
    #[must_use]
    pub fn choose(rows: usize, class_of: impl Fn(usize) -> Option<u32>, seed: u64) -> Self {
        Self::choose_few(rows, MOST_ROWS, class_of, seed)
    }

    /// As [`choose`](Self::choose), with at most so many rows: in many dimensions fewer are looked at in the same time.
    #[must_use]
    pub fn choose_few(rows: usize, most: usize, class_of: impl Fn(usize) -> Option<u32>, seed: u64) -> Self {
        let mut by_class: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for row in 0..u32::try_from(rows).unwrap_or(u32::MAX) {
            if let Some(class) = class_of(row as usize) {
                by_class.entry(class).or_default().push(row);
            }
        }
        let count = by_class.len();
        let mut smallest_first: Vec<(usize, Vec<u32>)> = by_class.into_values().enumerate().collect();
        smallest_first.sort_by_key(|(class, rows)| (rows.len(), *class));
        let mut rng = Rng::with_seed(seed);
        let mut members = Vec::new();
        for (done, (class, rows)) in smallest_first.into_iter().enumerate() {
            let quota = (most.saturating_sub(members.len())) / (count - done);
            members.extend(rng.choose_multiple(rows, quota).into_iter().map(|row| (row, class)));
        }
        members.sort_unstable();
        Self { members, count }
    }

    /// Rows that are looked at.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.members.len()
    }

    /// How many classes there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        self.members.iter().copied()
    }
}
