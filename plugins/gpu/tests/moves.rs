//! Follow, apply, integrate and measure against their native twins.

use crate::forces::Input;
use crate::support::bench::Bench;
use crate::support::{data, open_adapter, relative_error};
use embedding::Settings;
use embedding::cpu::follow::{Swap, apply};
use embedding::cpu::forces::position_stride;
use embedding::cpu::integrate::{Held, MAX_MOVE, Motion, integrate};
use embedding::descent::Descent;
use embedding::lists::EMPTY;
use gpu::params::{Control, marks};
use gpu::stage::{Slot, Stage};

/// Largest difference of a move, as a share of the largest: a handful of products and sums.
const MOVE_ERROR: f64 = 1e-6;
/// Largest difference of a size, as a share of it: sums of a few thousand squares in single precision.
const SIZE_ERROR: f64 = 1e-5;

/// Positions on a grid, so that distances are exact and both backends see the same ties.
fn on_a_grid(mut input: Input) -> Input {
    input.positions.iter_mut().for_each(|value| *value = (*value * 16.0).round() / 16.0);
    input
}

fn squared(input: &Input, a: usize, b: usize) -> f32 {
    let stride = position_stride(input.dims);
    let at = |point: usize| &input.positions[point * stride..][..stride];
    at(a).iter().zip(at(b)).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The same newcomers, in places that are as far (several may be the farthest).
fn swaps_agree(input: &Input, found: &[Swap], expected: &[Swap]) -> Result<usize, String> {
    let mut newcomers = 0;
    for (point, (found, expected)) in found.iter().zip(expected).enumerate() {
        let away =
            |swap: &Swap| squared(input, point, input.ld[point * input.ld_length + swap.place as usize] as usize);
        if found.neighbour != expected.neighbour || (found.neighbour != EMPTY && away(found) != away(expected)) {
            return Err(format!("point {point}: {found:?} instead of {expected:?}"));
        }
        newcomers += usize::from(found.neighbour != EMPTY);
    }
    Ok(newcomers)
}

#[test]
fn lists_in_the_embedding_change_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings::for_rows(100);
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &settings);
    for (points, dims) in [(2, 2), (3, 1), (25, 2), (63, 3), (64, 2), (65, 2), (513, 2), (300, 6), (200, 1)] {
        bench.replace(data::cloud(points, 4, 2), &Settings { dims, ..settings.clone() });
        let case = format!("{points} points in {dims}-D");
        let input = on_a_grid(Input::random(&bench, 3.0));
        let expected = input.native().swaps;
        let found = input.on_gpu(&mut bench).swaps;
        let newcomers = swaps_agree(&input, &found, &expected);
        assert!(newcomers.is_ok(), "{newcomers:?}: {case}");
        assert!(points < 40 || newcomers > Ok(points / 10), "only {newcomers:?} newcomers: {case}");
        bench.run(&[Stage::Apply]);
        let mut ld = input.ld.clone();
        let swaps: Vec<Swap> = found.iter().map(|s| if s.neighbour == EMPTY { Swap::NONE } else { *s }).collect();
        apply(&swaps, input.ld_length, &mut ld);
        assert_eq!(bench.read::<u32>(Slot::Ld), ld, "{case}");

        if points > 40 {
            let mut moved = input.clone();
            moved.positions.rotate_left(7 * position_stride(dims));
            let found = moved.on_gpu(&mut bench).swaps;
            assert!(swaps_agree(&input, &found, &expected).is_err(), "moved points go unnoticed: {case}");
        }
    }
}

#[test]
fn lists_in_the_embedding_without_affinities_change_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(150, 4, 2), &Settings::for_rows(150));
    let input = Input { affinities: Default::default(), ..on_a_grid(Input::random(&bench, 3.0)) };
    let newcomers = swaps_agree(&input, &input.on_gpu(&mut bench).swaps, &input.native().swaps);
    assert!(newcomers > Ok(15), "{newcomers:?}");
}

/// Positions, velocities and forces of one moment.
#[derive(Clone)]
struct Moment {
    positions: Vec<f32>,
    velocity: Vec<f32>,
    pull: Vec<f32>,
    push: Vec<f32>,
    control: Control,
}

