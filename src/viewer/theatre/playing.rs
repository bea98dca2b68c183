//! A score that steers the window.

use crate::viewer::data::{Choice, OpenData};
use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::prelude::{MessageWriter, Res, ResMut, Resource};
use bevy::ecs::system::SystemParam;
use bevy::time::{Real, Time};
use colours::{ColourBy, ColourSettings};
use controls::desk::{pose_of, view_of};
use controls::{ColourPanel, Desk, Doing, Interface, Notices, Seeing};
use embedding::Settings;
use inspect::Selection;
use live::{Action, LiveEmbedding};
use orbit_camera::{CameraCommand, CameraSettings, CameraState, Pose};
use points::{Background, PointSettings};
use score::{Act, Cue, Score, View};
use selection::{Filter, Rows};
use std::sync::Arc;

/// Time that a frame stands for at most (seconds): after a hitch a score goes on where it was, instead of jumping.
const LONGEST_FRAME: f64 = 0.25;
/// How long the camera takes from where a hand left it to where the score has it (seconds).
const BLEND: f64 = 0.8;
/// How long it takes while the time is dragged.
const DRAGGED: f32 = 0.12;

/// Whoever plays.
#[derive(Resource, Debug, Default)]
pub struct Player {
    /// Iterations that are owed to the embedding: less than one.
    owed: f64,
    /// The camera on its way to where the score has it.
    blend: Option<Blend>,
    /// What was seen before the score.
    start: Option<Start>,
    before: Option<Before>,
    /// What is to be presented as soon as there is something to see: whether as a kiosk.
    pub awaited: Option<bool>,
}

#[derive(Debug, Clone, Copy)]
struct Blend {
    from: Pose,
    elapsed: f64,
}

/// What is seen where a score says nothing.
#[derive(Debug, Clone)]
struct Start {
    view: View,
    colours: ColourSettings,
    looks: PointSettings,
    selected: Arc<Rows>,
}

/// What a score changes and is to be as before when it ends.
#[derive(Debug, Clone)]
struct Before {
    panels: bool,
    hint: bool,
    full_screen: bool,
    turntable: bool,
    fly: bool,
    paused: bool,
    iterations_per_frame: Option<u32>,
}

/// What a score steers.
#[derive(SystemParam)]
pub struct Scene<'w> {
    live: ResMut<'w, LiveEmbedding>,
    colour: ResMut<'w, ColourPanel>,
    looks: ResMut<'w, PointSettings>,
    seeing: ResMut<'w, Seeing>,
    selection: ResMut<'w, Selection>,
    camera: ResMut<'w, CameraSettings>,
    state: Res<'w, CameraState>,
    interface: ResMut<'w, Interface>,
    notices: ResMut<'w, Notices>,
    data: Res<'w, OpenData>,
    choice: Res<'w, Choice>,
    views: MessageWriter<'w, CameraCommand>,
}

