//! Everything that leaves the window: sessions, autosaves, coordinates, pictures. Files are written on threads; the
//! window hears how it went.

use super::autosave::is_autosave;
use super::data::{Current, OpenData};
use super::insight::Levels;
use super::session::{Saved, Session, VERSION};
use crate::args::Backend;
use crate::error::CommandError;
use crate::recipe::Recipe;
use crate::table::{Table, coordinate_columns, coordinate_names};
use bevy::camera::Camera;
use bevy::ecs::message::Messages;
use bevy::ecs::prelude::{Entity, MessageReader, MessageWriter, Query, Res, ResMut, Resource, With};
use bevy::ecs::system::SystemParam;
use colours::{ColourSettings, count_text};
use controls::{ColourPanel, DataCard, Desk, Explained, Interface, Notices, Request, Seeing, SelectionCard};
use dataset::arrow::array::{BooleanArray, UInt32Array};
use dataset::arrow::compute::take_record_batch;
use dataset::write::check_spares;
use dataset::{Dataset, write_table};
use inspect::{Named, Selection, ToolSettings};
use live::{Activity, LiveEmbedding, QualityWatch, Snapshot};
use orbit_camera::{CameraSettings, CameraState, OrbitCamera, Pose};
use points::PointSettings;
use points::picture::{Picture, PictureTaken, TakePicture, write_png};
use selection::Rows;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use vectors::Vectors;

/// Key of the recipe in a picture's text.
pub const PICTURE_KEY: &str = "nevis.session";

/// What a thread says when it has written a file.
struct Outcome {
    result: Result<String, String>,
    /// The session is there now, of the data of this generation.
    session: Option<(PathBuf, u64)>,
}

/// Files that are being written.
#[derive(Resource)]
pub struct Writing {
    under_way: Arc<AtomicUsize>,
    said: Sender<Outcome>,
    heard: Mutex<Receiver<Outcome>>,
    pictures: Vec<(u64, PathBuf, String)>,
    next_picture: u64,
    /// Where files go that were given no place; empty is where the program was started.
    pub folder: PathBuf,
}

impl Default for Writing {
    fn default() -> Self {
        let (said, heard) = channel();
        Self {
            under_way: Arc::default(),
            said,
            heard: Mutex::new(heard),
            pictures: Vec::new(),
            next_picture: 0,
            folder: PathBuf::new(),
        }
    }
}

impl Writing {
    /// Whether something is being written.
    pub fn is_under_way(&self) -> bool {
        self.under_way.load(Ordering::Acquire) > 0
    }

    /// A name beside the user that no file has: nothing is overwritten without being asked for.
    pub fn free_name(&self, stem: &str, ending: &str) -> PathBuf {
        let named = |number: u32| match number {
            1 => self.folder.join(format!("{stem}.{ending}")),
            number => self.folder.join(format!("{stem}-{number}.{ending}")),
        };
        (1..).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(1))
    }

    pub(crate) fn spawn(
        &self,
        session: Option<(PathBuf, u64)>,
        work: impl FnOnce() -> Result<String, CommandError> + Send + 'static,
    ) {
        let (said, under_way) = (self.said.clone(), Arc::clone(&self.under_way));
        under_way.fetch_add(1, Ordering::AcqRel);
        std::thread::spawn(move || {
            let result = work().map_err(|error| super::opening::full_text(&error));
            let session = session.filter(|_| result.is_ok());
            let _ = said.send(Outcome { result, session }); // the window may be gone
            under_way.fetch_sub(1, Ordering::AcqRel);
        });
    }
}

/// All that makes the window look as it does.
#[derive(SystemParam)]
pub struct Sight<'w> {
    live: Res<'w, LiveEmbedding>,
    watch: Res<'w, QualityWatch>,
    colour: Res<'w, ColourPanel>,
    looks: Res<'w, PointSettings>,
    camera: Res<'w, CameraSettings>,
    state: Res<'w, CameraState>,
    interface: Res<'w, Interface>,
    selection: Res<'w, Selection>,
    tools: Res<'w, ToolSettings>,
    seeing: Res<'w, Seeing>,
    levels: Res<'w, Levels>,
}

