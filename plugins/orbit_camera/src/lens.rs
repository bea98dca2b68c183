//! The lens and the picture plane: from a pose and bounds to a transform, a projection, and a shift off the panels.

use crate::pose::{rotation, wrap_angle};
use crate::{CloudBounds, Pose};
use bevy::camera::{ScalingMode, SubCameraView};
use bevy::prelude::*;

/// Field of view over the smaller side of the free area (degrees), unless set otherwise.
pub(crate) const DEFAULT_FIELD_OF_VIEW: f32 = 45.0;

/// Half the default field of view (radians): the lens for which a pose tells its distance.
pub(crate) const BASE_HALF_ANGLE: f32 = DEFAULT_FIELD_OF_VIEW * std::f32::consts::PI / 360.0;

/// The narrowest and widest field of view that still gives a picture (degrees).
const FIELDS_OF_VIEW: (f32, f32) = (5.0, 120.0);

/// Half the angle of a lens that cannot be told from parallel rays (radians): where the ease to a flat map ends.
const NEARLY_PARALLEL: f32 = 0.01;

/// The near plane, as a share of the eye's distance. Depth is reversed and in `f32`, so a near one costs nothing.
const NEAR: f32 = 0.005;

/// How far behind the focus the far plane is (cloud radii): outliers may be far out.
const FAR: f32 = 20.0;

/// How high above a flat map the eye is, and how deep below it one sees (cloud radii).
const FLAT_HEIGHT: f32 = 4.0;

/// The least share of the window, along each side, that panels must leave free to be taken into account.
const LEAST_FREE: f32 = 0.25;

/// What panels cover of the window, from each side (logical pixels). The view is centred in what remains, and drags
/// that begin on a panel are not the camera's; so they should be those of the frame, written while panels are laid out.
#[derive(Resource, Default, Clone, Copy, PartialEq, Debug)]
pub struct ViewInsets {
    /// Covered from the left.
    pub left: f32,
    /// Covered from the right.
    pub right: f32,
    /// Covered from the top.
    pub top: f32,
    /// Covered from the bottom.
    pub bottom: f32,
}

impl ViewInsets {
    /// Whether a panel covers a pixel of a window of this size, both in logical pixels.
    #[must_use]
    pub fn cover(&self, pixel: Vec2, size: Vec2) -> bool {
        pixel.x < self.left || pixel.y < self.top || pixel.x > size.x - self.right || pixel.y > size.y - self.bottom
    }

    /// The insets a share `t` of the way to `to`, ending on whole ones.
    pub(crate) fn glide(&self, to: &Self, t: f32) -> Self {
        let side = |from: f32, to: f32| {
            let to = if to.is_finite() { to } else { 0.0 };
            if (to - from).abs() < 0.1 { to } else { from + (to - from) * t }
        };
        Self {
            left: side(self.left, to.left),
            right: side(self.right, to.right),
            top: side(self.top, to.top),
            bottom: side(self.bottom, to.bottom),
        }
    }
}

/// The picture plane: the window (or image) and what panels leave of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Screen {
    /// Logical pixels, both > 0.
    pub size: Vec2,
    /// Physical pixels per logical one.
    pub scale_factor: f32,
    pub insets: ViewInsets,
}

impl Screen {
    /// A screen without panels.
    pub fn whole(size: Vec2) -> Self {
        Self { size, scale_factor: 1.0, insets: ViewInsets::default() }
    }

    /// What panels leave free, in logical pixels from the top left.
    pub fn free(&self) -> Rect {
        let side = |before: f32, after: f32, size: f32| {
            let (before, after) = (before.max(0.0), after.max(0.0));
            if size - before - after < LEAST_FREE * size { (0.0, size) } else { (before, size - after) }
        };
        let (left, right) = side(self.insets.left, self.insets.right, self.size.x);
        let (top, bottom) = side(self.insets.top, self.insets.bottom, self.size.y);
        Rect::new(left, top, right, bottom)
    }

    /// The height of the whole screen in units of the free area's smaller side.
    fn height_in_smaller_sides(&self) -> f32 {
        self.size.y / self.free().size().min_element()
    }

