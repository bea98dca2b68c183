//! Tours keep what they promise: orthonormal, even, without jumps, and they get where they are going.
#![allow(clippy::unwrap_used, reason = "tests")]

mod degenerate;
mod frame;
mod grand;
mod guided;
mod manual;
mod path;
mod support;
