//! RGB into what H.264 takes: luma for every pixel, colour for every two by two, BT.709 in limited range.

use openh264::formats::YUVSource;

/// Fractional bits of the weights.
const BITS: u32 = 16;
/// Luma of R, G and B, onto 16..=235.
const LUMA: [i32; 3] = [11_966, 40_254, 4_064];
/// Blue less luma, onto 16..=240; the weights sum to nothing, so that greys have no colour.
const BLUE: [i32; 3] = [-6_596, -22_189, 28_785];
/// Red less luma, likewise.
const RED: [i32; 3] = [28_785, -26_145, -2_640];

/// A picture in three planes, whose memory serves frame after frame.
pub(crate) struct Yuv {
    width: usize,
    height: usize,
    y: Vec<u8>,
    u: Vec<u8>,
    v: Vec<u8>,
}

impl Yuv {
    /// A picture with even sides.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let quarter = width / 2 * (height / 2);
        Self { width, height, y: vec![0; width * height], u: vec![0; quarter], v: vec![0; quarter] }
    }

    /// Takes over an RGBA picture of the same size.
    ///
    /// Colour is the mean of two by two pixels and no more: the softer filters of video would take more of the colour
    /// from points that are a pixel or two wide.
    pub(crate) fn set(&mut self, rgba: &[u8]) {
        let (width, half) = (self.width, self.width / 2);
        let pairs = rgba.chunks_exact(width * 8).zip(self.y.chunks_exact_mut(width * 2));
        let colours = self.u.chunks_exact_mut(half).zip(self.v.chunks_exact_mut(half));
        for ((pixels, luma), (u, v)) in pairs.zip(colours) {
            for (pixel, y) in pixels.chunks_exact(4).zip(luma) {
                *y = weigh(LUMA, [pixel[0].into(), pixel[1].into(), pixel[2].into()], BITS, 16);
            }
            let (upper, lower) = pixels.split_at(width * 4);
            let blocks = upper.chunks_exact(8).zip(lower.chunks_exact(8));
            for ((upper, lower), (u, v)) in blocks.zip(u.iter_mut().zip(v)) {
                let sum = |channel: usize| {
                    i32::from(upper[channel])
                        + i32::from(upper[channel + 4])
                        + i32::from(lower[channel])
                        + i32::from(lower[channel + 4])
                };
                let rgb = [sum(0), sum(1), sum(2)];
                *u = weigh(BLUE, rgb, BITS + 2, 128);
                *v = weigh(RED, rgb, BITS + 2, 128);
            }
        }
    }
}

/// A weighted sum, rounded, without its fractional bits, from where zero lies.
fn weigh(weights: [i32; 3], rgb: [i32; 3], bits: u32, zero: i32) -> u8 {
    let sum = weights[0] * rgb[0] + weights[1] * rgb[1] + weights[2] * rgb[2];
    // Within 16..=240 by the weights: nothing is cut off.
    (((sum + (1 << (bits - 1))) >> bits) + zero) as u8
}

impl YUVSource for Yuv {
    fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    fn strides(&self) -> (usize, usize, usize) {
        (self.width, self.width / 2, self.width / 2)
    }

    fn y(&self) -> &[u8] {
        &self.y
    }

    fn u(&self) -> &[u8] {
        &self.u
    }

    fn v(&self) -> &[u8] {
        &self.v
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BT.709, limited range, by its definition.
    fn exact(rgb: [f64; 3]) -> [f64; 3] {
        let luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
        [
            16.0 + 219.0 / 255.0 * luma,
            128.0 + 224.0 / 255.0 * (rgb[2] - luma) / 1.8556,
            128.0 + 224.0 / 255.0 * (rgb[0] - luma) / 1.5748,
        ]
    }

    #[test]
    fn every_colour_is_the_nearest_that_bt709_has() {
        let mut yuv = Yuv::new(2, 2);
        for red in (0..=255).step_by(15) {
            for green in (0..=255).step_by(17) {
                for blue in (0..=255).step_by(5) {
                    yuv.set(&[red, green, blue, 7].repeat(4));
                    let [y, u, v] = exact([red, green, blue].map(f64::from));
                    for (found, exact) in [(yuv.y[0], y), (yuv.y[3], y), (yuv.u[0], u), (yuv.v[0], v)] {
                        let error = (f64::from(found) - exact).abs();
                        assert!(error < 0.51, "{red} {green} {blue}: {found} for {exact}");
                    }
                }
            }
        }
    }

    #[test]
    fn black_white_and_grey_have_no_colour() {
        let mut yuv = Yuv::new(2, 2);
        for (grey, luma) in [(0, 16), (255, 235), (128, 126)] {
            yuv.set(&[grey, grey, grey, 255].repeat(4));
            assert_eq!((yuv.y[0], yuv.u[0], yuv.v[0]), (luma, 128, 128));
        }
    }

    #[test]
    fn planes_keep_rows_and_columns_apart() {
        let mut yuv = Yuv::new(4, 4);
        let mut rgba = [0, 0, 0, 255].repeat(16);
        let (x, y) = (3, 1); // the right upper block, its right lower pixel
        rgba[(y * 4 + x) * 4] = 255;
        yuv.set(&rgba);
        let brighter: Vec<_> = (0..16).filter(|&at| yuv.y[at] > 16).collect();
        assert_eq!(brighter, [7]);
        let redder: Vec<_> = (0..4).filter(|&at| yuv.v[at] > 128).collect();
        assert_eq!(redder, [1]);
        assert_eq!(yuv.v[1], 128 + 28); // a quarter of 112
    }
}
