//! Rows that come after the first load, treated exactly as it treated the first ones.

use crate::columns::{VectorColumns, is_numeric, list_element, listed};
use crate::error::Fault;
use crate::fill::{Target, fill};
use crate::load::attribute_error;
use crate::scan::rows_of;
use crate::{Dataset, DatasetError};
use arrow::array::{ArrayRef, RecordBatchOptions};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use vectors::{Standard, Vectors, pca::Pca};

/// Reads further batches as a data set was read: the same columns, scaled and projected by what was found then.
#[derive(Debug, Clone)]
pub struct Reader {
    vector_columns: Vec<String>,
    /// Values per vector, before PCA.
    dims: usize,
    /// Attributes as they come out.
    attributes: SchemaRef,
    standard: Option<Arc<Standard>>,
    components: Option<Arc<Pca>>,
}

/// The usable rows of a further batch.
#[derive(Debug, Clone)]
pub struct MoreRows {
    /// Their vectors.
    pub vectors: Vectors,
    /// Their attributes, by the reader's [`schema`](Reader::schema).
    pub attributes: RecordBatch,
    /// Their places in the batch, rising.
    pub kept: Vec<u32>,
    /// Rows of the batch, usable or not.
    pub rows: usize,
    /// The first row that was left out, if there is one.
    pub bad: Option<BadRow>,
    /// Columns of the batch that the table does not have.
    pub ignored: Vec<String>,
}

/// A row whose vector cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct BadRow {
    /// The column.
    pub column: String,
    /// The row's place in its batch.
    pub row: u32,
    /// What is wrong.
    pub fault: Fault,
}

impl Reader {
    /// A reader for rows that shall join this data set.
    #[must_use]
    pub fn of(dataset: &Dataset) -> Self {
        let living = |field: &Arc<Field>| {
            // Categories may come for as long as rows do: their codes need room.
            let data_type = match field.data_type() {
                DataType::Dictionary(_, values) => DataType::Dictionary(Box::new(DataType::Int32), values.clone()),
                other => other.clone(),
            };
            field.as_ref().clone().with_data_type(data_type).with_nullable(true)
        };
        let fields: Vec<Field> = dataset.attributes.schema().fields().iter().map(living).collect();
        Self {
            vector_columns: dataset.source.vector_columns.clone(),
            dims: dataset.source.input_dims,
            attributes: Arc::new(Schema::new(fields)),
            standard: dataset.standard.clone(),
            components: dataset.components.clone(),
        }
    }

