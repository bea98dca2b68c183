//! Stillness: whether a map has come to rest, so that nobody need go on computing it.
//!
//! Neighbours that are found and a layout that is at rest are two things: the layout may rest for a moment while the search
//! still finds nearer neighbours, which then pull. Only both together are an end.
//!
//! What is compared is the arrangement, not its size: clusters that nothing holds together drift apart for ever, slower and
//! slower, and the view follows them. And it is the mean of many moments: points that swing around their places rest.
//!
//! Measured once each (one seed, d = 2, defaults but for the blobs), by a program of its own with these limits: iterations
//! until rest, and the AUC (up to K = 300) then and after 10 000 iterations (blobs: 6 000):
//!
//! | | at rest after | AUC | AUC later |
//! |---|---:|---:|---:|
//! | six blobs, 300 rows | 2 800 | 0.661 | 0.661 |
//! | digits, 1 797 rows | 8 500 | 0.609 | 0.609 |
//! | optdigits, 5 620 rows | 7 400 | 0.536 | 0.537 |
//! | coil20, 1 440 rows | more than 10 000 | – | 0.714 |
//!
//! A limit of twice as much motion ends optdigits after 3 400 iterations, with an AUC of 0.533: too soon.

use crate::Statistics;

/// Iterations over which positions are averaged, at least, and in which they may move by so little.
const SPAN: u32 = 100;
/// Iterations between two moments of that mean.
const SAMPLE: u32 = 10;
/// Moments of a mean, at least: where positions have to be read back there are fewer in as many iterations.
const MOMENTS: u32 = SPAN / SAMPLE;
/// At rest, points have moved by less than this share of the size from one mean to the next (root mean square): a pixel in a
/// picture of a thousand …
const STILL: f64 = 1e-3;
/// … ln Z has changed by less than this …
const STEADY: f64 = 1e-2;
/// … and fewer points than this share still find nearer neighbours in the data …
const FOUND: f32 = 0.005;
/// … this many times in a row.
const LOOKS: u32 = 3;

/// What was seen of a run.
#[derive(Debug, Default)]
pub struct Stillness {
    /// Iterations at which the present span began, and at which it was last looked at.
    begun_at: u32,
    seen_at: Option<u32>,
    /// Sums over the moments of the span: their number, ln Z, positions.
    moments: u32,
    ln_z: f64,
    positions: Vec<f64>,
    before: Option<Mean>,
    /// Looks in a row at which nothing had moved.
    still: u32,
}

/// The mean of a span: ln Z, and positions around the origin, of size 1.
#[derive(Debug)]
struct Mean {
    ln_z: f64,
    shape: Vec<f64>,
}

impl Stillness {
    /// Iterations between two looks.
    pub const SAMPLE: u32 = SAMPLE;

    /// True if the map has come to rest.
    #[must_use]
    pub fn is_still(&self) -> bool {
        self.still >= LOOKS
    }

    /// Something has changed: whatever rested moves again.
    pub fn wake(&mut self) {
        *self = Self::default();
    }

    /// True if it is time for a look after this many iterations.
    #[must_use]
    pub fn is_due(&self, iteration: u32) -> bool {
        self.seen_at.is_none_or(|seen| iteration.saturating_sub(seen) >= SAMPLE)
    }

    /// Takes in a moment: `[points][stride]` positions.
    pub fn look(&mut self, statistics: &Statistics, positions: &[f32], stride: usize) {
        if self.seen_at.is_none() || self.positions.len() != positions.len() {
            *self = Self { begun_at: statistics.iteration, positions: vec![0.0; positions.len()], ..Self::default() };
        }
        self.seen_at = Some(statistics.iteration);
        self.moments += 1;
        self.ln_z += statistics.z.max(f64::MIN_POSITIVE).ln();
        self.positions.iter_mut().zip(positions).for_each(|(sum, &value)| *sum += f64::from(value));
        let elapsed = statistics.iteration.saturating_sub(self.begun_at);
        if elapsed >= SPAN && self.moments >= MOMENTS {
            self.end_span(statistics, stride, elapsed);
        }
    }

