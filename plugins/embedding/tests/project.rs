//! Projection trees and the neighbours their leaves give.

use crate::support::data;
use embedding::cpu::project::{LEAF, join_leaves, merge_leaves, tree};
use embedding::lists::{Lists, NEW};
use embedding::random::shuffled;
use vectors::{Metric, Space, Vectors};

/// Neighbours a row can gain from one tree.
const FOUND: usize = 16;

/// The leaves of a tree over all rows, and the order they stand in.
fn leaves(space: &Space, seed: u32) -> (Vec<u32>, Vec<u32>) {
    let mut order = shuffled(space.rows(), seed);
    let ends = tree(space, &mut order, seed);
    (order, ends)
}

fn check_partition(space: &Space, case: &str) {
    let (order, ends) = leaves(space, 3);
    let mut rows = order;
    rows.sort_unstable();
    assert!(rows.iter().copied().eq(0..space.rows() as u32), "rows are lost or doubled: {case}");
    assert_eq!(ends.last().copied(), Some(space.rows() as u32), "{case}");
    let starts = [0].into_iter().chain(ends.iter().copied());
    let sizes: Vec<u32> = starts.zip(&ends).map(|(start, &end)| end - start).collect();
    assert!(sizes.iter().all(|&size| size > 0 && size as usize <= LEAF), "leaves of {sizes:?}: {case}");
}

#[test]
fn a_tree_puts_every_row_into_one_small_leaf() {
    for metric in Metric::ALL {
        for rows in [1, 2, LEAF, LEAF + 1, 1000, 5003] {
            check_partition(&Space::new(data::cloud(rows, 5, 8), metric), &format!("{rows} rows, {metric}"));
            let same = Vectors::from_rows(&[1.5, -2.0, 0.25].repeat(rows), 3);
            check_partition(&Space::new(same, metric), &format!("{rows} equal rows, {metric}"));
            check_partition(&Space::new(Vectors::zeros(rows, 3), metric), &format!("{rows} zero rows, {metric}"));
        }
    }
}

#[test]
fn trees_of_other_seeds_differ_and_split_by_place() {
    let (vectors, labels) = data::blobs(2, 96, 5, 40.0, 9);
    let space = Space::new(vectors, Metric::Euclidean);
    let (order, ends) = leaves(&space, 1);
    assert_ne!(leaves(&space, 2).0, order);
    // Two far blobs of 48 rows: the first split parts them, unless both rows that span it are of one blob.
    let parted = (1..40).any(|seed| {
        let (order, _) = leaves(&space, seed);
        order[..48].iter().all(|&row| labels[row as usize] == labels[order[0] as usize])
    });
    assert!(parted && ends == [48, 96]);
}

/// The nearest rows of the same leaf, by brute force.
fn plain(space: &Space, row: u32, leaf: &[u32], count: usize) -> Vec<(f32, u32)> {
    let others = leaf.iter().filter(|&&other| other != row);
    let mut nearest: Vec<(f32, u32)> =
        others.map(|&other| (space.squared_distance(row as usize, other as usize), other)).collect();
    nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
    nearest.truncate(count);
    nearest
}

fn named(hd: &Lists, row: u32) -> Vec<(f32, u32)> {
    hd.distances(row as usize).iter().copied().zip(hd.neighbours(row as usize)).collect()
}

#[test]
fn leaves_give_each_row_its_nearest_neighbours_in_the_leaf() {
    for metric in Metric::ALL {
        for (rows, k) in [(2, 1), (9, 20), (49, 20), (600, 20), (600, 7)] {
            let space = Space::new(data::cloud(rows, 6, 10), metric);
            let (order, ends) = leaves(&space, 4);
            let found = join_leaves(&space, &order, &ends);
            let (mut hd, mut dirty) = (Lists::empty(rows, k), vec![false; rows]);
            assert_eq!(merge_leaves(&mut hd, &mut dirty, &order, &found), rows, "{rows} rows, {metric}");
            assert!(dirty.iter().all(|&dirty| dirty));
            let (mut start, mut missed) = (0, 0);
            for &end in &ends {
                let leaf = &order[start..end as usize];
                for &row in leaf {
                    let expected = plain(&space, row, leaf, FOUND.min(k));
                    assert_eq!(named(&hd, row), expected, "row {row} of {rows}, {metric}");
                    let fewer = plain(&space, row, &leaf[1..], FOUND.min(k));
                    missed += usize::from(named(&hd, row) != fewer);
                    let marks = hd.entries(row as usize)[..expected.len()].iter();
                    assert!(marks.clone().all(|entry| entry & NEW != 0), "what a tree brings has to be looked at");
                }
                start = end as usize;
            }
            assert!(missed >= rows / 8, "only {missed} of {rows} rows can tell when a row of a leaf is left out");
            // The same once more brings nothing.
            let (before, mut dirty) = (hd.clone(), vec![false; rows]);
            assert_eq!(merge_leaves(&mut hd, &mut dirty, &order, &found), 0);
            assert!(hd == before && dirty.iter().all(|&dirty| !dirty));
        }
    }
}
