//! The program from outside: what is typed, what is printed, what is written. One binary, so that it links once.
#![allow(clippy::unwrap_used, reason = "tests")]

mod app;
mod architecture;
mod cluster;
mod edge_cases;
mod embed;
mod errors;
mod evaluate;
mod experiment;
mod gpu;
mod gpu_quality;
mod headless;
mod hierarchy;
mod info;
mod interrupt;
mod into;
mod neighbours;
mod quality_floors;
mod recipe;
mod record;
mod render;
mod shell;
mod support;
mod window;
