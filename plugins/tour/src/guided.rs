//! The tour that goes where classes come apart.

use crate::classes::Classes;
use crate::discriminants::best;
use crate::frame::Frame;
use crate::path::{Arrival, Path};
use crate::positions::Positions;
use crate::scatter::Scatter;
use crate::speed::radians;
use faer::Mat;

/// Radians before the goal from which the tour slows down, in proportion to what is left.
const GENTLE: f64 = 0.2;
/// Radians that nobody sees: a tour this near has arrived and keeps still.
const ARRIVED: f64 = 1e-6;

/// Turns towards the frame that separates classes best, at an even speed, slows down as it arrives, and follows when
/// the rows move.
#[derive(Debug, Clone)]
pub struct GuidedTour {
    frame: Frame,
    /// Axes that are wanted, should there be dimensions enough.
    shown: usize,
    arrival: Arrival,
    target: Option<Frame>,
}

impl GuidedTour {
    /// A tour that starts at what is seen now and stays there until it has a [target](Self::retarget). It shows as
    /// many axes as are wanted once it has been retargeted to positions of dimensions enough.
    #[must_use]
    pub fn new(frame: Frame, shown: usize, arrival: Arrival) -> Self {
        Self { frame, shown, arrival, target: None }
    }

    /// What is seen now.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Where the tour is going, or is; none if there is nothing to separate.
    #[must_use]
    pub fn target(&self) -> Option<&Frame> {
        self.target.as_ref()
    }

    /// Radians that are left to go.
    #[must_use]
    pub fn remaining(&self) -> f64 {
        self.path().map_or(0.0, |path| path.length())
    }

    /// Looks at where the rows are now. The tour goes on from its frame, which is [carried over](Frame::resized) if
    /// the positions have another number of dimensions.
    ///
    /// Says whether there is something to separate: two classes or more, not all at one place. If not, the tour stays.
    pub fn retarget(&mut self, positions: Positions<'_>, classes: &Classes) -> bool {
        let dims = positions.dims;
        if dims != self.frame.dims() {
            self.frame = self.frame.resized(dims, self.shown);
        }
        let best = Scatter::of(positions, classes).and_then(|scatter| best(&scatter, self.frame.shown()));
        let before = self.target.as_ref().filter(|target| target.dims() == dims).unwrap_or(&self.frame);
        self.target = best.map(|best| facing(&best, before));
        self.target.is_some()
    }

    /// Goes on for a time at a speed in radians per second, at most [`MAX_STEP`](crate::MAX_STEP) at once.
    pub fn advance(&mut self, seconds: f64, speed: f64) -> &Frame {
        let step = radians(seconds, speed);
        if step > 0.0
            && let Some(path) = self.path().filter(|path| path.length() > ARRIVED)
        {
            self.frame = path.at(path.length() - left_after(path.length(), step));
        }
        &self.frame
    }

    fn path(&self) -> Option<Path> {
        self.target.as_ref().map(|target| Path::between(&self.frame, target, self.arrival))
    }
}

/// What is left of a way after a step: even at first, then falling off by a share of itself. The same for a step and
/// its halves, so the frame rate does not matter.
fn left_after(left: f64, step: f64) -> f64 {
    let even = step.min((left - GENTLE).max(0.0));
    (left - even) * ((even - step) / GENTLE).exp()
}

/// The frame with each axis pointing as it did before: of discriminants only the line is known, not the sense.
fn facing(frame: &Frame, before: &Frame) -> Frame {
    let (columns, before) = (frame.columns(), before.columns());
    let along = |axis: usize| columns.col(axis).iter().zip(before.col(axis).iter()).map(|(a, b)| a * b).sum::<f64>();
    let signs: Vec<f64> = (0..columns.ncols()).map(|axis| if along(axis) < 0.0 { -1.0 } else { 1.0 }).collect();
    Frame::settled(Mat::from_fn(columns.nrows(), columns.ncols(), |row, axis| signs[axis] * columns[(row, axis)]))
}
