//! The gradient descent: positions, momentum, and lists of neighbours in the embedding.

use crate::affinities::Affinities;
use crate::cpu::decide::Pace;
use crate::cpu::far::Far;
use crate::cpu::follow::{Present, Swap, apply};
use crate::cpu::forces::{Out, Scene, forces, position_stride};
use crate::cpu::forget::forget_ld;
use crate::cpu::integrate::{Held, Motion, integrate};
use crate::cpu::lanes::Tail;
use crate::lists::Lists;
use crate::random::{hash, normal};
use crate::settings::Settings;
use crate::squeeze::Squeeze;
use crate::start;
use rayon::prelude::*;

/// Smallest size that scaling can give an embedding.
pub const SMALLEST_SIZE: f32 = 1e-6;
/// Largest size that scaling can give an embedding.
pub const LARGEST_SIZE: f32 = 1e6;
/// Noise that opens a new axis, as a share of the size of the embedding.
pub const NOISE: f32 = 0.01;
/// Neighbours in the data whose neighbours in the embedding a new point gets to know.
pub const FRIENDS: usize = 3;
/// Points that are summed up together.
const CHUNK: usize = 4096;
/// "Iteration" of the random numbers of that noise.
pub const OPENING: u32 = u32::MAX - 1;

/// Everything that moves.
#[derive(Debug)]
pub struct Descent {
    /// `[points][stride]` positions.
    pub positions: Vec<f32>,
    /// Normaliser of the similarities at the last iteration.
    pub z: f64,
    /// The first point that was found to be not finite and put to rest, if any ever was.
    pub quarantined: Option<u32>,
    dims: usize,
    /// Axes that are leaving.
    squeeze: Option<Squeeze>,
    velocity: Vec<f32>,
    pull: Vec<f32>,
    push: Vec<f32>,
    ld: Vec<u32>,
    ld_length: usize,
    swaps: Vec<Swap>,
    /// Points that are held where they are; empty while none is.
    pinned: Vec<bool>,
    seed: u32,
}

impl Descent {
    /// Starts at the given positions, with the given lists of neighbours in the embedding.
    pub fn new(positions: Vec<f32>, ld: Vec<u32>, settings: &Settings, seed: u32) -> Self {
        let points = positions.len() / position_stride(settings.dims);
        let ld_length = settings.ld_list_length(points);
        let still = vec![0.0; positions.len()];
        Self {
            dims: settings.dims,
            squeeze: None,
            velocity: still.clone(),
            pull: still.clone(),
            push: still,
            ld,
            positions,
            z: 1.0,
            quarantined: None,
            ld_length,
            swaps: vec![Swap::NONE; points],
            pinned: Vec::new(),
            seed,
        }
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.swaps.len()
    }

    /// Dimensions of a position: more than are wanted while axes are leaving.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// `[points][length]` neighbours in the embedding, and the length.
    pub fn ld(&self) -> (&[u32], usize) {
        (&self.ld, self.ld_length)
    }

    /// Makes room for so many points.
    pub fn grow(&mut self, points: usize) {
        let stride = position_stride(self.dims);
        for values in [&mut self.positions, &mut self.velocity, &mut self.pull, &mut self.push] {
            values.resize(points * stride, 0.0);
        }
        self.ld.resize(points * self.ld_length, 0);
        self.swaps.resize(points, Swap::NONE);
    }

    /// Puts a point to a place, at rest and free. Its neighbours there are sought among those who are near in the data,
    /// and their neighbours in the embedding.
    pub fn put(&mut self, point: u32, position: &[f32], near: &[u32], alive: &[bool], random: impl Fn(u32) -> u32) {
        let (stride, length, at) = (position_stride(self.dims), self.ld_length, point as usize);
        self.rest(point);
        self.positions[at * stride..][..position.len()].copy_from_slice(position);
        let squared = |other: u32| -> f32 {
            let there = &self.positions[other as usize * stride..][..position.len()];
            there.iter().zip(position).map(|(a, b)| (a - b).powi(2)).sum()
        };
        let friends = near.iter().take(FRIENDS).filter(|&&friend| alive[friend as usize]);
        let theirs = friends.flat_map(|&friend| &self.ld[friend as usize * length..][..length]);
        let mut known: Vec<u32> = near.iter().chain(theirs).copied().collect();
        known.sort_unstable();
        known.dedup();
        known.sort_by_cached_key(|&other| squared(other).to_bits()); // bits of what is not negative ascend with it
        start::fill(&mut self.ld[at * length..][..length], 0, known.into_iter(), at, alive, random);
    }

