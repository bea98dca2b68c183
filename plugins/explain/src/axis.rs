//! The line through the means of both groups, and the row nearest to each mean.

use crate::{Cancelled, Data, ExplainError, Groups};
use rayon::prelude::*;

/// Rows that a thread takes at a time.
const BLOCK: usize = 4096;

/// Both groups on the axis from the mean of B to that of A.
pub(crate) struct OnAxis {
    /// For each row of A and of B, in order, (x − mean_b)·(mean_a − mean_b) / |mean_a − mean_b|²: 0 at the mean of B,
    /// 1 at that of A. Rows whose vector is not finite are left out; there are none if the means are equal.
    pub places: [Vec<f64>; 2],
    /// The row of A and of B that is nearest to the mean of its group; the first of equals.
    pub medoids: [u32; 2],
}

/// Projects both groups. The groups must not be empty.
pub(crate) fn project(
    data: &Data<'_>,
    groups: Groups<'_>,
    means: &[Vec<f64>; 2],
    cancelled: Cancelled<'_>,
) -> Result<OnAxis, ExplainError> {
    let difference: Vec<f64> = means[0].iter().zip(&means[1]).map(|(a, b)| a - b).collect();
    let squared: f64 = difference.iter().map(|x| x * x).sum();
    let axis: Vec<f64> = difference.iter().map(|x| x / squared).collect();
    let axis = (squared > 0.0 && axis.iter().all(|x| x.is_finite())).then_some(axis);
    let of_group = |rows: &[u32], mean: &[f64]| {
        let of_block = |rows: &[u32]| (!cancelled()).then(|| block(data, rows, mean, &means[1], axis.as_deref()));
        rows.par_chunks(BLOCK).map(of_block).collect::<Option<Vec<_>>>().ok_or(ExplainError::Cancelled)
    };
    let mut places = [Vec::new(), Vec::new()];
    let mut medoids = [0; 2];
    for (group, rows) in groups.both().into_iter().enumerate() {
        let blocks = of_group(rows, &means[group])?;
        let nearest = blocks.iter().filter_map(|block| block.nearest).min_by(|left, right| left.0.total_cmp(&right.0));
        medoids[group] = nearest.map(|(_, row)| row).or(rows.first().copied()).unwrap_or_default();
        places[group] = blocks.into_iter().flat_map(|block| block.places).collect();
    }
    Ok(OnAxis { places, medoids })
}

struct Block {
    places: Vec<f64>,
    /// Squared distance and row.
    nearest: Option<(f64, u32)>,
}

fn block(data: &Data<'_>, rows: &[u32], mean: &[f64], origin: &[f64], axis: Option<&[f64]>) -> Block {
    let mut block = Block { places: Vec::with_capacity(rows.len()), nearest: None };
    for &row in rows {
        let vector = (data.vector)(row);
        let squared: f64 = vector.iter().zip(mean).map(|(&x, mean)| (f64::from(x) - mean).powi(2)).sum();
        if !squared.is_finite() || vector.len() < mean.len() {
            continue;
        }
        if block.nearest.is_none_or(|(nearest, _)| squared < nearest) {
            block.nearest = Some((squared, row));
        }
        if let Some(axis) = axis {
            let steps = vector.iter().zip(origin).zip(axis);
            block.places.push(steps.map(|((&x, origin), axis)| (f64::from(x) - origin) * axis).sum());
        }
    }
    block
}
