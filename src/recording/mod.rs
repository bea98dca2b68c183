//! Movies: a score is played frame by frame, with fixed time and iterations for each, however slow the machine is.
//!
//! ```text
//! files, session ─► opening ─┐
//! score ──► performance: settings, actions ─► engine ─► positions ─┐
//!                └────► view, colours, selection, labels, caption ─┴─► studio ─► pixels ─► letters ─► movie
//! main thread: a frame ahead ───────────────────────────────────────┘   drawing: a thread          └── encoding: a thread
//! ```

mod captions;
mod cast;
#[cfg(feature = "movie")]
mod film;
mod labels;
mod letters;
mod opening;
mod performance;
mod stations;

pub use captions::Caption;
#[cfg(feature = "movie")]
pub use film::{Drawing, Filmed, Seconds, film};
pub use labels::{Label, write_labels};
pub use letters::{Letters, Weight};
pub use opening::Opened;
pub use performance::{Frame, Performance, warm_up_of};
pub use stations::station;
