//! The WGSL of the passes, built into the program.

use bevy::asset::{Assets, Handle};
use bevy::ecs::resource::Resource;
use bevy::shader::Shader;

/// Where points are, for others to import: the file and its text.
pub const SCENE: (&str, &str) = ("points/scene.wgsl", include_str!("../../../shaders/points/scene.wgsl"));

/// How points are lit, for others to import: the file and its text.
pub const TONE: (&str, &str) = ("points/tone.wgsl", include_str!("../../../shaders/points/tone.wgsl"));

/// Points as triangles: the file and its text.
pub const DRAW: (&str, &str) = ("points/draw.wgsl", include_str!("../../../shaders/points/draw.wgsl"));

/// Small points without triangles: the file and its text.
pub const SPLAT: (&str, &str) = ("points/splat.wgsl", include_str!("../../../shaders/points/splat.wgsl"));

/// Eye-dome lighting and fog: the file and its text.
pub const LIGHT: (&str, &str) = ("points/light.wgsl", include_str!("../../../shaders/points/light.wgsl"));

/// Which point is seen at a pixel: the file and its text.
pub const PICK: (&str, &str) = ("points/pick.wgsl", include_str!("../../../shaders/points/pick.wgsl"));

/// The shaders as assets; kept as long as the program runs.
#[derive(Debug, Clone, Resource)]
pub(crate) struct PointShaders {
    /// Only kept: the others import them.
    _shared: [Handle<Shader>; 2],
    pub draw: Handle<Shader>,
    pub splat: Handle<Shader>,
    pub light: Handle<Shader>,
    pub pick: Handle<Shader>,
}

impl PointShaders {
    /// Adds the shaders to the assets.
    pub fn add_to(assets: &mut Assets<Shader>) -> Self {
        let mut add = |(path, source): (&'static str, &'static str)| {
            assets.add(Shader::from_wgsl(source, format!("shaders/{path}")))
        };
        Self {
            _shared: [add(SCENE), add(TONE)],
            draw: add(DRAW),
            splat: add(SPLAT),
            light: add(LIGHT),
            pick: add(PICK),
        }
    }
}
