//! One input opened: its parts, its columns, its wanted rows; and the walk over them, piece by piece.

use crate::columns::{self, VectorColumns};
use crate::error::Fault;
use crate::fill::usual_length;
use crate::parts::Part;
use crate::read::{OpenPart, Unit};
use crate::{AttributeColumns, DatasetError, Format, LoadOptions, Phase, Progress, RowNumbers};
use arrow::array::{Array, ArrayRef, AsArray, RecordBatchOptions, UInt32Array};
use arrow::compute::take_record_batch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Values decoded at a time: batches stay small whatever the dimension.
const BATCH_VALUES: usize = 1 << 19;
const MAX_BATCH_ROWS: usize = 8192;

/// How progress is reported.
pub(crate) type Report<'a> = &'a (dyn Fn(Progress) + Sync);

/// Everything that is known before the rows are read.
pub(crate) struct Input {
    pub parts: Vec<OpenPart>,
    pub schema: SchemaRef,
    /// Rows of all parts.
    pub file_rows: usize,
    pub vectors: VectorColumns,
    pub dims: usize,
    /// Attribute columns, by their place in the schema, rising.
    pub attributes: Vec<usize>,
    pub wanted: RowNumbers,
    pub notes: Vec<String>,
}

/// A run of wanted rows that one thread reads.
pub(crate) struct Piece {
    part: usize,
    unit: Unit,
    /// The unit's rows, numbered over all parts.
    pub file_rows: Range<usize>,
    /// How many of them are wanted.
    pub wanted: usize,
}

/// A batch on its way into the matrix.
pub(crate) struct Visit {
    pub batch: RecordBatch,
    /// Wanted rows, as positions in the batch.
    pub positions: Vec<u32>,
    /// File row of the batch's first row.
    pub first_row: usize,
}

impl Input {
    /// Opens the parts, fits their schemas together and decides on columns and rows.
    pub fn open(parts: Vec<Part>, options: &LoadOptions, report: Report<'_>) -> Result<Self, DatasetError> {
        let total = parts.len();
        let mut opened = Vec::with_capacity(total);
        for (done, part) in parts.into_iter().enumerate() {
            report(Progress { phase: Phase::Opening, done, total });
            opened.push(OpenPart::open(part)?);
        }
        report(Progress { phase: Phase::Opening, done: total, total });
        let schema = common_schema(&mut opened)?;
        let file_rows = opened.iter().map(|part| part.rows).sum();
        let wanted = RowNumbers::plan(file_rows, options)?;
        if wanted.is_empty() && file_rows > 0 {
            return Err(DatasetError::NothingWanted { rows: file_rows });
        }
        if wanted.is_empty() {
            return Err(DatasetError::NoRows { path: opened[0].part.path.clone() });
        }
        let peek = |column: usize| peek_length(&opened, column).map(Option::unwrap_or_default);
        let (vectors, notes) = columns::choose(&schema, options, peek)?;
        let dims = dimensions(&opened, &schema, &vectors, file_rows)?;
        let attributes = attribute_columns(&schema, &vectors, &options.attributes)?;
        for column in options.roles.keys() {
            columns::find(&schema, column)?;
        }
        Ok(Self { parts: opened, schema, file_rows, vectors, dims, attributes, wanted, notes })
    }

    /// Names of the vector columns, in the order of the dimensions.
    pub fn vector_names(&self) -> Vec<String> {
        self.vectors.indices().iter().map(|&column| self.schema.field(column).name().clone()).collect()
    }

    /// The wanted rows, cut for the threads at hand, in the file's order.
    pub fn pieces(&self) -> Vec<Piece> {
        let threads = rayon::current_num_threads();
        let per_part = threads.div_ceil(self.parts.len());
        let mut pieces = Vec::new();
        let mut next_row = 0;
        for (part, open) in self.parts.iter().enumerate() {
            for unit in open.units(per_part) {
                let file_rows = next_row..next_row + unit.rows();
                next_row = file_rows.end;
                let wanted = self.wanted.count_in(&file_rows);
                if wanted > 0 {
                    pieces.push(Piece { part, unit, file_rows, wanted });
                }
            }
        }
        pieces
    }

