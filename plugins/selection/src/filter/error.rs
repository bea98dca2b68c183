//! Why a search cannot be understood.

/// The message names at most so many columns.
const MAX_LISTED: usize = 12;

/// Every message says what is wrong, where, and what would help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// There is nothing to search for.
    #[error("the search is empty: type a word, or column:word, or column>number")]
    Empty,
    /// A quote without its end.
    #[error("the quote before {text:?} is not finished: add a \" at its end")]
    OpenQuote {
        /// What follows the quote.
        text: String,
    },
    /// `or`, `and` or `not` without its terms.
    #[error(
        "`{word}` stands alone: it needs a term {}; to find the word itself, put it in quotes: \"{word}\"",
        sides(.word)
    )]
    Dangling {
        /// The word.
        word: &'static str,
    },
    /// No such column.
    #[error(
        "there is no column {column:?}; {}; to find text with `{operator}` in it, put it in quotes",
        listed(.columns)
    )]
    UnknownColumn {
        /// The name as typed.
        column: String,
        /// What follows it.
        operator: &'static str,
        /// The columns there are, the most similar name first.
        columns: Vec<String>,
    },
    /// An operator without a column.
    #[error(
        "no column stands before `{operator}`: write age{operator}30, without spaces; \
         to find the text itself, put it in quotes"
    )]
    NoColumn {
        /// The operator.
        operator: &'static str,
    },
    /// An operator without a value.
    #[error(
        "no value stands after `{operator}` of column `{column}`: write {column}{operator}…, without spaces; \
         {column}= finds missing values"
    )]
    NoValue {
        /// The column as it must be typed: in quotes if need be.
        column: String,
        /// The operator.
        operator: &'static str,
    },
    /// Not a number where one is needed.
    #[error(
        "column `{column}` holds {found}, but {word:?} is not a number; write {column}=3, {column}>3 or {column}:1..5"
    )]
    NotANumber {
        /// The column as it must be typed: in quotes if need be.
        column: String,
        /// What it holds, with its Arrow type.
        found: String,
        /// The word that should be a number.
        word: String,
    },
    /// Not a time where one is needed.
    #[error("column `{column}` holds {found}, but {word:?} is no such time; write it as {example}")]
    NotATime {
        /// The column as it must be typed: in quotes if need be.
        column: String,
        /// What it holds, with its Arrow type.
        found: String,
        /// The word that should be a time.
        word: String,
        /// Times as they would be understood.
        example: &'static str,
    },
    /// Neither yes nor no.
    #[error("column `{column}` holds {found}, but {word:?} is neither: write {column}=yes or {column}=no")]
    NotYesOrNo {
        /// The column as it must be typed: in quotes if need be.
        column: String,
        /// What it holds, with its Arrow type.
        found: String,
        /// The word that should be yes or no.
        word: String,
    },
    /// An order of values that have none.
    #[error(
        "column `{column}` holds {found}, which `{operator}` cannot compare; \
         `<`, `<=`, `>` and `>=` are for numbers and times: write {column}:{word} or {column}={word}"
    )]
    NotOrdered {
        /// The column as it must be typed: in quotes if need be.
        column: String,
        /// What it holds, with its Arrow type.
        found: String,
        /// The operator.
        operator: &'static str,
        /// The value.
        word: String,
    },
    /// A range from more to less.
    #[error("the range {word:?} of column `{column}` is empty: write the smaller end first")]
    Backwards {
        /// The column as it must be typed: in quotes if need be.
        column: String,
        /// The range.
        word: String,
    },
    /// Lists, images and the like.
    #[error(
        "column `{column}` holds {found}, which cannot be searched; \
         only {column}= and {column}!= (is it missing or not) are possible"
    )]
    NotSearchable {
        /// The column as it must be typed: in quotes if need be.
        column: String,
        /// What it holds, with its Arrow type.
        found: String,
    },
    /// A word by itself in a table without words.
    #[error(
        "no column holds text or whole numbers to find {word:?} in; name a column, as in age>3; {}",
        listed(.columns)
    )]
    NoTextColumn {
        /// The word.
        word: String,
        /// The columns there are.
        columns: Vec<String>,
    },
}

fn sides(word: &str) -> &'static str {
    if word == "not" { "after it" } else { "before and after it" }
}

fn listed(columns: &[String]) -> String {
    if columns.is_empty() {
        return "the table has no columns".to_owned();
    }
    let shown = columns.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = columns.len().saturating_sub(MAX_LISTED);
    if more == 0 { format!("columns: {shown}") } else { format!("columns: {shown} and {more} more") }
}
