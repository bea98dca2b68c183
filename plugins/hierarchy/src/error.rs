//! Why there is no hierarchy.

use clusters::ClusterError;

/// Why levels do not make a hierarchy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum HierarchyError {
    /// The work was no longer wanted.
    #[error("cancelled")]
    Cancelled,
    /// An option is out of its range.
    #[error("option `{option}` is {value}: it must be {allowed}")]
    Options {
        /// Name of the option.
        option: &'static str,
        /// What it was set to.
        value: f64,
        /// What would do.
        allowed: &'static str,
    },
    /// There is nothing to build from.
    #[error("a hierarchy needs at least one level of at least one row")]
    Empty,
    /// Levels that are not of the same rows.
    #[error("level {level} has {found} rows, but the first has {rows}: all levels must be of the same rows")]
    Rows {
        /// The first such level.
        level: usize,
        /// Its rows.
        found: usize,
        /// Rows of the first level.
        rows: usize,
    },
    /// Classes that are not one for each row.
    #[error("there are classes for {found} rows, but the hierarchy has {rows}")]
    ClassRows {
        /// Rows with classes.
        found: usize,
        /// Rows of the hierarchy.
        rows: usize,
    },
    /// A class without a name.
    #[error("row {row} is of class {class}, but only {names} have names")]
    ClassName {
        /// The first such row.
        row: usize,
        /// Its class.
        class: u32,
        /// Names there are.
        names: usize,
    },
    /// A layout of another hierarchy.
    #[error("the layout has {found} places, but the hierarchy has {nodes} nodes")]
    LayoutNodes {
        /// Places there are.
        found: usize,
        /// Nodes of the hierarchy.
        nodes: usize,
    },
    /// A snapshot could not be clustered.
    #[error(transparent)]
    Clusters(ClusterError),
}

impl From<ClusterError> for HierarchyError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Cancelled => Self::Cancelled,
            other => Self::Clusters(other),
        }
    }
}

/// Why a hierarchy did not grow to its end.
#[derive(Debug, thiserror::Error)]
pub enum GrowError<E> {
    /// The embedding failed.
    #[error(transparent)]
    Embed(E),
    /// Everything else.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
}

/// Why a hierarchy could not be put into words.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// What was to be written beside it is not of it.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// JSON could not be made.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// XML could not be made.
    #[error(transparent)]
    Xml(#[from] std::io::Error),
}
