//! Writing down what happens in the window.

use super::files::ScoreFiles;
use crate::viewer::data::{Choice, Current, OpenData};
use crate::viewer::saving::{Sight, Writing};
use crate::viewer::session::Saved;
use bevy::app::AppExit;
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use bevy::time::{Real, Time};
use colours::count_text;
use controls::desk::view_of;
use controls::{Desk, Doing, Notices};
use embedding::Settings;
use inspect::Selection;
use live::Action;
use points::Background;
use score::{Act, Moment, Recorder, Score, Selected};
use selection::Rows;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

/// Begins the names of selections that were made while something was recorded.
const RECORDED: &str = "recorded";

/// What is being recorded, and what a recording began with.
#[derive(Resource, Default)]
pub struct Recording {
    under_way: Option<UnderWay>,
    /// What the score on the desk begins with, where that is in no file yet.
    pub start: Option<Saved>,
}

struct UnderWay {
    recorder: Recorder,
    /// The data that is recorded.
    generation: u64,
    /// Seconds since the beginning.
    time: f64,
    rows: Arc<Rows>,
    selected: Selected,
    /// Selections that had no name before.
    named: Vec<(String, Arc<Rows>)>,
    start: Saved,
}

impl UnderWay {
    /// How the selection is called in the score: it gets a name if it has none.
    fn see_selection(&mut self, sight: &Sight) {
        let rows = sight.selected();
        if Arc::ptr_eq(rows, &self.rows) {
            return;
        }
        let changed = *rows != self.rows;
        self.rows = Arc::clone(rows);
        if !changed {
            return;
        }
        let known = sight.named().iter().map(|named| (&named.name, &named.rows));
        let known = known.chain(self.named.iter().map(|(name, rows)| (name, rows)));
        self.selected = match known.into_iter().find(|(_, known)| *known == rows) {
            _ if rows.is_empty() => Selected::Nothing,
            Some((name, _)) => Selected::Named(name.clone()),
            None => {
                let taken = |name: &String| {
                    sight.named().iter().any(|named| named.name == *name)
                        || self.named.iter().any(|(known, _)| known == name)
                };
                let name =
                    (1..).map(|number| format!("{RECORDED} {number}")).find(|name| !taken(name)).unwrap_or_default();
                self.named.push((name.clone(), Arc::clone(rows)));
                Selected::Named(name)
            }
        };
    }
}

/// The settings that differ from the defaults for the data, as scores have them.
fn differing(settings: &Settings, rows: usize) -> Map<String, Value> {
    let named = |settings: &Settings| match serde_json::to_value(settings) {
        Ok(Value::Object(named)) => named,
        _ => Map::new(),
    };
    let usual = Choice::default().settings(rows).unwrap_or_default();
    let usual = named(&usual);
    let differs =
        |(name, value): &(String, Value)| name != "seed" && !value.is_null() && usual.get(name) != Some(value);
    named(settings).into_iter().filter(differs).collect()
}

/// The head of a score of what is seen now: the data, the settings, and the state that it begins with.
pub fn head(current: &Current, start: &Saved) -> Score {
    let paths = current.paths();
    let data = match paths.as_slice() {
        [path] => Some(path.to_string_lossy().into_owned()),
        _ => None, // the session knows
    };
    let session = &start.session;
    Score {
        data,
        hash: Some(current.dataset.source.hash.clone()),
        seed: Some(session.settings.seed),
        settings: differing(&session.settings, current.dataset.row_numbers.len()),
        iteration: Some(session.iteration),
        auc: session.auc,
        ..Score::default()
    }
}

impl Recording {
    pub fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Begins, if there is something to see.
    pub fn begin(&mut self, desk: &mut Desk, data: &OpenData, sight: &Sight) -> bool {
        let Some(current) = &data.current else { return false };
        let Some(start) = sight.saved(current) else { return false };
        let nothing = Arc::new(Rows::none(sight.selected().len()));
        let mut under_way = UnderWay {
            recorder: Recorder::new(head(current, &start), &moment(sight, &start, Selected::Nothing)),
            generation: current.generation,
            time: 0.0,
            rows: nothing,
            selected: Selected::Nothing,
            named: Vec::new(),
            start,
        };
        under_way.see_selection(sight);
        if under_way.selected != Selected::Nothing {
            let moment = moment(sight, &under_way.start, under_way.selected.clone());
            under_way.recorder = Recorder::new(head(current, &under_way.start), &moment);
        }
        self.under_way = Some(under_way);
        (desk.doing, desk.time) = (Doing::Recording, 0.0);
        desk.choose(None);
        true
    }