    /// The columns to read: vectors and the given attributes, rising.
    pub fn projection(&self, attributes: &[usize]) -> Vec<usize> {
        let mut projection: Vec<usize> = self.vectors.indices().iter().chain(attributes).copied().collect();
        projection.sort_unstable();
        projection.dedup();
        projection
    }

    /// Calls `visit` with every batch of a piece that holds wanted rows, and stops after the last of them.
    pub fn walk(
        &self,
        piece: &Piece,
        projection: &[usize],
        mut visit: impl FnMut(Visit) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let open = &self.parts[piece.part];
        let batch_rows = (BATCH_VALUES / self.dims).clamp(1, MAX_BATCH_ROWS);
        let mut first_row = piece.file_rows.start;
        let mut missing = piece.wanted;
        for batch in open.batches(&piece.unit, projection, batch_rows)? {
            let batch = batch?;
            if first_row + batch.num_rows() > piece.file_rows.end {
                return Err(open.part.corrupt("it holds more rows than it says"));
            }
            // Arrow files may hold all rows in one batch: smaller slices keep progress and scratch space fine.
            for offset in (0..batch.num_rows()).step_by(MAX_BATCH_ROWS) {
                let slice = batch.slice(offset, MAX_BATCH_ROWS.min(batch.num_rows() - offset));
                let rows = slice.num_rows();
                let positions = self.wanted.positions_in(first_row..first_row + rows);
                missing -= positions.len();
                if !positions.is_empty() {
                    visit(Visit { batch: slice, positions, first_row })?;
                }
                first_row += rows;
                if missing == 0 {
                    return Ok(());
                }
            }
        }
        Err(open.part.corrupt(format!("{missing} rows are missing")))
    }

    /// The error for a bad row.
    pub fn bad_row(&self, row: usize, vector_column: usize, fault: Fault) -> DatasetError {
        let column = self.schema.field(self.vectors.indices()[vector_column]).name().clone();
        DatasetError::BadRow { column, row, fault }
    }
}

/// The places of schema columns within a projection.
pub(crate) fn places(columns: &[usize], projection: &[usize]) -> Vec<usize> {
    columns.iter().filter_map(|column| projection.binary_search(column).ok()).collect()
}

/// The given columns of the rows at the given positions, copied: the columns of an Arrow batch share one buffer, and
/// a label that is kept would keep its vectors alive beside the matrix.
pub(crate) fn rows_of(batch: &RecordBatch, columns: &[usize], positions: Vec<u32>) -> Result<RecordBatch, ArrowError> {
    let taken = take_record_batch(&batch.project(columns)?, &UInt32Array::from(positions))?;
    let compact = |column: &ArrayRef| -> ArrayRef {
        match column.data_type() {
            DataType::Utf8View => Arc::new(column.as_string_view().gc()),
            DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
            _ => Arc::clone(column),
        }
    };
    let options = RecordBatchOptions::new().with_row_count(Some(taken.num_rows()));
    let columns = taken.columns().iter().map(compact).collect();
    RecordBatch::try_new_with_options(taken.schema(), columns, &options)
}

/// Counts rows as threads finish them.
pub(crate) struct Counter<'a> {
    done: AtomicUsize,
    total: usize,
    report: Report<'a>,
}

impl<'a> Counter<'a> {
    pub fn new(total: usize, report: Report<'a>) -> Self {
        Self { done: AtomicUsize::new(0), total, report }
    }

    pub fn add(&self, rows: usize) {
        let done = self.done.fetch_add(rows, Ordering::Relaxed) + rows;
        (self.report)(Progress { phase: Phase::Reading, done, total: self.total });
    }
}

