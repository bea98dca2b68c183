//! Where the cloud is, and gliding from one place and size to another.

use bevy::prelude::*;

/// Radii that are taken for real: beyond them, squares leave the range of `f32`.
const VALID_RADII: std::ops::Range<f32> = 1e-18..1e18;

/// Two radii (as the logarithm of their ratio), or centres (in radii), that are as good as the same.
const SAME: f32 = 1e-6;

/// Where the cloud is; written by the application, at best in `Update` of every frame.
///
/// Bounds that are not finite, or without a radius, are ignored: the last good ones hold.
#[derive(Resource, Default, Clone, Copy, PartialEq, Debug)]
pub struct CloudBounds {
    /// The middle of the cloud, in world units.
    pub centre: Vec3,
    /// Radius of a sphere that holds the cloud but for its outliers, in world units (> 0).
    pub radius: f32,
    /// Whether the cloud is a flat map in x and y: seen from above by parallel rays, and never turned.
    pub flat: bool,
}

impl CloudBounds {
    /// A sphere of radius 1 about the origin: stands in until there is a cloud.
    pub const UNIT: Self = Self { centre: Vec3::ZERO, radius: 1.0, flat: false };

    /// Whether there is something to look at: finite, with a radius above zero.
    pub fn is_valid(&self) -> bool {
        self.centre.is_finite() && VALID_RADII.contains(&self.radius)
    }

    /// A place in the world as an offset from the centre, in radii.
    pub fn relative_from_world(&self, world: Vec3) -> Vec3 {
        (world - self.centre) / self.radius
    }

    /// An offset from the centre, in radii, as a place in the world.
    pub fn world_from_relative(&self, relative: Vec3) -> Vec3 {
        self.centre + relative * self.radius
    }

    /// The bounds a share `t` (0 to 1) of the way to `to`; evenly in the logarithm of the radius.
    pub(crate) fn glide(&self, to: &Self, t: f32) -> Self {
        let growth = (to.radius / self.radius).ln();
        let aside = (to.centre - self.centre).length() / self.radius.min(to.radius);
        if t >= 1.0 || (growth.abs() < SAME && aside < SAME) {
            return *to;
        }
        Self {
            centre: self.centre.lerp(to.centre, zoom_share(growth, t)),
            radius: self.radius * (growth * t).exp(),
            flat: to.flat,
        }
    }
}

/// How far a focus has to have moved when a zoom by `exp(growth)` has gone a share `t` of its way (in the logarithm),
/// so that the movement is one zoom about a fixed point: neither leaves the picture on the way.
pub(crate) fn zoom_share(growth: f32, t: f32) -> f32 {
    if growth.abs() < 1e-4 { t } else { (growth * t).exp_m1() / growth.exp_m1() }
}
