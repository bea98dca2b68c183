//! Who lives where: keys, numbers and ages of rows, and which row numbers are free.

use super::key::Key;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

/// A living row.
#[derive(Debug)]
struct Row {
    key: Key,
    /// Its number among all rows that ever arrived.
    number: u64,
    /// When it was last written.
    stamp: u64,
}

/// Rows by their numbers in the table.
#[derive(Debug, Default)]
pub(super) struct Slots {
    rows: Vec<Option<Row>>,
    by_key: HashMap<Key, u32>,
    /// Free row numbers; the lowest is used first.
    free: BinaryHeap<Reverse<u32>>,
    /// Row numbers of those who departed since the last change was handed over: free after the next one.
    resting: Vec<u32>,
    /// Rows by when they were written, oldest first, with entries that are out of date; only where ages matter.
    ages: Option<VecDeque<(u32, u64)>>,
    next_stamp: u64,
}

impl Slots {
    pub fn new(with_ages: bool) -> Self {
        Self { ages: with_ages.then(VecDeque::new), ..Self::default() }
    }

    /// Row numbers in all.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn living(&self) -> usize {
        self.by_key.len()
    }

    pub fn find(&self, key: &Key) -> Option<u32> {
        self.by_key.get(key).copied()
    }

    pub fn key(&self, row: u32) -> Option<&Key> {
        self.row(row).map(|row| &row.key)
    }

    pub fn number(&self, row: u32) -> Option<u64> {
        self.row(row).map(|row| row.number)
    }

    fn row(&self, row: u32) -> Option<&Row> {
        self.rows.get(row as usize)?.as_ref()
    }

    /// Gives a new key the lowest free row number.
    pub fn arrive(&mut self, key: Key, number: u64) -> u32 {
        let row = match self.free.pop() {
            Some(Reverse(row)) => row,
            None => {
                self.rows.push(None);
                self.rows.len() as u32 - 1
            }
        };
        self.by_key.insert(key.clone(), row);
        self.rows[row as usize] = Some(Row { key, number, stamp: 0 });
        self.touch(row);
        row
    }

    /// Makes a row the youngest.
    pub fn touch(&mut self, row: u32) {
        self.next_stamp += 1;
        let stamp = self.next_stamp;
        if let Some(Some(row)) = self.rows.get_mut(row as usize) {
            row.stamp = stamp;
        }
        let Some(ages) = &mut self.ages else { return };
        ages.push_back((row, stamp));
        if ages.len() > 2 * self.by_key.len() + 1024 {
            let rows = &self.rows;
            ages.retain(|&(row, stamp)| rows[row as usize].as_ref().is_some_and(|row| row.stamp == stamp));
        }
    }

    /// Takes the row with this key away.
    pub fn depart(&mut self, key: &Key) -> Option<u32> {
        let row = self.by_key.remove(key)?;
        self.rows[row as usize] = None;
        self.resting.push(row);
        Some(row)
    }

    /// Takes the oldest row away; nothing if there is none, or if ages are not kept.
    pub fn depart_oldest(&mut self) -> Option<u32> {
        loop {
            let (row, stamp) = self.ages.as_mut()?.pop_front()?;
            if let Some(there) = self.row(row).filter(|there| there.stamp == stamp) {
                let key = there.key.clone();
                return self.depart(&key);
            }
        }
    }

    /// Frees the numbers of those who departed: whoever needs to know has been told.
    pub fn release(&mut self) {
        self.free.extend(self.resting.drain(..).map(Reverse));
    }

    /// Living rows, rising.
    pub fn iter_living(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows.iter().enumerate().filter(|(_, row)| row.is_some()).map(|(row, _)| row as u32)
    }
}
