//! The stages on the GPU against their native twins, and the shaders against the tables that describe them.

mod affinities;
mod change;
mod decide;
mod dims;
mod forces;
mod layouts;
mod living;
mod moves;
mod portable;
mod project;
mod run;
mod search;
mod seat;
mod shaders;
mod spring;
mod support;
