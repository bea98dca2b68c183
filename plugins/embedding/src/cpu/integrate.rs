//! Integrate: moves every point by its momentum and one gradient step.

use super::forces::Stiffness;
use rayon::prelude::*;

/// Longest move of a point in one iteration, in units of the kernel's length √α.
pub const MAX_MOVE: f32 = 5.0;
/// A step is at most this share of the longest that is stable. Were all others held, a step of one over the stiffness
/// would bring a point to rest; as neighbours move against each other it may take twice as much, and momentum μ bears
/// steps of up to 2·(1 + μ): so the limit is 1 + μ over the stiffness, whatever the strength of pull and push.
pub const STEP_LIMIT: f32 = 0.92;
/// Z is at least this for each point: where all weights are as good as none, nobody pushes.
pub const LEAST_WEIGHT: f32 = 1e-30;
/// Where repulsion exceeds attraction, points part until hardly any weight is left, and what is left of Z pushes the few
/// who still meet: under light tails nothing then holds neighbours together. So Z pushes as if it were no less than this
/// for each point and √N, times the share of the repulsion that attraction does not balance. Maps whose forces are in
/// balance have about 0.18 (d = 2) and 0.09 (d = 3), and are left alone. Digits, 5 620 rows, d = 2, AUC with and without
/// at α = 3, repulsion 3: 0.50, 0.01; α = 1, repulsion 3: 0.54, 0.49; α = 1, repulsion 10: 0.51, 0.33.
pub const THINNEST: f32 = 0.12;
/// Rows per task.
const BLOCK: usize = 4096;

/// How forces become moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Factor on the pull: attraction times exaggeration.
    pub attraction: f32,
    /// Factor on the push: repulsion times N/Z.
    pub repulsion: f32,
    /// Length of the step, where forces are not too stiff for it.
    pub step: f32,
    /// Share of every step that is left while the embedding settles.
    pub annealed: f32,
    /// How firmly points are drawn to their anchors: 1 is about as firmly as neighbours hold each other.
    pub spring: f32,
    /// Share of the last move that is kept.
    pub momentum: f32,
    /// Longest move.
    pub longest: f32,
    /// Factor on all positions.
    pub shrink: f32,
}

impl Motion {
    /// The step of a point whose forces are this stiff.
    #[inline(always)]
    fn step_of(&self, stiffness: Stiffness) -> f32 {
        let rate = 4.0 * (self.attraction * stiffness[0] + self.repulsion * stiffness[1].max(0.0) + self.spring);
        let limit = STEP_LIMIT * (1.0 + self.momentum);
        self.annealed * if self.step * rate > limit { limit / rate } else { self.step }
    }
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

/// The forces that act on points.
#[derive(Debug, Clone, Copy)]
pub struct Acting<'a> {
    /// Σ p·u·(yᵢ − yⱼ)
    pub pull: &'a [f32],
    /// Σ w·u·(yᵢ − yⱼ)
    pub push: &'a [f32],
    /// Σ p·u and Σ w·u.
    pub stiffness: &'a [Stiffness],
    /// Where the spring draws points to, laid out as they are; empty without a spring.
    pub anchors: &'a [f32],
}

/// How far the middle of the embedding may be from the origin after an iteration, as a share of what it was: pulled back
/// gently, as it also moves when points come and go.
pub const RECENTRE: f32 = 0.01;
/// Where repulsion exceeds attraction an embedding has no resting size. It is kept within this many kernel lengths √α
/// for each √N, far beyond any size at which the two are in balance …
pub const LARGEST: f32 = 5.0;
/// … by this share of the excess in every iteration.
pub const GOVERN: f32 = 0.05;

/// The factor that keeps an embedding of this size (root mean square distance from its centre) within bounds, if this
/// share of the excess goes.
#[must_use]
pub fn shrink(size: f32, points: usize, alpha: f32, share: f32) -> f32 {
    let largest = LARGEST * (alpha * points as f32).sqrt();
    if size > largest { 1.0 - share * (1.0 - largest / size) } else { 1.0 }
}

