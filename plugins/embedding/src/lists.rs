//! Neighbour lists: for every point its nearest others so far, nearest first.

/// Marks an entry whose neighbours have not been looked at yet (see [`crate::cpu::propose`]).
pub const NEW: u32 = 1 << 31;
/// Marks an entry that came in during the present pass over all points; it becomes [`NEW`] when the pass ends.
pub const NEXT: u32 = 1 << 30;
/// The bits of an entry that name a point.
pub const POINT: u32 = NEXT - 1;
/// An entry that names no point. Its distance is infinite, so every candidate beats it.
pub const EMPTY: u32 = POINT;

/// `[points][k]` entries with their squared distances; rows ascend by distance and fill from the front.
#[derive(Debug, Clone, PartialEq)]
pub struct Lists {
    k: usize,
    entries: Vec<u32>,
    distances: Vec<f32>,
}

impl Lists {
    /// Lists of length `k` without a single neighbour.
    #[must_use]
    pub fn empty(points: usize, k: usize) -> Self {
        Self { k, entries: vec![EMPTY; points * k], distances: vec![f32::INFINITY; points * k] }
    }

    /// Length of a row.
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    /// How many points have lists: all, or none if they are gone.
    #[must_use]
    pub fn points(&self) -> usize {
        self.entries.len().checked_div(self.k).unwrap_or(0)
    }

    /// Entries of one row, with their marks.
    #[inline(always)]
    #[must_use]
    pub fn entries(&self, point: usize) -> &[u32] {
        &self.entries[point * self.k..][..self.k]
    }

    /// Entries of all rows, with their marks.
    #[must_use]
    pub fn all_entries(&self) -> &[u32] {
        &self.entries
    }

    /// Gives entries and distances away, `[points][k]` each.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u32>, Vec<f32>) {
        (self.entries, self.distances)
    }

    /// Squared distances of one row.
    #[inline(always)]
    #[must_use]
    pub fn distances(&self, point: usize) -> &[f32] {
        &self.distances[point * self.k..][..self.k]
    }

    /// The distance a candidate of this point must beat.
    #[inline(always)]
    #[must_use]
    pub fn worst(&self, point: usize) -> f32 {
        self.distances[point * self.k + self.k - 1]
    }

    /// Neighbours of one row, without marks and empty entries.
    pub fn neighbours(&self, point: usize) -> impl Iterator<Item = u32> + '_ {
        self.entries(point).iter().map(|entry| entry & POINT).take_while(|&neighbour| neighbour != EMPTY)
    }

    /// `[rows][k]` neighbours and distances δ (not squared), nearest first, in row order and row numbers; `u32::MAX` and
    /// infinity where a list is not full.
    #[must_use]
    pub fn in_rows(&self, row_of_point: &[u32], rows: usize) -> (Vec<u32>, Vec<f32>) {
        let k = self.k;
        let (mut neighbours, mut distances) = (vec![u32::MAX; rows * k], vec![f32::INFINITY; rows * k]);
        for (point, &row) in row_of_point.iter().enumerate().take(self.points()) {
            let first = row as usize * k;
            for (at, (neighbour, squared)) in self.neighbours(point).zip(self.distances(point)).enumerate() {
                neighbours[first + at] = row_of_point[neighbour as usize];
                distances[first + at] = squared.sqrt();
            }
        }
        (neighbours, distances)
    }

    /// All entries and distances, to be split into rows of [`k`](Self::k).
    pub fn rows_mut(&mut self) -> (&mut [u32], &mut [f32]) {
        (&mut self.entries, &mut self.distances)
    }

    /// Makes room for so many points; the lists of those that come are empty.
    pub fn grow(&mut self, points: usize) {
        self.entries.resize(points * self.k, EMPTY);
        self.distances.resize(points * self.k, f32::INFINITY);
    }

    /// One row, to be written.
    pub fn row_mut(&mut self, point: usize) -> (&mut [u32], &mut [f32]) {
        let row = point * self.k..(point + 1) * self.k;
        (&mut self.entries[row.clone()], &mut self.distances[row])
    }

    /// Makes every row `k` long: the farthest leave, or empty entries come in.
    pub fn resize(&mut self, k: usize) {
        let points = self.entries.len() / self.k;
        let kept = k.min(self.k);
        let mut resized = Self::empty(points, k);
        for point in 0..points {
            resized.entries[point * k..][..kept].copy_from_slice(&self.entries(point)[..kept]);
            resized.distances[point * k..][..kept].copy_from_slice(&self.distances(point)[..kept]);
        }
        *self = resized;
    }

    /// Marks every neighbour as not looked at yet.
    pub fn mark_all_new(&mut self) {
        for entry in &mut self.entries {
            *entry |= if *entry & POINT == EMPTY { 0 } else { NEW };
        }
    }
}

/// True if the row names the point.
#[inline(always)]
#[must_use]
pub fn contains(entries: &[u32], point: u32) -> bool {
    // No early exit: the whole row is compared in a few vector instructions.
    entries.iter().fold(false, |found, entry| found | (entry & POINT == point))
}

/// Puts a candidate into its place in an ascending row; the farthest entry leaves.
/// Only a strictly nearer candidate that is not in the row already is taken: ties would churn for ever on duplicates.
#[inline(always)]
pub fn insert(entries: &mut [u32], distances: &mut [f32], candidate: u32, distance: f32) -> bool {
    let last = entries.len() - 1;
    if distance >= distances[last] || contains(entries, candidate & POINT) {
        return false;
    }
    let mut place = last;
    while place > 0 && distances[place - 1] > distance {
        entries[place] = entries[place - 1];
        distances[place] = distances[place - 1];
        place -= 1;
    }
    entries[place] = candidate;
    distances[place] = distance;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insert_keeps_the_nearest_in_order() {
        let (mut entries, mut distances) = ([EMPTY; 3], [f32::INFINITY; 3]);
        for (candidate, distance) in [(5, 2.0), (6, 1.0), (7, 3.0), (8, 2.5), (9, 9.0)] {
            insert(&mut entries, &mut distances, candidate | NEW, distance);
        }
        assert_eq!(entries.map(|entry| entry & POINT), [6, 5, 8]);
        assert_eq!(distances, [1.0, 2.0, 2.5]);
    }

    #[test]
    fn ties_and_members_are_refused() {
        let (mut entries, mut distances) = ([EMPTY; 2], [f32::INFINITY; 2]);
        assert!(insert(&mut entries, &mut distances, 1, 0.0));
        assert!(!insert(&mut entries, &mut distances, 1 | NEW, 0.0));
        assert!(insert(&mut entries, &mut distances, 2, 0.0));
        assert!(!insert(&mut entries, &mut distances, 3, 0.0));
    }
}
