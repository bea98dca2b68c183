//! Integrate: moves every point by its momentum and one gradient step.

use rayon::prelude::*;

/// Longest move of a point in one iteration, so that a kick from a bad sample stays a kick.
pub const MAX_MOVE: f32 = 5.0;
/// Rows per task.
const BLOCK: usize = 4096;

/// How forces become moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Factor on the pull: attraction times exaggeration.
    pub attraction: f32,
    /// Factor on the push: repulsion times N/Z.
    pub repulsion: f32,
    /// Length of the step.
    pub step: f32,
    /// Share of the last move that is kept.
    pub momentum: f32,
}

/// Points that are held where they are.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// Which; empty while none is.
    pub pinned: &'a [bool],
    /// The share of a move that is left to them: none keeps them exactly in place.
    pub give: f32,
}

impl Held<'_> {
    /// Nobody is held.
    pub const NOBODY: Self = Held { pinned: &[], give: 1.0 };
}

/// Moves all points, by pull and push. Rows of all four slices are `stride` long. A point whose move is not finite stays where it is, at
/// rest, so that it cannot spread; the first such point is returned.
pub fn integrate(
    motion: Motion,
    held: Held<'_>,
    stride: usize,
    (pull, push): (&[f32], &[f32]),
    velocity: &mut [f32],
    positions: &mut [f32],
) -> Option<u32> {
    let chunk = BLOCK * stride;
    let rows = positions.par_chunks_mut(chunk).zip(velocity.par_chunks_mut(chunk));
    let blocks = rows.zip(pull.par_chunks(chunk).zip(push.par_chunks(chunk))).enumerate();
    blocks
        .filter_map(|(block, ((positions, velocity), (pull, push)))| {
            for (velocity, (pull, push)) in velocity.iter_mut().zip(pull.iter().zip(push)) {
                let gradient = 4.0 * (motion.attraction * pull - motion.repulsion * push);
                *velocity = motion.momentum * *velocity - motion.step * gradient;
            }
            let rows = positions.chunks_exact_mut(stride).zip(velocity.chunks_exact_mut(stride));
            let stopped = rows.enumerate().filter_map(|(row, (position, velocity))| {
                if held.pinned.get(block * BLOCK + row) == Some(&true) {
                    velocity.iter_mut().for_each(|value| *value *= held.give);
                }
                (!advance(position, velocity)).then_some((block * BLOCK + row) as u32)
            });
            stopped.fold(None, |first: Option<u32>, point| first.or(Some(point)))
        })
        .min()
}

/// Moves one point; false if it could not be moved.
fn advance(position: &mut [f32], velocity: &mut [f32]) -> bool {
    let length = velocity.iter().map(|v| v * v).sum::<f32>().sqrt();
    if !length.is_finite() {
        velocity.fill(0.0);
        return false;
    }
    let cut = if length > MAX_MOVE { MAX_MOVE / length } else { 1.0 };
    for (position, velocity) in position.iter_mut().zip(velocity) {
        *velocity *= cut;
        *position += *velocity;
    }
    true
}
