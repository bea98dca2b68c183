//! Follow: keeps the lists of neighbours in the embedding up to date while points move. Every iteration, every point
//! tries a few candidates: neighbours of a neighbour in the embedding, and neighbours in the data (the other half of
//! the feedback). Reads the lists, writes none: [`apply`] changes them
//! when all points are done.

use super::lanes;
use super::repel::MAX_LD;
use crate::affinities::Affinities;
use crate::lists::EMPTY;
use crate::random::{below, hash};
use pulp::Simd;
use rayon::prelude::*;

/// Candidates tried in every iteration.
pub const CANDIDATES: usize = 8;
/// First draw of the random numbers of this stage (other stages use other draws).
pub const DRAW: u32 = 16;

/// What follow reads besides positions.
#[derive(Clone, Copy)]
pub struct Present<'a> {
    /// `[points][length]` neighbours in the embedding.
    pub ld: &'a [u32],
    /// Length of a row of `ld`.
    pub length: usize,
    /// Neighbours in the data.
    pub affinities: &'a Affinities,
    /// Seed of the random choices.
    pub seed: u32,
    /// Present iteration.
    pub iteration: u32,
}

impl Present<'_> {
    /// Neighbours of one point in the embedding.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, point: u32) -> &[u32] {
        &self.ld[point as usize * self.length..][..self.length]
    }

    /// Eight candidates: six in a row of a neighbour's list, two of the point's affinities. The neighbour is one in
    /// the embedding and one in the data in turn.
    #[inline(always)]
    #[must_use]
    pub fn candidates(&self, point: u32) -> [u32; CANDIDATES] {
        let random = hash(self.seed, self.iteration, point, DRAW);
        let pick = |list: &[u32], random: u32| list[below(random, list.len() as u32) as usize];
        let row = self.row(point);
        let affine = self.affinities.row(point as usize).0;
        let affine = if affine.is_empty() { row } else { affine };
        let friend = pick(if self.iteration.is_multiple_of(2) { row } else { affine }, random);
        let mut candidates = [point; CANDIDATES];
        let (friends, mut at) = (self.row(friend), below(random.rotate_left(8), self.length as u32) as usize);
        for candidate in &mut candidates[..6] {
            *candidate = friends[at];
            at = if at + 1 == friends.len() { 0 } else { at + 1 };
        }
        candidates[6] = friend;
        candidates[7] = pick(affine, random.rotate_left(16));
        candidates
    }
}

/// A change of one point's list: at most one in an iteration, made by its owner when all points have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// Where in the list.
    pub place: u32,
    /// Who comes in.
    pub neighbour: u32,
}

impl Swap {
    /// No change: the neighbour is nobody.
    pub const NONE: Self = Self { place: 0, neighbour: EMPTY };
}

/// The nearest of the candidates that is nearer than the farthest of the list and not in it, if there is one.
#[inline(always)]
pub fn follow<S: Simd, const D: usize>(
    simd: S,
    positions: &[[f32; D]],
    row: &[u32],
    point: u32,
    squared: &[f32; MAX_LD],
    radius: f32,
    candidates: &[u32; CANDIDATES],
) -> Swap {
    let own = lanes::splat(simd, positions[point as usize]);
    let mut distances = [f32::INFINITY; CANDIDATES];
    for at in (0..CANDIDATES).step_by(S::F32_LANES) {
        let there = lanes::gather(simd, positions, &candidates[at..]);
        let (_, candidate) = lanes::difference(simd, &own, &there);
        lanes::store::<S>(&mut distances[at..], candidate);
    }
    choose(simd, row, point, squared, radius, candidates, &distances)
}

/// Chooses among candidates whose distances are known.
#[inline(always)]
pub fn choose<S: Simd>(
    simd: S,
    row: &[u32],
    point: u32,
    squared: &[f32; MAX_LD],
    radius: f32,
    candidates: &[u32; CANDIDATES],
    distances: &[f32; CANDIDATES],
) -> Swap {
    let mut swap = Swap::NONE;
    let mut nearest = radius;
    for (&candidate, &distance) in candidates.iter().zip(distances) {
        if distance < nearest && candidate != point && !row.contains(&candidate) {
            swap.neighbour = candidate;
            nearest = distance;
        }
    }
    if swap != Swap::NONE {
        let farthest = simd.splat_f32s(radius);
        let lists = S::as_simd_f32s(&squared[..row.len().next_multiple_of(S::F32_LANES)]).0;
        for (at, &distances) in lists.iter().enumerate() {
            let lane = simd.first_true_m32s(simd.equal_f32s(distances, farthest));
            if lane < S::F32_LANES {
                swap.place = (at * S::F32_LANES + lane) as u32;
            }
        }
    }
    swap
}

/// Makes the changes.
pub fn apply(swaps: &[Swap], length: usize, ld: &mut [u32]) {
    ld.par_chunks_mut(length).zip(swaps).with_min_len(4096).for_each(|(row, swap)| {
        if *swap != Swap::NONE {
            row[swap.place as usize] = swap.neighbour;
        }
    });
}
