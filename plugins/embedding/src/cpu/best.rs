//! The nearest of all that some rows are held against: what is near enough is kept for a while, and sorted out when there
//! is no more room.

use super::tile::{PANEL, QUERIES, STRIP, STRIPS, Strips};
use pulp::Simd;
use std::ops::Range;

/// The nearest rows met so far of some rows that look around together.
pub struct Best {
    k: usize,
    room: usize,
    /// `[rows][room]` nearness and place of those kept, nearest first once there are [`k`](Self::k).
    kept: Vec<u64>,
    lens: Vec<usize>,
    /// What a row must be nearer than.
    limits: Vec<f32>,
}

impl Best {
    /// Empty lists for `rows` rows of up to `k` neighbours each.
    #[must_use]
    pub fn new(rows: usize, k: usize) -> Self {
        let room = 2 * k + STRIP;
        Self { k, room, kept: vec![0; rows * room], lens: vec![0; rows], limits: vec![f32::NEG_INFINITY; rows] }
    }

    /// As [`new`](Self::new), for rows that know some neighbours already: only what is nearer than a limit is kept.
    #[must_use]
    pub fn beyond(limits: Vec<f32>, k: usize) -> Self {
        let best = Self::new(limits.len(), k);
        Self { limits, ..best }
    }

    /// What a row must be nearer than to be kept.
    #[inline(always)]
    #[must_use]
    pub fn limit(&self, row: usize) -> f32 {
        self.limits[row]
    }

    /// Takes in what of a strip is near enough.
    #[inline(always)]
    pub fn take(&mut self, row: usize, near: &[f32], first_place: u32) {
        let limit = self.limits[row];
        let kept = &mut self.kept[row * self.room..][..self.room];
        let mut len = self.lens[row];
        for (&nearness, place) in near.iter().zip(first_place..) {
            kept[len] = key(nearness, place);
            len += usize::from(nearness > limit);
        }
        if len + STRIP >= self.room {
            kept[..len].select_nth_unstable(self.k - 1);
            len = self.k;
            self.limits[row] = nearness_of(kept[self.k - 1]);
        }
        self.lens[row] = len;
    }

    /// The neighbours kept for a row: the nearest, unordered, at most `k` of them.
    pub fn places(&mut self, row: usize) -> impl Iterator<Item = u32> {
        let kept = &mut self.kept[row * self.room..][..self.lens[row]];
        if kept.len() > self.k {
            kept.select_nth_unstable(self.k - 1);
        }
        kept.iter().take(self.k).map(|&key| key as u32)
    }
}

/// A number that is smaller for the nearer.
#[inline(always)]
pub fn key(nearness: f32, place: u32) -> u64 {
    let bits = nearness.to_bits();
    let ascending = bits ^ (((bits as i32 >> 31) as u32) | 0x8000_0000);
    (u64::from(!ascending) << 32) | u64::from(place)
}

#[inline(always)]
fn nearness_of(key: u64) -> f32 {
    let ascending = !((key >> 32) as u32);
    f32::from_bits(ascending ^ (((!ascending as i32 >> 31) as u32) | 0x8000_0000))
}

/// Holds some rows against strips and keeps the nearest; `who` are the rows of `rows` that look.
#[inline(always)]
pub fn look<S: Simd>(
    simd: S,
    strips: &Strips,
    range: Range<usize>,
    (rows, dims): (&[f32], usize),
    who: &[usize],
    best: &mut Best,
) {
    let mut out = [[0.0; PANEL]; QUERIES];
    // As many strips as the registers can take at once: those stay in the first-level cache for all who look.
    let together = if S::REGISTER_COUNT >= 32 { STRIPS } else { STRIPS / 2 };
    for first in range.clone().step_by(together) {
        let end = range.end.min(first + together);
        for group in who.chunks(QUERIES) {
            let mut held = [&rows[group[0] * dims..][..dims]; QUERIES];
            for (held, &row) in held.iter_mut().zip(group) {
                *held = &rows[row * dims..][..dims];
            }
            let count = strips.tile(simd, held, first, end, &mut out);
            for (near, &row) in out.iter().zip(group) {
                let limit = simd.splat_f32s(best.limits[row]);
                for (at, near) in near[..count * STRIP].as_chunks::<STRIP>().0.iter().enumerate() {
                    let any = S::as_simd_f32s(near).0.iter().fold(
                        false,
                        #[inline(always)]
                        |any, &near| any | (simd.first_true_m32s(simd.greater_than_f32s(near, limit)) < S::F32_LANES),
                    );
                    if any {
                        best.take(row, near, ((first + at) * STRIP) as u32);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{hash, unit};

    #[test]
    fn keys_ascend_as_rows_get_farther() {
        let near = [f32::INFINITY, 3.0, 1.5, 1e-30, 0.0, -1e-30, -2.0, -1e30, f32::NEG_INFINITY];
        let keys: Vec<u64> = near.iter().map(|&near| key(near, 7)).collect();
        assert!(keys.is_sorted() && keys.iter().all(|&key| key as u32 == 7));
        assert!(near.iter().zip(&keys).all(|(&near, &key)| nearness_of(key) == near));
    }

    #[test]
    fn the_best_of_many_strips_are_kept() {
        let (k, strips) = (10, 40);
        let near = |at: usize| unit(hash(3, 0, at as u32, 0)) - 0.5;
        let mut best = Best::new(2, k);
        for strip in 0..strips {
            let values: [f32; STRIP] = std::array::from_fn(|lane| near(strip * STRIP + lane));
            if values.iter().any(|&value| value > best.limits[1]) {
                best.take(1, &values, (strip * STRIP) as u32);
            }
        }
        let mut found: Vec<u32> = best.places(1).collect();
        found.sort_unstable();
        let mut expected: Vec<u32> = (0..(strips * STRIP) as u32).collect();
        expected.sort_by(|&a, &b| near(b as usize).total_cmp(&near(a as usize)));
        let mut wrong = expected[1..=k].to_vec();
        expected.truncate(k);
        expected.sort_unstable();
        wrong.sort_unstable();
        assert!(found == expected && found != wrong);
        assert_eq!(best.places(0).count(), 0, "nobody looked for the other row");
    }
}
