//! What a tour promises to whoever watches it.

use super::*;
use controls::Apart;
use points::Axes;

const FPS: f64 = 30.0;
/// The farthest that the tip of a dimension goes in a frame while the view goes over to something else: the whole way
/// takes 24 frames, and turns by half a turn at most.
const LARGEST_STEP: f32 = 0.25;

/// Two hundred points, each with its own spread along every dimension.
fn positions(dims: usize) -> Vec<f32> {
    let value = |at: usize| {
        let (point, axis) = (at / dims, at % dims);
        let prime = [7, 11, 13, 17, 19, 23, 29, 31][axis % 8];
        (9.0 - axis as f32) * ((point * prime % 101) as f32 / 50.0 - 1.0) + 0.3
    };
    (0..200 * dims).map(value).collect()
}

fn layout(positions: &[f32], dims: usize) -> Layout<'_> {
    Layout { positions, dims, stride: dims }
}

fn seeing(axes: SeenAxes) -> Seeing {
    Seeing { axes, ..Seeing::default() }
}

/// How far the tip that moves most goes.
fn step(before: &Axes, after: &Axes) -> f32 {
    let tip = |axes: &Axes, dimension: usize| axes.axes.get(dimension).copied().unwrap_or_default();
    let count = before.axes.len().min(after.axes.len());
    (0..count).map(|dimension| tip(before, dimension).distance(tip(after, dimension))).fold(0.0, f32::max)
}

fn error(axes: &Axes) -> f32 {
    let entry = |i: usize, j: usize| {
        let dot: f32 = axes.axes.iter().map(|axis| axis[i] * axis[j]).sum();
        (dot - if i == j { 1.0 } else { 0.0 }).abs()
    };
    (0..3).flat_map(|i| (0..=i).map(move |j| (i, j))).fold(0.0, |worst, (i, j)| worst.max(entry(i, j)))
}

#[test]
fn whatever_is_asked_for_is_gone_to_without_a_jump_and_reached() {
    let positions = positions(6);
    let layout = layout(&positions, 6);
    let mut tour = Tour::new(3);
    let mut axes = tour.frame(layout, &Seeing::default(), None, 1.0 / FPS);
    let hand = Frame::of_dimensions(6, &[5, 4, 3]).expect("three dimensions").axes().collect();
    for wish in [
        SeenAxes::Dimensions([4, 0, 5]),
        SeenAxes::Principal,
        SeenAxes::Grand,
        SeenAxes::Dimensions([0, 1, 2]),
        SeenAxes::Hand(hand),
        SeenAxes::Dimensions([2, 1, 0]),
        SeenAxes::Dimensions([2, 1, 77]), // is not there
        SeenAxes::Guided(Apart::Selection),
        SeenAxes::Principal,
    ] {
        let seeing = seeing(wish.clone());
        for frame in 0..30 {
            let next = tour.frame(layout, &seeing, None, 1.0 / FPS);
            assert!(step(&axes, &next) < LARGEST_STEP, "{wish:?} jumps by {} in frame {frame}", step(&axes, &next));
            assert!(error(&next) < 1e-5, "{wish:?} is off by {} in frame {frame}", error(&next));
            axes = next;
        }
        if let SeenAxes::Dimensions([x, y, z @ 0..6]) = wish {
            assert_eq!([axes.axes[x], axes.axes[y], axes.axes[z]], [Vec3::X, Vec3::Y, Vec3::Z]);
        }
        assert_eq!(tour.is_moving(&seeing), matches!(wish, SeenAxes::Grand | SeenAxes::Guided(_)), "{wish:?}");
    }
    let widest = Tour::new(0).frame(layout, &Seeing::default(), None, 0.0);
    let turned = |a: &Axes, b: &Axes| Frame::nearest(&arrays(a), 3).distance(&Frame::nearest(&arrays(b), 3));
    assert!(turned(&axes, &widest) < 1e-3, "the widest directions are not reached: {}", turned(&axes, &widest));
}

#[test]
fn a_tour_turns_evenly_rests_to_the_bit_and_stays_orthonormal() {
    let positions = positions(5);
    let layout = layout(&positions, 5);
    let mut tour = Tour::new(1);
    let mut seeing = seeing(SeenAxes::Grand);
    let mut before = tour.frame(layout, &seeing, None, 1.0 / FPS);
    let frame_of = |axes: &Axes| Frame::nearest(&arrays(axes), 3);
    for number in 0..10_000 {
        let axes = tour.frame(layout, &seeing, None, 1.0 / FPS);
        assert!(error(&axes) < 1e-5, "off by {} in frame {number}", error(&axes));
        if number % 100 == 0 {
            let (gone, expected) = (frame_of(&before).distance(&frame_of(&axes)), f64::from(seeing.speed) / FPS);
            assert!((gone / expected - 1.0).abs() < 0.02, "{gone} radians in frame {number}, {expected} are even");
        }
        before = axes;
    }
    seeing.paused = true;
    for _ in 0..10 {
        assert_eq!(tour.frame(layout, &seeing, None, 1.0 / FPS), before);
    }
    assert!(!tour.is_moving(&seeing));
    seeing.paused = false;
    let after = tour.frame(layout, &seeing, None, 1.0 / FPS);
    assert!(after != before && step(&before, &after) < 0.05, "it goes on where it was");
}

