//! The gradient descent: positions, momentum, and what the push needs: a tree over the embedding in up to three
//! dimensions, lists of neighbours in the embedding in more.

use crate::affinities::Affinities;
use crate::cpu::decide::Pace;
use crate::cpu::far::{self, Far};
use crate::cpu::field::{Field, MAX_DIMS};
use crate::cpu::follow::{Present, Swap, apply};
use crate::cpu::forces::{Out, Scene, Stiffness, forces, position_stride, pull};
use crate::cpu::forget::forget_ld;
use crate::cpu::integrate::{Acting, GOVERN, Held, MAX_MOVE, Motion, RECENTRE, integrate, per_weight, shrink};
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
/// A whole spring, as a share of the stiffness with which neighbours hold each other: it acts over the whole of the
/// embedding, they over a kernel length.
pub const SPRING: f32 = 0.01;
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
    stiffness: Vec<Stiffness>,
    /// The push in up to three dimensions.
    field: Field,
    /// What sampling the push in more dimensions needs.
    vicinity: Option<Vicinity>,
    /// Points that are held where they are; empty while none is.
    pinned: Vec<bool>,
    /// Where the spring draws points to; empty while there is none.
    anchors: Vec<f32>,
    /// The size before the last move.
    measured_size: f32,
    /// Root mean square of the last moves, as a share of it.
    movement: f32,
    seed: u32,
}

/// Neighbours in the embedding.
#[derive(Debug)]
struct Vicinity {
    /// `[points][length]` neighbours.
    ld: Vec<u32>,
    length: usize,
    swaps: Vec<Swap>,
}

impl Vicinity {
    fn of(positions: &[f32], dims: usize, length: usize, alive: &[bool], seed: u32) -> Self {
        let ld = start::ld_lists(positions, dims, length, alive, seed);
        Self { ld, length, swaps: vec![Swap::NONE; alive.len()] }
    }
}

impl Descent {
    /// Starts at the given positions.
    pub fn new(positions: Vec<f32>, settings: &Settings, seed: u32) -> Self {
        let points = positions.len() / position_stride(settings.dims);
        let still = vec![0.0; positions.len()];
        let mut descent = Self {
            dims: settings.dims,
            squeeze: None,
            velocity: still.clone(),
            pull: still.clone(),
            push: still,
            stiffness: vec![[0.0; 2]; points],
            field: Field::default(),
            vicinity: None,
            positions,
            z: 1.0,
            quarantined: None,
            pinned: Vec::new(),
            anchors: Vec::new(),
            measured_size: 0.0,
            movement: 0.0,
            seed,
        };
        descent.meet(settings.ld_list_length(points), &vec![true; points]);
        descent
    }

    /// Finds the neighbours in the embedding again, where the push needs lists of them.
    fn meet(&mut self, length: usize, alive: &[bool]) {
        self.field.forget();
        self.vicinity =
            (self.dims > MAX_DIMS).then(|| Vicinity::of(&self.positions, self.dims, length, alive, self.seed));
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.stiffness.len()
    }

    /// Dimensions of a position: more than are wanted while axes are leaving.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// `[points][length]` neighbours in the embedding, and the length; none before the tree is built that knows them.
    pub fn ld(&self) -> (&[u32], usize) {
        match &self.vicinity {
            Some(vicinity) => (&vicinity.ld, vicinity.length),
            None => self.field.neighbours(),
        }
    }

    /// Brings the neighbours in the embedding up to date, for the search in the data that is to look at them.
    pub fn introduce(&mut self, alive: &[bool]) {
        if self.vicinity.is_none() {
            self.field.meet(&self.positions, self.dims, alive);
        }
    }

