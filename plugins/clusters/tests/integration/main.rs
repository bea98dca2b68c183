//! Clusters against a plain version of themselves, on real embeddings, and on maps that have gone wrong.
#![allow(clippy::unwrap_used, reason = "tests")]

mod agreement;
mod degenerate;
mod digits;
mod grow;
mod naive;
mod refusal;
mod scenes;
mod timing;
