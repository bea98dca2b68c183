//! A set of rows of a table.

use crate::Combine;
use fixedbitset::FixedBitSet;
use rayon::prelude::*;

/// Rows that one block of the set holds.
const BLOCK: usize = usize::BITS as usize;
/// A thread takes at least so many blocks: fewer cost more to hand out than to compute.
const MIN_BLOCKS: usize = 64;

/// A set of rows out of `0..len`: a bit per row. Cheap to clone behind an `Arc`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    bits: FixedBitSet,
    count: usize,
}

impl Rows {
    /// No row of a table of `len` rows.
    #[must_use]
    pub fn none(len: usize) -> Self {
        Self { bits: FixedBitSet::with_capacity(len), count: 0 }
    }

    /// Every row of a table of `len` rows.
    #[must_use]
    pub fn all(len: usize) -> Self {
        let mut bits = FixedBitSet::with_capacity(len);
        bits.insert_range(..);
        Self { bits, count: len }
    }

    /// The given rows, in any order and however often; those beyond the table are ignored.
    #[must_use]
    pub fn from_rows(len: usize, rows: impl IntoIterator<Item = u32>) -> Self {
        let mut bits = FixedBitSet::with_capacity(len);
        for row in rows.into_iter().map(|row| row as usize).filter(|&row| row < len) {
            bits.insert(row);
        }
        Self::counted(bits)
    }

    /// The rows whose place in the mask says so.
    #[must_use]
    pub fn from_mask(mask: &[bool]) -> Self {
        Self::choose(mask.len(), |row| mask[row as usize])
    }

    /// The rows that pass a test, which several threads ask at once.
    #[must_use]
    pub fn choose(len: usize, test: impl Fn(u32) -> bool + Sync) -> Self {
        let block = |place: usize| {
            let rows = place * BLOCK..len.min((place + 1) * BLOCK);
            rows.rev().fold(0, |bits, row| bits << 1 | usize::from(test(row as u32)))
        };
        let blocks: Vec<usize> = (0..len.div_ceil(BLOCK)).into_par_iter().with_min_len(MIN_BLOCKS).map(block).collect();
        Self::counted(FixedBitSet::with_capacity_and_blocks(len, blocks))
    }

    fn counted(bits: FixedBitSet) -> Self {
        Self { count: bits.count_ones(..), bits }
    }

    /// Number of rows of the table, chosen or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// Number of rows chosen.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether no row is chosen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether a row is chosen; rows beyond the table are not.
    #[must_use]
    pub fn contains(&self, row: u32) -> bool {
        self.bits.contains(row as usize)
    }

