//! Follow, apply, integrate, measure and recentre against their native twins.

use crate::forces::Input;
use crate::support::bench::Bench;
use crate::support::{data, open_adapter, relative_error};
use embedding::Settings;
use embedding::cpu::follow::{Swap, apply};
use embedding::cpu::forces::{Stiffness, position_stride};
use embedding::cpu::integrate::{Acting, GOVERN, Held, MAX_MOVE, Motion, RECENTRE, integrate, per_weight, shrink};
use embedding::descent::{Descent, SPRING};
use embedding::lists::EMPTY;
use gpu::params::{Control, marks};
use gpu::run::RECENTRED_EVERY;
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
    stiffness: Vec<Stiffness>,
    /// Around the origin, of size 1; empty without a spring.
    anchors: Vec<f32>,
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
        // Some steps are limited; a sample may say that the push is stiff the wrong way round.
        let stiff = |noise: &[f32]| [0.1 * noise[0].abs(), 0.3 * noise[1]];
        let stiffness = data::noise(points * 2, 5).chunks_exact(2).map(stiff).collect();
        // A few moves are longer than allowed.
        let (pull, push) = (rows(3, 0.3), rows(4, 0.4));
        let anchors = Vec::new();
        Self { positions: rows(1, 10.0), velocity: rows(2, 2.5), pull, push, stiffness, anchors, control }
    }

    /// With anchors for its points, far from where they are.
    fn anchored(points: usize, dims: usize) -> Self {
        let moment = Self::random(points, dims);
        let rows = moment.velocity.chunks_exact(position_stride(dims)).rev();
        let anchors: Vec<f32> = rows.flatten().copied().collect();
        let size = (anchors.iter().map(|value| value * value).sum::<f32>() / points as f32).sqrt();
        Self { anchors: anchors.iter().map(|value| value / size).collect(), ..moment }
    }

    /// The anchors in the size of the embedding and around its centre.
    fn anchors_in_place(&self, settings: &Settings) -> Vec<f32> {
        let stride = position_stride(settings.dims);
        let points = self.positions.len() / stride;
        let (centre, size) = Descent::new(self.positions.clone(), settings, 1).extent(&vec![true; points]);
        let place = |axis: usize| centre.get(axis).map_or(0.0, |&centre| centre as f32);
        let rows = self.anchors.chunks_exact(stride);
        rows.flat_map(|row| row.iter().enumerate().map(|(axis, value)| size * value + place(axis))).collect()
    }

    fn native(&self, settings: &Settings, pinned: &[bool]) -> (Self, Option<u32>) {
        let stride = position_stride(settings.dims);
        let points = self.positions.len() / stride;
        let motion = Motion {
            attraction: settings.attraction * self.control.exaggeration,
            repulsion: settings.repulsion
                * per_weight(points, self.control.z.into(), settings.attraction, settings.repulsion),
            step: settings.step / self.control.exaggeration,
            annealed: self.control.annealed,
            spring: SPRING * settings.spring,
            momentum: self.control.momentum,
            longest: MAX_MOVE * settings.alpha.sqrt(),
            shrink: 1.0, // recentre does that
        };
        let held = Held { pinned, give: 1.0 - settings.stiffness };
        let mut next = self.clone();
        let Self { positions, velocity, .. } = &mut next;
        let anchors = self.anchors_in_place(settings);
        let acting = Acting { pull: &self.pull, push: &self.push, stiffness: &self.stiffness, anchors: &anchors };
        let stopped = integrate(motion, held, stride, acting, &vec![0.0; stride], velocity, positions);
        (next, stopped)
    }

    fn on_gpu(&self, bench: &mut Bench) -> (Vec<f32>, Vec<f32>, u32) {
        let dims = bench.engine.settings().dims;
        let rows = self.pull.chunks_exact(position_stride(dims)).zip(self.push.chunks_exact(position_stride(dims)));
        let padded = |row| crate::support::bench::gpu_row(row, dims);
        let forces: Vec<f32> = rows.flat_map(|(pull, push)| [padded(pull), padded(push)].concat()).collect();
        bench.write(Slot::Forces, &forces);
        let near: Vec<[f32; 4]> = self.stiffness.iter().map(|&[pull, push]| [7.0, push, pull, 3.0]).collect();
        bench.write(Slot::Near, &near);
        bench.write_positions(Slot::Positions, &self.positions);
        bench.write_positions(Slot::Velocity, &self.velocity);
        bench.write(Slot::Control, &[self.control]);
        bench.write_positions(Slot::Anchors, &self.anchors);
        bench.run(&[Stage::Measure, Stage::Integrate]);
        let (positions, velocity) = (bench.read_positions(Slot::Positions), bench.read_positions(Slot::Velocity));
        (positions, velocity, bench.control().quarantined)
    }
}

#[test]
fn moves_are_the_native_ones() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings { attraction: 1.5, repulsion: 0.8, step: 2.0, ..Settings::default() };
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &settings);
    for (points, dims, alpha) in
        [(2, 2, 1.0), (63, 1, 1.0), (64, 2, 0.3), (65, 3, 1.0), (513, 4, 1.0), (200, 6, 2.0), (100, 9, 1.0)]
    {
        let settings = Settings { dims, alpha, ..settings.clone() };
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
        let cut = 0.999 * MAX_MOVE * alpha.sqrt();
        assert!(points < 60 || longest > cut, "no move was cut: {case}");
        let soft = Moment { stiffness: vec![[0.0; 2]; points], ..moment.clone() };
        assert!(points < 60 || errors(soft.on_gpu(&mut bench)) > MOVE_ERROR, "no step was limited: {case}");
        let mut other = moment.clone();
        other.push.iter_mut().for_each(|push| *push *= 1.01);
        assert!(errors(other.on_gpu(&mut bench)) > MOVE_ERROR, "another push goes unnoticed: {case}");
    }
}

