//! The comparison as a whole.

use crate::axis::{OnAxis, project};
use crate::cohesion::cohesion;
use crate::columns::{self, Columns};
use crate::components::{self, Components};
use crate::{AxisHistogram, Cancelled, Composition, Data, Effect, ExplainError, Groups, Skipped, axis_histogram};
use serde::Serialize;

/// What makes A differ from B.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Rows of A.
    pub a: usize,
    /// Rows of B.
    pub b: usize,
    /// One for each categorical column, the most telling (largest Cramér's V) first.
    pub compositions: Vec<Composition>,
    /// Numeric columns, the largest |Cohen's d| first; before them those that are constant in both groups and differ,
    /// after them those without values in one.
    pub numbers: Vec<Effect>,
    /// Components of the vectors, in the same order.
    pub components: Vec<Effect>,
    /// The mean vector of A, in the order of the vectors; 0 where no row has a value.
    pub mean_a: Vec<f32>,
    /// The mean vector of B.
    pub mean_b: Vec<f32>,
    /// The row of A that is nearest to the mean of A (Euclidean), the first of equals.
    pub medoid_a: u32,
    /// The row of B that is nearest to the mean of B.
    pub medoid_b: u32,
    /// Both groups along the axis through their means.
    pub histogram: AxisHistogram,
    /// The mean share of a row's neighbours in the data that are in A, over A; none if no neighbours are known.
    pub cohesion: Option<f64>,
    /// The mean share of a row's neighbours in the data that are in B, over B; none if no neighbours are known.
    pub cohesion_b: Option<f64>,
    /// Columns that are not compared though their role would have it, and times.
    pub skipped: Vec<Skipped>,
}

/// Says what makes group A differ from group B.
///
/// # Errors
/// If a group is empty, out of order or beyond the table, if the groups share rows, or if the work was cancelled.
pub fn explain(data: &Data<'_>, groups: Groups<'_>, cancelled: Cancelled<'_>) -> Result<Explanation, ExplainError> {
    groups.check(data.attributes.num_rows())?;
    let Columns { compositions, numbers, skipped } = columns::compare(data, groups, cancelled)?;
    let Components { effects, means } = components::compare(data, groups, cancelled)?;
    let OnAxis { places, medoids } = project(data, groups, &means, cancelled)?;
    let histogram = axis_histogram(&places[0], &places[1], None);
    let [cohesion_a, cohesion_b] = groups.both().map(|rows| cohesion(data, rows, cancelled));
    let [mean_a, mean_b] = means.map(|mean| mean.into_iter().map(|value| value as f32).collect());
    Ok(Explanation {
        a: groups.a.len(),
        b: groups.b.len(),
        compositions,
        numbers,
        components: effects,
        mean_a,
        mean_b,
        medoid_a: medoids[0],
        medoid_b: medoids[1],
        histogram,
        cohesion: cohesion_a?,
        cohesion_b: cohesion_b?,
        skipped,
    })
}
