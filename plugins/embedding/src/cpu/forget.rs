//! Forget: takes points that leave out of everybody's lists, and measures those anew whose data has changed.
//!
//! Places that become free are found again by refinement. A list that has lost much is *hungry*: it looks at everything
//! its neighbours know. One that has lost a place or two gets by with what comes along.

use crate::lists::{self, EMPTY, Lists, NEXT, POINT};
use crate::start::fill;
use rayon::prelude::*;
use vectors::Space;

/// A point that leaves.
pub const GONE: u8 = 1;
/// A point whose data has changed.
pub const MOVED: u8 = 2;
/// A list with one in so many of its places free is hungry.
pub const LOST_MUCH: usize = 8;

/// Changes the lists of neighbours in the data. `touched` says of every point whether it is [`GONE`], [`MOVED`] or
/// neither. Rows that change are marked dirty, those that have lost much hungry.
pub fn forget_hd(space: &Space, touched: &[u8], hd: &mut Lists, dirty: &mut [bool], hungry: &mut [bool]) {
    let any_touched = Bits::of(touched, |&mark| mark != 0);
    let k = hd.k();
    let (entries, distances) = hd.rows_mut();
    let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k));
    let rows = rows.zip(dirty.par_iter_mut().zip(hungry.par_iter_mut())).enumerate().with_min_len(512);
    rows.for_each_init(Vec::new, |measured, (point, ((entries, distances), (dirty, hungry)))| {
        let own = touched[point];
        let mark = |entry: u32| touched.get((entry & POINT) as usize).copied().unwrap_or(0);
        // No early exit: most rows name nobody who is touched, and are gone through without a branch.
        if own == 0 && !entries.iter().fold(false, |any, &entry| any | any_touched.contains(entry & POINT)) {
            return;
        }
        let listed = entries.iter().take_while(|entry| own != GONE && **entry & POINT != EMPTY).count();
        measured.clear();
        let mut left = 0;
        for at in 0..listed {
            let entry = entries[at];
            match (own, mark(entry)) {
                (_, GONE) => {}
                (0, 0) => {
                    (entries[left], distances[left]) = (entry, distances[at]);
                    left += 1;
                }
                _ => measured.push((entry | NEXT, space.squared_distance(point, (entry & POINT) as usize))),
            }
        }
        entries[left..].fill(EMPTY);
        distances[left..].fill(f32::INFINITY);
        for &(entry, distance) in measured.iter() {
            lists::insert(entries, distances, entry, distance);
        }
        *dirty = own != GONE;
        *hungry = own != GONE && (k - left - measured.len()) * LOST_MUCH >= k;
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
    let gone = Bits::of(touched, |&mark| mark == GONE);
    ld.par_chunks_mut(length).enumerate().with_min_len(512).for_each(|(point, row)| {
        if !alive[point] || !row.iter().fold(false, |any, &other| any | gone.contains(other)) {
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

/// A set of points, small enough for the first-level cache.
struct Bits {
    words: Vec<u32>,
}

impl Bits {
    fn of(marks: &[u8], wanted: impl Fn(&u8) -> bool) -> Self {
        let mut words = vec![0; marks.len() / 32 + 2];
        for (point, _) in marks.iter().enumerate().filter(|(_, mark)| wanted(mark)) {
            words[point / 32] |= 1 << (point % 32);
        }
        Self { words }
    }

    /// True if the point is in the set; nobody beyond its end is.
    #[inline(always)]
    fn contains(&self, point: u32) -> bool {
        let word = (point as usize / 32).min(self.words.len() - 1);
        (self.words[word] >> (point % 32)) & 1 != 0
    }
}