/// The schema of all parts, without metadata; a column is nullable if it is in any part.
fn common_schema(parts: &mut [OpenPart]) -> Result<SchemaRef, DatasetError> {
    let (first, others) = parts.split_first_mut().ok_or(DatasetError::NoInput)?;
    let mut fields: Vec<Field> = first.schema.fields().iter().map(|field| field.as_ref().clone()).collect();
    for other in others.iter() {
        let csv = first.part.format == Format::Csv && other.part.format == Format::Csv;
        let differs = |column: &str, difference: String| DatasetError::SchemaDiffers {
            first: first.part.path.clone(),
            other: other.part.path.clone(),
            column: column.to_owned(),
            difference,
        };
        for (place, field) in fields.iter_mut().enumerate() {
            let Some(twin) = other.schema.fields().get(place).filter(|twin| twin.name() == field.name()) else {
                return Err(differs(field.name(), "is missing or in another place in the second".to_owned()));
            };
            let joined = if csv { widen(field.data_type(), twin.data_type()) } else { None };
            if joined.is_none() && field.data_type() != twin.data_type() {
                let difference =
                    format!("holds {} in the first and {} in the second", field.data_type(), twin.data_type());
                return Err(differs(field.name(), difference));
            }
            let nullable = field.is_nullable() || twin.is_nullable();
            let data_type = joined.unwrap_or_else(|| field.data_type().clone());
            *field = field.clone().with_data_type(data_type).with_nullable(nullable);
        }
        if let Some(extra) = other.schema.fields().get(fields.len()) {
            return Err(differs(extra.name(), "is only in the second".to_owned()));
        }
    }
    let schema = Arc::new(Schema::new(fields));
    for part in parts.iter_mut().filter(|part| part.part.format == Format::Csv) {
        part.schema = Arc::clone(&schema);
    }
    Ok(schema)
}

/// The type that holds the values of both columns; CSV parts infer theirs from their own rows only.
fn widen(a: &DataType, b: &DataType) -> Option<DataType> {
    match (a, b) {
        (a, b) if a == b => Some(a.clone()),
        (DataType::Null, other) | (other, DataType::Null) => Some(other.clone()),
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => Some(DataType::Float64),
        _ => None,
    }
}

/// The usual length of the first lists of a column that are not null.
fn peek_length(parts: &[OpenPart], column: usize) -> Result<Option<usize>, DatasetError> {
    for part in parts {
        for unit in part.units(1) {
            for batch in part.batches(&unit, &[column], 1024)? {
                if let Some(length) = usual_length(batch?.column(0)) {
                    return Ok(Some(length));
                }
            }
        }
    }
    Ok(None)
}

fn dimensions(
    parts: &[OpenPart],
    schema: &Schema,
    vectors: &VectorColumns,
    rows: usize,
) -> Result<usize, DatasetError> {
    let column = match vectors {
        VectorColumns::Plain(columns) => return Ok(columns.len()),
        VectorColumns::List(column) => *column,
    };
    let field = schema.field(column);
    let length = match field.data_type() {
        DataType::FixedSizeList(_, length) => usize::try_from(*length).ok(),
        _ => peek_length(parts, column)?,
    };
    match length {
        Some(0) => Err(DatasetError::NoDimensions { column: field.name().clone() }),
        Some(length) => Ok(length),
        None => Err(DatasetError::AllRowsBad { rows, columns: format!("column {:?}", field.name()) }),
    }
}

fn attribute_columns(
    schema: &Schema,
    vectors: &VectorColumns,
    choice: &AttributeColumns,
) -> Result<Vec<usize>, DatasetError> {
    let is_vector = |column: &usize| vectors.indices().contains(column);
    let mut attributes = match choice {
        AttributeColumns::None => Vec::new(),
        AttributeColumns::All => (0..schema.fields().len()).filter(|column| !is_vector(column)).collect(),
        // A column that is part of the vectors can be looked at as an attribute too, if it is asked for by name.
        AttributeColumns::Only(names) => {
            names.iter().map(|name| columns::find(schema, name)).collect::<Result<Vec<_>, _>>()?
        }
    };
    attributes.sort_unstable();
    attributes.dedup();
    Ok(attributes)
}
