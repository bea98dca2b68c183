//! The engine's stages on the GPU: WGSL compute passes, scheduled as ordinary systems in Bevy's render graph, working
//! in place on buffers that a renderer can draw from.
//!
//! [`GpuEnginePlugin`] is the plugin; [`command::GpuEmbedding`] is how the main world talks to it. [`GpuEngine`] is the
//! same plugin in an app without a window, with the interface of [`embedding::Engine`].
//!
//! # What flows where
//!
//! ```text
//! main world                     render world
//! GpuEmbedding ──Extract──► Engine ──Prepare──► Run: buffers, bind groups, Params
//!      ▲                                            │ RenderGraph, before the cameras
//!      │                                            ▼
//!      │             change ─► n × EngineIteration ─► measure ─► submit ─► (cameras draw positions)
//!      │                       search ─► affinities ─► forces ─► integrate
//!      └──────── Report ◄── receive ◄── mapped copies ◄── map_back (after the submission)
//! ```
//!
//! - [`stage`] is the table of all stages: shader, entry point, buffers, what it is specialised by. [`shape`], [`tree`]
//!   and [`cost`] are pure: bytes of every buffer, dispatches of a projection tree, bytes and operations of a stage.
//! - [`run`] owns the buffers and knows what a change of settings touches: a new perplexity only raises a number that
//!   rows compare theirs with; a new metric uploads the rows and measures the lists again; longer lists, other
//!   dimensions are copied over by a stage of `shaders/change`. α, factors and the step are numbers in a uniform.
//! - [`record`] records the passes. An iteration asks nothing of the host: Z, the rate of refinement and the decisions
//!   live in `Control`, and `decide` writes the arguments of indirect dispatches, zero where there is nothing to do.
//! - The push is sampled in any number of dimensions: natively a tree sums it in up to three. The sample is right on
//!   average whatever points the lists of neighbours in the embedding name, so where they have fallen behind it is only noisier.
//! - The middle of the embedding is brought back to the origin every [`run::RECENTRED_EVERY`] iterations (natively with
//!   every move), and a map that has no resting size is kept within bounds there.
//! - [`budget`] chooses how many iterations a frame records, from the GPU's own clock.
//! - [`readback`] brings the state back every frame, and buffers on request, without waiting.
//!
//! # Why it comes out the same every time
//!
//! A row is written only by its owner. Where threads meet, the outcome does not depend on who comes first: inboxes keep
//! the smallest distance and then the smallest point, rows of the affinities are sorted after they were filled, sums
//! run in a fixed order, and there are no float atomics. Random numbers are a hash of (seed, iteration, point, draw).
//!
//! # What it should cost
//!
//! Bytes and operations of each stage for a point and an iteration, by [`cost`], for 1 000 000 rows of 48 columns in two
//! dimensions (lists of 32 and 24, 976 far samples), and what a card of 500 GB/s and 10 TFLOP/s would need:
//!
//! | stage | bytes | flops | ms | when |
//! |---|---:|---:|---:|---|
//! | repel | 515 | 18 018 | 1.80 | every iteration |
//! | attract | 840 | 1056 | 1.68 | every iteration |
//! | follow, apply | 248 | 48 | 0.50 | every iteration |
//! | integrate | 68 | 22 | 0.14 | every iteration |
//! | propose, for each of 65 536 points | 53 608 | 38 304 | 7.03 | iterations that refine; the worst case, all entries new |
//! | merge | 456 | 0 | 0.91 | iterations that refine |
//! | end_pass | 264 | 0 | 0.53 | once a pass |
//! | calibrate | 168 | 768 | 0.34 | when affinities are refreshed |
//! | symmetrise: count, scan, fill, sort | 2744 | 192 | 5.49 | when affinities are refreshed |
//! | project | 8428 | 6912 | 16.9 | twelve times at the start |
//!
//! So a settled run of a million points should take 4.1 ms an iteration, half of it gathering neighbours: 240 iterations
//! a second, or two a frame in half of a 60 Hz frame. `cargo bench --bench gpu` measures each stage and the adapter's own
//! copies, and says how near they come. On the software renderer that the tests use it says nothing about a card.
//!
//! Lists lie row by row, not place by place: the search reads rows of others, which then are one or two cache lines.
//!
//! # Living data
//!
//! Points are slots; one that is free is marked so, and stages pass over it ([`params::marks`]). Buffers have room for
//! more points than there are once the first have come: they grow by half, and what points have is copied over on the
//! GPU. [`rows`] turns rows that come, leave, change or are held into a [`Change`](command::Change), a list of points and
//! marks; [`run`] has the stages `mark`, `forget`, `arrive`, `introduce`, `merge`, `calibrate` and `seat` do it before
//! the next iteration. All points of one change are searched for at once: each looks at the 63 that share its workgroup,
//! at a sample and at what it meets on its way, offers itself to those it has found, and refinement finds the rest.
//! Natively affinities are patched; here they are refreshed with the next iteration, by stages that are there anyway.
//! Host memory holds the data twice from the first change on: for the caller and for the run.
//!
//! # Losing the device
//!
//! Everything on the GPU is made in `RenderStartup`, which Bevy runs again for a new device. The run itself is gone then;
//! [`GpuEngine`] loads it again from the positions it read back last and goes on counting from there.

pub mod adapter;
pub mod bandwidth;
pub mod budget;
pub mod command;
pub mod cost;
pub mod engine;
pub mod error;
pub mod headless;
pub mod params;
pub mod pipelines;
pub mod plugin;
pub mod readback;
pub mod record;
pub mod rows;
pub mod run;
pub mod shaders;
pub mod shape;
pub mod stage;
pub mod tree;

pub use adapter::{AdapterSummary, OpenAdapter};
pub use error::GpuError;
pub use headless::GpuEngine;
pub use plugin::GpuEnginePlugin;
