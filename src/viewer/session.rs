//! A session in a file: everything that makes the window look as it does, and the positions.
//!
//! The file is a Parquet table of the positions, one row for each row of the data, with the rest as JSON in its
//! metadata. So it is written as every other output (whole or not at all), and pandas can read it.

use crate::error::CommandError;
use crate::input::{DEMO, Input};
use crate::table::{Table, lists};
use colours::ColourSettings;
use controls::Interface;
use dataset::{AttributeColumns, LoadOptions, PcaChoice, read_metadata, write_table};
use embedding::Settings;
use orbit_camera::{CameraSettings, Pose};
use points::PointSettings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use vectors::Vectors;

/// Key of the session in the file's metadata.
pub const SESSION_KEY: &str = "nevis.session";
/// The version that is written; others are refused.
pub const VERSION: u32 = 1;
/// The column of the positions.
const POSITIONS: &str = "position";

/// Everything but the positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Version of this format.
    pub version: u32,
    /// Version of the program.
    pub nevis: String,
    /// The data, as absolute paths.
    pub input: Vec<PathBuf>,
    /// BLAKE3 of the data, in hex.
    pub input_hash: String,
    /// How the data was read.
    pub load: LoadOptions,
    /// The embedding's settings.
    pub settings: Settings,
    /// Iterations done.
    pub iteration: u32,
    /// Iterations ran only when asked for.
    pub paused: bool,
    /// Where it was seen from.
    pub pose: Pose,
    /// How the camera behaved.
    pub camera: CameraSettings,
    /// The colours.
    pub colours: ColourSettings,
    /// The looks.
    pub looks: PointSettings,
    /// The interface.
    pub interface: Interface,
    /// The last quality that was measured, R_NX AUC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auc: Option<f64>,
}

/// A session together with its positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    pub session: Session,
    /// One row for each row of the data.
    pub positions: Vectors,
}

/// Why a session cannot be taken up.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("{path:?} holds no session of nevis")]
    NoSession { path: PathBuf },
    #[error("the session in {path:?} cannot be read: {source}")]
    Broken { path: PathBuf, source: serde_json::Error },
    #[error("the session in {path:?} has version {found}, this program reads version {VERSION}; use a newer nevis")]
    Version { path: PathBuf, found: u64 },
    #[error("the data of the session, {input:?}, is not there; put it back, or beside the session")]
    NoData { input: PathBuf },
    #[error(
        "{input} is not the data of the session in {path:?}: its hash begins with {found}, the session's with {expected}; \
         find the old file, or open the new one by itself"
    )]
    OtherData { path: PathBuf, input: String, expected: String, found: String },
}

impl Saved {
    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), CommandError> {
        let (rows, dims) = (self.positions.rows(), self.positions.dims());
        let mut values = Vec::with_capacity(rows * dims);
        (0..rows).for_each(|row| values.extend_from_slice(self.positions.row(row)));
        let mut table = Table::of_rows(rows);
        table.push(POSITIONS, lists(values, dims)?.remove(0));
        let metadata = [(SESSION_KEY.to_owned(), serde_json::to_string(&self.session)?)];
        Ok(write_table(path, &table.finish()?, &metadata)?)
    }

    /// Reads it.
    pub fn read(path: &Path) -> Result<Self, CommandError> {
        let Some(json) = read_metadata(path, SESSION_KEY)? else {
            return Err(SessionError::NoSession { path: path.into() }.into());
        };
        let broken = |source| SessionError::Broken { path: path.into(), source };
        let value: serde_json::Value = serde_json::from_str(&json).map_err(broken)?;
        let version = value.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if version != u64::from(VERSION) {
            return Err(SessionError::Version { path: path.into(), found: version }.into());
        }
        let session: Session = serde_json::from_value(value).map_err(broken)?;
        let options = LoadOptions {
            vector: Some(POSITIONS.to_owned()),
            pca: PcaChoice::Off,
            attributes: AttributeColumns::None,
            ..LoadOptions::default()
        };
        let positions = dataset::load(&[path.to_path_buf()], &options, &|_| {})?.vectors;
        Ok(Self { session, positions })
    }
}

impl Session {
    /// The data of a session that was read from a file: where it was, or beside the session.
    pub fn data(&self, session: &Path) -> Result<Input, SessionError> {
        let mut paths = Vec::new();
        for path in &self.input {
            let beside = session.parent().zip(path.file_name()).map(|(folder, name)| folder.join(name));
            let found = [Some(path.clone()), beside].into_iter().flatten().find(|path| path.exists());
            match found {
                Some(found) => paths.push(found),
                None if path == Path::new(DEMO) => paths.push(path.clone()),
                None => return Err(SessionError::NoData { input: path.clone() }),
            }
        }
        Ok(Input::of(&paths))
    }
}

/// The paths of an input, so that they mean the same from anywhere.
pub fn absolute(input: &Input) -> Vec<PathBuf> {
    let whole = |path: PathBuf| if path == Path::new(DEMO) { path } else { std::path::absolute(&path).unwrap_or(path) };
    input.paths().into_iter().map(whole).collect()
}

/// True if the file holds a session, whatever it is called.
pub fn is_session(path: &Path) -> bool {
    path.is_file() && matches!(read_metadata(path, SESSION_KEY), Ok(Some(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved() -> Saved {
        let session = Session {
            version: VERSION,
            nevis: "0".into(),
            input: vec![DEMO.into()],
            input_hash: "abc".into(),
            load: LoadOptions::default(),
            settings: Settings { alpha: 0.3, ..Settings::default() },
            iteration: 77,
            paused: true,
            pose: Pose { yaw: 0.1, pitch: -0.2, distance: 3.0, focus: [0.1, 0.2, 0.3] },
            camera: CameraSettings { turntable: true, ..CameraSettings::default() },
            colours: ColourSettings::default(),
            looks: PointSettings::default(),
            interface: Interface::default(),
            auc: Some(0.5),
        };
        Saved { session, positions: Vectors::from_rows(&[1.5, -2.25, 3.0e-7, 4.0, 5.0, 1.0e9], 3) }
    }

    #[test]
    fn a_session_comes_back_to_the_bit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.nevis");
        saved().write(&path).expect("written");
        assert_eq!(Saved::read(&path).expect("read"), saved());
        assert!(is_session(&path));
    }

    #[test]
    fn what_is_no_session_says_so_and_another_version_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.nevis");
        let mut later = saved();
        later.session.version = 99;
        later.write(&path).expect("written");
        let error = Saved::read(&path).expect_err("another version").to_string();
        assert!(error.contains("version 99") && error.contains("newer nevis"), "{error}");
        let mut table = Table::of_rows(1);
        table.push("position", lists(vec![1.0, 2.0], 2).expect("a list").remove(0));
        write_table(&path, &table.finish().expect("a table"), &[]).expect("written");
        assert!(Saved::read(&path).expect_err("a plain table").to_string().contains("no session"));
        assert!(!is_session(&path) && !is_session(&folder.path().join("missing")));
    }

    #[test]
    fn data_is_found_where_it_was_or_beside_the_session() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("d.csv"), "a,b\n").expect("written");
        let mut session = saved().session;
        session.input = vec!["/no/such/place/d.csv".into()];
        let found = session.data(&folder.path().join("s.nevis")).expect("beside it");
        assert_eq!(found.paths(), [folder.path().join("d.csv")]);
        session.input = vec!["/no/such/place/e.csv".into()];
        let error = session.data(&folder.path().join("s.nevis")).expect_err("nowhere").to_string();
        assert!(error.contains("e.csv") && error.contains("beside"), "{error}");
    }
}
