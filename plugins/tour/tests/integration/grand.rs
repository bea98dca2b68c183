//! The tour that comes to see everything.

use crate::support::{DIMS, FRAMES, MAX_ERROR, MAX_UNEVEN, axes, farthest_tip, somewhere, unevenness};
use tour::{Frame, GrandTour, MAX_STEP};

const SECONDS: f64 = 1.0 / 60.0;
const SPEED: f64 = 0.6;
/// How far means over a long tour may be from those over all frames, as a share of them.
const MAX_BIAS: f64 = 0.1;

#[test]
fn a_long_tour_stays_orthonormal_even_and_without_jumps() {
    for dims in DIMS {
        let mut tour = GrandTour::new(dims, 3, 7);
        let mut before = tour.frame().clone();
        let (mut steps, mut worst) = (Vec::with_capacity(FRAMES), 0.0);
        for _ in 0..FRAMES {
            let frame = tour.advance(SECONDS, SPEED);
            steps.push(before.distance(frame));
            worst = f64::max(worst, frame.error());
            assert!(farthest_tip(&before, frame) <= SPEED * SECONDS + 1e-6, "a jump in {dims} dimensions");
            before = frame.clone();
        }
        let uneven = unevenness(&steps);
        println!("grand tour, {dims} dimensions: error {worst:.1e}, steps {uneven:.1e} uneven");
        assert!(worst < MAX_ERROR, "{dims} dimensions: error {worst}");
        assert!(uneven < MAX_UNEVEN, "{dims} dimensions: steps {uneven} uneven");
        assert!(steps.iter().all(|step| (step / (SPEED * SECONDS) - 1.0).abs() < MAX_UNEVEN));
    }
}

#[test]
fn the_speed_is_even_at_low_frame_rates_too() {
    for (dims, shown) in [(2, 1), (4, 3), (6, 2), (32, 3)] {
        let mut tour = GrandTour::new(dims, shown, 8);
        let mut before = tour.frame().clone();
        let steps = (0..2_000).map(|_| {
            let frame = tour.advance(0.1, SPEED);
            let step = before.distance(frame);
            before = frame.clone();
            step
        });
        let uneven = unevenness(&steps.collect::<Vec<_>>());
        assert!(uneven < MAX_UNEVEN, "{shown} of {dims} dimensions: steps {uneven} uneven");
    }
}

#[test]
fn the_curve_has_no_corners() {
    let mut tour = GrandTour::new(8, 3, 9);
    let frames: Vec<_> = (0..FRAMES).map(|_| axes(tour.advance(SECONDS, SPEED))).collect();
    let moved = |from: &[[f32; 3]], to: &[[f32; 3]]| -> Vec<f64> {
        from.iter().zip(to).flat_map(|(a, b)| [0, 1, 2].map(|i| f64::from(b[i]) - f64::from(a[i]))).collect()
    };
    for three in frames.windows(3) {
        let (first, second) = (moved(&three[0], &three[1]), moved(&three[1], &three[2]));
        let turn: f64 = first.iter().zip(&second).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        // A corner of a right angle would be 1.4 steps.
        assert!(turn < 0.05 * SPEED * SECONDS, "{} of a step", turn / (SPEED * SECONDS));
    }
}

#[test]
fn a_pause_keeps_the_frame_to_the_bit() {
    let mut tour = GrandTour::new(6, 3, 10);
    for _ in 0..100 {
        let before = tour.advance(SECONDS, SPEED).clone();
        for (seconds, speed) in [(0.0, SPEED), (SECONDS, 0.0), (-1.0, SPEED), (f64::NAN, SPEED)] {
            assert_eq!(tour.advance(seconds, speed), &before);
        }
        assert_ne!(tour.clone().advance(SECONDS, SPEED), &before, "the tour does move");
    }
}

