//! Tests of what is seen, on whatever adapter there is; software Vulkan counts.
#![expect(clippy::unwrap_used, reason = "tests")]

mod cloud;
mod files;
mod flags;
mod flat;
mod light;
mod picking;
mod pictures;
mod shaders;
mod space;
mod speed;
mod splats;
mod support;
