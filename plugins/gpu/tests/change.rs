//! The stages that change a run without restarting it, against what the native engine does.

use crate::support::bench::{Bench, DIRTY, FRESH, HUNGRY};
use crate::support::{data, native, open_adapter, relative_error};
use embedding::cpu::forces::position_stride;
use embedding::cpu::forget::{GONE, MOVED, forget_hd};
use embedding::descent::Descent;
use embedding::lists::{EMPTY, Lists, POINT};
use embedding::search::Search;
use embedding::start::resized_ld_lists;
use embedding::{SQUEEZE, Settings};
use gpu::params::{Control, marks};
use gpu::stage::{Slot, Stage};
use vectors::Metric;

/// Largest difference of a distance, as a share of the largest: sums in another order.
const DISTANCE_ERROR: f64 = 2e-6;
/// Largest difference of a position, as a share of the largest: the size that everything is scaled by is a sum of
/// squares in single precision, and noise goes through a logarithm and a cosine.
const POSITION_ERROR: f64 = 1e-5;

fn change(bench: &mut Bench, settings: &Settings) {
    bench.engine.set_settings(settings.clone()).expect("settings that fit");
}

#[test]
fn lists_of_another_length_are_the_native_ones() {
    let Some(adapter) = open_adapter() else { return };
    let settings = |k| Settings { hd_neighbours: Some(k), ..Settings::default() };
    for points in [6, 65, 300] {
        let mut bench = Bench::new(&adapter, data::whole_numbers(points, 4, 3), &settings(9));
        let mut hd = native::lists_of(&bench.space(), &data::random_rows(points, 5.min(points - 1), 4), bench.k());
        hd.rows_mut().0.iter_mut().step_by(2).for_each(|entry| *entry &= POINT); // half of them looked at
        bench.write_lists(&mut hd);
        for k in [9, 20, 13, 4, 8] {
            let (before, longer) = (bench.read_lists(), settings(k).hd_list_length(points) > bench.k());
            bench.write(Slot::Marks, &vec![0_u32; points]);
            bench.read::<u32>(Slot::Marks);
            let changes = settings(k).hd_list_length(points) != bench.k();
            change(&mut bench, &settings(k));
            let mut expected = before.clone();
            expected.resize(bench.k());
            if longer {
                expected.mark_all_new();
            }
            assert!(bench.read_lists() == expected, "{points} points, K {k}");
            let marks = if longer {
                DIRTY | FRESH
            } else if changes {
                DIRTY
            } else {
                0
            };
            assert!(bench.read::<u32>(Slot::Marks).iter().all(|&there| there == marks), "{points} points, K {k}");
            let mut other = before;
            other.rows_mut().1[0] += 1.0;
            other.resize(bench.k());
            assert!(bench.read_lists() != other, "another distance goes unnoticed");
        }
    }
}

fn distances(lists: &mut Lists) -> Vec<f32> {
    lists.rows_mut().1.iter().map(|&distance| if distance.is_finite() { distance } else { -1.0 }).collect()
}

#[test]
fn lists_under_another_metric_are_measured_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings { hd_neighbours: Some(12), ..Settings::default() };
    let cases = [data::cloud(150, 7, 1), data::with_zero_rows(65, 5, 2), data::duplicates(64, 9, 3), data::digits(400)];
    let mut bench = Bench::new(&adapter, data::cloud(2, 2, 1), &settings);
    for vectors in cases {
        for metric in Metric::ALL {
            let from = if metric == Metric::Euclidean { Metric::Cosine } else { Metric::Euclidean };
            bench.replace(vectors.clone(), &Settings { metric: from, ..settings.clone() });
            let (points, k) = (bench.points(), bench.k());
            let case = format!("{points} rows, from {from} to {metric}");
            let hd = native::lists_of(&bench.space(), &data::random_rows(points, 10, 4), k);
            bench.write_lists(&mut hd.clone());
            bench.read::<u32>(Slot::Marks);
            change(&mut bench, &Settings { metric, ..settings.clone() });
            let space = bench.space();
            let mut search = Search::new(&space, k, 1);
            search.hd = hd;
            search.remeasure(&space);
            let mut found = bench.read_lists();
            let expected = distances(&mut search.hd);
            let error = relative_error(&distances(&mut found), &expected);
            assert!(error < DISTANCE_ERROR, "distances are off by {error:e}: {case}");
            for point in 0..points {
                let names = |lists: &Lists| {
                    let mut names = lists.entries(point).to_vec();
                    names.sort_unstable();
                    names
                };
                assert_eq!(names(&found), names(&search.hd), "row {point}: {case}");
                let named = found.entries(point).iter().zip(found.distances(point));
                let measured: Vec<f32> = named
                    .clone()
                    .filter(|(entry, _)| **entry & POINT != EMPTY)
                    .map(|(entry, _)| space.squared_distance(point, (entry & POINT) as usize))
                    .collect();
                let there: Vec<f32> = named.map(|(_, &distance)| distance).take(measured.len()).collect();
                assert!(relative_error(&there, &measured) < 100.0 * DISTANCE_ERROR, "row {point}: {case}");
                assert!(there.is_sorted(), "row {point}: {case}");
            }
            assert!(bench.read::<u32>(Slot::Marks).iter().all(|marks| marks & (DIRTY | FRESH) == DIRTY | FRESH));
            assert!(bench.read::<f32>(Slot::Gaussians).iter().all(|&value| value == 0.0), "{case}");
            assert_eq!(bench.control().rate, 1.0);
            let before: Vec<f32> = expected.iter().map(|distance| distance * 1.01).collect();
            assert!(relative_error(&distances(&mut found), &before) > DISTANCE_ERROR, "nothing is compared: {case}");
        }
    }
}

