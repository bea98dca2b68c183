//! Tables, files and shorthands for the tests.

use arrow::array::{Array, ArrayRef, FixedSizeListArray, Float64Array, LargeListArray, ListArray, RecordBatch};
use arrow::array::{Int32Array, StringArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field};
use arrow::ipc::writer::{FileWriter, StreamWriter};
use dataset::{Dataset, DatasetError, LoadOptions};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
pub use tempfile::TempDir;

/// Formats that hold lists.
pub const BINARY: [&str; 3] = ["parquet", "arrow", "arrows"];

pub fn dir() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub fn load(path: &Path, options: &LoadOptions) -> Result<Dataset, DatasetError> {
    dataset::load(&[path.to_path_buf()], options, &|_| {})
}

pub fn message<T>(result: Result<T, DatasetError>) -> String {
    match result {
        Ok(_) => panic!("an error was expected"),
        Err(error) => error.to_string(),
    }
}

pub fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

/// Writes by the ending: `.parquet`, `.arrow` (IPC file), `.arrows` (IPC stream), `.csv`.
pub fn write(path: &Path, batches: &[RecordBatch]) {
    let file = File::create(path).unwrap();
    let schema = batches[0].schema();
    match path.extension().unwrap().to_str().unwrap() {
        "parquet" => write_parquet(path, batches, Compression::SNAPPY, 1000),
        "arrow" => {
            let mut writer = FileWriter::try_new(file, &schema).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
        "arrows" => {
            let mut writer = StreamWriter::try_new(file, &schema).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
        _ => {
            let mut writer = arrow::csv::Writer::new(file);
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
        }
    }
}

pub fn write_parquet(path: &Path, batches: &[RecordBatch], compression: Compression, group_rows: usize) {
    let properties = WriterProperties::builder().set_compression(compression);
    let properties = properties.set_max_row_group_row_count(Some(group_rows)).build();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
}

/// `values` as lists of `dims`, of an element type and a kind: "fixed", "list" or "large".
pub fn lists(kind: &str, element: &DataType, values: Vec<Option<f64>>, dims: usize) -> ArrayRef {
    let rows = values.len() / dims;
    let values = cast(&(Arc::new(Float64Array::from(values)) as ArrayRef), element).unwrap();
    let field = Arc::new(Field::new_list_field(element.clone(), true));
    match kind {
        "fixed" => Arc::new(FixedSizeListArray::try_new(field, dims as i32, values, None).unwrap()),
        "list" => {
            Arc::new(ListArray::try_new(field, OffsetBuffer::from_repeated_length(dims, rows), values, None).unwrap())
        }
        _ => Arc::new(
            LargeListArray::try_new(field, OffsetBuffer::from_repeated_length(dims, rows), values, None).unwrap(),
        ),
    }
}

/// The same lists, some of them null.
pub fn with_null_rows(array: &ArrayRef, null: impl Fn(usize) -> bool) -> ArrayRef {
    let nulls = NullBuffer::from_iter((0..array.len()).map(|row| !null(row)));
    arrow::array::make_array(array.to_data().into_builder().nulls(Some(nulls.into_inner().into())).build().unwrap())
}

/// A table of `rows` rows: `vector` = [row, row / 2, −row], `label` (three words), `number` = the row's number.
pub fn numbered(rows: usize) -> RecordBatch {
    numbered_from(0, rows)
}

pub fn numbered_from(first: usize, rows: usize) -> RecordBatch {
    let value = |row: usize| [row as f64, row as f64 / 2.0, -(row as f64)];
    let values: Vec<Option<f64>> = (first..first + rows).flat_map(value).map(Some).collect();
    let labels = StringArray::from_iter_values((first..first + rows).map(|row| ["red", "green", "blue"][row % 3]));
    let numbers = Int32Array::from_iter_values((first..first + rows).map(|row| row as i32));
    table(vec![
        ("label", Arc::new(labels)),
        ("vector", lists("fixed", &DataType::Float32, values, 3)),
        ("number", Arc::new(numbers)),
    ])
}

/// Checks that vectors, attributes and row numbers of a [`numbered`] table belong together.
pub fn assert_rows_belong_together(data: &Dataset) {
    use arrow::array::AsArray;
    let numbers = data.attributes.column_by_name("number").unwrap();
    let numbers = numbers.as_primitive::<arrow::datatypes::Int32Type>();
    assert_eq!(data.vectors.rows(), data.row_numbers.len());
    assert_eq!(data.vectors.rows(), data.attributes.num_rows());
    for row in 0..data.vectors.rows() {
        let file_row = data.row_numbers.file_row(row);
        assert_eq!(numbers.value(row), file_row as i32, "attributes of row {row}");
        assert_eq!(data.vectors.row(row)[0], file_row as f32, "vector of row {row}");
        assert_eq!(data.vectors.row(row)[2], -(file_row as f32), "vector of row {row}");
    }
    let padded = data.vectors.padded().chunks(data.vectors.stride());
    assert!(padded.into_iter().all(|row| row[data.vectors.dims()..].iter().all(|&v| v == 0.0)), "padding is zero");
}

/// A file of the data sets beside the repository, or nothing where they are not; NEVIS_SKIP_NOTHING forbids that.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var_os("NEVIS_SKIP_NOTHING").is_none(), "{} is not here", path.display());
    eprintln!("skipped: {} is not here", path.display());
    None
}
