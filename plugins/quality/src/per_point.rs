//! The quality of each single point, to colour by: the two rows of the paper's first figure.

use crate::error::{check_positive, check_spaces};
use crate::nearest::{Nearest, reaches};
use crate::random::{TieBreak, sample, squared_of_key};
use crate::scan::{Candidates, DistanceTable, Scanner};
use crate::spearman::spearman;
use crate::{Progress, QualityError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Space;

/// Points that share one pass over the candidates.
const BLOCK: usize = 16;

/// The paper's neighbourhood: this share of all points.
const PAPER_SHARE: f64 = 0.05;

/// How each point is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PerPointOptions {
    /// Size of the neighbourhood (≥ 1), but no more than the paper's ⌈0.05·N⌉. The paper's own choice grows with N and
    /// stops being local (3 500 neighbours of 70 000 points); a fixed size says the same thing of any data set, and
    /// small ones keep the paper's.
    pub k: usize,
    /// Rows among which neighbours are looked for, a seeded sample (≥ 1; all rows if there are fewer, which is exact).
    /// Work is this times the number of points. In a share s of the rows, k neighbours stand for k/s in all.
    pub candidates: usize,
    /// Rows to which distances are correlated, a seeded sample (≥ 1; all rows if there are fewer).
    pub references: usize,
    /// Chooses candidates and references, and who comes first among equal distances.
    pub seed: u64,
}

impl Default for PerPointOptions {
    fn default() -> Self {
        Self { k: 32, candidates: 100_000, references: 1000, seed: 0 }
    }
}

/// Two figures for each row, in row order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PerPoint {
    /// Share of the k nearest in the embedding that are among the k nearest in the data, ties counted as found; 0…1.
    pub neighbourhood_kept: Vec<f32>,
    /// Spearman correlation of the distances to the references in data and embedding; −1…1, and 0 where all distances
    /// of one side are the same.
    pub distance_correlation: Vec<f32>,
}

/// Judges every point of the embedding `ld` of the data `hd`. `progress` hears of finished points.
///
/// # Errors
/// If the spaces do not hold the same rows, fewer than 3, or values that are not finite; if an option is 0.
pub fn per_point(
    hd: &Space,
    ld: &Space,
    options: &PerPointOptions,
    progress: Progress<'_>,
) -> Result<PerPoint, QualityError> {
    let PerPointOptions { k, candidates, references, seed } = *options;
    check_positive(&[("k", k), ("candidates", candidates), ("references", references)])?;
    check_spaces(hd, ld)?;
    let rows = hd.rows();
    // Three candidates at least: a point may be one of them, and a neighbourhood of all others says nothing.
    let candidates = sample(rows, candidates.max(3), seed);
    let k = k.min((PAPER_SHARE * candidates.len() as f64).ceil() as usize);
    let references = sample(rows, references, seed.wrapping_add(1));
    let candidates = if candidates.len() < rows { Candidates::Listed(&candidates) } else { Candidates::All };
    let judge = Judge {
        hd,
        k,
        candidates,
        near: [hd, ld].map(|space| Scanner::new(space, candidates)),
        references: [hd, ld].map(|space| Scanner::new(space, Candidates::Listed(&references))),
        reference_count: references.len(),
        seed,
    };
    let mut quality = PerPoint { neighbourhood_kept: vec![0.0; rows], distance_correlation: vec![0.0; rows] };
    let done = AtomicUsize::new(0);
    let kept = quality.neighbourhood_kept.par_chunks_mut(BLOCK);
    kept.zip(quality.distance_correlation.par_chunks_mut(BLOCK)).enumerate().for_each_init(
        || Buffers::new(&judge),
        |buffers, (block, (kept, correlation))| {
            let first = (block * BLOCK) as u32;
            let queries: Vec<u32> = (first..first + kept.len() as u32).collect();
            judge.neighbourhoods(&queries, buffers, kept);
            judge.correlations(&queries, buffers, correlation);
            progress(done.fetch_add(kept.len(), Ordering::Relaxed) + kept.len(), rows);
        },
    );
    Ok(quality)
}

struct Judge<'a> {
    hd: &'a Space,
    k: usize,
    candidates: Candidates<'a>,
    /// Compare with the candidates, in HD and LD.
    near: [Scanner<'a>; 2],
    /// Compare with the references, in HD and LD.
    references: [Scanner<'a>; 2],
    reference_count: usize,
    seed: u64,
}

/// What one thread uses again for block after block: HD first, LD second.
struct Buffers {
    nearest: [Vec<Nearest>; 2],
    distances: [DistanceTable; 2],
}

impl Buffers {
    fn new(judge: &Judge<'_>) -> Self {
        Self {
            nearest: [(); 2].map(|()| vec![Nearest::new(judge.k); BLOCK]),
            distances: [(); 2].map(|()| DistanceTable::new(BLOCK, judge.reference_count)),
        }
    }
}

impl Judge<'_> {
    fn neighbourhoods(&self, queries: &[u32], buffers: &mut Buffers, kept: &mut [f32]) {
        for (which, (scanner, nearest)) in self.near.iter().zip(&mut buffers.nearest).enumerate() {
            for (nearest, &query) in nearest.iter_mut().zip(queries) {
                nearest.start(TieBreak::shuffled(self.seed, query, which as u64));
            }
            scanner.scan(queries, nearest.as_mut_slice());
        }
        let [hd, ld] = &mut buffers.nearest;
        for (slot, (&query, kept)) in queries.iter().zip(kept).enumerate() {
            let kth = hd[slot].sorted().last().copied().map_or(0.0, squared_of_key);
            let tie = ld[slot].tie();
            let found = ld[slot].sorted().iter().filter(|&&key| {
                let row = self.candidates.row(tie.position(key) as usize);
                reaches(self.hd.squared_distance(query as usize, row).min(f32::MAX), kth)
            });
            *kept = found.count() as f32 / self.k as f32;
        }
    }

    fn correlations(&self, queries: &[u32], buffers: &mut Buffers, correlation: &mut [f32]) {
        let [hd, ld] = &mut buffers.distances;
        self.references[0].scan(queries, hd);
        self.references[1].scan(queries, ld);
        for (slot, correlation) in correlation.iter_mut().enumerate() {
            let pairs = hd.of(slot).iter().copied().zip(ld.of(slot).iter().copied());
            let others: Vec<(f32, f32)> = pairs.filter(|(hd, _)| !hd.is_nan()).collect();
            *correlation = spearman(&others) as f32;
        }
    }
}
