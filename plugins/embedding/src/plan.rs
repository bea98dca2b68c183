//! How long a batch run lasts.

use crate::settings::between;
use serde::{Deserialize, Serialize};

/// A batch run: so many iterations at most, the last of them annealed.
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

/// Iterations of small and of large sets. More spread the smallest neighbourhoods a little better, and cost as much again.
const ITERATIONS: (f32, f32) = (420.0, 190.0);

impl Plan {
    /// A run of so many iterations.
    #[must_use]
    pub fn of(iterations: u32) -> Self {
        Self { iterations, settle: (f64::from(iterations) * 0.3) as u32 }
    }

    /// A run of the default length for a set of so many rows.
    #[must_use]
    pub fn for_rows(rows: usize) -> Self {
        Self::of(between(rows, ITERATIONS) as u32)
    }
}
