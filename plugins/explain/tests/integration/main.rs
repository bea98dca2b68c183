//! Explanations against SciPy and pandas, data with known answers, and each other.
#![allow(clippy::unwrap_used, reason = "tests")]

mod axis;
mod promises;
mod reference;
mod support;
mod timing;
