//! Embedding a selection alone, and coming back. Every level keeps its map, its settings and its view; rows keep the
//! numbers they have in the file.

use crate::viewer::data::{Choice, OpenData, choose_place};
use bevy::ecs::prelude::{MessageReader, MessageWriter, Res, ResMut, Resource};
use bevy::ecs::system::SystemParam;
use colours::count_text;
use controls::history::History;
use controls::{DataCard, Notices, Request, SelectionCard};
use embedding::Settings;
use gpu::shape::Shape;
use inspect::Selection;
use live::{Activity, Begin, Job, LiveData, LiveEmbedding, Part, Snapshot};
use orbit_camera::{CameraCommand, CameraState, Pose};
use selection::Rows;
use std::sync::Arc;
use vectors::{Metric, Space, Vectors};

/// Fewer rows than this make no map.
const FEWEST: usize = 5;

/// A map that was left for a dive, as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Its rows, ascending; none are all of the table.
    pub rows: Option<Arc<Vec<u32>>>,
    /// Its positions, one for each of its rows.
    pub positions: Vectors,
    pub settings: Settings,
    pub iteration: u32,
    pub paused: bool,
    pub pose: Pose,
    /// What was selected.
    pub selected: Arc<Rows>,
}

impl Level {
    fn name(&self) -> String {
        match &self.rows {
            None => format!("all {}", count_text(self.positions.rows())),
            Some(rows) => format!("{} rows", count_text(rows.len())),
        }
    }
}

/// The maps above the one that is shown, from the whole table down.
#[derive(Resource, Debug, Default)]
pub struct Levels {
    /// The whole table, while only a part of it is embedded.
    table: Option<Arc<LiveData>>,
    above: Vec<Level>,
    /// What was before the last dive or rise, until its map is seen: if it is refused, nothing has happened.
    before: Option<Before>,
}

/// What a dive or rise is taken back to.
#[derive(Debug)]
struct Before {
    table: Option<Arc<LiveData>>,
    above: Vec<Level>,
    selected: Arc<Rows>,
    rows: usize,
    /// Points of the map that is to come.
    expected: usize,
}

impl Levels {
    /// The maps above the one that is shown.
    pub fn above(&self) -> &[Level] {
        &self.above
    }

    /// Other data: nothing is above it.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Levels that were saved, over the vectors of the whole table.
    pub fn restore(&mut self, table: Vectors, above: Vec<Level>) {
        let rows = (0..table.rows() as u32).collect();
        let data = LiveData::new(Space::new(table, Metric::Euclidean), rows, None);
        *self = Self { table: Some(Arc::new(data)), above, before: None };
    }
}

/// The rows of a matrix, one after another.
pub fn gathered(table: &Vectors, rows: &[u32]) -> Vectors {
    let mut part = Vectors::with_capacity(rows.len(), table.dims());
    rows.iter().for_each(|&row| part.push(table.row(row as usize)));
    part
}

/// The vectors of rows, one after another.
pub(super) fn vectors_of(data: &LiveData, rows: &[u32]) -> Vectors {
    let points: Vec<u32> = rows.iter().filter_map(|&row| data.point(row)).collect();
    gathered(data.space.vectors(), &points)
}

/// What a dive changes.
#[derive(SystemParam)]
pub struct Depth<'w> {
    levels: ResMut<'w, Levels>,
    live: ResMut<'w, LiveEmbedding>,
    selection: ResMut<'w, Selection>,
    card: ResMut<'w, DataCard>,
    history: ResMut<'w, History>,
    notices: ResMut<'w, Notices>,
    state: Res<'w, CameraState>,
    choice: Res<'w, Choice>,
    views: MessageWriter<'w, CameraCommand>,
}

/// Serves requests to dive and to rise, and tells the interface how deep it is.
pub fn dive_and_rise(
    mut requests: MessageReader<Request>,
    data: Res<OpenData>,
    mut depth: Depth,
    mut card: ResMut<SelectionCard>,
) {
    for request in requests.read() {
        let ready = data.current.is_some() && depth.live.activity() != Activity::Starting;
        match (request, depth.live.snapshot().cloned()) {
            (Request::Dive, Some(snapshot)) if ready => depth.dive(&snapshot),
            (Request::Rise(level), Some(_)) if ready => depth.rise(*level),
            _ => {}
        }
    }
    depth.settle();
    let names = || depth.levels.above.iter().map(Level::name);
    if !card.levels.iter().cloned().eq(names()) {
        card.levels = names().collect();
    }
}

