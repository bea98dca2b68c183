//! Straight on from a frame, without spinning.

use crate::frame::Frame;
use crate::linalg::{Svd, product, thin_svd};
use faer::Mat;

/// The geodesic that leaves a frame with a given velocity.
#[derive(Debug, Clone)]
pub(crate) struct Geodesic {
    from: Frame,
    /// The frame, turned so that each column moves in a plane of its own.
    start: Mat<f64>,
    /// Where each of those columns is going: a unit vector.
    ahead: Mat<f64>,
    /// How fast, in radians.
    angles: Vec<f64>,
    /// Turns the columns back.
    back: Mat<f64>,
}

impl Geodesic {
    /// `velocity` is orthogonal to all that the frame sees: what it sees moves, the picture does not spin.
    pub(crate) fn new(from: Frame, velocity: &Mat<f64>) -> Self {
        let (dims, shown) = velocity.shape();
        // What is not finite does not move.
        let still =
            || Svd { left: Mat::zeros(dims, shown), values: vec![0.0; shown], right: Mat::identity(shown, shown) };
        let Svd { left, values, right } = thin_svd(velocity).unwrap_or_else(still);
        let start = product(from.columns().as_ref(), right.as_ref());
        Self { from, start, ahead: left, angles: values, back: right }
    }

    /// The frame after a time.
    pub(crate) fn at(&self, time: f64) -> Frame {
        if time == 0.0 {
            return self.from.clone();
        }
        let turned = Mat::from_fn(self.start.nrows(), self.start.ncols(), |row, column| {
            let (sine, cosine) = (self.angles[column] * time).sin_cos();
            self.start[(row, column)] * cosine + self.ahead[(row, column)] * sine
        });
        Frame::settled(product(turned.as_ref(), self.back.transpose()))
    }

    /// A velocity at the start, carried along without turning (parallel transport).
    pub(crate) fn carry(&self, velocity: &Mat<f64>, time: f64) -> Mat<f64> {
        let along = product(self.ahead.transpose(), velocity.as_ref());
        let change = Mat::from_fn(self.start.nrows(), self.start.ncols(), |row, column| {
            let (sine, cosine) = (self.angles[column] * time).sin_cos();
            self.ahead[(row, column)] * (cosine - 1.0) - self.start[(row, column)] * sine
        });
        velocity + product(change.as_ref(), along.as_ref())
    }
}
