//! Positions that differ, and who is there.

use crate::positions::Positions;
use rayon::prelude::*;

/// The slot of a row that is nowhere.
pub(crate) const LOST: u32 = u32::MAX;

/// Rows by place. Places are numbered by slots of the tree, which depend on positions only.
pub(crate) struct Places {
    /// Where the members of each slot begin, and in the end the number of members.
    starts: Vec<u32>,
    /// The rows, slot after slot; those of one slot ascending.
    members: Vec<u32>,
    /// The slot of each row, or [`LOST`].
    slots: Vec<u32>,
}

/// Rows sorted by position, before places have slots.
pub(crate) struct Sorted {
    /// Where the members of each place begin, and in the end the number of members.
    starts: Vec<u32>,
    members: Vec<u32>,
    rows: usize,
}

impl Sorted {
    /// Sorts the rows that are anywhere.
    pub(crate) fn new(positions: Positions<'_>) -> Self {
        let mut keyed: Vec<(u32, u32)> = (0..positions.rows as u32)
            .into_par_iter()
            .filter(|&row| positions.is_found(row))
            .map(|row| (ordered(positions.row(row)[0]), row))
            .collect();
        let at = |row: u32| positions.row(row).iter().map(|&value| ordered(value));
        // The first value mostly decides, and is at hand.
        keyed.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| at(a.1).cmp(at(b.1))).then(a.1.cmp(&b.1)));
        let mut starts = Vec::new();
        let mut begin = 0;
        for place in keyed.chunk_by(|a, b| a.0 == b.0 && at(a.1).eq(at(b.1))) {
            starts.push(begin);
            begin += place.len() as u32;
        }
        starts.push(begin);
        Self { starts, members: keyed.into_iter().map(|(_, row)| row).collect(), rows: positions.rows }
    }

    /// A row at each place.
    pub(crate) fn representatives(&self) -> Vec<u32> {
        self.starts[..self.starts.len() - 1].iter().map(|&start| self.members[start as usize]).collect()
    }

    /// Gives places their slots: `order` holds the place of each.
    pub(crate) fn in_order(self, order: &[u32]) -> Places {
        let mut starts = Vec::with_capacity(order.len() + 1);
        let mut members = Vec::with_capacity(self.members.len());
        let mut slots = vec![LOST; self.rows];
        for (slot, &place) in (0..).zip(order) {
            starts.push(members.len() as u32);
            let rows = self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize;
            members.extend_from_slice(&self.members[rows.clone()]);
            self.members[rows].iter().for_each(|&row| slots[row as usize] = slot);
        }
        starts.push(members.len() as u32);
        Places { starts, members, slots }
    }
}

impl Places {
    /// All rows, lost ones too.
    pub(crate) fn rows(&self) -> usize {
        self.slots.len()
    }

    /// Rows that are anywhere.
    pub(crate) fn found(&self) -> usize {
        self.members.len()
    }

    /// The slot of each row, or [`LOST`].
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The rows at a slot, ascending.
    pub(crate) fn members(&self, slot: u32) -> &[u32] {
        let slot = slot as usize;
        &self.members[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// How many rows are at a slot.
    pub(crate) fn weight(&self, slot: u32) -> u32 {
        let slot = slot as usize;
        self.starts[slot + 1] - self.starts[slot]
    }
}

/// A number that orders as the value does; one for both zeros.
pub(crate) fn ordered(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_coincide_share_a_place_and_others_do_not() {
        let values = [1.0, 2.0, 9.0, 0.0, 1.0, 9.0, 1.0, 2.0, 8.0, f32::NAN, 1.0, 9.0, -0.0, 1.0, 9.0, 1.0, 2.5, 9.0];
        let sorted = Sorted::new(Positions { values: &values, rows: 6, dims: 2, stride: 3 });
        assert_eq!(sorted.representatives(), [1, 0, 5]);
        let places = sorted.in_order(&[2, 0, 1]);
        assert_eq!(places.slots(), [2, 1, 2, LOST, 1, 0]);
        assert_eq!([0, 1, 2].map(|slot| places.weight(slot)), [1, 2, 2]);
        assert_eq!([0, 1, 2].map(|slot| places.members(slot).to_vec()), [vec![5], vec![1, 4], vec![0, 2]]);
        assert_eq!((places.rows(), places.found()), (6, 5));
    }

    #[test]
    fn ordered_numbers_order_as_values_do() {
        let values = [f32::MIN, -1.5, -1.0, -f32::MIN_POSITIVE, 0.0, f32::MIN_POSITIVE, 1.0, f32::MAX];
        assert!(values.windows(2).all(|pair| ordered(pair[0]) < ordered(pair[1])));
        assert_eq!(ordered(0.0), ordered(-0.0));
    }
}
