//! What the words of a search mean for the columns of a table.

use super::kind::Kind;
use super::nearest::nearest_first;
use super::span::{Span, Steps, Within};
use super::words::{Operator, Typed, Word, words};
use super::{Clause, ColumnTest, FilterError, Needle, Term, Test, WholeTest};
use super::{clock, literal};
use dataset::arrow::array::RecordBatch;
use dataset::arrow::datatypes::{DataType, Field, Schema};

/// What stands for the numbers of rows in their file, unless a column has that name.
const ROW: &str = "row";
/// Row numbers are described as this type, which they have.
const ROW_TYPE: DataType = DataType::UInt32;

/// Understands a search: clauses that must all hold, in groups of which one must.
pub(super) fn parse(text: &str, table: &RecordBatch) -> Result<Vec<Vec<Clause>>, FilterError> {
    let schema = table.schema_ref();
    let (mut groups, mut group) = (Vec::new(), Vec::new());
    let mut negated = false;
    let mut waiting = None; // for a term, since this word
    for word in words(text)? {
        let connective = match word {
            Word::Or => "or",
            Word::And => "and",
            Word::Not => {
                negated = !negated;
                waiting = Some("not");
                continue;
            }
            Word::Term { negated: by_sign, typed } => {
                group.push(Clause { negated: negated != by_sign, term: term(typed, schema)? });
                (negated, waiting) = (false, None);
                continue;
            }
        };
        if waiting.is_some() || group.is_empty() {
            return Err(FilterError::Dangling { word: waiting.unwrap_or(connective) });
        }
        if connective == "or" {
            groups.push(std::mem::take(&mut group));
        }
        waiting = Some(connective);
    }
    if let Some(word) = waiting {
        return Err(FilterError::Dangling { word });
    }
    if group.is_empty() {
        return Err(FilterError::Empty);
    }
    groups.push(group);
    Ok(groups)
}

fn term(typed: Typed, schema: &Schema) -> Result<Term, FilterError> {
    let (column, operator, value) = match typed {
        Typed::Bare(word) => return anywhere(&word, schema),
        Typed::Compared { column, operator, value } => (column, operator, value),
    };
    if column.is_empty() {
        return Err(FilterError::NoColumn { operator: operator.text() });
    }
    let Some((index, field)) = find(&column, schema) else {
        if column.eq_ignore_ascii_case(ROW) {
            return row_number(operator, value.as_deref());
        }
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let columns = nearest_first(&column, &names);
        return Err(FilterError::UnknownColumn { column, operator: operator.text(), columns });
    };
    let asked = Asked { column: field.name(), data_type: values_type(field.data_type()), operator };
    let test = asked.test(value.as_deref())?;
    Ok(Term::Columns(vec![ColumnTest { index, name: field.name().clone(), test }]))
}

/// The column of a name: exactly that one, else one that differs only in case.
fn find<'a>(name: &str, schema: &'a Schema) -> Option<(usize, &'a Field)> {
    let exact = schema.column_with_name(name);
    exact.or_else(|| {
        let lower = name.to_lowercase();
        let place = schema.fields().iter().position(|field| field.name().to_lowercase() == lower)?;
        Some((place, schema.field(place)))
    })
}

/// The type of the values themselves.
fn values_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => values_type(values),
        other => other,
    }
}

/// A word by itself: in any column of text, or all of a whole number or a truth value.
fn anywhere(word: &str, schema: &Schema) -> Result<Term, FilterError> {
    if word.is_empty() {
        return Err(FilterError::Empty); // quotes around nothing
    }
    // As numbers are written: 007 is another text than 7.
    let number = word.parse::<i128>().ok().filter(|number| number.to_string() == word);
    let truth = match word.to_ascii_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    };
    let mut searchable = false;
    let mut tests = Vec::new();
    for (index, field) in schema.fields().iter().enumerate() {
        let test = match Kind::of(field.data_type()) {
            Kind::Text => Some(Test::Contains(Needle::new(word))),
            Kind::Whole => number.map(|number| Test::Whole(Within { low: number, high: number, not: false })),
            Kind::Truth => truth.map(Test::Truth),
            Kind::Real | Kind::Time(_) | Kind::TimeOfDay(_) | Kind::Duration(_) | Kind::Other => continue,
        };
        searchable = true;
        tests.extend(test.map(|test| ColumnTest { index, name: field.name().clone(), test }));
    }
    if !searchable {
        let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
        return Err(FilterError::NoTextColumn { word: word.to_owned(), columns });
    }
    Ok(Term::Columns(tests))
}

fn row_number(operator: Operator, value: Option<&str>) -> Result<Term, FilterError> {
    let asked = Asked { column: ROW, data_type: &ROW_TYPE, operator };
    let every = Within { low: i128::LEAST, high: i128::GREATEST, not: false };
    match asked.test(value)? {
        Test::Whole(test) => Ok(Term::RowNumber(test)),
        Test::Missing => Ok(Term::RowNumber(WholeTest { not: true, ..every })), // every row has a number
        _ => Ok(Term::RowNumber(every)),
    }
}

