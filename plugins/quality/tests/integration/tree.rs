//! `EmbeddingTree` and `embedding_neighbours` against all distances.

use crate::naive::noise;
use quality::{EmbeddingTree, embedding_neighbours};

const NONE: u32 = u32::MAX;

fn squared(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2)).sum()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * b
}

/// Squared distances from a point to all rows but one, ascending.
fn sorted_distances(points: &[Vec<f32>], point: &[f32], without: Option<usize>) -> Vec<f64> {
    let others = (0..points.len()).filter(|&row| Some(row) != without);
    let mut all: Vec<f64> = others.map(|row| squared(point, &points[row])).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Why the list is not one of k nearest neighbours of the row, which may differ in ties.
fn fault(points: &[Vec<f32>], row: usize, list: &[u32]) -> Option<String> {
    let expected = sorted_distances(points, &points[row], Some(row));
    for (rank, &neighbour) in list.iter().enumerate() {
        match expected.get(rank) {
            None if neighbour == NONE => continue,
            None => return Some(format!("place {rank} of row {row} holds {neighbour}: there are no more rows")),
            Some(_) if neighbour as usize >= points.len() || neighbour as usize == row => {
                return Some(format!("place {rank} of row {row} holds {neighbour}"));
            }
            Some(&expected) => {
                let found = squared(&points[row], &points[neighbour as usize]);
                if !close(found, expected) {
                    return Some(format!("place {rank} of row {row}: {found}, expected {expected}"));
                }
            }
        }
    }
    let mut once: Vec<u32> = list.iter().copied().filter(|&row| row != NONE).collect();
    once.sort_unstable();
    once.dedup();
    (once.len() != list.len().min(points.len() - 1)).then(|| format!("row {row} has {} neighbours", once.len()))
}

fn faults(points: &[Vec<f32>], lists: &[u32], k: usize) -> Vec<String> {
    assert_eq!(lists.len(), points.len() * k);
    (0..points.len()).filter_map(|row| fault(points, row, &lists[row * k..][..k])).collect()
}

fn neighbours(points: &[Vec<f32>], k: usize) -> Vec<u32> {
    let dims = points[0].len();
    let strided: Vec<f32> = points.iter().flat_map(|row| row.iter().copied().chain([f32::NAN, 7.0])).collect();
    embedding_neighbours(&strided, points.len(), dims, dims + 2, k)
}

/// Noise, of which every third row lies on one of a few places, and every seventh shares a coordinate with the others.
fn with_duplicates(rows: usize, dims: usize) -> Vec<Vec<f32>> {
    let mut points = noise(rows, dims, dims as u64);
    for row in 0..rows {
        match row {
            _ if row % 3 == 0 => points[row] = points[row % 5 + 1].clone(),
            _ if row % 7 == 0 => points[row][0] = 0.25,
            _ => {}
        }
    }
    points
}

#[test]
fn neighbours_agree_with_all_distances_in_every_dimension() {
    for dims in [1, 2, 3, 4, 6] {
        let points = with_duplicates(1000, dims);
        for k in [1, 15, 40, 300] {
            let lists = neighbours(&points, k);
            assert_eq!(faults(&points, &lists, k), Vec::<String>::new(), "{dims} dimensions, k = {k}");
            let mut spoilt = lists.clone();
            spoilt[5 * k + k - 1] = spoilt[5 * k]; // a repetition, or itself out of place
            spoilt[8 * k] = 8;
            assert!(!faults(&points, &spoilt, k).is_empty());
            let moved = with_duplicates(1000, dims).into_iter().rev().collect::<Vec<_>>();
            assert!(faults(&moved, &lists, k).len() > 500, "the lists of another embedding would do");
        }
    }
}

#[test]
fn few_rows_leave_empty_places() {
    for dims in [1, 2, 3, 4, 6] {
        for rows in [1, 2, 3, 5, 33, 64] {
            let points = noise(rows, dims, 3);
            for k in [1, rows, rows + 3] {
                assert_eq!(faults(&points, &neighbours(&points, k), k), Vec::<String>::new());
            }
        }
        assert!(embedding_neighbours(&[], 0, dims, dims, 5).is_empty());
        assert!(neighbours(&noise(4, dims, 1), 0).is_empty());
    }
}

#[test]
fn imploded_maps_neither_panic_nor_take_long() {
    for dims in [1, 2, 3, 4] {
        let rows = 10_000;
        let mut points = vec![vec![0.5; dims]; rows];
        let lists = neighbours(&points, 10);
        let mut named = lists.clone();
        named.sort_unstable();
        named.dedup();
        // A fixed choice would name ten or eleven rows.
        assert!(named.len() > 9000, "all rows are alike, but only {} are anybody's neighbours", named.len());
        assert!((0..rows).all(|row| !lists[row * 10..][..10].contains(&(row as u32))));
        // Two heaps, a line of equal first coordinates, and both zeros.
        for (row, point) in points.iter_mut().enumerate() {
            match row % 4 {
                0 => point.fill(1.0),
                1 => point[dims - 1] = row as f32,
                2 => point.fill(if row % 8 == 2 { 0.0 } else { -0.0 }),
                _ => {}
            }
        }
        let start = std::time::Instant::now();
        let lists = neighbours(&points, 10);
        assert!(start.elapsed().as_secs_f64() < 5.0);
        for row in (0..rows).step_by(997) {
            assert_eq!(fault(&points, row, &lists[row * 10..][..10]), None, "{dims} dimensions");
        }
    }
    let heap = neighbours(&vec![vec![2.0; 6]; 500], 10);
    assert_eq!(faults(&vec![vec![2.0; 6]; 500], &heap, 10), Vec::<String>::new());
}

#[test]
fn lost_rows_are_nobodys_neighbours() {
    for dims in [1, 2, 3, 4, 6] {
        let mut points = noise(300, dims, 8);
        let lost = [(4, f32::NAN), (50, f32::INFINITY), (51, f32::NEG_INFINITY), (120, 1e30), (299, f32::NAN)];
        lost.iter().for_each(|&(row, value)| points[row][dims - 1] = value);
        let lists = neighbours(&points, 6);
        let is_lost = |row: usize| lost.iter().any(|&(lost, _)| lost == row);
        let kept: Vec<usize> = (0..300).filter(|&row| !is_lost(row)).collect();
        let remaining: Vec<Vec<f32>> = kept.iter().map(|&row| points[row].clone()).collect();
        for (index, &row) in kept.iter().enumerate() {
            let list: Vec<u32> = lists[row * 6..][..6]
                .iter()
                .map(|&other| kept.binary_search(&(other as usize)).unwrap() as u32) // a lost row would not be found
                .collect();
            assert_eq!(fault(&remaining, index, &list), None);
        }
        assert!((0..300).filter(|&row| is_lost(row)).all(|row| lists[row * 6..][..6] == [NONE; 6]));
        let all_lost = vec![f32::NAN; 20 * dims];
        assert_eq!(embedding_neighbours(&all_lost, 20, dims, dims, 2), [NONE; 40]);
    }
}

#[test]
fn any_place_can_be_searched() {
    for dims in [1, 2, 3, 4, 6] {
        let points = with_duplicates(500, dims);
        let tree = EmbeddingTree::new(&points.concat(), 500, dims, dims);
        for place in noise(40, dims, 9).into_iter().chain(points[..10].to_vec()) {
            let expected = sorted_distances(&points, &place, None);
            for k in [1, 7, 100, 500, 900] {
                let found = tree.nearest(&place, k);
                assert_eq!(found.len(), k.min(500));
                for (&(row, distance), &expected) in found.iter().zip(&expected) {
                    assert!(close(f64::from(distance), expected), "{distance} {expected}");
                    assert!(close(squared(&place, &points[row as usize]), expected));
                }
            }
            for radius in [0.0, 0.1, 0.5, 3.0, f32::INFINITY] {
                let bound = f64::from(radius * radius);
                let inside = |&row: &u32| squared(&place, &points[row as usize]) <= bound;
                let expected: Vec<u32> = (0..500).filter(inside).collect();
                assert_eq!(tree.within(&place, radius), expected, "{dims} dimensions, radius {radius}");
                assert_eq!(tree.count_within(&place, radius), expected.len());
            }
        }
        let moved: Vec<f32> = points[3].iter().map(|x| x + 0.3).collect();
        assert_ne!(tree.nearest(&points[3], 5), tree.nearest(&moved, 5));
        assert_ne!(tree.within(&points[3], 0.2), tree.within(&moved, 0.2));
        let nowhere = vec![f32::NAN; dims];
        assert!(tree.nearest(&nowhere, 5).is_empty() && tree.within(&nowhere, 9.0).is_empty());
        assert!(tree.within(&points[3], f32::NAN).is_empty() && tree.within(&points[3], -1.0).is_empty());
        assert!(tree.nearest(&points[3], 0).is_empty());
    }
}

#[test]
fn lists_do_not_depend_on_the_number_of_threads() {
    for dims in [2, 6] {
        let with = |threads: usize, points: &[Vec<f32>]| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| neighbours(points, 8))
        };
        let points = with_duplicates(900, dims);
        assert_eq!(with(1, &points), with(3, &points));
        assert_ne!(with(1, &points), with(3, &noise(900, dims, 77)));
    }
}