impl Sight<'_> {
    pub fn live(&self) -> &LiveEmbedding {
        &self.live
    }

    pub fn colours(&self) -> &ColourSettings {
        &self.colour.settings
    }

    pub fn looks(&self) -> &PointSettings {
        &self.looks
    }

    pub fn seeing(&self) -> &Seeing {
        &self.seeing
    }

    pub fn pose(&self) -> Pose {
        self.state.pose
    }

    /// The rows that are selected.
    pub fn selected(&self) -> &Arc<Rows> {
        self.selection.rows()
    }

    /// The selections that have names.
    pub fn named(&self) -> &[Named] {
        self.selection.named()
    }

    /// The session as it is now; none before there is something to see.
    pub fn session(&self, current: &Current) -> Option<Session> {
        let snapshot = self.live.snapshot()?;
        let of_current = self.live.activity() != Activity::Starting // until then, positions are of the data before
            && snapshot.data.table_rows() == current.dataset.row_numbers.len();
        of_current.then(|| Session {
            version: VERSION,
            nevis: env!("CARGO_PKG_VERSION").to_owned(),
            input: current.paths(),
            input_hash: current.dataset.source.hash.clone(),
            load: current.load.clone(),
            settings: snapshot.settings.clone(),
            iteration: snapshot.statistics.iteration,
            paused: self.live.is_paused(),
            pose: self.state.pose,
            camera: self.camera.clone(),
            colours: self.colour.settings.clone(),
            looks: self.looks.clone(),
            interface: self.interface.clone(),
            tools: self.tools.clone(),
            seeing: self.seeing.clone(),
            against: self.selection.against.clone(),
            levels: Vec::new(), // as the columns have it
            selections: Vec::new(),
            clusters: current.clusters.clone(),
            score: None, // as the desk has it
            auc: self.watch.curve().map(|measured| measured.curve.auc),
        })
    }

    /// The session and its positions.
    pub fn saved(&self, current: &Current) -> Option<Saved> {
        let session = self.session(current)?;
        let snapshot = self.live.snapshot()?;
        let data = &snapshot.data;
        let named = self.selection.named().iter().map(|named| (named.name.clone(), Arc::clone(&named.rows)));
        let clusters = current.clusters.as_ref().and_then(|name| current.dataset.attributes.column_by_name(name));
        Some(Saved {
            session,
            positions: positions(snapshot),
            rows: (data.points() < data.table_rows()).then(|| Arc::new(data.rows().collect())),
            levels: self.levels.above().to_vec(),
            selected: Arc::clone(self.selection.rows()),
            selections: named.collect(),
            clusters: clusters.cloned(),
        })
    }
}

/// Why a map whose rows came by a stream is no session.
const LIVING: &str = "a session goes on with the rows of a file, but rows have come or left since: export the \
                      coordinates instead (Ctrl E), with all columns";

/// The score on the desk, for a session.
pub fn score_on(desk: &Desk) -> Option<String> {
    desk.has_score().then(|| desk.score.to_string())
}

fn positions(snapshot: &Snapshot) -> Vectors {
    Vectors::from_rows(&snapshot.positions_by_row(), snapshot.dims)
}

