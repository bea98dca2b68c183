//! The engine's stages on the GPU: WGSL compute passes in Bevy's render graph.

pub mod adapter;
pub mod budget;
pub mod command;
pub mod engine;
pub mod error;
pub mod headless;
pub mod params;
pub mod pipelines;
pub mod plugin;
pub mod readback;
pub mod record;
pub mod run;
pub mod shaders;
pub mod shape;
pub mod stage;
pub mod tree;

pub use adapter::{AdapterSummary, OpenAdapter};
pub use error::GpuError;
pub use headless::GpuEngine;
pub use plugin::GpuEnginePlugin;
