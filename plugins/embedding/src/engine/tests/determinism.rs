//! Same seed, same bits, whatever the number of threads.

use super::*;
use crate::settings::Init;

/// Bits of the positions, and the neighbours, after a run on so many threads.
fn outcome(threads: usize, vectors: &Vectors, settings: &Settings, iterations: u32) -> (Vec<u32>, Vec<u32>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool can be built");
    pool.install(|| {
        let mut engine = engine(vectors.clone(), settings.clone());
        run(&mut engine, iterations);
        (engine.positions().into_iter().map(f32::to_bits).collect(), engine.neighbours().0)
    })
}

fn check(rows: usize, settings: Settings, iterations: u32) {
    let vectors = blobs(9, rows, 20, 51);
    let one = outcome(1, &vectors, &settings, iterations);
    for threads in [2, 3] {
        let other = outcome(threads, &vectors, &settings, iterations);
        assert!(other.0 == one.0, "{threads} threads move the points of {rows} differently");
        assert!(other.1 == one.1, "{threads} threads find other neighbours among {rows}");
    }
    let reseeded = Settings { seed: settings.seed + (1 << 40), ..settings };
    assert!(outcome(2, &vectors, &reseeded, iterations).0 != one.0, "the seed makes no difference");
}

#[test]
fn threads_leave_no_trace() {
    check(2500, Settings { start_projections: 6, ..Settings::default() }, 60);
}

#[test]
fn threads_leave_no_trace_in_three_dimensions_with_heavy_tails() {
    let settings = Settings { dims: 3, alpha: 0.7, start_projections: 4, init: Init::Random, ..Settings::default() };
    check(1100, settings, 60);
}

#[test]
fn threads_leave_no_trace_when_the_push_is_sampled() {
    for (dims, iterations) in [(2, 20), (6, 10)] {
        check(4200, Settings { dims, start_projections: 2, far_samples: 300, ..Settings::default() }, iterations);
    }
}
