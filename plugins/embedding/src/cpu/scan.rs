//! Scan: for every row the nearest ones of whole cells, those whose middles it is nearest to.

use super::best::{Best, key, look};
use super::cells::{Cells, group_of};
use super::deliver::{Offer, deliver};
use super::mutual::{Lookers, look_mutually};
use super::tile::{QUERIES, STRIP};
use crate::lists::{self, EMPTY, Lists};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use std::ops::Range;
use vectors::Space;
use vectors::kernel::{self, Kernel, WithKernel};

/// Rows of cells next to each other that look around together: the more of them look at a cell, the less it costs to
/// fetch it.
const TOGETHER: usize = 1024;
/// Words that hold one bit for each of some rows.
const WORDS: usize = TOGETHER / 64;
/// Which of them look at a cell.
type Set = [u64; WORDS];
const NOBODY: Set = [0; WORDS];
/// Which cells are looked at, by rank: the nearest is the first.
#[derive(Debug, Clone, Copy)]
pub struct Looks<'a> {
    /// From this one …
    pub from: usize,
    /// … to before that one.
    pub to: usize,
    /// What is known from the cells before, and what rows in the cells want to hear of (see [`super::mutual`]). None for
    /// those who know nobody.
    pub known: Option<(&'a Lists, &'a [[f32; STRIP]])>,
}

/// What the rows of some cells have found, in the order of the cells.
pub struct Found {
    /// Who looked.
    pub points: Vec<u32>,
    k: usize,
    entries: Vec<u32>,
    distances: Vec<f32>,
    /// What they have found for those they looked at.
    pub offers: Vec<Vec<Offer>>,
}

/// Has every row of some cells look at other cells.
#[must_use]
pub fn scan(space: &Space, alive: &[bool], cells: &Cells, range: Range<usize>, looks: Looks<'_>, k: usize) -> Found {
    let members =
        |cell| cells.points(cell).filter(|&point| alive[point as usize]).map(move |point| (point, cell as u32));
    let (points, homes): (Vec<u32>, Vec<u32>) = range.flat_map(members).unzip();
    let (mut entries, mut distances) = (vec![EMPTY; points.len() * k], vec![f32::INFINITY; points.len() * k]);
    let blocks = entries.par_chunks_mut(TOGETHER * k).zip(distances.par_chunks_mut(TOGETHER * k));
    let looking = points.par_chunks(TOGETHER).zip(homes.par_chunks(TOGETHER));
    let offers = blocks
        .zip(looking)
        .with_max_len(1)
        .map(|((entries, distances), (points, homes))| {
            let (best, pairs) = Arch::new().dispatch(Block { space, cells, points, homes, looks, k });
            let measure = Measure { space, alive, cells, points, best, pairs, k, entries, distances };
            kernel::dispatch(space.metric(), measure)
        })
        .collect();
    Found { points, k, entries, distances, offers }
}

/// Rows that look around together, and what they keep.
struct Block<'a> {
    space: &'a Space,
    cells: &'a Cells,
    points: &'a [u32],
    homes: &'a [u32],
    looks: Looks<'a>,
    k: usize,
}

impl WithSimd for Block<'_> {
    type Output = (Best, Vec<(u32, u32)>);
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let Self { space, cells, points, homes, looks, k } = self;
        let (rows, dims) = (cells.framed(space, points), cells.frame.dims());
        let wanted = wanted(simd, cells, &rows, points.len(), looks);
        // Everyone at the own cell first, but for those who have been there.
        let order = in_order(wanted, if looks.known.is_some() { &[] } else { homes });
        let halves: Vec<f32> = rows.chunks_exact(dims).map(|row| cells.frame.half(row)).collect();
        let limit = |(&point, half): (&u32, &f32)| match looks.known {
            Some((hd, _)) => half + cells.frame.limit(hd.worst(point as usize)),
            None => f32::NEG_INFINITY,
        };
        // One of those kept is the row itself.
        let mut best = Best::beyond(points.iter().zip(&halves).map(limit).collect(), k + 1);
        let (mut pairs, mut who) = (Vec::new(), Vec::with_capacity(TOGETHER));
        for (cell, lookers) in order {
            who.clear();
            who.extend(rows_of(&lookers));
            let strips = cells.starts[cell] as usize..cells.starts[cell + 1] as usize;
            if let Some((_, limits)) = looks.known {
                let (best, offers) = (&mut best, &mut pairs);
                let mut lookers = Lookers { rows: &rows, dims, halves: &halves, best, offers };
                look_mutually(simd, &cells.rows, limits, strips, &mut lookers, &who);
            } else {
                look(simd, &cells.rows, strips, (&rows, dims), &who, &mut best);
            }
        }
        (best, pairs)
    }
}

/// The rows of a set.
#[inline(always)]
fn rows_of(set: &Set) -> impl Iterator<Item = usize> {
    set.iter().zip((0..).step_by(64)).flat_map(|(&word, first)| {
        // A word without its lowest bit, again and again.
        let words = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
        words.take_while(|&word| word != 0).map(move |word| first + word.trailing_zeros() as usize)
    })
}