#[test]
fn lists_in_the_embedding_of_another_length_are_the_native_ones() {
    let Some(adapter) = open_adapter() else { return };
    let settings = |length| Settings { ld_neighbours: length, hd_neighbours: Some(6), ..Settings::default() };
    for points in [2, 5, 64, 300] {
        let mut bench = Bench::new(&adapter, data::whole_numbers(points, 4, 3), &settings(10));
        bench.write(Slot::Ld, &data::random_rows(points, bench.ld_length(), 5));
        for length in [30, 4, 100, 10] {
            let (before, before_length) = (bench.read::<u32>(Slot::Ld), bench.ld_length());
            let (hd, alive) = (bench.read_lists(), vec![true; points]);
            change(&mut bench, &settings(length));
            let expected = resized_ld_lists(&before, before_length, &hd, bench.ld_length(), &alive, bench.seed());
            assert_eq!(bench.read::<u32>(Slot::Ld), expected, "{points} points, {length} in the embedding");
            if points > 64 && bench.ld_length() > before_length {
                let other = resized_ld_lists(&before, before_length, &hd, bench.ld_length(), &alive, bench.seed() + 1);
                assert!(length < 20 || bench.read::<u32>(Slot::Ld) != other, "another seed goes unnoticed");
            }
        }
    }
}

/// Positions of all points, some way from the origin.
fn positions(points: usize, dims: usize) -> Vec<f32> {
    let stride = position_stride(dims);
    let mut positions = vec![0.0; points * stride];
    for (row, noise) in positions.chunks_exact_mut(stride).zip(data::noise(points * dims, 5).chunks_exact(dims)) {
        row.iter_mut().zip(noise).for_each(|(value, noise)| *value = 3.0 * noise + 1.0);
    }
    positions
}

#[test]
fn more_or_fewer_dimensions_keep_what_they_can() {
    let Some(adapter) = open_adapter() else { return };
    let settings = |dims| Settings { dims, ..Settings::default() };
    let (points, alive) = (130, [true; 130]);
    let mut bench = Bench::new(&adapter, data::cloud(points, 4, 3), &settings(2));
    let mut native = Descent::new(positions(points, 2), &settings(2), bench.seed());
    bench.write_positions(Slot::Positions, &positions(points, 2));
    let velocity = positions(points, 2);
    bench.write_positions(Slot::Velocity, &velocity);
    bench.read::<u32>(Slot::Marks);
    for dims in [3, 2, 1, 4, 6, 9, 2] {
        change(&mut bench, &settings(dims));
        native.set_dims(dims, &alive);
        for step in 0.. {
            if step % 9 == 0 {
                let error = relative_error(&bench.read_positions(Slot::Positions), &native.positions);
                assert!(error < POSITION_ERROR, "step {step} towards {dims}-D is off by {error:e}");
            }
            if !native.squeeze(&alive) {
                break;
            }
            bench.engine.squeeze().expect("a step");
        }
        assert_eq!(native.dims(), dims);
        let found = bench.read_positions(Slot::Positions);
        let error = relative_error(&found, &native.positions);
        assert!(error < POSITION_ERROR, "positions in {dims}-D are off by {error:e}");
        let moves = bench.read_positions(Slot::Velocity);
        let stride = position_stride(dims);
        for point in 0..points {
            // The first axis was there all the time; the third and those after it were at rest.
            assert_eq!(moves[point * stride], velocity[2 * point], "{dims}-D");
            assert!(moves[point * stride..][..dims].iter().skip(2).all(|&value| value == 0.0), "{dims}-D");
        }
        let mut other = native.positions.clone();
        other[stride * 64] += 0.01;
        assert!(relative_error(&found, &other) > POSITION_ERROR, "another position goes unnoticed");
    }
}

