//! The gradient descent: positions, momentum, and lists of neighbours in the embedding.

use crate::cpu::decide::Pace;
use crate::cpu::far::Far;
use crate::cpu::follow::{Present, Swap, apply};
use crate::cpu::forces::{Out, Scene, forces, position_stride};
use crate::cpu::integrate::{Motion, integrate};
use crate::cpu::lanes::Tail;
use crate::cpu::symmetrise::Affinities;
use crate::lists::Lists;
use crate::random::{hash, normal};
use crate::settings::Settings;
use crate::squeeze::Squeeze;
use crate::start;

/// Smallest size that scaling can give an embedding.
pub const SMALLEST_SIZE: f32 = 1e-6;
/// Largest size that scaling can give an embedding.
pub const LARGEST_SIZE: f32 = 1e6;
/// Noise that opens a new axis, as a share of the size of the embedding.
pub const NOISE: f32 = 0.01;
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

    /// Computes the forces of one iteration; [`integrate`](Self::integrate) follows them.
    pub fn forces(&mut self, affinities: &Affinities, settings: &Settings, iteration: u32) {
        let scene = Scene {
            positions: &self.positions,
            dims: self.dims,
            present: Present { ld: &self.ld, length: self.ld_length, affinities, seed: self.seed, iteration },
            tail: Tail { alpha: settings.alpha },
            far_stride: Far::stride_for(self.points(), settings.far_samples),
        };
        self.z = forces(scene, Out { pull: &mut self.pull, push: &mut self.push, swaps: &mut self.swaps });
        apply(&self.swaps, self.ld_length, &mut self.ld);
    }

    /// Moves all points by the forces last computed.
    pub fn integrate(&mut self, settings: &Settings, pace: Pace) {
        let per_weight = (self.points() as f64 / self.z.max(f64::MIN_POSITIVE)) as f32;
        let motion = Motion {
            attraction: settings.attraction * pace.exaggeration,
            repulsion: settings.repulsion * per_weight,
            step: settings.step * pace.annealed / pace.exaggeration,
            momentum: pace.momentum,
        };
        let stride = position_stride(self.dims);
        let stopped = integrate(motion, stride, &self.pull, &self.push, &mut self.velocity, &mut self.positions);
        self.quarantined = self.quarantined.or(stopped);
    }

    /// Scales all positions, as far as their size stays within what single precision can undo and move on from;
    /// whatever moved comes to rest.
    pub fn scale(&mut self, factor: f32) {
        let size = self.size();
        let factor = if size > 0.0 { (size * factor).clamp(SMALLEST_SIZE, LARGEST_SIZE) / size } else { 1.0 };
        self.positions.iter_mut().for_each(|value| *value *= factor);
        self.velocity.fill(0.0);
    }

    /// Puts all points to new positions of so many dimensions, at rest.
    pub fn restart(&mut self, positions: Vec<f32>, dims: usize) {
        self.ld = start::ld_lists(&positions, dims, self.ld_length, self.seed);
        let still = vec![0.0; positions.len()];
        (self.velocity, self.pull, self.push) = (still.clone(), still.clone(), still);
        (self.positions, self.dims, self.squeeze) = (positions, dims, None);
        self.quarantined = None;
    }

    /// Goes on in another number of dimensions: axes that come are opened at once, those that leave are squeezed out
    /// with the steps to come.
    pub fn set_dims(&mut self, dims: usize) {
        self.squeeze = Squeeze::towards(dims, self.dims, self.squeeze);
        if dims > self.dims {
            self.reshape(dims);
        }
    }

    /// One step of squeezing out what leaves; what is squeezed out is dropped. False if nothing leaves.
    pub fn squeeze(&mut self) -> bool {
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
            self.reshape(kept);
        }
        true
    }

    /// The positions in another number of dimensions: axes that leave are dropped, axes that come are opened with noise
    /// of a hundredth of the embedding's size.
    pub fn reshape(&mut self, dims: usize) {
        let (old_stride, stride) = (position_stride(self.dims), position_stride(dims));
        let kept = dims.min(self.dims);
        let noise = NOISE * self.size();
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
    pub fn set_ld_length(&mut self, length: usize, hd: &Lists) {
        self.ld = start::resized_ld_lists(&self.ld, self.ld_length, hd, length, self.seed);
        self.ld_length = length;
    }

    /// Root mean square distance from the centre.
    pub fn size(&self) -> f32 {
        let stride = position_stride(self.dims);
        let points = self.points() as f64;
        let variance: f64 = (0..self.dims)
            .map(|axis| {
                let values = || self.positions[axis..].iter().step_by(stride).map(|&value| f64::from(value));
                let mean = values().sum::<f64>() / points;
                values().map(|value| (value - mean).powi(2)).sum::<f64>() / points
            })
            .sum();
        variance.sqrt() as f32
    }
}