impl Moment {
    fn random(points: usize, dims: usize) -> Self {
        let stride = position_stride(dims);
        let rows = |seed, scale: f32| {
            let mut rows = vec![0.0; points * stride];
            for (row, noise) in rows.chunks_exact_mut(stride).zip(data::noise(points * dims, seed).chunks_exact(dims)) {
                row.iter_mut().zip(noise).for_each(|(value, noise)| *value = scale * noise);
            }
            rows
        };
        let control = Control {
            z: 0.7 * points as f32,
            exaggeration: 4.0,
            annealed: 0.6,
            momentum: 0.55,
            ..Control::at_start(points as u32, 3)
        };
        // A few moves are longer than allowed.
        Self { positions: rows(1, 10.0), velocity: rows(2, 2.5), pull: rows(3, 0.3), push: rows(4, 0.4), control }
    }

    fn native(&self, settings: &Settings, pinned: &[bool]) -> (Self, Option<u32>) {
        let stride = position_stride(settings.dims);
        let points = (self.positions.len() / stride) as f32;
        let motion = Motion {
            attraction: settings.attraction * self.control.exaggeration,
            repulsion: settings.repulsion * points / self.control.z,
            step: settings.step * self.control.annealed / self.control.exaggeration,
            momentum: self.control.momentum,
        };
        let held = Held { pinned, give: 1.0 - settings.stiffness };
        let mut next = self.clone();
        let Self { positions, velocity, .. } = &mut next;
        let stopped = integrate(motion, held, stride, (&self.pull, &self.push), velocity, positions);
        (next, stopped)
    }

    fn on_gpu(&self, bench: &mut Bench) -> (Vec<f32>, Vec<f32>, u32) {
        let dims = bench.engine.settings().dims;
        let rows = self.pull.chunks_exact(position_stride(dims)).zip(self.push.chunks_exact(position_stride(dims)));
        let padded = |row| crate::support::bench::gpu_row(row, dims);
        let forces: Vec<f32> = rows.flat_map(|(pull, push)| [padded(pull), padded(push)].concat()).collect();
        bench.write(Slot::Forces, &forces);
        bench.write_positions(Slot::Positions, &self.positions);
        bench.write_positions(Slot::Velocity, &self.velocity);
        bench.write(Slot::Control, &[self.control]);
        bench.run(&[Stage::Integrate]);
        let (positions, velocity) = (bench.read_positions(Slot::Positions), bench.read_positions(Slot::Velocity));
        (positions, velocity, bench.control().quarantined)
    }
}

#[test]
fn moves_are_the_native_ones() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings { attraction: 1.5, repulsion: 0.8, step: 2.0, ..Settings::default() };
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &settings);
    for (points, dims) in [(2, 2), (63, 1), (64, 2), (65, 3), (513, 4), (200, 6), (100, 9)] {
        let settings = Settings { dims, ..settings.clone() };
        bench.replace(data::cloud(points, 3, 1), &settings);
        let moment = Moment::random(points, dims);
        let case = format!("{points} points in {dims}-D");
        let (expected, stopped) = moment.native(&settings, &[]);
        assert_eq!(stopped, None);
        let errors = |(positions, velocity, quarantined): (Vec<f32>, Vec<f32>, u32)| {
            assert_eq!(quarantined, u32::MAX);
            relative_error(&positions, &expected.positions).max(relative_error(&velocity, &expected.velocity))
        };
        let error = errors(moment.on_gpu(&mut bench));
        assert!(error < MOVE_ERROR, "off by {error:e}: {case}");
        let length = |row: &[f32]| row.iter().map(|v| v * v).sum::<f32>().sqrt();
        let longest = expected.velocity.chunks_exact(position_stride(dims)).map(length).fold(0.0, f32::max);
        assert!(points < 60 || longest > 0.999 * MAX_MOVE, "no move was cut: {case}");
        let mut other = moment.clone();
        other.push.iter_mut().for_each(|push| *push *= 1.01);
        assert!(errors(other.on_gpu(&mut bench)) > MOVE_ERROR, "another push goes unnoticed: {case}");
    }
}

