//! The coordinates of an embedding that is already in a file.

use crate::console::Console;
use crate::error::CommandError;
use crate::input::Input;
use crate::recipe::Recipe;
use crate::table::{AXES, LIST, PREFIX, Table, coordinate_columns, lists};
use dataset::{AttributeColumns, Dataset, LoadOptions, PcaChoice};
use vectors::Vectors;

/// Reads the coordinates: the columns asked for, those of the recipe, or those that are named like coordinates.
pub fn read(
    embedding: &Input,
    asked: &[String],
    recipe: Option<&Recipe>,
    attributes: AttributeColumns,
    console: Console,
) -> Result<Dataset, CommandError> {
    let mut options = LoadOptions { pca: PcaChoice::Off, attributes, ..LoadOptions::default() };
    options.columns = match (asked, recipe) {
        ([_, ..], _) => asked.to_vec(),
        ([], Some(recipe)) => recipe.columns.clone(),
        ([], None) => {
            let info = embedding.inspect(&options, console)?;
            let names: Vec<&str> = info.columns.iter().map(|column| column.name.as_str()).collect();
            named_like_coordinates(&names)
        }
    };
    // Not as data: the positions of a session can be read as well as those of any other table.
    embedding.try_load(&options, console).map_err(|error| CommandError::in_input(embedding, error))
}

/// All columns of a table whose coordinates were read: its attributes, and the coordinates under their own names.
pub fn table(picture: &Dataset, positions: &Vectors) -> Result<Table, CommandError> {
    let mut table = Table::beside(&picture.attributes);
    let names = &picture.source.vector_columns;
    if names.iter().all(|name| picture.attributes.column_by_name(name).is_none()) {
        let dims = positions.dims();
        let values: Vec<f32> = (0..positions.rows()).flat_map(|row| positions.row(row).iter().copied()).collect();
        let columns =
            if names.len() == 1 && dims > 1 { lists(values, dims)? } else { coordinate_columns(values, dims)? };
        columns.into_iter().zip(names).for_each(|(column, name)| table.push(name, column));
    }
    Ok(table)
}

/// The columns that `nevis embed` would have written; empty leaves the guess to the loader.
fn named_like_coordinates(names: &[&str]) -> Vec<String> {
    for prefix in [PREFIX, ""] {
        let axes = AXES.map(|axis| format!("{prefix}{axis}"));
        let found: Vec<String> = axes.into_iter().take_while(|axis| names.contains(&axis.as_str())).collect();
        // A lone x is as likely a list of anything; two make a plane.
        if found.len() >= 2 {
            return found;
        }
        let list = format!("{prefix}{LIST}");
        if names.contains(&list.as_str()) {
            return vec![list];
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_names_come_first() {
        assert_eq!(named_like_coordinates(&["label", "x", "y"]), ["x", "y"]);
        assert_eq!(named_like_coordinates(&["x", "y", "z", "nevis_x", "nevis_y"]), ["nevis_x", "nevis_y"]);
        assert_eq!(named_like_coordinates(&["embedding", "id"]), ["embedding"]);
        assert!(named_like_coordinates(&["x", "tsne1", "tsne2"]).is_empty());
    }
}
