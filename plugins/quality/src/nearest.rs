//! The k nearest rows of one query, kept while distances stream by.

use crate::random::{TieBreak, squared_of_key};

/// Distances are tested this many at a time: most groups hold nothing near enough.
const GROUP: usize = 16;

/// The k nearest positions so far, by key.
///
/// Candidates gather unsorted; when there are several times k, the k best stay and the last of them becomes the
/// limit for later candidates. Linear in the number of rows, whatever their order.
#[derive(Debug, Clone)]
pub(crate) struct Nearest {
    k: usize,
    tie: TieBreak,
    /// Later candidates must come before this key…
    limit: u64,
    /// …so they are no farther than this, which is quicker to test.
    radius: f32,
    room: usize,
    keys: Vec<u64>,
}

impl Nearest {
    pub(crate) fn new(k: usize) -> Self {
        let room = (4 * k).max(128);
        let keys = Vec::with_capacity(room + GROUP);
        Self { k, tie: TieBreak::Position, limit: u64::MAX, radius: f32::INFINITY, room, keys }
    }

    /// Forgets everything, for the next query.
    pub(crate) fn start(&mut self, tie: TieBreak) {
        self.tie = tie;
        self.limit = u64::MAX;
        self.radius = f32::INFINITY;
        self.keys.clear();
    }

    /// Takes the squared distances of the positions from `start` on. NaN marks a position that is no candidate.
    #[inline(always)]
    pub(crate) fn offer(&mut self, start: usize, squared: &[f32]) {
        for (group, values) in squared.chunks(GROUP).enumerate() {
            if values.iter().fold(false, |any, &value| any | (value <= self.radius)) {
                self.take(start + group * GROUP, values);
            }
        }
    }

    #[inline(never)] // rare; keeps the hot loop small
    fn take(&mut self, start: usize, squared: &[f32]) {
        for (offset, &value) in squared.iter().enumerate() {
            if value <= self.radius {
                let key = self.tie.key(value, (start + offset) as u32);
                if key < self.limit {
                    self.keys.push(key);
                }
            }
        }
        if self.keys.len() >= self.room {
            self.keep_best();
        }
    }

    fn keep_best(&mut self) {
        if self.keys.len() > self.k {
            let (_, &mut last, _) = self.keys.select_nth_unstable(self.k - 1);
            self.limit = last;
            self.radius = squared_of_key(last); // equal distances still pass: their turn may come earlier
            self.keys.truncate(self.k);
        }
    }

    /// The keys of the nearest, nearest first: k, or all candidates if there were fewer.
    pub(crate) fn sorted(&mut self) -> &[u64] {
        self.keep_best();
        self.keys.sort_unstable();
        &self.keys
    }

    /// The order among equals that the keys were made with.
    pub(crate) fn tie(&self) -> TieBreak {
        self.tie
    }
}

/// Whether a neighbour at `squared` is as near as the k-th nearest at `kth`: the same up to rounding counts.
pub(crate) fn reaches(squared: f32, kth: f32) -> bool {
    const TOLERANCE: f64 = 1e-6; // relative, of the distance; its square varies twice as much
    f64::from(squared) <= f64::from(kth) * (1.0 + 2.0 * TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_of(squared: &[f32], k: usize, tie: TieBreak) -> Vec<u64> {
        let mut nearest = Nearest::new(k);
        nearest.start(tie);
        for (tile, values) in squared.chunks(64).enumerate() {
            nearest.offer(tile * 64, values);
        }
        nearest.sorted().to_vec()
    }

    fn sorted_keys(squared: &[f32], k: usize, tie: TieBreak) -> Vec<u64> {
        let candidates = squared.iter().enumerate().filter(|(_, value)| !value.is_nan());
        let mut keys: Vec<u64> = candidates.map(|(position, &value)| tie.key(value, position as u32)).collect();
        keys.sort_unstable();
        keys.truncate(k);
        keys
    }

    #[test]
    fn keeps_the_nearest_whatever_the_order_and_ties() {
        let rows = 3001;
        let falling: Vec<f32> = (0..rows).map(|row| (rows - row) as f32).collect();
        let rising: Vec<f32> = (0..rows).map(|row| row as f32).collect();
        let tied: Vec<f32> = (0..rows).map(|row| (row * 7919 % 5) as f32).collect();
        let mut mixed: Vec<f32> = (0..rows).map(|row| (row * row % 4099) as f32).collect();
        mixed[5] = f32::NAN;
        for squared in [&falling, &rising, &tied, &mixed] {
            for tie in [TieBreak::Position, TieBreak::shuffled(1, 2, 0)] {
                for k in [1, 10, 500, 3000, 5000] {
                    assert_eq!(nearest_of(squared, k, tie), sorted_keys(squared, k, tie));
                }
            }
        }
        let mut perturbed = falling.clone();
        perturbed[100] = 0.0;
        assert_ne!(nearest_of(&perturbed, 10, TieBreak::Position), sorted_keys(&falling, 10, TieBreak::Position));
    }

    #[test]
    fn the_kth_distance_is_reached_up_to_rounding() {
        assert!(reaches(0.0, 0.0) && reaches(4.0, 4.0) && reaches(4.000_001, 4.0));
        assert!(!reaches(1e-12, 0.0) && !reaches(4.0001, 4.0));
    }
}
