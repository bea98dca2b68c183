//! A map in a file that other rows are to be placed into: its rows, where they are, and the data behind them.

use super::short_hash;
use crate::console::Console;
use crate::coordinates;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::recipe::{PlacedInto, Recipe};
use dataset::{AttributeColumns, Dataset, DatasetError, LoadOptions, PcaChoice, Reader};
use embedding::Settings;
use std::path::Path;
use vectors::Vectors;

pub struct Map {
    pub recipe: Recipe,
    /// The file and its hash.
    pub source: PlacedInto,
    /// The data of its rows, as it was embedded; without attributes.
    pub data: Dataset,
    /// Where its rows are.
    pub coordinates: Vectors,
    /// What the user should know of how the data was read.
    pub notes: Vec<String>,
}

impl Map {
    /// Reads map and data; an error if the data is not there, or not what it was when the map was made.
    pub fn open(path: &Path, console: Console) -> Result<Self, CommandError> {
        let recipe = Recipe::of_map(path)?;
        let picture = Input::Files(vec![path.to_path_buf()]);
        let picture = coordinates::read(&picture, &[], Some(&recipe), AttributeColumns::None, console)?;
        let input =
            Input::found(&recipe.input, path).map_err(|input| CommandError::MapDataGone { map: path.into(), input })?;
        let load = LoadOptions {
            attributes: AttributeColumns::None,
            roles: Default::default(), // nothing is shown, so nothing needs a role
            ..recipe.load.clone()
        };
        let data = input.load(&load, console)?;
        if data.source.hash != recipe.input_hash {
            let (expected, found) = (short_hash(&recipe.input_hash), short_hash(&data.source.hash));
            return Err(CommandError::MapDataChanged { map: path.into(), input: input.to_string(), expected, found });
        }
        let (found, rows) = (picture.vectors.rows(), data.vectors.rows());
        if found != rows {
            return Err(CommandError::MapRows { map: path.into(), input: input.to_string(), found, rows });
        }
        let source = PlacedInto { map: path.into(), hash: picture.source.hash };
        Ok(Self { source, coordinates: picture.vectors, notes: loading_notes(&data), data, recipe })
    }

    /// The settings that it was made with, in the dimensions that it has.
    pub fn settings(&self, stiffness: f32) -> Settings {
        Settings { dims: self.coordinates.dims(), stiffness, ..self.recipe.settings.clone() }
    }

    /// How rows are read that shall be placed into it: by the columns that its own vectors come from.
    pub fn load_options(&self, wanted: &LoadOptions) -> LoadOptions {
        let columns = self.data.source.vector_columns.clone();
        LoadOptions { vector: None, columns, standardize: false, pca: PcaChoice::Off, ..wanted.clone() }
    }

    /// Reads such rows, and treats their vectors as its own were treated.
    pub fn read(&self, input: &Input, load: &LoadOptions, console: Console) -> Result<Dataset, CommandError> {
        let foreign = |source| self.foreign(input, source);
        let mut data = input.try_load(load, console).map_err(foreign)?;
        let (found, expected) = (data.source.input_dims, self.data.source.input_dims);
        if found != expected {
            let column = data.source.vector_columns.join(", ");
            return Err(foreign(DatasetError::ForeignLength { column, found, expected }));
        }
        data.vectors = Reader::of(&self.data).treat(std::mem::take(&mut data.vectors));
        let finite = |row: &usize| data.vectors.row(*row).iter().all(|value| value.is_finite());
        match (0..data.vectors.rows()).find(|row| !finite(row)) {
            Some(row) => Err(CommandError::OffTheMap { input: input.to_string(), row: data.row_numbers.file_row(row) }),
            None => Ok(data),
        }
    }

    /// Says that rows are of another kind than those of the map, where that is what is wrong with them.
    fn foreign(&self, input: &Input, source: DatasetError) -> CommandError {
        use DatasetError as E;
        match source {
            E::MissingColumn { .. } | E::NotNumeric { .. } | E::ForeignLength { .. } => {
                let (input, map) = (input.to_string(), self.source.map.clone());
                CommandError::Foreign { input, map, source: Box::new(source) }
            }
            source => CommandError::in_input(input, source),
        }
    }
}
