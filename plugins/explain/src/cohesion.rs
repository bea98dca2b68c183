//! How many neighbours in the data stay inside a group.

use crate::{Cancelled, Data, ExplainError};
use rayon::prelude::*;

/// Rows that a thread takes at a time.
const BLOCK: usize = 1024;

/// The mean share of a row's neighbours that are in its group, over the group's rows whose neighbours are known;
/// nothing if there are none.
pub(crate) fn cohesion(data: &Data<'_>, rows: &[u32], cancelled: Cancelled<'_>) -> Result<Option<f64>, ExplainError> {
    let mut inside = vec![false; rows.last().map_or(0, |&last| last as usize + 1)];
    rows.iter().for_each(|&row| inside[row as usize] = true);
    let share = |&row: &u32| {
        let (mut kept, mut known) = (0u32, 0u32);
        for neighbour in (data.neighbours)(row).into_iter().filter(|&neighbour| neighbour != u32::MAX) {
            known += 1;
            kept += u32::from(inside.get(neighbour as usize).is_some_and(|&inside| inside));
        }
        (known > 0).then(|| f64::from(kept) / f64::from(known))
    };
    let of_block = |rows: &[u32]| -> Option<(f64, usize)> {
        let add = |(sum, count), share| (sum + share, count + 1);
        (!cancelled()).then(|| rows.iter().filter_map(share).fold((0.0, 0), add))
    };
    let blocks: Option<Vec<_>> = rows.par_chunks(BLOCK).map(of_block).collect();
    let blocks = blocks.ok_or(ExplainError::Cancelled)?;
    let (sum, count) = blocks.into_iter().fold((0.0, 0), |(sum, count), (s, c)| (sum + s, count + c));
    Ok((count > 0).then(|| sum / count as f64))
}