impl Scene<'_> {
    pub fn has_data(&self) -> bool {
        self.data.seen(&self.live).is_some()
    }

    pub fn fail(&mut self, why: impl ToString) {
        self.notices.failed(why.to_string());
    }

    /// The settings that those of a score are laid over.
    fn base(&self) -> Option<Settings> {
        let rows = self.data.current.as_ref()?.dataset.row_numbers.len();
        self.choice.settings(rows).ok()
    }

    fn set_settings(&mut self, score: &Score, time: f64) {
        let Some(base) = self.base() else { return };
        let result = match score.settings_at(time, &base) {
            Ok(settings) => self.live.set_settings(settings).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = result {
            self.fail(why);
        }
    }

    fn start(&self) -> Start {
        Start {
            view: view_of(&self.state.pose),
            colours: self.colour.settings.clone(),
            looks: self.looks.clone(),
            selected: Arc::clone(self.selection.rows()),
        }
    }

    /// What the score changes elsewhere, and not before this time, is as it was before the score.
    fn take_back(&mut self, score: &Score, held: &[&Cue], start: &Start) {
        let is_one = |names: &[&str], cue: &Cue| names.contains(&cue.act.name());
        let is_back = |names: &[&str]| {
            score.cues.iter().any(|cue| is_one(names, cue)) && !held.iter().any(|cue| is_one(names, cue))
        };
        if is_back(&["color-by"]) && self.colour.settings.by != start.colours.by {
            self.colour.settings =
                ColourSettings { labels: self.colour.settings.labels.clone(), ..start.colours.clone() };
        }
        if is_back(&["labels"]) {
            self.colour.settings.labels.clone_from(&start.colours.labels);
        }
        if is_back(&["select", "select-named"]) && start.selected.len() == self.selection.rows().len() {
            self.selection.set(Arc::clone(&start.selected));
        }
        let mut looks = self.looks.clone();
        if is_back(&["background"]) {
            looks.background = start.looks.background;
        }
        if is_back(&["point-size"]) {
            (looks.size, looks.adapt) = (start.looks.size, start.looks.adapt);
        }
        self.looks.set_if_neq(looks);
    }

    fn look(&mut self, pose: Pose, seconds: f32) {
        self.views.write(CameraCommand::SetPose { pose, seconds });
    }

    fn obey(&mut self, cue: &Cue) {
        match &cue.act {
            Act::Implode => self.live.act(Action::Implode),
            Act::Explode => self.live.act(Action::Explode),
            Act::Reset => self.live.act(Action::Reset),
            Act::Settle(iterations) => self.live.act(Action::Settle(*iterations)),
            Act::ColorBy(words) => {
                let Ok(by) = words.parse::<ColourBy>();
                if self.colour.settings.by != by {
                    self.colour.settings.colour_by(by);
                }
            }
            Act::Labels(column) => self.colour.settings.labels.clone_from(column),
            Act::Select(text) => self.select(text),
            Act::SelectNamed(name) => match self.selection.find(name).cloned() {
                Some(rows) => self.selection.set(rows),
                None => self.fail(format!("there is no selection {name:?}: give one that name, or change the cue")),
            },
            Act::Background(name) => {
                let background = match name.as_str() {
                    "light" => Background::Light,
                    "black" => Background::Black,
                    _ => Background::Dark,
                };
                let looks = PointSettings { background, ..self.looks.clone() };
                self.looks.set_if_neq(looks);
            }
            Act::PointSize(size) => {
                let looks = PointSettings { size: *size, adapt: 0.0, ..self.looks.clone() };
                self.looks.set_if_neq(looks);
            }
            Act::Tour { .. } | Act::Axes(_) => {
                self.seeing.obey(&cue.act);
            }
            // Asked for by time, or by the one who presents.
            Act::Camera(_)
            | Act::Set { .. }
            | Act::Choose { .. }
            | Act::Caption { .. }
            | Act::Note(_)
            | Act::Iterations(_)
            | Act::Pause
            | Act::Resume
            | Act::Stop => {}
        }
    }

    fn select(&mut self, text: &str) {
        if text.trim().is_empty() {
            return self.selection.clear();
        }
        let Some((current, snapshot)) = self.data.seen(&self.live) else { return };
        let dataset = &current.dataset;
        match Filter::parse(text, &dataset.attributes) {
            Ok(filter) => {
                let found = filter.rows(&dataset.attributes, &|row| dataset.row_numbers.file_row(row));
                let embedded = Rows::from_rows(snapshot.data.table_rows(), snapshot.data.rows());
                let found = Arc::new(found.within(&embedded));
                self.selection.set(found);
            }
            Err(error) => self.fail(error),
        }
    }
}

