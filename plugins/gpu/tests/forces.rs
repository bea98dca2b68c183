//! Repel, attract and normalise against the native forces.

use crate::support::bench::Bench;
use crate::support::{data, native, open_adapter, relative_error};
use embedding::Settings;
use embedding::affinities::Affinities;
use embedding::cpu::far::{self, Far};
use embedding::cpu::follow::{Present, Swap};
use embedding::cpu::forces::{Out, Scene, Stiffness, forces, position_stride};
use embedding::cpu::lanes::Tail;
use embedding::lists::EMPTY;
use gpu::params::{Control, marks};
use gpu::stage::{Slot, Stage};
use vectors::{Metric, Space, Vectors};

/// Largest difference of a force, as a share of the largest force: sums of up to thousands of terms of both signs, in
/// another order and with other roundings of the kernel.
const FORCE_ERROR: f64 = 2e-5;
/// The same under tails that are not t-SNE's: the kernel goes through a logarithm and an exponential, which WGSL
/// grants three units in the last place each and drivers round differently.
const POWER_ERROR: f64 = 1e-4;
/// Rounding of Z beside that, by point: natively its own weight of one is summed and taken off again, as often as the
/// sample counts it.
const OWN_WEIGHT_ERROR: f64 = 2e-7;
/// Iteration of the scene: an odd one.
const ITERATION: u32 = 7;

/// Everything the force stages read.
#[derive(Clone)]
pub struct Input {
    pub dims: usize,
    pub alpha: f32,
    pub seed: u32,
    pub positions: Vec<f32>,
    pub ld: Vec<u32>,
    pub ld_length: usize,
    pub affinities: Affinities,
    pub far_stride: u32,
    pub alive: Vec<bool>,
}

/// What they write.
pub struct Output {
    pub pull: Vec<f32>,
    pub push: Vec<f32>,
    pub stiffness: Vec<Stiffness>,
    pub z: f64,
    pub swaps: Vec<Swap>,
}

impl Input {
    /// Points around the origin, `spread` wide, with lists of anyone and affinities of the data.
    pub fn random(bench: &Bench, spread: f32) -> Self {
        let settings = bench.engine.settings();
        let (points, dims) = (bench.points(), settings.dims);
        let stride = position_stride(dims);
        let mut positions = vec![0.0; points * stride];
        let noise = data::noise(points * dims, 11 + dims as u32);
        for (position, noise) in positions.chunks_exact_mut(stride).zip(noise.chunks_exact(dims)) {
            for (axis, (value, noise)) in position.iter_mut().zip(noise).enumerate() {
                *value = spread * (noise * (1.0 + 0.2 * axis as f32) + 0.5);
            }
        }
        let k = 7.min(points - 1);
        let hd = native::lists_of(&bench.space(), &data::random_rows(points, k, 5), k);
        let gaussians = native::calibrated(&hd, points, 4.0);
        Self {
            dims,
            alpha: settings.alpha,
            seed: bench.seed(),
            positions,
            ld: data::random_rows(points, bench.ld_length(), 3),
            ld_length: bench.ld_length(),
            affinities: native::affinities(&hd, &gaussians),
            far_stride: Far::stride_for(points, far::samples(points, settings.dims, settings.far_samples)),
            alive: vec![true; points],
        }
    }

    /// The same with lists of the true neighbours.
    pub fn with_exact_lists(mut self) -> Self {
        let stride = position_stride(self.dims);
        let rows: Vec<f32> = self.positions.chunks_exact(stride).flat_map(|row| row[..self.dims].to_vec()).collect();
        let space = Space::new(Vectors::from_rows(&rows, self.dims), Metric::Euclidean);
        let exact = native::exact_lists(&space, self.ld_length);
        self.ld = (0..space.rows()).flat_map(|point| exact.neighbours(point).collect::<Vec<_>>()).collect();
        self
    }

    /// The same with every third point a free slot, which no list names.
    pub fn with_free_slots(mut self, bench: &Bench) -> Self {
        let points = bench.points();
        self.alive = (0..points).map(|point| point % 3 != 1).collect();
        let living = |named: Vec<u32>, length: usize| -> Vec<u32> {
            let other = |at: usize, named: u32| {
                if named % 3 == 1 { (named + 1 + 3 * (at as u32 % 7)) % (points as u32 / 3 * 3) } else { named }
            };
            named.iter().enumerate().map(|(at, &named)| other(at % length, named)).collect()
        };
        self.ld = living(self.ld, self.ld_length);
        let k = 7;
        let mut hd = native::lists_of(&bench.space(), &living(data::random_rows(points, k, 5), k), k);
        let (entries, distances) = hd.rows_mut();
        for point in (0..points).filter(|point| point % 3 == 1) {
            entries[point * k..][..k].fill(EMPTY);
            distances[point * k..][..k].fill(f32::INFINITY);
        }
        self.affinities = native::affinities(&hd, &native::calibrated(&hd, points, 4.0));
        self
    }

