//! A session in a file: everything that makes the window look as it does, and the positions.
//!
//! The file is a Parquet table, one row for each row of the data, with the rest as JSON in its metadata. So it is written
//! as every other output (whole or not at all), and pandas can read it. Its columns:
//!
//! - `position`: where each row is in the map of the whole table;
//! - `position 1`, `position 2` …: where it is in the maps of selections that were dived into; null where it is not;
//! - `selected`, `selected above 0` … in the maps above, and `selection NAME` for each selection with a name: whether the
//!   row is in it;
//! - `cluster`: the clusters that were found.

use super::insight::Level;
use crate::error::CommandError;
use crate::input::{DEMO, Input, SESSION_KEY};
use crate::table::{Table, lists};
use colours::ColourSettings;
use controls::{Interface, Seeing};
use dataset::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, FixedSizeListArray, Float32Array, RecordBatch};
use dataset::arrow::datatypes::{DataType, Field, Float32Type};
use dataset::{AttributeColumns, LoadOptions, PcaChoice, read_metadata, write_table};
use embedding::Settings;
use inspect::ToolSettings;
use orbit_camera::{CameraSettings, Pose};
use points::PointSettings;
use selection::Rows;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vectors::Vectors;

/// The version that is written. The first had neither selections nor dives; later ones are refused.
pub const VERSION: u32 = 2;
/// The column of the positions; with a number behind it, of a map that was dived into.
const POSITIONS: &str = "position";
/// The column of what is selected; with a name behind it, of a selection with a name.
const SELECTED: &str = "selected";
const SELECTION: &str = "selection ";

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
    /// How rows are selected.
    #[serde(default)]
    pub tools: ToolSettings,
    /// How more than three dimensions are seen.
    #[serde(default)]
    pub seeing: Seeing,
    /// The selection that the current one is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The maps above the one that is shown, from the whole table down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelRecord>,
    /// Names of selections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selections: Vec<String>,
    /// The column of clusters that were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<String>,
    /// The score on the desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The last quality that was measured, R_NX AUC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auc: Option<f64>,
}

/// A map above the one that is shown, but for what stands in columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LevelRecord {
    settings: Settings,
    iteration: u32,
    paused: bool,
    pose: Pose,
}

/// A session together with what stands in columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    pub session: Session,
    /// One row for each row that is embedded.
    pub positions: Vectors,
    /// The rows that are embedded, if not all.
    pub rows: Option<Arc<Vec<u32>>>,
    /// The maps above, from the whole table down.
    pub levels: Vec<Level>,
    pub selected: Arc<Rows>,
    /// Selections by their names.
    pub selections: Vec<(String, Arc<Rows>)>,
    /// Clusters that were found.
    pub clusters: Option<ArrayRef>,
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
    #[error("the session in {path:?} lacks the column {column:?}, or it is of another type; it may have been changed")]
    NoColumn { path: PathBuf, column: String },
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
        let rows = self.selected.len();
        let mut table = Table::of_rows(rows);
        let above = self.levels.iter().map(|level| (&level.positions, level.rows.as_deref()));
        let maps = above.chain([(&self.positions, self.rows.as_deref())]);
        for (depth, (positions, of)) in maps.enumerate() {
            table.push(map_column(depth), position_lists(rows, positions, of.map(Vec::as_slice))?);
        }
        let mask = |chosen: &Rows| -> ArrayRef {
            Arc::new((0..rows as u32).map(|row| Some(chosen.contains(row))).collect::<BooleanArray>())
        };
        table.push(SELECTED, mask(&self.selected));
        for (depth, level) in self.levels.iter().enumerate() {
            table.push(level_selection(depth), mask(&level.selected));
        }
        for (name, chosen) in &self.selections {
            table.push(format!("{SELECTION}{name}"), mask(chosen));
        }
        if let (Some(name), Some(column)) = (&self.session.clusters, &self.clusters) {
            table.push(name, Arc::clone(column));
        }
        let record = |level: &Level| LevelRecord {
            settings: level.settings.clone(),
            iteration: level.iteration,
            paused: level.paused,
            pose: level.pose,
        };
        let session = Session {
            levels: self.levels.iter().map(record).collect(),
            selections: self.selections.iter().map(|(name, _)| name.clone()).collect(),
            ..self.session.clone()
        };
        let metadata = [(SESSION_KEY.to_owned(), serde_json::to_string(&session)?)];
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
        if !(1..=u64::from(VERSION)).contains(&version) {
            return Err(SessionError::Version { path: path.into(), found: version }.into());
        }
        let session: Session = serde_json::from_value(value).map_err(broken)?;
        let options = LoadOptions {
            vector: Some(POSITIONS.to_owned()),
            pca: PcaChoice::Off,
            attributes: AttributeColumns::All,
            ..LoadOptions::default()
        };
        let dataset = dataset::load(&[path.to_path_buf()], &options, &|_| {})?;
        let (whole, columns) = (dataset.vectors, Columns { path, table: &dataset.attributes });
        let rows = whole.rows();
        let mut maps = vec![(whole, None)];
        for depth in 1..=session.levels.len() {
            maps.push(columns.map(depth)?);
        }
        let mut selections = Vec::new();
        for name in &session.selections {
            selections.push((name.clone(), columns.mask(&format!("{SELECTION}{name}"), rows)?));
        }
        let selected = match version {
            1 => Arc::new(Rows::none(rows)),
            _ => columns.mask(SELECTED, rows)?,
        };
        let clusters = session.clusters.as_ref().map(|name| columns.find(name).cloned()).transpose()?;
        let (positions, of) = maps.pop().unwrap_or_else(|| (Vectors::with_capacity(0, 1), None));
        let level = |((positions, rows), record): ((Vectors, _), &LevelRecord)| Level {
            rows,
            positions,
            settings: record.settings.clone(),
            iteration: record.iteration,
            paused: record.paused,
            pose: record.pose,
            selected: Arc::new(Rows::none(selected.len())),
        };
        let mut levels: Vec<Level> = maps.into_iter().zip(&session.levels).map(level).collect();
        for (depth, level) in levels.iter_mut().enumerate() {
            level.selected = columns.mask(&level_selection(depth), rows)?;
        }
        Ok(Self { positions, rows: of, levels, selected, selections, clusters, session })
    }
}

