//! Draws clouds of points: up to millions of them, straight from a buffer of positions on the GPU.
//!
//! - [`PointCloud`] says where the points are and how each of them looks; [`PointSettings`] how all of them look.
//! - A camera with [`PointCamera`] sees them ([`camera_bundle`]): spheres in space, discs on a flat map.
//! - [`Looker`] and [`PickPoint`] tell which point is seen at a pixel.
//! - [`picture`] takes pictures of what a camera sees, at any size, and writes them as PNG.
//!
//! A frame, per camera: `draw_points` draws one triangle per point in a fixed random order, so that no colour covers
//! another for being later in the file, and a prefix of the order is a fair sample; `light_points` darkens points beside
//! nearer ones (eye-dome lighting) and lets distant ones fade; `mark_points` draws rings around highlighted ones.
//!
//! ```text
//! main world    PointCloud, PointSettings, cameras
//!    │ extract  Arcs and counters of generations; nothing is copied
//! render world  prepare_buffers → prepare_views → Core3d: draw_points → light_points → mark_points → pick_points
//! ```

mod buffers;
mod camera;
mod centre;
mod cloud;
mod draw;
mod eye;
mod native;
mod order;
mod pick;
pub mod picture;
mod pipelines;
mod plugin;
mod settings;
pub mod shaders;
mod splat;
mod srgb;
mod view;

pub use buffers::ExternalPositions;
pub use camera::{PointCamera, PointFocus, PointScale, Transparent, camera_bundle};
pub use cloud::{Axes, MAX_DIMS, PointCloud, Positions, flags};
pub use eye::Eye;
pub use native::RepaintPace;
pub use order::{draw_order, extend_order};
pub use pick::{Looker, PickPoint, Picked, PointPicked};
pub use plugin::{PointSystems, PointsPlugin};
pub use settings::{Background, PointSettings, SizeUnits};
pub use view::{DrawPath, is_software};
