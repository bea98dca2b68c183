use super::*;
use crate::Level;
use crate::support::{by_hand, random};

const SEED: u64 = 11;

/// No disc touches another or leaves the unit disc, and siblings stand together in order.
fn assert_tidy(hierarchy: &Hierarchy, layout: &Layout) {
    let places = &layout.places;
    assert_eq!(places.len(), hierarchy.nodes().len());
    for (number, a) in places.iter().enumerate() {
        assert!(a.r > 0.0 && a.x.hypot(a.y) + a.r <= 1.0, "{a:?} sticks out");
        for b in &places[..number] {
            assert!((a.x - b.x).hypot(a.y - b.y) > a.r + b.r, "{a:?} overlaps {b:?}");
        }
    }
    for node in &hierarchy.nodes()[1..] {
        let place = places[node.id as usize];
        assert!((place.x.hypot(place.y) - layout.rings[node.level.unwrap()]).abs() < 1e-5);
    }
    // In the order of angles the nodes of a level come as a walk over the tree meets them.
    let mut walk = Vec::new();
    let mut stack = vec![ROOT];
    while let Some(node) = stack.pop() {
        walk.push(node);
        stack.extend(hierarchy.children(node).iter().rev());
    }
    let angle = |node: &u32| places[*node as usize].x.atan2(places[*node as usize].y).rem_euclid(TAU);
    for level in 0..hierarchy.levels().len() {
        let ring = walk.iter().filter(|&&node| hierarchy.nodes()[node as usize].level == Some(level));
        assert!(ring.map(angle).is_sorted(), "level {level}");
    }
}

#[test]
fn the_root_is_in_the_middle_and_levels_are_rings() {
    let hierarchy = by_hand(0.5);
    let layout = Layout::new(&hierarchy);
    assert_tidy(&hierarchy, &layout);
    assert_eq!((layout.places[0].x, layout.places[0].y), (0.0, 0.0));
    let radius = |node: usize| layout.places[node].r;
    assert_eq!(radius(1), radius(0), "the largest cluster is as large as can be");
    assert!((radius(3) / radius(1) - (4.0f32 / 6.0).sqrt()).abs() < 1e-5);
    assert_eq!(layout, Layout::new(&hierarchy));
}

#[test]
fn random_hierarchies_do_not_overlap() {
    let mut rng = fastrand::Rng::with_seed(SEED);
    for _ in 0..100 {
        let hierarchy = Hierarchy::new(random(&mut rng), 0.5).unwrap();
        assert_tidy(&hierarchy, &Layout::new(&hierarchy));
    }
}

#[test]
fn a_crowd_shrinks_until_it_fits_and_keeps_its_bounds() {
    let labels: Vec<u32> = (0..2000).map(|row: u32| if row < 1000 { 0 } else { row % 400 }).collect();
    let one = Level { alpha: 1.0, labels: vec![0; 2000], radius: 1.0 };
    let hierarchy = Hierarchy::new(vec![one, Level { alpha: 0.5, labels, radius: 1.0 }], 0.5).unwrap();
    let layout = Layout::new(&hierarchy);
    assert_tidy(&hierarchy, &layout);
    let (small, large) = (layout.places[3].r, layout.places[1].r);
    assert!((small / large - SMALLEST).abs() < 1e-5, "{small} of {large}");
}

#[test]
fn a_click_finds_its_node() {
    let layout = Layout::new(&by_hand(0.5));
    for (node, place) in (0..).zip(&layout.places) {
        assert_eq!(layout.node_at(place.x + 0.9 * place.r, place.y), Some(node));
    }
    assert_eq!(layout.node_at(0.99, 0.99), None);
}

#[test]
fn noise_alone_is_a_disc_in_the_middle() {
    let level = Level { alpha: 1.0, labels: vec![clusters::NOISE; 3], radius: 1.0 };
    let hierarchy = Hierarchy::new(vec![level], 0.5).unwrap();
    assert_tidy(&hierarchy, &Layout::new(&hierarchy));
}
