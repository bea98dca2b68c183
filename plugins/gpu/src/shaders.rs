//! The WGSL of the stages, built into the program.

use bevy::asset::{Assets, Handle};
use bevy::ecs::resource::Resource;
use bevy::shader::Shader;
use std::collections::HashMap;

/// Lists the files of `shaders/` with their text.
macro_rules! sources {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../shaders/", $path)))),*]
    };
}

/// Parts that stages import.
pub const SHARED: &[(&str, &str)] = sources![
    "shared/bitonic.wgsl",
    "shared/far.wgsl",
    "shared/gaussian.wgsl",
    "shared/followed.wgsl",
    "shared/insert.wgsl",
    "shared/lists.wgsl",
    "shared/metric.wgsl",
    "shared/params.wgsl",
    "shared/place.wgsl",
    "shared/random.wgsl",
    "shared/tail.wgsl",
];

/// The stages.
pub const STAGES: &[(&str, &str)] = sources![
    "affinities/calibrate.wgsl",
    "affinities/symmetrise.wgsl",
    "change/arrive.wgsl",
    "change/forget.wgsl",
    "change/introduce.wgsl",
    "change/mark.wgsl",
    "change/relist.wgsl",
    "change/remeasure.wgsl",
    "change/reshape.wgsl",
    "change/resize.wgsl",
    "change/scale.wgsl",
    "change/seat.wgsl",
    "change/squeeze.wgsl",
    "control/decide.wgsl",
    "descent/attract.wgsl",
    "descent/follow.wgsl",
    "descent/integrate.wgsl",
    "descent/measure.wgsl",
    "descent/normalise.wgsl",
    "descent/recentre.wgsl",
    "descent/repel.wgsl",
    "search/merge.wgsl",
    "search/project.wgsl",
    "search/propose.wgsl",
];

/// The shaders as assets, by their file in `shaders/`; kept as long as the program runs.
#[derive(Debug, Clone, Resource)]
pub struct ShaderHandles(HashMap<&'static str, Handle<Shader>>);

impl ShaderHandles {
    /// Adds all shaders to the assets.
    pub fn add_to(assets: &mut Assets<Shader>) -> Self {
        let add = |&(path, source): &(&'static str, &'static str)| {
            (path, assets.add(Shader::from_wgsl(source, format!("shaders/{path}"))))
        };
        Self(SHARED.iter().chain(STAGES).map(add).collect())
    }

    /// The shader of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Handle<Shader> {
        self.0[path].clone()
    }
}
