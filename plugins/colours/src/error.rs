//! Why a column cannot colour the points.

use dataset::Role;

/// Every message names the column, what it is, and the columns that would do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColourError {
    /// No column of that name was read.
    #[error("there is no column {column:?}; {}", can_be(.colourable))]
    NoSuchColumn {
        /// The name as asked for.
        column: String,
        /// The columns one can colour by.
        colourable: Vec<String>,
    },
    /// The column is something that has no colours.
    #[error("column {column:?} {}, which has no colours; {}", describe(*.role), can_be(.colourable))]
    NotColourable {
        /// The column.
        column: String,
        /// What it is used as.
        role: Role,
        /// The columns one can colour by.
        colourable: Vec<String>,
    },
    /// The column's type does not fit the role it was given.
    #[error("column {column:?} is to be {role}, but holds {found}, which cannot be read so; {}", can_be(.colourable))]
    WrongType {
        /// The column.
        column: String,
        /// The role it was given.
        role: Role,
        /// The Arrow type it has.
        found: String,
        /// The columns one can colour by.
        colourable: Vec<String>,
    },
}

fn describe(role: Role) -> &'static str {
    match role {
        Role::Vector => "is part of the vectors",
        Role::Text => "holds text that differs from row to row",
        Role::Image => "holds images",
        Role::Ignored => "is ignored (not a type the program can show)",
        Role::Categorical => "is categorical",
        Role::Continuous => "is continuous",
        Role::Color => "holds colours",
        Role::Timestamp => "holds times",
    }
}

fn can_be(colourable: &[String]) -> String {
    if colourable.is_empty() {
        return "this data has no column to colour by".to_owned();
    }
    format!("columns to colour by: {}", colourable.join(", "))
}
