//! Dragging the tip of one dimension.

use crate::frame::Frame;
use crate::linalg::{nearest_orthonormal, product};
use crate::path::turned;
use faer::Mat;
use glam::{DMat3, DQuat, DVec3};

impl Frame {
    /// The frame in which the tip of one dimension has moved by `delta` in the picture and all else has changed as
    /// little as that allows. The other dimensions make room within what was seen and the dragged one.
    ///
    /// A tip reaches no farther than 1, where the picture lies along the dimension; beyond, it goes as near as it can.
    /// Where all dimensions are shown every tip is at 1, and dragging turns the picture. Dimensions that do not exist
    /// and movements that are not finite drag nothing.
    #[must_use]
    pub fn dragged(&self, dimension: usize, delta: [f32; 3]) -> Self {
        let mut moved = DVec3::from_array(delta.map(f64::from));
        (self.shown()..3).for_each(|axis| moved[axis] = 0.0);
        if dimension >= self.dims() || !moved.is_finite() || moved == DVec3::ZERO {
            return self.clone();
        }
        let tip = DVec3::from_array(self.tip(dimension));
        let wish = tip + moved;
        if self.dims() == self.shown() {
            return self.turned_to(tip, wish);
        }
        self.with_tip(dimension, wish.clamp_length_max(1.0))
    }

    /// The frame nearest to this one in which a dimension points to `tip`.
    fn with_tip(&self, dimension: usize, tip: DVec3) -> Self {
        let (dims, shown) = (self.dims(), self.shown());
        let others = |row: usize| if row < dimension { row } else { row + 1 };
        let rest = Mat::from_fn(dims - 1, shown, |row, axis| self.columns()[(others(row), axis)]);
        // The other rows must make up `1 − tip · tipᵀ`: any orthonormal columns, times this root of it.
        let shortened = 1.0 - (1.0 - tip.length_squared()).max(0.0).sqrt();
        let along = tip.normalize_or_zero();
        let unit = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
        let root = Mat::from_fn(shown, shown, |i, j| unit(i, j) - shortened * along[i] * along[j]);
        // A finite frame has them; without them the hand would hold nothing.
        let Some(orthonormal) = nearest_orthonormal(&product(rest.as_ref(), root.as_ref())) else {
            return self.clone();
        };
        let rest = product(orthonormal.as_ref(), root.as_ref());
        Self::settled(Mat::from_fn(dims, shown, |row, axis| match row {
            row if row == dimension => tip[axis],
            row => rest[(if row < dimension { row } else { row - 1 }, axis)],
        }))
    }

    /// The picture turned so that what is at `tip` comes to lie towards `wish`.
    fn turned_to(&self, tip: DVec3, wish: DVec3) -> Self {
        let (Some(tip), Some(wish)) = (tip.try_normalize(), wish.try_normalize()) else {
            return self.clone();
        };
        match self.shown() {
            1 => self.clone(),
            // Within the plane, also where it is half a turn and the axis could be any.
            2 => turned(self, DMat3::from_rotation_z(tip.truncate().angle_to(wish.truncate())).transpose()),
            _ => turned(self, DMat3::from_quat(DQuat::from_rotation_arc(tip, wish)).transpose()),
        }
    }
}
