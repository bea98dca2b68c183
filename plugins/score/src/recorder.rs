//! What was seen live, as a score.
//!
//! ```text
//! see ──┬─► camera ── straight pieces of the path ──┐
//!       ├─► settings ── drags and steps ────────────┤
//!       ├─► looks ── at once ───────────────────────┼─► cues, on frames
//! act ──┼───────────────────────────────────────────┤
//!       └─► pace ── iterations between the cues ────┘
//! ```

mod camera;
mod pace;
mod path;
mod settings;

use crate::check::check_cue;
use crate::{Act, Cue, Ease, MAX_FPS, MAX_SECONDS, Route, Score, View};
use camera::Camera;
use embedding::Settings;
use pace::Pace;
use settings::Tracks;

/// What is seen at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Where the cloud is seen from. Its yaw may wrap, between −180 and 180 say: from one moment to the next it is taken
    /// to have gone the shorter way.
    pub view: View,
    /// The settings of the embedding.
    pub settings: Settings,
    /// What points are coloured by, as a cue has it.
    pub color_by: String,
    /// The column of the texts.
    pub labels: Option<String>,
    /// What lies behind the points: one of [`BACKGROUNDS`](crate::BACKGROUNDS).
    pub background: String,
    /// The size of a point (pixels); `None` where it is chosen by the number of points, which is no cue.
    pub point_size: Option<f32>,
    /// What is selected.
    pub selected: Selected,
    /// How more than three dimensions are seen, as a cue has it ([`Act::Tour`] or [`Act::Axes`]); `None` for what a score
    /// has no words for, as axes that were dragged by hand.
    pub axes: Option<Act>,
    /// No iterations.
    pub paused: bool,
    /// How many iterations there have been. It counts up; where it falls back, it began again.
    pub iteration: u32,
}

/// What is selected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selected {
    /// Nothing, or what a score has no words for.
    #[default]
    Nothing,
    /// What a search finds.
    Search(String),
    /// A selection that was given a name.
    Named(String),
}

/// Turns what is seen live into cues.
///
/// - All cues lie on frames. The view is within half a degree of yaw and pitch, 1 % of distance and 0.01 cloud radii of
///   focus of what was seen: at every frame, where moments are joined by straight lines, and at every moment between two
///   frames, unless it bends there more sharply than frames can show.
/// - Settings are exactly those seen where a piece of a drag ends, and within 1 % in between.
/// - Between any two frames with cues about more than view and words, and until the end, exactly as many iterations
///   happen as were seen to. Those that were still under way when it was paused count as done before the pause.
#[derive(Debug)]
pub struct Recorder {
    score: Score,
    last: Moment,
    camera: Camera,
    settings: Tracks,
    pace: Pace,
    /// The frame in which iterations began to go on, the last time they did.
    resumed: Option<u64>,
    /// What happens at once, beside view and settings.
    events: Vec<Piece>,
}

/// A cue by its frames.
#[derive(Debug, Clone, PartialEq)]
struct Piece {
    from: u64,
    to: u64,
    act: Act,
}

impl Piece {
    fn at(frame: u64, act: Act) -> Self {
        Self { from: frame, to: frame, act }
    }

    /// Pieces of paths are straight: they go evenly.
    fn cue(self, score: &Score) -> Cue {
        let (from, to) = (score.time_of(self.from), score.time_of(self.to));
        if self.from == self.to { Cue::at(from, self.act) } else { Cue::over(from, to, Ease::None, self.act) }
    }
}

impl Recorder {
    /// Begins. The head of `head` is that of the score, and describes the settings of the first moment already; its length
    /// and iterations are those that will be seen, and cues are not looked at.
    #[must_use]
    pub fn new(head: Score, first: &Moment) -> Self {
        let score = Score { cues: Vec::new(), fps: head.fps.clamp(1, MAX_FPS), ..head };
        let mut recorder = Self {
            score,
            last: first.clone(),
            camera: Camera::new(&first.view),
            settings: Tracks::new(&first.settings),
            pace: Pace::new(first),
            resumed: (!first.paused).then_some(0),
            events: Vec::new(),
        };
        let looks = [color_by(first), labels(first), background(first), point_size(first)];
        let selected = Some(selected(first)).filter(|act| *act != Act::Select(String::new()));
        let axes = axes(first).filter(|act| !matches!(act, Act::Tour { route: Route::Principal, .. }));
        let labelled = |act: &Act| *act != Act::Labels(None);
        for act in looks.into_iter().flatten().filter(labelled).chain(selected).chain(axes) {
            recorder.events.push(Piece::at(0, act));
        }
        if first.paused {
            recorder.events.push(Piece::at(0, Act::Pause));
        }
        recorder
    }

