//! Follow against a plain version over the same candidates.

use crate::support::scene::Small;
use embedding::cpu::follow::{Swap, apply};
use std::collections::BTreeSet;

/// The change of one point's list: its farthest neighbour leaves for the nearest candidate that is nearer.
fn plain(small: &Small, iteration: u32, point: u32) -> Swap {
    let scene = small.scene(1, iteration);
    let squared = |other: u32| small.difference(point as usize, other as usize).1;
    let row = scene.present.row(point);
    let farthest = |&a: &usize, &b: &usize| squared(row[a]).total_cmp(&squared(row[b]));
    let place = (0..row.len()).max_by(farthest).expect("lists are not empty");
    let candidates = scene.present.candidates(point, &small.alive);
    let nearer = candidates.iter().copied().filter(|&candidate| {
        candidate != point && !row.contains(&candidate) && squared(candidate) < squared(row[place])
    });
    match nearer.min_by(|&a, &b| squared(a).total_cmp(&squared(b))) {
        Some(neighbour) => Swap { place: place as u32, neighbour },
        None => Swap::NONE,
    }
}

#[test]
fn the_nearest_candidate_replaces_the_farthest_neighbour() {
    for dims in [1, 2, 3, 4, 6] {
        for iteration in [4, 5] {
            let small = Small::random(600, dims, 1.0, 1.0);
            let (found, moved) = (small.run(1, iteration).swaps, small.run(1, iteration + 2).swaps);
            let expected: Vec<Swap> = (0..600).map(|point| plain(&small, iteration, point)).collect();
            assert_eq!(found, expected, "{dims}-D, iteration {iteration}");
            assert_ne!(moved, expected, "other candidates make no difference");
            let swaps = found.iter().filter(|&&swap| swap != Swap::NONE).count();
            assert!((60..=600).contains(&swaps), "{swaps} swaps tell little");
        }
    }
}

#[test]
fn lists_that_are_complete_stay_as_they_are() {
    let small = Small::random(300, 2, 1.0, 1.0).with_exact_lists(11);
    for iteration in 0..20 {
        assert!(small.run(1, iteration).swaps.iter().all(|&swap| swap == Swap::NONE));
    }
}

#[test]
fn apply_changes_one_place_and_nothing_else() {
    let mut ld: Vec<u32> = (0..20).collect();
    let swaps = [Swap { place: 3, neighbour: 77 }, Swap::NONE, Swap { place: 0, neighbour: 88 }, Swap::NONE];
    apply(&swaps, 5, &mut ld);
    let mut expected: Vec<u32> = (0..20).collect();
    (expected[3], expected[10]) = (77, 88);
    assert_eq!(ld, expected);
}

#[test]
fn following_for_long_finds_the_neighbours_and_keeps_lists_distinct() {
    /// Share of the true neighbours that lists of points at rest must reach.
    const MIN_RECALL: f64 = 0.9;
    let mut small = Small::random(500, 2, 1.0, 1.0);
    let exact = Small::random(500, 2, 1.0, 1.0).with_exact_lists(small.ld_length);
    let recall = |small: &Small| {
        let rows = small.ld.chunks_exact(small.ld_length).zip(exact.ld.chunks_exact(small.ld_length));
        rows.map(|(row, exact)| row.iter().filter(|one| exact.contains(one)).count()).sum::<usize>() as f64
            / small.ld.len() as f64
    };
    assert!(recall(&small) < 0.1);
    for iteration in 0..400 {
        let swaps = small.run(1, iteration).swaps;
        apply(&swaps, small.ld_length, &mut small.ld);
    }
    for (point, row) in small.ld.chunks_exact(small.ld_length).enumerate() {
        let distinct: BTreeSet<&u32> = row.iter().collect();
        assert!(distinct.len() == row.len() && !distinct.contains(&(point as u32)), "row {point}: {row:?}");
    }
    let reached = recall(&small);
    assert!(reached >= MIN_RECALL, "recall is {reached}, below {MIN_RECALL}");
}
