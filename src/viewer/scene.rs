//! From positions and colours to what is drawn: pure functions, used by the window and by pictures without one.

use bevy::math::Vec3;
use colours::Paint;
use orbit_camera::CloudBounds;
use points::{Axes, flags};
use selection::Rows;
use vectors::Vectors;
use vectors::pca::Pca;

/// Points that are looked at to find the place and size of a cloud: evenly spaced ones are a fair sample.
const SAMPLE: usize = 4096;
/// Share of the points within the radius of the cloud: outliers must not make everyone else small.
const WITHIN: f64 = 0.98;

/// Positions in the engine's layout.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// `[points][stride]`.
    pub positions: &'a [f32],
    pub dims: usize,
    pub stride: usize,
}

impl<'a> Layout<'a> {
    pub fn points(&self) -> usize {
        self.positions.len() / self.stride
    }

    pub fn position(&self, point: usize) -> &'a [f32] {
        &self.positions[point * self.stride..][..self.dims]
    }

    fn sample(self) -> impl Iterator<Item = &'a [f32]> {
        let points = self.points();
        let step = points.div_ceil(SAMPLE).max(1);
        (0..points).step_by(step).map(move |point| self.position(point))
    }
}

/// The axes along which an embedding is seen: its own up to three dimensions, beyond that its three widest directions.
/// Those turn as the embedding moves; the ones before keep them from flipping over or changing places.
pub fn axes_of(layout: Layout<'_>, before: Option<&Axes>) -> Axes {
    let dims = layout.dims;
    if dims <= 3 {
        return Axes::unit(dims);
    }
    let mut sample = Vectors::with_capacity(SAMPLE, dims);
    layout.sample().filter(|position| position.iter().all(|value| value.is_finite())).for_each(|p| sample.push(p));
    let centre = centre_of(layout);
    let rotated = before.filter(|axes| axes.axes.len() == dims).map(|axes| followed(&sample, &centre, axes));
    let axes = rotated.unwrap_or_else(|| widest(&sample, dims));
    Axes { centre, axes }
}

/// The mean position.
pub fn centre_of(layout: Layout<'_>) -> Vec<f32> {
    let mut sums = vec![0.0; layout.dims];
    let mut rows = 0.0_f32;
    for position in layout.sample().filter(|position| position.iter().all(|value| value.is_finite())) {
        sums.iter_mut().zip(position).for_each(|(sum, value)| *sum += value);
        rows += 1.0;
    }
    sums.iter_mut().for_each(|sum| *sum /= rows.max(1.0));
    sums
}

/// The three widest directions, one vector for each dimension.
fn widest(sample: &Vectors, dims: usize) -> Vec<Vec3> {
    if sample.rows() < 2 {
        return Axes::unit(dims).axes;
    }
    let pca = Pca::fit(sample, 3, 0);
    let component = |axis: usize, dim: usize| pca.axes.row(axis)[dim];
    (0..dims).map(|dim| Vec3::new(component(0, dim), component(1, dim), component(2, dim))).collect()
}

/// A step of subspace iteration from the axes before: they turn towards the widest directions, smoothly.
fn followed(sample: &Vectors, centre: &[f32], before: &Axes) -> Vec<Vec3> {
    let mut turned = vec![Vec3::ZERO; centre.len()];
    for row in 0..sample.rows() {
        let centred = || sample.row(row).iter().zip(centre).map(|(value, centre)| value - centre);
        let seen: Vec3 = centred().zip(&before.axes).map(|(value, axis)| *axis * value).sum();
        turned.iter_mut().zip(centred()).for_each(|(axis, value)| *axis += seen * value);
    }
    orthonormal(turned).unwrap_or_else(|| before.axes.clone())
}

/// The three columns made orthogonal and of length one; none if they do not span a space.
fn orthonormal(mut axes: Vec<Vec3>) -> Option<Vec<Vec3>> {
    for column in 0..3 {
        for other in 0..column {
            let shared: f32 = axes.iter().map(|axis| axis[column] * axis[other]).sum();
            axes.iter_mut().for_each(|axis| axis[column] -= shared * axis[other]);
        }
        let length = axes.iter().map(|axis| axis[column] * axis[column]).sum::<f32>().sqrt();
        if !(length.is_finite() && length > f32::MIN_POSITIVE) {
            return None;
        }
        axes.iter_mut().for_each(|axis| axis[column] /= length);
    }
    Some(axes)
}

/// Where the cloud is and how large, outliers left aside.
pub fn bounds_of(layout: Layout<'_>, axes: &Axes) -> CloudBounds {
    let places: Vec<Vec3> = layout.sample().map(|position| axes.place(position)).filter(|p| p.is_finite()).collect();
    if places.is_empty() {
        return CloudBounds { centre: Vec3::ZERO, radius: 1.0, flat: layout.dims <= 2 };
    }
    let centre = places.iter().sum::<Vec3>() / places.len() as f32;
    let mut distances: Vec<f32> = places.iter().map(|place| place.distance(centre)).collect();
    let rank = ((distances.len() - 1) as f64 * WITHIN) as usize;
    let (_, radius, _) = distances.select_nth_unstable_by(rank, f32::total_cmp);
    let radius = radius.max(1e-6) * 1.05;
    CloudBounds { centre, radius, flat: layout.dims <= 2 }
}

