//! Ranks of rows as seen from one query: 1 for the nearest other row.

use crate::random::TieBreak;
use pulp::Arch;

/// Distances compared with all wanted ones while they are in the nearest cache.
const TILE: usize = 4096;

/// The nearest rows of one query in order, and the rank of each of them.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    order: Vec<u32>,
    /// `row << 32 | rank`, ascending.
    ranks: Vec<u64>,
}

impl Ranking {
    /// Reads keys that are sorted, nearest first.
    pub(crate) fn read(&mut self, keys: &[u64], tie: TieBreak) {
        self.order.clear();
        self.order.extend(keys.iter().map(|&key| tie.position(key)));
        self.ranks.clear();
        self.ranks.extend((1u64..).zip(&self.order).map(|(rank, &row)| u64::from(row) << 32 | rank));
        self.ranks.sort_unstable();
    }

    /// The rows, nearest first.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The rank of a row, if it is among the nearest.
    pub(crate) fn rank(&self, row: u32) -> Option<usize> {
        let at = self.ranks.partition_point(|&entry| entry < u64::from(row) << 32);
        let entry = self.ranks.get(at)?;
        (entry >> 32 == u64::from(row)).then_some((entry & u64::from(u32::MAX)) as usize)
    }
}

/// Counts the ranks of the `wanted` rows from all squared distances of the query (NaN for itself).
/// Counting the nearer ones is several passes, and still far cheaper than sorting all rows.
pub(crate) fn count_ranks(squared: &[f32], tie: TieBreak, wanted: &[u32]) -> Vec<usize> {
    let mut nearer = vec![0usize; wanted.len()];
    let mut as_near = vec![0usize; wanted.len()];
    Arch::new().dispatch(|| {
        for tile in squared.chunks(TILE) {
            for (slot, &row) in wanted.iter().enumerate() {
                let limit = squared[row as usize];
                nearer[slot] += tile.iter().map(|&value| u32::from(value < limit)).sum::<u32>() as usize;
                as_near[slot] += tile.iter().map(|&value| u32::from(value <= limit)).sum::<u32>() as usize;
            }
        }
    });
    let ranks = wanted.iter().zip(nearer.iter().zip(&as_near)).map(|(&row, (&nearer, &as_near))| {
        let tied = as_near - nearer > 1; // with more than itself
        1 + nearer + if tied { count_earlier_ties(squared, tie, row) } else { 0 }
    });
    ranks.collect()
}

/// How many rows at the same distance as `row` come before it.
fn count_earlier_ties(squared: &[f32], tie: TieBreak, row: u32) -> usize {
    let limit = squared[row as usize];
    let own = tie.key(limit, row);
    let earlier = |&(position, &value): &(u32, &f32)| value == limit && tie.key(value, position) < own;
    (0u32..).zip(squared).filter(earlier).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_ranks_agree_with_sorting() {
        let query = 4321;
        for tie in [TieBreak::Position, TieBreak::shuffled(9, query, 1)] {
            let mut squared: Vec<f32> = (0..10_000).map(|row| (row * row % 3001) as f32).collect();
            squared[query as usize] = f32::NAN;
            let others = (0..10_000u32).filter(|&row| row != query);
            let mut keys: Vec<u64> = others.map(|row| tie.key(squared[row as usize], row)).collect();
            keys.sort_unstable();
            let wanted = [0, 1, 17, 3001, 6002, 9999];
            let expected = wanted.map(|row| 1 + keys.iter().take_while(|&&key| tie.position(key) != row).count());
            assert_eq!(count_ranks(&squared, tie, &wanted), expected);
            let mut ranking = Ranking::default();
            ranking.read(&keys, tie);
            assert_eq!(wanted.map(|row| ranking.rank(row)), expected.map(Some));
            assert_eq!(ranking.rank(query), None);
            assert_eq!(ranking.order()[expected[2] - 1], wanted[2]);

            squared[5000] = if squared[5000] > squared[17] { 0.0 } else { 4000.0 };
            assert_ne!(count_ranks(&squared, tie, &wanted), expected, "one row moved across row 17");
        }
    }
}
