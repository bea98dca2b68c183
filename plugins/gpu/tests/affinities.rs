//! Calibrate and symmetrise against their native twins.

use crate::support::bench::{Bench, DIRTY, FRESH};
use crate::support::{data, native, open_adapter};
use embedding::Settings;
use embedding::affinities::Affinities;
use embedding::cpu::calibrate::{Gaussian, TOLERANCE};
use embedding::lists::{Lists, NEW};
use gpu::stage::{Slot, Stage};
use vectors::Vectors;

/// Largest difference of a probability: both stop when the entropy is right to [`TOLERANCE`], perhaps one step of
/// Newton's method apart; where two neighbours are much nearer than all others, widths far apart are right.
const PROBABILITY_ERROR: f32 = 20.0 * TOLERANCE;
/// Largest difference of a weight, as a share of it: WGSL grants exp(x) 3 + 2·|x| units in the last place.
const WEIGHT_ERROR: f32 = 2e-5;
/// Weights below this are as good as zero.
const NO_WEIGHT: f32 = 1e-9;
/// Generation of the settings of an engine that was just made.
const GENERATION: f32 = 1.0;

const SYMMETRISE: [Stage; 6] =
    [Stage::Count, Stage::ScanBlocks, Stage::ScanSums, Stage::ScanRows, Stage::Fill, Stage::Symmetrise];

fn settings(perplexity: f32) -> Settings {
    Settings { perplexity, perplexity_range: native::RANGE, hd_neighbours: Some(20), ..Settings::default() }
}

/// A Gaussian as `shared/gaussian.wgsl` lays it out.
fn gpu_gaussian(gaussian: &Gaussian, generation: f32) -> [f32; 8] {
    let Gaussian { beta: [a, b, c], nearest, inverse_sum: [d, e, f] } = *gaussian;
    [a, b, c, generation, d, e, f, nearest]
}

/// Calibrates rows with these marks, from Gaussians that were there before.
fn calibrate(bench: &mut Bench, hd: &mut Lists, marks: &[u32], before: &[[f32; 8]]) -> Vec<[f32; 8]> {
    bench.write_lists(hd);
    bench.write(Slot::Marks, marks);
    bench.write(Slot::Gaussians, before);
    bench.run(&[Stage::Calibrate]);
    bench.read(Slot::Gaussians)
}

fn gaussians_agree(hd: &Lists, found: &[[f32; 8]], expected: &[Gaussian]) -> Result<(), String> {
    for (point, (&[a, b, c, generation, d, e, f, nearest], expected)) in found.iter().zip(expected).enumerate() {
        let there = Gaussian { beta: [a, b, c], nearest, inverse_sum: [d, e, f] };
        let mut distances = hd.distances(point).iter().filter(|distance| distance.is_finite());
        let apart = |&distance: &f32| (there.p(distance) - expected.p(distance)).abs();
        let wrong = distances.any(|distance| apart(distance).is_nan() || apart(distance) > PROBABILITY_ERROR);
        if wrong || nearest != expected.nearest || generation != GENERATION {
            return Err(format!("row {point} is {there:?} of {generation} instead of {expected:?}"));
        }
    }
    Ok(())
}

