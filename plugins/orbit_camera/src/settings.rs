//! What the user may set, and what the plugin tells.

use crate::Pose;
use crate::lens::DEFAULT_FIELD_OF_VIEW;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// How the camera behaves; may be changed at any time.
#[derive(Resource, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct CameraSettings {
    /// Whether the view turns slowly by itself. It waits while the user drags, and a flat map does not turn.
    pub turntable: bool,
    /// How long a full turn takes (seconds, > 0).
    pub turntable_seconds: f32,
    /// How long moves to another view take, and the change between a flat map and space (seconds; 0 jumps).
    pub ease_seconds: f32,
    /// How slowly the view follows the cloud's size and place: the time in which a difference shrinks to a third
    /// (seconds; 0 follows at once). Larger values lag behind a fast growing cloud but jitter less.
    pub follow_seconds: f32,
    /// How slowly a turn of the wheel or the start of a flight takes effect, as above (seconds; 0 at once).
    pub glide_seconds: f32,
    /// Whether W A S D Q E fly through the cloud and dragging looks around instead of orbiting.
    pub fly: bool,
    /// Speed of flight (cloud radii per second with the whole cloud in view; slower when closer; Shift is faster).
    pub fly_speed: f32,
    /// Field of view over the smaller side of the free area (degrees, 5 to 120). Smaller is flatter; a framed cloud
    /// stays framed.
    pub field_of_view: f32,
    /// How far a drag turns the view (a factor; 1 makes a full turn across the window, 0 switches it off).
    pub orbit_sensitivity: f32,
    /// How far a drag pans (a factor; at 1 the focus stays under the cursor).
    pub pan_sensitivity: f32,
    /// How much a step of the wheel zooms (a factor; 1 is about a fifth).
    pub zoom_sensitivity: f32,
}

impl Default for CameraSettings {
    fn default() -> Self {
        Self {
            turntable: false,
            turntable_seconds: 40.0,
            ease_seconds: 0.4,
            follow_seconds: 0.05,
            glide_seconds: 0.06,
            fly: false,
            fly_speed: 0.8,
            field_of_view: DEFAULT_FIELD_OF_VIEW,
            orbit_sensitivity: 1.0,
            pan_sensitivity: 1.0,
            zoom_sensitivity: 1.0,
        }
    }
}

/// What the camera is doing.
#[derive(Resource, Default, Clone, Copy, PartialEq, Debug)]
pub struct CameraState {
    /// The current view, for saving. Of a flat map it keeps the angles from which the cloud was last seen in space.
    pub pose: Pose,
    /// Whether the user or an ease moved the view just now (within a quarter of a second): the renderer may thin
    /// points. The turntable and a growing cloud do not count.
    pub moving: bool,
    /// Whether the pointer is the view's: over no panel, window or popup, or in a drag that began in the view. For
    /// hovering, clicking and lassos; [`CameraLocked`] has no part in it.
    pub pointer_in_view: bool,
}

/// While true, pointer and keys do not move the camera, for instance while a lasso is drawn. Commands still do, and
/// the cloud is still followed. A drag during which it was true stays without effect until its button is released.
#[derive(Resource, Default, Clone, Copy, PartialEq, Eq, Debug)]
pub struct CameraLocked(pub bool);

/// Whose drags with the left button are. While they are somebody else's, for instance a lasso's, the middle button turns
/// the view; wheel and right button go on as ever.
#[derive(Resource, Default, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftDrag {
    /// They turn the view.
    #[default]
    Camera,
    /// They are somebody else's.
    Taken,
}
