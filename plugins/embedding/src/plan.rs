//! How long a batch run lasts.

use serde::{Deserialize, Serialize};

/// A batch run: a number of iterations at most, the last of them annealed.
///
/// A constant step keeps whatever noise there is alive; letting the step fall to zero takes it out. A live view has no
/// plan: it runs on, and settles when asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Iterations in all.
    pub iterations: u32,
    /// How many of them, at the end, the step falls to zero over.
    pub settle: u32,
}

/// Iterations of a set of [`USUAL`] rows. More spread the smallest neighbourhoods a little better, and cost as much again.
const ITERATIONS: f32 = 560.0;
const USUAL: f32 = 10_000.0;
/// Larger sets, whose points bear longer steps, take fewer, and smaller ones, which cost little, more: by this power of
/// their size …
const BY_SIZE: f32 = -0.4;
/// … within these bounds.
const FEWEST: f32 = 140.0;
const MOST: f32 = 1000.0;

impl Plan {
    /// A run of so many iterations.
    #[must_use]
    pub fn of(iterations: u32) -> Self {
        Self { iterations, settle: (f64::from(iterations) * 0.3) as u32 }
    }

    /// A run of the default length for a set of this many rows.
    #[must_use]
    pub fn for_rows(rows: usize) -> Self {
        let iterations = ITERATIONS * (rows as f32 / USUAL).powf(BY_SIZE);
        Self::of(iterations.clamp(FEWEST, MOST) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_more_is_at_most_one_iteration_less() {
        let iterations = |rows| Plan::for_rows(rows).iterations;
        assert_eq!((iterations(0), iterations(2), iterations(10_000), iterations(10_000_000)), (1000, 1000, 560, 140));
        assert!((250..265).contains(&iterations(70_000)));
        let mut last = iterations(1_000);
        for rows in 1_000..60_000 {
            let next = iterations(rows);
            assert!(next == last || next + 1 == last, "{rows} rows: {next} after {last}");
            last = next;
        }
    }
}
