//! Mutual looks: a pair that is compared serves both rows. Who looks keeps what is near; who is looked at is offered the
//! looker, if that is nearer than what it knows.

use super::best::Best;
use super::tile::{Frame, PANEL, QUERIES, STRIP, STRIPS, Strips};
use crate::lists::{EMPTY, Lists};
use pulp::Simd;
use std::ops::Range;

/// What nearness each row of some strips wants to hear of, half the squared length of the row that looks taken off. Places
/// that hold no row hear of nobody, nor do rows with room left in their lists: they would hear of everybody.
#[must_use]
pub fn limits(strips: &Strips, frame: &Frame, hd: &Lists) -> Vec<[f32; STRIP]> {
    let limit = |point: u32| {
        let worst = if point == EMPTY { f32::INFINITY } else { hd.worst(point as usize) };
        if worst.is_finite() { frame.limit(worst) } else { f32::INFINITY }
    };
    strips.points.iter().map(|points| points.map(limit)).collect()
}

/// Rows that look around together, and whom they have come across.
pub struct Lookers<'a> {
    /// `[rows][dims]` their values.
    pub rows: &'a [f32],
    /// Values of a row.
    pub dims: usize,
    /// `[rows]` half their squared lengths, where lengths count.
    pub halves: &'a [f32],
    /// What they keep.
    pub best: &'a mut Best,
    /// Row and place of pairs that the one in the place wants to hear of.
    pub offers: &'a mut Vec<(u32, u32)>,
}

/// Holds some rows, `who` of those that look, against strips whose own rows want to hear of what is nearer than `limits`.
#[inline(always)]
pub fn look_mutually<S: Simd>(
    simd: S,
    strips: &Strips,
    limits: &[[f32; STRIP]],
    range: Range<usize>,
    lookers: &mut Lookers<'_>,
    who: &[usize],
) {
    let Lookers { rows, dims, halves, best, offers } = lookers;
    let mut out = [[0.0; PANEL]; QUERIES];
    let together = if S::REGISTER_COUNT >= 32 { STRIPS } else { STRIPS / 2 };
    for first in range.clone().step_by(together) {
        let end = range.end.min(first + together);
        for group in who.chunks(QUERIES) {
            let mut held = [&rows[group[0] * *dims..][..*dims]; QUERIES];
            for (held, &row) in held.iter_mut().zip(group) {
                *held = &rows[row * *dims..][..*dims];
            }
            let count = strips.tile(simd, held, first, end, &mut out);
            for (near, &row) in out.iter().zip(group) {
                let (limit, half) = (simd.splat_f32s(best.limit(row)), simd.splat_f32s(halves[row]));
                let near = near[..count * STRIP].as_chunks::<STRIP>().0;
                for ((near, theirs), strip) in near.iter().zip(&limits[first..]).zip(first..) {
                    let any = S::as_simd_f32s(near).0.iter().zip(S::as_simd_f32s(theirs).0).fold(
                        false,
                        #[inline(always)]
                        |any, (&near, &theirs)| {
                            let limit = simd.min_f32s(limit, simd.add_f32s(half, theirs));
                            any | (simd.first_true_m32s(simd.greater_than_f32s(near, limit)) < S::F32_LANES)
                        },
                    );
                    if any {
                        let place = (strip * STRIP) as u32;
                        best.take(row, near, place);
                        offer(near, theirs, halves[row], (row as u32, place), offers);
                    }
                }
            }
        }
    }
}

/// Notes which rows of a strip want to hear of the one that looks at them.
#[inline(always)]
fn offer(
    near: &[f32; STRIP],
    theirs: &[f32; STRIP],
    half: f32,
    (row, first_place): (u32, u32),
    offers: &mut Vec<(u32, u32)>,
) {
    let mut wanting = [0; STRIP];
    let mut len = 0;
    for ((&near, &theirs), place) in near.iter().zip(theirs).zip(first_place..) {
        wanting[len % STRIP] = place;
        len += usize::from(near > half + theirs);
    }
    offers.extend(wanting[..len].iter().map(|&place| (row, place)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::insert;
    use pulp::{Arch, WithSimd};
    use vectors::{Metric, Space, Vectors};

    struct Look<'a>(&'a Strips, &'a [[f32; STRIP]], Lookers<'a>);
    impl WithSimd for Look<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(mut self, simd: S) {
            look_mutually(simd, self.0, self.1, 0..self.0.len(), &mut self.2, &[0, 1, 2, 4, 5, 6, 7]);
        }
    }

    #[test]
    fn who_is_looked_at_hears_of_whoever_is_nearer_than_it_knows() {
        const DIMS: usize = 5;
        for metric in [Metric::Euclidean, Metric::Cosine] {
            let values: Vec<f32> = (0..40 * DIMS).map(|i| ((i * i) as f32 * 0.37).sin() + 0.25).collect();
            let space = Space::new(Vectors::from_rows(&values, DIMS), metric);
            let frame = Frame::of(&space);
            let points = (0..3).map(|strip: u32| std::array::from_fn(|lane| strip * 16 + lane as u32));
            let known = |point: u32| if point < 40 { point } else { EMPTY };
            let strips =
                Strips::of(points.map(|points: [u32; STRIP]| points.map(known)).collect(), &frame, |point, row| {
                    frame.put(&space, point as usize, row);
                });
            // Everyone knows one other, but for the last, whose list has room.
            let mut hd = Lists::empty(40, 1);
            for point in 0..39 {
                let (entries, distances) = hd.row_mut(point);
                insert(entries, distances, 39, space.squared_distance(point, 39));
            }
            let mut rows = vec![0.0; 8 * DIMS];
            rows.chunks_exact_mut(DIMS).enumerate().for_each(|(row, values)| frame.put(&space, row, values));
            let halves: Vec<f32> = rows.chunks_exact(DIMS).map(|row| frame.half(row)).collect();
            let (mut best, mut offers) = (Best::new(8, 3), Vec::new());
            let lookers = Lookers { rows: &rows, dims: DIMS, halves: &halves, best: &mut best, offers: &mut offers };
            Arch::new().dispatch(Look(&strips, &limits(&strips, &frame, &hd), lookers));
            offers.sort_unstable();
            let near = |&(row, place): &(u32, u32)| {
                space.squared_distance(row as usize, place as usize) < hd.worst(place as usize)
            };
            let pairs = [0, 1, 2, 4, 5, 6, 7].iter().flat_map(|&row| (0..39).map(move |place| (row, place)));
            let expected: Vec<(u32, u32)> = pairs.filter(near).collect();
            assert_eq!(offers, expected, "{metric}");
            assert!(expected.len() > 20 && expected.len() < 7 * 38, "{metric}: {} pairs tell little", expected.len());
            assert_eq!(best.places(3).count(), 0, "nobody looked for row 3");
            assert_eq!(best.places(4).count(), 3, "who looks keeps the nearest");
        }
    }
}
