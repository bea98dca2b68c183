//! From one frame to another.

use crate::frame::Frame;
use crate::geodesic::Geodesic;
use crate::linalg::{Svd, outside, product, small, thin_svd};
use faer::Mat;
use glam::{DMat3, DQuat, DVec3};

/// Below this sine two directions count as the same: its own direction is rounding.
const SAME: f64 = 1e-9;

/// What a path arrives at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrival {
    /// What the goal sees, however it is turned: the shortest way, and the picture does not spin.
    #[default]
    Space,
    /// The very axes of the goal: x is x in the end. The picture turns on the way as much as that takes.
    Axes,
}

/// The shortest way from one frame to another, measured in radians.
///
/// What is seen turns through the principal angles, all of them at an even speed.
#[derive(Debug, Clone)]
pub struct Path {
    /// From the start at time 0 to the end at time 1.
    geodesic: Geodesic,
    /// The turn within the picture from start to end: its axis, as long as its angle.
    turn: DVec3,
    length: f64,
    end: Option<Frame>,
}

impl Path {
    /// The way between two frames. Where they differ in shape, the first is [carried over](Frame::resized).
    ///
    /// Where all dimensions are shown, a picture cannot turn into its mirror image: the way ends at the axes of the
    /// goal with the last one reversed.
    #[must_use]
    pub fn between(from: &Frame, to: &Frame, arrival: Arrival) -> Self {
        let from = from.resized(to.dims(), to.shown());
        let to = if arrival == Arrival::Axes { reachable(&from, to) } else { to.clone() };
        let shared = product(from.columns().transpose(), to.columns().as_ref());
        // Frames are finite, and so the decomposition is there; without it there would be nothing to do.
        let Some(Svd { left, values: mut cosines, mut right }) = thin_svd(&shared) else {
            let geodesic = Geodesic::new(from.clone(), &Mat::zeros(from.dims(), from.shown()));
            return Self { geodesic, turn: DVec3::ZERO, length: 0.0, end: None };
        };
        let turn_of = |right: &Mat<f64>| small(&product(left.as_ref(), right.transpose()));
        if arrival == Arrival::Axes && turn_of(&right).determinant() < 0.0 {
            // The spaces are mirrored: the pair of directions farthest apart goes the other way round, through π − θ.
            let last = cosines.len() - 1;
            cosines[last] = -cosines[last];
            for row in 0..right.nrows() {
                right[(row, last)] = -right[(row, last)];
            }
        }
        let turn = match arrival {
            Arrival::Space => DVec3::ZERO,
            Arrival::Axes => scaled_axis(turn_of(&right)),
        };
        let goal = product(to.columns().as_ref(), right.as_ref());
        let (pulled, squares) = velocities(&from, &goal, &cosines);
        let length = (squares + turn.length_squared()).sqrt();
        let geodesic = Geodesic::new(from, &product(pulled.as_ref(), left.transpose()));
        Self { geodesic, turn, length, end: (arrival == Arrival::Axes).then_some(to) }
    }

    /// Radians from start to end. A turn within the picture counts as its angle.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The frame after so many radians; the ends before the start and beyond the end.
    #[must_use]
    pub fn at(&self, radians: f64) -> Frame {
        let share = if radians >= self.length { 1.0 } else { (radians / self.length).max(0.0) };
        if share == 1.0
            && let Some(end) = &self.end
        {
            return end.clone();
        }
        let frame = self.geodesic.at(share);
        if self.turn == DVec3::ZERO || share == 0.0 {
            return frame;
        }
        turned(&frame, DMat3::from_quat(DQuat::from_scaled_axis(self.turn * share)))
    }
}

/// A frame with the picture turned: every tip, as a row, times the rotation.
pub(crate) fn turned(frame: &Frame, rotation: DMat3) -> Frame {
    let shown = frame.shown();
    let rotation = Mat::from_fn(shown, shown, |row, column| rotation.col(column)[row]);
    Frame::settled(product(frame.columns().as_ref(), rotation.as_ref()))
}

/// The goal, or its mirror image where all dimensions are shown and only that can be reached by turning.
fn reachable(from: &Frame, to: &Frame) -> Frame {
    let shared = product(from.columns().transpose(), to.columns().as_ref());
    if to.dims() > to.shown() || small(&shared).determinant() > 0.0 {
        return to.clone();
    }
    let last = to.shown() - 1;
    let sign = |column| if column == last { -1.0 } else { 1.0 };
    let columns = Mat::from_fn(to.dims(), to.shown(), |row, column| sign(column) * to.columns()[(row, column)]);
    Frame::settled(columns)
}

/// For each pair of directions the way outwards, as long as the angle between them; and the sum of the squared angles.
fn velocities(from: &Frame, goal: &Mat<f64>, cosines: &[f64]) -> (Mat<f64>, f64) {
    let mut ways = outside(from.columns(), goal);
    let mut squares = 0.0;
    for (column, &cosine) in cosines.iter().enumerate() {
        let mut sine = ways.col(column).norm_l2();
        if sine < SAME && cosine < 0.0 {
            // A direction turns into its opposite: any way round will do. It is the pair farthest apart, so the
            // other pairs are the same directions and go no way that this one could cross.
            sine = SAME;
            let way = unseen(from);
            ways.col_mut(column).iter_mut().zip(way).for_each(|(value, way)| *value = way * SAME);
        }
        let angle = sine.atan2(cosine);
        squares += angle * angle;
        // Small angles are their own sines.
        let stretch = if sine > 0.0 { angle / sine } else { 1.0 };
        ways.col_mut(column).iter_mut().for_each(|value| *value *= stretch);
    }
    (ways, squares)
}

/// A unit vector that the frame does not see.
fn unseen(from: &Frame) -> Vec<f64> {
    // The dimension that is seen least has the most left over.
    let seen = |row: usize| from.tip(row).iter().map(|part| part * part).sum::<f64>();
    let least = (0..from.dims()).min_by(|&a, &b| seen(a).total_cmp(&seen(b))).unwrap_or(0);
    let unit = Mat::from_fn(from.dims(), 1, |row, _| if row == least { 1.0 } else { 0.0 });
    let rest = outside(from.columns(), &unit);
    let length = rest.norm_l2();
    rest.col(0).iter().map(|value| value / length).collect()
}

/// The axis of a rotation, as long as its angle, the short way round.
fn scaled_axis(rotation: DMat3) -> DVec3 {
    let rotation = DQuat::from_mat3(&rotation).normalize();
    if rotation.w < 0.0 { (-rotation).to_scaled_axis() } else { rotation.to_scaled_axis() }
}
