//! Scan: for every row the nearest ones of whole cells, those whose middles it is nearest to.

use super::best::{Best, key, look};
use super::cells::{Cells, group_of};
use super::reach::Reach;
use super::tile::QUERIES;
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
type Lookers = [u64; WORDS];
const NOBODY: Lookers = [0; WORDS];
/// What the rows of some cells have found, in the order of the cells.
pub struct Found {
    /// Who looked.
    pub points: Vec<u32>,
    k: usize,
    entries: Vec<u32>,
    distances: Vec<f32>,
}

/// Has every row of some cells look at the cells within its reach.
#[must_use]
pub fn scan(space: &Space, alive: &[bool], cells: &Cells, range: Range<usize>, reach: Reach, k: usize) -> Found {
    let members =
        |cell| cells.points(cell).filter(|&point| alive[point as usize]).map(move |point| (point, cell as u32));
    let (points, homes): (Vec<u32>, Vec<u32>) = range.flat_map(members).unzip();
    let (mut entries, mut distances) = (vec![EMPTY; points.len() * k], vec![f32::INFINITY; points.len() * k]);
    let blocks = entries.par_chunks_mut(TOGETHER * k).zip(distances.par_chunks_mut(TOGETHER * k));
    let looking = points.par_chunks(TOGETHER).zip(homes.par_chunks(TOGETHER));
    blocks.zip(looking).with_max_len(1).for_each(|((entries, distances), (points, homes))| {
        let best = Arch::new().dispatch(Block { space, cells, points, homes, reach, k });
        kernel::dispatch(space.metric(), Measure { space, alive, cells, points, best, k, entries, distances });
    });
    Found { points, k, entries, distances }
}

/// Rows that look around together, and what they keep.
struct Block<'a> {
    space: &'a Space,
    cells: &'a Cells,
    points: &'a [u32],
    homes: &'a [u32],
    reach: Reach,
    k: usize,
}

impl WithSimd for Block<'_> {
    type Output = Best;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Best {
        let Self { space, cells, points, .. } = self;
        let (rows, dims) = (cells.framed(space, points), cells.frame.dims());
        let mut best = Best::new(points.len(), self.k + 1); // one of them is the row itself
        let wanted = wanted(simd, cells, &rows, points.len(), self.reach.cells);
        let mut who = Vec::with_capacity(TOGETHER);
        for (cell, lookers) in in_order(wanted, self.homes) {
            who.clear();
            who.extend((0..points.len()).filter(|&row| lookers[row / 64] >> (row % 64) & 1 != 0));
            let strips = cells.starts[cell] as usize..cells.starts[cell + 1] as usize;
            look(simd, &cells.rows, strips, (&rows, dims), &who, &mut best);
        }
        best
    }
}

/// Cells and who looks at them: first everyone at the own cell, as the sooner the near ones are known, the fewer others
/// are kept for a while; then where most look.
fn in_order(mut wanted: Vec<Lookers>, homes: &[u32]) -> Vec<(usize, Lookers)> {
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
    let mut others: Vec<(usize, Lookers)> =
        wanted.into_iter().enumerate().filter(|(_, lookers)| *lookers != NOBODY).collect();
    let count = |lookers: &Lookers| lookers.iter().map(|word| word.count_ones()).sum::<u32>();
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
    k: usize,
    entries: &'a mut [u32],
    distances: &'a mut [f32],
}

impl WithKernel for Measure<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernel, S: Simd>(mut self, simd: S) {
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
    }
}

/// Which of some rows look at which cells: those whose middles are nearest to them.
#[inline(always)]
fn wanted<S: Simd>(simd: S, cells: &Cells, rows: &[f32], count: usize, reach: usize) -> Vec<Lookers> {
    let all = cells.count();
    let mut wanted = vec![NOBODY; all];
    if reach >= all {
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
            ranked.select_nth_unstable(reach - 1);
            for &ranked in &ranked[..reach] {
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
        .sum()
}
