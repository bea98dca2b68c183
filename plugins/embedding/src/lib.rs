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
//! | [`scan`](cpu::scan) | data | HD lists | the same natively for Euclidean and angular metrics: rows and whole [cells](cpu::cells) are compared, in [tiles](cpu::tile) |
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
//! In up to three dimensions the push comes from a tree over the embedding ([`field`](cpu::field)): leaves next to each
//! other pair by pair, everything else from cell to cell. In more dimensions, and on the GPU, it is the paper's sum of
//! three parts: neighbours in the embedding and neighbours in the data by name, everybody else by a sample shared by a
//! block of points ([`far`](cpu::far)), from which those named are taken off: unbiased, however old the lists are. Up to
//! [`EXACT`](cpu::far::EXACT) points that sample is everyone.
//!
//! # What was measured
//!
//! mnist_70k_pca50, d = 2, one seed, R_NX at K = 1, 3, 10, 30, 100, 300, 1000:
//!
//! | | AUC | R_NX |
//! |---|---:|---|
//! | openTSNE 1.0.4, 750 iterations | 0.374 | .347 .401 .390 .356 .346 .375 .435 |
//! | sampled push, perplexity 15, 500 iterations | 0.389 | –, –, .391, –, .318, –, .417 |
//! | tree, perplexity 30, momentum 0.95, 440 iterations | 0.373 | .337 .404 .387 .351 .346 .374 .440 |
//! | momentum 0.95, 300 iterations | 0.350 | .275 .344 .358 .346 .348 .379 .442 |
//! | momentum 0.97, 270 iterations, lists of 96 | 0.369 | .328 .404 .389 .347 .340 .373 .438 |
//! | the same, lists of 40 and a sample beyond | 0.373 | .348 .406 .385 .350 .340 .373 .438 |
//! | the same, perplexity 32 | 0.375 | .357 .407 .388 .354 .344 .373 .439 |
//! | perplexity 33, lists of 56, exaggeration for at most 65 iterations, 257 in all: the defaults | 0.378 | .370 .414 .388 .353 .342 .372 .439 |
//!
//! Momentum is what makes a map grow: with more of it the same map is there in half the iterations. Maps that grow
//! further keep more of the smallest neighbourhoods and less of those of a hundred rows, whatever made them grow.
//! Started from the map of a sample (an eighth of the rows, 300 iterations, the others put beside their nearest), 180
//! iterations keep .296 .353 .364 .348 .346 .375 .438: large neighbourhoods as well as without, small ones worse than
//! as many iterations with more momentum do.
//!
//! What comes from afar is looked at every few iterations, and small weights pull in turns (`Affinities::turn`).
//! tasic2018, with neither, with turns, with both: .399 .486 .514 .563 .644 .708 .663, .406 .486 .515 .564 .642 .709
//! .664, .394 .484 .517 .564 .644 .711 .663. At every third iteration, however fast points move, what comes from afar is
//! too old while the map unfolds: .386 .482 .515 .563 .641 .702 .652.
//!
//! A faint spring to the principal axes ([`Settings::spring`]) keeps the large-scale order of small sets, which is a matter
//! of chance otherwise: R_NX(1000) of coil20, digits, isolet, tasic2018, letter by 0.020, 0.008, 0.006, 0.005, 0.000
//! higher at 0.001, R_NX(1) by 0.002 higher to 0.008 lower. Pulling in the early iterations alone, at any strength, did not.
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
pub mod dense;
pub mod descent;
mod embedder;
mod engine;
mod error;
mod finder;
mod frugal;
pub mod lists;
pub mod living;
mod plan;
pub mod random;
mod rest;
pub mod search;
mod settings;
mod squeeze;
pub mod start;
mod stillness;
mod strain;
pub mod ties;

pub use embedder::{Action, Embedder, RunError};
pub use engine::{BURST, Engine, Statistics, Timings};
pub use error::EngineError;
pub use finder::Finder;
pub use plan::Plan;
pub use settings::{Init, Settings, SettingsError};
pub use squeeze::{SQUEEZE, Squeeze};
pub use stillness::Stillness;
pub use strain::Strain;
