//! Files into one matrix and its attributes.

use crate::fill::{Target, fill};
use crate::parts::{self, Part};
use crate::role::Evidence;
use crate::scan::{Counter, Input, Piece, Report, Visit, places, rows_of};
use crate::{DatasetError, LoadOptions, OnBadRows, Phase, Progress, Role, RowNumbers};
use arrow::array::RecordBatchOptions;
use arrow::compute::concat_batches;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use bytes::Bytes;
use rayon::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::{Standard, Vectors, pca::Pca, standardize};

/// A loaded input. Rows of the matrix and of the attributes belong together and are in the file's order.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The vectors, after dropping, limit, sample, standardizing and PCA.
    pub vectors: Vectors,
    /// The other columns, in the file's order and of the file's types.
    pub attributes: RecordBatch,
    /// Every column read, in the file's order, and what it is used as.
    pub roles: Vec<(String, Role)>,
    /// The file's number of every row.
    pub row_numbers: RowNumbers,
    /// Where the rows come from.
    pub source: Source,
    /// What PCA did, if it ran.
    pub pca: Option<PcaReport>,
    /// The means and deviations that the vectors were standardized by, if they were.
    pub standard: Option<Arc<Standard>>,
    /// The components that PCA found, to go back from the vectors to those of the file (standardized, if that was asked for).
    pub components: Option<Arc<Pca>>,
    /// What the loader chose among several possibilities, for the user to read.
    pub notes: Vec<String>,
}

/// Where rows come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The files, in order.
    pub paths: Vec<PathBuf>,
    /// BLAKE3 of the file's bytes in hex; of several files, the hash of their (binary) hashes in order.
    pub hash: String,
    /// Rows in the files.
    pub file_rows: usize,
    /// Rows left out because their vector could not be used.
    pub dropped_rows: usize,
    /// The columns that hold the vectors.
    pub vector_columns: Vec<String>,
    /// Values per vector in the files.
    pub input_dims: usize,
}

/// What PCA did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PcaReport {
    /// Components kept.
    pub dims: usize,
    /// Share of the variance that they keep, 0 to 1.
    pub variance_kept: f64,
}

/// Loads files, or directories of parts, as one table.
///
/// # Errors
/// If a file cannot be read or has no usable vectors; the message says where and what would help.
pub fn load(paths: &[PathBuf], options: &LoadOptions, progress: Report<'_>) -> Result<Dataset, DatasetError> {
    load_parts(parts::resolve(paths)?, options, progress)
}

/// Loads a file that is already in memory; `name` stands for its path.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(
    name: &str,
    bytes: Bytes,
    options: &LoadOptions,
    progress: Report<'_>,
) -> Result<Dataset, DatasetError> {
    load_parts(vec![Part::in_memory(name, bytes)?], options, progress)
}

fn load_parts(parts: Vec<Part>, options: &LoadOptions, progress: Report<'_>) -> Result<Dataset, DatasetError> {
    let input = Input::open(parts.clone(), options, progress)?;
    let (read, hash) = rayon::join(|| read_rows(&input, options.on_bad_rows, progress), || parts::hash(&parts));
    let (mut vectors, attributes, dropped) = read?;
    let source = Source {
        paths: parts.into_iter().map(|part| part.path).collect(),
        hash: hash?,
        file_rows: input.file_rows,
        dropped_rows: dropped.len(),
        vector_columns: input.vector_names(),
        input_dims: input.dims,
    };
    let roles = roles(&input, &attributes, options);
    let (rows, dims) = (vectors.rows(), vectors.dims());
    let mut standard = None;
    if options.standardize {
        progress(Progress { phase: Phase::Standardizing, done: 0, total: rows });
        standard = Some(Arc::new(standardize(&mut vectors)));
        progress(Progress { phase: Phase::Standardizing, done: rows, total: rows });
    }
    let (mut pca, mut components) = (None, None);
    if let Some(target) = options.pca.target(rows, dims) {
        progress(Progress { phase: Phase::Reducing, done: 0, total: rows });
        let axes = Pca::fit(&vectors, target, options.seed);
        vectors = axes.project(&vectors);
        pca = Some(PcaReport { dims: target, variance_kept: axes.variance_kept });
        components = Some(Arc::new(axes));
        progress(Progress { phase: Phase::Reducing, done: rows, total: rows });
    }
    let row_numbers = input.wanted.without(&dropped);
    Ok(Dataset { vectors, attributes, roles, row_numbers, source, pca, standard, components, notes: input.notes })
}

/// What one piece left in its place.
#[derive(Default)]
struct Filled {
    kept: usize,
    /// File rows that were left out.
    dropped: Vec<u32>,
    attributes: Vec<RecordBatch>,
}

