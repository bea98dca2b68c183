//! What a row is and how far apart two rows are.
//!
//! [`Vectors`] is the one matrix of the program: row-major `f32`, rows padded with zeros to whole SIMD lanes.
//! [`Space`] is that matrix together with a [`Metric`]; the [`kernel`] module holds one SIMD kernel per metric and
//! [`kernel::dispatch`] picks kernel and instruction set once per block of work, never once per pair.
//! [`pca`] finds leading principal axes, [`standardize()`] scales columns.
//!
//! Distances are always *squared*, `D = δ²`, whatever the metric: that is what the Gaussian of the paper takes, and
//! it ranks as `δ` does.

pub mod kernel;
mod matrix;
mod metric;
pub mod pca;
mod space;
mod standardize;

pub use matrix::{LANES, Vectors};
pub use metric::Metric;
pub use space::{Row, Space};
pub use standardize::{Standard, standardize};
