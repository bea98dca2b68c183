//! What is in a file, without keeping it: one pass over the vectors.

use crate::fill::{Target, fill};
use crate::parts::{self, Part};
use crate::role::Evidence;
use crate::scan::{Counter, Input, Piece, Report, Visit, places, rows_of};
use crate::{DatasetError, Format, LoadOptions, Role};
use arrow::error::ArrowError;
use bytes::Bytes;
use rayon::prelude::*;
use serde::Serialize;
use std::path::PathBuf;

/// Hashes that are kept to find duplicates; beyond this many rows only a share of them is.
const MAX_HASHES: usize = 1 << 23;

/// What `nevis info` tells about an input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Info {
    /// The files, in order.
    pub paths: Vec<PathBuf>,
    /// Their format (that of the first).
    pub format: Format,
    /// Their size together.
    pub bytes: u64,
    /// Rows in the files.
    pub file_rows: usize,
    /// Rows that limit and sample leave: those that were looked at.
    pub rows: usize,
    /// Every column, in the file's order.
    pub columns: Vec<ColumnInfo>,
    /// The columns that hold the vectors.
    pub vector_columns: Vec<String>,
    /// Values per vector.
    pub dims: usize,
    /// Dimensions (places in the vector, from 0) that have the same value in every row.
    pub constant_dims: Vec<usize>,
    /// Rows whose vector also belongs to an earlier row.
    pub duplicates: Duplicates,
    /// Rows whose vector cannot be used (null, NaN, infinity, another length).
    pub bad_rows: usize,
    /// The message for the first of them.
    pub first_bad_row: Option<String>,
    /// What was chosen among several possibilities.
    pub notes: Vec<String>,
}

/// One column of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnInfo {
    /// Its name.
    pub name: String,
    /// Its Arrow type.
    pub data_type: String,
    /// What it is used as.
    pub role: Role,
}

/// How many rows repeat an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Duplicates {
    /// Their number, or its estimate.
    pub rows: usize,
    /// Whether every row was compared. If not, a share of the distinct vectors was followed and scaled up.
    pub exact: bool,
}

/// Describes files without loading them: footers, then one pass over the vectors that keeps a hash per row.
///
/// # Errors
/// As [`load`](crate::load), except that bad rows are counted instead.
pub fn inspect(paths: &[PathBuf], options: &LoadOptions, progress: Report<'_>) -> Result<Info, DatasetError> {
    inspect_parts(parts::resolve(paths)?, options, progress)
}

/// Describes a file that is already in memory; `name` stands for its path.
///
/// # Errors
/// As [`inspect`].
pub fn inspect_bytes(
    name: &str,
    bytes: Bytes,
    options: &LoadOptions,
    progress: Report<'_>,
) -> Result<Info, DatasetError> {
    inspect_parts(vec![Part::in_memory(name, bytes)?], options, progress)
}

fn inspect_parts(parts: Vec<Part>, options: &LoadOptions, progress: Report<'_>) -> Result<Info, DatasetError> {
    let input = Input::open(parts.clone(), options, progress)?;
    let rows = input.wanted.len();
    // Keeping the hashes that end in so many zeros keeps all copies of a vector or none.
    let skipped_bits = rows.div_ceil(MAX_HASHES).next_power_of_two().trailing_zeros();
    let counter = Counter::new(rows, progress);
    let pieces = input.pieces();
    let survey = |piece| Survey::of_piece(&input, piece, skipped_bits, &counter);
    let surveys: Vec<Result<Survey, DatasetError>> = pieces.par_iter().map(survey).collect();
    let mut survey = Survey::new(&input);
    for piece in surveys {
        survey.merge(piece?);
    }
    let constant = |&dim: &usize| survey.lowest[dim] == survey.highest[dim];
    Ok(Info {
        format: parts[0].format,
        bytes: parts.iter().map(Part::size).sum::<Result<u64, _>>()?,
        paths: parts.into_iter().map(|part| part.path).collect(),
        file_rows: input.file_rows,
        rows,
        columns: columns(&input, &survey, options),
        vector_columns: input.vector_names(),
        dims: input.dims,
        constant_dims: (0..input.dims).filter(constant).collect(),
        bad_rows: survey.bad_rows,
        first_bad_row: survey.first_bad_row.take(),
        duplicates: count_duplicates(survey.hashes, skipped_bits),
        notes: input.notes,
    })
}

/// What one pass over some rows found.
struct Survey {
    lowest: Vec<f32>,
    highest: Vec<f32>,
    hashes: Vec<u64>,
    /// One per attribute column whose role its type does not decide.
    evidence: Vec<(usize, Evidence)>,
    bad_rows: usize,
    first_bad_row: Option<String>,
}

impl Survey {
    fn new(input: &Input) -> Self {
        let undecided = input.attributes.iter().filter_map(|&column| {
            let data_type = input.schema.field(column).data_type();
            Role::of_type(data_type).is_none().then(|| (column, Evidence::new(data_type)))
        });
        Self {
            lowest: vec![f32::INFINITY; input.dims],
            highest: vec![f32::NEG_INFINITY; input.dims],
            hashes: Vec::new(),
            evidence: undecided.collect(),
            bad_rows: 0,
            first_bad_row: None,
        }
    }

