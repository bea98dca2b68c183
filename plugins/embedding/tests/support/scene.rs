//! A small embedding with everything the force stages read, and the plain sums over it.

use super::data;
use embedding::affinities::Affinities;
use embedding::cpu::calibrate::{Gaussian, calibrate, perplexities};
use embedding::cpu::field::Field;
use embedding::cpu::follow::{Present, Swap};
use embedding::cpu::forces::{Out, Scene, Stiffness, forces, position_stride, pull};
use embedding::cpu::lanes::Tail;
use embedding::cpu::symmetrise::symmetrise;
use embedding::cpu::widen::Neighbourhoods;
use vectors::{Metric, Space, Vectors};

const SEED: u32 = 11;

/// Positions, lists and affinities.
pub struct Small {
    pub points: usize,
    pub dims: usize,
    pub alpha: f32,
    /// Padded as the stages want them.
    pub positions: Vec<f32>,
    pub ld: Vec<u32>,
    pub ld_length: usize,
    pub affinities: Affinities,
    pub alive: Vec<bool>,
}

/// The sums of all points, without padding.
pub struct Sums {
    pub pull: Vec<f32>,
    pub push: Vec<f32>,
    /// Σ p·u and Σ w·u of each point.
    pub stiffness: Vec<f32>,
    pub z: f64,
    pub swaps: Vec<Swap>,
}

/// The same sums in plain f64.
pub struct Plain {
    pub pull: Vec<f64>,
    pub push: Vec<f64>,
    pub stiffness: Vec<f64>,
    pub z: f64,
}

impl Small {
    /// Points around the origin, `spread` wide, with lists of anyone and affinities of other random data.
    pub fn random(points: usize, dims: usize, alpha: f32, spread: f32) -> Self {
        let stride = position_stride(dims);
        let mut positions = vec![0.0; points * stride];
        let noise = data::noise(points * dims, SEED + dims as u32);
        for (position, noise) in positions.chunks_exact_mut(stride).zip(noise.chunks_exact(dims)) {
            for (axis, (value, noise)) in position.iter_mut().zip(noise).enumerate() {
                *value = spread * (noise * (1.0 + 0.2 * axis as f32) + 0.5);
            }
        }
        let ld_length = 13.min(points - 1);
        let ld = data::random_rows(points, ld_length, SEED);
        let affinities = affinities(points, 10.min(points - 1));
        Self { points, dims, alpha, positions, ld, ld_length, affinities, alive: vec![true; points] }
    }

    /// The same with lists of the true neighbours.
    pub fn with_exact_lists(mut self, length: usize) -> Self {
        let exact = data::exact_lists(&Space::new(self.vectors(), Metric::Euclidean), length);
        self.ld = (0..self.points).flat_map(|point| exact.neighbours(point).collect::<Vec<_>>()).collect();
        self.ld_length = length;
        assert_eq!(self.ld.len(), self.points * length);
        self
    }

    /// The same with one point moved.
    pub fn with_point_moved(mut self, point: usize) -> Self {
        let last_axis = self.dims - 1;
        self.positions[point * position_stride(self.dims) + last_axis] += 0.5;
        self
    }

    pub fn vectors(&self) -> Vectors {
        Vectors::from_rows(&self.unpadded(&self.positions), self.dims)
    }

    /// Values of all points without padding, which must be zero.
    fn unpadded(&self, values: &[f32]) -> Vec<f32> {
        let rows = values.chunks_exact(position_stride(self.dims));
        rows.flat_map(|row| {
            assert!(row[self.dims..].iter().all(|&padding| padding == 0.0), "padding holds {:?}", &row[self.dims..]);
            row[..self.dims].to_vec()
        })
        .collect()
    }

