//! The far sample: every `stride`-th point from a random offset on, shared by a block of points.
//!
//! Whatever the order of the points, each is drawn with probability 1/stride, so the scaled sum is unbiased; as rows
//! lie in the order of a projection tree, the sample is also spread evenly over the clusters, which takes out most
//! of the noise of drawing anywhere. A power of two as stride makes "is j in the sample" one `and` and one compare.

use super::field::MAX_DIMS;
use super::lanes::{MAX_LANES, Tail};
use pulp::Simd;

/// Up to this many points everyone is in the sample, whatever was asked for: the push is exact.
pub const EXACT: usize = 4096;

/// In up to three dimensions, where a tree would have no noise at all, the sample of a device is at least this large …
const FLAT_SAMPLES: usize = EXACT;
/// … up to this many points; beyond it shrinks, so that a million points take no longer than they must. Digits, 5 620
/// rows, 300 iterations, AUC with a tree, this sample, and one of 702 points: 0.522, 0.520, 0.429 (d = 2, α = 1), 0.560,
/// 0.559, 0.02 (d = 3, α = 3); tasic2018, 11 759 rows, of which 5 880 are sampled: 0.550, 0.546 (α = 1), 0.484, 0.480 (α = 3).
const FLAT_POINTS: f32 = 65_536.0;

/// Points to be sampled of `points` in an embedding of `dims` dimensions, where a sample of `asked` was asked for.
#[must_use]
pub fn samples(points: usize, dims: usize, asked: usize) -> usize {
    let shrunk = FLAT_SAMPLES as f32 * (FLAT_POINTS / points.max(1) as f32).min(1.0).powf(0.75);
    if dims <= MAX_DIMS { asked.max(shrunk as usize) } else { asked }
}

/// Which points are in the sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Far {
    /// Distance of two sampled points in memory, a power of two; also the weight of a sampled point.
    pub stride: u32,
    /// The first sampled point.
    pub offset: u32,
}

impl Far {
    /// The largest stride that still samples at least `samples` of the points; 1 takes them all, which small sets
    /// can afford.
    #[must_use]
    pub fn stride_for(points: usize, samples: usize) -> u32 {
        if points <= EXACT {
            return 1;
        }
        let stride = (points / samples.max(1)).max(1) as u32;
        1 << stride.ilog2()
    }

    /// A sample with a random offset.
    #[inline(always)]
    #[must_use]
    pub fn new(stride: u32, random: u32) -> Self {
        Self { stride, offset: random & (stride - 1) }
    }

    /// True if a point is in the sample.
    #[inline(always)]
    #[must_use]
    pub fn contains(self, point: u32) -> bool {
        point & (self.stride - 1) == self.offset
    }

    /// The factor on points that are summed by name, beside the sample: 1, less what the sample counts them for.
    #[inline(always)]
    pub fn share_beside<S: Simd>(self, simd: S, points: S::u32s) -> S::f32s {
        let sampled = simd.and_u32s(points, simd.splat_u32s(self.stride - 1));
        let sampled = simd.equal_u32s(sampled, simd.splat_u32s(self.offset));
        simd.select_f32s(sampled, simd.splat_f32s(1.0 - self.stride as f32), simd.splat_f32s(1.0))
    }

    /// The sampled points, of those that live.
    pub fn points(self, alive: &[bool]) -> impl Iterator<Item = usize> {
        (self.offset as usize..alive.len()).step_by(self.stride as usize).filter(|&point| alive[point])
    }
}

/// Sampled positions, axis after axis, padded to whole registers.
#[derive(Debug, Clone, Default)]
pub struct Tile {
    values: Vec<f32>,
    /// Who they are, ascending.
    points: Vec<u32>,
    len: usize,
    /// Weight of one that is nowhere.
    weight_nowhere: f32,
}

/// A tile is a multiple of this long: two of the widest registers.
const TILE_STEP: usize = 32;
/// Where padding sits: so far away that it pushes nobody, near enough for products of two such distances. Under heavy
/// tails it still has a weight, which must come off Z.
const NOWHERE: f32 = 1e9;

impl Tile {
    /// Collects the sampled positions.
    pub fn fill<const D: usize>(&mut self, far: Far, positions: &[[f32; D]], alive: &[bool], tail: Tail) {
        self.points.clear();
        self.points.extend(far.points(alive).map(|point| point as u32));
        self.len = self.points.len().next_multiple_of(TILE_STEP);
        self.weight_nowhere = tail.at(D as f32 * NOWHERE * NOWHERE).1;
        self.values.clear();
        self.values.resize(self.len * D, NOWHERE);
        for at in 0..self.points.len() {
            self.put(at, positions[self.points[at] as usize]);
        }
    }

    #[inline(always)]
    fn put<const D: usize>(&mut self, at: usize, position: [f32; D]) {
        for (axis, value) in position.into_iter().enumerate() {
            self.values[axis * self.len + at] = value;
        }
    }

