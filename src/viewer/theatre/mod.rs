//! Scores in the window: recorded while one explores, played, presented, and made into movies.
//!
//! ```text
//! Conduct ──► conducting ──► Desk: doing, time ──► playing ──► settings, actions ─► live; colours, selection, camera
//!                 │                                   └──► notes (terminal)
//!                 ├──► recording: what is seen, frame by frame ──► score::Recorder ──► Desk::score
//!                 ├──► files: the score, and the session that it begins with
//!                 └──► filming: `nevis record`, a process of its own
//! ```
//!
//! A movie of a score begins with the session that was saved beside it. In the window a score is played over the map
//! that is there: it goes on living while the score steers it.

mod conducting;
mod files;
mod filming;
mod notes;
mod playing;
mod recording;
#[cfg(test)]
mod tests;

pub(crate) use conducting::conduct;
pub(crate) use files::{Ground, is_score, read_score};
pub(crate) use filming::{Filming, frame_line, hear_filming};
pub(crate) use notes::{Notes, tell_notes};
pub(crate) use playing::{Player, play_score};
pub(crate) use recording::{Recording, write_down};