/// Serves requests to save, export and take pictures.
pub fn save_what_is_asked(
    mut requests: MessageReader<Request>,
    data: Res<OpenData>,
    (sight, desk, known): (Sight, Res<Desk>, Res<SelectionCard>),
    mut writing: ResMut<Writing>,
    mut notices: ResMut<Notices>,
    cameras: Query<(Entity, &Camera), With<OrbitCamera>>,
    mut pictures: MessageWriter<TakePicture>,
) {
    for request in requests.read() {
        let asks = matches!(
            request,
            Request::Save(_) | Request::Export(_) | Request::ExportSelection(_) | Request::Screenshot { .. }
        );
        if let (Request::ExportTables(path), Some(explained)) = (request, &known.explanation) {
            let (path, explained) = (with_ending(path.clone(), "csv"), Arc::clone(explained));
            writing.spawn(None, move || export_tables(&path, &explained));
        }
        if !asks {
            continue;
        }
        let Some((current, mut saved)) =
            data.current.as_ref().and_then(|current| Some((current, sight.saved(current)?)))
        else {
            notices.failed("there is nothing to save yet");
            continue;
        };
        saved.session.score = score_on(&desk);
        match request {
            Request::Save(_) if current.living => notices.failed(LIVING),
            Request::Save(path) => {
                let before = current.session.clone().filter(|path| !is_autosave(path));
                let path = path.clone().or(before).map(session_ending);
                let path = path.unwrap_or_else(|| writing.free_name(&short_file(current), "nevis"));
                writing.spawn(Some((path.clone(), current.generation)), move || {
                    saved.write(&path)?;
                    Ok(format!("session saved to {}", path.display()))
                });
            }
            Request::Export(path) => {
                let (path, table) = (with_ending(path.clone(), "parquet"), current.dataset.clone());
                let recipe = recipe(current, &saved, sight.live.is_on_device());
                writing.spawn(None, move || export(&path, &table, &saved, recipe));
            }
            Request::ExportSelection(_) if saved.selected.is_empty() => {
                notices.failed("nothing is selected: select points first");
            }
            Request::ExportSelection(path) => {
                let (path, table) = (with_ending(path.clone(), "parquet"), current.dataset.clone());
                let recipe = recipe(current, &saved, sight.live.is_on_device());
                writing.spawn(None, move || export_selection(&path, &table, &saved, recipe));
            }
            Request::Screenshot { path, scale, transparent } => {
                let Ok((entity, camera)) = cameras.single() else { continue };
                let Some(size) = camera.physical_target_size() else { continue };
                let path = path.clone().unwrap_or_else(|| writing.free_name(&short_file(current), "png"));
                let (id, scale) = (writing.next_picture, (*scale).clamp(1, 4));
                writing.next_picture += 1;
                let text = serde_json::to_string(&saved.session).unwrap_or_default();
                writing.pictures.push((id, with_ending(path, "png"), text));
                let picture = Picture {
                    width: size.x * scale,
                    height: size.y * scale,
                    supersample: 1,
                    transparent: *transparent,
                };
                pictures.write(TakePicture { id, camera: entity, picture });
            }
            _ => {}
        }
    }
}

/// Writes pictures that were taken.
pub fn write_pictures(
    mut taken: ResMut<Messages<PictureTaken>>,
    mut writing: ResMut<Writing>,
    mut notices: ResMut<Notices>,
) {
    for picture in taken.drain() {
        let Some(at) = writing.pictures.iter().position(|(id, ..)| *id == picture.id) else { continue };
        let (_, path, text) = writing.pictures.remove(at);
        match picture.result {
            Err(error) => notices.failed(error.to_string()),
            Ok(pixels) => writing.spawn(None, move || {
                write_png(&path, &pixels, &[(PICTURE_KEY.to_owned(), text)])?;
                Ok(format!("picture of {} × {} saved to {}", pixels.width, pixels.height, path.display()))
            }),
        }
    }
}

/// Says how writing went.
pub fn hear_writing(
    writing: Res<Writing>,
    mut notices: ResMut<Notices>,
    mut data: ResMut<OpenData>,
    mut card: ResMut<DataCard>,
) {
    while let Ok(outcome) = writing.heard.lock().unwrap_or_else(std::sync::PoisonError::into_inner).try_recv() {
        match outcome.result {
            Ok(text) => notices.done(text),
            Err(text) => notices.failed(text),
        }
        if let (Some((path, generation)), Some(current)) = (outcome.session, &mut data.current)
            && generation == current.generation
        // other data must not be saved over it
        {
            card.saved_to = Some(path.clone());
            current.session = Some(path);
        }
    }
}

/// Coordinates beside the attributes, as `nevis embed` writes them, of the rows that are embedded; selections with
/// names are columns too.
fn export(path: &Path, data: &Dataset, saved: &Saved, recipe: Recipe) -> Result<String, CommandError> {
    let rows = match &saved.rows {
        Some(rows) => rows.to_vec(),
        None => (0..saved.positions.rows() as u32).collect(),
    };
    let places: Vec<u32> = (0..rows.len() as u32).collect();
    let names = write_rows(path, data, saved, (&rows, &places), recipe)?;
    Ok(format!("{} written to {}", names.join(", "), path.display()))
}

/// The same, of the selected rows only.
fn export_selection(path: &Path, data: &Dataset, saved: &Saved, recipe: Recipe) -> Result<String, CommandError> {
    let embedded = |row: u32| match &saved.rows {
        Some(rows) => rows.binary_search(&row).ok().map(|place| place as u32),
        None => Some(row),
    };
    let (rows, places): (Vec<u32>, Vec<u32>) =
        saved.selected.iter().filter_map(|row| Some((row, embedded(row)?))).unzip();
    write_rows(path, data, saved, (&rows, &places), recipe)?;
    Ok(format!("{} rows written to {}", count_text(rows.len()), path.display()))
}

