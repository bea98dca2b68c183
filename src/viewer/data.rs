//! The data that is open, and going over to other data.

use super::insight::{Levels, RowPictures, gathered, put_column};
use super::opening::{Read, short_name};
use super::session::{Saved, Session, absolute};
use super::streaming::Stream;
use super::theatre::{Player, Recording};
use crate::args::{EngineArgs, ViewArgs};
use crate::choice::{SettingsChoice, SettingsFile, check_drawn};
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::prelude::{MessageWriter, Res, ResMut, Resource};
use colours::{ColourBy, ColourSettings, colourable, default_colouring};
use controls::history::History;
use controls::{ColourPanel, Conduct, DataCard, Desk, Interface, Notices, Seeing};
use dataset::{Dataset, LoadOptions, Role};
use embedding::Settings;
use gpu::shape::Shape;
use inspect::{Growing, Inspected, Selection, ToolSettings};
use live::{Activity, Begin, EnginePlace, Job, LiveEmbedding, Part, Snapshot};
use orbit_camera::{CameraCommand, CameraSettings, Pose};
use points::PointSettings;
use score::Score;
use std::path::PathBuf;
use std::sync::Arc;
use vectors::Vectors;

/// Dimensions that a window shows unless told otherwise.
const USUAL_DIMS: usize = 3;

/// What was typed, and holds for whatever is opened.
#[derive(Resource, Debug, Clone, Default)]
pub struct Choice {
    /// How files are read.
    pub load: LoadOptions,
    /// Settings of the embedding in a file.
    pub(crate) settings: Option<SettingsFile>,
    /// Settings of the embedding.
    pub(crate) engine: EngineArgs,
    /// Colours, looks, camera.
    pub(crate) view: ViewArgs,
    /// Column of the labels.
    pub labels: Option<String>,
    /// What the adapter that draws can hold, where the engine may run on it.
    pub adapter: Option<gpu::AdapterSummary>,
}

impl Choice {
    /// Says whether the flags make sense, before anything is read.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        self.settings(0).map(|_| ())
    }

    /// The settings for data of so many rows: the defaults in three dimensions, with the flags laid over them.
    pub(crate) fn settings(&self, rows: usize) -> Result<Settings, CommandError> {
        let said = self.settings.as_ref().is_some_and(|file| file.names("dims"));
        let dims = self.engine.dims.or((!said).then_some(USUAL_DIMS));
        let flags = EngineArgs { dims, ..self.engine.clone() };
        let choice = SettingsChoice::Over { file: self.settings.clone(), flags, iterations: None };
        let settings = choice.for_rows(rows)?;
        check_drawn(settings.dims)?;
        Ok(settings)
    }
}

/// The data that is open: everything but the vectors, which the engine has.
#[derive(Resource, Default)]
pub struct OpenData {
    /// What has just been read and is to be gone over to.
    pub(crate) arrived: Option<Box<Read>>,
    /// A score that has just been read and is to be played on the data in use.
    pub(crate) arrived_score: Option<(Score, PathBuf)>,
    /// What is in use.
    pub(crate) current: Option<Current>,
}

impl OpenData {
    /// The data in use and what is seen of it; none while the points on the screen are still those of the data before.
    pub(crate) fn seen<'a>(&'a self, live: &'a LiveEmbedding) -> Option<(&'a Current, &'a Arc<Snapshot>)> {
        let (current, snapshot) = (self.current.as_ref()?, live.snapshot()?);
        let of_current =
            live.activity() != Activity::Starting && snapshot.data.table_rows() == current.dataset.row_numbers.len();
        of_current.then_some((current, snapshot))
    }
}

/// Data in use.
pub struct Current {
    pub input: Input,
    pub load: LoadOptions,
    /// Without its vectors.
    pub dataset: Dataset,
    /// Where the session was saved last, or came from.
    pub session: Option<PathBuf>,
    /// Counts the data sets that were opened.
    pub generation: u64,
    /// Pictures of rows, if there are any.
    pub pictures: RowPictures,
    /// The column of clusters that were found, if any.
    pub clusters: Option<String>,
    /// The column of a level of the hierarchy, if any.
    pub levels: Option<String>,
    /// Counts the changes of the table.
    pub table_version: u64,
    /// Rows have come or left since it was read: no file holds it.
    pub living: bool,
}

impl Current {
    /// The paths of the data, to be found again from anywhere.
    pub fn paths(&self) -> Vec<PathBuf> {
        absolute(&self.input)
    }
}

