//! Not a test of time, but a way to see it:
//! `cargo test --release -p quality --test integration timing -- --ignored --nocapture --test-threads 1`

use crate::naive::quiet;
use quality::{
    DistanceTrust, EmbeddingTree, EvaluateOptions, LiveOptions, LiveQuality, PerPointOptions, Trust,
    embedding_neighbours, evaluate, exact_neighbours, per_point,
};
use std::time::Instant;
use vectors::{Metric, Space, Vectors};

/// Cheap noise for many rows.
fn noisy(rows: usize, dims: usize, seed: u64) -> Space {
    let mut vectors = Vectors::zeros(rows, dims);
    let mut state = seed;
    for row in 0..rows {
        for value in vectors.row_mut(row) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *value = (state >> 40) as f32;
        }
    }
    Space::new(vectors, Metric::Euclidean)
}

#[test]
#[ignore = "takes minutes and asserts nothing"]
fn timing_of_evaluate() {
    for (rows, dims) in [(70_000, 50), (494_000, 50), (1_000_000, 48)] {
        let (hd, ld) = (noisy(rows, dims, 1), noisy(rows, 2, 2));
        let start = Instant::now();
        let found = evaluate(&hd, &ld, &EvaluateOptions::default(), &quiet).unwrap();
        println!("evaluate {rows} × {dims}: {:.2} s, AUC {:.4}", start.elapsed().as_secs_f64(), found.auc);
        let queries: Vec<u32> = (0..2000).collect();
        let start = Instant::now();
        let found = exact_neighbours(&hd, &queries, 32, &quiet);
        println!("exact_neighbours {rows} × {dims}: {:.2} s, {} lists", start.elapsed().as_secs_f64(), found.len());
    }
}

#[test]
#[ignore = "takes minutes and asserts nothing"]
fn timing_of_per_point() {
    for (rows, dims) in [(12_000, 50), (70_000, 50)] {
        let (hd, ld) = (noisy(rows, dims, 1), noisy(rows, 2, 2));
        let start = Instant::now();
        let found = per_point(&hd, &ld, &PerPointOptions::default(), &quiet).unwrap();
        let points = found.neighbourhood_kept.len();
        println!("per_point {rows} × {dims}: {:.2} s, {points} points", start.elapsed().as_secs_f64());
    }
}

#[test]
#[ignore = "takes minutes and asserts nothing"]
fn timing_with_many_duplicates() {
    let (rows, dims) = (494_000, 50);
    let mut vectors = noisy(rows, dims, 1).into_vectors();
    (0..rows).filter(|row| row % 5 < 3).for_each(|row| vectors.row_mut(row).fill(1.0));
    let (hd, ld) = (Space::new(vectors, Metric::Euclidean), noisy(rows, 2, 2));
    let start = Instant::now();
    let found = evaluate(&hd, &ld, &EvaluateOptions::default(), &quiet).unwrap();
    println!("evaluate, 296 400 equal rows of 494 000: {:.2} s, AUC {:.4}", start.elapsed().as_secs_f64(), found.auc);
}

#[test]
#[ignore = "takes minutes and asserts nothing"]
fn timing_of_a_live_view() {
    let time = |what: &str, rows: usize, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        println!("{what} {rows}: {:.3} s", start.elapsed().as_secs_f64());
    };
    for (rows, dims) in [(70_000, 50), (1_000_000, 48)] {
        let hd = noisy(rows, dims, 1);
        let (mut live, mut trust) = (None, None);
        time("LiveQuality::new", rows, &mut || live = LiveQuality::new(&hd, &LiveOptions::default(), &|| false));
        let references = DistanceTrust::DEFAULT_REFERENCES;
        time("DistanceTrust::new", rows, &mut || trust = DistanceTrust::new(&hd, references, 0, &|| false));
        let (live, trust) = (live.unwrap(), trust.unwrap());
        let lists: Vec<u32> = (0..rows as u32 * 32).map(|entry| entry.wrapping_mul(7919) % rows as u32).collect();
        for d in [2, 3, 4, 6] {
            println!("{d} dimensions");
            let ld: Vec<f32> = noisy(rows, d, 2).vectors().padded().to_vec();
            for _ in 0..3 {
                time("LiveQuality::measure", rows, &mut || drop(live.measure(&ld, d, 8)));
            }
            time("DistanceTrust::measure", rows, &mut || drop(trust.measure(&ld, d, 8)));
            if d > 4 {
                continue; // a scan of all pairs
            }
            let mut tree = None;
            let mut near = Vec::new();
            time("EmbeddingTree::new", rows, &mut || tree = Some(EmbeddingTree::new(&ld, rows, d, 8)));
            let tree = tree.unwrap();
            time("neighbours(16)", rows, &mut || near = tree.neighbours(16));
            time("neighbours(32)", rows, &mut || near = tree.neighbours(32));
            time("neighbourhood_kept(32)", rows, &mut || drop(Trust::neighbourhood_kept(&lists, 32, &near, 32)));
        }
        time("imploded neighbours(32)", rows, &mut || drop(embedding_neighbours(&vec![1.0; rows * 2], rows, 2, 2, 32)));
    }
}
