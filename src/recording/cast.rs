//! What cues name: columns, searches, selections. All of it is looked up before the first frame.

use crate::error::CommandError;
use colours::{Categories, ColourBy, Values};
use dataset::Dataset;
use score::{Act, Cue, Score};
use selection::{Filter, Rows};
use std::fmt;
use std::sync::Arc;

/// Data, and selections by their names.
#[derive(Debug, Clone, Copy)]
pub struct Cast<'a> {
    pub data: &'a Dataset,
    pub selections: &'a [(String, Arc<Rows>)],
}

impl<'a> Cast<'a> {
    /// That all which a score names is there.
    ///
    /// # Errors
    /// If something is not; with the line that names it.
    pub fn check(&self, score: &Score) -> Result<(), CommandError> {
        for cue in &score.cues {
            match &cue.act {
                Act::ColorBy(text) => {
                    let Ok(by) = text.parse();
                    self.values(Some(cue), &by)?;
                }
                Act::Labels(Some(column)) => _ = self.names(Some(cue), column)?,
                Act::Select(text) => _ = self.found(cue, text)?,
                Act::SelectNamed(name) => _ = self.named(cue, name)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The values of the column that is coloured by, if it is one.
    pub fn values(&self, cue: Option<&Cue>, by: &ColourBy) -> Result<Option<Values>, CommandError> {
        match by {
            ColourBy::Column(name) => Values::of_column(self.data, name).map(Some).map_err(|error| at(cue, error)),
            _ => Ok(None),
        }
    }

    /// The names that a column has, and each row's.
    pub fn names(&self, cue: Option<&Cue>, column: &str) -> Result<Categories, CommandError> {
        match Values::of_column(self.data, column).map_err(|error| at(cue, error))? {
            Values::Categories(categories) => Ok(categories),
            _ => Err(at(cue, format!("the column {column:?} has no names to be labels; choose a categorical one"))),
        }
    }

    /// The rows that a search finds.
    pub fn found(&self, cue: &Cue, text: &str) -> Result<Rows, CommandError> {
        let data = self.data;
        if text.trim().is_empty() {
            return Ok(Rows::none(data.row_numbers.len()));
        }
        let filter = Filter::parse(text, &data.attributes).map_err(|error| at(Some(cue), error))?;
        Ok(filter.rows(&data.attributes, &|row| data.row_numbers.file_row(row)))
    }

    /// The rows of a selection with a name.
    pub fn named(&self, cue: &Cue, name: &str) -> Result<&'a Rows, CommandError> {
        let found = self.selections.iter().find(|(known, _)| known == name);
        found.map(|(_, rows)| rows.as_ref()).ok_or_else(|| {
            let names: Vec<String> = self.selections.iter().map(|(name, _)| format!("{name:?}")).collect();
            let there = match names.is_empty() {
                true => "only sessions have selections with names, and only those that were given one".to_owned(),
                false => format!("there are {}", names.join(", ")),
            };
            at(Some(cue), format!("there is no selection {name:?}; {there}"))
        })
    }
}

/// What is wrong, and the line that it is about.
fn at(cue: Option<&Cue>, why: impl fmt::Display) -> CommandError {
    CommandError::Score(match cue.map(|cue| cue.line).filter(|line| *line > 0) {
        Some(line) => format!("line {line} of the score: {why}"),
        None => why.to_string(),
    })
}
