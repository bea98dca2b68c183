//! What tests share.

/// Numbers from 0 to 1 that look random, from a linear congruential generator.
pub(crate) fn uniform(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(next).collect()
}

/// Numbers that look as if drawn from a normal distribution: mean 0, sd 1 (sums of twelve).
pub(crate) fn noise(count: usize, seed: u64) -> Vec<f64> {
    uniform(count * 12, seed).chunks(12).map(|twelve| twelve.iter().sum::<f64>() - 6.0).collect()
}
