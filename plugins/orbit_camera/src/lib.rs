//! Drives the camera around a moving cloud of points: orbit, pan, zoom towards the cursor, fly, ease to views, turn
//! like a turntable, and follow the cloud's size, so that what was framed stays framed while it grows.
//!
//! A view is a [`Pose`]: angles, and a distance and a focus *in radii of the cloud*. The pose is what the user and the
//! commands change; where the cloud is ([`CloudBounds`]) is followed apart from it, smoothly and always. A pose and
//! bounds together give the camera's transform and projection, by one pure function that pictures and movies use too.
//!
//! Dragging, scrolling and touch are read by `bevy_panorbit_camera`. It is lent the current view every frame and asked
//! only what the user changed: its own smoothing snaps at an absolute thousandth, which a small cloud would notice.
//!
//! ```text
//! Update       application: CloudBounds, CameraCommand, CameraLocked
//! PostUpdate   interface (egui) → Input: whose is the pointer? → bevy_panorbit_camera → Motion: pose, Transform
//! ```

mod bounds;
mod command;
mod input;
mod lens;
mod motion;
mod pose;
mod rig;
mod settings;

pub use bounds::CloudBounds;
pub use command::{CameraCommand, ZoomAnchor};
pub use lens::ViewInsets;
pub use pose::{Pose, StandardView};
pub use settings::{CameraLocked, CameraSettings, CameraState, LeftDrag};

use bevy::camera::CameraUpdateSystems;
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy_egui::EguiPostUpdateSet;
use bevy_panorbit_camera::{PanOrbitCamera, PanOrbitCameraPlugin, PanOrbitCameraSystemSet};

/// Marks the one camera that this plugin drives: its `Transform`, `Projection` and `Camera::sub_camera_view`.
///
/// Its [`PanOrbitCamera`] is rewritten every frame; [`CameraSettings`] is the place for settings.
#[derive(Component, Debug, Default)]
#[require(PanOrbitCamera = input::idle_pan_orbit())]
pub struct OrbitCamera;

/// What the driven camera needs: the marker, and a view of a cloud of radius 1 until the bounds are known.
pub fn orbit_camera_bundle() -> impl Bundle {
    let (transform, projection) = Pose::default().transform_and_projection(&CloudBounds::UNIT, 1.0);
    (OrbitCamera, input::idle_pan_orbit(), transform, projection)
}

/// The plugin's systems, in `PostUpdate`, by what they are for.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum OrbitCameraSystems {
    /// Takes in the bounds and decides whether pointer and keys belong to the view, before `bevy_panorbit_camera`.
    Input,
    /// Moves the pose and writes the camera, after `bevy_panorbit_camera` and before transforms propagate.
    Motion,
}

/// Drives the [`OrbitCamera`].
///
/// Needs Bevy's time and input plugins. Windows, cameras and egui may be missing: then their part is not done.
#[derive(Debug, Default)]
pub struct OrbitCameraPlugin;

impl Plugin for OrbitCameraPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PanOrbitCameraPlugin)
            .init_resource::<CameraLocked>()
            .init_resource::<CameraSettings>()
            .init_resource::<CameraState>()
            .init_resource::<CloudBounds>()
            .init_resource::<LeftDrag>()
            .init_resource::<ViewInsets>()
            .init_resource::<ZoomAnchor>()
            .init_resource::<input::Pointer>()
            .init_resource::<rig::Rig>()
            .add_message::<CameraCommand>()
            .configure_sets(
                PostUpdate,
                (
                    // The interface lays itself out first: only then is it known what the pointer is over, and its
                    // buttons move the camera in the frame they are pressed.
                    EguiPostUpdateSet::ProcessOutput,
                    OrbitCameraSystems::Input,
                    PanOrbitCameraSystemSet,
                    OrbitCameraSystems::Motion,
                )
                    .chain(),
            )
            .configure_sets(
                PostUpdate,
                OrbitCameraSystems::Motion
                    .before(TransformSystems::Propagate) // the frame is drawn from the new place
                    .before(CameraUpdateSystems), // and through the new lens
            )
            .add_systems(
                PostUpdate,
                (input::look_around, input::lend_to_panorbit).chain().in_set(OrbitCameraSystems::Input), // lends what is seen
            )
            .add_systems(
                PostUpdate,
                (motion::take_from_panorbit, motion::fly, motion::obey_commands, motion::advance, motion::place_camera)
                    .chain() // a command outranks the hand; both are moved on, then shown
                    .in_set(OrbitCameraSystems::Motion),
            );
    }
}