/// N/Z for `points` points, where Z is no less than what a map needs to hold together under this balance of the forces.
#[must_use]
pub fn per_weight(points: usize, z: f64, attraction: f32, repulsion: f32) -> f32 {
    let excess = (1.0 - attraction / repulsion.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    let least = (THINNEST * excess * (points as f32).sqrt()).max(LEAST_WEIGHT);
    let points = points as f64;
    (points / z.max(f64::from(least) * points)) as f32
}

/// Moves all points, by pull and push, less the `drift` of the whole. Rows of positions, forces and velocities are
/// `stride` long. A point whose move is not finite stays where it is, at rest, so that it cannot spread; the first such
/// point is returned.
pub fn integrate(
    motion: Motion,
    held: Held<'_>,
    stride: usize,
    Acting { pull, push, stiffness, anchors }: Acting<'_>,
    drift: &[f32],
    velocity: &mut [f32],
    positions: &mut [f32],
) -> Option<u32> {
    let chunk = BLOCK * stride;
    let rows = positions.par_chunks_mut(chunk).zip(velocity.par_chunks_mut(chunk));
    let forces = pull.par_chunks(chunk).zip(push.par_chunks(chunk)).zip(stiffness.par_chunks(BLOCK));
    let blocks = rows.zip(forces).enumerate();
    blocks
        .filter_map(|(block, ((positions, velocity), ((pull, push), stiffness)))| {
            let anchors = anchors.get(block * chunk..).unwrap_or_default();
            let block = Block {
                pinned: held.pinned.get(block * BLOCK..).unwrap_or_default(),
                forces: Acting { pull, push, stiffness, anchors },
                drift,
                velocity,
                positions,
                first: (block * BLOCK) as u32,
            };
            // Strides that the compiler knows of make loops without branches.
            match stride {
                2 => block.advance(motion, held.give, 2),
                4 => block.advance(motion, held.give, 4),
                stride => block.advance(motion, held.give, stride),
            }
        })
        .min()
}

/// Points that are moved together.
struct Block<'a> {
    pinned: &'a [bool],
    forces: Acting<'a>,
    drift: &'a [f32],
    velocity: &'a mut [f32],
    positions: &'a mut [f32],
    /// The number of the first of them.
    first: u32,
}

impl Block<'_> {
    /// Moves them; returns the first that could not be moved.
    #[inline(always)]
    fn advance(self, motion: Motion, give: f32, stride: usize) -> Option<u32> {
        let Self { pinned, forces: Acting { pull, push, stiffness, anchors }, drift, velocity, positions, first } =
            self;
        let forces = pull.chunks_exact(stride).zip(push.chunks_exact(stride)).zip(stiffness);
        for (velocity, ((pull, push), stiffness)) in velocity.chunks_exact_mut(stride).zip(forces) {
            let step = motion.step_of(*stiffness);
            for (velocity, (pull, push)) in velocity.iter_mut().zip(pull.iter().zip(push)) {
                let gradient = 4.0 * (motion.attraction * pull - motion.repulsion * push);
                *velocity = motion.momentum * *velocity - step * gradient;
            }
        }
        if motion.spring > 0.0 {
            let places = positions.chunks_exact(stride).zip(anchors.chunks_exact(stride));
            let rows = velocity.chunks_exact_mut(stride).zip(places).zip(stiffness);
            for ((velocity, (position, anchor)), stiffness) in rows {
                let pull = 4.0 * motion.spring * motion.step_of(*stiffness);
                for (velocity, (position, anchor)) in velocity.iter_mut().zip(position.iter().zip(anchor)) {
                    *velocity -= pull * (position - anchor);
                }
            }
        }
        let mut stopped = None;
        let rows = positions.chunks_exact_mut(stride).zip(velocity.chunks_exact_mut(stride));
        for (row, (position, velocity)) in rows.enumerate() {
            if pinned.get(row) == Some(&true) {
                velocity.iter_mut().for_each(|value| *value *= give);
            } else {
                let places = position.iter_mut().zip(drift);
                places.for_each(|(value, drift)| *value = motion.shrink * (*value - drift));
            }
            if !advance(position, velocity, motion.longest) {
                stopped = stopped.or(Some(first + row as u32));
            }
        }
        stopped
    }
}

/// Moves one point; false if it could not be moved.
#[inline(always)]
fn advance(position: &mut [f32], velocity: &mut [f32], longest: f32) -> bool {
    let length = velocity.iter().map(|v| v * v).sum::<f32>().sqrt();
    if !length.is_finite() {
        velocity.fill(0.0);
        return false;
    }
    let cut = if length > longest { longest / length } else { 1.0 };
    for (position, velocity) in position.iter_mut().zip(velocity) {
        *velocity *= cut;
        *position += *velocity;
    }
    true
}
