//! What the application may ask of the camera.

use crate::{Pose, StandardView};
use bevy::prelude::*;

/// Moves the camera, easing unless it says otherwise. The user's next drag interrupts it.
#[derive(Message, Clone, Copy, PartialEq, Debug)]
pub enum CameraCommand {
    /// Shows the whole cloud, from where it is looked at now.
    FrameAll,
    /// Shows a part of the cloud, from where it is looked at now.
    Frame {
        /// Middle of the part, in world units.
        centre: Vec3,
        /// Radius of the part, in world units; a single point may have none.
        radius: f32,
    },
    /// Looks at a place in the world from the same side and distance.
    FocusOn(Vec3),
    /// Shows the whole cloud from a side. A flat map keeps its side.
    View(StandardView),
    /// Goes to a saved view.
    SetPose {
        /// The view.
        pose: Pose,
        /// How long it takes; 0 jumps.
        seconds: f32,
    },
    /// Switches [`CameraSettings::turntable`](crate::CameraSettings::turntable).
    ToggleTurntable,
    /// Switches [`CameraSettings::fly`](crate::CameraSettings::fly).
    ToggleFly,
    /// Comes closer by a factor (> 0; below 1 it goes away), about the middle of the view.
    Zoom(f32),
}

/// The place in the world that the wheel zooms towards, if it is known: that of the point under the cursor.
///
/// Without one, the wheel zooms towards the place under the cursor that is as deep as the focus.
#[derive(Resource, Default, Clone, Copy, PartialEq, Debug)]
pub struct ZoomAnchor(pub Option<Vec3>);
