//! Every stage of the engine against a plain version of itself, and the floors of search and quality.

mod calibrate;
mod expectation;
mod follow;
mod forces;
mod gradient;
mod integrate;
mod merge;
mod project;
mod propose;
mod quality_floor;
mod search_floor;
mod stability;
mod support;
mod symmetrise;
