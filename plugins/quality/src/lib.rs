//! How faithful an embedding is to its data, and how complete a neighbour graph is.
//!
//! [`evaluate()`] compares the neighbourhoods of a sample of points in the data (HD) and in the embedding (LD):
//! the curve R_NX(K) and its area, trustworthiness, continuity, k-NN recall and the rank correlation of distances.
//! [`per_point()`] gives two figures for every point, to colour by. [`LabelTest`] measures how well classes can be told
//! apart in any representation of the rows, data or embedding. [`exact_neighbours`] and [`recall`] check a neighbour
//! graph against brute force.
//!
//! For an embedding that moves while its data stays, the data's side is computed once and the embedding's side again
//! and again: [`LiveQuality`] measures the curve, [`DistanceTrust`] and [`Trust`] the points. [`EmbeddingTree`] and
//! [`embedding_neighbours`] find what is near in the embedding. All of these take raw positions as they come from the
//! engine, also such as are not finite.
//!
//! Every figure rests on exact distances from the queries to all rows. Blocks of queries share one pass over the rows
//! (`scan`), the nearest are kept on the way (`nearest`), and everything that is summed is an integer, or summed in the
//! order of the rows, so that results do not depend on the number of threads.
//!
//! # Ties
//! Rows at the same distance have no order, and data with many duplicate rows is full of them. Ranks break ties at
//! random (seeded), **independently in HD and LD** and anew for every query: one shared rule would make the same
//! arbitrary choice in both spaces and report agreement where there is nothing to agree on, while row order would
//! favour an embedding whose rows happen to be stored alike. So R_NX, trustworthiness and continuity are what random
//! tie-breaking gives on average: within a group of duplicates they are at chance level, whatever the embedding does,
//! and an embedding of data with duplicates cannot reach 1. Measures of membership rather than order (k-NN recall,
//! neighbourhood kept, recall of a graph) count any neighbour as close as the k-th nearest, so there duplicates cost
//! nothing; [`Trust`] alone has lists without distances and counts what is listed.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod curve;
mod error;
mod evaluate;
mod labels;
mod live;
mod nearest;
mod neighbours;
mod per_point;
mod points;
mod positions;
mod random;
mod ranking;
mod scan;
mod spearman;
mod table;
mod tally;
mod tree;
mod trust;

pub use error::QualityError;
pub use evaluate::{EvaluateOptions, Evaluation, evaluate};
pub use labels::{LabelFigures, LabelOptions, LabelTest};
pub use live::{LiveCurve, LiveOptions, LiveQuality};
pub use neighbours::{exact_neighbours, recall};
pub use per_point::{PerPoint, PerPointOptions, per_point};
pub use tree::{EmbeddingTree, embedding_neighbours};
pub use trust::{DistanceTrust, TRUST_NEIGHBOURS, TRUST_REFERENCES, TRUST_SEED, Trust, TrustKind};

/// Called with (done, total) as work proceeds, from any thread.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Asked now and then, from any thread, whether the work is still wanted: `true` ends it.
pub type Cancelled<'a> = &'a (dyn Fn() -> bool + Sync);
