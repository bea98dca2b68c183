//! Positions in SIMD lanes, and the kernel of the tail.

use pulp::{Simd, bytemuck};

/// Lanes of the widest instruction set that pulp knows, AVX-512; it is used where pulp is built with `x86-v4`.
pub const MAX_LANES: usize = 16;

/// Lanes filled one by one.
#[inline(always)]
pub fn from_fn<S: Simd>(simd: S, lane: impl Fn(usize) -> f32) -> S::f32s {
    const { assert!(S::F32_LANES <= MAX_LANES, "buffers of one register are MAX_LANES long") };
    match S::F32_LANES {
        1 => simd.splat_f32s(lane(0)),
        4 => bytemuck::cast::<[f32; 4], S::f32s>(std::array::from_fn(lane)),
        8 => bytemuck::cast::<[f32; 8], S::f32s>(std::array::from_fn(lane)),
        16 => bytemuck::cast::<[f32; 16], S::f32s>(std::array::from_fn(lane)),
        lanes => unreachable!("no instruction set has {lanes} lanes"),
    }
}

/// The positions of some points, one point a lane, in a register per axis.
#[inline(always)]
pub fn gather<S: Simd, const D: usize>(simd: S, positions: &[[f32; D]], points: &[u32]) -> [S::f32s; D] {
    gather_masked(simd, positions, points, u32::MAX)
}

/// The same for points that some bits of a word name.
#[inline(always)]
pub fn gather_masked<S: Simd, const D: usize>(
    simd: S,
    positions: &[[f32; D]],
    words: &[u32],
    mask: u32,
) -> [S::f32s; D] {
    let rows = &words[..S::F32_LANES];
    let mut there = [simd.splat_f32s(0.0); D];
    for (axis, there) in there.iter_mut().enumerate() {
        *there = from_fn(
            simd,
            #[inline(always)]
            |lane| positions[(rows[lane] & mask) as usize][axis],
        );
    }
    there
}

/// Writes whole lanes. (`partial_store` masks its store, which takes dozens of cycles on AMD.)
#[inline(always)]
pub fn store<S: Simd>(out: &mut [f32], lanes: S::f32s) {
    S::as_mut_simd_f32s(out).0[0] = lanes;
}

/// One position in all lanes.
#[inline(always)]
pub fn splat<S: Simd, const D: usize>(simd: S, position: [f32; D]) -> [S::f32s; D] {
    let mut lanes = [simd.splat_f32s(0.0); D];
    for (lanes, value) in lanes.iter_mut().zip(position) {
        *lanes = simd.splat_f32s(value);
    }
    lanes
}

/// `a − b` and its squared length.
#[inline(always)]
pub fn difference<S: Simd, const D: usize>(simd: S, a: &[S::f32s; D], b: &[S::f32s; D]) -> ([S::f32s; D], S::f32s) {
    let mut difference = [simd.splat_f32s(0.0); D];
    let mut squared = simd.splat_f32s(0.0);
    for axis in 0..D {
        difference[axis] = simd.sub_f32s(a[axis], b[axis]);
        squared = simd.mul_add_e_f32s(difference[axis], difference[axis], squared);
    }
    (difference, squared)
}

/// The lanes where the mask is set, 0 elsewhere.
#[inline(always)]
pub fn only<S: Simd>(simd: S, mask: S::m32s, lanes: S::f32s) -> S::f32s {
    simd.select_f32s(mask, lanes, simd.splat_f32s(0.0))
}

/// `sum + coefficient · difference`, axis by axis.
#[inline(always)]
pub fn accumulate<S: Simd, const D: usize>(
    simd: S,
    sum: &mut [S::f32s; D],
    coefficient: S::f32s,
    difference: &[S::f32s; D],
) {
    for axis in 0..D {
        sum[axis] = simd.mul_add_e_f32s(coefficient, difference[axis], sum[axis]);
    }
}

/// The kernel of the tail: `u = 1/(1 + D/α)` and `w = u^α`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tail {
    /// Weight of the tails.
    pub alpha: f32,
}

impl Tail {
    /// True for t-SNE's own kernel, where `w = u` and no power is needed.
    #[must_use]
    pub fn is_student(self) -> bool {
        self.alpha == 1.0
    }

    /// `u` and `w` at one squared distance.
    #[inline(always)]
    #[must_use]
    pub fn at(self, squared: f32) -> (f32, f32) {
        let u = 1.0 / (1.0 + squared / self.alpha);
        (u, if self.alpha == 1.0 { u } else { u.powf(self.alpha) })
    }

    /// `u` and `w` in lanes. `STUDENT` says at compile time that α = 1.
    #[inline(always)]
    pub fn lanes<S: Simd, const STUDENT: bool>(self, simd: S, squared: S::f32s) -> (S::f32s, S::f32s) {
        let one = simd.splat_f32s(1.0);
        if STUDENT {
            let u = simd.div_f32s(one, simd.add_f32s(one, squared));
            (u, u)
        } else {
            let base = simd.mul_add_e_f32s(squared, simd.splat_f32s(1.0 / self.alpha), one);
            let u = simd.div_f32s(one, base);
            (u, exp2(simd, simd.mul_f32s(simd.splat_f32s(-self.alpha), log2(simd, base))))
        }
    }

