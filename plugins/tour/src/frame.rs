//! Where each dimension points.

use crate::error::TourError;
use crate::linalg::{Svd, nearest_orthonormal, outside, product, thin_svd};
use faer::Mat;

/// Axes of a picture.
const MOST_SHOWN: usize = 3;

/// How positions of many dimensions are seen: one to three orthonormal directions among them.
///
/// Kept in double precision, so that it stays orthonormal for as long as a tour lasts; [`axes`](Self::axes) is what is
/// drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    columns: Mat<f64>,
}

impl Frame {
    /// The first dimensions are the axes: `shown` of them, at most three and no more than there are dimensions.
    #[must_use]
    pub fn first(dims: usize, shown: usize) -> Self {
        let dims = dims.max(1);
        Self { columns: Mat::identity(dims, shown_of(dims, shown)) }
    }

    /// These dimensions are x, y and z, in this order.
    ///
    /// # Errors
    /// If there are none or more than three, one does not exist, or one comes twice.
    pub fn of_dimensions(dims: usize, chosen: &[usize]) -> Result<Self, TourError> {
        if !(1..=MOST_SHOWN).contains(&chosen.len()) {
            return Err(TourError::Count { count: chosen.len() });
        }
        for (axis, &dimension) in chosen.iter().enumerate() {
            if dimension >= dims {
                return Err(TourError::NoDimension { dimension, dims });
            }
            if chosen[..axis].contains(&dimension) {
                return Err(TourError::Twice { dimension });
            }
        }
        let columns = Mat::from_fn(dims, chosen.len(), |row, axis| if chosen[axis] == row { 1.0 } else { 0.0 });
        Ok(Self { columns })
    }

    /// The frame nearest to these axes, one vector for each dimension as [`axes`](Self::axes) gives them: a tour that
    /// starts here starts with what is seen already. Axes that do not span as many directions as are shown are
    /// completed; numbers that are not finite count as zero.
    #[must_use]
    pub fn nearest(axes: &[[f32; 3]], shown: usize) -> Self {
        let dims = axes.len().max(1);
        let value = |row: usize, axis: usize| axes.get(row).map_or(0.0, |vector| vector[axis]);
        let given = Mat::from_fn(dims, shown_of(dims, shown), |row, axis| {
            let value = f64::from(value(row, axis));
            if value.is_finite() { value } else { 0.0 }
        });
        Self::nearest_to(given)
    }

    /// The frame nearest to these columns, which are finite.
    pub(crate) fn nearest_to(columns: Mat<f64>) -> Self {
        let columns = nearest_orthonormal(&columns).unwrap_or_else(|| Mat::identity(columns.nrows(), columns.ncols()));
        Self { columns }
    }

    /// The frame of columns that are orthonormal but for rounding, which is taken off: one step of Newton's method
    /// towards the nearest orthonormal columns squares the error.
    pub(crate) fn settled(columns: Mat<f64>) -> Self {
        let gram = product(columns.transpose(), columns.as_ref());
        let n = gram.ncols();
        let correction = Mat::from_fn(n, n, |i, j| if i == j { 1.5 } else { 0.0 } - 0.5 * gram[(i, j)]);
        Self { columns: product(columns.as_ref(), correction.as_ref()) }
    }

    /// Dimensions of the positions.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.columns.nrows()
    }

    /// Directions that are seen, 1 to 3.
    #[must_use]
    pub fn shown(&self) -> usize {
        self.columns.ncols()
    }

    /// For each dimension where it points: its part in x, y and z. Axes that are not shown are zero.
    pub fn axes(&self) -> impl ExactSizeIterator<Item = [f32; 3]> + '_ {
        (0..self.dims()).map(|row| self.tip(row).map(|value| value as f32))
    }

    /// How far the axes that are drawn are from orthonormal: the largest entry of `|FᵀF − 1|`.
    #[must_use]
    pub fn error(&self) -> f64 {
        let drawn: Vec<[f32; 3]> = self.axes().collect();
        let entry = |i: usize, j: usize| {
            let dot: f64 = drawn.iter().map(|axis| f64::from(axis[i]) * f64::from(axis[j])).sum();
            (dot - if i == j { 1.0 } else { 0.0 }).abs()
        };
        let pairs = (0..self.shown()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        pairs.fold(0.0, |worst, (i, j)| f64::max(worst, entry(i, j)))
    }

    /// How far apart the spaces are that two frames see, in radians: the root of the sum of the squared principal
    /// angles. Frames that see the same, turned or mirrored, are 0 apart. A frame of another shape is
    /// [carried over](Self::resized) first.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let other = other.resized(self.dims(), self.shown());
        let values = |matrix: &Mat<f64>| thin_svd(matrix).map_or(Vec::new(), |Svd { values, .. }| values);
        // Cosines say little about small angles and sines about large ones; together they are exact.
        let cosines = values(&product(self.columns.transpose(), other.columns.as_ref()));
        let sines = values(&outside(&self.columns, &other.columns));
        let angles = cosines.iter().zip(sines.iter().rev()).map(|(cosine, sine)| sine.atan2(*cosine));
        angles.map(|angle| angle * angle).sum::<f64>().sqrt()
    }

    /// This frame for positions of another number of dimensions. New dimensions are not seen at first; dimensions that
    /// go leave the nearest frame without them. Nothing moves in the picture if they are zero everywhere.
    #[must_use]
    pub fn resized(&self, dims: usize, shown: usize) -> Self {
        let dims = dims.max(1);
        let shown = shown_of(dims, shown);
        let columns = carried(&self.columns, dims, shown);
        if dims >= self.dims() && shown <= self.shown() { Self { columns } } else { Self::nearest_to(columns) }
    }

    /// The directions, as columns.
    pub(crate) fn columns(&self) -> &Mat<f64> {
        &self.columns
    }

    /// Where a dimension points.
    pub(crate) fn tip(&self, dimension: usize) -> [f64; 3] {
        let part = |axis| if axis < self.shown() { self.columns[(dimension, axis)] } else { 0.0 };
        [part(0), part(1), part(2)]
    }
}

/// How many axes are shown where so many are wanted.
pub(crate) fn shown_of(dims: usize, wanted: usize) -> usize {
    wanted.clamp(1, MOST_SHOWN).min(dims)
}

/// The corner that both shapes share; zero beyond it.
pub(crate) fn carried(matrix: &Mat<f64>, rows: usize, columns: usize) -> Mat<f64> {
    let (had_rows, had_columns) = matrix.shape();
    Mat::from_fn(
        rows,
        columns,
        |row, column| {
            if row < had_rows && column < had_columns { matrix[(row, column)] } else { 0.0 }
        },
    )
}
