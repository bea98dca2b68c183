//! What can be wrong with an input or an output.

use std::path::PathBuf;

/// Every message names the file, the column and the row it is about, and what would help.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// Nothing was given to read.
    #[error("no input given: name a Parquet, Arrow or CSV file, or a directory of them")]
    NoInput,
    /// A path leads nowhere.
    #[error("{path:?} does not exist")]
    FileMissing {
        /// The path as given.
        path: PathBuf,
    },
    /// The system refuses to read.
    #[error("{path:?} cannot be read: {source}")]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A directory without parts.
    #[error("directory {path:?} holds no .parquet, .arrow, .feather, .ipc, .arrows, .csv or .tsv file")]
    EmptyDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// Not a format we read.
    #[error("{path:?} is not a supported file: {guess}; supported are Parquet, Arrow IPC (Feather 2) and CSV")]
    NotSupported {
        /// The file.
        path: PathBuf,
        /// What its first bytes look like.
        guess: String,
    },
    /// The format is known, the contents are broken.
    #[error("{path:?} is truncated or damaged ({format}): {reason}")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The format its signature promises.
        format: crate::Format,
        /// What the reader says.
        reason: String,
    },
    /// There is nothing in it.
    #[error("{path:?} has no rows")]
    NoRows {
        /// The file, or the first of several.
        path: PathBuf,
    },
    /// Limit or sample of nothing.
    #[error("none of the {rows} rows are wanted: --limit and --sample must be at least 1")]
    NothingWanted {
        /// Rows in the files.
        rows: usize,
    },
    /// Parts do not fit together.
    #[error("{first:?} and {other:?} must have the same columns, but column {column:?} {difference}")]
    SchemaDiffers {
        /// The first part.
        first: PathBuf,
        /// The part that differs from it.
        other: PathBuf,
        /// The first column that differs.
        column: String,
        /// How it differs.
        difference: String,
    },
    /// Nothing that could be a vector.
    #[error("no numeric columns to make vectors of; there are: {columns}")]
    NoNumericColumns {
        /// Every column with its type.
        columns: String,
    },
    /// A named column is not there.
    #[error("no column {column:?}; there are: {candidates}")]
    MissingColumn {
        /// The name that was asked for.
        column: String,
        /// The columns that could be meant.
        candidates: String,
    },
    /// A named column cannot be part of a vector.
    #[error("column {column:?} holds {found}, but vectors must be numbers; numeric columns: {numeric}")]
    NotNumeric {
        /// The column.
        column: String,
        /// Its type.
        found: String,
        /// The columns that would do.
        numeric: String,
    },
    /// `--vector` and `--columns` together.
    #[error("--vector {vector:?} and --columns exclude each other: give one of them")]
    TwoChoices {
        /// The list column that was asked for.
        vector: String,
    },
    /// Lists of no values.
    #[error("column {column:?} holds empty lists: a vector needs at least one value")]
    NoDimensions {
        /// The column.
        column: String,
    },
    /// A vector that cannot be used.
    #[error("column {column:?} {fault} at row {row} (counting from 0); --on-bad-rows drop leaves such rows out")]
    BadRow {
        /// The column.
        column: String,
        /// The row's number in the file, over all parts.
        row: usize,
        /// What is wrong.
        fault: Fault,
    },
    /// Nothing is left.
    #[error("all {rows} rows have a null, NaN, infinity or another length in {columns}: nothing is left")]
    AllRowsBad {
        /// How many rows were looked at.
        rows: usize,
        /// The vector columns.
        columns: String,
    },
    /// More rows than row numbers.
    #[error("{rows} rows are more than the {max} that can be numbered; --limit N or --sample N takes fewer", max = u32::MAX)]
    TooManyRows {
        /// Rows in the files.
        rows: usize,
    },
    /// The matrix does not fit.
    #[error("{rows} rows of {dims} values do not fit into memory; --limit N or --sample N takes fewer")]
    TooLarge {
        /// Rows wanted.
        rows: usize,
        /// Values per row.
        dims: usize,
    },
    /// Attributes of all parts do not fit into one table.
    #[error("the attribute columns cannot be joined into one table: {reason}")]
    Attributes {
        /// What Arrow says.
        reason: String,
    },
    /// Further rows lack a column.
    #[error("the rows have no column {column:?} ({expected}), which the table has; they have: {columns}")]
    AbsentColumn {
        /// The column.
        column: String,
        /// Its type in the table.
        expected: String,
        /// The columns that came.
        columns: String,
    },
    /// Further rows have a column of another type.
    #[error("column {column:?} holds {found}, but {expected} in the table; send it as {expected}")]
    ForeignType {
        /// The column.
        column: String,
        /// The type that came.
        found: String,
        /// The type in the table.
        expected: String,
    },
    /// Further rows have vectors of another length.
    #[error(
        "column {column:?} holds vectors of {found} values, but of {expected} in the table; send vectors of the same kind"
    )]
    ForeignLength {
        /// The column.
        column: String,
        /// The length that came.
        found: usize,
        /// The length in the table.
        expected: usize,
    },
    /// A value does not fit the type of the table.
    #[error("column {column:?} holds {found}, and not every value of it fits {expected} as in the table: {reason}")]
    DoesNotFit {
        /// The column.
        column: String,
        /// The type that came.
        found: String,
        /// The type in the table.
        expected: String,
        /// What Arrow says.
        reason: String,
    },
    /// The output's name says no format.
    #[error("{path:?}: the ending decides the format; use .parquet, .arrow, .feather, .ipc or .csv")]
    UnknownOutput {
        /// The path as given.
        path: PathBuf,
    },
    /// CSV cells cannot hold lists.
    #[error("{path:?}: column {column:?} holds {found}, which a CSV file cannot; write to a .parquet or .arrow file")]
    NestedInCsv {
        /// The output.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type.
        found: String,
    },
    /// The output would replace what is read.
    #[error("{path:?} is also read here, and would be lost: choose another name for the output")]
    OverInput {
        /// The output as given.
        path: PathBuf,
    },
    /// Writing failed.
    #[error("{path:?} cannot be written: {reason}")]
    Unwritable {
        /// The output.
        path: PathBuf,
        /// What the system or the writer says.
        reason: String,
    },
}

/// What is wrong with one vector.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The whole vector, or a plain column's value, is missing.
    #[error("is null")]
    Null,
    /// A value within a list is missing.
    #[error("has a null as value {at} of its list")]
    NullValue {
        /// Position in the list, from 0.
        at: usize,
    },
    /// NaN, an infinity, or a number beyond what `f32` holds.
    #[error("is not finite ({value})")]
    NotFinite {
        /// The value as `f32`.
        value: f32,
    },
    /// A list unlike the others.
    #[error("has a list of {found} values where the others have {expected}")]
    Length {
        /// Values in this list.
        found: usize,
        /// Values in the first lists of the file.
        expected: usize,
    },
}