/// What data arriving changes.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Stage<'w> {
    live: ResMut<'w, LiveEmbedding>,
    colour: ResMut<'w, ColourPanel>,
    looks: ResMut<'w, PointSettings>,
    camera: ResMut<'w, CameraSettings>,
    interface: ResMut<'w, Interface>,
    card: ResMut<'w, DataCard>,
    history: ResMut<'w, History>,
    notices: ResMut<'w, Notices>,
    selection: ResMut<'w, Selection>,
    inspected: ResMut<'w, Inspected>,
    growing: ResMut<'w, Growing>,
    tools: ResMut<'w, ToolSettings>,
    seeing: ResMut<'w, Seeing>,
    levels: ResMut<'w, Levels>,
    desk: ResMut<'w, Desk>,
    player: ResMut<'w, Player>,
    recording: ResMut<'w, Recording>,
    stream: ResMut<'w, Stream>,
    conduct: MessageWriter<'w, Conduct>,
    views: MessageWriter<'w, CameraCommand>,
}

/// Goes over to data that has arrived.
pub fn take_over(mut data: ResMut<OpenData>, choice: Res<Choice>, mut stage: Stage) {
    let Some(read) = data.arrived.take() else {
        if data.current.is_some()
            && let Some(score) = data.arrived_score.take()
        {
            stage.lay_score(Some(score), None);
        }
        return;
    };
    let Read { input, load, mut dataset, saved, session, view, score, feed } = *read;
    let fed = feed.is_some();
    let born_of_a_stream = matches!(&input, Input::Files(paths) if !paths.iter().all(|path| path.exists()));
    let generation = data.current.as_ref().map_or(0, |current| current.generation) + 1;
    let vectors = std::mem::take(&mut dataset.vectors); // the engine owns it: there is never a second one
    let (rows, dims) = (vectors.rows(), vectors.dims());
    let settings = match saved.as_ref().map(|saved| &saved.session).or(view.as_ref()) {
        Some(session) => Ok(session.settings.clone()),
        None => choice.settings(rows),
    };
    let settings = match (&score, settings) {
        (Some((score, _)), Ok(_)) => choice.settings(rows).and_then(|base| Ok(score.settings_at(0.0, &base)?)),
        (_, settings) => settings,
    };
    let settings = match settings {
        Ok(settings) if rows >= 2 => settings,
        Ok(_) => return stage.notices.failed(format!("{input} has {rows} row; an embedding needs at least two")),
        Err(error) => return stage.notices.failed(error.to_string()),
    };
    let pictures = RowPictures::find(&dataset, &vectors, choice.view.image_shape).unwrap_or_else(|reason| {
        stage.notices.failed(reason);
        RowPictures::default()
    });
    stage.selection.begin(rows);
    stage.inspected.forget();
    stage.growing.forget();
    stage.levels.forget();
    let job = match &saved {
        Some(saved) => stage.saved_job(saved, vectors, settings),
        None => Job { vectors, part: None, settings, begin: Begin::New },
    };
    let shape = Shape::of(job.vectors.rows(), job.vectors.stride(), &job.settings);
    choose_place(&mut stage.live, &mut stage.card, &choice, &shape);
    if fed && stage.live.place == EnginePlace::Gpu {
        stage.live.place = EnginePlace::Cpu;
        stage.card.engine = "cpu".to_owned();
        stage.card.engine_note = "The engine runs natively: rows come and go while it runs.".to_owned();
    }
    stage.stream.begin(feed);
    let embedded = job.vectors.rows();
    stage.live.begin(job);
    stage.describe(&input, &dataset, embedded, dims);
    stage.history.forget();
    loading_notes(&dataset).into_iter().for_each(|note| stage.notices.done(note));
    match saved.as_ref().map(|saved| &saved.session).or(view.as_ref()) {
        Some(restored) => {
            stage.restore(restored);
            if saved.is_some() && session.is_none() {
                stage.colour.settings = default_colouring(&dataset); // coordinates do not say how they were coloured
            }
        }
        None => stage.begin_view(&choice, &dataset),
    }
    stage.lay_score(score, saved.as_ref().map(|saved| &saved.session).or(view.as_ref()));
    let clusters = saved.and_then(|saved| saved.clusters);
    data.current = Some(Current {
        input,
        load,
        dataset,
        session,
        generation,
        pictures,
        clusters: None,
        levels: None,
        table_version: 0,
        living: fed && born_of_a_stream,
    });
    if let (Some(column), Some(current)) = (clusters, &mut data.current)
        && let Err(error) = put_column(current, column)
    {
        stage.notices.failed(error.to_string());
    }
    if let Some(current) = &data.current {
        stage.list_columns(&current.dataset);
    }
}

/// The columns that can be coloured by, of some roles.
pub fn colourable_names(dataset: &Dataset, wanted: impl Fn(Role) -> bool) -> Vec<String> {
    colourable(dataset).into_iter().filter(|(_, role)| wanted(*role)).map(|(name, _)| name).collect()
}

