//! Which point is seen at a pixel: as it is drawn, at any size, with what covers what.
//!
//! - [`Looker`] answers at once, for positions in main memory; also which points are seen at all, and where.
//! - [`PickPoint`] asks the GPU, for positions in a buffer there; [`PointPicked`] answers some frames later.
//!
//! Both follow what is drawn, not an idea of it: spheres have a depth of their own at each pixel, splats tell only so many
//! depths apart, and of points as near the one drawn last is seen. Rims and rings are no points: what is picked there is
//! what would be seen without them.

mod gpu;
mod look;
mod round;

pub(crate) use gpu::{
    PICK_BYTES, PickRequests, Replies, answer_picks, extract_picks, map_picks, pick_points, start_picks,
};
pub use gpu::{PickPoint, PointPicked};
pub use look::{Looker, Picked};
