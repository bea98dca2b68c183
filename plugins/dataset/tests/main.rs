//! What the loader and the writer promise, tried on files of every kind.
#![allow(clippy::unwrap_used, reason = "tests")]

mod damage;
mod errors;
mod formats;
mod info;
#[cfg(target_os = "linux")]
mod memory;
mod more;
mod rows;
mod shared_data;
mod support;
mod writing;
