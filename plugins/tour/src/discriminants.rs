//! Where classes come apart.

use crate::classes::Classes;
use crate::frame::{Frame, shown_of};
use crate::linalg::{beside, gram_schmidt, outside, product, small, symmetric_eigen};
use crate::positions::Positions;
use crate::scatter::Scatter;
use faer::Mat;

/// How well a frame separates classes, from 0 (not at all) to 1 (each class is a point of its own): the share of the
/// spread of the picture, as a volume, that is between classes (the LDA index of Lee and Cook, `1 − |W| / |W + B|`).
///
/// None if there is nothing to separate, or if the frame is one for other dimensions.
#[must_use]
pub fn separation(frame: &Frame, positions: Positions<'_>, classes: &Classes) -> Option<f64> {
    if frame.dims() != positions.dims {
        return None;
    }
    let scatter = Scatter::of(positions, classes)?;
    let volume = |matrix: &Mat<f64>| {
        let seen = product(frame.columns().transpose(), matrix.as_ref());
        small(&product(seen.as_ref(), frame.columns().as_ref())).determinant()
    };
    Some((1.0 - volume(&scatter.within) / volume(&scatter.total())).clamp(0.0, 1.0))
}

/// The frame that separates the classes best: linear discriminants, the strongest first, of which there is one fewer
/// than classes; the axes that are left are the widest directions of what the discriminants do not see.
pub(crate) fn best(scatter: &Scatter, shown: usize) -> Option<Frame> {
    let dims = scatter.within.nrows();
    let shown = shown_of(dims, shown);
    let discriminants = gram_schmidt(&discriminants(scatter, shown.min(scatter.classes - 1))?);
    let rest = widest(&scatter.total(), &discriminants, shown - discriminants.ncols())?;
    Some(Frame::settled(beside(&discriminants, &rest)))
}

/// The directions along which classes are farthest apart for their own spread.
fn discriminants(scatter: &Scatter, count: usize) -> Option<Mat<f64>> {
    let dims = scatter.within.nrows();
    let (spreads, axes) = symmetric_eigen(&scatter.within)?;
    // In these units every class spreads alike in all directions, and the means alone decide.
    let units = Mat::from_fn(dims, dims, |row, axis| axes[(row, axis)] / spreads[axis].max(f64::MIN_POSITIVE).sqrt());
    let apart = product(units.transpose(), product(scatter.between.as_ref(), units.as_ref()).as_ref());
    let (_, directions) = symmetric_eigen(&apart)?;
    Some(product(units.as_ref(), directions.subcols(0, count)))
}

/// The widest directions outside some orthonormal ones.
fn widest(total: &Mat<f64>, beyond: &Mat<f64>, count: usize) -> Option<Mat<f64>> {
    let half = outside(beyond, total);
    let half = half.transpose().to_owned();
    // Less than nothing along those that are taken: they come last even where nothing else is left.
    let rest = outside(beyond, &half) - product(beyond.as_ref(), beyond.transpose());
    let (_, directions) = symmetric_eigen(&rest)?;
    Some(directions.subcols(0, count).to_owned())
}
