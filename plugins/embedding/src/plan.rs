//! How long a batch run lasts.

use crate::settings::SMALL;
use serde::{Deserialize, Serialize};

/// A batch run: so many iterations, the last of them annealed.
///
/// Sampling leaves noise in the positions that a constant step keeps alive; letting the step fall to zero takes it
/// out. A live view has no plan: it runs on, and settles when asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Iterations in all.
    pub iterations: u32,
    /// How many of them, at the end, the step falls to zero over.
    pub settle: u32,
}

impl Plan {
    /// A run of so many iterations.
    #[must_use]
    pub fn of(iterations: u32) -> Self {
        Self { iterations, settle: iterations * 3 / 5 }
    }

    /// A run of the default length for a set of so many rows.
    #[must_use]
    pub fn for_rows(rows: usize) -> Self {
        Self::of(if rows < SMALL { 1000 } else { 500 })
    }
}
