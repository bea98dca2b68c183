//! What a guided tour takes apart: chosen when the selection or the column changes, and not in every frame.

use crate::viewer::data::Current;
use colours::Values;
use controls::{Apart, Seeing, SeenAxes};
use dataset::Dataset;
use live::{LiveData, Snapshot};
use selection::Rows;
use std::sync::Arc;
use tour::Classes;

/// How often what is taken apart is chosen anew, at most (seconds): a brush changes the selection in every frame.
const CHOOSE_EVERY: f64 = 0.25;
/// Rows that are looked at in few dimensions; fewer in more of them, so that a look takes a millisecond or two.
const MOST_ROWS: usize = 4096;
/// Up to so many dimensions.
const FEW_DIMS: usize = 16;

/// The classes of the guided tour.
#[derive(Debug, Default)]
pub struct Sorting {
    chosen: Option<(Origin, Option<Classes>)>,
    /// Seconds since they were chosen.
    since: f64,
}

/// What classes were chosen from.
#[derive(Debug)]
struct Origin {
    apart: Apart,
    data: Arc<LiveData>,
    rows: Arc<Rows>,
    table: (u64, u64),
    dims: usize,
}

impl Origin {
    fn is_same(&self, other: &Self) -> bool {
        let sorted = match &self.apart {
            Apart::Selection => Arc::ptr_eq(&self.rows, &other.rows) || self.rows == other.rows,
            Apart::Column(_) => self.table == other.table,
        };
        sorted && self.apart == other.apart && self.dims == other.dims && Arc::ptr_eq(&self.data, &other.data)
    }
}

impl Sorting {
    /// The classes that are to come apart, if the tour is guided and there are any.
    pub fn classes(
        &mut self,
        seeing: &Seeing,
        snapshot: &Snapshot,
        current: Option<&Current>,
        rows: &Arc<Rows>,
        seconds: f64,
    ) -> Option<&Classes> {
        let (SeenAxes::Guided(apart), Some(current)) = (&seeing.axes, current) else {
            *self = Self::default();
            return None;
        };
        self.since += seconds;
        let origin = Origin {
            apart: apart.clone(),
            data: Arc::clone(&snapshot.data),
            rows: Arc::clone(rows),
            table: (current.generation, current.table_version),
            dims: snapshot.dims,
        };
        let known = self.chosen.as_ref();
        let stale = known.is_none_or(|(known, _)| !known.is_same(&origin));
        if stale && (known.is_none() || self.since >= CHOOSE_EVERY) {
            let (row_of_point, seed) = (&snapshot.data.row_of_point, snapshot.settings.seed);
            let classes = match apart {
                Apart::Selection => classes_of_selection(rows, row_of_point, (snapshot.dims, seed)),
                Apart::Column(name) => classes_of_column(&current.dataset, name, row_of_point, (snapshot.dims, seed)),
            };
            (self.chosen, self.since) = (Some((origin, classes)), 0.0);
        }
        self.chosen.as_ref().and_then(|(_, classes)| classes.as_ref())
    }
}

/// What is selected and what is not, point by point; none if that is all or nothing.
pub(crate) fn classes_of_selection(rows: &Rows, row_of_point: &[u32], (dims, seed): (usize, u64)) -> Option<Classes> {
    let class = |point: usize| Some(u32::from(rows.contains(row_of_point[point])));
    several(Classes::choose_few(row_of_point.len(), most_rows(dims), class, seed))
}

/// The categories of a column, point by point; none if it has no two.
pub(crate) fn classes_of_column(
    dataset: &Dataset,
    name: &str,
    row_of_point: &[u32],
    (dims, seed): (usize, u64),
) -> Option<Classes> {
    let Ok(Values::Categories(categories)) = Values::of_column(dataset, name) else { return None };
    let known = categories.names.len() as u32;
    // For a frame after other data has come, points may still be those of the data before.
    let code = |point: usize| categories.codes.get(row_of_point[point] as usize).copied();
    let class = |point: usize| code(point).filter(|code| *code < known);
    several(Classes::choose_few(row_of_point.len(), most_rows(dims), class, seed))
}

fn several(classes: Classes) -> Option<Classes> {
    (classes.count() > 1).then_some(classes)
}

fn most_rows(dims: usize) -> usize {
    MOST_ROWS * FEW_DIMS / dims.max(FEW_DIMS)
}