/// Writes rows of the table, given also their places among the positions; says what coordinates are called.
fn write_rows(
    path: &Path,
    data: &Dataset,
    saved: &Saved,
    (rows, places): (&[u32], &[u32]),
    mut recipe: Recipe,
) -> Result<Vec<String>, CommandError> {
    check_spares(path, &data.source.paths)?;
    let dims = saved.positions.dims();
    let all = rows.len() == data.row_numbers.len();
    let mut table = match all {
        true => Table::beside(&data.attributes),
        false => Table::beside(&take_record_batch(&data.attributes, &UInt32Array::from(rows.to_vec()))?),
    };
    if !all || data.row_numbers.len() != data.source.file_rows {
        let name = table.free_names(&["row"]).remove(0);
        let numbers = rows.iter().map(|&row| data.row_numbers.file_row(row as usize));
        table.push(name, Arc::new(UInt32Array::from_iter_values(numbers)));
    }
    let names = table.free_names(coordinate_names(dims));
    let values: Vec<f32> = places.iter().flat_map(|&place| saved.positions.row(place as usize)).copied().collect();
    for (name, column) in names.iter().zip(coordinate_columns(values, dims)?) {
        table.push(name, column);
    }
    for (name, chosen) in &saved.selections {
        let name = table.free_names(&[name]).remove(0);
        table.push(name, Arc::new(rows.iter().map(|&row| Some(chosen.contains(row))).collect::<BooleanArray>()));
    }
    recipe.columns = names.clone();
    recipe.rows = rows.len();
    write_table(path, &table.finish()?, &recipe.metadata()?)?;
    Ok(names)
}

/// The tables of an explanation, a file each: `why.csv` becomes `why-components.csv` and so on.
fn export_tables(path: &Path, explained: &Explained) -> Result<String, CommandError> {
    let stem = path.file_stem().map_or("why".into(), |stem| stem.to_string_lossy().into_owned());
    let ending = path.extension().map_or("csv".into(), |ending| ending.to_string_lossy().into_owned());
    let tables = explained.explanation.tables()?;
    for (name, table) in &tables {
        write_table(&path.with_file_name(format!("{stem}-{name}.{ending}")), table, &[])?;
    }
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    Ok(format!("{stem}-….{ending} written to {}: {}", folder_of(path).display(), names.join(", ")))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The recipe of coordinates that were steered by hand: it tells the settings at the end, and cannot be repeated.
fn recipe(current: &Current, saved: &Saved, on_device: bool) -> Recipe {
    Recipe {
        nevis: env!("CARGO_PKG_VERSION").to_owned(),
        command: "view".to_owned(),
        input: current.paths(),
        input_hash: current.dataset.source.hash.clone(),
        load: current.load.clone(),
        settings: saved.session.settings.clone(),
        init_columns: Vec::new(),
        iterations: saved.session.iteration,
        settle: 0,
        auc: saved.session.auc,
        backend: if on_device { Backend::Gpu } else { Backend::Cpu },
        adapter: None,
        rows: saved.positions.rows(),
        input_dims: current.dataset.source.input_dims,
        columns: Vec::new(),
        into: None,
    }
}

fn short_file(current: &Current) -> String {
    super::opening::short_name(&current.input)
}

/// The path with the ending of sessions, whatever else it ends in.
fn session_ending(path: PathBuf) -> PathBuf {
    if path.extension().is_some_and(|ending| ending == "nevis") {
        return path;
    }
    let mut name = path.into_os_string();
    name.push(".nevis");
    PathBuf::from(name)
}

/// The path with an ending, if it has none that says what it is.
pub fn with_ending(path: PathBuf, ending: &str) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension(ending) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_an_ending_where_they_have_none() {
        assert_eq!(with_ending("a".into(), "nevis"), Path::new("a.nevis"));
        assert_eq!(with_ending("a.arrow".into(), "parquet"), Path::new("a.arrow"));
        assert_eq!(session_ending("run.v2".into()), Path::new("run.v2.nevis"));
        assert_eq!(session_ending("run.nevis".into()), Path::new("run.nevis"));
    }
}
