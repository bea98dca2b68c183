//! How an output was made, as it is stored inside it. No date and no output path: the same work gives the same bytes.

use crate::args::Backend;
use crate::error::CommandError;
use dataset::{LoadOptions, RECIPE_KEY, read_metadata};
use embedding::Settings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Everything that decides the contents of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Version of the program.
    pub nevis: String,
    /// The command: "embed", "neighbours", "hierarchy", or "view" for the window.
    pub command: String,
    /// The input as it was named.
    pub input: Vec<PathBuf>,
    /// BLAKE3 of the input, in hex.
    pub input_hash: String,
    /// How the input was read.
    pub load: LoadOptions,
    /// What the engine computed.
    pub settings: Settings,
    /// Columns that held the start, if any.
    #[serde(default)]
    pub init_columns: Vec<String>,
    /// Iterations run.
    pub iterations: u32,
    /// Iterations at the end in which the step fell to nothing.
    pub settle: u32,
    /// The area under R_NX of the result, over a sample of its rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auc: Option<f64>,
    /// Where the engine ran.
    pub backend: Backend,
    /// What the graphics adapter was chosen by, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Rows that were used.
    pub rows: usize,
    /// Values per vector of the input.
    pub input_dims: usize,
    /// The columns of the result.
    pub columns: Vec<String>,
    /// The map that the rows were placed into, if they make none of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<PlacedInto>,
}

/// The file of a map that other rows were placed into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedInto {
    /// The file as it was named.
    pub map: PathBuf,
    /// BLAKE3 of it, in hex.
    pub hash: String,
}

impl Recipe {
    /// The recipe inside a file, if there is one.
    pub fn find(path: &Path) -> Result<Option<Self>, CommandError> {
        let Some(json) = read_metadata(path, RECIPE_KEY)? else { return Ok(None) };
        let recipe = serde_json::from_str(&json);
        recipe.map(Some).map_err(|source| CommandError::BadRecipe { path: path.into(), source })
    }

    /// The recipe of the embedding inside a file.
    pub fn of_embedding(path: &Path) -> Result<Self, CommandError> {
        let recipe = Self::find(path)?.ok_or_else(|| CommandError::NoRecipe { path: path.into() })?;
        if recipe.command != "embed" {
            return Err(CommandError::OtherRecipe { path: path.into(), command: recipe.command });
        }
        Ok(recipe)
    }

    /// The recipe of the map inside a file, whether a command or the window made it.
    pub fn of_map(path: &Path) -> Result<Self, CommandError> {
        let recipe = Self::find(path)?.filter(|recipe| recipe.command == "embed" || recipe.command == "view");
        let recipe = recipe.ok_or_else(|| CommandError::NoRecipe { path: path.into() })?;
        match recipe.into {
            Some(PlacedInto { map, .. }) => Err(CommandError::NoMap { path: path.into(), map }),
            None => Ok(recipe),
        }
    }

    /// The entry for an output's metadata.
    pub fn metadata(&self) -> Result<[(String, String); 1], CommandError> {
        Ok([(RECIPE_KEY.to_owned(), serde_json::to_string(self)?)])
    }
}