    /// The attributes that come out: those of the data set, all nullable, and dictionaries with 32-bit codes.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.attributes
    }

    /// Values per vector as they come out, after PCA.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.components.as_ref().map_or(self.dims, |components| components.axes.rows())
    }

    /// Scales and projects vectors as a file has them, by what was found of the first ones. What is finite may not be
    /// so afterwards.
    #[must_use]
    pub fn treat(&self, mut vectors: Vectors) -> Vectors {
        if let Some(standard) = &self.standard {
            standard.apply(&mut vectors);
        }
        match &self.components {
            Some(components) => components.project(&vectors),
            None => vectors,
        }
    }

    /// Says whether batches of this schema can be read, in whatever order their columns are.
    ///
    /// # Errors
    /// If a column is missing or of a type that does not become that of the table.
    pub fn judge(&self, schema: &Schema) -> Result<(), DatasetError> {
        self.fit(schema).map(|_| ())
    }

    /// Says whether one attribute can be read from batches of this schema, and where it is.
    ///
    /// # Errors
    /// As [`judge`](Self::judge) for that column.
    pub fn judge_attribute(&self, schema: &Schema, name: &str) -> Result<usize, DatasetError> {
        let field = self.attributes.field_with_name(name).map_err(attribute_error)?;
        let place = schema.index_of(name).map_err(|_| absent(schema, name, field.data_type()))?;
        check_type(schema.field(place), field.data_type())?;
        Ok(place)
    }

    /// One attribute of a batch, of the table's type.
    ///
    /// # Errors
    /// As [`judge_attribute`](Self::judge_attribute); also if a value does not fit.
    pub fn attribute(&self, batch: &RecordBatch, name: &str) -> Result<ArrayRef, DatasetError> {
        let place = self.judge_attribute(&batch.schema(), name)?;
        convert(batch.column(place), self.attributes.field_with_name(name).map_err(attribute_error)?)
    }

    /// Reads a batch: rows whose vectors cannot be used are left out.
    ///
    /// # Errors
    /// If the batch's columns are not those of the table; the message says which and how. Nothing of it is used then.
    pub fn read(&self, batch: &RecordBatch) -> Result<MoreRows, DatasetError> {
        let fit = self.fit(&batch.schema())?;
        let (vectors, kept, bad) = self.vectors(batch, &fit)?;
        let mut columns = Vec::with_capacity(fit.attributes.len());
        for (&place, field) in fit.attributes.iter().zip(self.attributes.fields()) {
            columns.push(convert(batch.column(place), field)?);
        }
        let places: Vec<usize> = (0..columns.len()).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let all = RecordBatch::try_new_with_options(Arc::clone(&self.attributes), columns, &options);
        let all = all.map_err(attribute_error)?;
        let attributes =
            if places.is_empty() { Ok(all.slice(0, kept.len())) } else { rows_of(&all, &places, kept.clone()) };
        let attributes = attributes.map_err(attribute_error)?;
        Ok(MoreRows { vectors, attributes, kept, rows: batch.num_rows(), bad, ignored: fit.ignored })
    }

    /// The usable vectors, their places in the batch, and the first row that has none.
    fn vectors(&self, batch: &RecordBatch, fit: &Fit) -> Result<(Vectors, Vec<u32>, Option<BadRow>), DatasetError> {
        let rows = batch.num_rows();
        let positions: Vec<u32> = (0..rows as u32).collect();
        let mut vectors = Vectors::zeros(rows, self.dims);
        let stride = vectors.stride();
        let mut target = Target { rows: vectors.padded_mut(), dims: self.dims, stride };
        let filled = fill(&fit.vectors, fit.vectors.indices(), batch, &positions, &mut target);
        let mut faults = filled.map_err(attribute_error)?;
        for &slot in faults.keys() {
            vectors.row_mut(slot).fill(0.0); // NaN must not reach its neighbours through a product of matrices
        }
        vectors = self.treat(vectors);
        for slot in 0..rows {
            // What is finite may not be once it is scaled by the deviation of other rows.
            if let Some(&value) = vectors.row(slot).iter().find(|value| !value.is_finite()) {
                faults.entry(slot).or_insert((0, Fault::NotFinite { value }));
            }
        }
        let bad = faults.first_key_value().map(|(&slot, &(column, fault))| BadRow {
            column: self.vector_columns[column].clone(),
            row: slot as u32,
            fault,
        });
        let kept: Vec<u32> = positions.into_iter().filter(|&row| !faults.contains_key(&(row as usize))).collect();
        if kept.len() < rows {
            let mut usable = Vectors::with_capacity(kept.len(), vectors.dims());
            kept.iter().for_each(|&row| usable.push(vectors.row(row as usize)));
            vectors = usable;
        }
        Ok((vectors, kept, bad))
    }

    /// Where the table's columns are in a batch.
    fn fit(&self, schema: &Schema) -> Result<Fit, DatasetError> {
        let places: HashMap<&str, usize> =
            schema.fields().iter().enumerate().map(|(place, field)| (field.name().as_str(), place)).collect();
        let mut vectors = Vec::with_capacity(self.vector_columns.len());
        for column in &self.vector_columns {
            let Some(&place) = places.get(column.as_str()) else {
                let expected = format!("{} numbers per row", self.dims / self.vector_columns.len().max(1));
                return Err(absent(schema, column, expected));
            };
            vectors.push(place);
        }
        let vectors = self.vector_columns(schema, vectors)?;
        let mut attributes = Vec::with_capacity(self.attributes.fields().len());
        for field in self.attributes.fields() {
            let place = places.get(field.name().as_str());
            let &place = place.ok_or_else(|| absent(schema, field.name(), field.data_type()))?;
            check_type(schema.field(place), field.data_type())?;
            attributes.push(place);
        }
        let used: HashSet<usize> = vectors.indices().iter().chain(&attributes).copied().collect();
        let names = schema.fields().iter().enumerate().filter(|(place, _)| !used.contains(place));
        let ignored = names.map(|(_, field)| field.name().clone()).collect();
        Ok(Fit { vectors, attributes, ignored })
    }

    fn vector_columns(&self, schema: &Schema, places: Vec<usize>) -> Result<VectorColumns, DatasetError> {
        if let [place] = places[..] {
            let field = schema.field(place);
            let foreign =
                |found: usize| DatasetError::ForeignLength { column: field.name().clone(), found, expected: self.dims };
            match field.data_type() {
                DataType::FixedSizeList(_, found) if *found as usize != self.dims => {
                    return Err(foreign(*found as usize));
                }
                list if list_element(list).is_some_and(is_numeric) => return Ok(VectorColumns::List(place)),
                number if is_numeric(number) && self.dims != 1 => return Err(foreign(1)),
                _ => {}
            }
        }
        for &place in &places {
            let field = schema.field(place);
            if !is_numeric(field.data_type()) {
                let (column, found) = (field.name().clone(), field.data_type().to_string());
                let expected = match self.vector_columns.len() {
                    1 => format!("lists of {} numbers", self.dims),
                    _ => "numbers".to_owned(),
                };
                return Err(DatasetError::ForeignType { column, found, expected });
            }
        }
        Ok(VectorColumns::Plain(places))
    }
}

