//! How rows spread within their classes and between them.

use crate::classes::Classes;
use crate::linalg::product;
use crate::positions::Positions;
use faer::Mat;

/// Spread that every direction has at least, as a share of the mean spread: classes of single points, or lines, have
/// none and would seem infinitely far apart.
const LEAST_SPREAD: f64 = 1e-6;
/// More of it where there are few rows for the dimensions: some direction separates few rows by chance.
const FEW_ROWS: f64 = 0.01;

/// Scatter matrices (dims × dims) of rows with classes, in units of the mean spread of all rows over the dimensions.
pub(crate) struct Scatter {
    /// Around the means of their own classes, with the least spread added.
    pub(crate) within: Mat<f64>,
    /// Of the means of the classes, each counted as often as it has rows.
    pub(crate) between: Mat<f64>,
    /// Classes that have rows.
    pub(crate) classes: usize,
}

impl Scatter {
    /// None if fewer than two classes have rows, or if all rows are at the same place.
    pub(crate) fn of(positions: Positions<'_>, classes: &Classes) -> Option<Self> {
        let dims = positions.dims;
        let rows: Vec<(&[f32], usize)> =
            classes.members().filter_map(|(row, class)| Some((positions.row(row)?, class))).collect();
        let (means, counts) = means(&rows, dims, classes.count());
        let present: Vec<usize> = (0..counts.len()).filter(|&class| counts[class] > 0).collect();
        if present.len() < 2 || dims == 0 {
            return None;
        }
        let share = 1.0 / rows.len() as f64;
        let around = Mat::from_fn(rows.len(), dims, |row, dim| f64::from(rows[row].0[dim]) - means[rows[row].1][dim]);
        let mean = |dim: usize| present.iter().map(|&c| means[c][dim] * counts[c] as f64 * share).sum::<f64>();
        let centre: Vec<f64> = (0..dims).map(mean).collect();
        let apart = Mat::from_fn(present.len(), dims, |row, dim| {
            let class = present[row];
            (means[class][dim] - centre[dim]) * (counts[class] as f64).sqrt()
        });
        let mut within = product(around.transpose(), around.as_ref());
        let mut between = product(apart.transpose(), apart.as_ref());
        let spread = (0..dims).map(|dim| within[(dim, dim)] + between[(dim, dim)]).sum::<f64>() / dims as f64;
        if !(spread > f64::MIN_POSITIVE && spread.is_finite()) {
            return None;
        }
        within *= faer::Scale(1.0 / spread);
        between *= faer::Scale(1.0 / spread);
        let least = LEAST_SPREAD + FEW_ROWS * dims as f64 * share;
        (0..dims).for_each(|dim| within[(dim, dim)] += least);
        Some(Self { within, between, classes: present.len() })
    }

    /// Of all rows around their mean.
    pub(crate) fn total(&self) -> Mat<f64> {
        &self.within + &self.between
    }
}

/// The mean position of every class and its number of rows.
fn means(rows: &[(&[f32], usize)], dims: usize, classes: usize) -> (Vec<Vec<f64>>, Vec<usize>) {
    let mut means = vec![vec![0.0; dims]; classes];
    let mut counts = vec![0; classes];
    for &(position, class) in rows {
        counts[class] += 1;
        means[class].iter_mut().zip(position).for_each(|(sum, value)| *sum += f64::from(*value));
    }
    for (mean, &count) in means.iter_mut().zip(&counts) {
        mean.iter_mut().for_each(|sum| *sum /= f64::from(u32::max(count, 1)));
    }
    (means, counts.into_iter().map(|count| count as usize).collect())
}
