//! Why there are no clusters.

/// Why clusters could not be found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClusterError {
    /// The work was no longer wanted.
    #[error("cancelled")]
    Cancelled,
    /// An option is out of its range.
    #[error("option `{option}` is {value}: it must be {allowed}")]
    Options {
        /// Name of the option.
        option: &'static str,
        /// What it was set to.
        value: f32,
        /// What would do.
        allowed: &'static str,
    },
    /// The positions are not a table of rows.
    #[error("{values} values are not {rows} rows of {stride} values of which {dims} are used")]
    Shape {
        /// Values given.
        values: usize,
        /// Rows they should make.
        rows: usize,
        /// Values of a row that are used.
        dims: usize,
        /// Values from one row to the next.
        stride: usize,
    },
}
