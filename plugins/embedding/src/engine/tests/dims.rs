//! More or fewer dimensions while the embedding runs: nothing jumps, and what comes out is as good as a fresh start.

use super::*;
use crate::squeeze::SQUEEZE;
use quality::{EvaluateOptions, evaluate};

const ROWS: usize = 600;
/// Iterations after which an embedding of so few rows hardly changes.
const GROWN: u32 = 400;
/// By how much less an embedding that was squeezed may keep of the neighbourhoods than a fresh one.
const MAX_LOSS: f64 = 0.02;

fn grown(dims: usize) -> Engine {
    let mut engine =
        engine(blobs(6, ROWS, 12, 71), Settings { dims, early_iterations: 50, ..Settings::for_rows(ROWS) });
    run(&mut engine, GROWN);
    engine
}

fn wish(engine: &mut Engine, dims: usize) {
    let settings = Settings { dims, ..engine.settings.clone() };
    engine.set_settings(settings).expect("settings are right");
}

/// How far the farthest point goes, seen in up to three dimensions, as a share of the size.
fn largest_step(before: (&[f32], usize), after: (&[f32], usize), size: f32) -> f32 {
    let value = |(values, dims): (&[f32], usize), row: usize, axis: usize| {
        if axis < dims { values[row * dims + axis] } else { 0.0 }
    };
    let step =
        |row: usize| (0..3).map(|axis| (value(after, row, axis) - value(before, row, axis)).powi(2)).sum::<f32>();
    (0..ROWS).map(step).fold(0.0, f32::max).sqrt() / size
}

/// Steps up to where the dimensions have changed, and how far the largest of them went.
fn steps_until(engine: &mut Engine, dims: usize) -> (u32, f32) {
    let (mut steps, mut largest) = (0, 0.0_f32);
    while engine.dims() != dims {
        let (before, had, size) = (engine.positions(), engine.dims(), engine.statistics().size);
        engine.step();
        largest = largest.max(largest_step((&before, had), (&engine.positions(), engine.dims()), size));
        steps += 1;
        assert!(steps <= SQUEEZE, "{steps} steps do not suffice");
    }
    (steps, largest)
}

fn auc(engine: &Engine) -> f64 {
    let hd = Space::new(blobs(6, ROWS, 12, 71), Metric::Euclidean);
    let ld = Space::new(Vectors::from_rows(&engine.positions(), engine.dims()), Metric::Euclidean);
    let options = EvaluateOptions { queries: ROWS, max_k: 300, ..EvaluateOptions::default() };
    evaluate(&hd, &ld, &options, &|_, _| ()).expect("rows match").auc
}

#[test]
fn an_axis_is_squeezed_out_without_a_jump_and_without_a_loss() {
    let mut space = grown(3);
    let size = space.statistics().size;
    let all = space.positions();
    let dropped: Vec<f32> = all.chunks_exact(3).flat_map(|row| [row[0], row[1], 0.0]).collect();
    let jump = largest_step((&all, 3), (&dropped, 3), size); // what dropping the axis at once would do
    wish(&mut space, 2);
    assert_eq!((space.dims(), space.settings.dims), (3, 2));
    let (steps, largest) = steps_until(&mut space, 2);
    assert_eq!(steps, SQUEEZE);
    assert!(largest < jump / 5.0, "a step of {largest}, and of {jump} at once");
    run(&mut space, GROWN);
    let (squeezed, fresh) = (auc(&space), auc(&grown(2)));
    println!("3 to 2: largest step {largest:.3}, at once {jump:.3}; AUC {squeezed:.3}, fresh {fresh:.3}");
    assert!(squeezed > fresh - MAX_LOSS, "AUC {squeezed} after the squeeze, {fresh} of a fresh start");
}

#[test]
fn an_axis_is_opened_with_little_noise_and_used() {
    let mut flat = grown(2);
    let size = flat.statistics().size;
    let before = flat.positions();
    wish(&mut flat, 3);
    let opened = largest_step((&before, 2), (&flat.positions(), 3), size);
    assert!(opened > 0.0 && opened < 0.06, "opening an axis moves a point by {opened} of the size");
    let thickness = |engine: &Engine| {
        let depth: f32 = engine.positions().chunks_exact(3).map(|row| row[2] * row[2]).sum();
        (depth / ROWS as f32).sqrt() / engine.statistics().size
    };
    assert!(thickness(&flat) < 0.02);
    run(&mut flat, GROWN);
    assert!(thickness(&flat) > 0.03, "the third axis is not used: {}", thickness(&flat));
}

#[test]
fn dimensions_go_up_and_back_and_change_their_mind() {
    let mut engine = grown(8);
    wish(&mut engine, 3);
    run(&mut engine, 10);
    wish(&mut engine, 5); // fewer leave now, from the beginning
    assert_eq!(engine.dims(), 8);
    assert_eq!(steps_until(&mut engine, 5).0, SQUEEZE);
    wish(&mut engine, 2);
    run(&mut engine, 10);
    wish(&mut engine, 5); // nothing leaves after all
    run(&mut engine, SQUEEZE);
    assert_eq!(engine.dims(), 5);
    wish(&mut engine, 9);
    assert_eq!(engine.dims(), 9);
    wish(&mut engine, 2);
    run(&mut engine, 10);
    engine.reset(); // a new start has no axes that could leave
    assert_eq!((engine.dims(), engine.positions().len()), (2, 2 * ROWS));
    check_invariants(&engine, "after a reset");
    run(&mut engine, 20);
    check_invariants(&engine, "after a reset");
}

#[test]
fn embeddings_that_stand_still_lose_their_axes_too() {
    let mut engine = grown(4);
    wish(&mut engine, 2);
    let steps = (0..=SQUEEZE).take_while(|_| engine.squeeze()).count();
    assert_eq!((steps as u32, engine.dims(), engine.iteration()), (SQUEEZE, 2, GROWN));
    assert!(!engine.squeeze());
}
