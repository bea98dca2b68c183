//! Which settings an embedding gets. Some of their defaults follow the number of rows, so they are not settled before
//! the data is read.

use crate::args::EngineArgs;
use crate::error::CommandError;
use crate::plan;
use embedding::Settings;
#[cfg(feature = "window")]
use embedding::SettingsError;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Dimensions that can be drawn, in words.
#[cfg(feature = "window")]
const DRAWN_DIMS: &str = "1 to 64 in a window, picture or movie; nevis embed takes more";

/// Says whether an embedding of so many dimensions can be drawn.
#[cfg(feature = "window")]
pub fn check_drawn(dims: usize) -> Result<(), SettingsError> {
    if dims > points::MAX_DIMS {
        return Err(SettingsError { name: "dims", value: dims as f64, range: DRAWN_DIMS });
    }
    Ok(())
}

/// What was said about the settings.
#[derive(Debug, Clone)]
pub enum SettingsChoice {
    /// Exactly these, as a recipe has them.
    Exact(Settings),
    /// The defaults for the data, with a file and then flags laid over them.
    Over { file: Option<SettingsFile>, flags: EngineArgs, iterations: Option<u32> },
}

/// Some settings, as JSON.
#[derive(Debug, Clone)]
pub struct SettingsFile {
    path: PathBuf,
    fields: Map<String, Value>,
}

impl SettingsChoice {
    /// The settings for data of so many rows.
    pub fn for_rows(&self, rows: usize) -> Result<Settings, CommandError> {
        let (file, flags, iterations) = match self {
            Self::Exact(settings) => return Ok(settings.clone()),
            Self::Over { file, flags, iterations } => (file, flags, iterations),
        };
        let mut base = Settings::for_rows(rows);
        if let Some(iterations) = *iterations {
            plan::shorten_early_phase(&mut base, iterations);
        }
        if let Some(file) = file {
            base = file.over(&base)?;
        }
        let settings = flags.over(base);
        settings.validate()?;
        Ok(settings)
    }
}

impl SettingsFile {
    pub fn read(path: &Path) -> Result<Self, CommandError> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| CommandError::SettingsFile { path: path.into(), source })?;
        let fields = serde_json::from_str(&text);
        let fields = fields.map_err(|source| CommandError::BadSettings { path: path.into(), source })?;
        Ok(Self { path: path.into(), fields })
    }

    /// Whether it says something about a setting.
    pub fn names(&self, setting: &str) -> bool {
        self.fields.contains_key(setting)
    }

    fn over(&self, base: &Settings) -> Result<Settings, CommandError> {
        let mut settings = serde_json::to_value(base)?;
        if let Value::Object(fields) = &mut settings {
            fields.extend(self.fields.clone());
        }
        let settings = serde_json::from_value(settings);
        settings.map_err(|source| CommandError::BadSettings { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_lie_over_the_file_and_the_file_over_the_defaults_for_the_rows() {
        let fields = [("alpha".to_owned(), 0.5.into()), ("momentum".to_owned(), 0.25.into())].into_iter().collect();
        let file = Some(SettingsFile { path: "s.json".into(), fields });
        let flags = EngineArgs { momentum: Some(0.75), ..EngineArgs::default() };
        let choice = SettingsChoice::Over { file, flags, iterations: None };
        for rows in [100, 1_000_000] {
            let expected = Settings { alpha: 0.5, momentum: 0.75, ..Settings::for_rows(rows) };
            assert_eq!(choice.for_rows(rows).expect("all in range"), expected);
        }
    }

    #[test]
    fn a_short_run_has_a_short_early_phase_unless_it_is_asked_for() {
        let early = |flags: EngineArgs| {
            let choice = SettingsChoice::Over { file: None, flags, iterations: Some(9) };
            choice.for_rows(100).expect("all in range").early_iterations
        };
        assert_eq!(early(EngineArgs::default()), 3);
        assert_eq!(early(EngineArgs { early_iterations: Some(8), ..EngineArgs::default() }), 8);
    }
}
