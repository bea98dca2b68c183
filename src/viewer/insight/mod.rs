//! What the user asks about points and selections, answered from the table: values, pictures, searches, clusters,
//! comparisons, and embedding a selection alone.

mod branching;
mod clustering;
mod diving;
mod explaining;
mod pictures;
mod rows;
mod searching;

pub(crate) use branching::Branching;
pub(crate) use clustering::Clustering;
pub(crate) use diving::{Level, Levels};
pub(crate) use explaining::Explaining;
pub(crate) use pictures::{ImageShape, RowPictures};

pub(crate) use branching::{grow_hierarchy, serve_hierarchy, tell_hierarchy};
pub(crate) use clustering::{find_clusters, put_categories, put_column};
pub(crate) use diving::{dive_and_rise, gathered};
pub(crate) use explaining::explain_selection;
pub(crate) use rows::describe_rows;
pub(crate) use searching::{select_categories, select_found};
