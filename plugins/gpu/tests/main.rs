//! The stages on the GPU.
mod run;