#[test]
fn the_seed_decides_and_the_frame_rate_does_not() {
    let after = |seed: u64, frames: usize, seconds: f64| {
        let mut tour = GrandTour::new(7, 3, seed);
        (0..frames).for_each(|_| {
            tour.advance(seconds, SPEED);
        });
        tour.frame().clone()
    };
    assert_eq!(after(1, 600, SECONDS), after(1, 600, SECONDS));
    assert!(after(1, 600, SECONDS).distance(&after(2, 600, SECONDS)) > 0.1);
    let (fine, coarse) = (after(1, 2_400, SECONDS / 4.0), after(1, 600, SECONDS));
    assert!(farthest_tip(&fine, &coarse) < 1e-5, "{}", farthest_tip(&fine, &coarse));
}

#[test]
fn a_window_that_slept_does_not_leap() {
    let mut tour = GrandTour::new(5, 3, 11);
    let before = tour.frame().clone();
    let frame = tour.advance(3_600.0, SPEED);
    assert!(before.distance(frame) <= MAX_STEP + 1e-9);
    let mut tour = GrandTour::new(5, 3, 11);
    assert!(tour.advance(f64::INFINITY, SPEED).error() < MAX_ERROR);
}

#[test]
fn everything_is_seen_equally_often() {
    for (dims, shown) in [(4, 3), (6, 2), (16, 3)] {
        let frames = 6_000;
        let (mut squares, mut fourths) = (vec![0.0; dims], 0.0);
        let mut tour = GrandTour::new(dims, shown, 12);
        for _ in 0..frames {
            for (sum, axis) in squares.iter_mut().zip(tour.advance(1.0, MAX_STEP).axes()) {
                *sum += axis.iter().map(|value| f64::from(value * value)).sum::<f64>() / f64::from(frames);
                fourths += axis.iter().map(|value| f64::from(value * value).powi(2)).sum::<f64>() / f64::from(frames);
            }
        }
        // Where all frames are alike, a dimension has its share of the axes, and single parts spread as those of
        // random unit vectors do: the mean of their fourth powers is 3 / (d (d + 2)).
        let share = shown as f64 / dims as f64;
        assert!(squares.iter().all(|square| (square / share - 1.0).abs() < MAX_BIAS), "{squares:?}, not {share}");
        let expected = 3.0 * shown as f64 / (dims as f64 + 2.0);
        assert!((fourths / expected - 1.0).abs() < MAX_BIAS, "{fourths}, not {expected}");
    }
}

#[test]
fn dimensions_come_and_go_while_it_runs() {
    let mut tour = GrandTour::new(3, 3, 13);
    assert_eq!(tour.advance(1.0, SPEED), &Frame::first(3, 3), "all is seen");
    for dims in [4, 7, 64, 5, 3, 2, 1, 2, 6] {
        let before = tour.frame().clone();
        tour.resize(dims);
        assert_eq!((tour.frame().dims(), tour.frame().shown()), (dims, dims.min(3)));
        if dims > before.dims() && before.shown() == tour.frame().shown() {
            assert_eq!(axes(tour.frame())[..before.dims()], axes(&before), "what was seen stays");
        }
        for _ in 0..300 {
            let before = tour.frame().clone();
            let frame = tour.advance(SECONDS, SPEED);
            let expected = if dims > 3 { SPEED * SECONDS } else { 0.0 };
            assert!((before.distance(frame) - expected).abs() <= MAX_UNEVEN * expected + 1e-12);
            assert!(frame.error() < MAX_ERROR);
        }
    }
    let unseen = axes(tour.frame())[3..].iter().flatten().all(|value| *value == 0.0);
    assert!(!unseen, "new dimensions come into sight");
}

#[test]
fn it_starts_at_what_is_seen() {
    let frame = somewhere(9, 3, 14);
    let mut tour = GrandTour::starting_at(frame.clone(), 3, 15);
    assert_eq!(tour.frame(), &frame);
    assert!(farthest_tip(tour.advance(SECONDS, SPEED), &frame) <= SPEED * SECONDS + 1e-6);
}