    /// The shift that puts the middle of the view into the middle of the free area; `None` if it is there already.
    pub fn sub_camera_view(&self) -> Option<SubCameraView> {
        let shift = self.size / 2.0 - self.free().center();
        let full_size = (self.size * self.scale_factor).round().as_uvec2();
        (shift.abs().max_element() > 1e-3).then(|| SubCameraView {
            full_size,
            offset: shift * self.scale_factor,
            size: full_size,
        })
    }

    /// From the middle of the free area to a pixel, in units of half the smaller side; y upwards.
    pub fn offset_of(&self, pixel: Vec2) -> Vec2 {
        let free = self.free();
        (pixel - free.center()) * Vec2::new(1.0, -1.0) / (free.size().min_element() / 2.0)
    }
}

/// What the camera sees through.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Lens {
    /// Rays meet in the eye; half the angle over the smaller side of the free area, in radians.
    Perspective { half_angle: f32 },
    /// Rays are parallel: a flat map.
    Parallel,
}

impl Lens {
    /// The lens for a field of view (degrees); with growing flatness (0 to 1) its rays become parallel.
    pub fn new(field_of_view: f32, flatness: f32) -> Self {
        if flatness >= 1.0 {
            return Self::Parallel;
        }
        let degrees = if field_of_view.is_finite() { field_of_view } else { DEFAULT_FIELD_OF_VIEW };
        let half_angle = degrees.clamp(FIELDS_OF_VIEW.0, FIELDS_OF_VIEW.1).to_radians() / 2.0;
        let narrowing = (NEARLY_PARALLEL / half_angle).powf(flatness.max(0.0));
        Self::Perspective { half_angle: half_angle * narrowing }
    }

    /// How far the eye is from the focus, in the unit of the pose's distance.
    pub fn eye_distance(&self, distance: f32) -> f32 {
        match self {
            // by sines, as it is the rays that touch a sphere which frame it
            Self::Perspective { half_angle } => distance * (BASE_HALF_ANGLE.sin() / half_angle.sin()),
            Self::Parallel => FLAT_HEIGHT,
        }
    }

    /// Half of what the smaller side of the free area shows at the focus, in the unit of the pose's distance.
    pub fn half_extent(&self, distance: f32) -> f32 {
        match self {
            Self::Perspective { half_angle } => self.eye_distance(distance) * half_angle.tan(),
            Self::Parallel => distance * BASE_HALF_ANGLE.sin(),
        }
    }
}

/// Where the camera stands and what it sees through. Flatness goes from 0 (turned as the pose says, in perspective)
/// to 1 (a flat map, from above).
pub(crate) fn place(
    pose: &Pose,
    bounds: &CloudBounds,
    flatness: f32,
    field_of_view: f32,
    screen: &Screen,
) -> (Transform, Projection) {
    let lens = Lens::new(field_of_view, flatness);
    let depth = 1.0 - flatness;
    let rotation = rotation(wrap_angle(pose.yaw) * depth, pose.pitch * depth);
    let focus = bounds.world_from_relative(pose.focus() * Vec3::new(1.0, 1.0, depth));
    let eye_distance = lens.eye_distance(pose.distance) * bounds.radius;
    let translation = focus + rotation * Vec3::Z * eye_distance;
    let heights = screen.height_in_smaller_sides();
    let mut projection = match lens {
        Lens::Perspective { half_angle } => Projection::Perspective(PerspectiveProjection {
            fov: 2.0 * (half_angle.tan() * heights).atan(),
            near: eye_distance * NEAR,
            near_clip_plane: Vec3::NEG_Z.extend(-eye_distance * NEAR),
            far: eye_distance + (pose.focus().length() + FAR) * bounds.radius,
            ..default()
        }),
        Lens::Parallel => Projection::Orthographic(OrthographicProjection {
            near: 0.0,
            far: 2.0 * FLAT_HEIGHT * bounds.radius,
            scaling_mode: ScalingMode::FixedVertical { viewport_height: 1.0 },
            scale: 2.0 * lens.half_extent(pose.distance) * bounds.radius * heights,
            ..OrthographicProjection::default_3d()
        }),
    };
    projection.update(screen.size.x, screen.size.y);
    (Transform { translation, rotation, scale: Vec3::ONE }, projection)
}
