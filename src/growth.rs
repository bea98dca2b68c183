//! Hierarchies on their way out, of the command and of the window alike: which file, which classes, which columns.

use crate::args::Backend;
use crate::error::CommandError;
use crate::recipe::Recipe;
use crate::table::Table;
use colours::{Categories, ColourBy, NO_CATEGORY, Values, default_colouring};
use dataset::arrow::array::{Int32Array, UInt32Array};
use dataset::arrow::compute::take_record_batch;
use dataset::arrow::datatypes::Schema;
use dataset::write::{check_output, check_place, write_table, write_text};
use dataset::{Dataset, DatasetError, LoadOptions};
use embedding::Settings;
use hierarchy::{Classes, Extras, Hierarchy, HierarchyOptions, Layout, to_graphml, to_json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Dimensions of the embedding that is clustered, unless told otherwise: more than can be seen, so that clusters can
/// pass each other, and few enough to be dense.
pub const DIMS: usize = 4;

/// Key of the options in a table's metadata.
const OPTIONS_KEY: &str = "nevis.hierarchy";

/// What a file holds, by its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The graph.
    Json,
    /// The graph, for other programs.
    Graphml,
    /// The rows and their nodes.
    Table,
}

impl Kind {
    /// What this path is to hold; an error if it says nothing, or nothing can be written there.
    pub fn of(path: &Path) -> Result<Self, CommandError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let kind = match ending.as_deref() {
            Some("json") => Self::Json,
            Some("graphml") => Self::Graphml,
            _ => Self::Table,
        };
        match kind {
            Self::Table => match check_output(path, &Schema::empty()) {
                Err(DatasetError::UnknownOutput { path }) => Err(CommandError::HierarchyEnding { path }),
                result => Ok(result?),
            },
            _ => Ok(check_place(path)?),
        }?;
        Ok(kind)
    }
}

/// A hierarchy and what is told beside it.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    pub hierarchy: &'a Hierarchy,
    pub options: &'a HierarchyOptions,
    pub classes: Option<&'a Classes>,
    /// Whether nodes list their rows.
    pub members: bool,
    /// The table.
    pub data: &'a Dataset,
    /// The rows of the table that the hierarchy is of; none are all of them.
    pub part: Option<&'a [u32]>,
}

impl Outgoing<'_> {
    /// Writes it, whole or not at all; says what was written.
    pub fn write(&self, path: &Path, recipe: Recipe) -> Result<String, CommandError> {
        let layout = Layout::new(self.hierarchy);
        let extras = Extras { classes: self.classes, layout: Some(&layout), members: self.members };
        let nodes = crate::text::counted(self.hierarchy.nodes().len(), "node");
        match Kind::of(path)? {
            Kind::Json => write_text(path, &to_json(self.hierarchy, &extras)?)?,
            Kind::Graphml => write_text(path, &to_graphml(self.hierarchy, &extras)?)?,
            Kind::Table => return self.write_table(path, recipe),
        }
        Ok(format!("{nodes} and {}", crate::text::counted(self.hierarchy.edges().len(), "edge")))
    }

    fn write_table(&self, path: &Path, mut recipe: Recipe) -> Result<String, CommandError> {
        let data = self.data;
        let mut table = match self.part {
            None => Table::beside(&data.attributes),
            Some(rows) => Table::beside(&take_record_batch(&data.attributes, &UInt32Array::from(rows.to_vec()))?),
        };
        match self.part {
            None => table.push_row_numbers(data),
            Some(rows) => {
                let name = table.free_names(&["row"]).remove(0);
                let numbers = rows.iter().map(|&row| data.row_numbers.file_row(row as usize));
                table.push(name, Arc::new(UInt32Array::from_iter_values(numbers)));
            }
        }
        let wanted: Vec<String> = (0..self.hierarchy.levels().len()).map(|level| format!("level_{level}")).collect();
        let names = table.free_names(&wanted.iter().map(String::as_str).collect::<Vec<_>>());
        for (level, name) in names.iter().enumerate() {
            table.push(name, Arc::new(column(self.hierarchy, level)));
        }
        recipe.columns = names.clone();
        let [entry] = recipe.metadata()?;
        let options = (OPTIONS_KEY.to_owned(), serde_json::to_string(self.options)?);
        write_table(path, &table.finish()?, &[entry, options])?;
        Ok(names.join(", "))
    }
}

/// How a hierarchy of all rows was made.
pub fn recipe(
    (input, data, load): (Vec<PathBuf>, &Dataset, LoadOptions),
    (settings, options): (&Settings, &HierarchyOptions),
    (backend, adapter): (Backend, Option<String>),
) -> Recipe {
    Recipe {
        nevis: env!("CARGO_PKG_VERSION").to_owned(),
        command: "hierarchy".to_owned(),
        input,
        input_hash: data.source.hash.clone(),
        load,
        settings: settings.clone(),
        init_columns: Vec::new(),
        iterations: options.iterations(),
        settle: options.settle_iterations,
        auc: None,
        backend,
        adapter,
        rows: data.row_numbers.len(),
        input_dims: data.source.input_dims,
        columns: Vec::new(), // as the table has them
        into: None,
    }
}

/// The node of each row at a level; none for noise.
pub fn column(hierarchy: &Hierarchy, level: usize) -> Int32Array {
    let node = |row: u32| hierarchy.node_of(row, level).and_then(|node| i32::try_from(node).ok());
    (0..hierarchy.rows() as u32).map(node).collect()
}

/// The column that tells classes, as colours would be chosen by themselves; none if there is no such column.
pub fn guessed_label(data: &Dataset) -> Option<String> {
    let ColourBy::Column(column) = default_colouring(data).by else { return None };
    matches!(Values::of_column(data, &column), Ok(Values::Categories(_))).then_some(column)
}

/// The classes that a column tells, of some rows of the table or of all of them.
pub fn classes(categories: &Categories, part: Option<&[u32]>) -> Result<Classes, CommandError> {
    let class = |row: usize| categories.codes.get(row).copied().filter(|&code| code != NO_CATEGORY);
    let of_row = match part {
        None => (0..categories.codes.len()).map(class).collect(),
        Some(rows) => rows.iter().map(|&row| class(row as usize)).collect(),
    };
    Ok(Classes::new(of_row, categories.names.clone())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_say_what_a_file_holds() {
        let dir = std::env::temp_dir();
        for (name, kind) in [
            ("a.json", Kind::Json),
            ("a.GraphML", Kind::Graphml),
            ("a.parquet", Kind::Table),
            ("a.arrow", Kind::Table),
            ("a.csv", Kind::Table),
        ] {
            assert_eq!(Kind::of(&dir.join(name)).expect("an ending that is known"), kind);
        }
        for name in ["a.xml", "a", "json"] {
            let error = Kind::of(&dir.join(name)).expect_err("an ending that says nothing").to_string();
            assert!(error.contains(name) && error.contains(".graphml"), "{error}");
        }
    }
}
