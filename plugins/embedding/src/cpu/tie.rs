//! Tie: lists into [`Ties`], in hardly more memory than the larger of the two takes. It does what [`super::widen`],
//! [`super::calibrate`] and [`super::symmetrise`] do, row by row and part by part, and the lists go as the ties come.

use super::calibrate::{Distances, SCALES, calibrate_row, found};
use super::widen::{Listed, THINNING, widen_block};
use crate::lists::{EMPTY, Lists, POINT};
use crate::ties::{Block, Code, Ties};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use vectors::Space;

/// Parts in which rows become ties: more of them take less memory and more time.
const PARTS: usize = 16;
/// Points of a part, at least; a whole number of blocks of ties.
const LEAST: usize = 1 << 17;
/// Points whose rows are weighed by one task.
const BLOCK: usize = 64;

/// Makes ties of lists and of samples beyond them, `beyond` for each point.
#[must_use]
pub fn tie(space: &Space, hd: Lists, beyond: usize, perplexities: [f32; SCALES], seed: u32) -> Ties {
    let points = space.rows();
    let part = points.div_ceil(PARTS).max(LEAST).next_multiple_of(Ties::BLOCK);
    tie_in_parts(Named::weighed(space, hd, beyond, perplexities, seed), part)
}

fn tie_in_parts(mut named: Named, part: usize) -> Ties {
    let points = named.points();
    let mut blocks = vec![Block::default(); points.div_ceil(Ties::BLOCK)];
    // Whom rows of parts that are done name in a part that is not.
    let mut left: Vec<Vec<Vec<Pair>>> = vec![Vec::new(); points.div_ceil(part)];
    // From the last part to the first: what is done can be cut off.
    while let Some(last) = left.pop() {
        let rows = left.len() * part..named.points();
        let reverse = Reverse::of(&named, rows.clone(), &last);
        drop(last);
        let own = &mut blocks[rows.start / Ties::BLOCK..rows.end.div_ceil(Ties::BLOCK)];
        own.par_iter_mut().enumerate().for_each_init(<(Vec<u64>, Vec<u32>)>::default, |room, (number, block)| {
            let first = rows.start + number * Ties::BLOCK;
            *block = merged_block(&named, &reverse, first..(first + Ties::BLOCK).min(rows.end), room);
        });
        drop(reverse);
        let pairs: Vec<Vec<Pair>> =
            (0..left.len()).into_par_iter().map(|to| named.pairs(rows.clone(), to * part..(to + 1) * part)).collect();
        left.iter_mut().zip(pairs).for_each(|(left, pairs)| left.push(pairs));
        named.truncate(rows.start);
    }
    Ties::new(named.code, blocks)
}

/// Somebody who is named, and the tie to who names it.
type Pair = (u32, u32);

/// The rows `p(j|i)/2` as ties: `[points][k]` to those who are listed, `[points][beyond]` to the sample.
struct Named {
    code: Code,
    k: usize,
    listed: Vec<u32>,
    beyond: usize,
    sampled: Vec<u32>,
}

impl Named {
    /// Samples, calibrates and weighs all rows.
    fn weighed(space: &Space, hd: Lists, beyond: usize, perplexities: [f32; SCALES], seed: u32) -> Self {
        let (points, k, code) = (space.rows(), hd.k(), Code::for_points(space.rows()));
        let (mut listed, mut distances) = hd.into_parts();
        let entries = Listed { entries: &listed, k };
        let mut sampled = vec![Code::NOBODY; points * beyond];
        // Chunks of no length there are not: without samples each task gets a place that it leaves alone.
        let mut none = vec![0; if beyond == 0 { points.div_ceil(BLOCK) } else { 0 }];
        let samples = if beyond == 0 { none.par_chunks_mut(1) } else { sampled.par_chunks_mut(BLOCK * beyond) };
        let blocks = distances.par_chunks_mut(BLOCK * k).zip(samples);
        blocks.enumerate().for_each_init(<(Vec<u32>, Vec<f32>)>::default, |(names, far), (block, (near, samples))| {
            let first = block * BLOCK;
            let reach: Vec<f32> = near.chunks_exact(k).map(|row| row[k - 1]).collect();
            names.resize(reach.len() * beyond, EMPTY);
            far.resize(reach.len() * beyond, f32::INFINITY);
            if beyond > 0 {
                let all = [true; BLOCK];
                widen_block(space, entries, seed, first, &reach, &all[..reach.len()], (beyond, names, far));
            }
            for (at, near) in near.chunks_exact_mut(k).enumerate() {
                let sample = at * beyond..(at + 1) * beyond;
                let (names, far) = (&names[sample.clone()], &far[sample.clone()]);
                let distances = Distances { listed: found(near), beyond: found(far), weight: THINNING as f32 };
                let gaussian = calibrate_row(distances, perplexities, [0.0; SCALES]);
                for ((place, &name), &distance) in samples.iter_mut().skip(sample.start).zip(names).zip(found(far)) {
                    *place = code.tie(name, 0.5 * THINNING as f32 * gaussian.p(distance));
                }
                near.iter_mut().for_each(|distance| *distance = 0.5 * gaussian.p(*distance));
            }
        });
        let rows = listed.par_iter_mut().zip(&distances).with_min_len(BLOCK * k);
        rows.for_each(|(entry, &half)| {
            let name = *entry & POINT;
            *entry = if name == EMPTY { Code::NOBODY } else { code.tie(name, half) };
        });
        Self { code, k, listed, beyond, sampled }
    }

