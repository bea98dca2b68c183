//! What is known of the rows.

use dataset::Role;
use dataset::arrow::array::RecordBatch;

/// What is known of the rows: their attributes, vectors and neighbours.
pub struct Data<'a> {
    /// The columns beside the vectors; its rows are the table's.
    pub attributes: &'a RecordBatch,
    /// The role of each column. [`Role::Categorical`] columns become compositions and [`Role::Continuous`] ones
    /// effects; others are not compared.
    pub roles: &'a [(String, Role)],
    /// The vector of a row: `dims` values, of which more are not read.
    pub vector: &'a (dyn Fn(u32) -> &'a [f32] + Sync),
    /// Number of components of a vector.
    pub dims: usize,
    /// Names of the components; where there is none, a component is called `v0`, `v1`, … by its place.
    pub component_names: &'a [String],
    /// The neighbours of a row in the data, as rows; empty where they are not known. `u32::MAX` stands for none.
    pub neighbours: &'a (dyn Fn(u32) -> Vec<u32> + Sync),
}

impl Data<'_> {
    /// The name of a component.
    pub(crate) fn component_name(&self, place: usize) -> String {
        self.component_names.get(place).cloned().unwrap_or_else(|| format!("v{place}"))
    }
}