#[test]
fn widths_give_the_native_probabilities() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(2, 2, 1), &settings(5.0));
    for (case, vectors) in data::exact_cases().into_iter().chain([("cloud".to_owned(), data::cloud(300, 5, 3))]) {
        for perplexity in [1.0, 2.5, 12.0, 40.0] {
            bench.replace(vectors.clone(), &settings(perplexity));
            let points = bench.points();
            // Three empty places at the end of each row, and rows of nothing.
            let mut hd = native::exact_lists(&bench.space(), bench.k().saturating_sub(3).max(1));
            hd.resize(bench.k());
            hd.rows_mut().1[..bench.k()].fill(f32::INFINITY);
            let expected = native::calibrated(&hd, points, perplexity);
            let case = format!("{case}, perplexity {perplexity}");
            let (marks, cold) = (vec![DIRTY | FRESH; points], vec![[0.0; 8]; points]);
            let found = calibrate(&mut bench, &mut hd, &marks, &cold);
            assert_eq!(gaussians_agree(&hd, &found, &expected), Ok(()), "{case}");
            assert!(bench.read::<u32>(Slot::Marks).iter().all(|&marks| marks == FRESH), "{case}");
            let warm: Vec<[f32; 8]> =
                found.iter().map(|&[a, b, c, ..]| [a * 30.0, b * 30.0, c * 30.0, 0.0, 0.0, 0.0, 0.0, 0.0]).collect();
            let again = calibrate(&mut bench, &mut hd, &marks, &warm);
            assert_eq!(gaussians_agree(&hd, &again, &expected), Ok(()), "{case}, from a wrong width");

            if points > 64 && perplexity > 1.0 && perplexity < 17.0 && case.starts_with(char::is_numeric) {
                let mut other = hd.clone();
                other.rows_mut().1.iter_mut().skip(points / 2 * bench.k()).take(4).for_each(|d| *d *= 0.5);
                let found = calibrate(&mut bench, &mut other, &marks, &cold);
                assert!(gaussians_agree(&hd, &found, &expected).is_err(), "other distances go unnoticed: {case}");
            }
        }
    }
}

#[test]
fn only_rows_that_changed_are_calibrated() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(200, 5, 3), &settings(6.0));
    let mut hd = native::exact_lists(&bench.space(), bench.k());
    let expected = native::calibrated(&hd, 200, 6.0);
    let stale = [7.0, 8.0, 9.0, GENERATION, 1.0, 2.0, 3.0, 4.0];
    let marks: Vec<u32> = (0..200).map(|point| if point % 3 == 0 { DIRTY } else { FRESH }).collect();
    // A row of another generation is out of date whatever its mark says.
    let before: Vec<[f32; 8]> = (0..200).map(|p| if p == 100 { [0.0; 8] } else { stale }).collect();
    let found = calibrate(&mut bench, &mut hd, &marks, &before);
    for (point, found) in found.iter().enumerate() {
        if point % 3 == 0 || point == 100 {
            let close = (found[1] / expected[point].beta[1] - 1.0).abs() < 100.0 * TOLERANCE;
            assert!(close && found[3] == GENERATION, "row {point}: {found:?} {:?}", expected[point]);
        } else {
            assert_eq!(*found, stale, "row {point}");
        }
    }
    let left: Vec<u32> = (0..200).map(|point| if point % 3 == 0 { 0 } else { FRESH }).collect();
    assert_eq!(bench.read::<u32>(Slot::Marks), left);
}

/// Rows of the affinities as the GPU has them.
fn rows(bench: &mut Bench) -> Vec<Vec<(u32, f32)>> {
    let (neighbours, weights) = (bench.read::<u32>(Slot::EdgeNeighbours), bench.read::<f32>(Slot::EdgeWeights));
    let row = |&[start, length]: &[u32; 2]| {
        let range = start as usize..(start + length) as usize;
        neighbours[range.clone()].iter().copied().zip(weights[range].iter().copied()).collect()
    };
    bench.read::<[u32; 2]>(Slot::Rows).iter().map(row).collect()
}

fn affinities_agree(found: &[Vec<(u32, f32)>], expected: &Affinities) -> Result<(), String> {
    for (point, found) in found.iter().enumerate() {
        let (neighbours, weights) = expected.row(point);
        if !found.iter().map(|edge| &edge.0).eq(neighbours) {
            return Err(format!("row {point} names {found:?} instead of {neighbours:?}"));
        }
        for (&(neighbour, weight), &expected) in found.iter().zip(weights) {
            let error = (weight - expected).abs();
            if error.is_nan() || error > WEIGHT_ERROR * expected + NO_WEIGHT {
                return Err(format!("{point} and {neighbour} weigh {weight} instead of {expected}"));
            }
        }
    }
    Ok(())
}

