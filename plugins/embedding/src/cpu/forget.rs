//! Forget: takes points that leave out of everybody's lists, and measures those anew whose data has changed.
//!
//! Places that become free are found again by refinement. A list that has lost much looks at everything its neighbours
//! know; one that has lost a place or two gets by with what comes along.

use crate::lists::{self, EMPTY, Lists, NEXT, POINT};
use crate::start::fill;
use rayon::prelude::*;
use vectors::Space;

/// A point that leaves.
pub const GONE: u8 = 1;
/// A point whose data has changed.
pub const MOVED: u8 = 2;
/// A list with this share of its places free looks at all its neighbours again.
const LOST_MUCH: usize = 8;

/// Changes the lists of neighbours in the data. `touched` says of every point whether it is [`GONE`], [`MOVED`] or
/// neither. Rows that change are marked dirty.
pub fn forget_hd(space: &Space, touched: &[u8], hd: &mut Lists, dirty: &mut [bool]) {
    let k = hd.k();
    let (entries, distances) = hd.rows_mut();
    let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k)).zip(dirty.par_iter_mut());
    rows.enumerate().with_min_len(512).for_each_init(Vec::new, |kept, (point, ((entries, distances), dirty))| {
        let own = touched[point];
        let mark = |entry: u32| touched.get((entry & POINT) as usize).copied().unwrap_or(0);
        if own == 0 && entries.iter().all(|&entry| mark(entry) == 0) {
            return;
        }
        kept.clear();
        if own != GONE {
            kept.extend(entries.iter().zip(distances.iter()).filter(|(entry, _)| **entry & POINT != EMPTY).filter_map(
                |(&entry, &distance)| match (own, mark(entry)) {
                    (_, GONE) => None,
                    (0, 0) => Some((entry, distance)),
                    _ => Some((entry | NEXT, space.squared_distance(point, (entry & POINT) as usize))),
                },
            ));
        }
        entries.fill(EMPTY);
        distances.fill(f32::INFINITY);
        let lost_much = (k - kept.len()) * LOST_MUCH >= k;
        for &(entry, distance) in kept.iter() {
            lists::insert(entries, distances, if lost_much { entry | NEXT } else { entry }, distance);
        }
        *dirty = own != GONE;
    });
}

/// Replaces points that are gone in the lists of neighbours in the embedding, by neighbours in the data or anyone.
pub fn forget_ld(
    touched: &[u8],
    alive: &[bool],
    hd: &Lists,
    length: usize,
    ld: &mut [u32],
    random: impl Fn(u32, u32) -> u32 + Sync,
) {
    ld.par_chunks_mut(length).enumerate().with_min_len(512).for_each(|(point, row)| {
        if !alive[point] || row.iter().all(|&other| touched[other as usize] != GONE) {
            return;
        }
        let mut kept = 0;
        for at in 0..length {
            if touched[row[at] as usize] != GONE {
                row[kept] = row[at];
                kept += 1;
            }
        }
        fill(row, kept, hd.neighbours(point), point, alive, |draw| random(point as u32, draw));
    });
}
