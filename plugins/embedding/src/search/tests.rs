//! What the search tells the engine.

use super::*;
use crate::random::normal;
use vectors::{Metric, Vectors};

const ROWS: usize = 60;
const K: usize = 5;
const SEED: u32 = 3;

fn space() -> Space {
    let random = |at: u32| normal(hash(SEED, 1, at, 0), hash(SEED, 1, at, 1));
    let values: Vec<f32> = (0..3 * ROWS as u32).map(random).collect();
    Space::new(Vectors::from_rows(&values, 3), Metric::Euclidean)
}

/// A search that has found everything and looks at nothing new, but for one neighbour of one row that is taken out.
fn complete_but_for_one(space: &Space, poor: usize) -> (Search, u32) {
    let mut search = Search::new(space, K, SEED);
    let mut exact = Lists::empty(ROWS, K);
    let mut missing = 0;
    let (entries, distances) = exact.rows_mut();
    for (point, (entries, distances)) in entries.chunks_exact_mut(K).zip(distances.chunks_exact_mut(K)).enumerate() {
        let mut others: Vec<usize> = (0..ROWS).filter(|&other| other != point).collect();
        others.sort_by(|&a, &b| space.squared_distance(point, a).total_cmp(&space.squared_distance(point, b)));
        if point == poor {
            missing = others.remove(2) as u32;
        }
        for other in &others[..K] {
            lists::insert(entries, distances, *other as u32, space.squared_distance(point, *other));
        }
    }
    search.hd = exact;
    search.fresh.fill(false);
    search.dirty.fill(false);
    (search.changes, search.rate) = (0, 0.0);
    (search, missing)
}

/// Lists of neighbours in the embedding in which only one point names the poor row, all others only neighbours.
fn ld_lists(search: &Search, poor: usize, knows_it: u32) -> Vec<u32> {
    let nearest = |point: usize| search.hd.neighbours(point).next().expect("lists are full");
    (0..ROWS).map(|point| if point as u32 == knows_it { poor as u32 } else { nearest(point) }).collect()
}

#[test]
fn rows_that_change_by_offers_are_counted_too() {
    let space = space();
    let mut shown = 0;
    for poor in 0..ROWS {
        let (mut search, missing) = complete_but_for_one(&space, poor);
        let one_sided = search.hd.neighbours(missing as usize).all(|neighbour| neighbour as usize != poor);
        if !one_sided {
            continue; // the two would find each other anyway
        }
        let ld = ld_lists(&search, poor, missing);
        search.refine(&space, &[true; ROWS], (&ld, 1), Fan::of(16), false);
        assert!(search.hd.neighbours(poor).any(|neighbour| neighbour == missing), "the offer to {poor} was lost");
        let changed = search.dirty.iter().filter(|&&dirty| dirty).count();
        assert!(changed > 0, "nobody knows that row {poor} changed");
        assert!(search.changes >= changed, "{changed} rows changed, {} are counted: no refresh is due", search.changes);
        shown += 1;
    }
    assert!(shown > 3, "only {shown} rows can show it");
}

#[test]
fn slices_of_a_pass_are_alike() {
    for points in [1, 2, SLICE - 1, SLICE, SLICE + 1, 70_000, 1_000_000] {
        let (length, count) = (slice_of(points), points.div_ceil(slice_of(points)));
        assert!(length <= SLICE && count == points.div_ceil(SLICE), "{count} slices of {length} for {points}");
        assert!(length - (points - (count - 1) * length) < count, "the last of {points} is much shorter");
    }
}

#[test]
fn the_start_up_leaves_full_lists_whatever_is_asked_for() {
    let space = space();
    for start_projections in [0, 1, 2, 12] {
        let settings = Settings { start_projections, ..Settings::default() };
        let mut search = Search::new(&space, K, SEED);
        assert!(search.hd.worst(0).is_infinite() && !search.is_at_rest(&settings));
        for iteration in 0..3 {
            search.step(&space, &[true; ROWS], (&[], 0), &settings, iteration);
        }
        assert!((0..ROWS).all(|point| search.hd.worst(point).is_finite()), "{start_projections} projections");
        assert_eq!(search.dense_done, start_projections > 1);
    }
}
