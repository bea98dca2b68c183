//! The frame budget: how many iterations the next frame records, from the time that the last ones took.

use std::time::Duration;

/// Most iterations of one frame: more gain nothing, and a change of settings would wait for them.
pub const MOST: u32 = 256;
/// Weight of the newest measurement.
const SMOOTHING: f64 = 0.3;
/// How much faster one frame may get than the last: a first guess must not hang the display.
const GROWTH: u32 = 2;

/// Holds the time of a frame near its target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    target: Duration,
    seconds_per_iteration: Option<f64>,
    iterations: u32,
}

impl Budget {
    /// A budget of so much GPU time a frame. Drivers give up on submissions of several seconds: stay far below.
    #[must_use]
    pub fn of(target: Duration) -> Self {
        Self { target, seconds_per_iteration: None, iterations: 1 }
    }

    /// Another target, from the next frame on.
    pub fn set_target(&mut self, target: Duration) {
        self.target = target;
    }

    /// Iterations for the next frame: at least one.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Takes note of what a frame of so many iterations took.
    pub fn measured(&mut self, iterations: u32, took: Duration) {
        if iterations == 0 {
            return;
        }
        let newest = took.as_secs_f64() / f64::from(iterations);
        let known = self.seconds_per_iteration.map_or(newest, |known| known + SMOOTHING * (newest - known));
        self.seconds_per_iteration = Some(known);
        // A frame that took far too long counts at once, not smoothed.
        let cost = if newest > 2.0 * known { newest } else { known };
        let fitting = (self.target.as_secs_f64() / cost.max(1e-9)).floor();
        let most = self.iterations.saturating_mul(GROWTH).min(MOST);
        self.iterations = (fitting.min(f64::from(most)) as u32).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(per_iteration: Duration) -> Budget {
        let mut budget = Budget::of(Duration::from_millis(10));
        for _ in 0..30 {
            budget.measured(budget.iterations(), per_iteration * budget.iterations());
        }
        budget
    }

    #[test]
    fn frames_fill_their_target() {
        assert_eq!(settled(Duration::from_millis(1)).iterations(), 10);
        assert_eq!(settled(Duration::from_millis(100)).iterations(), 1);
        assert_eq!(settled(Duration::from_nanos(10)).iterations(), MOST);
    }

    #[test]
    fn growth_is_gradual_and_a_shock_is_felt_at_once() {
        let mut budget = Budget::of(Duration::from_millis(10));
        budget.measured(1, Duration::from_micros(1));
        assert_eq!(budget.iterations(), 2);
        let mut budget = settled(Duration::from_millis(1));
        budget.measured(10, Duration::from_millis(1000)); // the settings grew tenfold
        assert_eq!(budget.iterations(), 1);
    }
}
