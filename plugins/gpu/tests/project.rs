//! Start-up projections: the tree against a plain one, its leaves against the native ones.

use crate::support::bench::{Bench, DIRTY};
use crate::support::{data, open_adapter};
use embedding::Settings;
use embedding::cpu::project::{LEAF, join_leaves, merge_leaves, tree};
use embedding::lists::{EMPTY, Lists, POINT};
use embedding::random::{below, hash};
use embedding::search::DRAW_TREE;
use gpu::params::Control;
use gpu::stage::Slot;
use vectors::{Metric, Space, Vectors};

/// Largest difference of a squared distance, as a share of the largest.
const DISTANCE_ERROR: f32 = 2e-6;
/// How far a row may lie on the wrong side of a split, as a share of the width of its node: rounding of the sums.
const SIDE_ERROR: f64 = 1e-5;

/// Where a row lies on the axis from one row to another, as directions where only those matter.
fn key(space: &Space, row: u32, a: u32, b: u32) -> f64 {
    let angular = matches!(space.metric(), Metric::Cosine | Metric::Correlation);
    let value = |row: u32, axis: usize| {
        let row = space.row(row as usize);
        f64::from(if angular { (row.values[axis] - row.mean) * row.inverse_norm } else { row.values[axis] })
    };
    (0..space.vectors().dims())
        .map(|axis| value(row, axis) * (value(a, axis) - value(b, axis)))
        .fold(0.0, |sum, term| sum + term)
}

/// The two rows that span the axis of a node.
fn axis(rows: &[u32], tree_seed: u32, node: u32) -> (u32, u32) {
    let length = rows.len() as u32;
    let random = |draw| rows[below(hash(tree_seed, node, length, draw), length) as usize];
    (random(0), random(1))
}

/// The tree as its documentation has it: every node in the order of its keys, then of its rows; halves are nodes again.
fn plain_tree(space: &Space, rows: &mut [u32], tree_seed: u32, node: u32) {
    if rows.len() <= LEAF {
        return;
    }
    let (a, b) = axis(rows, tree_seed, node);
    let mut keyed: Vec<(f64, u32)> = rows.iter().map(|&row| (key(space, row, a, b), row)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    rows.iter_mut().zip(keyed).for_each(|(row, keyed)| *row = keyed.1);
    let (left, right) = rows.split_at_mut(rows.len() / 2);
    plain_tree(space, left, tree_seed, 2 * node);
    plain_tree(space, right, tree_seed, 2 * node + 1);
}

/// The order of the tree that the GPU built last.
fn order(bench: &mut Bench) -> Vec<u32> {
    bench.read::<[u32; 2]>(Slot::Keyed).iter().map(|keyed| keyed[1]).collect()
}

/// Empty lists, and a run at its beginning with so many trees made.
fn clear(bench: &mut Bench, trees: u32) {
    let mut empty = Lists::empty(bench.points(), bench.k());
    bench.write_lists(&mut empty);
    bench.write(Slot::Marks, &vec![0_u32; bench.points()]);
    bench.write(Slot::Control, &[Control { trees, ..Control::at_start(bench.points() as u32, 0) }]);
}

/// Where leaves end: known from the number of rows.
fn ends(space: &Space) -> Vec<u32> {
    tree(space, &mut (0..space.rows() as u32).collect::<Vec<_>>(), 1)
}

/// Two trees, one after the other into the same lists.
fn compare_exactly(bench: &mut Bench, case: &str) {
    let (space, points) = (bench.space(), bench.points());
    let ends = ends(&space);
    let (mut hd, mut dirty, mut changed) = (Lists::empty(points, bench.k()), vec![false; points], 0);
    clear(bench, 4);
    for trees in 4..6 {
        bench.project();
        let mut expected: Vec<u32> = (0..points as u32).collect();
        let tree_seed = hash(bench.seed(), trees, 0, DRAW_TREE);
        plain_tree(&space, &mut expected, tree_seed, 1);
        assert_eq!(order(bench), expected, "tree {trees} of {case}");
        let found = join_leaves(&space, &expected, &ends);
        changed += merge_leaves(&mut hd, &mut dirty, &expected, &found);
        assert!(bench.read_lists() == hd, "lists differ after tree {trees} of {case}");
        let control = bench.control();
        assert_eq!((control.trees, control.tree_seed), (trees + 1, tree_seed), "{case}");
        assert_eq!(control.changed as usize, changed, "{case}");
        let marked: Vec<bool> = bench.read::<u32>(Slot::Marks).iter().map(|marks| marks & DIRTY != 0).collect();
        assert_eq!(marked, dirty, "{case}");
    }
    // The same tree over data with one row elsewhere.
    let moved = (points / 2) as u32;
    let mut vectors = space.vectors().clone();
    vectors.row_mut(moved as usize)[0] += 300.0;
    bench.write(Slot::Vectors, vectors.padded());
    clear(bench, 4);
    bench.project();
    bench.project();
    assert!(bench.read_lists() != hd, "a moved row goes unnoticed: {case}");
}

#[test]
fn trees_of_whole_numbers_are_the_plain_ones() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings::default();
    let mut bench = Bench::new(&adapter, data::whole_numbers(2, 2, 1), &settings);
    let sizes = [LEAF, LEAF + 1, 2 * LEAF + 1, 1024, 2050, 4500];
    let sized = sizes.map(|rows| (format!("{rows} rows"), data::whole_numbers(rows, 5, rows as u32)));
    for (case, vectors) in data::exact_cases().into_iter().chain(sized) {
        bench.replace(vectors, &settings);
        compare_exactly(&mut bench, &case);
    }
}

