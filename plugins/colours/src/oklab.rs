//! Colours as the eye compares them: OKLab (Ottosson 2020), and the contrast of WCAG 2.

use crate::Rgb;

/// Lightness 0 to 1, green–red, blue–yellow.
pub(crate) type Lab = [f32; 3];

fn linear_from_byte(byte: u8) -> f32 {
    let value = f32::from(byte) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn byte_from_linear(value: f32) -> u8 {
    let value = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round().clamp(0.0, 255.0) as u8
}

/// A colour in OKLab.
pub(crate) fn lab_from_rgb(colour: Rgb) -> Lab {
    let [r, g, b] = colour.map(linear_from_byte);
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// The colour at a place of OKLab, if screens can show it.
pub(crate) fn rgb_from_lab([lightness, a, b]: Lab) -> Option<Rgb> {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    linear.iter().all(|value| (0.0..=1.0).contains(value)).then(|| linear.map(byte_from_linear))
}

pub(crate) fn squared_distance(left: Lab, right: Lab) -> f32 {
    let [l, a, b] = [left[0] - right[0], left[1] - right[1], left[2] - right[2]];
    l * l + a * a + b * b
}

/// How different two colours look: their distance in OKLab. Black and white are 1 apart; about 0.02 can just be told
/// apart side by side.
#[must_use]
pub fn distance(left: Rgb, right: Rgb) -> f32 {
    squared_distance(lab_from_rgb(left), lab_from_rgb(right)).sqrt()
}

/// How well one colour reads on another: the contrast ratio of WCAG 2, from 1 (not at all) to 21 (black on white).
#[must_use]
pub fn contrast(left: Rgb, right: Rgb) -> f32 {
    let luminance = |colour: Rgb| {
        let [r, g, b] = colour.map(linear_from_byte);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (left, right) = (luminance(left), luminance(right));
    (left.max(right) + 0.05) / (left.min(right) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oklab_matches_published_values_and_its_inverse() {
        let [l, a, b] = lab_from_rgb([255, 0, 0]); // Ottosson's own figures for red
        assert!((l - 0.628).abs() < 1e-3 && (a - 0.2249).abs() < 1e-3 && (b - 0.1258).abs() < 1e-3, "{l} {a} {b}");
        for colour in [[12, 200, 99], [130, 30, 220], [128, 128, 128]] {
            assert_eq!(rgb_from_lab(lab_from_rgb(colour)), Some(colour));
        }
        assert_eq!(rgb_from_lab([0.5, 0.4, 0.0]), None, "no screen shows that");
    }

    #[test]
    fn black_on_white_has_the_contrast_of_wcag() {
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-3);
        assert!((contrast([255; 3], [0x77; 3]) - 4.48).abs() < 0.01);
        assert!((distance([0; 3], [255; 3]) - 1.0).abs() < 1e-3);
    }
}
