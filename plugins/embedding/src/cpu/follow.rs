//! Follow: keeps the lists of neighbours in the embedding up to date while points move. Every iteration, every point
//! tries a few candidates: neighbours of a neighbour in the embedding, and neighbours in the data (the other half of
//! the feedback). Reads the lists, writes none: [`apply`] changes them
//! when all points are done.

use super::lanes::{self, MAX_LANES};
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

    /// Eight candidates: five in a row of a neighbour's list, that neighbour, one of the point's affinities, and anybody:
    /// a point that moves in from elsewhere is met only by chance. The neighbour is one in the embedding and one in the data
    /// in turn.
    #[inline(always)]
    #[must_use]
    pub fn candidates(&self, point: u32, alive: &[bool]) -> [u32; CANDIDATES] {
        let random = hash(self.seed, self.iteration, point, DRAW);
        let pick = |list: &[u32], random: u32| list[below(random, list.len() as u32) as usize];
        let row = self.row(point);
        let affine = self.affinities.row(point as usize).0;
        let affine = if affine.is_empty() { row } else { affine };
        let friend = pick(if self.iteration.is_multiple_of(2) { row } else { affine }, random);
        let mut candidates = [point; CANDIDATES];
        let (friends, mut at) = (self.row(friend), below(random.rotate_left(8), self.length as u32) as usize);
        for candidate in &mut candidates[..5] {
            *candidate = friends[at];
            at = if at + 1 == friends.len() { 0 } else { at + 1 };
        }
        candidates[5] = friend;
        candidates[6] = pick(affine, random.rotate_left(16));
        let anybody = below(hash(self.seed, self.iteration, point, DRAW + 1), alive.len() as u32);
        candidates[7] = if alive[anybody as usize] { anybody } else { point };
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
    // The widest registers hold more than there are candidates: the point itself fills them up.
    let (mut points, mut distances) = ([point; MAX_LANES], [f32::INFINITY; MAX_LANES]);
    points[..CANDIDATES].copy_from_slice(candidates);
    for at in (0..CANDIDATES).step_by(S::F32_LANES) {
        let there = lanes::gather(simd, positions, &points[at..]);
        let (_, candidate) = lanes::difference(simd, &own, &there);
        lanes::store::<S>(&mut distances[at..], candidate);
    }
    let (distances, _) = distances.split_first_chunk().expect("a register holds all candidates");
    choose(row, point, squared, radius, candidates, distances)
}

/// Chooses among candidates whose distances are known.
#[inline(always)]
pub fn choose(
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
        // One by one: pulp 0.22 counts the lanes of 512-bit masks from the wrong end (`first_true_m32s`).
        let farthest = squared[..row.len()].iter().position(|&distance| distance == radius);
        swap.place = farthest.unwrap_or(0) as u32; // there always is one
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
