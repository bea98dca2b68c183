//! The tour that goes where classes come apart.

use crate::support::{Blobs, DIMS, FRAMES, MAX_ERROR, MAX_UNEVEN, dense, farthest_tip, normal, somewhere, unevenness};
use fastrand::Rng;
use tour::{Arrival, Classes, Frame, GuidedTour, separation};

const SECONDS: f64 = 1.0 / 60.0;
const SPEED: f64 = 0.6;
/// How much of the best that there is a tour must reach.
const MIN_SHARE: f64 = 0.95;

const HIDDEN: [f32; 10] = [1.0, -0.5, 0.3, 0.8, -1.2, 0.4, 0.9, -0.7, 0.2, 1.1];

fn classes(blobs: &Blobs) -> Classes {
    Classes::choose(blobs.rows, Blobs::class_of, 1)
}

fn run(tour: &mut GuidedTour, frames: usize) {
    (0..frames).for_each(|_| {
        tour.advance(SECONDS, SPEED);
    });
}

#[test]
fn a_hidden_direction_is_found() {
    let blobs = Blobs::new(3_000, &HIDDEN, 1);
    let classes = classes(&blobs);
    let index = |frame: &Frame| separation(frame, blobs.positions(), &classes).unwrap();
    let start = Frame::first(blobs.dims, 3);
    let known: Vec<[f32; 3]> = blobs.hidden.iter().map(|&value| [value, 0.0, 0.0]).collect();
    let best = index(&Frame::nearest(&known, 3));
    assert!(index(&start) < 0.5 * best, "{} of {best} at the start", index(&start));
    for arrival in [Arrival::Space, Arrival::Axes] {
        let mut tour = GuidedTour::new(start.clone(), 3, arrival);
        assert!(tour.retarget(blobs.positions(), &classes));
        run(&mut tour, 600);
        let reached = index(tour.frame());
        println!("guided tour: {:.4} at the start, {reached:.4} reached, {best:.4} known", index(&start));
        assert!(reached >= MIN_SHARE * best, "{reached} of {best}");
    }
}

#[test]
fn with_the_axes_the_strongest_discriminant_is_x() {
    let blobs = Blobs::new(3_000, &HIDDEN, 2);
    let mut tour = GuidedTour::new(Frame::first(blobs.dims, 3), 3, Arrival::Axes);
    tour.retarget(blobs.positions(), &classes(&blobs));
    run(&mut tour, 900);
    let along: f32 = tour.frame().axes().zip(&blobs.hidden).map(|(axis, hidden)| axis[0] * hidden).sum();
    assert!(along.abs() > 0.99, "{along}");
}

#[test]
fn no_frame_nearby_is_better_than_the_target() {
    // Five classes at random places and rows that spread aslant: discriminants and widest directions differ.
    let mut rng = Rng::with_seed(3);
    let (dims, rows) = (8, 2_000);
    let means: Vec<f32> = (0..5 * dims).map(|_| normal(&mut rng)).collect();
    let slant: Vec<f32> = (0..dims * dims).map(|_| normal(&mut rng)).collect();
    let mut values = Vec::new();
    for row in 0..rows {
        let spread: Vec<f32> = (0..dims).map(|_| normal(&mut rng)).collect();
        values.extend((0..dims).map(|dim| {
            let slanted: f32 = spread.iter().zip(&slant[dim * dims..]).map(|(a, b)| a * b).sum();
            means[row % 5 * dims + dim] + slanted
        }));
    }
    let classes = Classes::choose(rows, |row| Some(row as u32 % 5), 1);
    for shown in [1, 2, 3] {
        let mut tour = GuidedTour::new(Frame::first(dims, shown), shown, Arrival::Space);
        assert!(tour.retarget(dense(&values, dims), &classes));
        let target = tour.target().unwrap();
        let best = separation(target, dense(&values, dims), &classes).unwrap();
        for size in [0.001, 0.03, 0.3, 3.0] {
            for _ in 0..100 {
                let moved: Vec<[f32; 3]> =
                    target.axes().map(|axis| axis.map(|value| value + size * normal(&mut rng))).collect();
                let other = separation(&Frame::nearest(&moved, shown), dense(&values, dims), &classes).unwrap();
                assert!(other <= best + 1e-6, "{other} beats {best}");
            }
        }
    }
}

#[test]
fn the_speed_is_even_until_it_arrives_and_nothing_overshoots() {
    for dims in DIMS {
        let hidden: Vec<f32> = (0..dims).map(|dim| (dim as f32 * 1.7).sin()).collect();
        let blobs = Blobs::new(1_000, &hidden, 4);
        let mut tour = GuidedTour::new(somewhere(dims, 3, 5), 3, Arrival::Space);
        tour.retarget(blobs.positions(), &classes(&blobs));
        let mut even = Vec::new();
        let (mut left, mut before) = (tour.remaining(), tour.frame().clone());
        for _ in 0..1_200 {
            let step = before.distance(tour.advance(SECONDS, SPEED));
            assert!(step <= SPEED * SECONDS * (1.0 + 1e-6));
            assert!(tour.remaining() <= left, "{} after {left}", tour.remaining());
            left = tour.remaining();
            before = tour.frame().clone();
            if left > 0.2 {
                even.push(step);
            }
        }
        println!("guided tour, {dims} dimensions: steps {:.1e} uneven over {} frames", unevenness(&even), even.len());
        assert!(!even.is_empty() && unevenness(&even) < MAX_UNEVEN);
        assert!(left < 1e-5, "{left} left");
        assert_eq!(tour.clone().advance(SECONDS, SPEED), &before, "a tour that has arrived keeps still");
    }
}

