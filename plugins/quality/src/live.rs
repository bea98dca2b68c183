//! The quality of an embedding that moves while its data stays as it is.

use crate::Cancelled;
use crate::curve::{add_shared, area, count_shared, rnx_curve};
use crate::nearest::Nearest;
use crate::positions::embedding_space;
use crate::random::{TieBreak, sample};
use crate::ranking::Ranking;
use crate::scan::{Candidates, Scanner};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use vectors::Space;

/// Queries that share one pass over the rows.
const BLOCK: usize = 16;

/// How a moving embedding is measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveOptions {
    /// Points whose neighbourhoods are compared, a seeded sample without replacement (≥ 1; all points if there are
    /// fewer). The same points every time, so that a change of the figure is a change of the embedding. The time of
    /// every measurement grows with it; the error falls with its square root.
    pub queries: usize,
    /// Largest neighbourhood of the curve R_NX(K) (≥ 1; at most N − 2 is used).
    pub max_k: usize,
    /// Chooses the queries, and who comes first among equal distances.
    pub seed: u64,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self { queries: 300, max_k: 1000, seed: 0 }
    }
}

/// What one measurement found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveCurve {
    /// Σ R_NX(K)/K ÷ Σ 1/K: 1 is perfect, 0 is random, and 0 where there are fewer than 3 rows.
    pub auc: f64,
    /// (K, R_NX(K)) for K = 1…: the share of the K nearest kept, rescaled so that 1 is perfect and 0 is random.
    pub rnx: Vec<(usize, f64)>,
    /// Points whose neighbourhoods were compared.
    pub queries: usize,
}

/// Measures one embedding of the same data again and again: what the data's side of the comparison needs is found
/// once. The figures are those of [`evaluate()`](crate::evaluate()) with the same queries, `max_k` and seed, bit by
/// bit, ties included (see the [crate] documentation).
///
/// To be made anew when the data or its metric changes. Memory: 12 bytes for each query and neighbour.
#[derive(Debug)]
pub struct LiveQuality {
    rows: usize,
    max_k: usize,
    seed: u64,
    queries: Vec<u32>,
    /// The `max_k` nearest rows of each query in the data.
    hd: Vec<Ranking>,
}

impl LiveQuality {
    /// Chooses the queries and finds their nearest rows in the data, exactly. `None` if `cancelled` said so, which is
    /// asked before every few queries.
    #[must_use]
    pub fn new(hd: &Space, options: &LiveOptions, cancelled: Cancelled<'_>) -> Option<Self> {
        let rows = hd.rows();
        let max_k = options.max_k.max(1).min(rows.saturating_sub(2));
        let wanted = if max_k == 0 { 0 } else { options.queries.max(1) }; // too few rows to compare
        let queries = sample(rows, wanted, options.seed);
        let scanner = Scanner::new(hd, Candidates::All);
        let blocks = queries.par_chunks(BLOCK).map_init(
            || vec![Nearest::new(max_k); BLOCK],
            |nearest, block| {
                if cancelled() {
                    return None;
                }
                scan_nearest(&scanner, block, nearest, options.seed, 0);
                let rank = |nearest: &mut Nearest| {
                    let (mut ranking, tie) = (Ranking::default(), nearest.tie());
                    ranking.read(nearest.sorted(), tie);
                    ranking
                };
                Some(nearest[..block.len()].iter_mut().map(rank).collect::<Vec<_>>())
            },
        );
        let hd = blocks.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
        (!cancelled()).then_some(Self { rows, max_k, seed: options.seed, queries, hd })
    }

    /// Compares the neighbourhoods of the embedding `ld`, its rows of `dims` values `stride` apart, with those of the
    /// data: exact ranks against all rows.
    ///
    /// Positions that are not finite are farther than all others and without an order among themselves; seen from such
    /// a position everything is, so it scores as a random embedding would.
    ///
    /// # Panics
    /// If `ld` does not hold as many rows as the data, or `dims` is 0 or more than `stride`.
    #[must_use]
    pub fn measure(&self, ld: &[f32], dims: usize, stride: usize) -> LiveCurve {
        let space = embedding_space(ld, self.rows, dims, stride);
        let scanner = Scanner::new(&space, Candidates::All);
        let shared = self
            .queries
            .par_chunks(BLOCK)
            .zip(self.hd.par_chunks(BLOCK))
            .fold(
                || (vec![Nearest::new(self.max_k); BLOCK], vec![0; self.max_k]),
                |(mut nearest, mut shared), (block, hd)| {
                    scan_nearest(&scanner, block, &mut nearest, self.seed, 1);
                    for (nearest, hd) in nearest.iter_mut().zip(hd) {
                        let tie = nearest.tie();
                        count_shared(&mut shared, hd, nearest.sorted().iter().map(|&key| tie.position(key)));
                    }
                    (nearest, shared)
                },
            )
            .map(|(_, shared)| shared)
            .reduce(|| vec![0; self.max_k], added);
        let rnx = rnx_curve(&shared, self.rows, self.queries.len());
        LiveCurve { auc: area(&rnx), rnx, queries: self.queries.len() }
    }

    /// The rows whose neighbourhoods are compared, ascending.
    #[must_use]
    pub fn queries(&self) -> &[u32] {
        &self.queries
    }
}

fn added(mut sum: Vec<u64>, next: Vec<u64>) -> Vec<u64> {
    add_shared(&mut sum, &next);
    sum
}

/// Finds the nearest rows of a block of queries, with the order among equals that belongs to `which` space.
fn scan_nearest(scanner: &Scanner<'_>, queries: &[u32], nearest: &mut [Nearest], seed: u64, which: u64) {
    for (nearest, &query) in nearest.iter_mut().zip(queries) {
        nearest.start(TieBreak::shuffled(seed, query, which));
    }
    scanner.scan(queries, nearest);
}
