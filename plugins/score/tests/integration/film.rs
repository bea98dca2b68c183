//! What was seen in the window, and the score that a recorder makes of it.

use crate::random::Random;
use embedding::Settings;
use score::{Act, Cue, Moment, Recorder, Route, Score, Selected, View};

pub const FPS: u32 = 30;
pub const START: View = View { yaw: 1.0, pitch: 2.0, distance: 9.0, focus: [9.0; 3] };

pub fn view(yaw: f64) -> View {
    View { yaw, pitch: 20.0, distance: 3.0, focus: [0.0; 3] }
}

pub fn first() -> Moment {
    Moment {
        view: view(30.0),
        settings: Settings::default(),
        color_by: "label".into(),
        labels: None,
        background: "dark".into(),
        point_size: None,
        selected: Selected::Nothing,
        axes: Some(Act::Tour { route: Route::Principal, speed: None }),
        paused: false,
        iteration: 100,
    }
}

/// What was seen, and how it was recorded.
pub struct Film {
    recorder: Recorder,
    seen: Vec<(f64, Moment)>,
    time: f64,
    now: Moment,
}

impl Film {
    pub fn new(first: Moment) -> Self {
        let head = Score { fps: FPS, seed: Some(42), ..Score::default() };
        Self { recorder: Recorder::new(head, &first), seen: vec![(0.0, first.clone())], time: 0.0, now: first }
    }

    /// Looks `seconds` later, after a change.
    pub fn see(&mut self, seconds: f64, change: impl FnOnce(&mut Moment)) {
        self.time += seconds;
        change(&mut self.now);
        self.recorder.see(self.time, &self.now);
        self.seen.push((self.time, self.now.clone()));
    }

    /// Looks on for so long, at uneven times, `a_second` on average; the change is told the time since it began.
    pub fn go_on(
        &mut self,
        random: &mut Random,
        seconds: f64,
        a_second: f64,
        mut change: impl FnMut(f64, &mut Moment),
    ) {
        let begin = self.time;
        let end = begin + seconds;
        while self.time < end {
            let step = (random.between(0.4, 1.6) / a_second).min(end - self.time);
            let since = self.time + step - begin;
            self.see(step, |moment| change(since, moment));
        }
    }

    pub fn act(&mut self, act: Act) {
        self.recorder.act(self.time, act);
    }

    /// The score, which is whole and comes back from its text; and what was seen.
    pub fn cut(self) -> (Score, Vec<(f64, Moment)>) {
        let score = self.recorder.finish(self.time);
        score.check(&Settings::default()).unwrap_or_else(|error| panic!("{error}\n{score}"));
        assert_eq!(Score::parse(&score.to_string()).unwrap(), score);
        assert_eq!(score.length, score.time_of(frame_of(self.time)));
        for time in score.cues.iter().flat_map(|cue| [cue.from, cue.to]) {
            assert_eq!(time, score.time_of(frame_of(time)), "cues lie on frames");
        }
        (score, self.seen)
    }
}

pub fn frame_of(time: f64) -> u64 {
    (time * f64::from(FPS)).round() as u64
}

pub fn cues<'a>(score: &'a Score, name: &str) -> Vec<&'a Cue> {
    score.cues.iter().filter(|cue| cue.act.name() == name).collect()
}

/// How far a view is from what was seen, in what is allowed.
pub fn off(shown: &View, seen: &View) -> f64 {
    let turn = (shown.yaw - seen.yaw).rem_euclid(360.0);
    let focus = shown.focus.iter().zip(seen.focus).map(|(a, b)| (a - b).abs() / 0.01).fold(0.0, f64::max);
    let angles = (turn.min(360.0 - turn) / 0.5).max((shown.pitch - seen.pitch).abs() / 0.5);
    angles.max((shown.distance / seen.distance - 1.0).abs() / 0.01).max(focus)
}

/// The last moment of each frame.
pub fn by_frame(seen: &[(f64, Moment)]) -> Vec<(u64, &Moment)> {
    let mut last: Vec<(u64, &Moment)> = Vec::new();
    for (time, moment) in seen {
        last.retain(|(frame, _)| *frame != frame_of(*time));
        last.push((frame_of(*time), moment));
    }
    last
}

/// Iterations since the beginning, over all resets, by the frames in which something was seen.
pub fn counts(seen: &[(f64, Moment)]) -> Vec<(u64, u64)> {
    let mut total = 0;
    let mut before = seen[0].1.iteration;
    let mut counts: Vec<(u64, u64)> = Vec::new();
    let mut still = (true, 0); // whether it was paused in the frame before, and what was counted there
    for (index, (time, moment)) in seen.iter().enumerate() {
        total += u64::from(moment.iteration.saturating_sub(before));
        before = moment.iteration;
        if seen.get(index + 1).is_some_and(|(next, _)| frame_of(*next) == frame_of(*time)) {
            continue;
        }
        let resumed = still.0 && !moment.paused;
        still = (moment.paused, if resumed { still.1 } else { total });
        counts.push((frame_of(*time), still.1));
    }
    counts
}

/// Makes sure that iterations are right wherever the score says something about more than view and words.
pub fn assert_iterations(score: &Score, seen: &[(f64, Moment)]) {
    let counts = counts(seen);
    let told = |cue: &&Cue| !["camera", "caption", "note"].contains(&cue.act.name());
    let times = score.cues.iter().filter(told).flat_map(|cue| [cue.from, cue.to]).chain([score.length]);
    for frame in times.map(frame_of) {
        let counted = counts.iter().rfind(|(seen, _)| *seen <= frame).unwrap().1;
        assert_eq!(score.iterations_before(frame), counted, "by frame {frame}\n{score}");
    }
}

/// What was seen at a time: moments are joined by straight lines.
pub fn seen_at(seen: &[(f64, Moment)], time: f64) -> View {
    let next = seen.partition_point(|(when, _)| *when < time).clamp(1, seen.len() - 1);
    let ((a, from), (b, to)) = (&seen[next - 1], &seen[next]);
    let share = (time - a) / (b - a);
    let way = |a: f64, b: f64| a + (b - a) * share;
    let (from, to) = (&from.view, &to.view);
    View {
        yaw: way(from.yaw, to.yaw),
        pitch: way(from.pitch, to.pitch),
        distance: way(from.distance.ln(), to.distance.ln()).exp(),
        focus: std::array::from_fn(|axis| way(from.focus[axis], to.focus[axis])),
    }
}
