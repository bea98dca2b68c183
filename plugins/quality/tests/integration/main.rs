//! Quality figures against plain versions of themselves, known values, and each other.
#![allow(clippy::unwrap_used, reason = "tests")]

mod evaluate;
mod known_values;
mod labels;
mod live;
mod naive;
mod neighbours;
mod per_point;
mod ties;
mod timing;
mod tree;
mod trust;