#[test]
fn implosions_and_explosions_are_the_native_ones() {
    const ALIVE: [bool; 130] = [true; 130];
    let Some(adapter) = open_adapter() else { return };
    for dims in [2, 3] {
        let settings = Settings { dims, ..Settings::default() };
        let mut bench = Bench::new(&adapter, data::cloud(130, 4, 3), &settings);
        let mut native = Descent::new(positions(130, dims), &settings, 1);
        bench.write_positions(Slot::Positions, &positions(130, dims));
        bench.write_positions(Slot::Velocity, &positions(130, dims));
        bench.read::<u32>(Slot::Marks);
        // Beyond the second explosion the size stays where it is; likewise beyond the third implosion.
        for factor in [1000.0, 1000.0, 1000.0, 0.001, 0.001, 0.001, 0.001, 0.001] {
            if factor > 1.0 {
                bench.engine.explode()
            } else {
                bench.engine.implode()
            }
            native.scale(factor, &ALIVE, 1.0);
            let found = bench.read_positions(Slot::Positions);
            let error = relative_error(&found, &native.positions);
            assert!(error < POSITION_ERROR, "off by {error:e} at a size of {}", native.size(&ALIVE));
            assert!(bench.read::<f32>(Slot::Velocity).iter().all(|&value| value == 0.0));
        }
        native.scale(1.01, &ALIVE, 1.0);
        assert!(relative_error(&bench.read_positions(Slot::Positions), &native.positions) > POSITION_ERROR);
    }
}

#[test]
fn two_changes_at_once_are_both_made() {
    let Some(adapter) = open_adapter() else { return };
    let settings = |k, dims| Settings { hd_neighbours: Some(k), dims, ..Settings::default() };
    let mut bench = Bench::new(&adapter, data::whole_numbers(100, 4, 3), &settings(10, 2));
    let before = bench.read_lists();
    let placed = bench.read_positions(Slot::Positions);
    // Sent together, without a frame in between: each must see what the one before it left.
    for (k, dims) in [(20, 3), (7, 2)] {
        bench.engine.send(gpu::command::Command::Settings(Box::new(settings(k, dims))));
    }
    bench.engine.explode();
    bench.engine.implode();
    change(&mut bench, &settings(12, 2));
    let mut expected = before;
    for k in [20, 7, 12] {
        let longer = k > expected.k();
        expected.resize(k);
        if longer {
            expected.mark_all_new();
        }
    }
    assert!(bench.read_lists() == expected, "lists are not what three changes make of them");
    (0..SQUEEZE).for_each(|_| bench.engine.squeeze().expect("a step")); // the third axis leaves
    let error = relative_error(&bench.read_positions(Slot::Positions), &placed);
    assert!(error < POSITION_ERROR, "positions are off by {error:e}");
}

#[test]
fn lists_forget_who_left_and_measure_who_changed_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings { hd_neighbours: Some(12), ..Settings::default() };
    for (points, every) in [(65, 5), (300, 7), (300, 2)] {
        let mut bench = Bench::new(&adapter, data::whole_numbers(points, 4, 3), &settings);
        let space = bench.space();
        let moved = |point: usize| point.is_multiple_of(every);
        let how = |point: usize| if moved(point) { MOVED } else { u8::from(point % every == 1) * GONE };
        let touched: Vec<u8> = (0..points).map(how).collect();
        // The distances of those who have changed are of the data before.
        let mut before = space.clone();
        (0..points).filter(|&point| moved(point)).for_each(|point| before.put(point, &[7.0, -3.0, 50.0, 1.0]));
        let mut hd = native::lists_of(&before, &data::random_rows(points, 10, 4), bench.k());
        hd.rows_mut().0.iter_mut().step_by(2).for_each(|entry| *entry &= POINT);
        let (mut expected, mut dirty, mut hungry) = (hd.clone(), vec![false; points], vec![false; points]);
        forget_hd(&space, &touched, &mut expected, &mut dirty, &mut hungry);
        assert!(hungry.contains(&true), "nobody has lost much");
        let marked = touched.iter().map(|&how| match how {
            GONE => marks::DEAD,
            MOVED => marks::CHANGED,
            _ => 0,
        });
        bench.write_lists(&mut hd);
        bench.write(Slot::Marks, &marked.collect::<Vec<u32>>());
        bench.write(Slot::Control, &[Control { generation: 5, ..bench.slice_control(0, 9, 3) }]);
        bench.run(&[Stage::Forget]);
        assert!(bench.read_lists() == expected, "{points} points, every {every}th");
        assert!(bench.read_lists() != hd, "nothing is compared");
        for (point, there) in bench.read::<u32>(Slot::Marks).into_iter().enumerate() {
            assert_eq!(there & DIRTY != 0, dirty[point] || touched[point] == GONE, "row {point}");
            assert_eq!(there & HUNGRY != 0, hungry[point], "row {point}");
        }
        let control = bench.control();
        assert_eq!((control.generation, control.slice_length), (0, 0), "affinities would wait");
    }
}