    /// The native stages.
    pub fn native(&self) -> Output {
        let points = self.positions.len() / position_stride(self.dims);
        let (mut pull, mut push) = (vec![7.0; self.positions.len()], vec![-3.0; self.positions.len()]);
        let mut swaps = vec![Swap { place: 1, neighbour: 1 }; points];
        let mut stiffness = vec![[5.0; 2]; points];
        let Self { dims, ref ld, ld_length, ref affinities, seed, far_stride, .. } = *self;
        let scene = Scene {
            positions: &self.positions,
            dims,
            alive: &self.alive,
            present: Present { ld, length: ld_length, affinities, seed, iteration: ITERATION },
            tail: Tail { alpha: self.alpha },
            far_stride,
        };
        let out = Out { pull: &mut pull, push: &mut push, stiffness: &mut stiffness, swaps: &mut swaps };
        let z = forces(scene, out);
        Output { pull, push, stiffness, z, swaps }
    }

    /// The stages on the GPU.
    pub fn on_gpu(&self, bench: &mut Bench) -> Output {
        let control = Control { present: ITERATION, ..Control::at_start(bench.points() as u32, ITERATION) };
        bench.write(Slot::Control, &[control]);
        bench.write_positions(Slot::Positions, &self.positions);
        bench.write(Slot::Ld, &self.ld);
        let marks: Vec<u32> = self.alive.iter().map(|&alive| u32::from(!alive) * marks::DEAD).collect();
        bench.write(Slot::Marks, &marks);
        bench.write(Slot::Forces, &vec![7.0_f32; self.positions.len()]);
        native::write_affinities(bench, &self.affinities);
        bench.run(&[Stage::Repel, Stage::Attract, Stage::Normalise, Stage::Follow]);
        let (pull, push) = bench.read_forces();
        let near = bench.read::<[f32; 4]>(Slot::Near);
        let stiffness = near.iter().map(|&[_, push, pull, _]| [pull, push]).collect();
        let swaps = bench.read::<[u32; 2]>(Slot::Swaps);
        let swaps = swaps.iter().map(|&[place, neighbour]| Swap { place, neighbour }).collect();
        Output { pull, push, stiffness, z: f64::from(bench.control().z), swaps }
    }
}

fn agrees(input: &Input, found: &Output, expected: &Output) -> Result<(), String> {
    let own_weight = OWN_WEIGHT_ERROR * f64::from(input.far_stride);
    let z_error = (found.z - expected.z).abs() - own_weight * found.swaps.len() as f64;
    let of = |output: &Output, place: usize| -> Vec<f32> { output.stiffness.iter().map(|both| both[place]).collect() };
    let errors = [
        ("the stiffness of the pull", relative_error(&of(found, 0), &of(expected, 0))),
        ("the stiffness of the push", relative_error(&of(found, 1), &of(expected, 1))),
        ("pull", relative_error(&found.pull, &expected.pull)),
        ("push", relative_error(&found.push, &expected.push)),
        ("Z", z_error / expected.z),
    ];
    // What the logarithm is off by, the exponent has α times.
    let most = if input.alpha == 1.0 { FORCE_ERROR } else { POWER_ERROR * f64::from(input.alpha / 10.0).max(1.0) };
    match errors.iter().find(|(_, error)| error.is_nan() || *error > most) {
        Some((name, error)) => Err(format!("{name} is off by {error:e}, more than {most:e}")),
        None => Ok(()),
    }
}

fn check(bench: &mut Bench, spread: f32) {
    let input = Input::random(bench, spread);
    let case =
        format!("{} points in {}-D, α {}, {spread} wide", bench.points(), input.dims, bench.engine.settings().alpha);
    let expected = input.native();
    assert_eq!(agrees(&input, &input.on_gpu(bench), &expected), Ok(()), "{case}");
    let mut moved = input.clone();
    moved.positions[(bench.points() / 2) * position_stride(input.dims) + input.dims - 1] += 0.5;
    assert!(agrees(&input, &moved.on_gpu(bench), &expected).is_err(), "a moved point goes unnoticed: {case}");
}

#[test]
fn forces_agree_with_the_native_ones_in_any_number_of_dimensions() {
    let Some(adapter) = open_adapter() else { return };
    for alpha in [1.0, 0.5] {
        let settings = Settings { alpha, ..Settings::for_rows(2) };
        let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &settings);
        for dims in [1, 2, 3, 4, 6, 9] {
            for points in [2, 65, 300] {
                bench.replace(data::cloud(points, 5, 2), &Settings { dims, ..settings.clone() });
                check(&mut bench, 2.0);
                check(&mut bench, 0.01);
            }
        }
    }
}

