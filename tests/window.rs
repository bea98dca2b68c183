//! The window as a person meets it: started on a display of its own, looked at, clicked, dragged and typed into.
//!
//! `display` starts windows and has the hands, `screen` has the eyes, `panel` knows how controls look and `cloud` what
//! can be said of points. Waiting is looking until it is so, up to a deadline; what is allowed to differ is a named
//! constant.

mod cloud;
mod display;
mod panel;
mod screen;

mod demo;
mod seeing;
mod sessions;
mod states;
mod steering;