    /// Brings a point to rest in the middle, free to move.
    pub fn rest(&mut self, point: u32) {
        let stride = position_stride(self.dims);
        let row = point as usize * stride..(point as usize + 1) * stride;
        self.velocity[row.clone()].fill(0.0);
        self.positions[row].fill(0.0);
        if let Some(pinned) = self.pinned.get_mut(point as usize) {
            *pinned = false;
        }
    }

    /// Takes points that are gone out of the lists of neighbours in the embedding.
    pub fn forget(&mut self, touched: &[u8], alive: &[bool], hd: &Lists, random: impl Fn(u32, u32) -> u32 + Sync) {
        forget_ld(touched, alive, hd, self.ld_length, &mut self.ld, random);
    }

    /// Holds points where they are, or lets them go.
    pub fn pin(&mut self, points: impl Iterator<Item = u32>, pinned: bool) {
        self.pinned.resize(self.points(), false);
        points.for_each(|point| self.pinned[point as usize] = pinned);
        if !self.pinned.contains(&true) {
            self.pinned = Vec::new();
        }
    }

    /// True if a point is held.
    pub fn is_pinned(&self, point: u32) -> bool {
        self.pinned.get(point as usize) == Some(&true)
    }

    /// Computes the forces of one iteration; [`integrate`](Self::integrate) follows them.
    pub fn forces(&mut self, affinities: &Affinities, alive: &[bool], settings: &Settings, iteration: u32) {
        let scene = Scene {
            positions: &self.positions,
            dims: self.dims,
            alive,
            present: Present { ld: &self.ld, length: self.ld_length, affinities, seed: self.seed, iteration },
            tail: Tail { alpha: settings.alpha },
            far_stride: Far::stride_for(self.points(), settings.far_samples),
        };
        self.z = forces(scene, Out { pull: &mut self.pull, push: &mut self.push, swaps: &mut self.swaps });
        apply(&self.swaps, self.ld_length, &mut self.ld);
    }

    /// Moves all points by the forces last computed; so many live.
    pub fn integrate(&mut self, living: usize, settings: &Settings, pace: Pace) {
        let per_weight = (living as f64 / self.z.max(f64::MIN_POSITIVE)) as f32;
        let motion = Motion {
            attraction: settings.attraction * pace.exaggeration,
            repulsion: settings.repulsion * per_weight,
            step: settings.step * pace.annealed / pace.exaggeration,
            momentum: pace.momentum,
        };
        let stride = position_stride(self.dims);
        let held = Held { pinned: &self.pinned, give: 1.0 - settings.stiffness };
        let forces = (self.pull.as_slice(), self.push.as_slice());
        let stopped = integrate(motion, held, stride, forces, &mut self.velocity, &mut self.positions);
        self.quarantined = self.quarantined.or(stopped);
    }

    /// Scales all positions, as far as their size stays within what single precision can undo and move on from;
    /// whatever moved comes to rest. Points that are held firmly stay.
    pub fn scale(&mut self, factor: f32, alive: &[bool], stiffness: f32) {
        let size = self.size(alive);
        let factor = if size > 0.0 { (size * factor).clamp(SMALLEST_SIZE, LARGEST_SIZE) / size } else { 1.0 };
        let stride = position_stride(self.dims);
        for (point, position) in (0..).zip(self.positions.chunks_exact_mut(stride)) {
            if stiffness < 1.0 || self.pinned.get(point) != Some(&true) {
                position.iter_mut().for_each(|value| *value *= factor);
            }
        }
        self.velocity.fill(0.0);
    }

