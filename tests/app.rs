//! The viewer without its window: frames are `app.update()`, what a hand would click are requests and resources.

mod branching;
mod diving;
pub mod inspecting;
mod living;
mod opening;
mod saving;
mod scores;
mod steering;
mod touring;
pub mod viewer;