#[test]
fn a_spring_draws_points_to_their_anchors_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &Settings::default());
    for (points, dims, held) in [(64, 2, false), (65, 3, false), (513, 4, false), (200, 6, false), (130, 2, true)] {
        let settings = Settings { dims, spring: 0.7, step: 2.0, ..Settings::default() };
        bench.replace(data::cloud(points, 3, 1), &settings);
        // Anchors lie around the middle of the points also where one is held, and the middle is not drawn to the origin.
        let mut pinned = vec![false; points];
        pinned[7] = held;
        bench.write(Slot::Marks, &pinned.iter().map(|&pinned| u32::from(pinned) * marks::PINNED).collect::<Vec<_>>());
        let case = format!("{points} points in {dims}-D, one held: {held}");
        let mut moment = Moment::anchored(points, dims);
        moment.positions.chunks_exact_mut(position_stride(dims)).for_each(|row| row[0] += 40.0);
        let expected = moment.native(&settings, &pinned).0;
        let error = |(positions, velocity, _): (Vec<f32>, Vec<f32>, u32)| {
            relative_error(&positions, &expected.positions).max(relative_error(&velocity, &expected.velocity))
        };
        let found = error(moment.on_gpu(&mut bench));
        assert!(found < SIZE_ERROR, "off by {found:e}: {case}");
        let mut other = moment.clone();
        other.anchors.rotate_left(position_stride(dims));
        assert!(error(other.on_gpu(&mut bench)) > 10.0 * SIZE_ERROR, "other anchors go unnoticed: {case}");
        let loose = moment.native(&Settings { spring: 0.0, ..settings }, &pinned).0;
        assert!(relative_error(&loose.velocity, &expected.velocity) > 10.0 * SIZE_ERROR, "no spring: {case}");
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
    let settings = Settings::default();
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
                let descent = Descent::new(positions.to_vec(), &settings, 1);
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

/// Puts positions and marks in place, measures and recentres.
fn recentred(bench: &mut Bench, positions: &[f32], marked: &[u32]) -> Vec<f32> {
    bench.write(Slot::Marks, marked);
    bench.write_positions(Slot::Positions, positions);
    bench.run(&[Stage::Measure, Stage::Recentre]);
    bench.read_positions(Slot::Positions)
}

#[test]
fn the_middle_goes_back_to_the_origin_unless_somebody_is_held() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(2, 3, 1), &Settings::default());
    for (points, dims) in [(2, 2), (63, 1), (257, 2), (300, 3), (513, 6)] {
        bench.replace(data::cloud(points, 3, 1), &Settings { dims, ..Settings::default() });
        let stride = position_stride(dims);
        let mut positions = Moment::random(points, dims).positions;
        for row in positions.chunks_exact_mut(stride) {
            (0..dims).for_each(|axis| row[axis] = 0.1 * row[axis] + 30.0 + axis as f32); // far away, but not too large
        }
        let descent = Descent::new(positions.clone(), &Settings { dims, ..Settings::default() }, 1);
        let (centre, _) = descent.extent(&vec![true; points]);
        // As many iterations natively, if nothing else moves.
        let left = (1.0 - f64::from(RECENTRE)).powi(RECENTRED_EVERY as i32);
        let expected: Vec<f32> = positions
            .chunks_exact(stride)
            .flat_map(|row| {
                let axis = |(axis, &value): (usize, &f32)| match centre.get(axis) {
                    Some(centre) => (f64::from(value) - (1.0 - left) * centre) as f32,
                    None => 0.0,
                };
                row.iter().enumerate().map(axis).collect::<Vec<f32>>()
            })
            .collect();
        let error = relative_error(&recentred(&mut bench, &positions, &vec![0; points]), &expected);
        assert!(error < SIZE_ERROR, "off by {error:e}: {points} points in {dims}-D");
        assert!(relative_error(&positions, &expected) > SIZE_ERROR, "a middle that stays goes unnoticed");
        let mut held = vec![0; points];
        held[points / 2] = marks::PINNED;
        assert_eq!(recentred(&mut bench, &positions, &held), positions, "one is held, all stay beside it");
    }
}

#[test]
fn a_map_without_a_resting_size_shrinks_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let (points, alpha) = (130, 3.0);
    let settings = Settings { alpha, ..Settings::default() };
    let mut bench = Bench::new(&adapter, data::cloud(points, 3, 1), &settings);
    for (scale, shrinks) in [(1.0, false), (100.0, true)] {
        let positions: Vec<f32> = Moment::random(points, 2).positions.iter().map(|value| scale * value).collect();
        let size = |positions: &[f32]| Descent::new(positions.to_vec(), &settings, 1).size(&vec![true; points]);
        let mut expected = size(&positions);
        for _ in 0..RECENTRED_EVERY {
            expected *= shrink(expected, points, alpha, GOVERN);
        }
        let mut marked = vec![0; points];
        let found = size(&recentred(&mut bench, &positions, &marked));
        assert!(f64::from((found / expected - 1.0).abs()) < SIZE_ERROR, "{found} instead of {expected}");
        assert_eq!(expected < 0.99 * size(&positions), shrinks);
        (marked[7], marked[9]) = (marks::PINNED, marks::DEAD);
        let there = recentred(&mut bench, &positions, &marked);
        for point in 0..points {
            let stays = there[2 * point..][..2] == positions[2 * point..][..2];
            assert_eq!(stays, !shrinks || marked[point] != 0, "{point}");
        }
    }
}
