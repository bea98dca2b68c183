//! The native stages: the production path where there is no hardware GPU, and the oracle of the GPU stages.

pub mod arrive;
pub mod attract;
pub mod calibrate;
pub mod decide;
pub mod far;
pub mod follow;
pub mod forces;
pub mod forget;
pub mod integrate;
pub mod lanes;
pub mod merge;
pub mod project;
pub mod propose;
pub mod repel;
pub mod symmetrise;
mod wide;
