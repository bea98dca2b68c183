//! How many iterations there are: a frame, and up to one.

use crate::{Act, Cue, Score};

/// What sums of broken numbers may lack of a whole one: 10 times 0.1 are one iteration.
const ROUNDING: f64 = 1e-6;

/// Iterations a frame, as cues change them.
#[derive(Debug, Clone, Copy)]
struct Rate {
    a_frame: f64,
    paused: bool,
}

impl Rate {
    /// What it is after a cue; `None` if the cue is about something else.
    fn after(self, cue: &Cue) -> Option<Self> {
        match cue.act {
            Act::Iterations(a_frame) => Some(Self { a_frame, ..self }),
            Act::Pause => Some(Self { paused: true, ..self }),
            Act::Resume => Some(Self { paused: false, ..self }),
            _ => None,
        }
    }

    fn now(self) -> f64 {
        if self.paused { 0.0 } else { self.a_frame }
    }
}

/// A sum of broken numbers whose whole part is exact, however large it becomes.
#[derive(Debug, Default)]
struct Sum {
    whole: u64,
    part: f64,
}

impl Sum {
    fn add(&mut self, number: f64, times: u64) {
        let whole = number.floor();
        self.whole = self.whole.saturating_add((whole as u64).saturating_mul(times));
        self.part += (number - whole) * times as f64;
        let due = self.part.floor(); // taken away, the rest stays as exact as a small number is
        self.whole = self.whole.saturating_add(due as u64);
        self.part -= due;
    }

    fn floor(&self) -> u64 {
        self.whole.saturating_add((self.part + ROUNDING).floor() as u64)
    }
}

impl Score {
    /// Iterations a frame at a time: 0 while paused. They may be broken: how many a frame really makes says
    /// [`iterations_of`](Self::iterations_of).
    #[must_use]
    pub fn iterations_at(&self, time: f64) -> f64 {
        self.begun(time).fold(self.first_rate(), |rate, cue| rate.after(cue).unwrap_or(rate)).now()
    }

    /// All iterations of the frames before this one: those a frame, summed up, and whole ones of that. Where it is asked
    /// for in the middle, it says what playing from the beginning would have made.
    #[must_use]
    pub fn iterations_before(&self, frame: u64) -> u64 {
        let mut sum = Sum::default();
        let mut rate = self.first_rate();
        let mut since = 0;
        for cue in &self.cues {
            let Some(next) = rate.after(cue) else { continue };
            let at = self.first_frame(cue.from).clamp(since, frame.max(since));
            sum.add(rate.now(), at - since);
            (rate, since) = (next, at);
            if since >= frame {
                break;
            }
        }
        sum.add(rate.now(), frame.saturating_sub(since));
        sum.floor()
    }

    /// The iterations of one frame.
    #[must_use]
    pub fn iterations_of(&self, frame: u64) -> u32 {
        let next = self.iterations_before(frame.saturating_add(1));
        u32::try_from(next - self.iterations_before(frame)).unwrap_or(u32::MAX)
    }

    fn first_rate(&self) -> Rate {
        Rate { a_frame: self.iterations, paused: false }
    }

    /// The first frame for which a cue of this time has begun: rounding must not make it another one than by its time.
    fn first_frame(&self, time: f64) -> u64 {
        let near = (time * f64::from(self.fps.max(1))).ceil() as u64;
        if near > 0 && self.time_of(near - 1) >= time {
            return near - 1;
        }
        if self.time_of(near) < time { near.saturating_add(1) } else { near }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_pause_and_resume() {
        let text = "nevis score 1\niterations 4\n1 pause\n2 iterations 2.5\n3 resume\n4 iterations 0\n";
        let score = Score::parse(text).unwrap();
        let at = [0.0, 0.9, 1.0, 2.5, 3.0, 4.0].map(|time| score.iterations_at(time));
        assert_eq!(at, [4.0, 4.0, 0.0, 0.0, 2.5, 0.0]);
        let before = [0, 1, 30, 60, 90, 91, 92, 120, 999].map(|frame| score.iterations_before(frame));
        assert_eq!(before, [0, 4, 120, 120, 120, 122, 125, 195, 195]);
        assert_eq!([29, 30, 90, 91, 120].map(|frame| score.iterations_of(frame)), [4, 0, 2, 3, 0]);
    }

    #[test]
    fn shares_of_iterations_add_up_to_whole_ones() {
        let score = Score { iterations: 0.1, ..Score::default() };
        assert_eq!([9, 10, 11, 1_000_000].map(|frame| score.iterations_before(frame)), [0, 1, 1, 100_000]);
        let third = Score { iterations: 1000.0 + 1.0 / 3.0, ..Score::default() };
        assert_eq!(third.iterations_before(300_000), 300_100_000);
    }

    #[test]
    fn a_cue_counts_from_the_first_frame_that_knows_of_it() {
        for fps in [1, 7, 24, 30, 60, 97, 120] {
            let score = Score { fps, ..Score::default() };
            for frame in 0..5000 {
                let time = score.time_of(frame);
                assert_eq!(score.first_frame(time), frame, "{fps}");
                assert_eq!(score.first_frame(time.next_up()), frame + 1, "{fps}");
            }
        }
    }
}
