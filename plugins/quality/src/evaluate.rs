//! The quality of a whole embedding.

use crate::curve::{area, rnx_curve};
use crate::error::{check_positive, check_spaces};
use crate::random::sample;
use crate::scan::{Candidates, Scanner, block_len};
use crate::spearman::spearman;
use crate::tally::{Setup, Tally, Worker};
use crate::{Progress, QualityError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Space;

/// About this many pairs of points give the distance correlation.
const CORRELATED_PAIRS: usize = 1 << 20;

/// How an embedding is evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EvaluateOptions {
    /// Points whose neighbourhoods are compared, a seeded sample without replacement (≥ 1; all points if there are
    /// fewer). Time grows with it; the error of every figure falls with its square root.
    pub queries: usize,
    /// Largest neighbourhood of the curve R_NX(K) (≥ 1; at most N − 2 is used).
    pub max_k: usize,
    /// Neighbourhood for trustworthiness, continuity and k-NN recall (≥ 1; fewer than N/2 are used, as the first two
    /// are defined for no more).
    pub k: usize,
    /// Chooses the queries, the pairs of the correlation, and who comes first among equal distances.
    pub seed: u64,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        Self { queries: 2000, max_k: 1000, k: 10, seed: 0 }
    }
}

/// How faithful an embedding is. All shares are in 0…1, more is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// Σ R_NX(K)/K ÷ Σ 1/K: the curve's mean with small neighbourhoods weighing more; 1 is perfect, 0 is random.
    pub auc: f64,
    /// (K, R_NX(K)) for K = 1…: the share of the K nearest kept, rescaled so that 1 is perfect and 0 is random.
    pub rnx: Vec<(usize, f64)>,
    /// 1 less what intruders cost: points near in the embedding by how far they are in the data (Venna and Kaski).
    pub trustworthiness: f64,
    /// 1 less what missing points cost: points near in the data by how far they are in the embedding.
    pub continuity: f64,
    /// Share of the k nearest in the embedding that are among the k nearest in the data, ties counted as found.
    /// Without ties it is Q_NX(k).
    pub knn_recall: f64,
    /// Spearman correlation of distances in data and embedding, over pairs of a query and another point (all others,
    /// or as many drawn at random as give about a million pairs).
    pub distance_correlation: f64,
    /// Points whose neighbourhoods were compared.
    pub queries: usize,
    /// Neighbourhood used for trustworthiness, continuity and k-NN recall.
    pub k: usize,
}

/// Compares the neighbourhoods of the data `hd` and the embedding `ld`, row by row the same points.
///
/// Ranks are exact, against all points; see the [crate] documentation for ties. `progress` hears of finished queries.
/// Memory beyond the spaces: 64 MiB for each thread, or 16 bytes a row where that is more.
///
/// # Errors
/// If the spaces do not hold the same rows, fewer than 3, or values that are not finite; if an option is 0.
pub fn evaluate(
    hd: &Space,
    ld: &Space,
    options: &EvaluateOptions,
    progress: Progress<'_>,
) -> Result<Evaluation, QualityError> {
    check_positive(&[("queries", options.queries), ("max_k", options.max_k), ("k", options.k)])?;
    check_spaces(hd, ld)?;
    let rows = hd.rows();
    let queries = sample(rows, options.queries, options.seed);
    let setup = Setup {
        rows,
        hd: Scanner::new(hd, Candidates::All),
        ld: Scanner::new(ld, Candidates::All),
        max_k: options.max_k.min(rows - 2),
        k: options.k.min((rows - 1) / 2),
        pairs_per_query: (CORRELATED_PAIRS / queries.len()).max(1),
        seed: options.seed,
    };
    let tally = tally_all(&setup, &queries, progress);
    Ok(summarise(&setup, &tally, queries.len()))
}

fn tally_all(setup: &Setup<'_>, queries: &[u32], progress: Progress<'_>) -> Tally {
    let block = block_len(setup.rows).min(queries.len().div_ceil(rayon::current_num_threads()));
    let done = AtomicUsize::new(0);
    queries
        .par_chunks(block)
        .fold(
            || Worker::new(setup, block),
            |mut worker, block| {
                worker.tally_block(block);
                progress(done.fetch_add(block.len(), Ordering::Relaxed) + block.len(), queries.len());
                worker
            },
        )
        .map(Worker::into_tally)
        .reduce(|| Tally::new(setup.max_k), Tally::followed_by)
}

fn summarise(setup: &Setup<'_>, tally: &Tally, queries: usize) -> Evaluation {
    let (rows, k) = (setup.rows, setup.k);
    let rnx = rnx_curve(&tally.shared_from, rows, queries);
    // Venna and Kaski: the largest penalty possible is n·k·(2N − 3k − 1)/2.
    let worst = queries as f64 * k as f64 * (2.0 * rows as f64 - 3.0 * k as f64 - 1.0) / 2.0;
    Evaluation {
        auc: area(&rnx),
        rnx,
        trustworthiness: 1.0 - tally.intrusions as f64 / worst,
        continuity: 1.0 - tally.extrusions as f64 / worst,
        knn_recall: tally.kept as f64 / (queries * k) as f64,
        distance_correlation: spearman(&tally.pairs),
        queries,
        k,
    }
}