#[test]
fn points_that_are_held_move_as_far_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let (points, pinned): (usize, Vec<bool>) = (130, (0..130).map(|point| point % 3 == 0).collect());
    let mut bench = Bench::new(&adapter, data::cloud(points, 3, 1), &Settings::default());
    let marked: Vec<u32> = pinned.iter().map(|&pinned| u32::from(pinned) * marks::PINNED).collect();
    for stiffness in [0.0, 0.4, 1.0] {
        let settings = Settings { stiffness, ..Settings::default() };
        bench.replace(data::cloud(points, 3, 1), &settings);
        bench.write(Slot::Marks, &marked);
        let moment = Moment::random(points, 2);
        let (positions, velocity, _) = moment.on_gpu(&mut bench);
        let expected = moment.native(&settings, &pinned).0;
        let error = relative_error(&positions, &expected.positions).max(relative_error(&velocity, &expected.velocity));
        assert!(error < MOVE_ERROR, "off by {error:e}: stiffness {stiffness}");
        let free = moment.native(&settings, &[]).0;
        let same = relative_error(&positions, &free.positions) < MOVE_ERROR;
        assert_eq!(same, stiffness == 0.0, "stiffness {stiffness}");
        let stays = |point: usize| positions[2 * point..][..2] == moment.positions[2 * point..][..2];
        assert!(stiffness < 1.0 || (0..points).all(|point| stays(point) == pinned[point]), "held is held to the bit");
    }
}

#[test]
fn what_cannot_be_moved_rests_and_is_named() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings::for_rows(130);
    let mut bench = Bench::new(&adapter, data::cloud(130, 3, 1), &settings);
    let mut moment = Moment::random(130, 2);
    moment.velocity[2 * 70] = f32::NAN;
    moment.push[2 * 90 + 1] = f32::INFINITY;
    moment.velocity[2 * 128] = 1e30; // its square is not finite
    let (expected, stopped) = moment.native(&settings, &[]);
    let (positions, velocity, quarantined) = moment.on_gpu(&mut bench);
    assert_eq!((quarantined, stopped), (70, Some(70)));
    assert!(relative_error(&positions, &expected.positions) < MOVE_ERROR);
    for point in [70, 90, 128] {
        assert_eq!(velocity[2 * point..][..2], [0.0, 0.0], "point {point}");
        assert_eq!(positions[2 * point..][..2], moment.positions[2 * point..][..2], "point {point}");
    }
    assert!(positions.iter().chain(&velocity).all(|value| value.is_finite()));
    let row = bench.engine.statistics().expect("statistics").quarantined_row;
    assert!(row.is_some(), "nobody is named");
}

#[test]
fn the_size_is_the_root_mean_square_distance_from_the_centre() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &Settings::default());
    for (points, dims) in [(2, 2), (63, 1), (255, 2), (257, 3), (1000, 4), (513, 6), (100, 40), (4000, 2)] {
        let settings = Settings { dims, ..Settings::default() };
        bench.replace(data::cloud(points, 3, 1), &settings);
        for (scale, shift) in [(1.0, 0.0), (1e-6, 0.0), (1e3, 1e4)] {
            let stride = position_stride(dims);
            let mut positions = vec![0.0; points * stride];
            for (row, noise) in positions.chunks_exact_mut(stride).zip(data::noise(points * dims, 5).chunks_exact(dims))
            {
                row.iter_mut().zip(noise).for_each(|(value, noise)| *value = scale * noise + shift);
            }
            let mut measured = |positions: &[f32]| {
                bench.write_positions(Slot::Positions, positions);
                bench.run(&[Stage::Measure]);
                f64::from(bench.control().size)
            };
            // The native size is a plain sum in double precision.
            let expected = |positions: &[f32]| {
                let descent = Descent::new(positions.to_vec(), Vec::new(), &settings, 1);
                f64::from(descent.size(&vec![true; descent.points()]))
            };
            let size = expected(&positions);
            let agrees = |found: f64| (found / size - 1.0).abs() < SIZE_ERROR;
            let found = measured(&positions);
            assert!(agrees(found), "{found} instead of {size}: {points} points in {dims}-D, {scale}, {shift}");
            positions[(points - 1) * stride] += 10.0 * scale;
            assert!(!agrees(measured(&positions)), "a moved point goes unnoticed");
            positions.fill(shift);
            assert_eq!(measured(&positions), 0.0);
        }
    }
}