/// Where points are seen.
fn places(axes: &Axes, positions: &[f32], dims: usize) -> Vec<Vec3> {
    positions.chunks_exact(dims).map(|position| axes.place(position)).collect()
}

/// How far the point goes that goes farthest, as a share of the longest axis of the cloud.
fn largest_move(before: &[Vec3], after: &[Vec3]) -> f32 {
    before.iter().zip(after).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) / 9.0
}

/// How many dimensions hold something, of how many there are; and whether it is the same as before.
const STAGES: [(usize, usize, bool); 9] = [
    (8, 8, false),
    (5, 8, false),
    (5, 5, true),
    (3, 5, false),
    (3, 3, true),
    (2, 3, false),
    (2, 2, true),
    (2, 3, true),
    (2, 8, true),
];

#[test]
fn dimensions_come_and_go_without_a_jump() {
    let full = positions(8);
    // The first dimensions alone, and the rest squeezed out.
    let kept = |dims: usize, of: usize| -> Vec<f32> {
        let value = |row: &[f32], axis: usize| if axis < dims { row[axis] } else { 0.0 };
        full.chunks_exact(8).flat_map(|row| (0..of).map(move |axis| value(row, axis))).collect()
    };
    for wish in [SeenAxes::Principal, SeenAxes::Grand, SeenAxes::Dimensions([1, 0, 7]), SeenAxes::Dimensions([7, 6, 5])]
    {
        let (mut tour, seeing) = (Tour::new(5), seeing(wish.clone()));
        let mut before: Option<Vec<Vec3>> = None;
        for (dims, of, again) in STAGES {
            let positions = kept(dims, of);
            let shown = |tour: &mut Tour| {
                let axes = tour.frame(layout(&positions, of), &seeing, None, 1.0 / FPS);
                assert_eq!(axes.axes.len(), of);
                places(&axes, &positions, of)
            };
            let first = shown(&mut tour);
            // What was squeezed out moved the points; that it is dropped, or that axes come, does not.
            if let Some(before) = before.filter(|_| again) {
                let moved = largest_move(&before, &first);
                assert!(moved < 0.05, "{wish:?}: going over to {of} dimensions moves a point by {moved}");
            }
            let mut last = first;
            for _ in 0..40 {
                let next = shown(&mut tour);
                let moved = largest_move(&last, &next);
                assert!(moved < 0.3, "{wish:?}: a jump of {moved} in {of} dimensions");
                last = next;
            }
            before = Some(last);
            if of <= 3 {
                let axes = tour.frame(layout(&positions, of), &seeing, None, 1.0 / FPS);
                let unit = Axes::unit(of);
                let same = |(a, b): (&Vec3, &Vec3)| a.distance(*b) < 1e-5 || a.distance(-*b) < 1e-5;
                assert!(axes.axes.iter().zip(&unit.axes).all(same), "{wish:?}: {axes:?}");
                assert_eq!(axes.centre, unit.centre);
            }
        }
    }
}

#[test]
fn up_to_three_dimensions_are_seen_as_they_are_whatever_is_asked_for() {
    for dims in 1..=3 {
        let positions = positions(dims);
        for wish in [SeenAxes::Principal, SeenAxes::Grand, SeenAxes::Dimensions([2, 1, 0])] {
            let mut tour = Tour::new(5);
            for _ in 0..3 {
                let axes = tour.frame(layout(&positions, dims), &seeing(wish.clone()), None, 1.0 / FPS);
                assert_eq!(axes, Axes::unit(dims));
            }
            assert!(!tour.is_moving(&seeing(wish)));
        }
    }
}

#[test]
fn a_guided_tour_takes_classes_apart() {
    let mut positions = positions(6);
    // Two classes that only the last dimension tells apart, which is the narrowest.
    positions.chunks_exact_mut(6).enumerate().for_each(|(point, row)| row[5] = 0.2 * row[5] + 2.0 * (point % 2) as f32);
    let classes = Classes::choose(200, |point| Some(point as u32 % 2), 1);
    let layout = layout(&positions, 6);
    let separation = |axes: &Axes| {
        let at = Positions { values: &positions, dims: 6, stride: 6 };
        tour::separation(&Frame::nearest(&arrays(axes), 3), at, &classes).expect("classes")
    };
    let mut tour = Tour::new(1);
    let before = separation(&tour.frame(layout, &Seeing::default(), None, 1.0 / FPS));
    let seeing = Seeing { speed: 1.0, ..seeing(SeenAxes::Guided(Apart::Selection)) };
    let mut after = 0.0;
    for _ in 0..150 {
        after = separation(&tour.frame(layout, &seeing, Some(&classes), 1.0 / FPS));
    }
    assert!(before < 0.3 && after > 0.8, "separation {before} before, {after} after");
}
