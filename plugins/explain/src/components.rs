//! Components of the vectors: which of them set the groups apart.

use crate::effect::Effect;
use crate::moments::Moments;
use crate::ranks::{MISSING_KEY, auc, key32};
use crate::{Cancelled, Data, ExplainError, Groups};
use rayon::prelude::*;

/// The AUC is computed for so many components, the strongest by |d|: it has to sort all rows for each.
pub const MAX_RANKED: usize = 50;

/// Rows whose sums are taken together: few enough to stay in a core's cache between two passes.
const BLOCK: usize = 512;

/// Rows that are copied together for ranking.
const GATHERED_ROWS: usize = 8192;

/// Components that are copied together for ranking: a cache line of them, so that rows are read once for all.
const GATHERED_COMPONENTS: usize = 16;

/// What the components say.
pub(crate) struct Components {
    /// By strength.
    pub effects: Vec<Effect>,
    /// Mean vectors of A and B; 0 where no row has a value.
    pub means: [Vec<f64>; 2],
}

/// Compares every component of the vectors.
pub(crate) fn compare(
    data: &Data<'_>,
    groups: Groups<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Components, ExplainError> {
    let [a, b] = groups.both().map(|rows| moments(data, rows, cancelled));
    let (a, b) = (a?, b?);
    let means = [&a, &b].map(|moments| moments.iter().map(|moments| moments.mean).collect());
    let effect = |place: usize| Effect::new(data.component_name(place), a[place], b[place]);
    let mut found: Vec<(usize, Effect)> = (0..data.dims).map(|place| (place, effect(place))).collect();
    found.sort_by(|(_, left), (_, right)| Effect::by_strength(left, right));
    let (order, mut effects): (Vec<usize>, Vec<Effect>) = found.into_iter().unzip();
    let ranked = &order[..order.len().min(MAX_RANKED)];
    let aucs = ranked.chunks(GATHERED_COMPONENTS).map(|places| aucs(data, groups, places, cancelled));
    let aucs: Vec<Option<f64>> = aucs.collect::<Result<Vec<_>, _>>()?.concat();
    for (effect, auc) in effects.iter_mut().zip(aucs) {
        effect.auc = auc;
    }
    Ok(Components { effects, means })
}

/// The moments of each component over some rows.
fn moments(data: &Data<'_>, rows: &[u32], cancelled: Cancelled<'_>) -> Result<Vec<Moments>, ExplainError> {
    let of_block = |rows: &[u32]| if cancelled() { None } else { Some(block_moments(data, rows)) };
    let blocks: Option<Vec<_>> = rows.par_chunks(BLOCK).map(of_block).collect();
    let mut sum = vec![Moments::default(); data.dims];
    for block in blocks.ok_or(ExplainError::Cancelled)? {
        for (sum, block) in sum.iter_mut().zip(block) {
            *sum = sum.add(block);
        }
    }
    Ok(sum)
}

fn block_moments(data: &Data<'_>, rows: &[u32]) -> Vec<Moments> {
    let mut mean = vec![0.0f64; data.dims];
    for &row in rows {
        for (sum, &value) in mean.iter_mut().zip((data.vector)(row)) {
            *sum += f64::from(value);
        }
    }
    // A sum of so few 32-bit numbers is finite exactly if all of them are.
    if mean.iter().any(|sum| !sum.is_finite()) || rows.iter().any(|&row| (data.vector)(row).len() < data.dims) {
        return gappy_moments(data, rows);
    }
    // So few equal 32-bit numbers sum up without rounding: constants keep a spread of exactly zero.
    mean.iter_mut().for_each(|sum| *sum /= rows.len() as f64);
    let mut squares = vec![0.0f64; data.dims];
    for &row in rows {
        for ((sum, &mean), &value) in squares.iter_mut().zip(&mean).zip((data.vector)(row)) {
            let difference = f64::from(value) - mean;
            *sum += difference * difference;
        }
    }
    mean.into_iter().zip(squares).map(|(mean, squares)| Moments { n: rows.len(), mean, squares }).collect()
}

/// The same where values are missing.
fn gappy_moments(data: &Data<'_>, rows: &[u32]) -> Vec<Moments> {
    let of_component = |place: usize| {
        let values = rows.iter().filter_map(|&row| (data.vector)(row).get(place).copied());
        Moments::of(&values.filter(|value| value.is_finite()).map(f64::from).collect::<Vec<_>>())
    };
    (0..data.dims).map(of_component).collect()
}

/// The AUC of some components.
fn aucs(
    data: &Data<'_>,
    groups: Groups<'_>,
    places: &[usize],
    cancelled: Cancelled<'_>,
) -> Result<Vec<Option<f64>>, ExplainError> {
    // For each block of rows, the keys of the first component, then those of the second, and so on.
    let gather = |rows: &[u32]| -> Option<Vec<u32>> {
        let mut keys = vec![MISSING_KEY; rows.len() * places.len()];
        for (at, &row) in rows.iter().enumerate() {
            let vector = (data.vector)(row);
            for (nth, value) in places.iter().enumerate().filter_map(|(nth, &place)| Some((nth, vector.get(place)?))) {
                keys[nth * rows.len() + at] = key32(*value);
            }
        }
        (!cancelled()).then_some(keys)
    };
    let gathered = groups.both().map(|rows| rows.par_chunks(GATHERED_ROWS).map(gather).collect::<Option<Vec<_>>>());
    let [Some(a), Some(b)] = gathered else { return Err(ExplainError::Cancelled) };
    let column = |blocks: &[Vec<u32>], nth: usize| -> Vec<u32> {
        let pieces = blocks.iter().flat_map(|block| {
            let rows = block.len() / places.len();
            &block[nth * rows..][..rows]
        });
        pieces.copied().filter(|&key| key != MISSING_KEY).collect()
    };
    let of_column = |nth: usize| {
        if cancelled() {
            return Err(ExplainError::Cancelled);
        }
        Ok(auc(column(&a, nth), column(&b, nth)))
    };
    (0..places.len()).into_par_iter().map(of_column).collect()
}
