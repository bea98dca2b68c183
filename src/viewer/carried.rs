//! The state that pictures, movies and tables of coordinates carry: enough to see the same again.

use super::session::{Saved, Session, SessionError, VERSION};
use crate::error::CommandError;
use crate::recipe::Recipe;
use colours::ColourSettings;
use controls::{Interface, Seeing};
use dataset::{AttributeColumns, LoadOptions, PcaChoice};
use embedding::Settings;
use inspect::ToolSettings;
use orbit_camera::{CameraSettings, Pose};
use points::PointSettings;
use selection::Rows;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `nevis render` and `nevis record` leave in their files.
#[derive(Debug, Deserialize)]
struct Made {
    nevis: String,
    input: Vec<PathBuf>,
    input_hash: String,
    load: LoadOptions,
    settings: Settings,
    colours: ColourSettings,
    #[serde(default)]
    pose: Pose,
    #[serde(default)]
    score: Option<String>,
    #[serde(default)]
    looks: PointSettings,
}

/// The state in a picture or movie, but for positions: the embedding begins anew from the same seed. None if the file is
/// neither.
///
/// # Errors
/// If it is one that carries no state, or one that cannot be read.
pub fn of_picture(path: &Path) -> Result<Option<Session>, CommandError> {
    if !path.is_file() {
        return Ok(None);
    }
    let text = match metadata(path) {
        Some(Some(text)) => text,
        Some(None) => return Err(SessionError::NoSession { path: path.into() }.into()),
        None => return Ok(None), // a table, or a session
    };
    let broken = |source| SessionError::Broken { path: path.into(), source };
    let value: serde_json::Value = serde_json::from_str(&text).map_err(broken)?;
    if value.get("version").is_some() {
        return Ok(Some(serde_json::from_value(value).map_err(broken)?));
    }
    let made: Made = serde_json::from_value(value).map_err(broken)?;
    Ok(Some(session(made)))
}

/// What a picture or movie says of itself; none if it is neither.
#[cfg(feature = "movie")]
fn metadata(path: &Path) -> Option<Option<String>> {
    movie::read_metadata(path, crate::input::SESSION_KEY).ok()
}

/// Reading them comes with making movies.
#[cfg(not(feature = "movie"))]
fn metadata(_: &Path) -> Option<Option<String>> {
    None
}

fn session(made: Made) -> Session {
    Session {
        version: VERSION,
        nevis: made.nevis,
        input: made.input,
        input_hash: made.input_hash,
        load: made.load,
        settings: made.settings,
        iteration: 0,
        paused: false,
        pose: made.pose,
        camera: CameraSettings::default(),
        colours: made.colours,
        looks: made.looks,
        interface: Interface::default(),
        tools: ToolSettings::default(),
        seeing: Seeing::default(),
        against: None,
        levels: Vec::new(),
        selections: Vec::new(),
        clusters: None,
        score: made.score,
        auc: None,
    }
}

/// The state in a table of coordinates: how they were made, and where the rows are. Colours are chosen anew.
///
/// # Errors
/// If it holds no recipe of a map, or its coordinates cannot be read.
pub fn of_table(path: &Path) -> Result<Saved, CommandError> {
    let recipe = Recipe::of_map(path)?;
    let options = LoadOptions {
        columns: recipe.columns.clone(),
        pca: PcaChoice::Off,
        attributes: AttributeColumns::None,
        ..LoadOptions::default()
    };
    let positions = dataset::load(&[path.to_path_buf()], &options, &|_| {})?.vectors;
    let made = Made {
        nevis: recipe.nevis,
        input: recipe.input,
        input_hash: recipe.input_hash,
        load: recipe.load,
        settings: recipe.settings,
        colours: ColourSettings::default(),
        pose: Pose::default(),
        score: None,
        looks: PointSettings::default(),
    };
    let session = Session { iteration: recipe.iterations, paused: true, ..session(made) };
    let selected = Arc::new(Rows::none(positions.rows()));
    Ok(Saved { session, positions, rows: None, levels: Vec::new(), selected, selections: Vec::new(), clusters: None })
}
