//! Scores as their users meet them: files, errors, motion, takes.

#![allow(clippy::unwrap_used, reason = "tests")]

mod edits;
mod errors;
mod motion;
mod random;
mod round_trip;
mod takes;