impl Player {
    /// Begins to play or present from where the time stands.
    pub fn begin(&mut self, desk: &mut Desk, scene: &mut Scene, doing: Doing) {
        if self.before.is_none() {
            self.before = Some(Before {
                panels: scene.interface.panels,
                hint: scene.interface.hint,
                full_screen: scene.interface.full_screen,
                turntable: scene.camera.turntable,
                fly: scene.camera.fly,
                paused: scene.live.is_paused(),
                iterations_per_frame: scene.live.iterations_per_frame,
            });
        }
        (desk.doing, desk.frozen) = (doing, false);
        if doing == Doing::Presenting {
            (scene.interface.panels, scene.interface.hint, scene.interface.full_screen) = (false, false, true);
        }
        (scene.camera.turntable, scene.camera.fly) = (false, false);
        scene.live.set_iterations_per_frame(Some(0));
        scene.live.set_paused(false);
        let from = if desk.time >= desk.score.length { 0.0 } else { desk.time };
        self.go_to(desk, scene, from);
        desk.waiting = doing == Doing::Presenting && !desk.kiosk && desk.score.stops().contains(&from);
    }

    /// Stops, and leaves the window as it was before; an embedding that stood still goes on standing still.
    pub fn end(&mut self, desk: &mut Desk, scene: &mut Scene) {
        let still = desk.score.iterations_at(desk.time) == 0.0;
        (desk.doing, desk.waiting, desk.kiosk, desk.frozen) = (Doing::Resting, false, false, false);
        (self.owed, self.blend) = (0.0, None);
        let Some(before) = self.before.take() else { return };
        (scene.interface.panels, scene.interface.hint) = (before.panels, before.hint);
        scene.interface.full_screen = before.full_screen;
        (scene.camera.turntable, scene.camera.fly) = (before.turntable, before.fly);
        scene.live.set_iterations_per_frame(before.iterations_per_frame);
        scene.live.set_paused(before.paused || still);
    }

    /// Goes to a time directly: everything is as it is then, but for where the points are.
    pub fn go_to(&mut self, desk: &mut Desk, scene: &mut Scene, time: f64) {
        let score = Arc::clone(&desk.score);
        desk.time = time.clamp(0.0, score.length);
        desk.steering = true;
        scene.set_settings(&score, desk.time);
        let start = self.start.get_or_insert_with(|| scene.start()).clone();
        let held = score.holding(desk.time);
        scene.take_back(&score, &held, &start);
        held.into_iter().for_each(|cue| scene.obey(cue));
        let acts = |cue: &&Cue| {
            cue.from == desk.time && matches!(cue.act, Act::Implode | Act::Explode | Act::Reset | Act::Settle(_))
        };
        if desk.is_played() {
            score.cues.iter().filter(acts).for_each(|cue| scene.obey(cue));
        }
        if !has_camera(&score) {
            return;
        }
        match desk.doing {
            Doing::Playing | Doing::Presenting => self.blend = Some(Blend { from: scene.state.pose, elapsed: 0.0 }),
            _ => scene.look(pose_of(&score.view_at(desk.time, &start.view)), DRAGGED),
        }
    }

    /// Another score: where the camera stands is where it begins.
    pub fn forget(&mut self) {
        (self.start, self.blend, self.owed) = (None, None, 0.0);
    }

    /// Lets time pass.
    fn advance(&mut self, desk: &mut Desk, scene: &mut Scene, seconds: f64) {
        let score = Arc::clone(&desk.score);
        if !desk.waiting {
            let (from, mut to) = (desk.time, desk.time + seconds);
            if let (Doing::Presenting, false, Some(stop)) =
                (desk.doing, desk.kiosk, score.stops().into_iter().find(|stop| *stop > from && *stop <= to))
            {
                (to, desk.waiting) = (stop, true);
            }
            let ends = to >= score.length;
            desk.time = to.min(score.length);
            desk.steering = true;
            let met = |cue: &&Cue| cue.is_at_once() && cue.from > from && cue.from <= desk.time;
            score.cues.iter().filter(met).for_each(|cue| scene.obey(cue));
            scene.set_settings(&score, desk.time);
            if ends && (score.loops || desk.kiosk) {
                let blend = self.blend;
                self.go_to(desk, scene, 0.0);
                if score.loops {
                    self.blend = blend; // the end looks like the beginning
                }
            } else if ends && desk.doing == Doing::Playing {
                self.show(desk, scene, seconds);
                return self.end(desk, scene);
            } else if ends {
                desk.waiting = true;
            }
        }
        self.show(desk, scene, seconds);
        self.owed += score.iterations_at(desk.time) * f64::from(score.fps) * seconds;
        let whole = self.owed.floor();
        self.owed -= whole;
        scene.live.set_iterations_per_frame(Some(whole as u32));
    }