    fn points(&self) -> usize {
        self.listed.len() / self.k
    }

    /// The ties of a row.
    #[inline(always)]
    fn row(&self, point: usize) -> impl Iterator<Item = u32> {
        let listed = &self.listed[point * self.k..][..self.k];
        let sampled = &self.sampled[point * self.beyond..][..self.beyond];
        let is_tie = |tie: &u32| *tie != Code::NOBODY;
        listed.iter().copied().take_while(is_tie).chain(sampled.iter().copied().take_while(is_tie))
    }

    /// Calls for everyone of a range whom a point names, with the place in the range and the tie back.
    #[inline(always)]
    fn back(&self, point: usize, range: &Range<usize>, mut call: impl FnMut(usize, u32)) {
        for tie in self.row(point) {
            let place = (self.code.neighbour(tie) as usize).wrapping_sub(range.start);
            if place < range.len() {
                call(place, (tie & !self.code.names()) | point as u32);
            }
        }
    }

    /// Those of a range whom rows name.
    fn pairs(&self, rows: Range<usize>, range: Range<usize>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for point in rows {
            self.back(point, &range, |place, tie| pairs.push(((range.start + place) as u32, tie)));
        }
        pairs.shrink_to_fit();
        pairs
    }

    /// Keeps the rows of the first points, and the memory of no others.
    fn truncate(&mut self, points: usize) {
        self.listed.truncate(points * self.k);
        self.listed.shrink_to_fit();
        self.sampled.truncate(points * self.beyond);
        self.sampled.shrink_to_fit();
    }
}

/// Who names the points of a part, as ties to them.
struct Reverse {
    first: usize,
    starts: Vec<u64>,
    ties: Vec<AtomicU32>,
}

impl Reverse {
    /// Of the rows up to those of the part, and of pairs that are left from those behind it.
    fn of(named: &Named, part: Range<usize>, left: &[Vec<Pair>]) -> Self {
        let counts: Vec<AtomicU32> = part.clone().map(|_| AtomicU32::new(0)).collect();
        let each = |act: &(dyn Fn(usize, u32) + Sync)| {
            (0..part.end).into_par_iter().with_min_len(1024).for_each(|point| named.back(point, &part, act));
            left.par_iter().flatten().for_each(|&(name, tie)| act(name as usize - part.start, tie));
        };
        each(&|place, _| {
            counts[place].fetch_add(1, Ordering::Relaxed);
        });
        let mut starts = Vec::with_capacity(part.len() + 1);
        let mut total = 0_u64;
        starts.push(0);
        for count in &counts {
            total += u64::from(count.swap(0, Ordering::Relaxed));
            starts.push(total);
        }
        let ties: Vec<AtomicU32> = (0..total).into_par_iter().map(|_| AtomicU32::new(0)).collect();
        each(&|place, tie| {
            let filled = counts[place].fetch_add(1, Ordering::Relaxed);
            ties[(starts[place] + u64::from(filled)) as usize].store(tie, Ordering::Relaxed);
        });
        Self { first: part.start, starts, ties }
    }

    fn row(&self, point: usize) -> impl Iterator<Item = u32> {
        let at = point - self.first;
        let row = &self.ties[self.starts[at] as usize..self.starts[at + 1] as usize];
        row.iter().map(|tie| tie.load(Ordering::Relaxed))
    }
}

