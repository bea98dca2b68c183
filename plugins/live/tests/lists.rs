//! Lists of neighbours that come with the snapshots, for those who ask.

use crate::support::*;
use std::collections::BTreeSet;
use vectors::Metric;

const ROWS: usize = 500;
/// Largest relative step back in a list that ascends: kernels may sum in another order than a single pair does.
const DISTANCE_ERROR: f32 = 1e-5;
/// Share of a point's first neighbours that belong to its own blob, of which each is an island.
const MIN_OWN: f64 = 0.99;

#[test]
fn lists_name_the_nearest_points_in_order() {
    for metric in [Metric::Euclidean, Metric::Cosine] {
        let mut native = Native::running(blobs(ROWS, 8), embedding::Settings { metric, ..quick() });
        assert!(native.snapshot().lists.is_none(), "lists that nobody asked for");
        native.live.want_lists(true);
        native.until("lists of a grown embedding", |live| {
            of(live).lists.as_ref().is_some_and(|lists| lists.iteration > 100)
        });
        let snapshot = native.snapshot();
        let (lists, data) = (snapshot.lists.clone().unwrap(), &snapshot.data);
        assert_eq!(lists.k, snapshot.settings.hd_list_length(ROWS));
        assert_eq!(lists.neighbours.len(), ROWS * lists.k);
        assert!(lists.iteration <= snapshot.statistics.iteration);
        let mut own = 0;
        for (point, list) in lists.neighbours.chunks_exact(lists.k).enumerate() {
            let names: BTreeSet<u32> = list.iter().copied().collect();
            assert!(names.len() == lists.k && !names.contains(&(point as u32)), "{point}: {list:?}");
            assert!(names.iter().all(|&name| (name as usize) < ROWS), "{point}: {list:?}");
            let distances: Vec<f32> =
                list.iter().map(|&name| data.space.squared_distance(point, name as usize)).collect();
            let ascends = distances.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + DISTANCE_ERROR));
            assert!(ascends, "{metric}: the list of {point} does not ascend: {distances:?}");
            let blob = |point: u32| data.row_of_point[point as usize] % 6;
            own += usize::from(blob(list[0]) == blob(point as u32));
        }
        let share = own as f64 / ROWS as f64;
        assert!(share >= MIN_OWN, "{metric}: {share} of the nearest are of the same blob, not {MIN_OWN}");
        native.live.want_lists(false);
        native.until("no lists", |live| of(live).lists.is_none());
    }
}

#[test]
fn lists_come_while_paused_too() {
    let mut native = Native::running(blobs(ROWS, 8), quick());
    native.until_iteration(40);
    native.pause();
    native.live.want_lists(true);
    native.until("lists", |live| of(live).lists.is_some());
}
