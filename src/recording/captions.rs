//! Large type over a picture.

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use points::picture::Pixels;

/// Height of the letters, as a share of the picture's.
const HEIGHT: f32 = 0.055;
/// Distance of the last line from the bottom edge, and of lines from each other, in heights.
const BOTTOM: f32 = 1.4;
const LINE: f32 = 1.25;
/// Width of a line, as a share of the picture's.
const WIDTH: f32 = 0.86;
/// How far a shadow reaches, in heights: letters are read over any colour.
const SHADOW: f32 = 0.06;

/// Draws captions.
pub struct Captions {
    font: Option<FontRef<'static>>,
}

impl Default for Captions {
    fn default() -> Self {
        Self { font: FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok() }
    }
}

impl Captions {
    /// Writes a text at the foot of a picture, in light letters or dark ones.
    pub fn write(&self, pixels: &mut Pixels, text: &str, dark: bool) {
        let Some(font) = &self.font else { return };
        let height = HEIGHT * pixels.height as f32;
        let scaled = font.as_scaled(PxScale::from(height));
        let width = |text: &str| {
            let glyphs: Vec<_> = text.chars().map(|letter| scaled.glyph_id(letter)).collect();
            let pairs = glyphs.windows(2).map(|pair| scaled.kern(pair[0], pair[1])).sum::<f32>();
            glyphs.iter().map(|&glyph| scaled.h_advance(glyph)).sum::<f32>() + pairs
        };
        let lines = wrapped(text, WIDTH * pixels.width as f32, &width);
        let letters = if dark { [0x12, 0x16, 0x1c] } else { [0xff; 3] };
        let shadow = if dark { [0xff; 3] } else { [0; 3] };
        for (from_bottom, line) in lines.iter().rev().enumerate() {
            let base = pixels.height as f32 - height * (BOTTOM + LINE * from_bottom as f32) + scaled.ascent() * 0.5;
            let mut x = (pixels.width as f32 - width(line)) / 2.0;
            let mut last = None;
            for letter in line.chars() {
                let glyph = scaled.glyph_id(letter);
                x += last.map_or(0.0, |last| scaled.kern(last, glyph));
                last = Some(glyph);
                for (offset, colour, strength) in [(-SHADOW, shadow, 0.35), (SHADOW, shadow, 0.35), (0.0, letters, 1.0)]
                {
                    let at = point(x + offset * height, base + offset.abs() * height);
                    blend(pixels, font, glyph.with_scale_and_position(PxScale::from(height), at), colour, strength);
                }
                x += scaled.h_advance(glyph);
            }
        }
    }
}

/// Lines that are no wider than allowed, broken between words.
fn wrapped(text: &str, most: f32, width: &dyn Fn(&str) -> f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split('\n') {
        let mut line = String::new();
        for word in part.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width(&longer) > most && !line.is_empty() {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            } else {
                line = longer;
            }
        }
        lines.push(line);
    }
    lines
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

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(text: &str) -> Pixels {
        let mut pixels = Pixels { width: 400, height: 240, rgba: [30, 30, 30, 255].repeat(400 * 240) };
        Captions::default().write(&mut pixels, text, false);
        pixels
    }

    /// Rows of the picture that have letters.
    fn written(pixels: &Pixels) -> Vec<usize> {
        let bright = |row: &[u8]| row.chunks_exact(4).any(|pixel| pixel[0] > 200);
        pixels.rgba.chunks_exact(4 * 400).enumerate().filter(|(_, row)| bright(row)).map(|(y, _)| y).collect()
    }

    #[test]
    fn a_caption_stands_at_the_foot_and_a_long_one_takes_more_lines() {
        let (short, long) = (written(&picture("The ones split")), written(&picture(&"many words ".repeat(12))));
        assert!(!short.is_empty() && short[0] > 240 / 2 && short[short.len() - 1] < 240, "{short:?}");
        assert!(long.len() > 2 * short.len() && long[0] < short[0], "{long:?}");
        assert!(written(&picture("")).is_empty());
    }

    #[test]
    fn lines_break_between_words() {
        let width = |text: &str| text.len() as f32;
        assert_eq!(wrapped("one two three", 8.0, &width), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3.0, &width), ["unbreakable"]);
        assert_eq!(wrapped("a\nb", 9.0, &width), ["a", "b"]);
    }
}
