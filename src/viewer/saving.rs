//! Everything that leaves the window: sessions, autosaves, coordinates, pictures. Files are written on threads; the
//! window hears how it went.

use super::autosave::is_autosave;
use super::data::{Current, OpenData};
use super::session::{Saved, Session, VERSION};
use crate::args::Backend;
use crate::error::CommandError;
use crate::recipe::Recipe;
use crate::table::{Table, coordinate_columns, coordinate_names};
use bevy::camera::Camera;
use bevy::ecs::message::Messages;
use bevy::ecs::prelude::{Entity, MessageReader, MessageWriter, Query, Res, ResMut, Resource, With};
use bevy::ecs::system::SystemParam;
use controls::{ColourPanel, DataCard, Interface, Notices, Request};
use dataset::{Dataset, write_table};
use live::{Activity, LiveEmbedding, QualityWatch, Snapshot};
use orbit_camera::{CameraSettings, CameraState, OrbitCamera};
use points::PointSettings;
use points::picture::{Picture, PictureTaken, TakePicture, write_png};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
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
    said: Sender<Outcome>,
    heard: Mutex<Receiver<Outcome>>,
    pictures: Vec<(u64, PathBuf, String)>,
    next_picture: u64,
}

impl Default for Writing {
    fn default() -> Self {
        let (said, heard) = channel();
        Self { said, heard: Mutex::new(heard), pictures: Vec::new(), next_picture: 0 }
    }
}

impl Writing {
    fn spawn(
        &self,
        session: Option<(PathBuf, u64)>,
        work: impl FnOnce() -> Result<String, CommandError> + Send + 'static,
    ) {
        let said = self.said.clone();
        std::thread::spawn(move || {
            let result = work().map_err(|error| super::opening::full_text(&error));
            let session = session.filter(|_| result.is_ok());
            let _ = said.send(Outcome { result, session }); // the window may be gone
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
}

impl Sight<'_> {
    /// The session as it is now; none before there is something to see.
    pub fn session(&self, current: &Current) -> Option<Session> {
        let snapshot = self.live.snapshot()?;
        let of_current = self.live.activity() != Activity::Starting // until then, positions are of the data before
            && snapshot.data.points() == current.dataset.row_numbers.len();
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
            auc: self.watch.curve().map(|measured| measured.curve.auc),
        })
    }

    /// The session and its positions.
    pub fn saved(&self, current: &Current) -> Option<Saved> {
        let session = self.session(current)?;
        let snapshot = self.live.snapshot()?;
        Some(Saved { session, positions: positions(snapshot) })
    }
}

fn positions(snapshot: &Snapshot) -> Vectors {
    Vectors::from_rows(&snapshot.positions_by_row(), snapshot.dims)
}

/// Serves requests to save, export and take pictures.
pub fn save_what_is_asked(
    mut requests: MessageReader<Request>,
    data: Res<OpenData>,
    sight: Sight,
    mut writing: ResMut<Writing>,
    mut notices: ResMut<Notices>,
    cameras: Query<(Entity, &Camera), With<OrbitCamera>>,
    mut pictures: MessageWriter<TakePicture>,
) {
    for request in requests.read() {
        let asks = matches!(request, Request::Save(_) | Request::Export(_) | Request::Screenshot { .. });
        if !asks {
            continue;
        }
        let Some((current, saved)) = data.current.as_ref().and_then(|current| Some((current, sight.saved(current)?)))
        else {
            notices.failed("there is nothing to save yet");
            continue;
        };
        match request {
            Request::Save(path) => {
                let before = current.session.clone().filter(|path| !is_autosave(path));
                let path = path.clone().or(before).unwrap_or_else(|| session_path(current));
                let path = with_ending(path, "nevis");
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
            Request::Screenshot { path, scale, transparent } => {
                let Ok((entity, camera)) = cameras.single() else { continue };
                let Some(size) = camera.physical_target_size() else { continue };
                let path = path.clone().unwrap_or_else(|| free_name(&short_file(current), "png"));
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

/// Coordinates beside the attributes, as `nevis embed` writes them.
fn export(path: &Path, data: &Dataset, saved: &Saved, mut recipe: Recipe) -> Result<String, CommandError> {
    let dims = saved.positions.dims();
    let mut table = Table::beside(&data.attributes);
    table.push_row_numbers(data);
    let names = table.free_names(coordinate_names(dims));
    let rows = 0..saved.positions.rows();
    let values: Vec<f32> = rows.flat_map(|row| saved.positions.row(row)).copied().collect();
    for (name, column) in names.iter().zip(coordinate_columns(values, dims)?) {
        table.push(name, column);
    }
    recipe.columns = names;
    write_table(path, &table.finish()?, &recipe.metadata()?)?;
    Ok(format!("{} written to {}", recipe.columns.join(", "), path.display()))
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
        backend: if on_device { Backend::Gpu } else { Backend::Cpu },
        adapter: None,
        rows: saved.positions.rows(),
        input_dims: current.dataset.source.input_dims,
        columns: Vec::new(),
    }
}

fn short_file(current: &Current) -> String {
    super::opening::short_name(&current.input)
}

/// Beside the user, named after the data.
fn session_path(current: &Current) -> PathBuf {
    PathBuf::from(format!("{}.nevis", short_file(current)))
}

/// The path with an ending, if it has none that says what it is.
fn with_ending(path: PathBuf, ending: &str) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension(ending) }
}

/// A name beside the user that no file has: nothing is overwritten without being asked for.
fn free_name(stem: &str, ending: &str) -> PathBuf {
    let named = |number: u32| match number {
        1 => PathBuf::from(format!("{stem}.{ending}")),
        number => PathBuf::from(format!("{stem}-{number}.{ending}")),
    };
    (1..).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_an_ending_where_they_have_none() {
        assert_eq!(with_ending("a".into(), "nevis"), Path::new("a.nevis"));
        assert_eq!(with_ending("a.arrow".into(), "parquet"), Path::new("a.arrow"));
    }
}
