//! Seeing more than three dimensions: frames that turn through them.
//!
//! A [`Frame`] says where each dimension of a position points in the picture. Its columns are orthonormal, so what is
//! seen is a shadow of the cloud, never a distortion of it. Frames come from chosen dimensions, from the axes the
//! window has now, or from the hand that drags the tip of one dimension ([`Frame::dragged`], the manual tour of Cook
//! and Buja). Between frames there are ways:
//!
//! - [`Path`] is the shortest way from one frame to another: it turns through the principal angles between what the two
//!   see and does not spin the picture in its own plane (Asimov; Buja and others). Where the very axes are wanted, it
//!   turns within the picture too ([`Arrival::Axes`]).
//! - [`GrandTour`] goes on for ever: a smooth random curve that comes to see everything equally often.
//! - [`GuidedTour`] goes where [`Classes`] of rows come apart, labels or a selection against the rest, and follows as
//!   the embedding moves. The goal is closed form (linear discriminants, then the widest directions that are left);
//!   [`separation`] is the figure that it makes largest.
//!
//! Speeds are radians per second of the distance that [`Frame::distance`] measures, and even: a tour neither hurries
//! nor jumps, whatever the frame rate. A step of no time changes nothing, to the bit. The same seed gives the same
//! tour; nothing here runs on more than one thread.
//!
//! # Cost
//! In 64 dimensions a step or a drag takes about 10 µs, a new target from 4 096 rows 4 to 10 ms (on one of two cores
//! that were busy with much else): the former belongs in every frame, the latter in a few of them each second.

mod classes;
mod discriminants;
mod error;
mod frame;
mod geodesic;
mod grand;
mod guided;
mod linalg;
mod manual;
mod path;
mod positions;
mod scatter;
mod speed;

pub use classes::Classes;
pub use discriminants::separation;
pub use error::TourError;
pub use frame::Frame;
pub use grand::GrandTour;
pub use guided::GuidedTour;
pub use path::{Arrival, Path};
pub use positions::Positions;
pub use speed::MAX_STEP;
