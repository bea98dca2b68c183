//! How far a tour goes in a frame of the window.

/// The farthest that a tour goes in one step, in radians: after a pause of the window it goes on, it does not leap.
pub const MAX_STEP: f64 = 0.5;

/// Radians gone in a time; none for what makes no sense.
pub(crate) fn radians(seconds: f64, speed: f64) -> f64 {
    let gone = seconds * speed;
    if gone > 0.0 { gone.min(MAX_STEP) } else { 0.0 }
}
