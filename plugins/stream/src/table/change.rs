//! What an engine has to be told.

use std::collections::BTreeMap;
use vectors::Vectors;

/// What became of a table's rows. No row is in two of the three sets; each set is in rising order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Change {
    /// Rows that live no longer.
    pub departed: Vec<u32>,
    /// Rows that are new, and their vectors: whatever was known of a row of that number before is void.
    pub arrived: (Vec<u32>, Vectors),
    /// Rows that live on with other vectors.
    pub updated: (Vec<u32>, Vectors),
    /// Keys that should have been replaced or deleted and that nobody had.
    pub unknown_keys: usize,
    /// Rows in all afterwards, living and departed: every row number is below it.
    pub rows: usize,
    /// Rows that live afterwards.
    pub living: usize,
    /// Those of the arrived that have the number of a row that lived before the change.
    reborn: Vec<u32>,
}

impl Change {
    /// Whether no row changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.departed.is_empty() && self.arrived.0.is_empty() && self.updated.0.is_empty()
    }

    /// Both changes as one. A row that departs and whose number is used again in between counts as arrived; one that
    /// arrives and departs in between is not in it.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let mut ledger = Ledger::new(self.arrived.1.dims().max(next.arrived.1.dims()).max(next.updated.1.dims()));
        let (rows, living) = (next.rows, next.living);
        ledger.add(&self);
        ledger.add(&next);
        ledger.close(rows, living)
    }
}

/// What became of one row; vectors by their place in the ledger.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Departed,
    Arrived(usize),
    /// Departed, and another row took its number.
    Reborn(usize),
    Updated(usize),
}

/// What became of the rows since the last change was handed over.
#[derive(Debug)]
pub(crate) struct Ledger {
    fates: BTreeMap<u32, Fate>,
    vectors: Vectors,
    pub unknown_keys: usize,
}

impl Ledger {
    pub fn new(dims: usize) -> Self {
        Self { fates: BTreeMap::new(), vectors: Vectors::with_capacity(0, dims), unknown_keys: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.fates.is_empty()
    }

    pub fn depart(&mut self, row: u32) {
        match self.fates.get(&row) {
            Some(Fate::Arrived(_)) => self.fates.remove(&row), // nobody was told of it
            _ => self.fates.insert(row, Fate::Departed),
        };
    }

    pub fn arrive(&mut self, row: u32, vector: &[f32]) {
        let place = self.keep(vector);
        let fate = if self.fates.contains_key(&row) { Fate::Reborn(place) } else { Fate::Arrived(place) };
        self.fates.insert(row, fate);
    }

    pub fn update(&mut self, row: u32, vector: &[f32]) {
        let place = self.keep(vector);
        let fate = match self.fates.get(&row) {
            Some(Fate::Arrived(_)) => Fate::Arrived(place),
            Some(Fate::Reborn(_)) => Fate::Reborn(place),
            _ => Fate::Updated(place),
        };
        self.fates.insert(row, fate);
    }

    fn keep(&mut self, vector: &[f32]) -> usize {
        self.vectors.push(vector);
        self.vectors.rows() - 1
    }

    fn add(&mut self, change: &Change) {
        change.departed.iter().for_each(|&row| self.depart(row));
        // First out, then in again: so that the ledger sees why the number was free.
        change.reborn.iter().for_each(|&row| self.depart(row));
        let (arrived, vectors) = &change.arrived;
        arrived.iter().enumerate().for_each(|(at, &row)| self.arrive(row, vectors.row(at)));
        let (updated, vectors) = &change.updated;
        updated.iter().enumerate().for_each(|(at, &row)| self.update(row, vectors.row(at)));
        self.unknown_keys += change.unknown_keys;
    }

    /// Everything as one change; the ledger is empty afterwards.
    pub fn close(&mut self, rows: usize, living: usize) -> Change {
        let dims = self.vectors.dims();
        let vectors = std::mem::replace(&mut self.vectors, Vectors::with_capacity(0, dims));
        let none = || (Vec::new(), Vectors::with_capacity(0, dims));
        let mut change = Change { arrived: none(), updated: none(), rows, living, ..Change::default() };
        change.unknown_keys = std::mem::take(&mut self.unknown_keys);
        for (row, fate) in std::mem::take(&mut self.fates) {
            let (set, place) = match fate {
                Fate::Departed => {
                    change.departed.push(row);
                    continue;
                }
                Fate::Reborn(place) => {
                    change.reborn.push(row);
                    (&mut change.arrived, place)
                }
                Fate::Arrived(place) => (&mut change.arrived, place),
                Fate::Updated(place) => (&mut change.updated, place),
            };
            set.0.push(row);
            set.1.push(vectors.row(place));
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(steps: &[(char, u32, f32)]) -> Change {
        let mut ledger = Ledger::new(1);
        for &(step, row, value) in steps {
            match step {
                '-' => ledger.depart(row),
                '+' => ledger.arrive(row, &[value]),
                _ => ledger.update(row, &[value]),
            }
        }
        ledger.close(9, 5)
    }

    fn rows(set: &(Vec<u32>, Vectors)) -> Vec<(u32, f32)> {
        set.0.iter().enumerate().map(|(at, &row)| (row, set.1.row(at)[0])).collect()
    }

    #[test]
    fn two_changes_are_the_change_of_all_their_steps() {
        let first = [('+', 7, 1.0), ('-', 2, 0.0), ('=', 3, 2.0), ('+', 8, 3.0), ('-', 5, 0.0)];
        let second = [('=', 7, 4.0), ('+', 2, 5.0), ('-', 3, 0.0), ('-', 8, 0.0), ('=', 1, 6.0)];
        let third = [('-', 2, 0.0), ('+', 8, 7.0), ('+', 5, 8.0), ('=', 5, 9.0)];
        let folded = change(&first).then(change(&second)).then(change(&third));
        assert_eq!(folded, change(&[&first[..], &second[..], &third[..]].concat()));
        assert_eq!(folded.departed, [2, 3]);
        assert_eq!(rows(&folded.arrived), [(5, 9.0), (7, 4.0), (8, 7.0)]);
        assert_eq!(rows(&folded.updated), [(1, 6.0)]);
        let other_way = change(&first).then(change(&second).then(change(&third)));
        assert_eq!((other_way.departed, rows(&other_way.arrived)), (folded.departed, rows(&folded.arrived)));
    }

    #[test]
    fn who_came_and_went_unseen_is_not_mentioned() {
        let nothing = change(&[('+', 4, 1.0)]).then(change(&[('-', 4, 0.0)]));
        assert!(nothing.is_empty(), "{nothing:?}");
    }
}
