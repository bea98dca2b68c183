//! How the points look: one struct for flags, state file and panel.

use bevy::color::{Color, LinearRgba, Luminance, Mix, Srgba};
use bevy::ecs::resource::Resource;
use bevy::render::extract_resource::ExtractResource;
use serde::{Deserialize, Serialize};

/// How points look.
#[derive(Debug, Clone, PartialEq, Resource, ExtractResource, Serialize, Deserialize)]
#[serde(default)]
pub struct PointSettings {
    /// Diameter of a point (in `units`, > 0). Larger points are easier to see and cover more of each other.
    pub size: f32,
    /// What `size` is measured in.
    pub units: SizeUnits,
    /// How much smaller the points of larger clouds are drawn (0 to 1; 0: all clouds alike). `size` is meant for
    /// 10 000 points. Only for sizes in pixels.
    pub adapt: f32,
    /// How much smaller distant points are drawn (0 to 1; 0: one size on screen, 1: as perspective has it). Only for
    /// sizes in pixels and cameras with perspective.
    pub attenuation: f32,
    /// How dark it is beside nearer points (0 to about 3; 0: all colours exactly as given, without shading). Larger
    /// values bring out depth and cost brightness.
    pub lighting: f32,
    /// How far nearer points darken others (in pixels, 1 to about 5). Larger values draw broader outlines.
    pub reach: f32,
    /// How round points look (0 to 1; 0: plain discs). Only with `lighting`, and for points of a few pixels.
    pub shading: f32,
    /// How much distant points fade into the background (0 to about 3; 0: not at all).
    pub fog: f32,
    /// What is behind the points.
    pub background: Background,
    /// Draws a flat map: plain discs without depth, later ones of the draw order on top. For positions in the plane,
    /// seen by an orthographic camera.
    pub flat: bool,
    /// Diameter of greyed points, as a share of the others' (0 to 1).
    pub greyed_size: f32,
    /// Width of the rims and rings of chosen points (in pixels, > 0).
    pub ring: f32,
}

impl Default for PointSettings {
    fn default() -> Self {
        Self {
            size: 6.0,
            units: SizeUnits::Pixels,
            adapt: 0.6,
            attenuation: 0.7,
            lighting: 1.0,
            reach: 1.5,
            shading: 0.5,
            fog: 0.6,
            background: Background::Dark,
            flat: false,
            greyed_size: 0.7,
            ring: 1.5,
        }
    }
}

impl PointSettings {
    /// Points in a cloud for which `size` is meant.
    const TYPICAL_COUNT: f32 = 10_000.0;

    /// The factor on sizes in pixels for a cloud of this many points.
    #[must_use]
    pub fn crowding(&self, count: usize) -> f32 {
        let relative = Self::TYPICAL_COUNT / count.max(1) as f32;
        relative.powf(0.5 * self.adapt.clamp(0.0, 1.0)).min(1.5)
    }
}

/// What the size of a point is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SizeUnits {
    /// As positions are: points grow as the camera nears them.
    World,
    /// Pixels, at the distance of what the camera looks at.
    #[default]
    Pixels,
}

/// What is behind the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Background {
    /// Nearly black, for screens.
    #[default]
    Dark,
    /// Nearly white, for print and projectors.
    Light,
    /// Black, for slides.
    Black,
    /// Nothing, for pictures that are laid over something.
    Transparent,
    /// A colour: red, green and blue in sRGB.
    Custom([u8; 3]),
}

impl Background {
    /// The colour; without opacity if transparent.
    #[must_use]
    pub fn colour(self) -> Color {
        match self {
            Self::Dark => Color::srgb_u8(0x0e, 0x11, 0x16),
            Self::Light => Color::srgb_u8(0xfa, 0xfa, 0xf8),
            Self::Black => Color::BLACK,
            Self::Transparent => Color::NONE,
            Self::Custom([red, green, blue]) => Color::srgb_u8(red, green, blue),
        }
    }

    /// Whether dark marks stand out from it better than bright ones.
    #[must_use]
    pub fn is_light(self) -> bool {
        self != Self::Transparent && Srgba::from(self.colour()).luminance() > 0.18
    }

    /// The colour of greyed points: of low contrast, but never that of the background.
    #[must_use]
    pub fn greyed(self) -> Color {
        if self == Self::Transparent {
            return Color::srgb_u8(0x80, 0x84, 0x8a); // seen on white and on black
        }
        Srgba::from(self.colour()).mix(&Srgba::from(self.mark()), 0.26).into()
    }

    /// The colour of rims and rings.
    #[must_use]
    pub fn mark(self) -> Color {
        if self.is_light() { Color::srgb_u8(0x16, 0x1a, 0x20) } else { Color::srgb_u8(0xff, 0xff, 0xff) }
    }

    /// A colour as shaders take it.
    pub(crate) fn linear(colour: Color) -> bevy::math::Vec3 {
        let LinearRgba { red, green, blue, .. } = colour.to_linear();
        bevy::math::Vec3::new(red, green, blue)
    }
}
