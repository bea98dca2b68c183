//! Frames in, a movie file out: MP4, GIF, APNG, or a folder of numbered PNGs.
//!
//! ```text
//! Movie::create ─ checks everything that can be wrong before the first frame   (options, kind)
//!   push ──────── hands a frame to the thread that encodes, at most three behind (movie)
//!   │               ├ mp4     H.264 at a constant quality, keyframes every two seconds
//!   │               ├ gif     a palette per frame, only what changed
//!   │               ├ apng    lossless, only what changed
//!   │               └ frames  lossless, a file per frame
//!   finish ────── ends the file and puts it in place in one step                (target)
//! read_metadata ─ what was stored beside the pictures: the recipe of the movie  (metadata)
//! ```
//!
//! # What is promised
//! - The file at the path is untouched until [`Movie::finish`] succeeds; a movie that fails or is dropped leaves none.
//! - Frame `i` is shown at `i / fps` seconds, exactly in MP4 and APNG, within a hundredth of a second in GIF.
//! - The same frames and options give the same bytes.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod change;
mod encoders;
mod error;
mod kind;
mod metadata;
mod movie;
mod options;
mod target;

pub use error::MovieError;
pub use kind::MovieKind;
pub use metadata::read_metadata;
pub use movie::{FRAMES_BEHIND, Movie, MovieSummary};
pub use options::{MAX_FPS, MAX_QUALITY, MovieOptions};
