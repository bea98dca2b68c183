use super::*;
use crate::support::{by_hand, classes};

#[test]
fn leaves_are_as_pure_as_their_rows() {
    let (hierarchy, classes) = (by_hand(0.5), classes());
    let leaves = hierarchy.leaves_of_rows(&classes).unwrap();
    let found: Vec<Option<(u32, f64)>> = leaves.iter().map(|leaf| leaf.map(|leaf| (leaf.node, leaf.purity))).collect();
    let (three, four, five, six) = (Some((6, 1.0)), Some((8, 0.5)), Some((4, 1.0)), Some((7, 1.0)));
    // Row 4 is in two leaves, row 10 was lost in a node that has a child.
    assert_eq!(found, [three, three, three, four, four, five, five, six, six, six, None, Some((9, 0.0))]);
    let share = |class, purity| hierarchy.pure_share(&classes, class, purity).unwrap();
    assert_eq!([share(0, 0.9), share(1, 0.9), share(2, 0.9)], [0.75, 2.0 / 3.0, 0.75]);
    // The leaf {3 4} is half of class 0 and half of class 1: of equals it is of the first.
    assert_eq!([share(0, 0.5), share(1, 0.5), share(7, 0.5)], [1.0, 2.0 / 3.0, 0.0]);
    assert_eq!((leaves[4].unwrap().class, leaves[11].unwrap().class), (Some(0), None));
}

#[test]
fn a_node_tells_its_classes_most_frequent_first() {
    let (hierarchy, classes) = (by_hand(0.5), classes());
    assert_eq!(classes.composition(&hierarchy.nodes()[0]), [(0, 4), (2, 4), (1, 3)]);
    assert_eq!(classes.composition(&hierarchy.nodes()[2]), [(2, 4), (1, 1)]);
    assert_eq!(classes.labels(&hierarchy.nodes()[2])[1], Label { label: "<i>\"x\"</i>", rows: 1 });
    assert_eq!(classes.composition(&hierarchy.nodes()[9]), []);
    assert_eq!(classes.purity(&hierarchy.nodes()[2]), 0.8);
}

#[test]
fn groups_part_where_most_of_their_rows_first_differ() {
    let (hierarchy, classes) = (by_hand(0.5), classes());
    let level = |a, b| hierarchy.level_of_separation(&classes.rows(a), &classes.rows(b));
    assert_eq!((level(0, 1), level(0, 2), level(1, 1)), (Some(1), Some(0), None));
    // Noise says nothing until it is gone.
    assert_eq!(hierarchy.level_of_separation(&[11], &[0]), Some(2));
    assert_eq!(hierarchy.level_of_separation(&[], &[0]), None);
}

#[test]
fn classes_must_fit() {
    let error = Classes::new(vec![Some(0), None, Some(3)], vec!["a".into()]).unwrap_err();
    assert_eq!(error.to_string(), "row 2 is of class 3, but only 1 have names");
    let short = Classes::new(vec![None; 3], Vec::new()).unwrap();
    let error = by_hand(0.5).leaves_of_rows(&short).unwrap_err();
    assert_eq!(error, HierarchyError::ClassRows { found: 3, rows: 12 });
}
