//! Pixels in main memory, and how many become few.

use super::PictureError;
use crate::srgb::{LINEAR, encoded};
use rayon::prelude::*;

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
    pub fn from_drawn(width: u32, height: u32, supersample: u32, drawn: &[u8]) -> Result<Self, PictureError> {
        if drawn.len() != width as usize * height as usize * 4 {
            return Err(PictureError::Bytes { bytes: drawn.len(), width, height });
        }
        Ok(Self::from_rows(width, height, supersample, drawn, width as usize * 4))
    }

    /// The same of rows that lie so many bytes apart.
    pub(crate) fn from_rows(width: u32, height: u32, supersample: u32, drawn: &[u8], row_bytes: usize) -> Self {
        let side = supersample.max(1) as usize;
        let (width, height) = (width / side as u32, height / side as u32);
        let mut rgba = vec![0; width as usize * height as usize * 4];
        let rows = rgba.par_chunks_exact_mut((width as usize * 4).max(1)).enumerate();
        rows.for_each(|(y, row)| {
            for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
                let square = (0..side).flat_map(|down| {
                    let first = (y * side + down) * row_bytes + x * side * 4;
                    drawn[first..first + side * 4].chunks_exact(4)
                });
                pixel.copy_from_slice(&together(square));
            }
        });
        Self { width, height, rgba }
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

/// The mean of pixels in linear light, with the colour of what is there.
fn together<'a>(mut pixels: impl Iterator<Item = &'a [u8]> + Clone) -> [u8; 4] {
    let Some(first) = pixels.clone().next().and_then(|pixel| <[u8; 4]>::try_from(pixel).ok()) else { return [0; 4] };
    if matches!(first[3], 0 | 255) && pixels.clone().all(|pixel| pixel == first) {
        return first; // most of them are: the background, and within a point
    }
    let (mut sum, mut count) = ([0.0_f32; 4], 0.0_f32);
    pixels.by_ref().for_each(|pixel| {
        for channel in 0..3 {
            sum[channel] += LINEAR[usize::from(pixel[channel])];
        }
        sum[3] += f32::from(pixel[3]) / 255.0;
        count += 1.0;
    });
    let covered = if sum[3] > 0.0 { 1.0 / sum[3] } else { 0.0 };
    let [red, green, blue, alpha] = sum;
    let [red, green, blue] = [red, green, blue].map(|channel| encoded(channel * covered));
    [red, green, blue, (alpha / count * 255.0).round() as u8]
}