/// On the adapter that draws where that is hardware and holds the data, else natively, and says why.
pub fn choose_place(live: &mut LiveEmbedding, card: &mut DataCard, choice: &Choice, shape: &Shape) {
    let refusal = choice.adapter.as_ref().map(|adapter| adapter.check(shape));
    let (place, note) = match refusal {
        Some(Ok(())) => (EnginePlace::Gpu, "The engine runs on the adapter that draws.".to_owned()),
        Some(Err(error)) => (EnginePlace::Cpu, format!("The engine runs natively: {error}.")),
        None => {
            let why = "The engine runs natively, because the adapter is a software renderer or was not asked for.";
            (EnginePlace::Cpu, why.to_owned())
        }
    };
    live.place = place;
    card.engine = if place == EnginePlace::Gpu { "gpu".to_owned() } else { "cpu".to_owned() };
    card.engine_note = note;
}

impl Stage<'_> {
    /// What a saved session goes on with: the whole table, or the part of it that was dived into.
    fn saved_job(&mut self, saved: &Saved, table: Vectors, settings: Settings) -> Job {
        let begin = Begin::Resume(saved.positions.clone(), saved.session.iteration);
        for (name, rows) in &saved.selections {
            self.selection.put(name, Arc::clone(rows));
        }
        self.selection.set(Arc::clone(&saved.selected));
        self.selection.against = saved.session.against.clone();
        match &saved.rows {
            None => Job { vectors: table, part: None, settings, begin },
            Some(rows) => {
                let part = Part { rows: Arc::clone(rows), of: table.rows() };
                let vectors = gathered(&table, rows);
                self.levels.restore(table, saved.levels.clone());
                Job { vectors, part: Some(part), settings, begin }
            }
        }
    }

    fn describe(&mut self, input: &Input, dataset: &Dataset, rows: usize, dims: usize) {
        self.card.name = short_name(input);
        (self.card.rows, self.card.dims, self.card.input_dims) = (rows, dims, dataset.source.input_dims);
        self.card.saved_to = None;
        self.list_columns(dataset);
        (self.colour.legend, self.colour.note) = (None, None);
    }

    fn list_columns(&mut self, dataset: &Dataset) {
        self.colour.columns = colourable_names(dataset, |_| true);
        self.colour.categorical = colourable_names(dataset, |role| role == Role::Categorical);
    }

    /// The usual view of data that was not seen before, with the flags laid over it.
    fn begin_view(&mut self, choice: &Choice, dataset: &Dataset) {
        let labels = choice.labels.clone().filter(|column| self.colour.categorical.contains(column));
        self.colour.settings = ColourSettings { labels, ..choice.view.over_colours(default_colouring(dataset)) };
        if let ColourBy::Column(column) = &self.colour.settings.by
            && !self.colour.columns.contains(column)
        {
            self.notices.failed(format!(
                "there is no column {column:?} to colour by; there is {}",
                self.colour.columns.join(", ")
            ));
            self.colour.settings = default_colouring(dataset);
        }
        let pose = choice.view.camera.unwrap_or_default();
        self.views.write(CameraCommand::SetPose { pose, seconds: 0.0 });
    }

    /// The score that was opened, or that a session had on its desk.
    fn lay_score(&mut self, opened: Option<(Score, PathBuf)>, session: Option<&Session>) {
        self.player.forget();
        self.recording.start = None;
        match (opened, session.and_then(|session| session.score.as_deref())) {
            (Some((score, path)), _) => {
                self.desk.lay(score, Some(path));
                self.conduct.write(Conduct::Seek(0.0));
            }
            (None, Some(text)) => match Score::parse(text) {
                Ok(mut score) => {
                    // What it named was beside its own file.
                    let input = session.map(|session| session.input.as_slice()).unwrap_or_default();
                    score.data =
                        input.first().filter(|_| input.len() == 1).map(|path| path.to_string_lossy().into_owned());
                    score.start = None;
                    self.desk.lay(score, None);
                    self.desk.open = false; // it is there when it is asked for
                }
                Err(error) => self.notices.failed(format!("the score of the session cannot be read: {error}")),
            },
            (None, None) => *self.desk = Desk { filming: self.desk.filming.take(), ..Desk::default() },
        }
    }

    fn restore(&mut self, session: &Session) {
        self.colour.settings = session.colours.clone();
        self.looks.set_if_neq(session.looks.clone());
        self.camera.set_if_neq(session.camera.clone());
        self.interface.set_if_neq(session.interface.clone());
        self.tools.set_if_neq(session.tools.clone());
        self.seeing.set_if_neq(session.seeing.clone());
        self.live.set_paused(session.paused);
        let pose: Pose = session.pose;
        self.views.write(CameraCommand::SetPose { pose, seconds: 0.0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_dimensions_than_can_be_drawn_are_refused_before_anything_is_read() {
        use points::MAX_DIMS;
        let with =
            |dims| Choice { engine: EngineArgs { dims: Some(dims), ..EngineArgs::default() }, ..Choice::default() };
        assert!(with(MAX_DIMS).check().is_ok());
        let error = with(MAX_DIMS + 1).check().expect_err("too many").to_string();
        assert!(error.contains("65") && error.contains(&format!("1 to {MAX_DIMS} in a window")), "{error}");
    }
}
