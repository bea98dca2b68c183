//! What can be wrong with the data, settings and rows that an engine is given.

use crate::settings::SettingsError;

/// Why an engine cannot be made or changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There is nothing to arrange.
    #[error("an embedding needs at least two rows, the data has {rows}")]
    TooFewRows {
        /// Rows there are.
        rows: usize,
    },
    /// Neighbour lists name points with 30 bits.
    #[error("the data has {rows} rows, an embedding takes at most {most}; use --sample")]
    TooManyRows {
        /// Rows there are.
        rows: usize,
        /// Rows that fit.
        most: usize,
    },
    /// Start coordinates that are not one row per row of the data.
    #[error("the start has {start} rows, the data {rows}")]
    StartRows {
        /// Rows of the start.
        start: usize,
        /// Rows of the data.
        rows: usize,
    },
    /// Start coordinates that are no coordinates.
    #[error("the start is not finite at row {row}")]
    StartNotFinite {
        /// First such row.
        row: usize,
    },
    /// A row that is to leave or to change is not there.
    #[error("row {row} is not there")]
    NotLiving {
        /// The row.
        row: u32,
    },
    /// A row that is to come is there.
    #[error("row {row} is there already")]
    LivesAlready {
        /// The row.
        row: u32,
    },
    /// A row is named twice in one change.
    #[error("row {row} is named twice")]
    NamedTwice {
        /// The row.
        row: u32,
    },
    /// Row numbers go on where they end.
    #[error("row {row} cannot come before row {next}")]
    Gap {
        /// The row.
        row: u32,
        /// The next free number at the end.
        next: u32,
    },
    /// Vectors that do not fit rows or data.
    #[error("there are {vectors} vectors of {of} values for {rows} rows of {dims}")]
    Vectors {
        /// Rows that come or change.
        rows: usize,
        /// Vectors given for them.
        vectors: usize,
        /// Values of one of those.
        of: usize,
        /// Values of a row of the data.
        dims: usize,
    },
    /// A vector that is none.
    #[error("the vector of row {row} is not finite")]
    VectorNotFinite {
        /// The row.
        row: u32,
    },
}
