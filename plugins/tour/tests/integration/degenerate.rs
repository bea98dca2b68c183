//! What makes no sense does no harm.

use crate::support::{Blobs, MAX_ERROR, dense, normal};
use fastrand::Rng;
use tour::{Arrival, Classes, Frame, GrandTour, GuidedTour, Positions, separation};

const DIMS: usize = 5;

fn thirds(rows: usize) -> Classes {
    Classes::choose(rows, Blobs::class_of, 1)
}

/// Runs a tour and says whether it found something to separate.
fn run(values: &[f32], dims: usize, shown: usize, classes: &Classes) -> bool {
    let mut tour = GuidedTour::new(Frame::first(dims, shown), shown, Arrival::Axes);
    let found = tour.retarget(dense(values, dims), classes);
    for _ in 0..100 {
        let frame = tour.advance(0.1, 1.0);
        assert!(frame.axes().flatten().all(f32::is_finite));
        assert!(frame.error() < MAX_ERROR, "{}", frame.error());
    }
    assert_eq!(separation(tour.frame(), dense(values, dims), classes).is_some(), found);
    found
}

#[test]
fn without_anything_to_separate_the_tour_stays() {
    let mut rng = Rng::with_seed(1);
    let noise: Vec<f32> = (0..300 * DIMS).map(|_| normal(&mut rng)).collect();
    assert!(!run(&[1.5; 300 * DIMS], DIMS, 3, &thirds(300)), "all rows are at the same place");
    assert!(!run(&noise, DIMS, 3, &Classes::choose(300, |_| Some(4), 1)), "one class");
    assert!(!run(&noise, DIMS, 3, &Classes::choose(300, |_| None, 1)), "no class");
    assert!(!run(&[], DIMS, 3, &thirds(0)), "no rows");
    assert!(!run(&[f32::NAN; 300 * DIMS], DIMS, 3, &thirds(300)), "rows that are nowhere");
    let mut tour = GuidedTour::new(Frame::first(DIMS, 3), 3, Arrival::Space);
    assert_eq!(tour.advance(0.1, 1.0), &Frame::first(DIMS, 3), "no target yet");
}

#[test]
fn without_structure_the_tour_stays_finite() {
    let mut rng = Rng::with_seed(2);
    let noise: Vec<f32> = (0..300 * DIMS).map(|_| normal(&mut rng)).collect();
    assert!(run(&noise, DIMS, 3, &thirds(300)));
    let huge: Vec<f32> = noise.iter().map(|value| value * 1e37).collect();
    assert!(run(&huge, DIMS, 3, &thirds(300)));
    let tiny: Vec<f32> = noise.iter().map(|value| value * 1e-30).collect();
    assert!(run(&tiny, DIMS, 3, &thirds(300)));
    assert!(run(&noise[..3 * DIMS], DIMS, 3, &thirds(3)), "classes of one row");
    let few: Vec<f32> = (0..9 * 64).map(|_| normal(&mut rng)).collect();
    assert!(run(&few, 64, 3, &thirds(9)), "fewer rows than dimensions");
    let line: Vec<f32> = (0..300).flat_map(|row| [row as f32, 0.0, 0.0, 0.0, 0.0]).collect();
    assert!(run(&line, DIMS, 3, &thirds(300)), "rows on a line");
    let own_class = Classes::choose(10_000, |row| Some(row as u32), 1);
    assert!(own_class.rows() <= 4_096);
    run(&noise, DIMS, 3, &own_class);
}

#[test]
fn few_dimensions_are_all_shown() {
    let mut rng = Rng::with_seed(3);
    let noise: Vec<f32> = (0..900).map(|_| normal(&mut rng)).collect();
    for dims in [1, 2, 3] {
        assert!(run(&noise, dims, 3, &thirds(900 / dims)));
        let mut tour = GrandTour::new(dims, 3, 1);
        assert_eq!(tour.advance(0.1, 1.0), &Frame::first(dims, 3));
        assert_eq!(Frame::first(dims, 3).shown(), dims);
    }
    assert_eq!(Frame::first(0, 0), Frame::first(1, 1));
    assert_eq!(Frame::nearest(&[], 3).dims(), 1);
    let nowhere = Positions { values: &noise, dims: 0, stride: 0 };
    assert!(!GuidedTour::new(Frame::first(3, 3), 3, Arrival::Space).retarget(nowhere, &thirds(10)));
}

#[test]
fn rows_that_are_nowhere_and_padding_are_passed_over() {
    let mut rng = Rng::with_seed(4);
    let rows = 300;
    let clean: Vec<f32> = (0..rows * DIMS).map(|i| normal(&mut rng) + (i / DIMS % 3) as f32).collect();
    let target = |positions: Positions<'_>, classes: &Classes| {
        let mut tour = GuidedTour::new(Frame::first(DIMS, 3), 3, Arrival::Space);
        assert!(tour.retarget(positions, classes));
        tour.target().unwrap().clone()
    };
    let expected = target(dense(&clean, DIMS), &thirds(rows));
    // Twice the rows, of which the later half is lost; two more values in each row; more rows wanted than there are.
    let mut padded = vec![f32::NAN; 2 * rows * (DIMS + 2)];
    for (row, position) in clean.chunks_exact(DIMS).enumerate() {
        padded[row * (DIMS + 2)..][..DIMS].copy_from_slice(position);
    }
    let positions = Positions { values: &padded, dims: DIMS, stride: DIMS + 2 };
    assert_eq!(target(positions, &thirds(3 * rows)), expected);
    let mut moved = padded.clone();
    moved[3] += 50.0;
    assert_ne!(target(Positions { values: &moved, ..positions }, &thirds(3 * rows)), expected);
}

#[test]
fn a_tour_goes_on_when_dimensions_change() {
    let mut rng = Rng::with_seed(5);
    let noise: Vec<f32> = (0..300 * 9).map(|_| normal(&mut rng)).collect();
    let mut tour = GuidedTour::new(Frame::first(2, 3), 3, Arrival::Axes);
    for dims in [2, 3, 9, 4, 1, 3, 6] {
        assert!(tour.retarget(dense(&noise, dims), &thirds(300)));
        assert_eq!((tour.frame().dims(), tour.frame().shown()), (dims, dims.min(3)));
        for _ in 0..20 {
            assert!(tour.advance(0.1, 1.0).error() < MAX_ERROR);
        }
    }
}
