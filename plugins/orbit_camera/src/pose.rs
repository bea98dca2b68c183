//! A view as it is saved: relative to the cloud. The pure maths of the camera.

use crate::CloudBounds;
use crate::bounds::zoom_share;
use crate::lens::{BASE_HALF_ANGLE, DEFAULT_FIELD_OF_VIEW, Screen, place};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// How far from the pole a view stays (radians): at the pole itself, up would be anywhere.
const POLE_MARGIN: f32 = 1e-4;

/// The steepest pitch, up or down.
pub(crate) const MAX_PITCH: f32 = FRAC_PI_2 - POLE_MARGIN;

/// Room around a framed sphere, as a factor of its radius.
const FRAME_MARGIN: f32 = 1.1;

/// How near and how far a view may be, in cloud radii.
pub(crate) const DISTANCES: std::ops::RangeInclusive<f32> = 1e-4..=1e3;

/// Differences in radians, in the logarithm of the distance, or in distances, that nobody can see.
const SAME: f32 = 1e-5;

/// A view as saved in files and scores: relative to the cloud, so it fits the same data at any scale.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pose {
    /// Angle around the vertical axis (radians). At zero the view looks along −z; growing, it comes from +x.
    pub yaw: f32,
    /// Angle above the horizon (radians, up to a quarter turn either way). A flat map ignores yaw and pitch.
    pub pitch: f32,
    /// How far away the eye is (cloud radii), for the default field of view. Through any other lens, and on a flat
    /// map, the eye moves so that a framed sphere stays framed.
    pub distance: f32,
    /// What is looked at: the offset from the cloud's centre (cloud radii).
    pub focus: [f32; 3],
}

/// The views that have a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StandardView {
    /// From +z.
    Front,
    /// From −z.
    Back,
    /// From −x.
    Left,
    /// From +x.
    Right,
    /// From +y.
    Top,
    /// From −y.
    Bottom,
    /// From the front, somewhat right and above.
    ThreeQuarter,
}

impl Default for Pose {
    fn default() -> Self {
        Self::view(StandardView::ThreeQuarter)
    }
}

impl Pose {
    /// The pose that frames the whole cloud from a side.
    pub fn view(view: StandardView) -> Self {
        let (yaw, pitch) = match view {
            StandardView::Front => (0.0, 0.0),
            StandardView::Back => (PI, 0.0),
            StandardView::Left => (-FRAC_PI_2, 0.0),
            StandardView::Right => (FRAC_PI_2, 0.0),
            StandardView::Top => (0.0, MAX_PITCH),
            StandardView::Bottom => (0.0, -MAX_PITCH),
            StandardView::ThreeQuarter => (0.6, 0.4),
        };
        Self { yaw, pitch, distance: Self::frame_distance(), focus: [0.0; 3] }
    }

    /// The distance from which a sphere of one cloud radius fills the view.
    pub fn frame_distance() -> f32 {
        FRAME_MARGIN / BASE_HALF_ANGLE.sin()
    }

    /// The pose a share `t` (0 to 1) of the way from `a` to `b`: the shorter way round, evenly in the logarithm of
    /// the distance, and with the focus moving as in one zoom about a fixed point.
    pub fn tween(a: &Self, b: &Self, t: f32) -> Self {
        if t <= 0.0 || t >= 1.0 {
            return if t >= 1.0 { *b } else { *a };
        }
        let growth = (b.distance / a.distance).ln();
        Self {
            yaw: wrap_angle(a.yaw + wrap_angle(b.yaw - a.yaw) * t),
            pitch: a.pitch + (b.pitch - a.pitch) * t,
            distance: a.distance * (growth * t).exp(),
            focus: a.focus().lerp(b.focus(), zoom_share(growth, t)).to_array(),
        }
    }

    /// Where the camera stands and what it sees through, for a picture of this aspect (width over height): the state
    /// in which the live camera comes to rest with default settings and no panels. Invalid bounds count as
    /// [`CloudBounds::UNIT`].
    pub fn transform_and_projection(&self, bounds: &CloudBounds, aspect: f32) -> (Transform, Projection) {
        self.transform_and_projection_through(bounds, aspect, DEFAULT_FIELD_OF_VIEW)
    }

    /// As [`Self::transform_and_projection`], through a lens of another field of view (degrees), as in
    /// [`CameraSettings::field_of_view`](crate::CameraSettings::field_of_view).
    pub fn transform_and_projection_through(
        &self,
        bounds: &CloudBounds,
        aspect: f32,
        field_of_view: f32,
    ) -> (Transform, Projection) {
        let flatness = if bounds.flat { 1.0 } else { 0.0 };
        self.placed(bounds, flatness, aspect, field_of_view)
    }

    /// As [`Self::transform_and_projection`], on the way between space (0) and a flat map (1), as the live camera goes it.
    pub fn transform_and_projection_flattened(
        &self,
        bounds: &CloudBounds,
        aspect: f32,
        flatness: f32,
    ) -> (Transform, Projection) {
        self.placed(bounds, flatness.clamp(0.0, 1.0), aspect, DEFAULT_FIELD_OF_VIEW)
    }

    fn placed(&self, bounds: &CloudBounds, flatness: f32, aspect: f32, field_of_view: f32) -> (Transform, Projection) {
        let bounds = if bounds.is_valid() { *bounds } else { CloudBounds::UNIT };
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        place(self, &bounds, flatness, field_of_view, &Screen::whole(Vec2::new(aspect, 1.0)))
    }

    /// The focus as a vector.
    pub(crate) fn focus(&self) -> Vec3 {
        Vec3::from_array(self.focus)
    }

    /// From view to world directions, as long as the cloud is not flat.
    pub(crate) fn rotation(&self) -> Quat {
        rotation(self.yaw, self.pitch)
    }

    /// The same pose with every part in its range; `None` if a part is no number.
    pub(crate) fn in_range(&self) -> Option<Self> {
        let finite = self.yaw.is_finite() && self.pitch.is_finite() && self.distance > 0.0 && self.focus().is_finite();
        finite.then(|| Self {
            yaw: wrap_angle(self.yaw),
            pitch: self.pitch.clamp(-MAX_PITCH, MAX_PITCH),
            distance: self.distance.clamp(*DISTANCES.start(), *DISTANCES.end()),
            focus: self.focus,
        })
    }

    /// Whether nobody could tell the two views apart.
    pub(crate) fn looks_like(&self, other: &Self) -> bool {
        let distance = self.distance.min(other.distance);
        wrap_angle(self.yaw - other.yaw).abs() < SAME
            && (self.pitch - other.pitch).abs() < SAME
            && (self.distance / other.distance).ln().abs() < SAME
            && (self.focus() - other.focus()).length() < SAME * distance
    }
}

/// From view to world directions: yaw about the vertical, then pitch upwards, as `bevy_panorbit_camera` has it.
pub(crate) fn rotation(yaw: f32, pitch: f32) -> Quat {
    Quat::from_rotation_y(yaw) * Quat::from_rotation_x(-pitch)
}

/// The same angle from −π up to π.
pub(crate) fn wrap_angle(angle: f32) -> f32 {
    if (-PI..=PI).contains(&angle) { angle } else { (angle + PI).rem_euclid(TAU) - PI }
}