    /// Moves the camera to where the score has it; while the presentation waits it is the presenter's.
    fn show(&mut self, desk: &Desk, scene: &mut Scene, seconds: f64) {
        if !has_camera(&desk.score) || (desk.waiting && self.blend.is_none()) {
            return;
        }
        let start = self.start.get_or_insert_with(|| scene.start());
        let mut pose = pose_of(&desk.score.view_at(desk.time, &start.view));
        if let Some(blend) = &mut self.blend {
            blend.elapsed += seconds;
            let share = (blend.elapsed / BLEND).min(1.0);
            pose = Pose::tween(&blend.from, &pose, (share * share * (3.0 - 2.0 * share)) as f32);
            if share >= 1.0 {
                self.blend = None;
            }
        }
        scene.look(pose, 0.0);
    }

    /// On to the next step: from a stop on, or to the next one at once.
    pub fn next(&mut self, desk: &mut Desk, scene: &mut Scene) {
        let stops = desk.score.stops();
        if desk.waiting && desk.time < desk.score.length {
            desk.waiting = false;
            if has_camera(&desk.score) {
                self.blend = Some(Blend { from: scene.state.pose, elapsed: 0.0 }); // a hand may have moved it
            }
        } else if desk.waiting {
            if desk.score.loops {
                self.go_to(desk, scene, 0.0);
                desk.waiting = stops.contains(&0.0);
            }
        } else if stops.is_empty() {
            desk.waiting = true;
        } else {
            let stop = stops.into_iter().find(|stop| *stop > desk.time).unwrap_or(desk.score.length);
            self.go_to(desk, scene, stop);
            desk.waiting = true;
        }
    }

    /// Back to the step before.
    pub fn previous(&mut self, desk: &mut Desk, scene: &mut Scene) {
        let before = desk.score.stops().into_iter().rfind(|stop| *stop < desk.time).unwrap_or(0.0);
        self.go_to(desk, scene, before);
        desk.waiting = true;
    }
}

fn has_camera(score: &Score) -> bool {
    score.cues.iter().any(|cue| matches!(cue.act, Act::Camera(_)))
}

/// Plays on, once a frame; and keeps the words on the picture.
pub fn play_score(mut desk: ResMut<Desk>, mut player: ResMut<Player>, mut scene: Scene, time: Res<Time<Real>>) {
    if let Some(kiosk) = player.awaited.filter(|_| scene.has_data() && desk.has_score()) {
        player.awaited = None;
        (desk.kiosk, desk.time) = (kiosk, 0.0);
        player.begin(&mut desk, &mut scene, Doing::Presenting);
    }
    let seconds = time.delta_secs_f64().min(LONGEST_FRAME);
    if desk.is_played() {
        if desk.frozen {
            scene.live.set_iterations_per_frame(Some(0));
        } else {
            player.advance(&mut desk, &mut scene, seconds);
        }
    }
    let shown = desk.is_played() || (desk.open && desk.doing == Doing::Resting);
    let caption = desk.score.caption_at(desk.time).filter(|_| shown && desk.has_score());
    if desk.caption.as_deref() != caption {
        desk.caption = caption.map(str::to_owned);
    }
}
