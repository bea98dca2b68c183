//! Tables to explain.

use dataset::Role;
use dataset::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use dataset::arrow::datatypes::{Field, Schema};
use explain::{Data, ExplainError, Explanation, Groups, explain};
use std::sync::Arc;
use vectors::Vectors;

pub fn wanted() -> bool {
    false
}

/// Numbers that look as if drawn from a normal distribution: mean 0, sd 1.
pub fn noise(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0).collect()
}

/// A table that owns what [`Data`] borrows.
pub struct Table {
    pub attributes: RecordBatch,
    pub roles: Vec<(String, Role)>,
    pub vectors: Vectors,
    pub component_names: Vec<String>,
    /// Empty, or a list for each row.
    pub neighbours: Vec<Vec<u32>>,
}

impl Table {
    pub fn new(vectors: Vectors, columns: Vec<(&str, Role, ArrayRef)>) -> Self {
        let fields: Vec<Field> =
            columns.iter().map(|(name, _, array)| Field::new(*name, array.data_type().clone(), true)).collect();
        let roles = columns.iter().map(|(name, role, _)| ((*name).to_owned(), *role)).collect();
        let arrays = columns.into_iter().map(|(_, _, array)| array).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(vectors.rows()));
        let attributes = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options).unwrap();
        Self { attributes, roles, vectors, component_names: Vec::new(), neighbours: Vec::new() }
    }

    pub fn of_rows(rows: &[Vec<f32>]) -> Self {
        Self::new(Vectors::from_rows(&rows.concat(), rows[0].len()), Vec::new())
    }

    pub fn try_explain(
        &self,
        a: &[u32],
        b: &[u32],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Explanation, ExplainError> {
        let vector = |row: u32| self.vectors.row(row as usize);
        let neighbours = |row: u32| self.neighbours.get(row as usize).cloned().unwrap_or_default();
        let data = Data {
            attributes: &self.attributes,
            roles: &self.roles,
            vector: &vector,
            dims: self.vectors.dims(),
            component_names: &self.component_names,
            neighbours: &neighbours,
        };
        explain(&data, Groups { a, b }, cancelled)
    }

    pub fn explain(&self, a: &[u32], b: &[u32]) -> Explanation {
        self.try_explain(a, b, &wanted).unwrap()
    }
}
