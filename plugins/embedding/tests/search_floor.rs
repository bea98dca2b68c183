//! How much of the true neighbourhood the search finds.

use crate::support::data;
use embedding::{Engine, Settings};
use vectors::{Metric, Space, Vectors};

/// Share of the true neighbours that must be found among overlapping blobs …
const MIN_RECALL: f64 = 0.97;
/// … and among tight blobs that know nothing of each other, where descent along neighbours alone stalls.
const MIN_RECALL_TIGHT: f64 = 0.99;
/// The largest of twenty differences hardly tells neighbours from others.
const MIN_RECALL_CHEBYSHEV: f64 = 0.95;
/// What a single tree must not reach, or the floors say nothing about the search.
const MAX_RECALL_OF_ONE_TREE: f64 = 0.9;
const ITERATIONS: u32 = 60;

fn recall(engine: &Engine, space: &Space, k: usize) -> f64 {
    let (neighbours, _) = engine.neighbours();
    quality::recall(space, &neighbours, k, 500, 1, &|_, _| ())
}

/// Recall of the first tree, and after the iterations.
fn search(vectors: &Vectors, metric: Metric, k: usize) -> (f64, f64) {
    let settings = Settings { hd_neighbours: Some(k), metric, perplexity: 5.0, ..Settings::default() };
    let space = Space::new(vectors.clone(), metric);
    let mut engine = Engine::new(vectors.clone(), settings).expect("settings are right");
    let first = recall(&engine, &space, k);
    (0..ITERATIONS).for_each(|_| engine.step());
    (first, recall(&engine, &space, k))
}

#[test]
fn neighbours_in_overlapping_blobs_are_found_under_every_metric() {
    let (vectors, _) = data::blobs(5, 2000, 20, 1.0, 31);
    for metric in Metric::ALL {
        let floor = if metric == Metric::Chebyshev { MIN_RECALL_CHEBYSHEV } else { MIN_RECALL };
        let (first, reached) = search(&vectors, metric, 16);
        assert!(first < MAX_RECALL_OF_ONE_TREE, "{metric}: one tree reaches {first}, the floor tells nothing");
        assert!(reached >= floor, "{metric}: recall is {reached}, below {floor}");
    }
}

/// 100 blobs of 30 rows, and lists of length `k`.
fn search_tight_blobs(k: usize) {
    let (vectors, _) = data::blobs(100, 3000, 20, 10.0, 32);
    let (first, reached) = search(&vectors, Metric::Euclidean, k);
    assert!(first < MAX_RECALL_OF_ONE_TREE, "one tree reaches {first}, the floor tells nothing");
    assert!(reached >= MIN_RECALL_TIGHT, "recall is {reached}, below {MIN_RECALL_TIGHT}");
}

#[test]
fn neighbours_inside_many_tight_blobs_are_found() {
    search_tight_blobs(29);
}

#[test]
fn neighbours_beyond_tight_blobs_are_found() {
    search_tight_blobs(32);
}

#[test]
fn neighbours_come_in_the_rows_of_the_caller() {
    let (vectors, _) = data::blobs(5, 500, 8, 2.0, 33);
    let settings = Settings { hd_neighbours: Some(12), ..Settings::default() };
    let space = Space::new(vectors.clone(), Metric::Euclidean);
    let mut engine = Engine::new(vectors, settings).expect("settings are right");
    (0..ITERATIONS).for_each(|_| engine.step());
    let (neighbours, distances) = engine.neighbours();
    for (row, (neighbours, distances)) in neighbours.chunks_exact(12).zip(distances.chunks_exact(12)).enumerate() {
        for (&neighbour, &distance) in neighbours.iter().zip(distances) {
            let expected = space.squared_distance(row, neighbour as usize).sqrt();
            assert!((distance - expected).abs() <= 1e-5 * expected, "{row} to {neighbour}: {distance}, {expected}");
        }
    }
}