fn level_selection(depth: usize) -> String {
    format!("{SELECTED} above {depth}")
}

fn map_column(depth: usize) -> String {
    if depth == 0 { POSITIONS.to_owned() } else { format!("{POSITIONS} {depth}") }
}

/// Positions as lists, one for each row of the table; null for rows that are not in the map.
fn position_lists(rows: usize, positions: &Vectors, of: Option<&[u32]>) -> Result<ArrayRef, CommandError> {
    let dims = positions.dims();
    let values = |row: usize| positions.row(row);
    let Some(of) = of else {
        return Ok(lists((0..positions.rows()).flat_map(values).copied().collect(), dims)?.remove(0));
    };
    let mut spread = vec![0.0; rows * dims];
    let mut there = vec![false; rows];
    for (at, &row) in of.iter().enumerate() {
        spread[row as usize * dims..][..dims].copy_from_slice(values(at));
        there[row as usize] = true;
    }
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    let length = i32::try_from(dims).unwrap_or(i32::MAX);
    let array = FixedSizeListArray::try_new(item, length, Arc::new(Float32Array::from(spread)), Some(there.into()))?;
    Ok(Arc::new(array))
}

/// A map, and the rows that are in it.
type Map = (Vectors, Option<Arc<Vec<u32>>>);

/// What stands in the columns of a session.
struct Columns<'a> {
    path: &'a Path,
    table: &'a RecordBatch,
}

impl Columns<'_> {
    fn find(&self, name: &str) -> Result<&ArrayRef, SessionError> {
        let missing = || SessionError::NoColumn { path: self.path.into(), column: name.to_owned() };
        self.table.column_by_name(name).ok_or_else(missing)
    }

    /// A set of rows.
    fn mask(&self, name: &str, rows: usize) -> Result<Arc<Rows>, SessionError> {
        let wrong = || SessionError::NoColumn { path: self.path.into(), column: name.to_owned() };
        let column = self.find(name)?.as_boolean_opt().ok_or_else(wrong)?;
        let chosen = (0..).zip(column.iter()).filter(|(_, chosen)| *chosen == Some(true)).map(|(row, _)| row);
        Ok(Arc::new(Rows::from_rows(rows, chosen)))
    }

    /// A map that was dived into: its positions, and the rows that are in it.
    fn map(&self, depth: usize) -> Result<Map, SessionError> {
        let name = map_column(depth);
        let wrong = || SessionError::NoColumn { path: self.path.into(), column: name.clone() };
        let column = self.find(&name)?.as_fixed_size_list_opt().ok_or_else(wrong)?;
        let values = column.values().as_primitive_opt::<Float32Type>().ok_or_else(wrong)?.values();
        let dims = column.value_length() as usize;
        let rows: Vec<u32> = (0..column.len() as u32).filter(|&row| column.is_valid(row as usize)).collect();
        let mut positions = Vectors::with_capacity(rows.len(), dims);
        rows.iter().for_each(|&row| positions.push(&values[column.value_offset_at(row as usize)..][..dims]));
        Ok((positions, Some(Arc::new(rows))))
    }
}