#[test]
fn a_pause_keeps_the_frame_to_the_bit() {
    let blobs = Blobs::new(500, &HIDDEN, 6);
    let mut tour = GuidedTour::new(Frame::first(blobs.dims, 3), 3, Arrival::Axes);
    tour.retarget(blobs.positions(), &classes(&blobs));
    run(&mut tour, 20);
    let before = tour.frame().clone();
    for (seconds, speed) in [(0.0, SPEED), (SECONDS, 0.0), (f64::NAN, SPEED)] {
        assert_eq!(tour.advance(seconds, speed), &before);
    }
    tour.retarget(blobs.positions(), &classes(&blobs));
    assert_eq!(tour.frame(), &before, "a new target does not move the frame by itself");
    assert_ne!(tour.advance(SECONDS, SPEED), &before);
}

#[test]
fn it_follows_rows_that_move_and_stays_orthonormal() {
    for dims in DIMS {
        let blobs: Vec<Blobs> = (0..50)
            .map(|time| {
                let hidden: Vec<f32> = (0..dims).map(|dim| (dim as f32 * 1.7 + time as f32 * 0.02).sin()).collect();
                Blobs::new(300, &hidden, 7)
            })
            .collect();
        let classes = classes(&blobs[0]);
        let mut tour = GuidedTour::new(Frame::first(dims, 3), 3, Arrival::Axes);
        let (mut worst, mut least) = (0.0, 1.0);
        for frame in 0..FRAMES {
            let blobs = &blobs[frame * blobs.len() / FRAMES];
            if frame % 50 == 0 {
                tour.retarget(blobs.positions(), &classes);
            }
            let before = tour.frame().clone();
            worst = f64::max(worst, tour.advance(SECONDS, SPEED).error());
            assert!(farthest_tip(&before, tour.frame()) <= 1.5 * SPEED * SECONDS + 1e-6);
            if frame % 200 == 199 && frame > 1_000 {
                let share = |frame: &Frame| separation(frame, blobs.positions(), &classes).unwrap();
                least = f64::min(least, share(tour.frame()) / share(tour.target().unwrap()));
            }
        }
        println!("guided tour, {dims} dimensions: error {worst:.1e}, at least {least:.3} of the best while rows move");
        assert!(worst < MAX_ERROR && least >= MIN_SHARE, "{dims} dimensions: error {worst}, share {least}");
    }
}

#[test]
fn a_small_selection_counts_as_much_as_the_rest() {
    let (dims, rows) = (6, 100_000);
    let selected = |row: usize| row % 2_500 == 17;
    let mut rng = Rng::with_seed(8);
    let mut values: Vec<f32> = (0..rows * dims).map(|_| normal(&mut rng)).collect();
    (0..rows).filter(|row| selected(*row)).for_each(|row| values[row * dims + 4] += 6.0);
    let classes = Classes::choose(rows, |row| Some(u32::from(selected(row))), 2);
    assert_eq!((classes.rows(), classes.count()), (4_096, 2));
    assert_eq!(classes, Classes::choose(rows, |row| Some(u32::from(selected(row))), 2));
    assert_ne!(classes, Classes::choose(rows, |row| Some(u32::from(selected(row))), 3));
    let mut tour = GuidedTour::new(Frame::first(dims, 3), 3, Arrival::Axes);
    tour.retarget(dense(&values, dims), &classes);
    let along = tour.target().unwrap().axes().nth(4).unwrap()[0];
    assert!(along.abs() > 0.95, "{along}");
}

#[test]
fn the_axes_that_are_left_are_the_widest() {
    // Two classes along dimension 0; beyond, dimensions 3 and 1 are the widest.
    let widths = [0.1, 2.0, 0.5, 4.0, 1.0];
    let mut rng = Rng::with_seed(9);
    let values: Vec<f32> = (0..2_000)
        .flat_map(|row| {
            let spread = widths.map(|width| width * normal(&mut rng));
            [spread[0] + (row % 2) as f32, spread[1], spread[2], spread[3], spread[4]]
        })
        .collect();
    let classes = Classes::choose(2_000, |row| Some(row as u32 % 2), 1);
    let mut tour = GuidedTour::new(Frame::of_dimensions(5, &[2, 4, 1]).unwrap(), 3, Arrival::Axes);
    tour.retarget(dense(&values, 5), &classes);
    let axes: Vec<[f32; 3]> = tour.target().unwrap().axes().collect();
    for (dimension, axis) in [(0, 0), (3, 1), (1, 2)] {
        assert!(axes[dimension][axis].abs() > 0.98, "{axes:?}");
    }
}
