//! The desk at which scores are recorded, edited and played: what lies on it, and what one can ask of whoever plays.
//!
//! ```text
//! timeline, keys, clicker ── Conduct ──► the application: records, plays, presents ──► Desk (time, doing, caption)
//! timeline ── edits ──► Desk::score ◄── undone and redone by the history
//! ```

use bevy::ecs::prelude::{Message, Resource};
use orbit_camera::Pose;
use score::{Act, Aim, Cue, Score, Take, View};
use std::path::PathBuf;
use std::sync::Arc;

/// What whoever plays scores is asked to do.
#[derive(Message, Debug, Clone, PartialEq)]
pub enum Conduct {
    /// Record what happens from now on, or end that.
    Record,
    /// Put words into the recording, at this moment.
    Say(Act),
    /// Play from where the time stands, or stop.
    Play,
    /// Go to a time (seconds).
    Seek(f64),
    /// Lay a ready-made take on the desk.
    Take(Take),
    /// Present: only the cloud and the captions, step by step; or leave that.
    Present,
    /// On to the next step.
    Next,
    /// Back to the step before.
    Previous,
    /// Everything stands still, or goes on.
    Freeze,
    /// Stop playing or presenting, or close the desk.
    Leave,
    /// Write the score; without a path, where it came from, or under a free name.
    Save(Option<PathBuf>),
    /// Make a movie of it, beside what goes on here.
    Movie(PathBuf),
    /// End the movie that is being made, so that it plays.
    EndMovie,
}

/// What is being done with the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doing {
    /// Nothing.
    #[default]
    Resting,
    /// What happens is written down.
    Recording,
    /// It is played.
    Playing,
    /// It is presented.
    Presenting,
}

/// A movie in the making.
#[derive(Debug, Clone, PartialEq)]
pub struct Filming {
    /// Where it will be.
    pub path: PathBuf,
    /// Frames that are done.
    pub done: u64,
    /// Frames in all; 0 before that is known.
    pub total: u64,
}

/// The desk.
#[derive(Resource, Debug, Clone, Default)]
pub struct Desk {
    /// The timeline is to be seen.
    pub open: bool,
    /// What lies there; a score without length is none.
    pub score: Arc<Score>,
    /// Where it was read from or written to.
    pub path: Option<PathBuf>,
    /// It as it stands in its file.
    pub saved: Arc<Score>,
    /// Where the time stands (seconds).
    pub time: f64,
    /// What is being done.
    pub doing: Doing,
    /// The presentation waits for a key.
    pub waiting: bool,
    /// The presentation never waits, and begins again.
    pub kiosk: bool,
    /// Nothing moves.
    pub frozen: bool,
    /// Settings are those of the score just now: no steps to be undone.
    pub steering: bool,
    /// The words on the picture.
    pub caption: Option<String>,
    /// A movie in the making.
    pub filming: Option<Filming>,
    /// The cue that is chosen, by its place in the score.
    pub chosen: Option<usize>,
    /// Its line, as it is being edited.
    pub line: String,
    /// Why the line cannot be a cue.
    pub wrong: Option<String>,
    /// What stands in the field for words while recording.
    pub words: String,
}

impl Desk {
    /// True if there is a score.
    #[must_use]
    pub fn has_score(&self) -> bool {
        self.score.length > 0.0
    }

