//! A running embedding as an application sees it: begun, steered, paused, watched, by polling alone.
#![allow(clippy::unwrap_used, reason = "tests")]

mod actions;
mod begin;
mod device;
mod lists;
mod pace;
mod rest;
mod settings;
mod support;
mod watch;
