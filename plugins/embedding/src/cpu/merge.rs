//! Merge: takes finds and offers into the lists. A row is written only by its owner.

use super::arrive::REACH;
use super::forget::LOST_MUCH;
use super::propose::{FINDS, Fan, Finds, Inbox};
use crate::lists::{self, EMPTY, Lists, NEW, NEXT};
use rayon::prelude::*;

/// How many points have nearer neighbours than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Points of the slice that found one themselves.
    pub found: usize,
    /// Points that found one or were offered one.
    pub changed: usize,
}

/// Takes in the finds of a slice and every offer. Rows that change are marked dirty. Where rows leave all the time there
/// always are a few free places, and no hurry to fill them: who is `patient` counts what is found for the nearer half
/// of a list only, and does not have others follow those who merely fill a place.
pub fn merge(hd: &mut Lists, dirty: &mut [bool], finds: &Finds, inbox: &mut Inbox, patient: bool) -> Merged {
    let k = hd.k();
    let (entries, distances) = hd.rows_mut();
    let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k));
    rows.zip(dirty.par_iter_mut())
        .zip(inbox.chunks_mut())
        .enumerate()
        .with_min_len(256)
        .map(|(point, (((entries, distances), dirty), offers))| {
            let half = distances[k / 2];
            let free = patient && distances[k - 1].is_infinite();
            let plausible = if free { REACH * distances[k - 1 - k / LOST_MUCH] } else { f32::INFINITY };
            let marked =
                |candidate: u32, distance: f32| if distance < plausible { candidate | NEXT } else { candidate };
            let mut gained = false;
            if finds.slice.contains(&point) {
                let first = (point - finds.slice.start) * FINDS;
                let own = finds.entries[first..][..FINDS].iter().zip(&finds.distances[first..][..FINDS]);
                for (&candidate, &distance) in own.take_while(|(candidate, _)| **candidate != EMPTY) {
                    gained |= lists::insert(entries, distances, marked(candidate, distance), distance);
                }
            }
            let mut received = false;
            for offer in offers {
                if let Some((candidate, distance)) = Inbox::take(offer) {
                    received |= lists::insert(entries, distances, marked(candidate, distance), distance);
                }
            }
            *dirty |= gained | received;
            let counts = gained & (!patient | (distances[k / 2] < half));
            Merged { found: counts.into(), changed: (gained | received).into() }
        })
        .reduce(Merged::default, |a, b| Merged { found: a.found + b.found, changed: a.changed + b.changed })
}

/// Ends a pass over all points: what was new in a followed place has been looked at, what came in is new. Notes which
/// rows have new neighbours in followed places.
pub fn end_pass(hd: &mut Lists, fan: Fan, fresh: &mut [bool]) {
    let k = hd.k();
    let (entries, _) = hd.rows_mut();
    entries.par_chunks_mut(k).zip(fresh).with_min_len(1024).for_each(|(entries, fresh)| {
        for places in fan.places(k) {
            entries[places].iter_mut().for_each(|entry| *entry &= !NEW);
        }
        for entry in entries.iter_mut() {
            *entry = (*entry & !NEXT) | ((*entry & NEXT) << 1);
        }
        *fresh = fan.places(k).into_iter().any(|places| entries[places].iter().any(|entry| entry & NEW != 0));
    });
}