/// The first split has its nearer rows on one side and its farther rows on the other.
fn first_split(space: &Space, order: &[u32], tree_seed: u32) -> Result<(), String> {
    let rows: Vec<u32> = (0..order.len() as u32).collect();
    let (a, b) = axis(&rows, tree_seed, 1);
    let keys: Vec<f64> = order.iter().map(|&row| key(space, row, a, b)).collect();
    let (left, right) = keys.split_at(order.len() / 2);
    let largest = |keys: &[f64]| keys.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = |keys: &[f64]| keys.iter().copied().fold(f64::INFINITY, f64::min);
    let over = largest(left) - smallest(right);
    let width = largest(&keys).abs().max(smallest(&keys).abs());
    if over <= SIDE_ERROR * width { Ok(()) } else { Err(format!("the sides overlap by {over}, of {width}")) }
}

/// The lists have the distances that the leaves give.
fn lists_agree(space: &Space, found: &Lists, expected: &Lists) -> Result<(), String> {
    let points = 0..space.rows();
    let finite = points.clone().flat_map(|point| expected.distances(point)).filter(|distance| distance.is_finite());
    let error = DISTANCE_ERROR * finite.fold(0.0, |largest: f32, &distance| largest.max(distance));
    for point in points {
        let places = found.entries(point).iter().zip(found.distances(point)).zip(expected.distances(point));
        for ((&entry, &distance), &expected) in places {
            let named = entry & POINT;
            let known = if named == EMPTY { f32::INFINITY } else { space.squared_distance(point, named as usize) };
            if [expected, known].iter().any(|&other| distance != other && (distance - other).abs() > error) {
                return Err(format!("point {point}: {named} at {distance}, there {expected}, natively {known}"));
            }
        }
    }
    Ok(())
}

#[test]
fn trees_under_every_metric_split_at_the_middle_and_join_their_leaves() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings::default();
    let mut bench = Bench::new(&adapter, data::cloud(2, 2, 1), &settings);
    let cases: [(&str, Vectors); 3] = [
        ("cloud", data::cloud(700, 9, 2)),
        ("zero rows", data::with_zero_rows(100, 5, 2)),
        ("digits", data::digits(1000)),
    ];
    for (case, vectors) in cases {
        for metric in Metric::ALL {
            bench.replace(vectors.clone(), &Settings { metric, ..settings.clone() });
            clear(&mut bench, 2);
            bench.project();
            let (space, order, points) = (bench.space(), order(&mut bench), bench.points());
            let mut rows = order.clone();
            rows.sort_unstable();
            assert!(rows.iter().copied().eq(0..points as u32), "rows are lost or doubled: {case}, {metric}");
            let tree_seed = hash(bench.seed(), 2, 0, DRAW_TREE);
            assert_eq!(first_split(&space, &order, tree_seed), Ok(()), "{case}, {metric}");
            let (mut hd, mut dirty) = (Lists::empty(points, bench.k()), vec![false; points]);
            merge_leaves(&mut hd, &mut dirty, &order, &join_leaves(&space, &order, &ends(&space)));
            let found = bench.read_lists();
            assert_eq!(lists_agree(&space, &found, &hd), Ok(()), "{case}, {metric}");

            let mut crossed = order.clone();
            crossed.rotate_left(points / 4 + LEAF / 2);
            assert!(first_split(&space, &crossed, tree_seed).is_err(), "another tree goes unnoticed: {case}, {metric}");
            let mut other = Lists::empty(points, bench.k());
            merge_leaves(&mut other, &mut dirty, &crossed, &join_leaves(&space, &crossed, &ends(&space)));
            assert!(lists_agree(&space, &found, &other).is_err(), "other leaves go unnoticed: {case}, {metric}");
        }
    }
}
