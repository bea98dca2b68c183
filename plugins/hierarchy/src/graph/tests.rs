use super::*;
use crate::support::{by_hand, level, random};
use std::collections::BTreeSet;

const SEED: u64 = 7;

fn triples(hierarchy: &Hierarchy) -> Vec<(u32, u32, usize, f32, bool)> {
    hierarchy.edges().iter().map(|edge| (edge.parent, edge.child, edge.overlap, edge.weight, edge.tree)).collect()
}

#[test]
fn a_small_hierarchy_is_what_it_is_by_hand() {
    let hierarchy = by_hand(0.5);
    let sizes: Vec<usize> = hierarchy.nodes().iter().map(Node::size).collect();
    assert_eq!(sizes, [12, 6, 5, 4, 3, 4, 3, 3, 2, 1]);
    let parents: Vec<Option<u32>> = hierarchy.nodes().iter().map(|node| node.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(3), Some(5), Some(3), Some(0)]);
    let expected = [
        (0, 1, 6, 1.0, true),
        (0, 2, 5, 1.0, true),
        (1, 3, 4, 1.0, true),
        (1, 4, 2, 2.0 / 3.0, true), // 1 of 3 rows from node 2: cut
        (2, 5, 4, 1.0, true),
        (3, 6, 3, 1.0, true),
        (5, 7, 3, 1.0, true),
        (3, 8, 1, 0.5, true), // as much as node 4, but before it
        (4, 8, 1, 0.5, false),
        (0, 9, 1, 1.0, true), // all of it was noise up to here
    ];
    assert_eq!(triples(&hierarchy), expected);
    assert_eq!(hierarchy.cut_edges(), 1);
    assert_eq!(hierarchy.leaves().map(|node| node.id).collect::<Vec<_>>(), [4, 6, 7, 8, 9]);
    assert_eq!(hierarchy.nodes()[8].rows, [3, 4]);
    assert_eq!((hierarchy.children(ROOT), hierarchy.children(3)), ([1, 2, 9].as_slice(), [6, 8].as_slice()));
    assert_eq!(hierarchy.nodes_at(1).map(|node| node.id).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!((hierarchy.nodes()[0].level, hierarchy.nodes()[9].level), (None, Some(2)));
}

#[test]
fn weak_edges_are_cut_but_for_the_strongest_of_each_node() {
    let weights = |weak_edge| by_hand(weak_edge).edges().iter().map(|edge| edge.weight).collect::<Vec<_>>();
    assert_eq!((weights(0.0).len(), by_hand(0.0).cut_edges()), (11, 0));
    assert!(weights(0.0).contains(&(1.0 / 3.0)));
    let strict = by_hand(1.0);
    assert_eq!((strict.edges().len(), strict.cut_edges()), (9, 2));
    assert!(strict.edges().iter().all(|edge| edge.tree));
    assert!(strict.edges().iter().any(|edge| edge.weight == 0.5), "node 8 must keep its parent");
}

#[test]
fn the_table_has_the_node_of_each_row_and_level() {
    let table = by_hand(0.5).table();
    assert_eq!(table[0], [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, -1]);
    assert_eq!(table[1], [3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, -1]);
    assert_eq!(table[2], [6, 6, 6, 8, 8, -1, -1, 7, 7, 7, -1, 9]);
    let hierarchy = by_hand(0.5);
    assert_eq!((hierarchy.node_of(4, 2), hierarchy.node_of(5, 2)), (Some(8), None));
    assert_eq!((hierarchy.node_of(12, 0), hierarchy.node_of(0, 3)), (None, None));
}

/// All pairs of nodes of adjacent levels that share rows, by sets.
fn all_pairs(hierarchy: &Hierarchy) -> Vec<(u32, u32, usize, f32)> {
    let set = |node: &Node| node.rows.iter().copied().collect::<BTreeSet<u32>>();
    let mut pairs = Vec::new();
    for child in &hierarchy.nodes()[1..] {
        let before = child.level.unwrap().checked_sub(1);
        for parent in hierarchy.nodes().iter().filter(|node| node.level == before) {
            let shared = set(parent).intersection(&set(child)).count();
            if shared > 0 {
                let weight = shared as f32 / parent.size().min(child.size()) as f32;
                pairs.push((parent.id, child.id, shared, weight));
            }
        }
    }
    pairs
}

