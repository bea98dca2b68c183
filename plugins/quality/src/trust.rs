//! How far each single point of a moving embedding can be trusted: the two rows of the paper's first figure, quick
//! enough to follow the movement.

use crate::Cancelled;
use crate::positions::embedding_space;
use crate::random::sample;
use crate::scan::{Candidates, DistanceTable, Scanner};
use rayon::prelude::*;
use vectors::Space;

/// Points that share one pass over the references.
const BLOCK: usize = 16;

/// Levels are bytes, and 0 is the point itself.
const MAX_REFERENCES: usize = 255;

/// Neighbours that count for "neighbourhood kept".
pub const TRUST_NEIGHBOURS: usize = 16;
/// Rows to which distances are correlated for each point.
pub const TRUST_REFERENCES: usize = 128;
/// Seed of the rows that are looked at.
pub const TRUST_SEED: u64 = 7;

/// A measure of every single point, to colour by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrustKind {
    /// Share of a point's nearest in the picture that are its nearest in the data, 0 to 1.
    NeighbourhoodKept,
    /// Correlation of a point's distances in the picture and in the data, −1 to 1.
    DistanceCorrelation,
}

/// Trust in the neighbourhood of each point, from neighbour lists that the program has anyway.
#[derive(Debug, Clone, Copy)]
pub struct Trust;

impl Trust {
    /// Share of each row's k nearest in the embedding that are among its k nearest in the data; 0…1, and 0 for a row
    /// without neighbours in the embedding.
    ///
    /// `hd_lists` is `[rows][k_hd]`, nearest first, of which the first k count; `ld_neighbours` is `[rows][k]`, as
    /// [`embedding_neighbours`](crate::embedding_neighbours) gives it. `u32::MAX` is an empty place in both: what the
    /// data's list has not found yet counts as not kept. Where `k_hd` is less than k, the first `k_hd` of both lists
    /// are compared.
    ///
    /// Lists have no distances, so that of several rows at the distance of the k-th nearest only those listed count.
    ///
    /// # Panics
    /// If the lists are not of the same number of rows.
    #[must_use]
    pub fn neighbourhood_kept(hd_lists: &[u32], k_hd: usize, ld_neighbours: &[u32], k: usize) -> Vec<f32> {
        let rows = ld_neighbours.len().checked_div(k).unwrap_or(0);
        assert_eq!(ld_neighbours.len(), rows * k, "{rows} rows of {k} neighbours do not have {}", ld_neighbours.len());
        assert_eq!(hd_lists.len(), rows * k_hd, "{rows} rows of {k_hd} neighbours do not have {}", hd_lists.len());
        let compared = k.min(k_hd);
        if compared == 0 {
            return vec![0.0; rows];
        }
        let lists = hd_lists.par_chunks_exact(k_hd).zip(ld_neighbours.par_chunks_exact(k));
        let kept = lists.map_init(
            || Vec::with_capacity(compared),
            |near: &mut Vec<u32>, (hd, ld)| {
                near.clear();
                near.extend(&hd[..compared]);
                near.sort_unstable();
                let found = ld[..compared].iter().filter(|&&row| row != u32::MAX);
                let (kept, all) = found.fold((0u32, 0u32), |(kept, all), row| {
                    (kept + u32::from(near.binary_search(row).is_ok()), all + 1)
                });
                if all == 0 { 0.0 } else { kept as f32 / all as f32 }
            },
        );
        kept.collect()
    }
}

/// Trust in the distances of each point: Spearman's correlation of its distances to a seeded set of reference rows in
/// data and embedding.
///
/// To be made anew when the data or its metric changes. Memory: a byte for each row and reference.
#[derive(Debug)]
pub struct DistanceTrust {
    rows: usize,
    /// Rows to which distances are compared, ascending.
    references: Vec<u32>,
    /// `[rows][references]`: the level of the distance in the data among the point's distances, from 1, the same for
    /// equal distances; 0 for the point itself. Levels rather than ranks: mean ranks have halves, and follow from how
    /// many share a level.
    levels: Vec<u8>,
}

impl DistanceTrust {
    /// References that suit a live view: the correlation of a point then errs by a few hundredths.
    pub const DEFAULT_REFERENCES: usize = 128;

