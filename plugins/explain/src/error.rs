//! Why two groups could not be compared.

/// What is wrong with the groups, or that nobody waits any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    /// There is nothing to describe.
    #[error("group {group} has no rows: select some")]
    Empty {
        /// "A" or "B".
        group: &'static str,
    },
    /// A row cannot tell a group from another if it is in both.
    #[error("{count} rows are in both groups, the first of them row {first}: groups must not share rows")]
    Shared {
        /// The first such row.
        first: u32,
        /// How many there are.
        count: usize,
    },
    /// Rows must be given in order, each once.
    #[error("row {row} of group {group} is not greater than the one before it: rows must ascend")]
    NotAscending {
        /// "A" or "B".
        group: &'static str,
        /// The first row out of order.
        row: u32,
    },
    /// A row lies beyond the table.
    #[error("group {group} has row {row}, but the table has {rows} rows")]
    NoSuchRow {
        /// "A" or "B".
        group: &'static str,
        /// The greatest row of the group.
        row: u32,
        /// Rows of the table.
        rows: usize,
    },
    /// The work was ended from outside.
    #[error("the comparison was cancelled")]
    Cancelled,
}
