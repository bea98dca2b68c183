//! The native stages: the production path where there is no hardware GPU, and the oracle of the GPU stages.

pub mod arrive;
pub mod attract;
pub mod best;
pub mod calibrate;
pub mod cells;
pub mod decide;
pub mod deliver;
pub mod far;
pub mod field;
pub mod follow;
pub mod forces;
pub mod forget;
pub mod integrate;
pub mod lanes;
pub mod merge;
pub mod mutual;
pub mod project;
pub mod propose;
pub mod reach;
pub mod repel;
pub mod scan;
pub mod symmetrise;
pub mod tie;
pub mod tile;
mod wide;
pub mod widen;
