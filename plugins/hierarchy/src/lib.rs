//! The hierarchy of a data set: how its clusters part as the tails of the embedding grow heavier.
//!
//! An embedding in a few more dimensions than can be seen (four, say) is run with α lowered slowly; snapshots on the
//! way are clustered by DBSCAN, and clusters of adjacent levels that share rows are joined. (P. Lambert, M. Verleysen,
//! J. A. Lee et al., FUnc-SNE.)
//!
//! ```text
//! Embed ──lower α, run──► snapshots ──DBSCAN──► Levels ──overlaps──► Hierarchy ─┬─ json, graphml, table
//!         (grow)                      (level)            (graph)                ├─ purity, separation  (classes)
//!                                                                               └─ Layout              (layout)
//! ```
//!
//! [`grow`] does all of it with anything that can [`Embed`]; [`Hierarchy::new`] starts from [`Level`]s that are there
//! already. [`Layout`] puts the nodes on rings around the whole data set.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod classes;
mod engine;
mod error;
mod export;
mod graph;
mod graphml;
mod grow;
mod json;
mod layout;
mod level;
mod options;
mod overlap;
#[cfg(test)]
mod support;

pub use classes::{Classes, Label, Leaf};
pub use error::{ExportError, GrowError, HierarchyError};
pub use export::Extras;
pub use graph::{Edge, Hierarchy, Node, ROOT};
pub use graphml::to_graphml;
pub use grow::{Embed, Progress, grow};
pub use json::to_json;
pub use layout::{Layout, Place};
pub use level::Level;
pub use options::HierarchyOptions;
