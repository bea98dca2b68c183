//! Pixels in main memory, and how many become few.

use super::PictureError;

/// A picture: red, green, blue and alpha of each pixel in sRGB, from the top left. Colours are not multiplied by alpha.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Four bytes per pixel.
    pub rgba: Vec<u8>,
}

impl Pixels {
    /// Takes over what the renderer drew, where colours are multiplied by alpha, and draws `supersample` × `supersample`
    /// pixels together.
    ///
    /// # Errors
    /// If there are not as many bytes as the size says.
    pub fn from_drawn(width: u32, height: u32, supersample: u32, drawn: Vec<u8>) -> Result<Self, PictureError> {
        if drawn.len() != width as usize * height as usize * 4 {
            return Err(PictureError::Bytes { bytes: drawn.len(), width, height });
        }
        let decode: Vec<f32> = (0..=255u8).map(linear_from_srgb).collect();
        if supersample <= 1 {
            let mut rgba = drawn;
            for pixel in rgba.chunks_exact_mut(4).filter(|pixel| !matches!(pixel[3], 0 | 255)) {
                let alpha = f32::from(pixel[3]) / 255.0;
                for channel in &mut pixel[..3] {
                    *channel = srgb_from_linear(decode[usize::from(*channel)] / alpha);
                }
            }
            return Ok(Self { width, height, rgba });
        }
        let few = Self { width: width / supersample, height: height / supersample, rgba: Vec::new() };
        Ok(few.gathered(&drawn, width as usize, supersample as usize, &decode))
    }

    /// Fills itself with the means of squares of pixels, in linear light.
    fn gathered(mut self, drawn: &[u8], drawn_width: usize, side: usize, decode: &[f32]) -> Self {
        let share = 1.0 / (side * side) as f32;
        self.rgba.reserve_exact(self.width as usize * self.height as usize * 4);
        for y in 0..self.height as usize {
            for x in 0..self.width as usize {
                let mut sum = [0.0f32; 4];
                for row in 0..side {
                    let first = ((y * side + row) * drawn_width + x * side) * 4;
                    for pixel in drawn[first..first + side * 4].chunks_exact(4) {
                        for channel in 0..3 {
                            sum[channel] += decode[usize::from(pixel[channel])];
                        }
                        sum[3] += f32::from(pixel[3]) / 255.0;
                    }
                }
                // Colours are means over what is there.
                let covered = if sum[3] > 0.0 { 1.0 / sum[3] } else { 0.0 };
                self.rgba.extend(sum[..3].iter().map(|channel| srgb_from_linear(channel * covered)));
                self.rgba.push((sum[3] * share * 255.0).round() as u8);
            }
        }
        self
    }

    /// The pixel at a place.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        let first = (y as usize * self.width as usize + x as usize) * 4;
        [self.rgba[first], self.rgba[first + 1], self.rgba[first + 2], self.rgba[first + 3]]
    }
}

fn linear_from_srgb(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn srgb_from_linear(value: f32) -> u8 {
    let value = value.clamp(0.0, 1.0);
    let encoded = if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}
