//! The window as a person meets it: started on a display of its own, looked at, clicked, dragged and typed into.
//!
//! `display` starts windows and has the hands, `screen` has the eyes, `panel` and `found` know how the panels at the
//! left and at the right look, `cloud` what can be said of points and `digits` what of those of the demo. Waiting is
//! looking until it is so, up to a deadline; what is allowed to differ is a named constant.

mod cloud;
mod digits;
mod display;
mod found;
mod panel;
mod screen;

mod demo;
mod device;
mod diving;
mod dropping;
mod inspecting;
mod living;
mod scores;
mod seeing;
mod selecting;
mod sessions;
mod states;
mod steering;
