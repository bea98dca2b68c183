//! Dragging the tip of a dimension.

use crate::support::{DIMS, FRAMES, MAX_ERROR, axes, change, difference, farthest_tip, length, normal, somewhere};
use fastrand::Rng;
use tour::Frame;

/// How far a tip may be from where the hand wants it, where that is possible.
const MAX_MISS: f64 = 1e-4;

fn sum(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[test]
fn the_tip_goes_where_the_hand_wants_it() {
    let mut rng = Rng::with_seed(1);
    let mut within = 0;
    let frames = DIMS.map(|dims| [0, 1, 2, 3].map(|seed| somewhere(dims, 3, seed)));
    for round in 0..2_000 {
        let frame = &frames[round % DIMS.len()][round % 4];
        let dims = frame.dims();
        let dimension = rng.usize(..dims);
        let delta = [0; 3].map(|_| 0.6 * normal(&mut rng));
        let wish = sum(axes(frame)[dimension], delta);
        let reach = length(&wish).max(1.0) as f32;
        within += usize::from(reach == 1.0);
        let dragged = frame.dragged(dimension, delta);
        // Beyond a length of 1, the nearest that can be reached is in the same direction.
        let miss = length(&difference(axes(&dragged)[dimension], wish.map(|value| value / reach)));
        assert!(miss < MAX_MISS, "{miss} off {wish:?} in {dims} dimensions");
        assert!(dragged.error() < MAX_ERROR);
    }
    assert!((200..1_800).contains(&within), "both kinds are tried: {within}");
}

#[test]
fn ten_thousand_drags_stay_orthonormal() {
    for dims in DIMS {
        let mut rng = Rng::with_seed(2);
        let mut frame = Frame::first(dims, 3);
        let mut worst = 0.0;
        for _ in 0..FRAMES {
            frame = frame.dragged(rng.usize(..dims), [0; 3].map(|_| 0.1 * normal(&mut rng)));
            worst = f64::max(worst, frame.error());
        }
        println!("drags, {dims} dimensions: error {worst:.1e}");
        assert!(worst < MAX_ERROR, "{dims} dimensions: error {worst}");
    }
}

#[test]
fn nothing_changes_without_need() {
    let frame = somewhere(6, 3, 3);
    assert_eq!(frame.dragged(2, [0.0; 3]), frame);
    assert_eq!(frame.dragged(6, [0.1; 3]), frame);
    assert_eq!(frame.dragged(2, [f32::NAN, 0.0, 0.0]), frame);
    let flat = somewhere(6, 2, 3);
    assert_eq!(flat.dragged(2, [0.0, 0.0, 0.5]), flat, "there is no depth to drag into");
    let small = frame.dragged(2, [1e-4, -1e-4, 1e-4]);
    assert!(farthest_tip(&small, &frame) < 1e-3, "a small movement of the hand changes little");
}

#[test]
fn the_rest_changes_as_little_as_it_can() {
    let frame = somewhere(7, 3, 4);
    let dragged = frame.dragged(3, [0.3, -0.2, 0.1]);
    let least = change(&frame, &dragged);
    // The same tip with the picture turned around it is as good a frame for the hand, but not for the eye.
    let tip = axes(&dragged)[3];
    let [x, y, z] = tip.map(|value| value / length(&tip) as f32);
    for angle in [-0.5f32, -0.05, 0.05, 0.5] {
        let (sine, cosine) = angle.sin_cos();
        let turn = |[a, b, c]: [f32; 3]| {
            let along = (a * x + b * y + c * z) * (1.0 - cosine);
            let cross = [y * c - z * b, z * a - x * c, x * b - y * a];
            [a * cosine + cross[0] * sine + x * along, b * cosine + cross[1] * sine + y * along, {
                c * cosine + cross[2] * sine + z * along
            }]
        };
        let turned = Frame::nearest(&axes(&dragged).into_iter().map(turn).collect::<Vec<_>>(), 3);
        assert!(length(&difference(axes(&turned)[3], tip)) < 1e-5);
        assert!(change(&frame, &turned) > least + 1e-4, "turned by {angle}");
    }
}

#[test]
fn what_is_seen_stays_within_what_was_seen_and_the_dragged_dimension() {
    let frame = somewhere(7, 3, 6);
    let dragged = frame.dragged(3, [0.3, -0.2, 0.1]);
    let column = |frame: &Frame, axis: usize| -> Vec<f32> { frame.axes().map(|tip| tip[axis]).collect() };
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let rest_of = |mut vector: Vec<f32>, known: &[Vec<f32>]| {
        for known in known {
            let along = dot(&vector, known);
            vector.iter_mut().zip(known).for_each(|(value, known)| *value -= along * known);
        }
        vector
    };
    let mut known: Vec<Vec<f32>> = (0..3).map(|axis| column(&frame, axis)).collect();
    let before = (0..3).map(|axis| length(&rest_of(column(&dragged, axis), &known))).fold(0.0, f64::max);
    assert!(before > 0.1, "the drag leads out of what was seen");
    let unit = rest_of((0..7).map(|row| f32::from(row == 3)).collect(), &known);
    known.push(unit.iter().map(|value| value / length(&unit) as f32).collect());
    for axis in 0..3 {
        let rest = length(&rest_of(column(&dragged, axis), &known));
        assert!(rest < 1e-6, "{rest}");
    }
}

#[test]
fn where_all_is_shown_dragging_turns_the_picture() {
    for dims in [2, 3] {
        let frame = somewhere(dims, 3, 5);
        let delta = if dims == 3 { [0.2, 0.5, -0.4] } else { [0.2, 0.5, 0.0] };
        let wish = sum(axes(&frame)[1], delta);
        let dragged = frame.dragged(1, delta);
        assert!(dragged.error() < MAX_ERROR);
        let reached = axes(&dragged)[1];
        let nearest = wish.map(|value| value / length(&wish) as f32);
        assert!(length(&difference(reached, nearest)) < MAX_MISS, "{reached:?}, not {nearest:?}");
        // Half a turn, without mirroring what is seen.
        let tip = axes(&frame)[1];
        let opposite = frame.dragged(1, tip.map(|value| -2.0 * value));
        assert!(length(&sum(axes(&opposite)[1], tip)) < MAX_MISS);
        assert!(opposite.error() < MAX_ERROR);
    }
    let line = Frame::first(1, 3);
    assert_eq!(line.dragged(0, [-0.5, 0.0, 0.0]), line, "a line cannot be turned");
}
