//! The attributes of all rows of a table, by row number.

use super::categories::Categories;
use super::intake::columns_error;
use crate::StreamError;
use dataset::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use dataset::arrow::compute::{cast, interleave};
use dataset::arrow::datatypes::{DataType, SchemaRef};
use std::sync::Arc;

/// Pieces that may wait to be joined with the rest.
const MOST_PIECES: usize = 64;
/// Where rows that do not live point to.
const NOBODY: (usize, usize) = (1, 0);

/// How a column is kept.
#[derive(Debug)]
enum Kept {
    /// As it is.
    Plain,
    /// As codes of distinct texts, which rows of many batches share.
    Text(Categories),
    /// As plain values of what is a dictionary outside.
    Values(DataType),
}

/// Columns that change row by row: new rows lie in pieces beside the old ones until the columns are asked for.
#[derive(Debug)]
pub(super) struct Columns {
    schema: SchemaRef,
    kept: Vec<Kept>,
    /// The columns in pieces: what was joined, one row of nulls, and what came since.
    pieces: Vec<Vec<ArrayRef>>,
    /// Where the values of every row are: piece, and row of it.
    places: Vec<(usize, usize)>,
    /// Rows of the pieces that came since.
    waiting: usize,
    joined: Option<RecordBatch>,
}

impl Columns {
    /// Columns of a first load; row `i` is row `i` of it.
    pub fn new(schema: &SchemaRef, first: &RecordBatch) -> Result<Self, StreamError> {
        let kept = schema.fields().iter().map(|field| match field.data_type() {
            DataType::Dictionary(_, values) => match **values {
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                    Kept::Text(Categories::new((**values).clone()))
                }
                _ => Kept::Values((**values).clone()),
            },
            _ => Kept::Plain,
        });
        let mut columns = Self {
            schema: Arc::clone(schema),
            kept: kept.collect(),
            pieces: Vec::new(),
            places: (0..first.num_rows()).map(|row| (0, row)).collect(),
            waiting: 0,
            joined: None,
        };
        let cast_all =
            first.columns().iter().zip(schema.fields()).map(|(column, field)| cast(column, field.data_type()));
        let first = cast_all.collect::<Result<Vec<_>, _>>().map_err(columns_error)?;
        let first = columns.inside(&first)?;
        let nobody = first.iter().map(|column| new_null_array(column.data_type(), 1)).collect();
        columns.pieces = vec![first, nobody];
        Ok(columns)
    }

    /// The columns as they are kept.
    fn inside(&mut self, columns: &[ArrayRef]) -> Result<Vec<ArrayRef>, StreamError> {
        let inside = columns.iter().zip(&mut self.kept).map(|(column, kept)| match kept {
            Kept::Plain => Ok(Arc::clone(column)),
            Kept::Text(categories) => categories.encode(column),
            Kept::Values(values) => cast(column, values).map_err(columns_error),
        });
        inside.collect()
    }

    /// Takes a piece in; its rows are put in their places by [`set`](Self::set).
    pub fn add(&mut self, piece: &RecordBatch) -> Result<usize, StreamError> {
        if self.pieces.len() >= MOST_PIECES || self.waiting > self.places.len() + 8192 {
            self.join()?;
        }
        let inside = self.inside(piece.columns())?;
        self.waiting += piece.num_rows();
        self.pieces.push(inside);
        Ok(self.pieces.len() - 1)
    }

    /// Gives a row the values of a row of a piece.
    pub fn set(&mut self, row: u32, piece: usize, at: usize) {
        if self.places.len() <= row as usize {
            self.places.resize(row as usize + 1, NOBODY);
        }
        self.places[row as usize] = (piece, at);
        self.joined = None;
    }

    /// Takes the values of a row away.
    pub fn clear(&mut self, row: u32) {
        self.places[row as usize] = NOBODY;
        self.joined = None;
    }

    /// Puts everything into one piece.
    fn join(&mut self) -> Result<(), StreamError> {
        let mut joined = Vec::with_capacity(self.kept.len());
        for column in 0..self.kept.len() {
            let pieces: Vec<&dyn dataset::arrow::array::Array> =
                self.pieces.iter().map(|piece| piece[column].as_ref()).collect();
            joined.push(interleave(&pieces, &self.places).map_err(columns_error)?);
        }
        for (column, kept) in joined.iter_mut().zip(&mut self.kept) {
            if let Kept::Text(categories) = kept {
                *column = categories.clear_up(Arc::clone(column));
            }
        }
        self.pieces.truncate(2);
        self.pieces[0] = joined;
        self.places.iter_mut().enumerate().for_each(|(row, place)| *place = (0, row));
        self.waiting = 0;
        Ok(())
    }

    /// All rows; those that do not live are null.
    pub fn joined(&mut self) -> Result<RecordBatch, StreamError> {
        if let Some(joined) = &self.joined {
            return Ok(joined.clone());
        }
        self.join()?;
        let outside = self.pieces[0].iter().zip(&mut self.kept).zip(self.schema.fields());
        let outside = outside.map(|((column, kept), field)| match kept {
            Kept::Plain => Ok(Arc::clone(column)),
            Kept::Text(categories) => categories.decode(column),
            Kept::Values(_) => cast(column, field.data_type()).map_err(columns_error),
        });
        let outside = outside.collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(self.places.len()));
        let joined = RecordBatch::try_new_with_options(Arc::clone(&self.schema), outside, &options);
        Ok(self.joined.insert(joined.map_err(columns_error)?).clone())
    }
}
