//! sRGB and linear light, by tables: a power for every pixel is dear.

use std::sync::LazyLock;

/// Steps of the table from linear to sRGB: fine enough for the dark end.
const STEPS: usize = 1 << 13;

/// sRGB to linear, for every byte.
pub(crate) static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let value = byte as f32 / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
});

static ENCODED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let encode = |step: usize| {
        let value = step as f32 / STEPS as f32;
        let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (255.0 * encoded + 0.5) as u8
    };
    (0..=STEPS).map(encode).collect()
});

/// Linear light as a byte of sRGB.
#[inline]
pub(crate) fn encoded(value: f32) -> u8 {
    ENCODED[(value.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        assert!((0..=255_u8).all(|byte| encoded(LINEAR[usize::from(byte)]) == byte));
        assert_eq!((encoded(-1.0), encoded(2.0)), (0, 255));
    }
}