    /// True if the score is not as it stands in its file.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.has_score() && self.score != self.saved
    }

    /// True while a score steers the window.
    #[must_use]
    pub fn is_played(&self) -> bool {
        matches!(self.doing, Doing::Playing | Doing::Presenting)
    }

    /// Lays a score on the desk.
    pub fn lay(&mut self, score: Score, path: Option<PathBuf>) {
        let score = Arc::new(score);
        let saved = if path.is_some() { Arc::clone(&score) } else { Arc::default() };
        let filming = self.filming.take();
        *self = Self { open: true, score, path, saved, filming, ..Self::default() };
    }

    /// Chooses a cue, or none.
    pub fn choose(&mut self, index: Option<usize>) {
        self.chosen = index.filter(|&index| index < self.score.cues.len());
        self.line = self.chosen.map(|index| self.score.cues[index].to_string()).unwrap_or_default();
        self.wrong = None;
    }

    /// Changes the score, and keeps the cue chosen that the change is about.
    pub fn edit(&mut self, change: impl FnOnce(&mut Score) -> Option<usize>) {
        let mut score = Score::clone(&self.score);
        let chosen = change(&mut score);
        self.score = Arc::new(score);
        self.time = self.time.min(self.score.length);
        self.choose(chosen);
    }

    /// Puts something in where the time stands.
    pub fn put(&mut self, act: Act) {
        let time = self.score.time_of((self.time * f64::from(self.score.fps)).round() as u64);
        self.edit(|score| Some(score.insert(Cue::at(time, act))));
    }

    /// Takes the chosen cue away.
    pub fn delete_chosen(&mut self) {
        if let Some(index) = self.chosen {
            self.edit(|score| {
                score.remove(index);
                None
            });
        }
    }

    /// Puts the edited line in the place of the chosen cue; says why where it is none.
    pub fn take_line(&mut self) {
        let Some(index) = self.chosen else { return };
        match self.line.parse::<Cue>() {
            Ok(cue) => self.edit(|score| {
                score.remove(index);
                Some(score.insert(cue))
            }),
            Err(error) => self.wrong = Some(error.to_string()),
        }
    }
}

/// A pose as scores have it: in degrees.
#[must_use]
pub fn view_of(pose: &Pose) -> View {
    View {
        yaw: f64::from(pose.yaw).to_degrees(),
        pitch: f64::from(pose.pitch).to_degrees(),
        distance: f64::from(pose.distance),
        focus: pose.focus.map(f64::from),
    }
}

/// A view of a score as a pose.
#[must_use]
pub fn pose_of(view: &View) -> Pose {
    Pose {
        yaw: view.yaw.to_radians() as f32,
        pitch: view.pitch.to_radians() as f32,
        distance: view.distance as f32,
        focus: view.focus.map(|value| value as f32),
    }
}

/// A pose as a cue goes to it.
#[must_use]
pub fn aim_of(pose: &Pose) -> Aim {
    let View { yaw, pitch, distance, focus } = view_of(pose);
    let round = |value: f64| (value * 1e3).round() / 1e3; // to be read in a file
    Aim {
        yaw: Some(round(yaw)),
        pitch: Some(round(pitch)),
        distance: Some(round(distance)),
        focus: Some(focus.map(round)),
    }
}

/// A time as it is read aloud: minutes, seconds and tenths.
#[must_use]
pub fn clock(seconds: f64) -> String {
    let tenths = (seconds.max(0.0) * 10.0).round() as u64;
    format!("{:02}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk() -> Desk {
        let mut desk = Desk::default();
        let text = "nevis score 1\nlength 9\n1 color-by label\n2..4 set alpha 0.5\n5 stop\n";
        desk.lay(Score::parse(text).expect("a score"), Some("a.score".into()));
        desk
    }

    #[test]
    fn times_are_read_aloud() {
        assert_eq!([0.0, 9.96, 75.3, -1.0].map(clock), ["00:00.0", "00:10.0", "01:15.3", "00:00.0"]);
    }

    #[test]
    fn a_line_takes_the_place_of_its_cue_and_a_wrong_one_says_why() {
        let mut desk = desk();
        assert!(desk.has_score() && !desk.is_changed());
        desk.choose(Some(1));
        assert!(desk.line.contains("set alpha 0.5"), "{}", desk.line);
        desk.line = "6..8 set alpha 0.3".to_owned();
        desk.take_line();
        assert_eq!((desk.chosen, desk.score.cues[2].from, desk.wrong.as_deref()), (Some(2), 6.0, None));
        assert!(desk.is_changed());
        desk.line = "6..8 set alhpa 0.3".to_owned();
        desk.take_line();
        assert!(desk.wrong.as_ref().is_some_and(|wrong| wrong.contains("alpha")), "{:?}", desk.wrong);
        assert_eq!(desk.score.cues.len(), 3);
        desk.delete_chosen();
        assert_eq!((desk.score.cues.len(), desk.chosen), (2, None));
    }

    #[test]
    fn what_is_put_in_stands_on_a_frame() {
        let mut desk = desk();
        desk.time = 3.017;
        desk.put(Act::Stop);
        assert_eq!(desk.chosen.map(|index| desk.score.cues[index].from), Some(91.0 / 30.0));
    }
}