/// Reads all pieces in parallel into one matrix; also the attributes, and the file rows that were dropped.
fn read_rows(
    input: &Input,
    on_bad_rows: OnBadRows,
    progress: Report<'_>,
) -> Result<(Vectors, RecordBatch, Vec<u32>), DatasetError> {
    let rows = input.wanted.len();
    let mut vectors = matrix(rows, input.dims)?;
    let stride = vectors.stride();
    let pieces = input.pieces();
    let mut work = Vec::with_capacity(pieces.len());
    let mut rest = vectors.padded_mut();
    for piece in &pieces {
        let (target, after) = rest.split_at_mut(piece.wanted * stride);
        work.push((piece, target));
        rest = after;
    }
    let counter = Counter::new(rows, progress);
    // The first bad row of the file must be the one reported, whichever thread meets one first: pieces before a
    // failed one are finished, pieces after it are not begun.
    let first_failed = AtomicUsize::new(usize::MAX);
    let filled: Vec<Result<Filled, DatasetError>> = work
        .into_par_iter()
        .enumerate()
        .map(|(index, (piece, target))| {
            if first_failed.load(Ordering::Relaxed) < index {
                return Ok(Filled::default());
            }
            let target = Target { rows: target, dims: input.dims, stride };
            let result = fill_piece(input, piece, target, on_bad_rows, &counter);
            if result.is_err() {
                first_failed.fetch_min(index, Ordering::Relaxed);
            }
            result
        })
        .collect();
    let filled = filled.into_iter().collect::<Result<Vec<_>, _>>()?;
    close_gaps(&mut vectors, &pieces, &filled);
    let dropped: Vec<u32> = filled.iter().flat_map(|piece| piece.dropped.iter().copied()).collect();
    if vectors.rows() == 0 {
        let columns = format!("the vector columns {:?}", input.vector_names());
        return Err(DatasetError::AllRowsBad { rows, columns });
    }
    let batches: Vec<RecordBatch> = filled.into_iter().flat_map(|piece| piece.attributes).collect();
    Ok((vectors, join(input, &batches, rows - dropped.len())?, dropped))
}

/// A matrix of zeros, or an error where asking for the memory would end the program.
fn matrix(rows: usize, dims: usize) -> Result<Vectors, DatasetError> {
    let too_large = DatasetError::TooLarge { rows, dims };
    let Some(values) = dims.checked_next_multiple_of(8).and_then(|stride| stride.checked_mul(rows)) else {
        return Err(too_large);
    };
    match Vec::<f32>::new().try_reserve_exact(values) {
        Ok(()) => Ok(Vectors::zeros(rows, dims)),
        Err(_) => Err(too_large),
    }
}

fn fill_piece(
    input: &Input,
    piece: &Piece,
    target: Target<'_>,
    on_bad_rows: OnBadRows,
    counter: &Counter<'_>,
) -> Result<Filled, DatasetError> {
    let projection = input.projection(&input.attributes);
    let vector_places = places(input.vectors.indices(), &projection);
    let attribute_places = places(&input.attributes, &projection);
    let Target { rows, dims, stride } = target;
    let mut filled = Filled::default();
    input.walk(piece, &projection, |visit| {
        let Visit { batch, mut positions, first_row } = visit;
        let rows = &mut rows[filled.kept * stride..][..positions.len() * stride];
        let mut target = Target { rows, dims, stride };
        let faults = fill(&input.vectors, &vector_places, &batch, &positions, &mut target).map_err(attribute_error)?;
        let seen = positions.len();
        if let Some((&slot, &(column, fault))) = faults.first_key_value() {
            if on_bad_rows == OnBadRows::Error {
                return Err(input.bad_row(first_row + positions[slot] as usize, column, fault));
            }
            let mut kept = 0;
            for slot in (0..seen).filter(|slot| !faults.contains_key(slot)) {
                target.rows.copy_within(slot * stride..(slot + 1) * stride, kept * stride);
                positions.swap(kept, slot);
                kept += 1;
            }
            let mut dropped = positions.split_off(kept);
            dropped.sort_unstable();
            filled.dropped.extend(dropped.iter().map(|&position| first_row as u32 + position));
        }
        filled.kept += positions.len();
        if !attribute_places.is_empty() && !positions.is_empty() {
            filled.attributes.push(rows_of(&batch, &attribute_places, positions).map_err(attribute_error)?);
        }
        counter.add(seen);
        Ok(())
    })?;
    Ok(filled)
}

pub(crate) fn attribute_error(error: ArrowError) -> DatasetError {
    DatasetError::Attributes { reason: error.to_string() }
}

/// Moves the rows of every piece up to those of the piece before it.
fn close_gaps(vectors: &mut Vectors, pieces: &[Piece], filled: &[Filled]) {
    let stride = vectors.stride();
    let (mut from, mut to) = (0, 0);
    for (piece, filled) in pieces.iter().zip(filled) {
        if from != to {
            vectors.padded_mut().copy_within(from * stride..(from + filled.kept) * stride, to * stride);
        }
        from += piece.wanted;
        to += filled.kept;
    }
    vectors.truncate(to);
}

fn join(input: &Input, batches: &[RecordBatch], rows: usize) -> Result<RecordBatch, DatasetError> {
    let fields: Vec<_> = input.attributes.iter().map(|&column| Arc::clone(&input.schema.fields()[column])).collect();
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    if input.attributes.is_empty() {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        return RecordBatch::try_new_with_options(schema, Vec::new(), &options).map_err(attribute_error);
    }
    concat_batches(&schema, batches).map_err(attribute_error)
}

fn roles(input: &Input, attributes: &RecordBatch, options: &LoadOptions) -> Vec<(String, Role)> {
    let vector = input.vectors.indices().iter().map(|&column| (column, Role::Vector));
    let is_vector = |column: &usize| input.vectors.indices().contains(column);
    let others = input.attributes.iter().enumerate().filter(|(_, column)| !is_vector(column));
    let guess = |place: usize| {
        let array = attributes.column(place);
        let mut evidence = Evidence::new(array.data_type());
        evidence.observe(array);
        evidence.role()
    };
    let others = others.map(|(place, &column)| {
        let asked = options.role_of(input.schema.field(column).name());
        (column, asked.unwrap_or_else(|| guess(place)))
    });
    let mut roles: Vec<(usize, Role)> = vector.chain(others).collect();
    roles.sort_by_key(|&(column, _)| column);
    roles.into_iter().map(|(column, role)| (input.schema.field(column).name().clone(), role)).collect()
}