/// The rows of some points: both directions, mutual pairs summed, the largest weight first.
fn merged_block(
    named: &Named,
    reverse: &Reverse,
    points: Range<usize>,
    (row, ties): &mut (Vec<u64>, Vec<u32>),
) -> Block {
    let code = named.code;
    let by_name = |tie: u32| (u64::from(code.neighbour(tie)) << 32) | u64::from(tie);
    ties.clear();
    let ends = points
        .map(|point| {
            row.clear();
            row.extend(named.row(point).chain(reverse.row(point)).map(by_name));
            // By neighbour, then weight: the order in which threads filled the reverse rows leaves no trace.
            row.sort_unstable();
            let start = ties.len();
            for pair in row.chunk_by(|a, b| a >> 32 == b >> 32) {
                let weight = pair.iter().map(|&tie| code.weight(tie as u32)).sum();
                ties.push(code.tie((pair[0] >> 32) as u32, weight));
            }
            ties[start..].sort_unstable_by_key(|&tie| std::cmp::Reverse(tie));
            ties.len() as u32
        })
        .collect();
    Block { ends, ties: ties.as_slice().into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affinities::Affinities;
    use crate::cpu::calibrate::{Gaussian, calibrate};
    use crate::cpu::symmetrise::symmetrise;
    use crate::cpu::widen::{Neighbourhoods, widen};
    use crate::lists::{NEW, insert};
    use crate::random::{hash, normal};
    use vectors::{Metric, Vectors};

    const POINTS: usize = 1700;
    const SEED: u32 = 5;

    /// A cloud, lists of its nearest, of which some are not full, and perplexities.
    fn input() -> (Space, Lists, [f32; SCALES]) {
        let random = |at: u32| normal(hash(SEED, 1, at, 0), hash(SEED, 1, at, 1));
        let values: Vec<f32> = (0..4 * POINTS as u32).map(random).collect();
        let space = Space::new(Vectors::from_rows(&values, 4), Metric::Euclidean);
        let mut hd = Lists::empty(POINTS, 12);
        for point in 0..POINTS {
            let (entries, distances) = hd.row_mut(point);
            let others = (0..POINTS).filter(|&other| other != point && point != 7 && (point % 50 != 3 || other < 9));
            for other in others {
                insert(entries, distances, other as u32 | NEW, space.squared_distance(point, other));
            }
        }
        (space, hd, [4.0, 6.0, 9.0])
    }

    #[test]
    fn ties_are_the_affinities_as_far_as_words_can_tell() {
        for beyond in [0, 5] {
            let (space, hd, perplexities) = input();
            let mut samples = Lists::empty(POINTS, beyond);
            let (dirty, mut gaussians) = (vec![true; POINTS], vec![Gaussian::default(); POINTS]);
            widen(&space, &hd, &dirty, SEED, &mut samples);
            let neighbourhoods = Neighbourhoods::new(&hd, &samples);
            calibrate(neighbourhoods, &dirty, perplexities, &mut gaussians);
            let mut expected = Affinities::default();
            symmetrise(neighbourhoods, &gaussians, &mut expected);
            let ties = tie(&space, hd.clone(), beyond, perplexities, SEED);
            let mut pairs = 0;
            for point in 0..POINTS {
                let (neighbours, weights) = expected.row(point);
                let row = ties.row(point);
                assert!(row.is_sorted_by(|a, b| a >= b), "{point}: {row:?}");
                assert_eq!(row.len(), neighbours.len(), "{point}");
                for &tie in row {
                    let place = neighbours.binary_search(&ties.code().neighbour(tie)).expect("a neighbour");
                    let (found, expected) = (ties.code().weight(tie), weights[place]);
                    assert!((found - expected).abs() <= 2e-4 * expected + 2e-9, "{point}: {found}, not {expected}");
                }
                pairs += row.len();
            }
            assert!(pairs > POINTS * (14 + beyond), "{pairs} pairs");
        }
    }

    #[test]
    fn parts_make_no_difference() {
        let (space, hd, perplexities) = input();
        let named = || Named::weighed(&space, hd.clone(), 5, perplexities, SEED);
        let whole = tie_in_parts(named(), 4 * Ties::BLOCK);
        assert!(tie_in_parts(named(), Ties::BLOCK) == whole);
        assert!(tie_in_parts(named(), 2 * Ties::BLOCK) == whole);
    }
}
