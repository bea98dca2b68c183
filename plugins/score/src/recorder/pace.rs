//! How many iterations a frame there have to be, so that as many happen as did.

use super::{Moment, Piece};
use crate::{Act, MAX_ITERATIONS};
use std::collections::BTreeSet;

/// What was counted by a frame.
#[derive(Debug, Clone, Copy)]
struct Count {
    /// Iterations since the beginning, over all resets.
    iterations: u64,
    paused: bool,
}

/// The iterations that were seen.
#[derive(Debug)]
pub(super) struct Pace {
    iteration: u32,
    now: Count,
    /// The frames in which anything was seen or done, ascending, and what was counted by them.
    frames: Vec<u64>,
    counts: Vec<Count>,
    /// Frames by which the iterations have to be right.
    marks: BTreeSet<u64>,
}

impl Pace {
    pub(super) fn new(first: &Moment) -> Self {
        let now = Count { iterations: 0, paused: first.paused };
        Self { iteration: first.iteration, now, frames: vec![0], counts: vec![now], marks: BTreeSet::from([0]) }
    }

    pub(super) fn last_frame(&self) -> u64 {
        self.frames.last().copied().unwrap_or(0)
    }

    /// The frames in which anything was seen, ascending.
    pub(super) fn frames(&self) -> &[u64] {
        &self.frames
    }

    /// Counts on to a moment in a frame, which is not before the last.
    pub(super) fn see(&mut self, frame: u64, moment: &Moment) {
        // After a fall, which is a reset, counting begins again with what is there.
        let more = moment.iteration.checked_sub(self.iteration);
        self.iteration = moment.iteration;
        self.now = Count { iterations: self.now.iterations + u64::from(more.unwrap_or(0)), paused: moment.paused };
        self.count(frame);
        if more.is_none() {
            self.marks.insert(frame);
        }
    }

    /// Remembers that the iterations have to be right by a frame, which is not before the last.
    pub(super) fn mark(&mut self, frame: u64) {
        self.count(frame);
        self.marks.insert(frame);
    }

    /// The same for a frame in which something was seen before.
    pub(super) fn mark_again(&mut self, frame: u64) {
        self.marks.insert(frame);
    }

    fn count(&mut self, frame: u64) {
        if self.last_frame() < frame {
            self.frames.push(frame);
        } else {
            self.counts.pop();
        }
        // No frame makes iterations before the first, or in a pause: what was counted since comes after.
        let still = Count { iterations: 0, paused: true };
        let before = self.counts.last().copied().unwrap_or(still);
        let iterations = if before.paused && !self.now.paused { before.iterations } else { self.now.iterations };
        self.counts.push(Count { iterations, ..self.now });
    }

    /// Iterations a frame at the beginning, if there are any frames in which they could happen; and where they change.
    pub(super) fn rates(&self) -> (Option<f64>, Vec<Piece>) {
        let spans = self.spans();
        let first = spans.first().map(Span::rate);
        let mut held = first;
        let changes = spans.iter().filter_map(|span| {
            let rate = span.rate();
            (held.replace(rate) != Some(rate)).then(|| Piece::at(span.from, Act::Iterations(rate)))
        });
        (first, changes.collect())
    }

    /// The times from mark to mark that were not paused. What was counted in a pause was under way before it; if there is
    /// nothing before, it comes as soon as it can.
    fn spans(&self) -> Vec<Span> {
        let marks: Vec<(u64, Count)> = self.marks.iter().map(|frame| (*frame, self.counted(*frame))).collect();
        let mut spans: Vec<Span> = Vec::new();
        let mut early = 0;
        for pair in marks.windows(2) {
            let ((from, then), (to, now)) = (pair[0], pair[1]);
            let iterations = now.iterations - then.iterations;
            match (then.paused, spans.last_mut()) {
                (true, Some(before)) => before.iterations += iterations,
                (true, None) => early += iterations,
                (false, _) => spans.push(Span { from, to, iterations: iterations + std::mem::take(&mut early) }),
            }
        }
        spans
    }

    /// What was counted by a frame.
    fn counted(&self, frame: u64) -> Count {
        let behind = self.frames.partition_point(|seen| *seen <= frame);
        behind.checked_sub(1).map_or(self.now, |last| self.counts[last])
    }
}

/// A time with one number of iterations a frame.
struct Span {
    from: u64,
    to: u64,
    iterations: u64,
}

impl Span {
    fn rate(&self) -> f64 {
        (self.iterations as f64 / (self.to - self.from) as f64).min(MAX_ITERATIONS)
    }
}
