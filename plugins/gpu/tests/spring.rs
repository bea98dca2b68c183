//! Runs with a spring to the principal axes: they keep the shape of the whole as native ones do, through all changes.

use crate::support::{data, open_adapter};
use embedding::{Engine, Init, SQUEEZE, Settings};
use gpu::GpuEngine;
use gpu::stage::Slot;
use vectors::Vectors;

const ROWS: usize = 300;
/// Iterations until the spring has drawn points from a random start to where it wants them.
const GROWN: u32 = 200;
/// How well axes of the embedding follow those of the data where a spring holds them (a correlation).
const HELD: f32 = 0.85;
/// How far that may be from the native run's: the same forces, rounded differently, for many iterations.
const AGREEMENT: f32 = 0.05;

/// A cloud that is longest along its first column and shorter along its second.
fn long_cloud() -> Vectors {
    let mut vectors = data::cloud(ROWS, 5, 1);
    for row in 0..ROWS {
        vectors.row_mut(row)[0] *= 9.0;
        vectors.row_mut(row)[1] *= 4.0;
    }
    vectors
}

fn settings(spring: f32) -> Settings {
    // The start knows nothing of the axes; every pair is summed on both backends, and both begin with one tree.
    Settings {
        spring,
        init: Init::Random,
        early_iterations: 30,
        opening: 0.0,
        start_projections: 1,
        hd_neighbours: Some(32),
        ..Settings::for_rows(ROWS)
    }
}

/// The smaller of the correlations of the first two axes with the first two columns.
fn held(positions: &[f32]) -> f32 {
    let (vectors, dims) = (long_cloud(), positions.len() / ROWS);
    let correlation = |axis: usize| {
        let pairs = || (0..ROWS).map(|row| (positions[row * dims + axis], vectors.row(row)[axis]));
        let mean = |of: &dyn Fn((f32, f32)) -> f32| pairs().map(of).sum::<f32>() / ROWS as f32;
        let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
        let product = mean(&|pair| (pair.0 - x) * (pair.1 - y));
        product / (mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2))).sqrt()
    };
    correlation(0).min(correlation(1))
}

fn run(engine: &mut GpuEngine, iterations: u32) -> f32 {
    engine.run(iterations, |_| {}).expect("a run");
    held(&engine.positions().expect("positions"))
}

#[test]
fn a_spring_holds_the_shape_of_the_whole_as_natively() {
    let Some(adapter) = open_adapter() else { return };
    let mut engine = GpuEngine::new(&adapter, long_cloud(), settings(0.5), None).expect("an engine");
    let with = run(&mut engine, GROWN);
    let mut twin = Engine::new(long_cloud(), settings(0.5)).expect("an engine");
    (0..GROWN).for_each(|_| twin.step());
    let natively = held(&twin.positions());
    assert!(with > HELD && (with - natively).abs() < AGREEMENT, "{with}, natively {natively}");
    engine.replace_data(long_cloud(), settings(0.0)).expect("other settings");
    let without = run(&mut engine, GROWN);
    assert!(without < HELD - AGREEMENT, "{without} without a spring");
    // Switched on while it runs.
    engine.set_settings(settings(0.5)).expect("settings that fit");
    let later = run(&mut engine, GROWN);
    assert!(later > HELD, "{later} once it is there");
}

#[test]
fn a_spring_goes_through_dimensions_resets_rows_and_lost_devices() {
    let Some(adapter) = open_adapter() else { return };
    let mut engine = GpuEngine::new(&adapter, long_cloud(), settings(0.5), None).expect("an engine");
    run(&mut engine, GROWN);
    engine.set_settings(Settings { dims: 3, ..settings(0.5) }).expect("settings that fit");
    let deeper = run(&mut engine, GROWN / 2);
    assert!(deeper > HELD && engine.dims() == 3, "{deeper} in three dimensions");
    engine.set_settings(settings(0.5)).expect("settings that fit");
    let flat = run(&mut engine, SQUEEZE + GROWN / 2);
    assert!(flat > HELD && engine.dims() == 2, "{flat} in two dimensions again");
    engine.lose_device();
    let again = run(&mut engine, GROWN / 2);
    assert!(again > HELD, "{again} on another device");
    engine.reset();
    let reset = run(&mut engine, GROWN);
    assert!(reset > HELD, "{reset} after a reset");
    // Rows that are replaced by others are drawn to where those belong.
    let (rows, vectors): (Vec<u32>, _) = ((0..ROWS as u32 / 2).collect(), long_cloud());
    engine.remove(&rows).expect("rows that live");
    engine.run(5, |_| {}).expect("a run");
    let mut back = Vectors::with_capacity(rows.len(), vectors.dims());
    rows.iter().for_each(|&row| back.push(vectors.row(row as usize)));
    engine.insert(&rows, &back).expect("rows that were there");
    let back = run(&mut engine, GROWN);
    assert!(back > HELD, "{back} after rows left and came back");
}

#[test]
fn runs_with_a_spring_are_the_same_whatever_the_frames() {
    let Some(adapter) = open_adapter() else { return };
    let placed = |engine: &mut GpuEngine| engine.fetch(&[Slot::Positions]).expect("a buffer");
    let mut first = GpuEngine::new(&adapter, long_cloud(), settings(0.5), None).expect("an engine");
    first.run(60, |_| {}).expect("a run");
    let expected = placed(&mut first);
    first.replace_data(long_cloud(), settings(0.5)).expect("the same data");
    (0..12).for_each(|_| first.run(5, |_| {}).expect("a run"));
    assert!(placed(&mut first) == expected, "frames of another length give another map");
    first.replace_data(long_cloud(), settings(0.4)).expect("the same data");
    first.run(60, |_| {}).expect("a run");
    assert!(placed(&mut first) != expected, "another spring goes unnoticed");
}
