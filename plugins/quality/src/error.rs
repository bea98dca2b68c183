//! What can be wrong with the two spaces and the options, and the checks for it.

use vectors::Space;

/// Why quality could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QualityError {
    /// The spaces do not hold the same points.
    #[error("the data has {hd} rows and the embedding {ld}: they must be the same rows in the same order")]
    RowCounts {
        /// Rows of the data.
        hd: usize,
        /// Rows of the embedding.
        ld: usize,
    },
    /// A neighbourhood needs at least one neighbour and one other point.
    #[error("{rows} rows are too few to compare neighbourhoods: at least 3 are needed")]
    TooFewRows {
        /// Rows of both spaces.
        rows: usize,
    },
    /// There is not one label for each row.
    #[error("there are {labels} labels for {rows} rows: each row needs one")]
    Labels {
        /// Number of labels.
        labels: usize,
        /// Rows of the representation.
        rows: usize,
    },
    /// Where all rows are alike there is nothing to tell apart.
    #[error("labels must be of at least 2 classes, to be told apart, and these are of {classes}")]
    TooFewClasses {
        /// Number of classes.
        classes: usize,
    },
    /// No row could be classified by others of its class.
    #[error("all {classes} classes are of a single row, and cannot be tested: labels are values that rows share")]
    NoClassOfTwo {
        /// Number of classes.
        classes: usize,
    },
    /// Cross-validation learns from the other folds.
    #[error("option `folds` is 1: cross-validation needs at least 2")]
    OneFold,
    /// An option that counts something is zero.
    #[error("option `{option}` is 0: it must be at least 1")]
    ZeroOption {
        /// Name of the option.
        option: &'static str,
    },
    /// NaN or infinity has no distance to anything.
    #[error("row {row} of the {space} is not finite: distances to it have no order")]
    NotFinite {
        /// "data", "embedding" or "representation".
        space: &'static str,
        /// The first such row.
        row: usize,
    },
}

/// Fails unless both spaces hold the same three or more finite rows.
pub(crate) fn check_spaces(hd: &Space, ld: &Space) -> Result<(), QualityError> {
    if hd.rows() != ld.rows() {
        return Err(QualityError::RowCounts { hd: hd.rows(), ld: ld.rows() });
    }
    if hd.rows() < 3 {
        return Err(QualityError::TooFewRows { rows: hd.rows() });
    }
    check_finite(hd, "data")?;
    check_finite(ld, "embedding")
}

/// Fails where a value has no distance to others.
pub(crate) fn check_finite(space: &Space, name: &'static str) -> Result<(), QualityError> {
    let vectors = space.vectors();
    match vectors.padded().iter().position(|value| !value.is_finite()) {
        Some(position) => Err(QualityError::NotFinite { space: name, row: position / vectors.stride() }),
        None => Ok(()),
    }
}

/// Fails where a counting option is zero.
pub(crate) fn check_positive(options: &[(&'static str, usize)]) -> Result<(), QualityError> {
    match options.iter().find(|(_, value)| *value == 0) {
        Some(&(option, _)) => Err(QualityError::ZeroOption { option }),
        None => Ok(()),
    }
}
