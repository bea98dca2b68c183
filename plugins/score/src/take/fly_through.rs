//! From one place of the cloud to the next, and back.

use super::{PITCH, TURN, YAW, turn_to};
use crate::{Act, Aim, Cue, Ease, Score};

/// The distance from which the whole cloud is seen (cloud radii): that of a view which frames it, through any lens. A
/// flight comes back to it, so it must be named, and cannot be left to the view from which the take starts.
pub const FRAME_DISTANCE: f64 = 2.874;

/// How long the parts of a flight are at the usual length (seconds): the overview at the beginning and again at the end,
/// so that a loop rests there; the way to a station, and the way back; the stay there.
const OVERVIEW: f64 = 1.25;
const FLIGHT: f64 = 2.5;
const STAY: f64 = 2.0;
/// How far the view turns during a stay (degrees): depth is seen by it.
const DRIFT: f64 = 8.0;

/// A place that a flight stops at.
#[derive(Debug, Clone, PartialEq)]
pub struct Station {
    /// The name of its selection, which is its caption too.
    pub name: String,
    /// Where it is: the offset from the cloud's centre (cloud radii).
    pub focus: [f64; 3],
    /// From how far away it is looked at (cloud radii, more than 0).
    pub distance: f64,
}

impl Station {
    /// True if a score can name it.
    pub(super) fn is_possible(&self) -> bool {
        let placed = self.focus.iter().all(|along| along.is_finite());
        !self.name.is_empty() && placed && self.distance.is_finite() && self.distance > 0.0
    }
}

/// How long a flight past so many stations is where nobody says (seconds).
pub(super) fn usual_seconds(stations: usize) -> f64 {
    OVERVIEW + (FLIGHT + STAY) * stations as f64 + FLIGHT + OVERVIEW
}

pub(super) fn fly_through(score: &mut Score, stations: &[&Station]) {
    score.loops = true;
    score.iterations = 0.0; // the positions are those it was given
    let slowness = score.length / usual_seconds(stations.len());
    let mut yaw = YAW;
    score.cues = vec![Cue::at(0.0, overview(yaw)), Cue::at(0.0, Act::Select(String::new()))];
    if stations.is_empty() {
        return;
    }
    let mut seconds = OVERVIEW;
    let mut next = |takes: f64| {
        let from = seconds;
        seconds += takes;
        (from * slowness, seconds * slowness)
    };
    for station in stations {
        let (leaves, arrives) = next(FLIGHT);
        let (_, goes_on) = next(STAY);
        yaw += DRIFT;
        let there = Aim { distance: Some(station.distance), focus: Some(station.focus), ..Aim::default() };
        let caption = Act::Caption { text: station.name.clone(), seconds: Some(goes_on - arrives) };
        score.cues.extend([
            Cue::over(leaves, arrives, Ease::Smooth, Act::Camera(there)),
            Cue::at(arrives, Act::SelectNamed(station.name.clone())),
            Cue::at(arrives, caption),
            Cue::over(arrives, goes_on, Ease::None, turn_to(yaw)),
        ]);
    }
    let (leaves, arrives) = next(FLIGHT);
    let nearest = YAW + TURN * ((yaw - YAW) / TURN).round(); // as the view was, the shorter way round
    score.cues.extend([
        Cue::at(leaves, Act::Select(String::new())),
        Cue::over(leaves, arrives, Ease::Smooth, overview(nearest)),
    ]);
}

fn overview(yaw: f64) -> Act {
    let (pitch, distance) = (Some(PITCH), Some(FRAME_DISTANCE));
    Act::Camera(Aim { yaw: Some(yaw), pitch, distance, focus: Some([0.0; 3]) })
}
