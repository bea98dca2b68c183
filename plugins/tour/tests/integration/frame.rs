//! What a frame is, wherever it comes from.

use crate::support::{MAX_ERROR, axes, difference, farthest_tip, length, place, somewhere};
use tour::{Frame, TourError};

#[test]
fn any_three_dimensions_are_the_axes() {
    let frame = Frame::of_dimensions(6, &[4, 0, 5]).unwrap();
    assert_eq!(place(&frame, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), [5.0, 1.0, 6.0]);
    assert_eq!(Frame::of_dimensions(6, &[0, 1]).unwrap(), Frame::first(6, 2));
}

#[test]
fn dimensions_that_cannot_be_axes_are_refused() {
    assert_eq!(Frame::of_dimensions(6, &[]), Err(TourError::Count { count: 0 }));
    assert_eq!(Frame::of_dimensions(6, &[0, 1, 2, 3]), Err(TourError::Count { count: 4 }));
    assert_eq!(Frame::of_dimensions(6, &[0, 6]), Err(TourError::NoDimension { dimension: 6, dims: 6 }));
    assert_eq!(Frame::of_dimensions(6, &[3, 1, 3]), Err(TourError::Twice { dimension: 3 }));
}

#[test]
fn stretched_axes_are_made_orthonormal_and_see_the_same() {
    let frame = somewhere(7, 3, 1);
    // Single precision leaves a trace, so the error does look at what is drawn.
    assert!(frame.error() > 0.0 && frame.error() < 1e-6, "{}", frame.error());
    let stretched: Vec<[f32; 3]> = frame.axes().map(|axis| axis.map(|value| value * 1.1)).collect();
    let nearest = Frame::nearest(&stretched, 3);
    assert!(nearest.error() < 1e-6 && farthest_tip(&nearest, &frame) < 1e-6);
}

#[test]
fn a_tour_can_start_from_the_axes_of_the_window() {
    // As the window makes them: in single precision, orthonormal as far as that goes.
    let drawn = axes(&somewhere(9, 3, 2));
    let frame = Frame::nearest(&drawn, 3);
    let moved = axes(&frame).iter().zip(&drawn).map(|(a, b)| length(&difference(*a, *b))).fold(0.0, f64::max);
    assert!(moved < 1e-6, "the picture jumps by {moved}");
}

#[test]
fn axes_that_span_too_little_are_completed() {
    let column = |values: [f32; 4]| -> Vec<[f32; 3]> { values.iter().map(|&x| [x, 0.0, 0.0]).collect() };
    for given in [column([0.6, 0.0, 0.8, 0.0]), column([0.0; 4]), column([f32::NAN, 1.0, 0.0, 0.0])] {
        let frame = Frame::nearest(&given, 3);
        assert!(frame.error() < MAX_ERROR, "{given:?}: {}", frame.error());
        assert_eq!((frame.dims(), frame.shown()), (4, 3));
    }
    let kept = axes(&Frame::nearest(&column([0.6, 0.0, 0.8, 0.0]), 3));
    assert!((kept[0][0] - 0.6).abs() < 1e-6 && (kept[2][0] - 0.8).abs() < 1e-6, "{kept:?}");
}

#[test]
fn distance_is_the_angle_between_what_is_seen() {
    let turned = |angle: f32| Frame::nearest(&[[angle.cos(), 0.0, 0.0], [0.0, 1.0, 0.0], [angle.sin(), 0.0, 0.0]], 2);
    for angle in [0.0, 1e-4, 0.3, 1.5] {
        let distance = turned(0.0).distance(&turned(angle));
        assert!((distance - f64::from(angle)).abs() < 1e-6, "{angle} is {distance}");
    }
    let swapped = Frame::of_dimensions(5, &[2, 0, 1]).unwrap();
    assert!(Frame::first(5, 3).distance(&swapped) < 1e-12, "the same space, turned");
    let apart = Frame::of_dimensions(6, &[3, 4, 5]).unwrap();
    let right_angles = 3f64.sqrt() * std::f64::consts::FRAC_PI_2;
    assert!((Frame::first(6, 3).distance(&apart) - right_angles).abs() < 1e-12);
}

#[test]
fn dimensions_that_come_and_go_at_zero_do_not_move_the_picture() {
    let frame = somewhere(5, 3, 3);
    let position = [0.4, -1.0, 2.0, 0.3, -0.7];
    let more = frame.resized(8, 3);
    let longer: Vec<f32> = position.iter().copied().chain([9.0; 3]).collect();
    assert_eq!(place(&frame, &position), place(&more, &longer), "new dimensions are not seen at first");
    let back = more.resized(5, 3);
    assert!(farthest_tip(&frame, &back) < 1e-6);
    let fewer = frame.resized(4, 3);
    assert_eq!((fewer.dims(), fewer.shown()), (4, 3));
    assert!(fewer.error() < MAX_ERROR);
    let flat = Frame::first(2, 3);
    assert_eq!(flat.shown(), 2);
    let deep = flat.resized(3, 3);
    assert_eq!(deep.shown(), 3);
    assert!(deep.error() < MAX_ERROR);
    let [x, y, _] = place(&deep, &[0.5, -2.0, 0.0]);
    assert!((x - 0.5).abs() < 1e-6 && (y + 2.0).abs() < 1e-6);
}