    /// Puts words into it.
    pub fn say(&mut self, act: Act) {
        if let Some(under_way) = &mut self.under_way {
            under_way.recorder.act(under_way.time, act);
        }
    }

    /// Ends it: the score lies on the desk, and in a file; selections that it names are kept, if their data is there.
    pub fn end(
        &mut self,
        desk: &mut Desk,
        data: &OpenData,
        selection: Option<&mut Selection>,
        writing: &Writing,
        notices: &mut Notices,
    ) {
        let Some(UnderWay { recorder, time, mut start, generation, named, .. }) = self.under_way.take() else { return };
        desk.doing = Doing::Resting;
        let score = recorder.finish(time);
        if score.frames() == 0 {
            return notices.failed("nothing was recorded: it ended within the frame in which it began");
        }
        let same = data.current.as_ref().is_some_and(|current| current.generation == generation);
        if let Some(selection) = selection.filter(|_| same) {
            named.iter().for_each(|(name, rows)| selection.put(name, Arc::clone(rows)));
            let all = selection.named().iter().map(|named| (named.name.clone(), Arc::clone(&named.rows)));
            start.selections = all.collect();
        } else {
            start.selections.extend(named);
        }
        let stem = score.data.as_deref().map(Path::new).and_then(Path::file_stem);
        let stem = stem.map_or("take".to_owned(), |stem| stem.to_string_lossy().trim_end_matches(':').to_owned());
        let path = writing.free_name(&stem, "score");
        let told = format!("recorded {} cues in {:.1} s", count_text(score.cues.len()), score.length);
        let files = ScoreFiles::new(&path, &score, None, Some(&start));
        desk.lay(files.score().clone(), Some(path.clone()));
        writing.spawn(None, move || {
            files.write()?;
            Ok(format!("{told}: {}", path.display()))
        });
        self.start = Some(start);
    }
}

/// What is seen now, as scores have it.
fn moment(sight: &Sight, start: &Saved, selected: Selected) -> Moment {
    let (colours, looks) = (sight.colours(), sight.looks());
    let background = match looks.background {
        Background::Light => "light",
        Background::Black => "black",
        _ => "dark",
    };
    let began = &start.session.looks;
    let points = sight.live().snapshot().map_or(0, |snapshot| snapshot.data.points());
    let untouched = (looks.size, looks.adapt) == (began.size, began.adapt) && began.adapt > 0.0;
    Moment {
        view: view_of(&sight.pose()),
        settings: sight.live().settings().clone(),
        color_by: colours.by.to_string(),
        labels: colours.labels.clone(),
        background: background.to_owned(),
        // A size that nobody touched is that of the session which the score begins with.
        point_size: (!untouched).then(|| looks.size * looks.crowding(points)),
        selected,
        axes: sight.seeing().act(),
        paused: sight.live().is_paused(),
        iteration: sight.live().snapshot().map_or(0, |snapshot| snapshot.statistics.iteration),
    }
}

/// Writes down this frame, after everything in it has happened.
pub fn write_down(
    mut recording: ResMut<Recording>,
    mut desk: ResMut<Desk>,
    data: Res<OpenData>,
    sight: Sight,
    (writing, mut notices): (Res<Writing>, ResMut<Notices>),
    time: Res<Time<Real>>,
    mut exits: MessageReader<AppExit>,
) {
    let leaving = exits.read().count() > 0;
    let Some(under_way) = &mut recording.under_way else { return };
    let same = data.seen(sight.live()).filter(|(current, _)| current.generation == under_way.generation);
    if same.is_none() || leaving {
        return recording.end(&mut desk, &data, None, &writing, &mut notices); // a score is of one data set, and whoever leaves loses nothing
    }
    under_way.time += time.delta_secs_f64();
    desk.time = under_way.time;
    under_way.see_selection(&sight);
    for action in sight.live().acted() {
        let act = match action {
            Action::Implode => Act::Implode,
            Action::Explode => Act::Explode,
            Action::Reset => Act::Reset,
            Action::Settle(iterations) => Act::Settle(*iterations),
        };
        under_way.recorder.act(under_way.time, act);
    }
    let moment = moment(&sight, &under_way.start, under_way.selected.clone());
    under_way.recorder.see(under_way.time, &moment);
}
