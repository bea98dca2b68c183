//! Ready-made takes.

mod fly_through;

pub use fly_through::{FRAME_DISTANCE, Station};

use crate::{Act, Aim, Cue, Ease, MAX_FPS, MAX_SECONDS, Score};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

/// The view from which takes begin (degrees): somewhat from the side and from above.
const YAW: f64 = 30.0;
const PITCH: f64 = 20.0;
/// A full turn (degrees).
const TURN: f64 = 360.0;
/// Iterations before the first frame of what should begin settled: as long as a run of a small set.
const SETTLE: u32 = 1000;
/// Iterations that a birth shows, about.
const BIRTH: u64 = 1000;
/// Iterations a second while settings change, about: so many that points keep up with them.
const ITERATIONS_A_SECOND: f64 = 120.0;

/// A ready-made take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// One full, even turn around the settled cloud; a loop.
    Turntable,
    /// From the start until it is settled, with a slow half turn.
    Birth,
    /// Tails from those of t-SNE to heavier and back; a loop.
    AlphaSweep,
    /// A flat map that opens into space, while the camera swings round.
    FlatToSpace,
    /// From the whole cloud to one station after the other, and back; a loop.
    FlyThrough,
}

impl Take {
    /// Every take.
    pub const ALL: [Self; 5] = [Self::Turntable, Self::Birth, Self::AlphaSweep, Self::FlatToSpace, Self::FlyThrough];

