//! What the rows of a batch are for.

use std::fmt;
use std::str::FromStr;

/// The key of a schema's metadata that says what the rows are for.
pub const OPERATION_KEY: &str = "nevis.op";
/// The column that says it row by row.
pub const OPERATION_COLUMN: &str = "nevis_op";
/// The column that holds row numbers where no other column is the key.
pub const ROW_COLUMN: &str = "nevis_row";

/// What is done with rows that come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Operation {
    /// They join the table; one whose key is there already takes the place of that row.
    #[default]
    Append,
    /// They take the places of the rows with their keys; keys that nobody has are counted and left out.
    Replace,
    /// The rows with their keys depart; only the key column is read.
    Delete,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Append => "append",
            Self::Replace => "replace",
            Self::Delete => "delete",
        })
    }
}

impl FromStr for Operation {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "append" => Ok(Self::Append),
            "replace" => Ok(Self::Replace),
            "delete" => Ok(Self::Delete),
            other => Err(format!("{other:?} is neither append, replace nor delete")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_reads_what_it_prints() {
        for operation in [Operation::Append, Operation::Replace, Operation::Delete] {
            assert_eq!(operation.to_string().parse(), Ok(operation));
        }
        let message = "upsert".parse::<Operation>().expect_err("no such operation");
        assert_eq!(message, "\"upsert\" is neither append, replace nor delete");
    }
}