    /// Puts all points to new positions in the dimensions of the settings, at rest. Points that are held firmly stay.
    pub fn restart(&mut self, mut positions: Vec<f32>, alive: &[bool], settings: &Settings) {
        let dims = settings.dims;
        let (old, new, kept) = (position_stride(self.dims), position_stride(dims), dims.min(self.dims));
        for point in (0..self.points()).filter(|&point| settings.stiffness == 1.0 && self.is_pinned(point as u32)) {
            positions[point * new..][..kept].copy_from_slice(&self.positions[point * old..][..kept]);
        }
        self.ld = start::ld_lists(&positions, dims, self.ld_length, alive, self.seed);
        let still = vec![0.0; positions.len()];
        (self.velocity, self.pull, self.push) = (still.clone(), still.clone(), still);
        (self.positions, self.dims, self.squeeze) = (positions, dims, None);
        self.quarantined = None;
    }

    /// Goes on in another number of dimensions: axes that come are opened at once, those that leave are squeezed out
    /// with the steps to come.
    pub fn set_dims(&mut self, dims: usize, alive: &[bool]) {
        self.squeeze = Squeeze::towards(dims, self.dims, self.squeeze);
        if dims > self.dims {
            self.reshape(dims, alive);
        }
    }

    /// One step of squeezing out what leaves; what is squeezed out is dropped. False if nothing leaves.
    pub fn squeeze(&mut self, alive: &[bool]) -> bool {
        let Some(squeeze) = &mut self.squeeze else { return false };
        let (kept, factor) = (squeeze.dims, squeeze.factor());
        squeeze.done += 1;
        let done = squeeze.is_done();
        let stride = position_stride(self.dims);
        for values in [&mut self.positions, &mut self.velocity] {
            let leaving = values.chunks_exact_mut(stride).flat_map(|row| &mut row[kept..]);
            leaving.for_each(|value| *value *= factor);
        }
        if done {
            self.squeeze = None;
            self.reshape(kept, alive);
        }
        true
    }

    /// The positions in another number of dimensions: axes that leave are dropped, axes that come are opened with noise
    /// of a hundredth of the embedding's size.
    pub fn reshape(&mut self, dims: usize, alive: &[bool]) {
        let (old_stride, stride) = (position_stride(self.dims), position_stride(dims));
        let kept = dims.min(self.dims);
        let noise = NOISE * self.size(alive);
        let mut positions = vec![0.0; self.points() * stride];
        let mut velocity = positions.clone();
        for point in 0..self.points() {
            let (old, new) = (point * old_stride, point * stride);
            positions[new..][..kept].copy_from_slice(&self.positions[old..][..kept]);
            velocity[new..][..kept].copy_from_slice(&self.velocity[old..][..kept]);
            for axis in kept..dims {
                let random = |draw| hash(self.seed, OPENING, point as u32, 2 * axis as u32 + draw);
                positions[new + axis] = noise * normal(random(0), random(1));
            }
        }
        self.pull = vec![0.0; positions.len()];
        self.push = vec![0.0; positions.len()];
        (self.positions, self.velocity, self.dims) = (positions, velocity, dims);
    }

    /// Makes the lists of neighbours in the embedding longer or shorter.
    pub fn set_ld_length(&mut self, length: usize, hd: &Lists, alive: &[bool]) {
        self.ld = start::resized_ld_lists(&self.ld, self.ld_length, hd, length, alive, self.seed);
        self.ld_length = length;
    }

    /// Root mean square distance of those who live from their centre.
    pub fn size(&self, alive: &[bool]) -> f32 {
        let stride = position_stride(self.dims);
        // Sums of chunks, added in their order: the same for any number of threads.
        let sum = |value: &(dyn Fn(&[f32]) -> f64 + Sync)| -> f64 {
            let chunks = self.positions.par_chunks(stride * CHUNK).zip(alive.par_chunks(CHUNK));
            let sums: Vec<f64> = chunks
                .map(|(positions, alive)| {
                    let living = positions.chunks_exact(stride).zip(alive).filter(|(_, alive)| **alive);
                    living.map(|(position, _)| value(position)).sum()
                })
                .collect();
            sums.iter().sum()
        };
        let points = sum(&|_| 1.0);
        let mean: Vec<f64> = (0..self.dims).map(|axis| sum(&|position| f64::from(position[axis])) / points).collect();
        let from_centre =
            |position: &[f32]| position.iter().zip(&mean).map(|(value, mean)| (f64::from(*value) - mean).powi(2)).sum();
        (sum(&from_centre) / points).sqrt() as f32
    }
}
