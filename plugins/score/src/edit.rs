//! Changing a score so that it stays one: cues in the order of their times, and a length that holds them all.

use crate::{Act, Cue, Ease, MAX_ITERATIONS, MAX_SECONDS, Score};

/// The shortest time that a caption is shown, however a score is stretched (seconds).
const SHORTEST_CAPTION: f64 = 1e-6;

impl Score {
    /// Puts a cue in, behind those of the same time; gives its index. Times are held within what a score can have.
    pub fn insert(&mut self, cue: Cue) -> usize {
        let behind = self.cues.len();
        self.place(behind, cue)
    }

    /// Takes a cue out; the length stays.
    pub fn remove(&mut self, index: usize) -> Option<Cue> {
        (index < self.cues.len()).then(|| self.cues.remove(index))
    }

    /// Lets a cue begin at another time and take as long as before; gives its new index. Among those of the same time
    /// its place stays as near as it can to where it was. Nothing happens to an index that is none.
    pub fn move_cue(&mut self, index: usize, from: f64) -> usize {
        let Some(cue) = self.cues.get(index) else { return index };
        let takes = cue.to - cue.from;
        let from = from.clamp(0.0, (MAX_SECONDS - takes).max(0.0));
        self.retime(index, from, from + takes)
    }

    /// Lets a cue begin and end at other times; gives its new index. What happens at once does so still, at `from`; an
    /// end before it is at `from` too.
    pub fn retime(&mut self, index: usize, from: f64, to: f64) -> usize {
        if from.is_nan() || to.is_nan() {
            return index;
        }
        match self.remove(index) {
            Some(cue) => self.place(index, Cue { from, to, ..cue }),
            None => index,
        }
    }

    /// Makes everything take `factor` times as long: times, captions and the length; and iterations a frame so many fewer
    /// that as many happen in all. A factor with which it would be no score any more is taken as the next that is
    /// possible; one that is not more than 0 changes nothing.
    pub fn stretch(&mut self, factor: f64) {
        if !factor.is_finite() || factor <= 0.0 {
            return;
        }
        let longest = self.cues.iter().filter_map(caption_seconds).fold(self.length, f64::max);
        let most = self.cues.iter().filter_map(iterations).fold(self.iterations, f64::max);
        let factor = factor.max(most / MAX_ITERATIONS).min(MAX_SECONDS / longest);
        self.length = (self.length * factor).min(MAX_SECONDS);
        self.iterations = (self.iterations / factor).min(MAX_ITERATIONS);
        for cue in &mut self.cues {
            (cue.from, cue.to) = (cue.from * factor, cue.to * factor);
            match &mut cue.act {
                Act::Iterations(count) => *count = (*count / factor).min(MAX_ITERATIONS),
                Act::Caption { seconds: Some(seconds), .. } => {
                    *seconds = (*seconds * factor).clamp(SHORTEST_CAPTION, MAX_SECONDS);
                }
                _ => {}
            }
            hold(cue);
        }
    }

    /// Sets the length (seconds), but not so short that a cue would be cut off.
    pub fn set_length(&mut self, seconds: f64) {
        if !seconds.is_nan() {
            let needed = self.cues.iter().map(|cue| cue.to).fold(0.0, f64::max);
            self.length = seconds.clamp(0.0, MAX_SECONDS).max(needed);
        }
    }

    /// Puts a cue where its time has it, as near to an index as those of the same time allow.
    fn place(&mut self, near: usize, mut cue: Cue) -> usize {
        hold(&mut cue);
        let first = self.cues.partition_point(|other| other.from < cue.from);
        let last = self.cues.partition_point(|other| other.from <= cue.from);
        let index = near.clamp(first, last);
        self.length = self.length.max(cue.to);
        self.cues.insert(index, cue);
        index
    }
}

/// Holds the times of a cue within what it can have.
fn hold(cue: &mut Cue) {
    let within = |time: f64| if time.is_nan() { 0.0 } else { time.clamp(0.0, MAX_SECONDS) };
    cue.from = within(cue.from);
    cue.to = if cue.act.can_ease() { within(cue.to).max(cue.from) } else { cue.from };
    if cue.is_at_once() {
        cue.ease = Ease::Smooth;
    }
}

fn caption_seconds(cue: &Cue) -> Option<f64> {
    match cue.act {
        Act::Caption { seconds, .. } => seconds,
        _ => None,
    }
}