/// Colours and flags of rows as styles of points. While some are selected, the others step back.
pub fn styles_of(paint: &Paint, row_of_point: &[u32], selected: &Rows) -> Vec<u32> {
    let all = selected.is_empty();
    let style = |&row: &u32| {
        let chosen = all || selected.contains(row);
        let row = row as usize;
        let [red, green, blue] = paint.colours[row].map(u32::from);
        let greyed = !chosen || paint.greyed.get(row).copied().unwrap_or(false);
        red | green << 8 | blue << 16 | if greyed { flags::GREYED } else { 0 }
    };
    row_of_point.iter().map(style).collect()
}

/// The middle of each category: the mean position of its points and their number, given each row's category.
/// `u32::MAX` is none. Seen along any axes, its place is the mean of their places.
pub fn centroids(layout: Layout<'_>, row_of_point: &[u32], codes: &[u32], categories: usize) -> Vec<(Vec<f32>, usize)> {
    let mut sums = vec![(vec![0.0; layout.dims], 0_usize); categories];
    for (point, &row) in row_of_point.iter().enumerate() {
        let position = layout.position(point);
        if let Some((sum, count)) = sums.get_mut(codes[row as usize] as usize)
            && position.iter().all(|value| value.is_finite())
        {
            sum.iter_mut().zip(position).for_each(|(sum, value)| *sum += value);
            *count += 1;
        }
    }
    for (sum, count) in &mut sums {
        sum.iter_mut().for_each(|sum| *sum /= (*count).max(1) as f32);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use colours::Legend;

    fn layout(positions: &[f32], dims: usize, stride: usize) -> Layout<'_> {
        Layout { positions, dims, stride }
    }

    /// Points on a long, a middle and a short axis of a five-dimensional space.
    fn stretched(turn: f32) -> Vec<f32> {
        (0..500_u16)
            .flat_map(|point| {
                let at = |prime: u16| f32::from(point * prime % 101) / 50.0 - 1.0;
                let (long, middle, short) = (9.0 * at(7), 4.0 * at(11), 1.0 * at(13));
                let (sine, cosine) = turn.sin_cos();
                [0.1 * at(3), cosine * long - sine * middle, short, sine * long + cosine * middle, 0.0]
            })
            .collect()
    }

    #[test]
    fn up_to_three_dimensions_are_seen_as_they_are() {
        for dims in 1..=3 {
            assert_eq!(axes_of(layout(&[1.0; 12], dims, dims), None), Axes::unit(dims));
        }
    }

    #[test]
    fn beyond_three_the_widest_directions_are_seen_and_followed_without_a_jump() {
        let positions = stretched(0.0);
        let mut axes = axes_of(layout(&positions, 5, 5), None);
        assert!(axes.axes[1].x.abs() > 0.99 && axes.axes[3].y.abs() > 0.99 && axes.axes[2].z.abs() > 0.9, "{axes:?}");
        for step in 1..=100_u16 {
            let positions = stretched(0.01 * f32::from(step));
            let next = axes_of(layout(&positions, 5, 5), Some(&axes));
            let jump = axes.axes.iter().zip(&next.axes).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(jump < 0.05, "step {step} jumps by {jump}");
            axes = next;
        }
        // After a turn of one radian the first axis follows the long direction: (cos 1, sin 1) of dimensions 1 and 3.
        let along = axes.axes[1].x * 1.0_f32.cos() + axes.axes[3].x * 1.0_f32.sin();
        assert!(along.abs() > 0.98, "{axes:?}");
        let product: f32 = axes.axes.iter().map(|axis| axis.x * axis.y).sum();
        assert!(product.abs() < 1e-4);
    }

    #[test]
    fn an_outlier_does_not_make_the_cloud_large_and_nan_does_not_break_it() {
        let mut positions: Vec<f32> = (0..2000_u16).map(|value| f32::from(value % 10)).collect();
        let before = bounds_of(layout(&positions, 2, 2), &Axes::unit(2));
        positions[0] = 1e6;
        positions[6] = f32::NAN;
        let after = bounds_of(layout(&positions, 2, 2), &Axes::unit(2));
        assert!(before.flat && before.is_valid() && after.is_valid());
        assert!((4.0..9.0).contains(&before.radius), "{before:?}");
        assert!(after.radius < 2000.0, "{after:?}"); // the centre moves a little, the radius does not explode
    }

    #[test]
    fn styles_follow_the_order_of_the_points() {
        let paint = Paint {
            colours: vec![[1, 2, 3], [4, 5, 6]],
            greyed: vec![false, true],
            legend: Legend::Uniform,
            missing: 0,
        };
        assert_eq!(styles_of(&paint, &[1, 0], &Rows::none(2)), [0x060504 | flags::GREYED, 0x030201]);
        let second = Rows::from_rows(2, [1]);
        assert_eq!(styles_of(&paint, &[1, 0], &second), [0x060504 | flags::GREYED, 0x030201 | flags::GREYED]);
    }

    #[test]
    fn names_stand_in_the_middle_of_their_points() {
        let positions = [0.0, 0.0, 2.0, 0.0, 4.0, 4.0, 9.0, 9.0];
        let found = centroids(layout(&positions, 2, 2), &[3, 2, 1, 0], &[u32::MAX, 1, 0, 0], 2);
        assert_eq!(found, [(vec![1.0, 0.0], 2), (vec![4.0, 4.0], 1)]);
    }
}
