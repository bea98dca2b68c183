//! Where the spring draws points to.

use super::{Gpu, Run};
use crate::command::Anchors;
use crate::stage::{Slot, position_stride};
use embedding::cpu::forces::position_stride as native_stride;

impl Run {
    /// True if the spring is on and there is an anchor for every point. Until then it is as if there were no spring.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        let fits = |anchors: &Anchors| anchors.dims >= self.shape.dims && anchors.points() >= self.shape.points;
        self.shape.anchored && self.anchors.as_ref().is_some_and(fits)
    }

    /// Takes other anchors.
    pub fn set_anchors(&mut self, anchors: Anchors, gpu: Gpu<'_>) {
        self.anchors = Some(anchors);
        self.upload_anchors(gpu);
    }

    /// Writes the anchors in the dimensions that the positions have.
    pub(super) fn upload_anchors(&self, gpu: Gpu<'_>) {
        if let Some(anchors) = self.anchors.as_ref().filter(|_| self.is_anchored()) {
            let rows = self.shape.points * native_stride(anchors.dims);
            let unit = unit_size(&anchors.positions[..rows], anchors.dims, self.shape.dims);
            self.write(Slot::Anchors, bytemuck::cast_slice(&unit), gpu);
        }
    }
}

/// The first `kept` of the `dims` axes of an arrangement around the origin, as the GPU lays positions out, with a root mean
/// square distance from it of 1.
fn unit_size(arrangement: &[f32], dims: usize, kept: usize) -> Vec<f32> {
    let (from, to) = (native_stride(dims), position_stride(kept));
    let rows = || arrangement.chunks_exact(from).map(move |row| &row[..kept]);
    let squares: f64 = rows().flatten().map(|&value| f64::from(value).powi(2)).sum();
    let size = (squares / rows().len() as f64).sqrt().max(f64::from(f32::MIN_POSITIVE));
    let mut unit = vec![0.0; rows().len() * to];
    for (unit, row) in unit.chunks_exact_mut(to).zip(rows()) {
        unit.iter_mut().zip(row).for_each(|(unit, &value)| *unit = (f64::from(value) / size) as f32);
    }
    unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_have_size_one_in_the_axes_that_are_kept() {
        let (dims, points) = (3, 50_u16);
        let mut arrangement = vec![0.0; usize::from(points) * native_stride(dims)];
        for (row, point) in arrangement.chunks_exact_mut(native_stride(dims)).zip(0..points) {
            row[..dims].copy_from_slice(&[f32::from(point), f32::from(point % 7), 1000.0]);
        }
        let unit = unit_size(&arrangement, dims, 2);
        assert_eq!(unit.len(), 2 * usize::from(points));
        let size = (unit.iter().map(|value| value * value).sum::<f32>() / f32::from(points)).sqrt();
        assert!((size - 1.0).abs() < 1e-5, "{size}: the third axis counts");
        assert!((unit[2 * 9] / unit[2 * 9 + 1] - 9.0 / 2.0).abs() < 1e-5, "the arrangement is another");
        assert!(unit_size(&[0.0; 12], 2, 2).iter().all(|value| *value == 0.0));
    }
}