    /// The name used in flags and panels.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Turntable => "turntable",
            Self::Birth => "birth",
            Self::AlphaSweep => "alpha-sweep",
            Self::FlatToSpace => "flat-to-space",
            Self::FlyThrough => "fly-through",
        }
    }

    /// What it shows.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Turntable => "One full, even turn around the settled cloud; loops.",
            Self::Birth => "From the start until it is settled, with a slow half turn.",
            Self::AlphaSweep => "Clusters break into finer ones and close again; loops.",
            Self::FlatToSpace => "A flat map opens into space, and the camera swings round.",
            Self::FlyThrough => "From one named selection to the next, and back; loops.",
        }
    }

    /// How long it is where nobody says (seconds).
    fn usual_seconds(self, stations: usize) -> f64 {
        match self {
            Self::Turntable => 12.0,
            Self::Birth => 20.0,
            Self::AlphaSweep => 16.0,
            Self::FlatToSpace => 16.0,
            Self::FlyThrough => fly_through::usual_seconds(stations),
        }
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Take {
    type Err = String;

    /// Reads a name as flags have it; the error says which there are.
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|take| take.name() == name);
        found.ok_or_else(|| format!("there is no take `{name}`; there are {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// The score of a ready-made take. Frames a second are held within what a score can have; seconds that are no length of
/// a score are taken as `None`, the usual length. Distance and focus are left to the view from which it starts, which
/// should frame the cloud; what begins settled begins with the cue `settle`.
///
/// `stations` are for [`Take::FlyThrough`] alone, which flies past them in their order; those that no score can name
/// (without a name, or nowhere) are left out, and where there are none it is the overview only. It names its distances,
/// and does not settle: it is about positions that there are already.
#[must_use]
pub fn take(name: Take, fps: u32, seconds: Option<f64>, stations: &[Station]) -> Score {
    let stations: Vec<&Station> = stations.iter().filter(|station| station.is_possible()).collect();
    let possible = |seconds: &f64| *seconds > 0.0 && *seconds <= MAX_SECONDS;
    let length = seconds.filter(possible).unwrap_or(name.usual_seconds(stations.len()));
    let mut score = Score { fps: fps.clamp(1, MAX_FPS), length, ..Score::default() };
    match name {
        Take::Turntable => turntable(&mut score),
        Take::Birth => birth(&mut score),
        Take::AlphaSweep => alpha_sweep(&mut score),
        Take::FlatToSpace => flat_to_space(&mut score),
        Take::FlyThrough => fly_through::fly_through(&mut score, &stations),
    }
    score
}

fn aim(yaw: f64, pitch: f64) -> Act {
    Act::Camera(Aim { yaw: Some(yaw), pitch: Some(pitch), ..Aim::default() })
}

fn turn_to(yaw: f64) -> Act {
    Act::Camera(Aim { yaw: Some(yaw), ..Aim::default() })
}

fn set(name: &str, value: f64) -> Act {
    Act::Set { name: name.to_owned(), value }
}

fn turntable(score: &mut Score) {
    score.loops = true;
    score.iterations = 0.0; // what moved meanwhile would jump where the loop closes
    score.cues = vec![
        Cue::at(0.0, Act::Settle(SETTLE)),
        Cue::at(0.0, aim(YAW, PITCH)),
        Cue::over(0.0, score.length, Ease::None, turn_to(YAW + TURN)),
    ];
}

fn birth(score: &mut Score) {
    // The first third goes by iteration after iteration: most of what there is to see happens there.
    let slow = score.length / 3.0;
    let slow_frames = score.frames().div_ceil(3);
    let fast_frames = (score.frames() - slow_frames).max(1);
    let fast = BIRTH.saturating_sub(slow_frames).div_ceil(fast_frames).max(1);
    score.iterations = 1.0;
    score.cues = vec![
        Cue::at(0.0, Act::Reset),
        Cue::at(0.0, aim(YAW, PITCH)),
        Cue::over(0.0, score.length, Ease::Smooth, turn_to(YAW + TURN / 2.0)),
        Cue::at(slow, Act::Iterations(fast as f64)),
    ];
}

fn alpha_sweep(score: &mut Score) {
    score.loops = true;
    score.iterations = keeping_up(score.fps);
    score.cues = vec![Cue::at(0.0, set("alpha", 1.0)), Cue::at(0.0, Act::Settle(SETTLE))];
    // Not beyond 1: with tails as light as those of a Gaussian a settled map falls apart, and does not come back in time.
    let times = [0.0, 0.5, 1.0].map(|share| share * score.length);
    for (ends, alpha) in times.windows(2).zip([0.3, 1.0]) {
        score.cues.push(Cue::over(ends[0], ends[1], Ease::Smooth, set("alpha", alpha)));
    }
}

fn flat_to_space(score: &mut Score) {
    let opens = score.length / 4.0;
    score.iterations = keeping_up(score.fps);
    score.settings = Map::from_iter([("dims".to_owned(), Value::from(2))]);
    score.cues = vec![
        Cue::at(0.0, Act::Settle(SETTLE)),
        Cue::at(0.0, aim(0.0, 0.0)), // as a flat map is seen
        Cue::at(opens, set("dims", 3.0)),
        Cue::over(opens, score.length, Ease::Smooth, aim(TURN * 0.75, PITCH)),
    ];
}

/// Iterations a frame that make about as many a second at any number of frames.
fn keeping_up(fps: u32) -> f64 {
    (ITERATIONS_A_SECOND / f64::from(fps)).ceil()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_takes() {
        for take in Take::ALL {
            assert_eq!(take.name().parse(), Ok(take));
        }
        let error = "turn".parse::<Take>().unwrap_err();
        assert_eq!(
            error,
            "there is no take `turn`; there are turntable, birth, alpha-sweep, flat-to-space, fly-through"
        );
    }

    #[test]
    fn a_birth_shows_what_it_should_at_any_speed() {
        for (fps, seconds) in [(30, None), (60, Some(10.0)), (24, Some(5.0)), (10, Some(1.0)), (120, Some(60.0))] {
            let score = take(Take::Birth, fps, seconds, &[]);
            let shown = score.iterations_before(score.frames());
            assert!(shown >= BIRTH - 1, "{shown} at {fps} fps for {seconds:?}");
            assert_eq!(score.iterations_at(0.0), 1.0);
        }
    }

    #[test]
    fn impossible_wishes_become_possible_ones() {
        for seconds in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
            assert_eq!(take(Take::Turntable, 0, Some(seconds), &[]), take(Take::Turntable, 1, None, &[]));
        }
        assert_eq!(take(Take::Birth, 1000, None, &[]).fps, MAX_FPS);
    }
}