#[test]
fn edges_are_those_of_all_pairs_of_sets() {
    let mut rng = fastrand::Rng::with_seed(SEED);
    let (mut from_noise, mut cut) = (0, 0);
    for _ in 0..300 {
        let levels = random(&mut rng);
        let whole = Hierarchy::new(levels.clone(), 0.0).unwrap();
        let pairs = all_pairs(&whole);
        let adjacent = |edge: &&Edge| {
            let level = |node: u32| whole.nodes()[node as usize].level.map_or(-1, |level| level as i64);
            level(edge.child) - level(edge.parent) == 1
        };
        let found = whole.edges().iter().filter(adjacent);
        assert!(found.map(|edge| (edge.parent, edge.child, edge.overlap, edge.weight)).eq(pairs.iter().copied()));
        from_noise += whole.edges().len() - pairs.len();
        let strict = Hierarchy::new(levels, 0.5).unwrap();
        assert_eq!(strict.edges().len() + strict.cut_edges(), whole.edges().len());
        assert!(strict.edges().iter().all(|edge| edge.tree || edge.weight >= 0.5));
        cut += strict.cut_edges();
    }
    assert!(from_noise > 50 && cut > 1000, "{from_noise} nodes out of the noise, {cut} edges cut");
}

#[test]
fn every_node_hangs_from_one_parent_that_no_other_beats() {
    let mut rng = fastrand::Rng::with_seed(SEED);
    for _ in 0..300 {
        let levels = random(&mut rng);
        let hierarchy = Hierarchy::new(levels.clone(), 0.7).unwrap();
        assert_eq!(hierarchy, Hierarchy::new(levels.clone(), 0.7).unwrap());
        for node in &hierarchy.nodes()[1..] {
            let into: Vec<&Edge> = hierarchy.edges().iter().filter(|edge| edge.child == node.id).collect();
            let tree: Vec<u32> = into.iter().filter(|edge| edge.tree).map(|edge| edge.parent).collect();
            assert_eq!(tree, [node.parent.unwrap()]);
            let own = into.iter().find(|edge| edge.tree).unwrap();
            assert!(own.parent < node.id && hierarchy.children(own.parent).contains(&node.id));
            for edge in &into {
                assert!(edge.weight > 0.0 && edge.weight <= 1.0);
                assert!((edge.overlap, own.parent) <= (own.overlap, edge.parent), "{edge:?} beats {own:?}");
            }
        }
        let table = hierarchy.table();
        for (number, (level, column)) in levels.iter().zip(&table).enumerate() {
            let rows: usize = hierarchy.nodes_at(number).map(Node::size).sum();
            assert_eq!(rows + level.noise(), hierarchy.rows());
            assert_eq!(column.iter().filter(|&&node| node == -1).count(), level.noise());
        }
        assert!(hierarchy.nodes().iter().all(|node| node.rows.is_sorted_by(|a, b| a < b) && node.size() > 0));
    }
}

#[test]
fn levels_must_be_there_and_of_the_same_rows() {
    assert_eq!(Hierarchy::new(Vec::new(), 0.5), Err(HierarchyError::Empty));
    assert_eq!(Hierarchy::new(vec![level(1.0, 0, &[])], 0.5), Err(HierarchyError::Empty));
    let unequal = vec![level(1.0, 3, &[&[0]]), level(0.5, 4, &[&[0]])];
    let error = Hierarchy::new(unequal, 0.5).unwrap_err();
    assert_eq!(error.to_string(), "level 1 has 4 rows, but the first has 3: all levels must be of the same rows");
    let error = Hierarchy::new(vec![level(1.0, 3, &[&[0]])], f32::NAN).unwrap_err();
    assert_eq!(error.to_string(), "option `weak_edge` is NaN: it must be from 0 to 1");
}

#[test]
fn noise_alone_leaves_the_root_alone() {
    let hierarchy = Hierarchy::new(vec![level(1.0, 3, &[])], 0.5).unwrap();
    assert_eq!((hierarchy.nodes().len(), hierarchy.edges().len(), hierarchy.leaves().count()), (1, 0, 1));
    assert_eq!(hierarchy.table(), [[-1, -1, -1]]);
}
