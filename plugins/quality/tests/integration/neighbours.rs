//! Exact neighbours and the recall of a graph.

use crate::naive::{noise, orders, quiet, space};
use quality::{exact_neighbours, recall};
use vectors::Metric;

const ROWS: usize = 200;
const K: usize = 8;

/// The exact graph, flat.
fn exact_graph(rows: &[Vec<f32>], metric: Metric) -> Vec<u32> {
    orders(rows, metric).iter().flat_map(|order| order[..K].iter().map(|&row| row as u32)).collect()
}

#[test]
fn exact_neighbours_agree_with_sorting_under_every_metric() {
    let rows = noise(ROWS, 5, 31);
    let queries: Vec<u32> = (0..ROWS as u32).rev().step_by(3).collect();
    for metric in Metric::ALL {
        let space = space(&rows, metric);
        let found = exact_neighbours(&space, &queries, K, &quiet);
        let order = orders(&rows, metric);
        assert_eq!(found.len(), queries.len());
        for (&query, found) in queries.iter().zip(&found) {
            let rows: Vec<usize> = found.iter().map(|&(row, _)| row as usize).collect();
            assert_eq!(rows, order[query as usize][..K], "{metric}");
            assert_ne!(rows, order[query as usize][1..=K], "{metric}");
            for &(row, squared) in found {
                assert_eq!(squared, space.squared_distance(query as usize, row as usize));
            }
        }
    }
}

#[test]
fn ties_go_to_the_lower_row_and_short_data_gives_short_lists() {
    let rows: Vec<Vec<f32>> = [1.0, 0.0, 1.0, -1.0, 1.0].into_iter().map(|x| vec![x]).collect();
    let space = space(&rows, Metric::Euclidean);
    let found = exact_neighbours(&space, &[1, 4], 9, &quiet);
    assert_eq!(found[0], [(0, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)]);
    assert_eq!(found[1], [(0, 0.0), (2, 0.0), (1, 1.0), (3, 4.0)]);
    assert_eq!(exact_neighbours(&space, &[1, 4], 0, &quiet), [vec![], vec![]]);
}

#[test]
fn recall_counts_what_is_truly_near() {
    let rows = noise(ROWS, 5, 32);
    for metric in Metric::ALL {
        let space = space(&rows, metric);
        let of = |graph: &[u32]| recall(&space, graph, K, ROWS, 0, &quiet);
        let entries = (ROWS * K) as f64;
        let exact = exact_graph(&rows, metric);
        assert_eq!(of(&exact), 1.0, "{metric}");
        let order = orders(&rows, metric);
        // One entry of row 3 spoilt in each way: too far, empty, no row, the row itself, a repetition.
        for spoilt in [order[3][K] as u32, u32::MAX, ROWS as u32, 3, exact[3 * K]] {
            let mut graph = exact.clone();
            graph[3 * K + 5] = spoilt;
            assert_eq!(of(&graph), 1.0 - 1.0 / entries, "{metric} {spoilt}");
        }
        let mut shuffled = exact.clone();
        shuffled[3 * K..4 * K].reverse();
        assert_eq!(of(&shuffled), 1.0, "order within a row does not matter");
        assert_eq!(of(&vec![u32::MAX; ROWS * K]), 0.0);
    }
}

#[test]
fn recall_samples_queries_by_seed() {
    let rows = noise(ROWS, 5, 33);
    let space = space(&rows, Metric::Euclidean);
    let mut graph = exact_graph(&rows, Metric::Euclidean);
    graph[..ROWS * K / 2].fill(u32::MAX);
    let of = |seed| recall(&space, &graph, K, 50, seed, &quiet);
    assert_eq!(of(1), of(1));
    assert!((of(1) - 0.5).abs() < 0.25);
    assert!((0..9).any(|seed| of(seed) != of(1)));
}

#[test]
fn recall_does_not_punish_duplicates() {
    // 20 groups of 10 equal rows: any 4 others of the group are as good as any.
    let centres = noise(20, 3, 34);
    let rows: Vec<Vec<f32>> = (0..200).map(|row| centres[row % 20].clone()).collect();
    let space = space(&rows, Metric::Euclidean);
    let last_ones = |row: usize| (0..10).rev().map(move |i| row % 20 + 20 * i).filter(move |&other| other != row);
    let graph: Vec<u32> = (0..200).flat_map(|row| last_ones(row).take(4)).map(|row| row as u32).collect();
    assert_eq!(recall(&space, &graph, 4, 200, 0, &quiet), 1.0);
    let neighbours_of_next: Vec<u32> = graph.iter().map(|row| (row + 1) % 200).collect();
    assert_eq!(recall(&space, &neighbours_of_next, 4, 200, 0, &quiet), 0.0);
}

#[test]
fn lists_longer_than_the_data_can_be_complete() {
    let rows = noise(4, 2, 35);
    let space = space(&rows, Metric::Euclidean);
    let graph: Vec<u32> =
        (0..4u32).flat_map(|row| (0..4).filter(move |&other| other != row).chain([u32::MAX; 2])).collect();
    assert_eq!(recall(&space, &graph, 5, 4, 0, &quiet), 1.0);
    let mut poorer = graph.clone();
    poorer[0] = u32::MAX;
    assert_eq!(recall(&space, &poorer, 5, 4, 0, &quiet), 11.0 / 12.0);
    let single = crate::naive::space(&noise(1, 2, 36), Metric::Euclidean);
    assert_eq!(recall(&single, &[u32::MAX; 5], 5, 4, 0, &quiet), 1.0);
}
