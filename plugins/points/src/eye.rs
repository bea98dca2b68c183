//! Where a camera stands and what it sees, in plain values: the same in both worlds.

use crate::camera::{ExtractedPointCamera, PointFocus, PointScale};
use bevy::camera::Camera;
use bevy::math::{Mat4, UVec4};
use bevy::render::view::ExtractedView;
use bevy::transform::components::GlobalTransform;

/// How a camera looks at the points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Eye {
    /// Its projection.
    pub clip_from_view: Mat4,
    /// Where it stands.
    pub world_from_view: GlobalTransform,
    /// The part of its target that it draws to: left, top, width and height in physical pixels.
    pub viewport: UVec4,
    /// As [`PointScale`] has it.
    pub scale: f32,
    /// As [`PointFocus`] has it.
    pub focus: Option<f32>,
    /// Whether there is nothing behind the points, whatever the settings say, as [`Transparent`](crate::Transparent).
    pub transparent: bool,
    /// Whether it takes a picture, which is worth a wait.
    pub picture: bool,
}

impl Eye {
    /// Of a camera in the main world that shows something on a screen; none before its target is known.
    #[must_use]
    pub fn of(
        camera: &Camera,
        transform: &GlobalTransform,
        scale: Option<&PointScale>,
        focus: Option<&PointFocus>,
    ) -> Option<Self> {
        let viewport = camera.physical_viewport_rect()?;
        Some(Self {
            clip_from_view: camera.clip_from_view(),
            world_from_view: *transform,
            viewport: UVec4::new(viewport.min.x, viewport.min.y, viewport.width(), viewport.height()),
            scale: scale.copied().unwrap_or_default().0,
            focus: focus.map(|focus| focus.0),
            transparent: false,
            picture: false,
        })
    }

    /// Of a camera in the render world.
    pub(crate) fn of_view(view: &ExtractedView, camera: &ExtractedPointCamera) -> Self {
        Self {
            clip_from_view: view.clip_from_view,
            world_from_view: view.world_from_view,
            viewport: view.viewport,
            scale: camera.scale,
            focus: camera.focus,
            transparent: camera.transparent,
            picture: camera.plate.is_some(),
        }
    }
}
