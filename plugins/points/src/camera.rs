//! Cameras that see the points.

use crate::picture::Plate;
use crate::settings::{Background, PointSettings};
use bevy::camera::{Camera, Camera3d, CameraMainTextureUsages, ClearColorConfig};
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::ecs::prelude::{Bundle, Component, Has, Query, Res, With};
use bevy::ecs::query::QueryItem;
use bevy::render::extract_component::ExtractComponent;
use bevy::render::render_resource::TextureUsages;
use bevy::render::sync_component::SyncComponent;
use bevy::render::view::Msaa;

/// A camera that sees the points. Brings what such a camera needs, unless it is there: see [`camera_bundle`].
#[derive(Debug, Clone, Copy, Default, Component)]
#[require(Camera3d = camera_3d(), Msaa = Msaa::Off, Tonemapping = Tonemapping::None, DebandDither = DebandDither::Disabled, PointScale)]
pub struct PointCamera;

/// How many pixels of the camera's target a pixel of [`PointSettings`] is (> 0): more for pictures of more pixels, and
/// for screens with small ones.
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct PointScale(pub f32);

impl Default for PointScale {
    fn default() -> Self {
        Self(1.0)
    }
}

/// The distance of what the camera looks at, in world units (> 0). Without it, of the origin.
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct PointFocus(pub f32);

/// A camera with nothing behind the points, whatever the settings say; greys and rings still fit the background of the
/// settings.
#[derive(Debug, Clone, Copy, Default, Component)]
pub struct Transparent;

/// What a camera needs to see the points: [`PointCamera`], depths that can be read, neither multisampling nor
/// tonemapping, so that colours come out as given. Add a projection, a transform and a target.
#[must_use]
pub fn camera_bundle() -> impl Bundle {
    let usages = CameraMainTextureUsages::default().with(TextureUsages::COPY_DST); // for what native code paints
    (PointCamera, camera_3d(), Msaa::Off, Tonemapping::None, DebandDither::Disabled, usages)
}

fn camera_3d() -> Camera3d {
    Camera3d {
        depth_texture_usages: (TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING).into(),
        ..Camera3d::default()
    }
}

/// Clears with the background of the settings.
pub(crate) fn paint_background(
    settings: Res<PointSettings>,
    mut cameras: Query<(&mut Camera, Has<Transparent>), With<PointCamera>>,
) {
    for (mut camera, transparent) in &mut cameras {
        let background = if transparent { Background::Transparent } else { settings.background };
        let colour = background.colour();
        if !matches!(camera.clear_color, ClearColorConfig::Custom(current) if current == colour) {
            camera.clear_color = ClearColorConfig::Custom(colour);
        }
    }
}

/// A camera of the points in the render world.
#[derive(Debug, Clone, Component)]
pub struct ExtractedPointCamera {
    pub scale: f32,
    pub focus: Option<f32>,
    pub transparent: bool,
    /// What it takes a picture on, if it does.
    pub plate: Option<Plate>,
}

impl SyncComponent for PointCamera {
    type Target = ExtractedPointCamera;
}

impl ExtractComponent for PointCamera {
    type QueryData =
        (Option<&'static PointScale>, Option<&'static PointFocus>, Has<Transparent>, Option<&'static Plate>);
    type QueryFilter = With<Self>;
    type Out = ExtractedPointCamera;

    fn extract_component((scale, focus, transparent, plate): QueryItem<Self::QueryData>) -> Option<Self::Out> {
        Some(ExtractedPointCamera {
            scale: scale.copied().unwrap_or_default().0,
            focus: focus.map(|focus| focus.0),
            transparent,
            plate: plate.cloned(),
        })
    }
}
