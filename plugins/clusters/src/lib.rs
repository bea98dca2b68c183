//! Clusters of points in an embedding.
//!
//! [`dbscan`] finds them all: points in the same dense region share a label, points in none are [`NOISE`].
//! [`Grower`] finds the one around a point, again and again with other radii. How near is near comes from the data
//! ([`typical_radius`]) unless it is told.
//!
//! Both work on places, the positions that differ (`places`): rows that coincide are one place with their number as
//! its weight, so that duplicates and imploded maps cost nothing. The places stand in a tree of boxes (`tree`) that
//! answers which are near in any number of dimensions; `quality::EmbeddingTree` stops at four, and lists every row
//! within a radius where counting would do. The distance from each place to its `min_points`-th row
//! (`density`) depends on positions only and says at any radius who is a core point; what remains is to connect the
//! core points (`connect`).
//!
//! Results depend neither on the number of threads nor on the order of the rows: components of a graph are what they
//! are in whatever order its edges come, and everything that could tie is decided by positions.
//!
//! # Cost
//! In up to about 4 dimensions time grows a little faster than the number of rows, whatever the radius. Boxes exclude
//! less and less beyond, down to exact distances between all pairs in many dimensions without structure: rows² × dims
//! steps, in blocks and in parallel. 70 000 rows of 64 values took three minutes on two cores that were busy with much
//! else.

mod connect;
mod dbscan;
mod density;
mod error;
mod forest;
mod grower;
mod options;
mod places;
mod positions;
mod sweep;
mod tree;

pub use dbscan::{Clusters, NOISE, dbscan};
pub use density::typical_radius;
pub use error::ClusterError;
pub use grower::Grower;
pub use options::ClusterOptions;
pub use positions::Positions;
