//! What makes a group of rows A differ from a group B: the rest of the table, or another selection.
//!
//! ```text
//! explain ─ composition ── categorical columns: shares, lifts, Cramér's V
//!         ├ columns ────── numeric columns: means, Cohen's d, AUC            (moments, ranks, effect)
//!         ├ components ─── the same of the vectors' components               (moments, ranks, effect)
//!         ├ axis ───────── both groups on the line through their means, and the row nearest to each mean
//!         │  └ histogram ─ the counts along it
//!         │     └ dip ──── whether the counts show a gap between the groups, deeper than chance makes one
//!         └ cohesion ───── how many neighbours in the data stay inside a group
//! ```
//!
//! Figures describe; they test nothing. A group that was chosen for being apart differs by choice, so no p-values are
//! given: only sizes of differences, and a dip that must stand out from the noise of counting.
//!
//! # Missing values
//! Null, NaN and infinite values are left out column by column, and counted: shares and means are of what is there.
//!
//! # Threads
//! Sums run over blocks of fixed size that are added in the order of rows, so that nothing depends on the number of
//! threads.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod axis;
mod cohesion;
mod columns;
mod components;
mod composition;
mod data;
mod dip;
mod effect;
mod error;
mod explain;
mod groups;
mod histogram;
mod moments;
mod quantile;
mod ranks;
#[cfg(test)]
mod support;
mod tables;

pub use columns::Skipped;
pub use components::MAX_RANKED;
pub use composition::{Composition, MAX_CATEGORIES, OTHER, Share};
pub use data::Data;
pub use dip::Dip;
pub use effect::Effect;
pub use error::ExplainError;
pub use explain::{Explanation, explain};
pub use groups::Groups;
pub use histogram::{AxisHistogram, MAX_BINS, MIN_BINS, axis_histogram};

/// Asked now and then, from any thread, whether the work is still wanted: `true` ends it.
pub type Cancelled<'a> = &'a (dyn Fn() -> bool + Sync);