    /// Sees a moment, at seconds since the beginning. To be called as often as there is something new to see, with
    /// ascending times.
    pub fn see(&mut self, time: f64, moment: &Moment) {
        let before = self.pace.last_frame();
        let mut frame = self.frame(time);
        match (self.last.paused, moment.paused) {
            (false, true) if self.resumed == Some(frame) => frame += 1, // what happened in between needs a frame
            (true, false) => self.resumed = Some(frame),
            _ => {}
        }
        self.pace.see(frame, moment);
        self.camera.see(time, &moment.view);
        self.settings.see(before, frame, &moment.settings);
        self.look(frame, moment);
        self.last.clone_from(moment);
    }

    /// Takes down what was done and cannot be seen: implode, explode, reset, settle, captions, notes and stops. What
    /// moments show by themselves is not taken twice.
    pub fn act(&mut self, time: f64, act: Act) {
        let counts = match act {
            Act::Caption { .. } | Act::Note(_) => false,
            Act::Implode | Act::Explode | Act::Reset | Act::Settle(_) | Act::Stop => true,
            _ => return,
        };
        let mut frame = self.frame(time);
        if matches!(act, Act::Settle(_)) {
            frame = frame.max(1); // at the very beginning it would be over before the first frame
        }
        if counts {
            self.pace.mark(frame);
        }
        self.events.push(Piece::at(frame, act));
    }

    /// The score, which is as long as until then, rounded to a frame.
    #[must_use]
    pub fn finish(mut self, time: f64) -> Score {
        let end = self.frame(time);
        self.pace.mark(end);
        let mut pieces = self.camera.pieces(&self.score, end);
        for piece in self.settings.pieces(&self.score, self.pace.frames()) {
            self.pace.mark_again(piece.from);
            self.pace.mark_again(piece.to);
            pieces.push(piece);
        }
        pieces.append(&mut self.events);
        let (first, rates) = self.pace.rates();
        pieces.extend(rates);
        pieces.sort_by_key(|piece| piece.from);
        let mut score = self.score;
        score.iterations = first.unwrap_or(score.iterations);
        score.length = score.time_of(end);
        // What was seen can be more than a score can say: a background of another name, a seed with too many digits.
        score.cues =
            pieces.into_iter().map(|piece| piece.cue(&score)).filter(|cue| check_cue(cue, 0.0).is_ok()).collect();
        score
    }

    /// The frame next to a time, but none before the last.
    fn frame(&self, time: f64) -> u64 {
        let fps = f64::from(self.score.fps);
        let near = (time.clamp(0.0, MAX_SECONDS) * fps).round() as u64;
        near.max(self.pace.last_frame())
    }

    /// Takes down how a moment looks different from the last one.
    fn look(&mut self, frame: u64, moment: &Moment) {
        let ways: [fn(&Moment) -> Option<Act>; 7] = [
            color_by,
            labels,
            background,
            point_size,
            |moment| Some(selected(moment)),
            axes, // a guided tour looks at what is selected
            |moment| Some(running(moment)),
        ];
        for way in ways {
            let act = way(moment);
            if act != way(&self.last) {
                self.pace.mark(frame);
                self.events.extend(act.map(|act| Piece::at(frame, act)));
            }
        }
    }
}

fn color_by(moment: &Moment) -> Option<Act> {
    Some(Act::ColorBy(moment.color_by.clone()))
}

fn labels(moment: &Moment) -> Option<Act> {
    Some(Act::Labels(moment.labels.clone().filter(|column| !column.is_empty())))
}

fn background(moment: &Moment) -> Option<Act> {
    Some(Act::Background(moment.background.clone()))
}

fn point_size(moment: &Moment) -> Option<Act> {
    moment.point_size.map(Act::PointSize)
}

fn selected(moment: &Moment) -> Act {
    match &moment.selected {
        Selected::Nothing => Act::Select(String::new()),
        Selected::Search(text) => Act::Select(text.clone()),
        Selected::Named(name) => Act::SelectNamed(name.clone()),
    }
}

fn axes(moment: &Moment) -> Option<Act> {
    moment.axes.clone().filter(|act| matches!(act, Act::Tour { .. } | Act::Axes(_)))
}

fn running(moment: &Moment) -> Act {
    if moment.paused { Act::Pause } else { Act::Resume }
}