/// A column and an operator, to which a value is still to come.
struct Asked<'a> {
    column: &'a str,
    /// Of the values, where they are in a dictionary.
    data_type: &'a DataType,
    operator: Operator,
}

impl Asked<'_> {
    fn test(&self, value: Option<&str>) -> Result<Test, FilterError> {
        let Some(word) = value else {
            return match self.operator {
                Operator::Is => Ok(Test::Missing),
                Operator::IsNot => Ok(Test::Present),
                _ => Err(FilterError::NoValue { column: self.column(), operator: self.operator.text() }),
            };
        };
        match Kind::of(self.data_type) {
            Kind::Text => match self.operator {
                Operator::Has => Ok(Test::Contains(Needle::new(word))),
                Operator::Is => Ok(Test::Is(word.to_owned())),
                Operator::IsNot => Ok(Test::IsNot(word.to_owned())),
                _ => Err(self.not_ordered(word)),
            },
            Kind::Truth => match self.operator {
                Operator::Has | Operator::Is => self.truth(word).map(Test::Truth),
                Operator::IsNot => self.truth(word).map(|truth| Test::Truth(!truth)),
                _ => Err(self.not_ordered(word)),
            },
            Kind::Whole => {
                self.within(word, |word| literal::whole(word).ok_or_else(|| self.not_a_number(word))).map(Test::Whole)
            }
            Kind::Real => {
                let read = |word: &str| literal::real_of(word, self.data_type).ok_or_else(|| self.not_a_number(word));
                self.within(word, read).map(Test::Real)
            }
            Kind::Duration(per_sec) => {
                let read = |word: &str| literal::secs(word, per_sec).ok_or_else(|| self.not_a_number(word));
                self.within(word, read).map(Test::Whole)
            }
            Kind::Time(unit) => {
                let example = "2024, 2024-03, 2024-03-15 or 2024-03-15T10:30";
                let read = |word: &str| clock::date(word, unit).ok_or_else(|| self.not_a_time(word, example));
                self.within(word, read).map(Test::Whole)
            }
            Kind::TimeOfDay(unit) => {
                let example = "10:30 or 10:30:15";
                let read = |word: &str| clock::time_of_day(word, unit).ok_or_else(|| self.not_a_time(word, example));
                self.within(word, read).map(Test::Whole)
            }
            Kind::Other => Err(FilterError::NotSearchable { column: self.column(), found: self.found() }),
        }
    }

    /// What a comparison with a value, or a range of them, allows.
    fn within<T: Steps>(
        &self,
        word: &str,
        read: impl Fn(&str) -> Result<Span<T>, FilterError>,
    ) -> Result<Within<T>, FilterError> {
        let ends = word.split_once("..").filter(|_| self.operator == Operator::Has);
        let Some((from, to)) = ends else {
            return Ok(Within::compared(self.operator, read(word)?));
        };
        let end = |word: &str| if word.is_empty() { Ok(None) } else { read(word).map(Some) };
        let (from, to) = (end(from)?, end(to)?);
        // Compared by the far sides, since a span between two values of the column begins after its end.
        if let (Some(from), Some(to)) = (from, to)
            && from.first > to.first
            && from.last > to.last
        {
            return Err(FilterError::Backwards { column: self.column(), word: word.to_owned() });
        }
        Ok(Within::range(from, to))
    }

    fn truth(&self, word: &str) -> Result<bool, FilterError> {
        match word.to_ascii_lowercase().as_str() {
            "yes" | "true" | "1" => Ok(true),
            "no" | "false" | "0" => Ok(false),
            _ => Err(FilterError::NotYesOrNo { column: self.column(), found: self.found(), word: word.to_owned() }),
        }
    }

    /// The column as it must be typed.
    fn column(&self) -> String {
        let plain = |letter: char| !letter.is_whitespace() && !":=<>!\"".contains(letter);
        if self.column.chars().all(plain) && !self.column.starts_with('-') {
            return self.column.to_owned();
        }
        format!("\"{}\"", self.column.replace('\\', r"\\").replace('"', "\\\""))
    }

    fn found(&self) -> String {
        Kind::describe(self.data_type)
    }

    fn not_ordered(&self, word: &str) -> FilterError {
        let (column, found, operator) = (self.column(), self.found(), self.operator.text());
        FilterError::NotOrdered { column, found, operator, word: word.to_owned() }
    }

    fn not_a_number(&self, word: &str) -> FilterError {
        FilterError::NotANumber { column: self.column(), found: self.found(), word: word.to_owned() }
    }

    fn not_a_time(&self, word: &str, example: &'static str) -> FilterError {
        FilterError::NotATime { column: self.column(), found: self.found(), word: word.to_owned(), example }
    }
}