    pub fn scene(&self, far_stride: u32, iteration: u32) -> Scene<'_> {
        Scene {
            positions: &self.positions,
            dims: self.dims,
            alive: &self.alive,
            present: Present {
                ld: &self.ld,
                length: self.ld_length,
                affinities: &self.affinities,
                seed: SEED,
                iteration,
            },
            tail: Tail { alpha: self.alpha },
            far_stride,
        }
    }

    /// What the stages make of it.
    pub fn run(&self, far_stride: u32, iteration: u32) -> Sums {
        // Whatever was in there before must not matter.
        let (mut pull, mut push) = (vec![7.0; self.positions.len()], vec![-3.0; self.positions.len()]);
        let mut swaps = vec![Swap { place: 1, neighbour: 1 }; self.points];
        let mut stiffness: Vec<Stiffness> = vec![[5.0; 2]; self.points];
        let scene = self.scene(far_stride, iteration);
        let out = Out { pull: &mut pull, push: &mut push, stiffness: &mut stiffness, swaps: &mut swaps };
        let z = forces(scene, out);
        let stiffness = stiffness.into_flattened();
        Sums { pull: self.unpadded(&pull), push: self.unpadded(&push), stiffness, z, swaps }
    }

    /// What the tree makes of it, in up to three dimensions.
    pub fn through_the_field(&self, opening: f32) -> Sums {
        let (mut to, mut from) = (vec![7.0; self.positions.len()], vec![-3.0; self.positions.len()]);
        let mut stiffness: Vec<Stiffness> = vec![[5.0; 2]; self.points];
        let (tail, mut field) = (Tail { alpha: self.alpha }, Field::default());
        let z = field.update(&self.positions, self.dims, &self.alive, tail, opening);
        let out = (&mut to[..], &mut from[..], &mut stiffness[..]);
        pull(&self.positions, self.dims, &self.alive, (&self.affinities, None), tail, &field, out);
        Sums { pull: to, push: from, stiffness: stiffness.into_flattened(), z, swaps: Vec::new() }
    }

    /// `yᵢ − yⱼ` and its squared length.
    pub fn difference(&self, i: usize, j: usize) -> (Vec<f64>, f64) {
        let stride = position_stride(self.dims);
        let at = |point: usize, axis: usize| f64::from(self.positions[point * stride + axis]);
        let difference: Vec<f64> = (0..self.dims).map(|axis| at(i, axis) - at(j, axis)).collect();
        let squared = difference.iter().map(|d| d * d).sum();
        (difference, squared)
    }

    /// `u` and `w` at a squared distance.
    pub fn kernel(&self, squared: f64) -> (f64, f64) {
        let alpha = f64::from(self.alpha);
        let u = 1.0 / (1.0 + squared / alpha);
        (u, u.powf(alpha))
    }

    /// The sums as the formulas have them, over all pairs.
    pub fn plain(&self) -> Plain {
        let zeros = |each: usize| vec![0.0; self.points * each];
        let mut plain = Plain { pull: zeros(self.dims), push: zeros(self.dims), stiffness: zeros(2), z: 0.0 };
        for i in 0..self.points {
            for j in (0..self.points).filter(|&j| j != i) {
                let (difference, squared) = self.difference(i, j);
                let (u, w) = self.kernel(squared);
                plain.z += w;
                plain.stiffness[2 * i + 1] += w * u;
                add(&mut plain.push[i * self.dims..], w * u, &difference);
            }
            let (neighbours, weights) = self.affinities.row(i);
            for (&j, &weight) in neighbours.iter().zip(weights) {
                let (difference, squared) = self.difference(i, j as usize);
                let (u, _) = self.kernel(squared);
                plain.stiffness[2 * i] += f64::from(weight) * u;
                add(&mut plain.pull[i * self.dims..], f64::from(weight) * u, &difference);
            }
        }
        plain
    }
}

/// `sum += coefficient · difference`
pub fn add(sum: &mut [f64], coefficient: f64, difference: &[f64]) {
    for (sum, difference) in sum.iter_mut().zip(difference) {
        *sum += coefficient * difference;
    }
}

/// Affinities of a random cloud.
pub fn affinities(points: usize, k: usize) -> Affinities {
    let hd = data::exact_lists(&Space::new(data::cloud(points, 6, SEED + 1), Metric::Euclidean), k);
    let mut gaussians = vec![Gaussian::default(); points];
    calibrate(Neighbourhoods::listed(&hd), &vec![true; points], perplexities(4.0, 1.0), &mut gaussians);
    let mut affinities = Affinities::default();
    symmetrise(Neighbourhoods::listed(&hd), &gaussians, &mut affinities);
    affinities
}
