//! The score itself, and what is counted in it.

use crate::{Act, Cue};
use serde_json::{Map, Value};

/// The version of the format that this program reads and writes.
pub const VERSION: u32 = 1;
/// Frames a second where a score does not say.
pub const DEFAULT_FPS: u32 = 30;
/// The most frames a second.
pub const MAX_FPS: u32 = 120;
/// Iterations a frame where a score does not say.
pub const DEFAULT_ITERATIONS: f64 = 1.0;
/// The most iterations a frame.
pub const MAX_ITERATIONS: f64 = 1e6;
/// The longest score (seconds): a day. A slip of the hand should not ask for a movie that never ends.
pub const MAX_SECONDS: f64 = 86_400.0;

/// What makes a take of a movie or a talk. The crate's documentation describes its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The version of the format: [`VERSION`].
    pub version: u32,
    /// The data: a path, relative to the score or absolute, or one of the program's own sets; `None` for what is open.
    pub data: Option<String>,
    /// BLAKE3 of the data, 64 hexadecimal digits in lower case.
    pub hash: Option<String>,
    /// A session or a table of coordinates, relative to the score or absolute: the positions and the named selections it
    /// begins with; `None` for those of the settings.
    pub start: Option<String>,
    /// Seed of every random choice; it goes before a seed among the settings.
    pub seed: Option<u64>,
    /// Settings of the embedding that differ from the defaults for the data, by name.
    pub settings: Map<String, Value>,
    /// How many iterations the embedding had behind it at the beginning; for information.
    pub iteration: Option<u32>,
    /// The R_NX AUC of the embedding at the beginning (−1 to 1); for information.
    pub auc: Option<f64>,
    /// Frames a second (1 to [`MAX_FPS`]).
    pub fps: u32,
    /// How long it is (seconds, up to [`MAX_SECONDS`]).
    pub length: f64,
    /// Iterations a frame at the beginning (0 to [`MAX_ITERATIONS`], also broken ones); 0 freezes the embedding.
    pub iterations: f64,
    /// The end leads back to the beginning.
    pub loops: bool,
    /// What happens, in the order of time.
    pub cues: Vec<Cue>,
}

impl Default for Score {
    /// A score in which nothing happens, for no time.
    fn default() -> Self {
        Self {
            version: VERSION,
            data: None,
            hash: None,
            start: None,
            seed: None,
            settings: Map::new(),
            iteration: None,
            auc: None,
            fps: DEFAULT_FPS,
            length: 0.0,
            iterations: DEFAULT_ITERATIONS,
            loops: false,
            cues: Vec::new(),
        }
    }
}

impl Score {
    /// When nothing more comes of any cue (seconds): the length of a score that does not say.
    #[must_use]
    pub fn end_of_cues(&self) -> f64 {
        self.cues.iter().map(Cue::end).fold(0.0, f64::max)
    }

    /// How many frames there are: length × fps, rounded. Frame i shows the time i / fps, so the end itself is none, and
    /// a loop does not repeat its first.
    #[must_use]
    pub fn frames(&self) -> u64 {
        (self.length * f64::from(self.fps)).round() as u64
    }

    /// The time that a frame shows, from 0 (seconds).
    #[must_use]
    pub fn time_of(&self, frame: u64) -> f64 {
        frame as f64 / f64::from(self.fps.max(1))
    }

    /// Cues that happen at once and begin in [a, b): fed frame by frame, each is met once. What takes its time is not
    /// among them: ask [`view_at`](Self::view_at) and [`settings_at`](Self::settings_at), which know of these too.
    pub fn happening(&self, a: f64, b: f64) -> impl Iterator<Item = &Cue> {
        self.cues.iter().filter(move |cue| cue.is_at_once() && (a..b).contains(&cue.from))
    }

    /// When a presentation waits for a key (seconds), in order.
    #[must_use]
    pub fn stops(&self) -> Vec<f64> {
        self.cues.iter().filter(|cue| cue.act == Act::Stop).map(|cue| cue.from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_rounded_and_leave_the_end_out() {
        let score = Score { length: 12.0, fps: 30, ..Score::default() };
        assert_eq!(score.frames(), 360);
        assert!(score.time_of(359) < 12.0);
        assert_eq!(score.time_of(360), 12.0);
        assert_eq!(Score { length: 0.1, fps: 25, ..Score::default() }.frames(), 3);
        assert_eq!(Score::default().frames(), 0);
    }

    #[test]
    fn every_cue_at_once_is_met_in_one_frame() {
        let text = "nevis score 1\nfps 24\n0 reset\n0..3 camera yaw 9\n0.1 implode\n1 stop\n2.99 explode\n3 stop\n";
        let score = Score::parse(text).unwrap();
        let mut met = Vec::new();
        for frame in 0..=score.frames() {
            let cues = score.happening(score.time_of(frame), score.time_of(frame + 1));
            met.extend(cues.map(|cue| cue.act.name()));
        }
        assert_eq!(met, ["reset", "implode", "stop", "explode", "stop"]);
        assert_eq!(score.stops(), [1.0, 3.0]);
    }

    #[test]
    fn the_end_waits_for_captions() {
        let score = Score::parse("nevis score 1\n1..3 camera yaw 1\n2 caption \"x\" for 4\n2 caption \"\"").unwrap();
        assert_eq!((score.end_of_cues(), score.length), (6.0, 6.0));
    }
}
