//! Letters over a picture, with a shadow so that they are read over any colour.

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use bevy::math::{Rect, Vec2};
use points::picture::Pixels;

/// How letters are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Fine, with a soft shadow below: for large ones.
    Fine,
    /// Stronger, with a rim on all sides: for small ones in the midst of points.
    Strong,
}

impl Weight {
    /// Strokes from the lowest to the uppermost: across and down in heights, whether it is a shadow, and its strength.
    /// All shadows lie below all letters: they must not darken the letter before.
    fn strokes(self) -> &'static [(f32, f32, bool, f32)] {
        match self {
            Self::Fine => &[(-0.06, 0.06, true, 0.35), (0.06, 0.06, true, 0.35), (0.0, 0.0, false, 1.0)],
            Self::Strong => &[
                (-0.1, 0.0, true, 0.6),
                (0.1, 0.0, true, 0.6),
                (0.0, -0.1, true, 0.6),
                (0.0, 0.1, true, 0.6),
                (-0.07, -0.07, true, 0.6),
                (0.07, -0.07, true, 0.6),
                (-0.07, 0.07, true, 0.6),
                (0.07, 0.07, true, 0.6),
                (-0.02, 0.0, false, 1.0),
                (0.02, 0.0, false, 1.0),
            ],
        }
    }
}

/// The font.
pub struct Letters {
    font: Option<FontRef<'static>>,
}

impl Default for Letters {
    fn default() -> Self {
        Self { font: FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok() }
    }
}

impl Letters {
    /// How wide a line of this height is, in pixels.
    pub fn width(&self, line: &str, height: f32) -> f32 {
        let Some(font) = &self.font else { return 0.0 };
        let scaled = font.as_scaled(PxScale::from(height));
        let glyphs: Vec<_> = line.chars().map(|letter| scaled.glyph_id(letter)).collect();
        let pairs = glyphs.windows(2).map(|pair| scaled.kern(pair[0], pair[1])).sum::<f32>();
        glyphs.iter().map(|&glyph| scaled.h_advance(glyph)).sum::<f32>() + pairs
    }

    /// What a line covers that stands around a place.
    pub fn area(&self, line: &str, middle: Vec2, height: f32) -> Rect {
        Rect::from_center_size(middle, Vec2::new(self.width(line, height), height))
    }

    /// Writes a line of this height around a place, in light letters or dark ones.
    pub fn write(&self, pixels: &mut Pixels, line: &str, (middle, height): (Vec2, f32), weight: Weight, dark: bool) {
        let Some(font) = &self.font else { return };
        let scaled = font.as_scaled(PxScale::from(height));
        let (letters, shadow) = if dark { ([0x12, 0x16, 0x1c], [0xff; 3]) } else { ([0xff; 3], [0; 3]) };
        let base = middle.y + (scaled.ascent() + scaled.descent()) / 2.0; // what goes down is negative
        let left = middle.x - self.width(line, height) / 2.0;
        for &(across, down, below, strength) in weight.strokes() {
            let (mut x, mut last) = (left + across * height, None);
            for letter in line.chars() {
                let glyph = scaled.glyph_id(letter);
                x += last.map_or(0.0, |last| scaled.kern(last, glyph));
                last = Some(glyph);
                let at = point(x, base + down * height);
                let placed = glyph.with_scale_and_position(PxScale::from(height), at);
                blend(pixels, font, placed, if below { shadow } else { letters }, strength);
                x += scaled.h_advance(glyph);
            }
        }
    }
}

fn blend(pixels: &mut Pixels, font: &FontRef<'_>, glyph: Glyph, colour: [u8; 3], strength: f32) {
    let Some(outline) = font.outline_glyph(glyph) else { return }; // a space
    let bounds = outline.px_bounds();
    let (width, height) = (pixels.width as i64, pixels.height as i64);
    outline.draw(|x, y, cover| {
        let (x, y) = (bounds.min.x as i64 + i64::from(x), bounds.min.y as i64 + i64::from(y));
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        let cover = (cover * strength).clamp(0.0, 1.0);
        let pixel = &mut pixels.rgba[4 * (y * width + x) as usize..][..4];
        for (value, wanted) in pixel.iter_mut().zip(colour.into_iter().chain([255])) {
            *value = (f32::from(*value) * (1.0 - cover) + f32::from(wanted) * cover).round() as u8;
        }
    });
}