impl Session {
    /// The data of a session that was read from a file: where it was, or beside the session.
    pub fn data(&self, session: &Path) -> Result<Input, SessionError> {
        Input::found(&self.input, session).map_err(|input| SessionError::NoData { input })
    }
}

/// The paths of an input, so that they mean the same from anywhere.
pub fn absolute(input: &Input) -> Vec<PathBuf> {
    let whole = |path: PathBuf| if path == Path::new(DEMO) { path } else { std::path::absolute(&path).unwrap_or(path) };
    input.paths().into_iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::is_session;
    use controls::SeenAxes;
    use dataset::arrow::array::Int32Array;

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
            tools: ToolSettings { through: true, ..ToolSettings::default() },
            seeing: Seeing { axes: SeenAxes::Hand(vec![[0.0, 1.0, 0.0]; 5]), ..Seeing::default() },
            against: None,
            levels: Vec::new(),
            selections: Vec::new(),
            clusters: None,
            score: None,
            auc: Some(0.5),
        };
        Saved {
            session,
            positions: Vectors::from_rows(&[1.5, -2.25, 3.0e-7, 4.0, 5.0, 1.0e9], 3),
            rows: None,
            levels: Vec::new(),
            selected: Arc::new(Rows::none(2)),
            selections: Vec::new(),
            clusters: None,
        }
    }

    /// A selection of a selection of five rows.
    fn dived() -> Saved {
        let level = |positions: &[f32], dims: usize, rows: Option<Vec<u32>>| Level {
            rows: rows.map(Arc::new),
            positions: Vectors::from_rows(positions, dims),
            settings: Settings { dims, alpha: 0.7, ..Settings::default() },
            iteration: 12,
            paused: dims == 2,
            pose: Pose { yaw: 1.0, pitch: 0.5, distance: 2.0, focus: [0.0, 0.1, 0.2] },
            selected: Arc::new(Rows::from_rows(5, [dims as u32])),
        };
        let whole: Vec<f32> = (0..15_u8).map(f32::from).collect();
        let mut saved = saved();
        saved.levels = vec![level(&whole, 3, None), level(&whole[..8], 2, Some(vec![0, 2, 3, 4]))];
        saved.positions = Vectors::from_rows(&[7.0, 8.0, 9.0, -1.0], 2);
        saved.rows = Some(Arc::new(vec![2, 4]));
        saved.selected = Arc::new(Rows::from_rows(5, [4]));
        saved.selections = vec![("a b".to_owned(), Arc::new(Rows::from_rows(5, [0, 1])))];
        saved.clusters = Some(Arc::new(Int32Array::from(vec![Some(0), None, Some(1), Some(1), None])));
        let record = |level: &Level| LevelRecord {
            settings: level.settings.clone(),
            iteration: level.iteration,
            paused: level.paused,
            pose: level.pose,
        };
        saved.session.levels = saved.levels.iter().map(record).collect();
        saved.session.selections = vec!["a b".to_owned()];
        saved.session.against = Some("a b".to_owned());
        saved.session.clusters = Some("cluster".to_owned());
        saved
    }

    #[test]
    fn dives_selections_and_clusters_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.nevis");
        dived().write(&path).expect("written");
        assert_eq!(Saved::read(&path).expect("read"), dived());
    }

    #[test]
    fn a_session_of_the_first_version_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.nevis");
        let mut table = Table::of_rows(2);
        table.push(POSITIONS, lists(vec![1.0, 2.0, 3.0, 4.0], 2).expect("lists").remove(0));
        let mut session = serde_json::to_value(&saved().session).expect("JSON");
        session["version"] = 1.into();
        session.as_object_mut().expect("an object").remove("tools");
        let metadata = [(SESSION_KEY.to_owned(), session.to_string())];
        write_table(&path, &table.finish().expect("a table"), &metadata).expect("written");
        let read = Saved::read(&path).expect("read");
        assert_eq!((read.positions.rows(), read.selected.count(), read.rows), (2, 0, None));
        assert_eq!(read.session.tools, ToolSettings::default());
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