    /// As [`lanes`](Self::lanes), for two registers at a time: for α = 1 they share one division, the slowest
    /// instruction of the loop (1/a = b·r and 1/b = a·r with r = 1/(a·b)).
    #[inline(always)]
    pub fn two<S: Simd, const STUDENT: bool>(self, simd: S, squared: [S::f32s; 2]) -> ([S::f32s; 2], [S::f32s; 2]) {
        if STUDENT {
            let one = simd.splat_f32s(1.0);
            let (a, b) = (simd.add_f32s(one, squared[0]), simd.add_f32s(one, squared[1]));
            let r = simd.div_f32s(one, simd.mul_f32s(a, b));
            let u = [simd.mul_f32s(b, r), simd.mul_f32s(a, r)];
            (u, u)
        } else {
            let first = self.lanes::<S, false>(simd, squared[0]);
            let second = self.lanes::<S, false>(simd, squared[1]);
            ([first.0, second.0], [first.1, second.1])
        }
    }
}

const EXPONENT_BIAS: f32 = 127.0;
/// 2²³: adding it to a small whole number leaves that number in the low bits of the float.
const MAGIC: f32 = 8_388_608.0;

/// log₂ of positive normal floats, to about 1e-7 absolute: the exponent, plus a polynomial in the mantissa.
#[inline(always)]
fn log2<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let bits = simd.transmute_u32s_f32s(x);
    let exponent_bits = simd.wrapping_dyn_shr_u32s(bits, simd.splat_u32s(23));
    let exponent = simd.transmute_f32s_u32s(simd.or_u32s(exponent_bits, simd.splat_u32s(MAGIC.to_bits())));
    let exponent = simd.sub_f32s(exponent, simd.splat_f32s(MAGIC + EXPONENT_BIAS));
    let mantissa = simd.or_u32s(simd.and_u32s(bits, simd.splat_u32s(0x007f_ffff)), simd.splat_u32s(0x3f80_0000));
    let mantissa = simd.transmute_f32s_u32s(mantissa);
    // Halve mantissas above √2, so that the series runs around 1: ln m = 2·artanh(t), t = (m−1)/(m+1).
    let large = simd.greater_than_f32s(mantissa, simd.splat_f32s(std::f32::consts::SQRT_2));
    let half = simd.mul_f32s(mantissa, simd.splat_f32s(0.5));
    let m = simd.select_f32s(large, half, mantissa);
    let one = simd.splat_f32s(1.0);
    let exponent = simd.select_f32s(large, simd.add_f32s(exponent, one), exponent);
    let t = simd.div_f32s(simd.sub_f32s(m, one), simd.add_f32s(m, one));
    let t2 = simd.mul_f32s(t, t);
    let scale = 2.0 * std::f32::consts::LOG2_E;
    let mut series = simd.splat_f32s(scale / 9.0);
    for divisor in [7.0, 5.0, 3.0, 1.0] {
        series = simd.mul_add_e_f32s(series, t2, simd.splat_f32s(scale / divisor));
    }
    simd.mul_add_e_f32s(series, t, exponent)
}

/// 2^x for x ≤ 0, to about 2e-7 relative; below −126 it is 0 or as good as.
#[inline(always)]
pub fn exp2<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let x = simd.max_f32s(x, simd.splat_f32s(-126.0));
    // Round to the nearest whole number by pushing the fraction out of the mantissa.
    let magic = simd.splat_f32s(1.5 * MAGIC);
    let shifted = simd.add_f32s(x, magic);
    let fraction = simd.sub_f32s(x, simd.sub_f32s(shifted, magic));
    let whole = simd.wrapping_dyn_shl_u32s(simd.transmute_u32s_f32s(shifted), simd.splat_u32s(23));
    let power = simd.transmute_f32s_u32s(simd.add_u32s(whole, simd.splat_u32s(0x3f80_0000)));
    // Taylor series of 2^f on |f| ≤ ½: (ln 2)^n / n!
    let mut series = simd.splat_f32s(1.540_353e-4);
    for coefficient in [1.333_355_8e-3, 9.618_129e-3, 5.550_411e-2, 0.240_226_5, std::f32::consts::LN_2, 1.0] {
        series = simd.mul_add_e_f32s(series, fraction, simd.splat_f32s(coefficient));
    }
    simd.mul_f32s(series, power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::{Arch, WithSimd};

    struct Weights(f32, Vec<f32>);
    impl WithSimd for Weights {
        type Output = Vec<(f32, f32)>;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let tail = Tail { alpha: self.0 };
            let first = |lanes: S::f32s| {
                let mut out = vec![0.0; S::F32_LANES];
                simd.partial_store_f32s(&mut out, lanes);
                out[0]
            };
            let weights = self.1.iter().map(|&squared| {
                let squared = simd.splat_f32s(squared);
                let (u, w) = if tail.is_student() {
                    let (u, w) = tail.two::<S, true>(simd, [squared, simd.splat_f32s(3.0)]);
                    (u[0], w[0])
                } else {
                    tail.lanes::<S, false>(simd, squared)
                };
                (first(u), first(w))
            });
            weights.collect()
        }
    }

    #[test]
    fn the_tail_in_lanes_agrees_with_its_definition() {
        let squared: Vec<f32> = (0..400).map(|i| (i as f32 * 0.05 - 10.0).exp()).chain([0.0, 1e6, 1e12]).collect();
        for alpha in [0.05_f32, 0.5, 0.9, 1.0, 2.0, 10.0, 100.0] {
            let found = Arch::new().dispatch(Weights(alpha, squared.clone()));
            for (&squared, (u, w)) in squared.iter().zip(found) {
                let exact_u = 1.0 / (1.0 + f64::from(squared) / f64::from(alpha));
                let exact_w = exact_u.powf(f64::from(alpha));
                assert!((f64::from(u) / exact_u - 1.0).abs() < 1e-6, "u at {squared}, α {alpha}: {u} {exact_u}");
                let error = (f64::from(w) - exact_w).abs();
                assert!(error < 2e-5 * exact_w + 1e-35, "w at {squared}, α {alpha}: {w} {exact_w}");
            }
        }
    }
}