    /// Chooses the references (1…255 are used, and no more than there are rows) and orders the distances of every row
    /// to them. `None` if `cancelled` said so, which is asked before every few rows.
    #[must_use]
    pub fn new(hd: &Space, references: usize, seed: u64, cancelled: Cancelled<'_>) -> Option<Self> {
        let rows = hd.rows();
        // The same rows as `per_point` takes.
        let references = sample(rows, references.clamp(1, MAX_REFERENCES), seed.wrapping_add(1));
        let mut levels = vec![0; rows * references.len()];
        let scanner = Scanner::new(hd, Candidates::Listed(&references));
        let width = references.len();
        let blocks = levels.par_chunks_mut((BLOCK * width).max(1)).enumerate();
        let finished = blocks
            .try_for_each_init(
                || (DistanceTable::new(BLOCK, width), Vec::with_capacity(width)),
                |(distances, keys), (block, levels)| {
                    if cancelled() {
                        return None;
                    }
                    scanner.scan(&rows_from(block * BLOCK, levels.len() / width), distances);
                    for (slot, levels) in levels.chunks_exact_mut(width).enumerate() {
                        sort_keys(distances.of(slot), keys);
                        for (level, tied) in (1u32..).zip(keys.chunk_by(same_distance)) {
                            tied.iter().for_each(|&key| levels[reference(key)] = level as u8); // ≤ 255
                        }
                    }
                    Some(())
                },
            )
            .is_some();
        (finished && !cancelled()).then_some(Self { rows, references, levels })
    }

    /// Correlates the distances of the embedding `ld`, its rows of `dims` values `stride` apart, with those of the
    /// data: −1…1 for each row, ties sharing their mean rank, and 0 where all distances of one side are the same.
    /// Positions that are not finite are equally far from everything.
    ///
    /// # Panics
    /// If `ld` does not hold as many rows as the data, or `dims` is 0 or more than `stride`.
    #[must_use]
    pub fn measure(&self, ld: &[f32], dims: usize, stride: usize) -> Vec<f32> {
        let space = embedding_space(ld, self.rows, dims, stride);
        let scanner = Scanner::new(&space, Candidates::Listed(&self.references));
        let width = self.references.len();
        let mut trust = vec![0.0; self.rows];
        let blocks = trust.par_chunks_mut(BLOCK).zip(self.levels.par_chunks((BLOCK * width).max(1))).enumerate();
        blocks.for_each_init(
            || (DistanceTable::new(BLOCK, width), Vec::with_capacity(width)),
            |(distances, keys), (block, (trust, levels))| {
                scanner.scan(&rows_from(block * BLOCK, trust.len()), distances);
                for (slot, (trust, levels)) in trust.iter_mut().zip(levels.chunks_exact(width)).enumerate() {
                    sort_keys(distances.of(slot), keys);
                    *trust = correlation(levels, keys);
                }
            },
        );
        trust
    }
}

fn rows_from(first: usize, count: usize) -> Vec<u32> {
    (first as u32..(first + count) as u32).collect()
}

/// Fills `keys` with `distance << 32 | reference`, ascending, without the point itself.
fn sort_keys(squared: &[f32], keys: &mut Vec<u64>) {
    keys.clear();
    let others = (0u64..).zip(squared).filter(|(_, squared)| !squared.is_nan());
    keys.extend(others.map(|(reference, squared)| u64::from(squared.to_bits()) << 32 | reference));
    keys.sort_unstable();
}

fn same_distance(a: &u64, b: &u64) -> bool {
    a >> 32 == b >> 32
}

fn reference(key: u64) -> usize {
    key as u32 as usize
}

/// Spearman's correlation of levels and sorted keys. Ranks are doubled and centred, so that everything is an integer.
fn correlation(levels: &[u8], keys: &[u64]) -> f32 {
    let ranks = centred_ranks(levels, keys.len());
    let (mut hd, mut ld, mut both) = (0i64, 0i64, 0i64);
    let mut first = 0;
    for tied in keys.chunk_by(same_distance) {
        let ld_rank = centred_rank(first, tied.len(), keys.len());
        first += tied.len();
        for &key in tied {
            let hd_rank = i64::from(ranks[usize::from(levels[reference(key)])]);
            hd += hd_rank * hd_rank;
            both += hd_rank * i64::from(ld_rank);
        }
        ld += tied.len() as i64 * i64::from(ld_rank) * i64::from(ld_rank);
    }
    if hd == 0 || ld == 0 { 0.0 } else { (both as f64 / (hd as f64 * ld as f64).sqrt()) as f32 }
}

/// The rank of each level.
fn centred_ranks(levels: &[u8], count: usize) -> [i32; 256] {
    let mut sizes = [0u32; 256];
    levels.iter().for_each(|&level| sizes[usize::from(level)] += 1);
    let mut ranks = [0; 256];
    let mut first = 0;
    for (rank, &size) in ranks.iter_mut().zip(&sizes).skip(1).take(levels.len()) {
        *rank = centred_rank(first, size as usize, count);
        first += size as usize;
    }
    ranks
}

/// Twice the mean rank of `size` equals that follow `first` others, less twice the mean of all `count` ranks.
fn centred_rank(first: usize, size: usize, count: usize) -> i32 {
    (2 * first + size) as i32 - count as i32
}