/// Where the table's columns are in a batch.
struct Fit {
    vectors: VectorColumns,
    attributes: Vec<usize>,
    ignored: Vec<String>,
}

fn absent(schema: &Schema, column: &str, expected: impl ToString) -> DatasetError {
    let (column, expected) = (column.to_owned(), expected.to_string());
    DatasetError::AbsentColumn { column, expected, columns: listed(schema, |_| true) }
}

fn check_type(field: &Field, expected: &DataType) -> Result<(), DatasetError> {
    if becomes(field.data_type(), expected) {
        return Ok(());
    }
    let (column, found) = (field.name().clone(), field.data_type().to_string());
    Err(DatasetError::ForeignType { column, found, expected: expected.to_string() })
}

fn convert(array: &ArrayRef, field: &Field) -> Result<ArrayRef, DatasetError> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(array, field.data_type(), &strict).map_err(|error| DatasetError::DoesNotFit {
        column: field.name().clone(),
        found: array.data_type().to_string(),
        expected: field.data_type().to_string(),
        reason: error.to_string(),
    })
}

/// Whether values of one type mean the same as values of another. Numbers may still not fit: that is told by value.
fn becomes(found: &DataType, expected: &DataType) -> bool {
    use DataType::{
        Binary, BinaryView, Date32, Date64, Dictionary, Duration, FixedSizeBinary, LargeBinary, LargeUtf8, Null,
        Time32, Time64, Timestamp, Utf8, Utf8View,
    };
    let text = |t: &DataType| matches!(t, Utf8 | LargeUtf8 | Utf8View);
    let bytes = |t: &DataType| matches!(t, Binary | LargeBinary | BinaryView);
    match (found, expected) {
        (found, expected) if found == expected || found.equals_datatype(expected) => true,
        (Null, _) => true,
        (Dictionary(_, found), Dictionary(_, expected)) => becomes(found, expected),
        (Dictionary(_, found), expected) => becomes(found, expected),
        (found, Dictionary(_, expected)) => becomes(found, expected),
        (found, expected) if text(found) || bytes(found) => {
            text(found) && text(expected) || bytes(found) && bytes(expected)
        }
        (FixedSizeBinary(_), expected) => bytes(expected),
        (found, expected) if found.is_integer() => expected.is_integer() || expected.is_floating(),
        (found, expected) if found.is_floating() => expected.is_floating(),
        (Timestamp(_, found), Timestamp(_, expected)) => found == expected,
        (Date32 | Date64, Date32 | Date64) | (Time32(_) | Time64(_), Time32(_) | Time64(_)) => true,
        (Duration(_), Duration(_)) => true,
        (found, expected) => match (list_element(found), list_element(expected)) {
            (Some(found), Some(expected)) => becomes(found, expected),
            _ => false,
        },
    }
}
