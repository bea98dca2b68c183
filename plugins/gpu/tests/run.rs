//! Whole runs.

use gpu::{GpuEngine, adapter};
use vectors::Vectors;

#[test]
fn a_run_on_the_gpu_ends_where_a_native_one_does() {
    let open = adapter::open(None).expect("an adapter");
    println!("adapter: {}", open.summary.name);
    let mut vectors = Vectors::with_capacity(300, 5);
    for row in 0..300_u32 {
        let value =
            |axis| (embedding::random::hash(1, 2, row, axis) % 100) as f32 + 500.0 * (row % 5 == axis) as u8 as f32;
        vectors.push(&(0..5).map(value).collect::<Vec<_>>());
    }
    let settings = embedding::Settings::for_rows(300);
    let mut engine = GpuEngine::new(&open, vectors.clone(), settings.clone(), None).expect("an engine");
    engine.run(60, |_| {}).expect("a run");
    let mut native = embedding::Engine::new(vectors, settings).expect("an engine");
    (0..60).for_each(|_| native.step());
    let (gpu, cpu) = (engine.statistics().expect("statistics"), native.statistics());
    assert!((gpu.size / cpu.size - 1.0).abs() < 0.05, "{gpu:?} {cpu:?}");
}
