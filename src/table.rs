//! Results beside the columns of their input.

use crate::error::CommandError;
use dataset::arrow::array::{
    Array, ArrayRef, FixedSizeListArray, Float32Array, RecordBatch, RecordBatchOptions, UInt32Array,
};
use dataset::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use dataset::{Dataset, RowNumbers};
use std::sync::Arc;

/// Names of the coordinates of up to three dimensions.
pub const AXES: [&str; 3] = ["x", "y", "z"];
/// Name of the list column that holds more.
pub const LIST: &str = "embedding";
/// Comes before the name of a result where the input already has a column of that name.
pub const PREFIX: &str = "nevis_";

/// A table in the making. Columns of the input are never replaced.
#[derive(Debug, Clone)]
pub struct Table {
    fields: Vec<FieldRef>,
    columns: Vec<ArrayRef>,
    rows: usize,
}

impl Table {
    /// Begins with all columns of `batch`.
    pub fn beside(batch: &RecordBatch) -> Self {
        let fields = batch.schema().fields().iter().cloned().collect();
        Self { fields, columns: batch.columns().to_vec(), rows: batch.num_rows() }
    }

    /// Begins without columns.
    pub fn of_rows(rows: usize) -> Self {
        Self { fields: Vec::new(), columns: Vec::new(), rows }
    }

    /// The wanted names if all of them are free, else all of them with as many prefixes as it takes.
    pub fn free_names(&self, wanted: &[&str]) -> Vec<String> {
        let mut names: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
        while names.iter().any(|name| self.fields.iter().any(|field| field.name() == name)) {
            names.iter_mut().for_each(|name| name.insert_str(0, PREFIX));
        }
        names
    }

    pub fn push(&mut self, name: impl Into<String>, column: ArrayRef) {
        self.fields.push(Arc::new(Field::new(name, column.data_type().clone(), column.is_nullable())));
        self.columns.push(column);
    }

    /// Adds the file's row numbers where they are not simply 0, 1, 2 … to the end of the file.
    pub fn push_row_numbers(&mut self, data: &Dataset) {
        if data.row_numbers.len() == data.source.file_rows {
            return;
        }
        let name = self.free_names(&["row"]).remove(0);
        self.push(name, row_numbers(&data.row_numbers));
    }

    pub fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.fields.clone()))
    }

    pub fn finish(self) -> Result<RecordBatch, CommandError> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        Ok(RecordBatch::try_new_with_options(self.schema(), self.columns, &options)?)
    }
}

fn row_numbers(rows: &RowNumbers) -> ArrayRef {
    Arc::new(UInt32Array::from_iter_values(rows.iter()))
}

/// The names that coordinates of `dims` dimensions should have.
pub fn coordinate_names(dims: usize) -> &'static [&'static str] {
    if dims <= AXES.len() { &AXES[..dims] } else { &[LIST] }
}

/// Row-major positions as columns: one per dimension up to three, one of lists beyond.
pub fn coordinate_columns(positions: Vec<f32>, dims: usize) -> Result<Vec<ArrayRef>, CommandError> {
    if dims > AXES.len() {
        return lists(positions, dims);
    }
    let axis = |axis: usize| -> ArrayRef {
        Arc::new(Float32Array::from_iter_values(positions.iter().skip(axis).step_by(dims).copied()))
    };
    Ok((0..dims).map(axis).collect())
}

/// Row-major positions as one column of lists.
pub fn lists(positions: Vec<f32>, dims: usize) -> Result<Vec<ArrayRef>, CommandError> {
    Ok(vec![fixed_lists(Arc::new(Float32Array::from(positions)), dims)?])
}

/// Values as lists of `length` each.
pub fn fixed_lists(values: ArrayRef, length: usize) -> Result<ArrayRef, CommandError> {
    let item = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    Ok(Arc::new(FixedSizeListArray::try_new(item, length, values, None)?))
}

/// The schema of a table whose coordinates are still to be computed, to check the output before the work is begun.
pub fn planned_schema(table: &Table, names: &[String], dims: usize) -> Schema {
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    let length = i32::try_from(dims).unwrap_or(i32::MAX);
    let list = dims > AXES.len();
    let data_type = if list { DataType::FixedSizeList(item, length) } else { DataType::Float32 };
    let coordinates = names.iter().map(|name| Arc::new(Field::new(name, data_type.clone(), false)));
    Schema::new(table.fields.iter().cloned().chain(coordinates).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dataset::arrow::array::{Array, AsArray};
    use dataset::arrow::datatypes::Float32Type;

    #[test]
    fn taken_names_are_left_to_the_input() {
        let mut table = Table::of_rows(1);
        assert_eq!(table.free_names(&["x", "y"]), ["x", "y"]);
        table.push("y", Arc::new(Float32Array::from(vec![1.0])));
        assert_eq!(table.free_names(&["x", "y"]), ["nevis_x", "nevis_y"]);
        table.push("nevis_x", Arc::new(Float32Array::from(vec![1.0])));
        assert_eq!(table.free_names(&["x", "y"]), ["nevis_nevis_x", "nevis_nevis_y"]);
        assert_eq!(table.finish().expect("columns of one length").num_columns(), 2);
    }

    #[test]
    fn coordinates_are_columns_up_to_three_and_lists_beyond() {
        let values: Vec<f32> = (0..12u8).map(f32::from).collect();
        let axes = coordinate_columns(values.clone(), 3).expect("four rows of three");
        assert_eq!(axes[1].as_primitive::<Float32Type>().values(), &[1.0, 4.0, 7.0, 10.0]);
        let lists = coordinate_columns(values, 4).expect("three rows of four");
        assert_eq!((lists.len(), lists[0].len()), (1, 3));
        let planned = planned_schema(&Table::of_rows(3), &["embedding".to_owned()], 4);
        assert_eq!(planned.field(0).data_type(), lists[0].data_type());
    }
}