    /// Makes room for so many points.
    pub fn grow(&mut self, points: usize) {
        let stride = position_stride(self.dims);
        for values in [&mut self.positions, &mut self.velocity, &mut self.pull, &mut self.push] {
            values.resize(points * stride, 0.0);
        }
        self.stiffness.resize(points, [0.0; 2]);
        self.field.forget();
        if let Some(vicinity) = &mut self.vicinity {
            vicinity.ld.resize(points * vicinity.length, 0);
            vicinity.swaps.resize(points, Swap::NONE);
        }
    }

    /// Puts a point to a place, at rest and free. Its neighbours there are sought among those who are near in the data,
    /// and their neighbours in the embedding.
    pub fn put(&mut self, point: u32, position: &[f32], near: &[u32], alive: &[bool], random: impl Fn(u32) -> u32) {
        let (stride, at) = (position_stride(self.dims), point as usize);
        self.rest(point);
        self.positions[at * stride..][..position.len()].copy_from_slice(position);
        let Some(vicinity) = &mut self.vicinity else { return };
        let length = vicinity.length;
        let squared = |other: u32| -> f32 {
            let there = &self.positions[other as usize * stride..][..position.len()];
            there.iter().zip(position).map(|(a, b)| (a - b).powi(2)).sum()
        };
        let friends = near.iter().take(FRIENDS).filter(|&&friend| alive[friend as usize]);
        let theirs = friends.flat_map(|&friend| &vicinity.ld[friend as usize * length..][..length]);
        let mut known: Vec<u32> = near.iter().chain(theirs).copied().collect();
        known.sort_unstable();
        known.dedup();
        known.sort_by_cached_key(|&other| squared(other).to_bits()); // bits of what is not negative ascend with it
        start::fill(&mut vicinity.ld[at * length..][..length], 0, known.into_iter(), at, alive, random);
    }

    /// Brings a point to rest in the middle, free to move.
    pub fn rest(&mut self, point: u32) {
        let stride = position_stride(self.dims);
        let row = point as usize * stride..(point as usize + 1) * stride;
        self.velocity[row.clone()].fill(0.0);
        self.positions[row].fill(0.0);
        self.field.forget();
        if let Some(pinned) = self.pinned.get_mut(point as usize) {
            *pinned = false;
        }
    }