#[test]
fn forces_agree_at_the_edges_of_blocks_and_on_real_data() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings::for_rows(500);
    let mut bench = Bench::new(&adapter, data::cloud(63, 5, 2), &settings);
    check(&mut bench, 2.0);
    for points in [64, 511, 512, 513, 1025] {
        bench.replace(data::cloud(points, 5, 2), &settings);
        check(&mut bench, 2.0);
    }
    bench.replace(data::duplicates(200, 5, 2), &settings);
    check(&mut bench, 2.0);
    bench.replace(data::digits(1500), &settings);
    check(&mut bench, 5.0);
}

#[test]
fn free_slots_push_and_pull_nobody() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings::for_rows(300);
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &settings);
    for (points, dims, alpha) in [(300, 2, 1.0), (300, 3, 0.5), (5003, 2, 1.0), (700, 6, 1.0)] {
        bench.replace(data::cloud(points, 5, 2), &Settings { dims, alpha, ..settings.clone() });
        let input = Input::random(&bench, 2.0).with_free_slots(&bench);
        let (found, expected) = (input.on_gpu(&mut bench), input.native());
        assert_eq!(agrees(&input, &found, &expected), Ok(()), "{points} points in {dims}-D");
        for point in (0..points).filter(|&point| !input.alive[point]) {
            let stride = position_stride(dims);
            let forces = found.pull[point * stride..][..stride].iter().chain(&found.push[point * stride..][..stride]);
            assert!(forces.into_iter().all(|&force| force == 0.0), "a free slot is moved");
            assert_eq!(found.swaps[point].neighbour, EMPTY, "a free slot gets to know someone");
        }
        let all = Input { alive: vec![true; points], ..input.clone() };
        assert!(agrees(&input, &all.on_gpu(&mut bench), &expected).is_err(), "free slots go unnoticed");
    }
}

#[test]
fn forces_agree_under_heavy_and_light_tails() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings::for_rows(5003);
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &settings);
    for alpha in [0.05, 3.0, 10.0, 100.0] {
        for (points, dims) in [(300, 2), (130, 3), (100, 5), (5003, 2)] {
            bench.replace(data::cloud(points, 5, 2), &Settings { dims, alpha, ..settings.clone() });
            check(&mut bench, 2.0);
            check(&mut bench, 0.1);
        }
    }
}

#[test]
fn duplicates_in_the_embedding_push_nobody() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(100, 5, 2), &Settings::for_rows(100));
    let mut input = Input::random(&bench, 1.0);
    input.positions.chunks_exact_mut(2).take(70).for_each(|position| position.fill(0.25));
    assert_eq!(agrees(&input, &input.on_gpu(&mut bench), &input.native()), Ok(()));
    input.positions.fill(0.5);
    let found = input.on_gpu(&mut bench);
    assert!(found.pull.iter().chain(&found.push).all(|&force| force == 0.0));
    assert_eq!(found.z, 100.0 * 99.0, "every other weighs one, nobody weighs itself");
}

#[test]
fn a_far_sample_is_the_same_sample() {
    let Some(adapter) = open_adapter() else { return };
    // More than would all be in the sample.
    let points = 8209;
    let settings = Settings::for_rows(points);
    let mut bench = Bench::new(&adapter, data::cloud(points, 5, 4), &settings);
    for (dims, alpha, spread) in [(2, 1.0, 20.0), (2, 1.0, 0.05), (3, 0.5, 5.0), (2, 3.0, 20.0), (6, 1.0, 3.0)] {
        bench.replace(data::cloud(points, 5, 4), &Settings { dims, alpha, ..settings.clone() });
        // Lists of anyone, as they are when a map was torn apart, and lists of true neighbours.
        let stale = Input::random(&bench, spread);
        let fresh = stale.clone().with_exact_lists();
        assert!(stale.far_stride > 1);
        for (input, others, lists) in [(&stale, &fresh, "stale"), (&fresh, &stale, "fresh")] {
            let case = format!("{dims}-D, α {alpha}, {spread} wide, {lists} lists");
            let (expected, found) = (input.native(), input.on_gpu(&mut bench));
            assert_eq!(agrees(input, &found, &expected), Ok(()), "{case}");
            let other = Input { seed: input.seed + 1, ..input.clone() };
            assert!(agrees(input, &found, &other.native()).is_err(), "another sample goes unnoticed: {case}");
            assert!(agrees(input, &found, &others.native()).is_err(), "other lists go unnoticed: {case}");
        }
    }
}