/// Symmetrises on both backends, twice on the GPU.
fn compare_affinities(bench: &mut Bench, hd: &mut Lists, case: &str) -> Affinities {
    let points = bench.points();
    let gaussians = native::calibrated(hd, points, 4.0);
    let expected = native::affinities(hd, &gaussians);
    let uploaded: Vec<[f32; 8]> = gaussians.iter().map(|gaussian| gpu_gaussian(gaussian, GENERATION)).collect();
    bench.write_lists(hd);
    bench.write(Slot::Gaussians, &uploaded);
    bench.run(&SYMMETRISE);
    let found = rows(bench);
    assert_eq!(affinities_agree(&found, &expected), Ok(()), "{case}");
    assert!(bench.read::<u32>(Slot::Counts).iter().all(|&count| count == 0), "{case}");
    bench.run(&SYMMETRISE);
    assert!(rows(bench) == found, "a second time is not as the first: {case}");

    let mut other = uploaded;
    let some = (0..points).rfind(|&point| hd.neighbours(point).next().is_some()).expect("a row with neighbours");
    other[some][5] *= 1.05; // of the Gaussian in the middle
    bench.write(Slot::Gaussians, &other);
    bench.run(&SYMMETRISE);
    assert!(affinities_agree(&rows(bench), &expected).is_err(), "another Gaussian goes unnoticed: {case}");
    expected
}

#[test]
fn affinities_are_the_native_ones() {
    let Some(adapter) = open_adapter() else { return };
    let mut bench = Bench::new(&adapter, data::cloud(2, 2, 1), &settings(4.0));
    let more = [
        ("cloud", data::cloud(300, 5, 3)),
        ("a whole block", data::whole_numbers(1024, 2, 4)),
        ("several blocks", data::whole_numbers(3000, 2, 4)),
    ];
    for (case, vectors) in data::exact_cases().into_iter().chain(more.map(|(case, data)| (case.to_owned(), data))) {
        bench.replace(vectors, &settings(4.0));
        let (points, k) = (bench.points(), bench.k());
        // Some lists are not full, some are empty, and marks are no part of a name.
        let named = k.saturating_sub(2).max(1);
        let mut hd = native::lists_of(&bench.space(), &data::random_rows(points, named, 9), k);
        if points > 3 {
            let (entries, distances) = hd.rows_mut();
            entries[..2 * k].fill(embedding::lists::EMPTY);
            distances[..2 * k].fill(f32::INFINITY);
        }
        compare_affinities(&mut bench, &mut hd, &case);
    }
}

#[test]
fn a_point_that_everyone_names_has_a_long_row() {
    let Some(adapter) = open_adapter() else { return };
    for (points, hub) in [(1500, 700), (520, 0), (514, 513)] {
        let line: Vec<f32> = (0..points).map(|row| row as f32).collect();
        let mut bench = Bench::new(&adapter, Vectors::from_rows(&line, 1), &settings(4.0));
        let (k, points) = (bench.k(), points as u32);
        let mut hd = Lists::empty(points as usize, k);
        let (entries, distances) = hd.rows_mut();
        for (point, row) in (0..points).zip(entries.chunks_exact_mut(k)) {
            let others = (1..).map(|step| (point + step) % points).filter(|&other| other != hub);
            let named = (point != hub).then_some(hub).into_iter().chain(others);
            row.iter_mut().zip(named).for_each(|(entry, other)| *entry = other | NEW);
        }
        let ramp = |at: usize| 1.0 + (at % k) as f32 + 0.01 * ((at / k) % 7) as f32;
        distances.iter_mut().enumerate().for_each(|(at, distance)| *distance = ramp(at));
        let expected = compare_affinities(&mut bench, &mut hd, &format!("{points} points name {hub}"));
        assert_eq!(expected.row(hub as usize).0.len() as u32, points - 1);
    }
}