fn iterations(cue: &Cue) -> Option<f64> {
    match cue.act {
        Act::Iterations(count) => Some(count),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aim;

    fn score() -> Score {
        let text = "nevis score 1\nlength 8\niterations 3\n0 reset\n1..3 camera yaw 9 ease in\n2 pause\n2 stop\n\
                    4 iterations 0.5\n4 resume\n5 caption \"x\" for 2\n";
        Score::parse(text).unwrap()
    }

    fn names(score: &Score) -> Vec<&str> {
        score.cues.iter().map(|cue| cue.act.name()).collect()
    }

    #[test]
    fn cues_come_behind_those_of_their_time() {
        let mut score = score();
        assert_eq!(score.insert(Cue::at(2.0, Act::Implode)), 4);
        assert_eq!(score.insert(Cue::at(0.0, Act::Explode)), 1);
        assert_eq!(score.insert(Cue::at(9.0, Act::Stop)), 9);
        assert_eq!(score.length, 9.0, "room for the last");
        let aim = Act::Camera(Aim { yaw: Some(1.0), ..Aim::default() });
        assert_eq!(score.insert(Cue::over(f64::NAN, 1e9, Ease::None, aim)), 2);
        assert_eq!((score.cues[2].from, score.cues[2].to, score.length), (0.0, MAX_SECONDS, MAX_SECONDS));
        assert_eq!(score.remove(2).unwrap().ease, Ease::None);
        assert!(score.remove(99).is_none());
    }

    #[test]
    fn moved_cues_keep_how_long_they_take_and_their_place_among_equals() {
        let mut score = score();
        assert_eq!(score.move_cue(1, 6.5), 6);
        assert_eq!((score.cues[6].from, score.cues[6].to, score.length), (6.5, 8.5, 8.5));
        assert_eq!(score.move_cue(6, -3.0), 1, "behind the reset, which was before it");
        assert_eq!((score.cues[1].from, score.cues[1].to), (0.0, 2.0));
        assert_eq!(score.move_cue(2, 2.0), 2, "nothing changes");
        assert_eq!(names(&score)[2..4], ["pause", "stop"]);
        assert_eq!(score.move_cue(1, f64::INFINITY), 6);
        assert_eq!((score.cues[6].from, score.cues[6].to), (MAX_SECONDS - 2.0, MAX_SECONDS));
        assert_eq!((score.move_cue(0, f64::NAN), score.move_cue(99, 1.0)), (0, 99));
        assert_eq!(score.cues[0].from, 0.0);
    }

    #[test]
    fn other_times_leave_at_once_what_is() {
        let mut score = score();
        assert_eq!(score.retime(2, 3.0, 7.0), 3, "pause");
        assert_eq!((score.cues[3].from, score.cues[3].to), (3.0, 3.0));
        assert_eq!(score.retime(1, 4.0, 9.0), 3);
        assert_eq!((score.cues[3].ease, score.cues[3].to, score.length), (Ease::In, 9.0, 9.0));
        assert_eq!(score.retime(3, 4.0, 1.0), 3);
        assert_eq!((score.cues[3].ease, score.cues[3].to), (Ease::Smooth, 4.0));
    }

    #[test]
    fn a_stretched_score_shows_the_same_more_slowly() {
        let (short, mut long) = (score(), score());
        long.stretch(2.5);
        assert_eq!((long.length, long.cues[1].to, long.cues[6].end()), (20.0, 7.5, 17.5));
        assert_eq!((long.iterations, long.iterations_at(19.0)), (1.2, 0.2));
        assert_eq!(long.iterations_before(long.frames()), short.iterations_before(short.frames()));
        long.stretch(f64::INFINITY);
        long.stretch(0.0);
        assert_eq!(long.length, 20.0);
        long.stretch(1e9);
        assert_eq!(long.length, MAX_SECONDS);
        long.stretch(1e-300);
        assert!(long.iterations <= MAX_ITERATIONS && long.iterations > 0.9 * MAX_ITERATIONS);
        long.check(&embedding::Settings::default()).unwrap();
        let mut nothing = Score { iterations: 0.0, ..Score::default() };
        nothing.stretch(3.0);
        assert_eq!(nothing, Score { iterations: 0.0, ..Score::default() });
    }

    #[test]
    fn no_length_cuts_a_cue_off() {
        let mut score = score();
        for (asked, expected) in [(6.0, 6.0), (1.0, 5.0), (f64::NAN, 5.0), (1e9, MAX_SECONDS), (-1.0, 5.0)] {
            score.set_length(asked);
            assert_eq!(score.length, expected);
        }
    }
}
