//! Not a test of time, but a way to see it:
//! `cargo test --release -p clusters --test integration timing -- --ignored --nocapture --test-threads 1`

use crate::scenes::{Noise, Scene};
use clusters::{ClusterOptions, Grower, dbscan};
use std::time::Instant;

fn time<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what}: {:.3} s", start.elapsed().as_secs_f64());
    result
}

fn look(what: &str, scene: &Scene, granularities: &[f32]) {
    for &granularity in granularities {
        let options = ClusterOptions { granularity, ..ClusterOptions::default() };
        let clusters = time(&format!("{what}, granularity {granularity}"), || {
            dbscan(scene.positions(), &options, &|| false).unwrap()
        });
        println!("  {} clusters, {} rows of noise", clusters.sizes.len(), clusters.noise);
    }
}

#[test]
#[ignore = "takes a minute and asserts nothing"]
fn timing_in_few_dimensions() {
    for rows in [70_000, 1_000_000] {
        for dims in [2, 3, 4] {
            let scene = Scene::blobs(rows, dims, 1);
            look(&format!("dbscan {rows} × {dims}"), &scene, &[1.0, 10.0, 0.1]);
            let grower = time("Grower::new", || Grower::new(scene.positions(), 10));
            for granularity in [1.0, 3.0, 0.1] {
                let grown = time("grow", || grower.grow(0, granularity, &|| false).unwrap());
                println!("  {} rows at granularity {granularity}", grown.len());
            }
        }
    }
}

#[test]
#[ignore = "takes minutes and asserts nothing"]
fn timing_in_many_dimensions() {
    for dims in [6, 16, 64] {
        let scene = Scene::blobs(70_000, dims, 1);
        look(&format!("dbscan 70000 × {dims}"), &scene, &[1.0, 0.5]);
    }
    let mut noise = Noise::new(1);
    let scene = Scene { values: (0..70_000 * 64).map(|_| noise.normal()).collect(), dims: 64 };
    look("dbscan 70000 × 64 without structure", &scene, &[1.0, 1.3]);
}
