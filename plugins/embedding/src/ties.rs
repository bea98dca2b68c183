//! Ties: affinities in half the space, for runs that do nothing but move points from here on.

use crate::affinities::turns;
use pulp::Simd;

/// How a pair is written in one word: the lower bits name the neighbour, as many as the numbers of all points take; the
/// others are the leading bits of the weight, five of its exponent and as much of its fraction as there is room for (at
/// a million points 7 bits, which is off by 0.4 % at most; at ten million 3, off by 6 %).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Code {
    /// The bits that name a point.
    names: u32,
}

/// Bits of the smallest weight, 2⁻³¹, on which weights are counted up: less than that pulls nothing.
const SMALLEST: u32 = (127 - 31) << 23;
/// Bits of a weight that its exponent takes beyond the five that are kept: weights are at most 1.
const SHIFT: u32 = 4;

impl Code {
    /// A word that stands for no pair: its name is none of a point.
    pub const NOBODY: u32 = u32::MAX;

    /// The code for a number of points.
    #[must_use]
    pub fn for_points(points: usize) -> Self {
        Self { names: ((points + 1).next_power_of_two() - 1) as u32 }
    }

    /// The bits of a tie that name its neighbour.
    #[inline(always)]
    #[must_use]
    pub fn names(self) -> u32 {
        self.names
    }

    /// A neighbour and its weight, at most 1.
    #[inline(always)]
    #[must_use]
    pub fn tie(self, neighbour: u32, weight: f32) -> u32 {
        let bits = (weight.min(1.0).to_bits().max(SMALLEST) - SMALLEST) << SHIFT;
        (bits.saturating_add(self.names / 2 + 1) & !self.names) | neighbour
    }

    /// The neighbour of a tie.
    #[inline(always)]
    #[must_use]
    pub fn neighbour(self, tie: u32) -> u32 {
        tie & self.names
    }

    /// The weight of a tie.
    #[inline(always)]
    #[must_use]
    pub fn weight(self, tie: u32) -> f32 {
        f32::from_bits(((tie & !self.names) >> SHIFT) + SMALLEST)
    }

    /// The weights of ties in lanes.
    #[inline(always)]
    pub fn weights<S: Simd>(self, simd: S, ties: S::u32s) -> S::f32s {
        let weights = simd.and_u32s(ties, simd.splat_u32s(!self.names));
        let bits = simd.wrapping_dyn_shr_u32s(weights, simd.splat_u32s(SHIFT));
        simd.transmute_f32s_u32s(simd.add_u32s(bits, simd.splat_u32s(SMALLEST)))
    }
}

/// The ties of all points. A pair stands in both of its rows; rows fall by weight.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ties {
    code: Code,
    /// Rows of [`Ties::BLOCK`] points each.
    blocks: Vec<Block>,
}

/// The rows of some points.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Block {
    /// Where rows end; the first begins at 0.
    pub ends: Box<[u32]>,
    /// All rows, one after the other.
    pub ties: Box<[u32]>,
}

impl Ties {
    /// Points per block.
    pub const BLOCK: usize = 512;

    /// Rows that were made block by block.
    pub(crate) fn new(code: Code, blocks: Vec<Block>) -> Self {
        Self { code, blocks }
    }

    /// How they are written.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The ties of one point.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, point: usize) -> &[u32] {
        let (block, at) = (&self.blocks[point / Self::BLOCK], point % Self::BLOCK);
        let start = if at == 0 { 0 } else { block.ends[at - 1] };
        &block.ties[start as usize..block.ends[at] as usize]
    }

    /// The part of a row that counts in an iteration, as [`Affinities::turn`](crate::affinities::Affinities::turn) has it.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self, point: usize, iteration: Option<u32>) -> [(&[u32], f32); 2] {
        let row = self.row(point);
        turns(point, row.len(), iteration).map(
            #[inline(always)]
            |(part, factor)| (&row[part], factor),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error of a weight, as a share of it.
    fn worst(points: usize) -> f32 {
        let code = Code::for_points(points);
        let weights = (0..4000).map(|at| 0.995_f32.powi(at));
        let error = |weight: f32| {
            let tie = code.tie(points as u32 - 1, weight);
            assert_eq!(code.neighbour(tie), points as u32 - 1);
            assert_ne!(tie, Code::NOBODY);
            (code.weight(tie) / weight.max(4.7e-10) - 1.0).abs()
        };
        weights.map(error).fold(0.0, f32::max)
    }

    #[test]
    fn a_tie_names_its_neighbour_and_weighs_about_as_much() {
        for (points, most) in [(2, 0.0), (70_000, 5e-4), (1_000_000, 4e-3), (10_000_000, 0.0625), (16_777_215, 0.0625)]
        {
            let worst = worst(points);
            assert!(worst <= most && worst >= 0.5 * most, "{points} points: off by {worst}");
        }
    }

    #[test]
    fn ties_of_the_same_row_ascend_by_weight() {
        let code = Code::for_points(1000);
        let ties: Vec<u32> = [0.0, 1e-12, 1e-6, 0.1, 0.11, 1.0].map(|weight| code.tie(7, weight)).to_vec();
        assert!(ties.is_sorted(), "{ties:?}");
        assert!(ties[1] < ties[2] && ties[3] < ties[4] && ties[4] < ties[5], "{ties:?}");
    }

    #[test]
    fn lanes_weigh_as_one_by_one() {
        struct All(Code, [u32; 64]);
        impl pulp::WithSimd for All {
            type Output = Vec<f32>;
            #[inline(always)]
            fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
                let mut weights = vec![0.0; 64];
                let out = S::as_mut_simd_f32s(&mut weights).0;
                out.iter_mut()
                    .zip(S::as_simd_u32s(&self.1).0)
                    .for_each(|(out, &ties)| *out = self.0.weights(simd, ties));
                weights
            }
        }
        let code = Code::for_points(300_000);
        let ties: [u32; 64] = std::array::from_fn(|at| code.tie(at as u32, 0.7_f32.powi(at as i32)));
        let expected: Vec<f32> = ties.iter().map(|&tie| code.weight(tie)).collect();
        assert_eq!(pulp::Arch::new().dispatch(All(code, ties)), expected);
    }
}
