//! The engine: FUnc-SNE, a neighbour embedding whose search for neighbours runs together with its gradient descent,
//! so that nothing ever restarts, in any dimension. (P. Lambert, M. Verleysen, J. A. Lee et al.)
//!
//! [`Engine`] is the whole interface: make one from data and [`Settings`], call [`Engine::step`] as often as you like,
//! read positions, neighbours and statistics in between, change any setting in between. [`Plan`] says how long a
//! batch run lasts.
//!
//! # What flows where
//!
//! Rows come in the caller's order and leave in it. Inside they lie in the order of a projection tree over the
//! shuffled rows: neighbours are near each other in memory, and every n-th point is a fair, even sample of all.
//!
//! ```text
//! Vectors ──layout──► Space ──project, propose, merge──► HD lists ──calibrate, symmetrise──► affinities
//!                       ▲                 ▲                                                       │
//!                    metric               │ candidates                                            ▼
//!                                    LD lists ◄──follow──  positions ◄──integrate── attract, repel (near, far)
//! ```
//!
//! One iteration runs the stages from left to right. Each is one file in [`cpu`], named as its GPU twin will be:
//!
//! | stage | reads | writes | what for |
//! |---|---|---|---|
//! | [`project`](cpu::project) | data | HD lists | start-up projections: rows that share a leaf of a random tree are compared |
//! | [`propose`](cpu::propose) | data, both lists | finds, inboxes | neighbours of neighbours, of either space, that are nearer |
//! | [`merge`](cpu::merge) | finds, inboxes | HD lists | a row is written only by its owner |
//! | [`calibrate`](cpu::calibrate) | HD lists | Gaussians | the width that gives each row its perplexity |
//! | [`symmetrise`](cpu::symmetrise) | HD lists, Gaussians | affinities | both directions of every pair in one sparse matrix |
//! | [`attract`](cpu::attract) | positions, affinities | pull, push | neighbours in the data |
//! | [`repel`](cpu::repel) | positions, LD lists, sample | push, Z | neighbours in the embedding exactly, the rest sampled |
//! | [`follow`](cpu::follow) | positions, LD lists, affinities | LD lists | lists that keep up with the motion |
//! | [`integrate`](cpu::integrate) | pull, push, Z | positions | momentum and one gradient step |
//!
//! Between two iterations rows may come, leave and change ([`Engine::insert`], [`remove`](Engine::remove),
//! [`update`](Engine::update)). Points are slots: one that is free is passed over by every stage, and is used again.
//!
//! | | reads | writes | what for |
//! |---|---|---|---|
//! | [`forget`](cpu::forget) | who left or changed | both lists | nobody names who is not there, distances stay true |
//! | [`arrive`](cpu::arrive) | data, HD lists | HD lists | a short search; new points start among their neighbours |
//!
//! The push is the paper's sum of three disjoint parts. A point's neighbours in the embedding are summed exactly; so
//! are its neighbours in the data that lie farther away; everything else is a sample, shared by a block of points
//! ([`far`](cpu::far)), that leaves out what lies within the exactly summed neighbourhood. Up to
//! [`EXACT`](cpu::far::EXACT) points the sample is everyone, and the push is exact.
//!
//! # What was measured
//!
//! mnist_70k_pca50, d = 2, 500 iterations, one seed; each line changes what it names:
//!
//! | | AUC | R_NX(10) |
//! |---|---:|---:|
//! | first version: perplexity 10, 16 LD neighbours, step 1, 750 iterations | 0.374 | 0.383 |
//! | 500 iterations, step 2 | 0.375 | 0.379 |
//! | perplexity 12 | 0.379 | 0.386 |
//! | step 4 | 0.389 | 0.382 |
//! | 24 LD neighbours | 0.390 | 0.389 |
//! | perplexity 15 (R_NX(100) 0.307 → 0.313, R_NX(1000) 0.408 → 0.419) | 0.388 | 0.389 |
//! | lists of 32 instead of 48 rows: less memory and time | 0.382 | 0.395 |
//! | for comparison: 256 far samples (perplexity 10, step 2) | 0.368 | 0.367 |
//! | for comparison: 4096 far samples (perplexity 12, step 2), 2.7 times the time | 0.392 | 0.394 |
//! | for comparison: momentum 0.9 (perplexity 10) | 0.365 | 0.363 |
//!
//! Points are held still until the lists have been through two passes: moved along the first, patchy lists, digits
//! lost large-scale order (R_NX(1000) 0.24 instead of 0.30 after 250 iterations of early exaggeration).
//!
//! # Determinism
//!
//! Same data, settings and machine give the same bits, for any number of threads: random numbers are a hash of
//! (seed, iteration, point, draw), sums run in a fixed order, and where threads meet (inboxes, reverse rows) the
//! outcome does not depend on who comes first.

pub mod affinities;
pub mod change;
pub mod cpu;
pub mod descent;
mod engine;
pub mod lists;
pub mod living;
mod plan;
pub mod random;
pub mod search;
mod settings;
mod squeeze;
pub mod start;

pub use engine::{Engine, EngineError, Statistics, Timings};
pub use plan::Plan;
pub use settings::{Init, Settings, SettingsError};
pub use squeeze::{SQUEEZE, Squeeze};
