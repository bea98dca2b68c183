//! Scores as their users meet them: files, errors, motion, takes.

#![allow(clippy::unwrap_used, reason = "tests")]

mod edits;
mod errors;
mod film;
mod motion;
mod random;
mod recorder;
mod round_trip;
mod takes;