impl Depth<'_> {
    fn dive(&mut self, snapshot: &Arc<Snapshot>) {
        let data = &snapshot.data;
        let rows: Vec<u32> = data.rows().filter(|row| self.selection.rows().contains(*row)).collect();
        if rows.len() < FEWEST {
            let words = format!("select at least {FEWEST} points to dive into; {} are selected", rows.len());
            return self.notices.failed(words);
        }
        if rows.len() == data.points() {
            return self.notices.failed("all points are selected: select some of them to dive into".to_owned());
        }
        self.remember(rows.len());
        let whole: Vec<u32> = data.rows().collect();
        let positions = Vectors::from_rows(&snapshot.positions_by_row(), snapshot.dims);
        let is_whole = data.points() == data.table_rows();
        if is_whole {
            self.levels.table = Some(Arc::clone(data)); // shared with the engine's: there is no second matrix
        }
        let places: Vec<u32> =
            (0..).zip(&whole).filter(|(_, row)| rows.binary_search(row).is_ok()).map(|(place, _)| place).collect();
        let begin = Begin::Resume(gathered(&positions, &places), snapshot.statistics.iteration);
        let part = Part { rows: Arc::new(rows.clone()), of: data.table_rows() };
        let job =
            Job { vectors: vectors_of(data, &rows), part: Some(part), settings: snapshot.settings.clone(), begin };
        self.levels.above.push(Level {
            rows: (!is_whole).then(|| Arc::new(whole)),
            positions,
            settings: snapshot.settings.clone(),
            iteration: snapshot.statistics.iteration,
            paused: self.live.is_paused(),
            pose: self.state.pose,
            selected: Arc::clone(self.selection.rows()),
        });
        self.begin(job);
        self.live.set_paused(false);
        self.selection.clear();
        self.views.write(CameraCommand::FrameAll);
    }

    fn rise(&mut self, to: usize) {
        if to >= self.levels.above.len() {
            return; // it is there already
        }
        let Some(table) = self.levels.table.clone() else { return };
        self.remember(self.levels.above[to].positions.rows());
        let level = self.levels.above.swap_remove(to);
        self.levels.above.truncate(to);
        let (vectors, part) = match &level.rows {
            None => {
                self.levels.table = None;
                (vectors_of(&table, &table.rows().collect::<Vec<_>>()), None)
            }
            Some(rows) => {
                let part = Part { rows: Arc::clone(rows), of: table.table_rows() };
                (vectors_of(&table, rows), Some(part))
            }
        };
        let begin = Begin::Resume(level.positions, level.iteration);
        self.begin(Job { vectors, part, settings: level.settings, begin });
        self.live.set_paused(level.paused);
        self.selection.set(level.selected);
        let seconds = 0.0; // the cloud is another: there is nothing to glide over
        self.views.write(CameraCommand::SetPose { pose: level.pose, seconds });
    }

    /// Remembers what is, until a map of so many points is seen.
    fn remember(&mut self, expected: usize) {
        self.levels.before = Some(Before {
            table: self.levels.table.clone(),
            above: self.levels.above.clone(),
            selected: Arc::clone(self.selection.rows()),
            rows: self.card.rows,
            expected,
        });
    }

    /// Once a dive or rise has come to its end, one way or the other: forgets what was before, or goes back to it.
    fn settle(&mut self) {
        if self.levels.before.is_none() || self.live.activity() == Activity::Starting {
            return; // nothing to settle, or not yet
        }
        let Some(before) = self.levels.before.take() else { return };
        let points = self.live.snapshot().map(|snapshot| snapshot.data.points());
        if points != Some(before.expected) {
            self.selection.set(before.selected);
            self.card.rows = before.rows;
            (self.levels.table, self.levels.above) = (before.table, before.above);
        }
    }

    fn begin(&mut self, job: Job) {
        let rows = job.vectors.rows();
        let shape = Shape::of(rows, job.vectors.stride(), &job.settings);
        choose_place(&mut self.live, &mut self.card, &self.choice, &shape);
        self.card.rows = rows;
        self.live.begin(job);
        self.history.forget();
    }
}
