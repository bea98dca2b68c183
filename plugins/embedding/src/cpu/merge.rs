//! Merge: takes finds and offers into the lists. A row is written only by its owner.

use super::propose::{FAN, FINDS, Finds, Inbox};
use crate::lists::{self, EMPTY, Lists, NEW, NEXT};
use rayon::prelude::*;

/// Takes in the finds of a slice and every offer; returns how many points of the slice found a nearer neighbour
/// themselves. Rows that change are marked dirty.
pub fn merge(hd: &mut Lists, dirty: &mut [bool], finds: &Finds, inbox: &mut Inbox) -> usize {
    let k = hd.k();
    let (entries, distances) = hd.rows_mut();
    let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k));
    rows.zip(dirty.par_iter_mut())
        .zip(inbox.chunks_mut())
        .enumerate()
        .with_min_len(256)
        .map(|(point, (((entries, distances), dirty), offers))| {
            let mut gained = false;
            if finds.slice.contains(&point) {
                let first = (point - finds.slice.start) * FINDS;
                let own = finds.entries[first..][..FINDS].iter().zip(&finds.distances[first..][..FINDS]);
                for (&candidate, &distance) in own.take_while(|(candidate, _)| **candidate != EMPTY) {
                    gained |= lists::insert(entries, distances, candidate | NEXT, distance);
                }
            }
            let mut received = false;
            for offer in offers {
                if let Some((candidate, distance)) = Inbox::take(offer) {
                    received |= lists::insert(entries, distances, candidate | NEXT, distance);
                }
            }
            *dirty |= gained | received;
            usize::from(gained)
        })
        .sum()
}

/// Ends a pass over all points: what was new has been looked at, what came in is new. Notes which rows have any.
pub fn end_pass(hd: &mut Lists, fresh: &mut [bool]) {
    let k = hd.k();
    let (entries, _) = hd.rows_mut();
    entries.par_chunks_mut(k).zip(fresh).with_min_len(1024).for_each(|(entries, fresh)| {
        for entry in entries.iter_mut() {
            *entry = (*entry & !(NEW | NEXT)) | ((*entry & NEXT) << 1);
        }
        *fresh = entries[..FAN.min(k)].iter().any(|entry| entry & NEW != 0);
    });
}