    fn of_piece(input: &Input, piece: &Piece, skipped_bits: u32, counter: &Counter<'_>) -> Result<Self, DatasetError> {
        let mut survey = Self::new(input);
        let attributes: Vec<usize> = survey.evidence.iter().map(|(column, _)| *column).collect();
        let projection = input.projection(&attributes);
        let vector_places = places(input.vectors.indices(), &projection);
        let evidence_places = places(&attributes, &projection);
        let (dims, mut scratch) = (input.dims, Vec::new());
        input.walk(piece, &projection, |visit| {
            let Visit { batch, positions, first_row } = visit;
            scratch.resize(positions.len() * dims, 0.0);
            let mut target = Target { rows: &mut scratch, dims, stride: dims };
            let faults = fill(&input.vectors, &vector_places, &batch, &positions, &mut target).map_err(unfit)?;
            if let Some((&slot, &(column, fault))) = faults.first_key_value() {
                let row = first_row + positions[slot] as usize;
                survey.first_bad_row.get_or_insert_with(|| input.bad_row(row, column, fault).to_string());
            }
            survey.bad_rows += faults.len();
            for (_, row) in scratch.chunks_exact(dims).enumerate().filter(|(slot, _)| !faults.contains_key(slot)) {
                survey.observe(row, skipped_bits);
            }
            counter.add(positions.len());
            let attributes = rows_of(&batch, &evidence_places, positions).map_err(unfit)?;
            for ((_, evidence), column) in survey.evidence.iter_mut().zip(attributes.columns()) {
                evidence.observe(column);
            }
            Ok(())
        })?;
        Ok(survey)
    }

    fn observe(&mut self, row: &[f32], skipped_bits: u32) {
        for ((lowest, highest), &value) in self.lowest.iter_mut().zip(&mut self.highest).zip(row) {
            *lowest = lowest.min(value);
            *highest = highest.max(value);
        }
        let hash = hash_row(row);
        if hash.trailing_zeros() >= skipped_bits {
            self.hashes.push(hash);
        }
    }

    fn merge(&mut self, other: Self) {
        self.lowest.iter_mut().zip(other.lowest).for_each(|(a, b)| *a = a.min(b));
        self.highest.iter_mut().zip(other.highest).for_each(|(a, b)| *a = a.max(b));
        self.hashes.extend(other.hashes);
        self.bad_rows += other.bad_rows;
        self.first_bad_row = self.first_bad_row.take().or(other.first_bad_row);
        for ((_, mine), (_, theirs)) in self.evidence.iter_mut().zip(other.evidence) {
            mine.merge(theirs);
        }
    }
}

/// Rows that repeat an earlier one, from the hashes that were kept.
fn count_duplicates(mut hashes: Vec<u64>, skipped_bits: u32) -> Duplicates {
    let all = hashes.len();
    hashes.par_sort_unstable();
    hashes.dedup();
    Duplicates { rows: (all - hashes.len()) << skipped_bits, exact: skipped_bits == 0 }
}

fn unfit(error: ArrowError) -> DatasetError {
    DatasetError::Attributes { reason: error.to_string() }
}

/// 64 bits of a row; minus zero counts as zero.
fn hash_row(row: &[f32]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for &value in row {
        let bits = u64::from((value + 0.0).to_bits());
        hash = (hash ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
    // Mix once more, so that the low bits, by which rows are chosen, depend on all values.
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ (hash >> 32)
}

fn columns(input: &Input, survey: &Survey, options: &LoadOptions) -> Vec<ColumnInfo> {
    let guess = |column: usize| {
        if input.vectors.indices().contains(&column) {
            return Role::Vector;
        }
        let field = input.schema.field(column);
        let seen = survey.evidence.iter().find(|(seen, _)| *seen == column).map(|(_, evidence)| evidence.role());
        let asked = options.role_of(field.name());
        asked.or(seen).or_else(|| Role::of_type(field.data_type())).unwrap_or(Role::Ignored)
    };
    let fields = input.schema.fields().iter().enumerate();
    let describe = |(column, field): (usize, &arrow::datatypes::FieldRef)| ColumnInfo {
        name: field.name().clone(),
        data_type: field.data_type().to_string(),
        role: guess(column),
    };
    fields.map(describe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_hashes_estimates_all_duplicates() {
        // 40 000 rows, each vector three times: 80 000 of 120 000 rows repeat an earlier one.
        let hashes = |skipped_bits: u32| -> Vec<u64> {
            let rows = (0..120_000).map(|i| [(i % 40_000) as f32, ((i % 40_000) / 7) as f32, 0.5]);
            rows.map(|row| hash_row(&row)).filter(|hash| hash.trailing_zeros() >= skipped_bits).collect()
        };
        assert_eq!(count_duplicates(hashes(0), 0), Duplicates { rows: 80_000, exact: true });
        let estimate = count_duplicates(hashes(4), 4);
        assert!(!estimate.exact && (72_000..88_000).contains(&estimate.rows), "{estimate:?}");
    }

    #[test]
    fn zero_and_minus_zero_are_the_same_vector() {
        assert_eq!(hash_row(&[0.0, 1.0]), hash_row(&[-0.0, 1.0]));
        assert_ne!(hash_row(&[0.0, 1.0]), hash_row(&[1.0, 0.0]));
    }
}
