//! A search over the columns of a table; the crate's documentation describes its language.

mod clock;
mod error;
mod kind;
mod literal;
mod matching;
mod nearest;
mod needle;
mod parse;
mod span;
#[cfg(test)]
mod tests;
mod words;

pub use error::FilterError;

use crate::{Combine, Rows};
use dataset::arrow::array::{ArrayRef, RecordBatch};
use matching::matching;
use needle::Needle;

/// A search over the columns of a table, understood and checked against its columns.
///
/// Terms must all hold, except around `or`, where either side will do:
///
/// ```
/// use dataset::arrow::array::{ArrayRef, Int32Array, RecordBatch, StringArray};
/// use selection::Filter;
/// use std::sync::Arc;
///
/// let city: ArrayRef = Arc::new(StringArray::from(vec!["York", "New York", "Leeds"]));
/// let people: ArrayRef = Arc::new(Int32Array::from(vec![141, 8_258, 536]));
/// let table = RecordBatch::try_from_iter([("city", city), ("people", people)])?;
/// let filter = Filter::parse("york people>1000 or city=Leeds", &table)?;
/// assert_eq!(filter.rows(&table, &|row| row as u32).iter().collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// One of these must hold; of each, all clauses must.
    any: Vec<Vec<Clause>>,
}

/// A term, or its opposite.
#[derive(Debug, Clone, PartialEq)]
struct Clause {
    negated: bool,
    term: Term,
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    /// One of these columns passes its test.
    Columns(Vec<ColumnTest>),
    /// The row's number in its file lies in a span.
    RowNumber(WholeTest),
}

/// A column and what its value must be.
#[derive(Debug, Clone, PartialEq)]
struct ColumnTest {
    index: usize,
    name: String,
    test: Test,
}

/// What a value must be. All but `Missing` hold for no value that is missing.
#[derive(Debug, Clone, PartialEq)]
enum Test {
    Missing,
    Present,
    Contains(Needle),
    Is(String),
    IsNot(String),
    Truth(bool),
    /// Whole numbers, and times counted in the unit of their column.
    Whole(WholeTest),
    Real(span::Within<f64>),
}

type WholeTest = span::Within<i128>;

impl Filter {
    /// Searches that show the language, each with what it finds, for a help text. The columns are only examples.
    pub const EXAMPLES: [(&'static str, &'static str); 14] = [
        ("wool", "any column contains the word (numbers: is exactly it)"),
        ("\"New York\"", "quotes keep spaces together"),
        ("city:york", "the column contains the text, in either case"),
        ("city=York", "is exactly that"),
        ("city!=York", "has another value"),
        ("age>=30", "also <, <= and >; dates as 2024-03-15"),
        ("age:20..30", "a range with both ends; 20.. and ..30 are open"),
        ("city=", "the value is missing"),
        ("city!=", "the value is not missing"),
        ("row:10..20", "row numbers in the file"),
        ("wool age>30", "both hold"),
        ("wool or silk", "either holds"),
        ("-wool", "does not hold; also: not wool"),
        ("\"my column\">3", "names with spaces in quotes"),
    ];

    /// Understands a search over the columns of a table.
    ///
    /// # Errors
    /// If the text is empty or unfinished, names a column that is not there, or compares a column with something it
    /// cannot hold. The message says what would help.
    pub fn parse(text: &str, table: &RecordBatch) -> Result<Self, FilterError> {
        parse::parse(text, table).map(|any| Self { any })
    }

    /// The rows of the table that the search finds. `row_numbers` gives the number in the file of a row of the table.
    ///
    /// The table may be another one than the search was parsed for; a column that it does not have, or has with other
    /// kinds of values, then matches nothing.
    #[must_use]
    pub fn rows(&self, table: &RecordBatch, row_numbers: &dyn Fn(usize) -> u32) -> Rows {
        let len = table.num_rows();
        let mut found = Rows::none(len);
        for all in &self.any {
            let mut rows = Rows::all(len);
            for clause in all {
                let how = if clause.negated { Combine::Subtract } else { Combine::Intersect };
                rows = rows.combined(&clause.term.rows(table, row_numbers), how);
            }
            found = found.combined(&rows, Combine::Add);
        }
        found
    }
}

impl Term {
    fn rows(&self, table: &RecordBatch, row_numbers: &dyn Fn(usize) -> u32) -> Rows {
        let len = table.num_rows();
        match self {
            Self::Columns(tests) => {
                let columns = tests.iter().filter_map(|test| Some((test.column(table)?, &test.test)));
                columns.fold(Rows::none(len), |rows, (array, test)| rows.combined(&matching(array, test), Combine::Add))
            }
            Self::RowNumber(test) => {
                let holds = |&row: &usize| test.holds(i128::from(row_numbers(row)));
                Rows::from_rows(len, (0..len).filter(holds).map(|row| row as u32))
            }
        }
    }
}

impl ColumnTest {
    /// The column: where it was, else wherever its name now is.
    fn column<'a>(&self, table: &'a RecordBatch) -> Option<&'a ArrayRef> {
        let schema = table.schema_ref();
        let in_place = schema.fields().get(self.index).is_some_and(|field| *field.name() == self.name);
        if in_place { table.columns().get(self.index) } else { table.column_by_name(&self.name) }
    }
}
