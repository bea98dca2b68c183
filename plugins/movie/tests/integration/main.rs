//! Movies as they come out: written, read back by other code than wrote them, and compared with their frames.

#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

mod decode;
mod ffmpeg;
mod overlap;
mod quality;
mod replace;
mod round_trip;
mod support;