    /// Puts a point out of the way, so that it does not push itself, and returns its place; none if it is not in the
    /// sample. Taken off afterwards, its weight of one would leave nothing of those of a map that was blown up.
    #[inline(always)]
    pub fn hide<const D: usize>(&mut self, far: Far, point: u32) -> Option<usize> {
        let at = far.contains(point).then(|| self.points.binary_search(&point).ok())??;
        self.put(at, [NOWHERE; D]);
        Some(at)
    }

    /// Puts a point back that was hidden.
    #[inline(always)]
    pub fn show<const D: usize>(&mut self, hidden: Option<usize>, position: [f32; D]) {
        hidden.into_iter().for_each(|at| self.put(at, position));
    }

    /// Σ w of the padding and of who is hidden, seen from anywhere near the embedding.
    #[inline(always)]
    #[must_use]
    pub fn padding_weight(&self, hidden: Option<usize>) -> f32 {
        (self.len - self.points.len() + usize::from(hidden.is_some())) as f32 * self.weight_nowhere
    }

    /// The coordinates on each axis.
    #[inline(always)]
    #[must_use]
    pub fn axes<const D: usize>(&self) -> [&[f32]; D] {
        std::array::from_fn(|axis| &self.values[axis * self.len..][..self.len])
    }
}

/// Sampled positions in more than four dimensions, in groups: of each the coordinates of all its points on one axis after
/// another, so that they are read from beginning to end however many axes there are.
#[derive(Debug, Clone, Default)]
pub struct WideTile {
    values: Vec<f32>,
    /// Who they are, ascending.
    points: Vec<u32>,
    dims: usize,
    /// Weight of one that is nowhere.
    weight_nowhere: f32,
}

/// Registers of points that are worked on together.
pub const WIDE_REGISTERS: usize = 4;
/// Points of a group, in the widest registers.
pub const WIDE_GROUP: usize = WIDE_REGISTERS * MAX_LANES;

impl WideTile {
    /// Collects the sampled positions, which have `stride` values of which `dims` count.
    pub fn fill(&mut self, far: Far, positions: &[f32], alive: &[bool], (dims, stride): (usize, usize), tail: Tail) {
        self.points.clear();
        self.points.extend(far.points(alive).map(|point| point as u32));
        let groups = self.points.len().div_ceil(WIDE_GROUP);
        self.dims = dims;
        self.weight_nowhere = tail.at(dims as f32 * NOWHERE * NOWHERE).1;
        self.values.clear();
        self.values.resize(groups * WIDE_GROUP * dims, NOWHERE);
        for at in 0..self.points.len() {
            self.put(at, positions[self.points[at] as usize * stride..].iter().copied());
        }
    }

    #[inline(always)]
    fn put(&mut self, at: usize, position: impl Iterator<Item = f32>) {
        let group = &mut self.values[at / WIDE_GROUP * WIDE_GROUP * self.dims..][..WIDE_GROUP * self.dims];
        for (axis, value) in position.take(self.dims).enumerate() {
            group[axis * WIDE_GROUP + at % WIDE_GROUP] = value;
        }
    }

    /// As [`Tile::hide`].
    #[inline(always)]
    pub fn hide(&mut self, far: Far, point: u32) -> Option<usize> {
        let at = far.contains(point).then(|| self.points.binary_search(&point).ok())??;
        self.put(at, std::iter::repeat(NOWHERE));
        Some(at)
    }

    /// Puts a point back that was hidden.
    #[inline(always)]
    pub fn show(&mut self, hidden: Option<usize>, position: &[f32]) {
        hidden.into_iter().for_each(|at| self.put(at, position.iter().copied()));
    }

    /// Σ w of the padding and of who is hidden, seen from anywhere near the embedding.
    #[inline(always)]
    #[must_use]
    pub fn padding_weight(&self, hidden: Option<usize>) -> f32 {
        let padding = self.values.len() / self.dims.max(1) - self.points.len();
        (padding + usize::from(hidden.is_some())) as f32 * self.weight_nowhere
    }

    /// The groups: `[dims][WIDE_GROUP]` each.
    #[inline(always)]
    pub fn groups(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(WIDE_GROUP * self.dims.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_large_in_few_dimensions_and_shrink_without_a_jump() {
        assert_eq!((samples(5620, 2, 512), samples(5620, 3, 512), samples(5620, 4, 512)), (EXACT, EXACT, 512));
        assert_eq!(samples(5620, 2, 10_000), 10_000, "more was asked for");
        assert!((512..600).contains(&samples(1_000_000, 3, 512)));
        let sizes: Vec<usize> = (60..200).map(|thousands| samples(1000 * thousands, 2, 512)).collect();
        assert!(sizes.windows(2).all(|pair| pair[1] <= pair[0] && pair[0] - pair[1] < 60));
    }

    #[test]
    fn every_point_is_in_exactly_one_of_the_samples() {
        for (points, samples) in [(1, 512), (4096, 512), (4097, 512), (8192, 4096), (70_000, 512)] {
            let stride = Far::stride_for(points, samples);
            assert!(stride.is_power_of_two() && points / stride as usize >= samples.min(points));
            let mut seen = vec![0; points];
            for offset in 0..stride {
                Far { stride, offset }.points(&vec![true; points]).for_each(|point| seen[point] += 1);
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
    }
}
