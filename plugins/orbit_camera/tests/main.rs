//! What the camera promises: its maths, its live behaviour, and its manners beside an interface.
#![expect(clippy::unwrap_used, reason = "tests")]

mod follow;
mod hands;
mod interface;
mod moves;
mod pose;
mod support;
