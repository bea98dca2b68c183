//! Widen: for each point a thinned sample of the neighbours beyond its list, so that coarse scales weigh something at a
//! fraction of the price of long lists. Whether a pair may be in it is decided by a hash of the pair, the same for both:
//! one pair in [`THINNING`] may. Of those that a walk over two lists meets, the nearest beyond the list are kept.

use crate::lists::{self, EMPTY, Lists, POINT};
use crate::random::pcg;
use pulp::Simd;
use rayon::prelude::*;
use vectors::Space;
use vectors::kernel::{self, Kernel, WithKernel};

/// One pair in this many may be sampled, and a sampled neighbour stands for as many.
pub const THINNING: u32 = 4;
/// Places of a list that are walked.
const WALK: usize = 16;
/// Points per task.
const BLOCK: usize = 64;
/// Slots of the filter of rows already met.
const FILTER: usize = 2048;

/// The neighbours that a row of affinities is made of.
#[derive(Debug, Clone, Copy)]
pub struct Neighbourhoods<'a> {
    /// The nearest, all of them.
    pub listed: &'a Lists,
    /// A sample of those beyond, if there is one.
    pub beyond: Option<&'a Lists>,
}

impl<'a> Neighbourhoods<'a> {
    /// Lists, and the samples beyond them where there are any.
    #[must_use]
    pub fn new(listed: &'a Lists, beyond: &'a Lists) -> Self {
        Self { listed, beyond: (beyond.k() > 0).then_some(beyond) }
    }

    /// Lists alone.
    #[must_use]
    pub fn listed(listed: &'a Lists) -> Self {
        Self { listed, beyond: None }
    }

    /// The neighbours of a point, their squared distances, and how many each stands for.
    #[inline(always)]
    pub fn row(self, point: usize) -> impl Iterator<Item = (u32, f32, f32)> + 'a {
        let entries = move |lists: &'a Lists, weight: f32| {
            let row = lists.neighbours(point).zip(lists.distances(point));
            row.map(move |(neighbour, &distance)| (neighbour, distance, weight))
        };
        let beyond = self.beyond.into_iter().flat_map(move |beyond| entries(beyond, THINNING as f32));
        entries(self.listed, 1.0).chain(beyond)
    }
}

/// True if the pair of two points is one of those that may be sampled.
#[inline(always)]
#[must_use]
pub fn may_be_sampled(a: u32, b: u32, seed: u32) -> bool {
    pcg(a.min(b).wrapping_add(pcg(a.max(b) ^ seed))) < u32::MAX / THINNING
}

/// Draws new samples for the points that are dirty.
pub fn widen(space: &Space, hd: &Lists, dirty: &[bool], seed: u32, beyond: &mut Lists) {
    let k = beyond.k();
    if k == 0 {
        return;
    }
    let (entries, distances) = beyond.rows_mut();
    let blocks =
        entries.par_chunks_mut(BLOCK * k).zip(distances.par_chunks_mut(BLOCK * k)).zip(dirty.par_chunks(BLOCK));
    blocks.enumerate().for_each(|(block, ((entries, distances), dirty))| {
        let first = block * BLOCK;
        let reach: Vec<f32> = (first..first + dirty.len()).map(|point| hd.worst(point)).collect();
        let listed = Listed { entries: hd.all_entries(), k: hd.k() };
        widen_block(space, listed, seed, first, &reach, dirty, (k, entries, distances));
    });
}

/// Who is listed: `[points][k]` entries, with their marks.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
    /// The entries.
    pub entries: &'a [u32],
    /// Length of a row.
    pub k: usize,
}

/// Samples for some consecutive points from the first on, those that are wanted: how far the list of each reaches, and
/// rows of length `k` for entries and distances.
pub fn widen_block(
    space: &Space,
    listed: Listed<'_>,
    seed: u32,
    first: usize,
    reach: &[f32],
    wanted: &[bool],
    (k, entries, distances): (usize, &mut [u32], &mut [f32]),
) {
    kernel::dispatch(space.metric(), Block { space, listed, reach, wanted, seed, first, k, entries, distances });
}

/// Empties the samples that name points which have left or changed; they are dirty, and drawn again.
pub fn forget_beyond(touched: &[u8], beyond: &mut Lists, dirty: &mut [bool]) {
    let k = beyond.k();
    if k == 0 {
        return;
    }
    let (entries, distances) = beyond.rows_mut();
    let rows = entries.par_chunks_exact_mut(k).zip(distances.par_chunks_exact_mut(k)).zip(dirty);
    rows.enumerate().with_min_len(1024).for_each(|(point, ((entries, distances), dirty))| {
        let is_touched = |entry: &u32| *entry != EMPTY && touched[*entry as usize] != 0;
        if touched[point] != 0 || entries.iter().any(is_touched) {
            entries.fill(EMPTY);
            distances.fill(f32::INFINITY);
            *dirty = true;
        }
    });
}

struct Block<'a> {
    space: &'a Space,
    listed: Listed<'a>,
    reach: &'a [f32],
    wanted: &'a [bool],
    seed: u32,
    first: usize,
    k: usize,
    entries: &'a mut [u32],
    distances: &'a mut [f32],
}

impl WithKernel for Block<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernel, S: Simd>(self, simd: S) {
        let Self { space, listed, reach, wanted, seed, first, k, entries, distances } = self;
        let list = |point: u32| &listed.entries[point as usize * listed.k..][..listed.k];
        let mut met = [u64::MAX; FILTER];
        for (offset, (entries, distances)) in entries.chunks_exact_mut(k).zip(distances.chunks_exact_mut(k)).enumerate()
        {
            let point = (first + offset) as u32;
            if !wanted[offset] {
                continue;
            }
            entries.fill(EMPTY);
            distances.fill(f32::INFINITY);
            let (own, row) = (list(point), space.row(point as usize));
            let neighbours = own.iter().map(|entry| entry & POINT).take_while(|&neighbour| neighbour != EMPTY);
            for neighbour in neighbours.take(WALK) {
                for candidate in list(neighbour).iter().take(WALK).map(|entry| entry & POINT) {
                    if candidate == EMPTY || candidate == point || !may_be_sampled(point, candidate, seed) {
                        continue;
                    }
                    let pair = (u64::from(point) << 32) | u64::from(candidate);
                    let slot = &mut met[candidate as usize % FILTER];
                    if std::mem::replace(slot, pair) == pair || lists::contains(own, candidate) {
                        continue;
                    }
                    let distance = K::squared(simd, row, space.row(candidate as usize));
                    // Nearer than the list reaches: the search has yet to find it.
                    if distance >= reach[offset] {
                        lists::insert(entries, distances, candidate, distance);
                    }
                }
            }
        }
    }
}