    /// Takes points that are gone out of the lists of neighbours in the embedding.
    pub fn forget(&mut self, touched: &[u8], alive: &[bool], hd: &Lists, random: impl Fn(u32, u32) -> u32 + Sync) {
        self.field.forget();
        if let Some(vicinity) = &mut self.vicinity {
            forget_ld(touched, alive, hd, vicinity.length, &mut vicinity.ld, random);
        }
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

    /// Computes the forces of one iteration; [`integrate`](Self::integrate) follows them. In up to three dimensions small
    /// affinities may take [turns](Affinities::turn).
    pub fn forces(
        &mut self,
        affinities: &Affinities,
        alive: &[bool],
        settings: &Settings,
        iteration: u32,
        in_turns: bool,
    ) {
        let tail = Tail { alpha: settings.alpha };
        let (pull_out, push, stiffness) = (&mut self.pull, &mut self.push, &mut self.stiffness);
        let Some(vicinity) = &mut self.vicinity else {
            self.z = self.field.update(&self.positions, self.dims, alive, tail, settings.opening);
            let out = (&mut **pull_out, &mut **push, &mut **stiffness);
            pull(
                &self.positions,
                self.dims,
                alive,
                (affinities, in_turns.then_some(iteration)),
                tail,
                &self.field,
                out,
            );
            return;
        };
        let length = vicinity.length;
        let scene = Scene {
            positions: &self.positions,
            dims: self.dims,
            alive,
            present: Present { ld: &vicinity.ld, length, affinities, seed: self.seed, iteration },
            tail,
            far_stride: Far::stride_for(alive.len(), far::samples(alive.len(), settings.dims, settings.far_samples)),
        };
        self.z = forces(scene, Out { pull: pull_out, push, stiffness, swaps: &mut vicinity.swaps });
        apply(&vicinity.swaps, length, &mut vicinity.ld);
    }

    /// The normaliser of the similarities at the present positions, as forces computed now would have it; where the push is
    /// sampled, that of the last iteration.
    pub fn present_z(&mut self, alive: &[bool], settings: &Settings) -> f64 {
        if self.vicinity.is_some() {
            return self.z;
        }
        let tail = Tail { alpha: settings.alpha };
        self.field.update(&self.positions, self.dims, alive, tail, settings.opening)
    }

    /// Moves all points by the forces last computed; so many live.
    pub fn integrate(&mut self, alive: &[bool], living: usize, settings: &Settings, pace: Pace) {
        let (centre, size) = self.extent(alive);
        self.measured_size = size;
        let anchors = self.anchors_at(&centre, size, settings);
        // What settles comes to rest, and without forces nothing moves at all.
        let gently = if settings.attraction > 0.0 || settings.repulsion > 0.0 { pace.annealed } else { 0.0 };
        // Where some are held, the others stay beside them.
        let share = if self.pinned.is_empty() { gently * RECENTRE } else { 0.0 };
        let mut drift = vec![0.0; position_stride(self.dims)];
        drift.iter_mut().zip(&centre).for_each(|(drift, centre)| *drift = share * *centre as f32);
        let motion = Motion {
            attraction: settings.attraction * pace.exaggeration,
            repulsion: settings.repulsion * per_weight(living, self.z, settings.attraction, settings.repulsion),
            step: settings.step / pace.exaggeration,
            annealed: pace.annealed,
            spring: if anchors.is_empty() { 0.0 } else { SPRING * settings.spring },
            momentum: pace.momentum,
            longest: MAX_MOVE * settings.alpha.sqrt(),
            shrink: shrink(size, living, settings.alpha, gently * GOVERN),
        };
        let row = position_stride(self.dims);
        let held = Held { pinned: &self.pinned, give: 1.0 - settings.stiffness };
        let forces = Acting { pull: &self.pull, push: &self.push, stiffness: &self.stiffness, anchors: &anchors };
        let stopped = integrate(motion, held, row, forces, &drift, &mut self.velocity, &mut self.positions);
        self.quarantined = self.quarantined.or(stopped);
        self.movement = self.measured_movement(living);
        self.field.moved(self.movement);
    }

    /// True if the spring is on and nobody has said yet where it draws points to.
    pub fn lacks_anchors(&self, settings: &Settings) -> bool {
        settings.spring > 0.0 && self.anchors.len() != self.positions.len()
    }

    /// Says where the spring draws points to: an arrangement of which place and size do not matter.
    pub fn set_anchors(&mut self, anchors: Vec<f32>) {
        self.anchors = anchors;
    }

    /// The anchors at the place and in the size of the embedding, so that the spring neither moves nor scales it.
    fn anchors_at(&self, centre: &[f64], size: f32, settings: &Settings) -> Vec<f32> {
        if settings.spring == 0.0 || self.anchors.len() != self.positions.len() {
            return Vec::new();
        }
        let stride = position_stride(self.dims);
        let rows = self.anchors.chunks_exact(stride);
        let squares: f64 = self.anchors.iter().map(|&value| f64::from(value).powi(2)).sum();
        let scale = size / ((squares / rows.len() as f64).sqrt() as f32).max(f32::MIN_POSITIVE);
        let place = |axis: usize| centre.get(axis).map_or(0.0, |&centre| centre as f32);
        rows.flat_map(|row| row.iter().enumerate().map(|(axis, value)| scale * value + place(axis))).collect()
    }

    /// Root mean square of the last moves, as a share of the size of the embedding.
    pub fn movement(&self) -> f32 {
        self.movement
    }

    fn measured_movement(&self, living: usize) -> f32 {
        let sums: Vec<f64> = self
            .velocity
            .par_chunks(CHUNK)
            .map(|moves| moves.iter().map(|&value| f64::from(value).powi(2)).sum())
            .collect();
        let mean = sums.iter().sum::<f64>() / living.max(1) as f64;
        mean.sqrt() as f32 / self.measured_size.max(f32::MIN_POSITIVE)
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
        self.field.forget();
    }

    /// Puts all points to new positions in the dimensions of the settings, at rest. Points that are held firmly stay.
    pub fn restart(&mut self, mut positions: Vec<f32>, alive: &[bool], settings: &Settings) {
        let dims = settings.dims;
        let (old, new, kept) = (position_stride(self.dims), position_stride(dims), dims.min(self.dims));
        for point in (0..self.points()).filter(|&point| settings.stiffness == 1.0 && self.is_pinned(point as u32)) {
            positions[point * new..][..kept].copy_from_slice(&self.positions[point * old..][..kept]);
        }
        let still = vec![0.0; positions.len()];
        (self.velocity, self.pull, self.push) = (still.clone(), still.clone(), still);
        (self.positions, self.dims, self.squeeze) = (positions, dims, None);
        self.quarantined = None;
        self.meet(settings.ld_list_length(alive.len()), alive);
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
        self.field.forget();
        if dims <= MAX_DIMS {
            self.vicinity = None;
        }
    }

    /// Has lists of neighbours in the embedding of this length where there are to be any.
    pub fn fit_vicinity(&mut self, length: usize, hd: &Lists, alive: &[bool]) {
        match &mut self.vicinity {
            Some(_) if self.dims <= MAX_DIMS => self.vicinity = None,
            Some(vicinity) if vicinity.length != length => {
                vicinity.ld = start::resized_ld_lists(&vicinity.ld, vicinity.length, hd, length, alive, self.seed);
                vicinity.length = length;
            }
            None if self.dims > MAX_DIMS => self.meet(length, alive),
            _ => {}
        }
    }

    /// Root mean square distance of those who live from their centre.
    pub fn size(&self, alive: &[bool]) -> f32 {
        self.extent(alive).1
    }

    /// The centre of those who live, and their root mean square distance from it.
    pub fn extent(&self, alive: &[bool]) -> (Vec<f64>, f32) {
        let (stride, dims) = (position_stride(self.dims), self.dims);
        // Sums of chunks, added in their order: the same for any number of threads. Around a point that is one of them, so
        // that squares are those of their extent, wherever they are.
        let origin = alive.iter().position(|&alive| alive).unwrap_or(0) * stride;
        let origin = self.positions[origin..][..dims].to_vec();
        let chunks = self.positions.par_chunks(stride * CHUNK).zip(alive.par_chunks(CHUNK));
        let sums: Vec<(f64, Vec<f64>, f64)> = chunks
            .map(|(positions, alive)| {
                let mut sums = (0.0, vec![0.0; dims], 0.0);
                for (position, _) in positions.chunks_exact(stride).zip(alive).filter(|(_, alive)| **alive) {
                    sums.0 += 1.0;
                    for ((value, origin), sum) in position.iter().zip(&origin).zip(&mut sums.1) {
                        let offset = f64::from(value - origin);
                        *sum += offset;
                        sums.2 += offset * offset;
                    }
                }
                sums
            })
            .collect();
        let points: f64 = sums.iter().map(|sums| sums.0).sum();
        let offset = |axis: usize| sums.iter().map(|sums| sums.1[axis]).sum::<f64>() / points;
        let offsets: Vec<f64> = (0..dims).map(offset).collect();
        let squares = sums.iter().map(|sums| sums.2).sum::<f64>() / points;
        let spread = (squares - offsets.iter().map(|offset| offset * offset).sum::<f64>()).max(0.0);
        let centre = offsets.iter().zip(&origin).map(|(offset, &origin)| offset + f64::from(origin)).collect();
        (centre, spread.sqrt() as f32)
    }
}