    fn end_span(&mut self, statistics: &Statistics, stride: usize, elapsed: u32) {
        let spans = f64::from(elapsed) / f64::from(SPAN);
        let mean = Mean { ln_z: self.ln_z / f64::from(self.moments), shape: shape(&self.positions, stride) };
        let unmoved = |before: &Mean| {
            let moved = before.shape.iter().zip(&mean.shape).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            let points = mean.shape.len() / stride;
            (moved / points as f64).sqrt() < spans * STILL && (mean.ln_z - before.ln_z).abs() < spans * STEADY
        };
        let holds = statistics.refinement_rate < FOUND && self.before.as_ref().is_some_and(unmoved);
        self.still = if holds { self.still + 1 } else { 0 };
        self.before = Some(mean);
        (self.begun_at, self.moments, self.ln_z) = (statistics.iteration, 0, 0.0);
        self.positions.fill(0.0);
    }
}

/// Positions around their centre, with a root mean square distance from it of 1.
fn shape(positions: &[f64], stride: usize) -> Vec<f64> {
    let points = (positions.len() / stride) as f64;
    let mean = |axis: usize| positions.iter().skip(axis).step_by(stride).sum::<f64>() / points;
    let centre: Vec<f64> = (0..stride).map(mean).collect();
    let mut shape: Vec<f64> =
        positions.iter().zip(centre.iter().cycle()).map(|(value, centre)| value - centre).collect();
    let size = (shape.iter().map(|value| value * value).sum::<f64>() / points).sqrt().max(f64::MIN_POSITIVE);
    shape.iter_mut().for_each(|value| *value /= size);
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at points on a circle for a number of iterations; one of them is somewhere else. Whether it rests.
    fn rests(iterations: u32, stray: impl Fn(u32) -> f32, scale: impl Fn(u32) -> f32, refinement_rate: f32) -> bool {
        let mut stillness = Stillness::default();
        for iteration in (0..=iterations).filter(|iteration| iteration % SAMPLE == 0) {
            assert!(stillness.is_due(iteration));
            let z = 1e5 / f64::from(scale(iteration)).powi(2);
            let statistics = Statistics { iteration, refinement_rate, z, ..Statistics::default() };
            let angle = |point: u16| f32::from(point).sin_cos();
            let mut positions: Vec<f32> = (0..50).map(angle).flat_map(|(sine, cosine)| [cosine, sine]).collect();
            positions[0] += stray(iteration);
            positions.iter_mut().for_each(|value| *value *= scale(iteration));
            stillness.look(&statistics, &positions, 2);
            assert!(!stillness.is_due(iteration + SAMPLE - 1));
        }
        stillness.is_still()
    }

    #[test]
    fn a_map_rests_when_nothing_has_moved_for_a_while_and_neighbours_are_found() {
        let (still, same) = (|_| 0.0, |_| 1.0);
        assert!(!rests(LOOKS * SPAN, still, same, 0.0), "too soon");
        assert!(rests((LOOKS + 1) * SPAN, still, same, 0.0));
        assert!(!rests(2000, still, same, 0.02), "neighbours are still being found");
        assert!(!rests(2000, |iteration| 2e-4 * iteration as f32, same, 0.0), "a point drifts");
        assert!(rests(2000, |iteration| 0.03 * (0.5 * iteration as f32).sin(), same, 0.0), "a point that swings rests");
        assert!(rests(2000, still, |iteration| 1.00001_f32.powi(iteration as i32), 0.0), "slow growth is rest");
        assert!(!rests(2000, still, |iteration| 1.001_f32.powi(iteration as i32), 0.0), "fast growth is none");
    }

    #[test]
    fn a_change_wakes_and_other_points_are_no_rest() {
        let statistics = |iteration| Statistics { iteration, z: 1e5, ..Statistics::default() };
        let positions: Vec<f32> = (0..40_u8).map(f32::from).collect();
        let mut stillness = Stillness::default();
        (0..=50).for_each(|look| stillness.look(&statistics(look * SAMPLE), &positions, 2));
        assert!(stillness.is_still());
        stillness.wake();
        assert!(!stillness.is_still() && stillness.is_due(0));
        for look in 0..=50 {
            stillness.look(&statistics(look * SAMPLE), &positions[..20 + 2 * (look as usize / 5)], 2);
        }
        assert!(!stillness.is_still(), "points came all the time");
    }
}