/// Cells and who looks at them: first everyone at the own cell, as the sooner the near ones are known, the fewer others
/// are kept for a while; then where most look.
fn in_order(mut wanted: Vec<Set>, homes: &[u32]) -> Vec<(usize, Set)> {
    let mut order = Vec::new();
    let mut row = 0;
    for members in homes.chunk_by(|a, b| a == b) {
        let (home, mut own) = (members[0] as usize, NOBODY);
        for row in row..row + members.len() {
            own[row / 64] |= 1 << (row % 64);
        }
        row += members.len();
        wanted[home].iter_mut().zip(&own).for_each(|(wanted, own)| *wanted &= !own);
        order.push((home, own));
    }
    let mut others: Vec<(usize, Set)> =
        wanted.into_iter().enumerate().filter(|(_, lookers)| *lookers != NOBODY).collect();
    let count = |lookers: &Set| lookers.iter().map(|word| word.count_ones()).sum::<u32>();
    others.sort_by_cached_key(|(cell, lookers)| (u32::MAX - count(lookers), *cell));
    order.extend(others);
    order
}

/// Measures what rows have kept and writes their lists.
struct Measure<'a> {
    space: &'a Space,
    alive: &'a [bool],
    cells: &'a Cells,
    points: &'a [u32],
    best: Best,
    pairs: Vec<(u32, u32)>,
    k: usize,
    entries: &'a mut [u32],
    distances: &'a mut [f32],
}

impl WithKernel for Measure<'_> {
    type Output = Vec<Offer>;
    #[inline(always)]
    fn run<K: Kernel, S: Simd>(mut self, simd: S) -> Vec<Offer> {
        let listed = self.cells.rows.points.as_flattened();
        let mut measured = Vec::with_capacity(self.k + 1);
        let rows = self.entries.chunks_exact_mut(self.k).zip(self.distances.chunks_exact_mut(self.k));
        for (row, (&point, (entries, distances))) in self.points.iter().zip(rows).enumerate() {
            measured.clear();
            let own = self.space.row(point as usize);
            for place in self.best.places(row) {
                let other = listed[place as usize];
                if other != point && self.alive[other as usize] {
                    measured.push((K::squared(simd, own, self.space.row(other as usize)), other));
                }
            }
            measured.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for ((entry, distance), &(squared, other)) in entries.iter_mut().zip(distances).zip(&measured) {
                (*entry, *distance) = (other, squared);
            }
        }
        let mut offers = Vec::with_capacity(self.pairs.len());
        for &(row, place) in &self.pairs {
            let (from, to) = (self.points[row as usize], listed[place as usize]);
            if from != to && self.alive[to as usize] {
                let distance = K::squared(simd, self.space.row(from as usize), self.space.row(to as usize));
                offers.push(Offer { to, from, distance });
            }
        }
        offers
    }
}

/// Which of some rows look at which cells: those whose middles are nearest to them.
#[inline(always)]
fn wanted<S: Simd>(simd: S, cells: &Cells, rows: &[f32], count: usize, looks: Looks<'_>) -> Vec<Set> {
    let all = cells.count();
    let mut wanted = vec![NOBODY; all];
    if looks.from == 0 && looks.to >= all {
        let mut everyone = NOBODY;
        (0..count).for_each(|row| everyone[row / 64] |= 1 << (row % 64));
        wanted.fill(everyone);
        return wanted;
    }
    let mut ranked = Vec::with_capacity(all);
    for first in (0..count).step_by(QUERIES) {
        let near = cells.middles.nearness(simd, group_of(rows, cells.frame.dims(), first));
        for (row, near) in (first..count).zip(&near) {
            ranked.clear();
            ranked.extend(near[..all].iter().zip(0..).map(|(&near, cell)| key(near, cell)));
            if looks.to < all {
                ranked.select_nth_unstable(looks.to - 1);
            }
            if looks.from > 0 {
                ranked[..looks.to].select_nth_unstable(looks.from - 1);
            }
            for &ranked in &ranked[looks.from..looks.to] {
                wanted[ranked as u32 as usize][row / 64] |= 1 << (row % 64);
            }
        }
    }
    wanted
}

/// Takes what was found into the lists, with these marks; returns for how many points a nearer neighbour came in.
pub fn merge_found(hd: &mut Lists, dirty: &mut [bool], found: &Found, mark: u32) -> usize {
    const NOWHERE: u32 = u32::MAX;
    let mut place_of = vec![NOWHERE; dirty.len()];
    for (place, &point) in found.points.iter().enumerate() {
        place_of[point as usize] = place as u32;
    }
    let k = hd.k();
    let (entries, distances) = hd.rows_mut();
    let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k));
    rows.zip(dirty.par_iter_mut())
        .zip(&place_of)
        .with_min_len(256)
        .map(|(((entries, distances), dirty), &place)| {
            if place == NOWHERE {
                return 0;
            }
            let own = place as usize * found.k..(place as usize + 1) * found.k;
            let mut gained = false;
            for (&candidate, &distance) in found.entries[own.clone()].iter().zip(&found.distances[own]) {
                gained |= candidate != EMPTY && lists::insert(entries, distances, candidate | mark, distance);
            }
            *dirty |= gained;
            usize::from(gained)
        })
        .sum::<usize>()
        + deliver(hd, dirty, &found.offers, mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_names_its_rows_in_order() {
        let members = [0, 1, 63, 64, 200, TOGETHER - 1];
        let mut set = NOBODY;
        members.iter().for_each(|row| set[row / 64] |= 1 << (row % 64));
        assert_eq!(rows_of(&set).collect::<Vec<_>>(), members);
        assert_eq!(rows_of(&NOBODY).count(), 0);
    }
}