    /// The chosen rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.bits.ones().map(|row| row as u32)
    }

    /// These rows after others were chosen. The table stays this one: rows of a longer other table are cut off.
    #[must_use]
    pub fn combined(&self, other: &Self, how: Combine) -> Self {
        let mut bits = match how {
            Combine::Replace => return other.cut(self.len()),
            Combine::Add | Combine::Subtract | Combine::Intersect => self.bits.clone(),
        };
        match how {
            Combine::Replace => {}
            Combine::Add => bits.union_with(&other.cut(self.len()).bits),
            Combine::Subtract => bits.difference_with(&other.bits),
            Combine::Intersect => bits.intersect_with(&other.bits),
        }
        Self::counted(bits)
    }

    /// The rows that are not chosen.
    #[must_use]
    pub fn inverted(&self) -> Self {
        let mut bits = self.bits.clone();
        bits.toggle_range(..);
        Self { bits, count: self.len() - self.count }
    }

    /// Those of these rows that are among the others, too.
    #[must_use]
    pub fn within(&self, others: &Self) -> Self {
        self.combined(others, Combine::Intersect)
    }

    /// The same rows of a table of another length.
    fn cut(&self, len: usize) -> Self {
        if len == self.len() {
            return self.clone();
        }
        let mut blocks = self.bits.as_slice()[..self.bits.as_slice().len().min(len.div_ceil(BLOCK))].to_vec();
        // The last block may hold rows beyond the new end, which no longer count.
        if len < self.len()
            && !len.is_multiple_of(BLOCK)
            && let Some(last) = blocks.last_mut()
        {
            *last &= (1 << (len % BLOCK)) - 1;
        }
        Self::counted(FixedBitSet::with_capacity_and_blocks(len, blocks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::Random;
    use std::collections::HashSet;

    /// Lengths on both sides of the edges of blocks (64), of the library's own (128 or 256), and of a thread's share.
    const LENGTHS: [usize; 12] = [0, 1, 2, 63, 64, 65, 127, 128, 129, 256, 1000, 70_001];

    fn random_set(random: &mut Random, len: usize) -> (Rows, HashSet<u32>) {
        let rows: Vec<u32> = (0..len / 2).map(|_| random.below(len as u32)).collect();
        (Rows::from_rows(len, rows.iter().copied()), rows.into_iter().collect())
    }

    fn same(rows: &Rows, len: usize, expected: &HashSet<u32>) -> bool {
        let listed: Vec<u32> = rows.iter().collect();
        rows.len() == len
            && rows.count() == expected.len()
            && rows.is_empty() == expected.is_empty()
            && listed.is_sorted_by(|left, right| left < right)
            && listed.len() == expected.len()
            && listed.iter().all(|row| expected.contains(row))
            && (0..len as u32 + 300).all(|row| rows.contains(row) == expected.contains(&row))
    }

    #[test]
    fn sets_combine_as_naive_sets_do() {
        let mut random = Random::new(1);
        for len in LENGTHS {
            for other_len in [len, len / 2, len + 1, 2 * len + 70] {
                let (rows, naive) = random_set(&mut random, len);
                let (others, naive_others) = random_set(&mut random, other_len);
                let cut: HashSet<u32> = naive_others.into_iter().filter(|&row| (row as usize) < len).collect();
                for how in Combine::ALL {
                    let expected = match how {
                        Combine::Replace => cut.clone(),
                        Combine::Add => &naive | &cut,
                        Combine::Subtract => &naive - &cut,
                        Combine::Intersect => &naive & &cut,
                    };
                    let combined = rows.combined(&others, how);
                    assert!(same(&combined, len, &expected), "{how:?} {len} {other_len}");
                    // Equality is that of sets: no rest beyond the end of a table is compared.
                    assert_eq!(combined, Rows::from_rows(len, expected), "{how:?} {len} {other_len}");
                }
                assert!(same(&rows.within(&others), len, &(&naive & &cut)));
                let rest: HashSet<u32> = (0..len as u32).filter(|row| !naive.contains(row)).collect();
                assert!(same(&rows.inverted(), len, &rest), "{len}");
                assert_eq!(rows.inverted().inverted(), rows);
            }
        }
    }

    #[test]
    fn the_comparison_with_naive_sets_sees_one_row_more() {
        let (rows, mut naive) = random_set(&mut Random::new(2), 200);
        assert!(same(&rows, 200, &naive));
        let extra = (0..200).find(|row| !naive.contains(row)).unwrap();
        naive.insert(extra);
        assert!(!same(&rows, 200, &naive));
    }

    #[test]
    fn masks_tests_and_lists_make_the_same_sets() {
        let mut random = Random::new(3);
        for len in LENGTHS {
            let mask: Vec<bool> = (0..len).map(|_| random.below(3) == 0).collect();
            let listed = Rows::from_rows(len, (0..len as u32).filter(|&row| mask[row as usize]));
            assert_eq!(Rows::from_mask(&mask), listed, "{len}");
            assert_eq!(Rows::choose(len, |row| mask[row as usize]), listed, "{len}");
            assert_eq!(Rows::choose(len, |_| true), Rows::all(len), "{len}");
            assert_eq!(Rows::none(len).inverted(), Rows::all(len), "{len}");
        }
    }

    #[test]
    fn rows_beyond_the_table_are_ignored() {
        let rows = Rows::from_rows(5, [4, 5, 1, u32::MAX, 1]);
        assert_eq!(rows.iter().collect::<Vec<_>>(), [1, 4]);
        assert!(!rows.contains(5) && !rows.contains(u32::MAX));
    }
}
