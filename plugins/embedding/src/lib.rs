//! The engine: FUnc-SNE, a neighbour embedding whose search for neighbours runs together with its gradient descent.
pub mod cpu;
mod descent;
mod engine;
pub mod lists;
pub mod random;
mod plan;
mod search;
mod settings;
mod start;

pub use engine::{Engine, EngineError, Statistics, Timings};
pub use plan::Plan;
pub use settings::{Init, Settings, SettingsError};
