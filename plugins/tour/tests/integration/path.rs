//! Ways from frame to frame.

use crate::support::{MAX_ERROR, MAX_UNEVEN, axes, change, farthest_tip, somewhere, unevenness};
use tour::{Arrival, Frame, Path};

const STEPS: usize = 200;

fn frames(path: &Path) -> Vec<Frame> {
    (0..=STEPS).map(|step| path.at(path.length() * step as f64 / STEPS as f64)).collect()
}

#[test]
fn the_way_to_a_space_is_the_shortest_and_even() {
    for (dims, shown) in [(2, 1), (4, 3), (5, 2), (8, 3), (64, 3)] {
        let (from, to) = (somewhere(dims, shown, 1), somewhere(dims, shown, 2));
        let path = Path::between(&from, &to, Arrival::Space);
        assert!((path.length() - from.distance(&to)).abs() < 1e-9);
        let frames = frames(&path);
        assert_eq!(frames[0], from);
        assert!(frames[STEPS].distance(&to) < 1e-7);
        let steps: Vec<f64> = frames.windows(2).map(|pair| pair[0].distance(&pair[1])).collect();
        assert!(unevenness(&steps) < 1e-6, "{dims} dimensions: {}", unevenness(&steps));
        assert!(frames.iter().all(|frame| frame.error() < MAX_ERROR));
    }
}

#[test]
fn the_way_to_a_space_does_not_spin() {
    let (from, to) = (somewhere(7, 3, 3), somewhere(7, 3, 4));
    let spin = |frame: &Frame| {
        let shared = |i: usize, j: usize| axes(&from).iter().zip(axes(frame)).map(|(a, b)| a[i] * b[j]).sum::<f32>();
        (shared(0, 1) - shared(1, 0)).abs().max((shared(0, 2) - shared(2, 0)).abs())
    };
    // Without spin, what the start and a later frame share is symmetric.
    let path = Path::between(&from, &to, Arrival::Space);
    assert!(frames(&path).iter().all(|frame| spin(frame) < 1e-6));
    assert!(spin(&to) > 0.1, "the goal itself is turned, so the test can fail");
}

#[test]
fn the_way_to_axes_ends_at_those_axes_without_a_jump() {
    let somewhere = somewhere(6, 3, 5);
    let first = Frame::first(6, 3);
    let of = |chosen: &[usize]| Frame::of_dimensions(6, chosen).unwrap();
    let reversed: Vec<[f32; 3]> = axes(&first).iter().map(|&[x, y, z]| [x, y, -z]).collect();
    let goals = [
        (&somewhere, of(&[3, 1, 5])),
        (&somewhere, of(&[1, 3, 5])), // the mirror image of the one before
        (&first, of(&[1, 2, 0])),     // the same space, turned
        (&first, of(&[1, 0, 2])),     // the same space, mirrored
        (&first, Frame::nearest(&reversed, 3)),
        (&first, of(&[3, 4, 5])), // nothing in common
        (&first, of(&[0, 2, 4])),
        (&first, first.clone()),
    ];
    for (from, to) in &goals {
        let path = Path::between(from, to, Arrival::Axes);
        let frames = frames(&path);
        assert!(farthest_tip(&frames[0], from) < 1e-6);
        assert_eq!(&frames[STEPS], to);
        let steps: Vec<f64> = frames.windows(2).map(|pair| change(&pair[0], &pair[1])).collect();
        // A turn within the picture moves two of its axes.
        let most = 1.001 * 2f64.sqrt() * path.length() / STEPS as f64;
        assert!(steps.iter().all(|step| *step <= most + 1e-6), "a jump on the way to {to:?}");
        if path.length() > 0.0 {
            assert!(unevenness(&steps) < MAX_UNEVEN, "{} on the way to {to:?}", unevenness(&steps));
        }
        assert!(frames.iter().all(|frame| frame.error() < MAX_ERROR));
    }
}

#[test]
fn where_all_dimensions_are_shown_the_mirror_image_stays_out_of_reach() {
    for dims in [1, 2, 3] {
        let from = Frame::first(dims, 3);
        let reversed: Vec<[f32; 3]> = axes(&from).iter().map(|&[x, y, z]| [-x, y, z]).collect();
        let path = Path::between(&from, &Frame::nearest(&reversed, 3), Arrival::Axes);
        let frames = frames(&path);
        assert!(frames.windows(2).all(|pair| farthest_tip(&pair[0], &pair[1]) < 0.03));
        assert!(frames[STEPS].error() < MAX_ERROR);
    }
    // A turn, though, is within reach.
    let to = Frame::of_dimensions(3, &[2, 0, 1]).unwrap();
    let path = Path::between(&Frame::first(3, 3), &to, Arrival::Axes);
    assert_eq!(path.at(path.length()), to);
    assert!((path.length() - std::f64::consts::TAU / 3.0).abs() < 1e-9);
}

#[test]
fn before_the_start_and_beyond_the_end_are_the_ends() {
    let (from, to) = (somewhere(5, 3, 6), somewhere(5, 3, 7));
    let path = Path::between(&from, &to, Arrival::Axes);
    assert_eq!(path.at(-1.0), from);
    assert_eq!(path.at(f64::NAN), from);
    assert_eq!(path.at(path.length() + 1.0), to);
    let grown = Path::between(&from, &somewhere(7, 3, 8), Arrival::Space);
    assert_eq!(grown.at(0.0), from.resized(7, 3));
}
