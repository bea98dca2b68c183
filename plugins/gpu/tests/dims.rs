//! Fewer dimensions while a run goes on: nothing jumps, and it ends as a fresh run does.

use crate::support::{data, open_adapter};
use embedding::{SQUEEZE, Settings};
use gpu::{GpuEngine, OpenAdapter};
use quality::{EvaluateOptions, evaluate};
use vectors::{Metric, Space, Vectors};

const ROWS: usize = 400;
const GROWN: u32 = 250;
/// By how much less an embedding that was squeezed may keep of the neighbourhoods than a fresh one.
const MAX_LOSS: f64 = 0.02;

fn grown(adapter: &OpenAdapter, dims: usize) -> GpuEngine {
    let settings = Settings { dims, early_iterations: 50, ..Settings::for_rows(ROWS) };
    let mut engine = GpuEngine::new(adapter, data::digits(ROWS), settings, None).expect("an engine");
    run(&mut engine, GROWN);
    engine
}

fn run(engine: &mut GpuEngine, iterations: u32) {
    engine.run(iterations, |_| {}).expect("a run");
}

fn auc(engine: &mut GpuEngine) -> f64 {
    let positions = engine.positions().expect("positions");
    let ld = Space::new(Vectors::from_rows(&positions, engine.dims()), Metric::Euclidean);
    let hd = Space::new(data::digits(ROWS), Metric::Euclidean);
    let options = EvaluateOptions { queries: ROWS, max_k: 200, ..EvaluateOptions::default() };
    evaluate(&hd, &ld, &options, &|_, _| ()).expect("rows match").auc
}

/// How far the farthest point goes, seen in three dimensions, as a share of the size.
fn largest_step(before: &[[f32; 3]], after: &[[f32; 3]], size: f32) -> f32 {
    let squared = |(a, b): (&[f32; 3], &[f32; 3])| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
    before.iter().zip(after).map(squared).fold(0.0, f32::max).sqrt() / size
}

fn places(engine: &mut GpuEngine) -> Vec<[f32; 3]> {
    let positions = engine.positions().expect("positions");
    let deep = engine.dims() == 3;
    let place = |row: &[f32]| [row[0], row[1], if deep { row[2] } else { 0.0 }];
    positions.chunks_exact(engine.dims()).map(place).collect()
}

#[test]
fn an_axis_is_squeezed_out_without_a_jump_and_without_a_loss() {
    let Some(adapter) = open_adapter() else { return };
    let mut engine = grown(&adapter, 3);
    let size = engine.statistics().expect("statistics").size;
    let mut before = places(&mut engine);
    let dropped: Vec<[f32; 3]> = before.iter().map(|&[x, y, _]| [x, y, 0.0]).collect();
    let jump = largest_step(&before, &dropped, size); // what dropping the axis at once would do
    engine.set_settings(Settings { dims: 2, ..engine.settings().clone() }).expect("settings that fit");
    let (mut largest, mut steps) = (0.0_f32, 0);
    while engine.dims() == 3 {
        assert!(steps < SQUEEZE, "the axis is still there after {steps} steps");
        run(&mut engine, 1);
        let after = places(&mut engine);
        largest = largest.max(largest_step(&before, &after, size));
        (before, steps) = (after, steps + 1);
    }
    assert_eq!(steps, SQUEEZE);
    assert!(largest < jump / 5.0, "a step of {largest}, and of {jump} at once");
    run(&mut engine, GROWN);
    let (squeezed, fresh) = (auc(&mut engine), auc(&mut grown(&adapter, 2)));
    println!("3 to 2: largest step {largest:.3}, at once {jump:.3}; AUC {squeezed:.3}, fresh {fresh:.3}");
    assert!(squeezed > fresh - MAX_LOSS, "AUC {squeezed} after the squeeze, {fresh} of a fresh start");
}

#[test]
fn a_squeeze_is_the_same_however_many_iterations_a_frame_has() {
    let Some(adapter) = open_adapter() else { return };
    let after = |pieces: &[u32]| {
        let mut engine = grown(&adapter, 5);
        engine.set_settings(Settings { dims: 2, ..engine.settings().clone() }).expect("settings that fit");
        pieces.iter().for_each(|&iterations| run(&mut engine, iterations));
        let positions = engine.positions().expect("positions");
        assert_eq!(engine.dims(), 2);
        positions
    };
    assert!(after(&[60]) == after(&[7, 33, 20]), "pieces of a run add up to another run");
}

#[test]
fn a_reset_has_no_axes_that_could_leave() {
    let Some(adapter) = open_adapter() else { return };
    let mut engine = grown(&adapter, 6);
    engine.set_settings(Settings { dims: 2, ..engine.settings().clone() }).expect("settings that fit");
    run(&mut engine, 10);
    engine.reset();
    run(&mut engine, 10);
    let positions = engine.positions().expect("positions");
    assert_eq!((engine.dims(), positions.len()), (2, 2 * ROWS));
    assert!(positions.iter().all(|value| value.is_finite()));
}
