//! Deliver: takes rows that others have come across into the lists, all at once. A row is written only by its owner.

use crate::lists::{self, Lists};
use rayon::prelude::*;

/// A row that is near to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Offer {
    /// Who is offered something.
    pub to: u32,
    /// Who is offered.
    pub from: u32,
    /// How far away it is, squared.
    pub distance: f32,
}

/// Takes offers into the lists, in the order they are in and with this mark; rows that change are marked as dirty.
/// Returns for how many points a nearer neighbour came in.
pub fn deliver(hd: &mut Lists, dirty: &mut [bool], offers: &[Vec<Offer>], mark: u32) -> usize {
    let (starts, sorted) = by_receiver(dirty.len(), offers);
    let k = hd.k();
    let (entries, distances) = hd.rows_mut();
    let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k));
    rows.zip(dirty.par_iter_mut())
        .enumerate()
        .with_min_len(256)
        .map(|(point, ((entries, distances), dirty))| {
            let own = &sorted[starts[point] as usize..starts[point + 1] as usize];
            let gained = own.iter().fold(false, |gained, &(from, distance)| {
                gained | lists::insert(entries, distances, from | mark, distance)
            });
            *dirty |= gained;
            usize::from(gained)
        })
        .sum()
}

/// Offers sorted by who receives them, and where those of each point begin.
fn by_receiver(points: usize, offers: &[Vec<Offer>]) -> (Vec<u32>, Vec<(u32, f32)>) {
    let mut starts = vec![0_u32; points + 1];
    offers.iter().flatten().for_each(|offer| starts[offer.to as usize] += 1);
    let mut before = 0;
    for start in &mut starts {
        (*start, before) = (before, before + *start);
    }
    let mut sorted = vec![(0, 0.0); before as usize];
    for offer in offers.iter().flatten() {
        let next = &mut starts[offer.to as usize];
        sorted[*next as usize] = (offer.from, offer.distance);
        *next += 1;
    }
    // Every start has moved on to its end, which is where the next one begins.
    starts.rotate_right(1);
    starts[0] = 0;
    (starts, sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::NEW;

    #[test]
    fn offers_reach_those_they_are_for() {
        let mut hd = Lists::empty(4, 2);
        let mut dirty = vec![false; 4];
        let offer = |to, from, distance| Offer { to, from, distance };
        let offers = [
            vec![offer(3, 0, 5.0), offer(1, 2, 1.0)],
            vec![],
            vec![offer(3, 1, 2.0), offer(3, 2, 3.0), offer(3, 1, 2.0)],
        ];
        assert_eq!(deliver(&mut hd, &mut dirty, &offers, NEW), 2);
        assert_eq!(dirty, [false, true, false, true]);
        assert_eq!(hd.entries(3), [1 | NEW, 2 | NEW], "the nearest, each once");
        assert_eq!(hd.neighbours(1).collect::<Vec<_>>(), [2]);
        assert_eq!(deliver(&mut hd, &mut dirty, &offers, 0), 0, "nothing of that is news any more");
    }
}
