//! Movies: a score is played frame by frame, with fixed time and iterations for each, however slow the machine is.
//!
//! ```text
//! score ──► performance: settings, actions ─► engine ─► positions ─┐
//!                └────► view, colours, selection, caption ─────────┴─► studio ─► pixels ─► caption ─► movie (thread)
//! ```

mod captions;
mod performance;
mod stations;

pub use captions::Captions;
pub use performance::Performance;
pub use stations::station;
