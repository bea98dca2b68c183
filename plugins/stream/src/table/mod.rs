//! Rows in slots: a row keeps its number for as long as it lives, and the numbers of the departed are used again.

mod change;

pub use change::Change;
