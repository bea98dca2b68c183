//! Propose: looks for nearer rows among the neighbours of neighbours, in both spaces. Reads lists, writes none.
//!
//! A point looks at every neighbour of a neighbour that it has not met that way before (the [`NEW`] mark), at its
//! neighbours in the embedding and theirs (the feedback of the paper), and at a few rows anywhere. What it finds for itself goes
//! to its own short row of finds; what it would be to the other goes to the other's [`Inbox`]. [`super::merge`] takes
//! both in. A pass over all points may be cut into slices, so that one iteration stays short at any size.

use crate::lists::{self, EMPTY, Lists, NEW, POINT};
use crate::random::{below, hash};
use pulp::Simd;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use vectors::Space;
use vectors::kernel::{self, Kernel, WithKernel};

/// Finds a point can make for itself in one pass.
pub const FINDS: usize = 16;
/// Offers a point can make to others in one pass: the nearest of them.
pub const OFFERED: usize = 16;
/// Offers a point can receive from others in one pass.
pub const OFFERS: usize = 4;
/// Rows that a point looks at in every pass because of the embedding: neighbours there, and neighbours of those, in turn.
pub const FROM_EMBEDDING: usize = 8;
/// Rows tried at random in every pass, so that no part of the graph stays cut off.
pub const ANYWHERE: u32 = 2;
/// Points per task.
const BLOCK: usize = 64;
/// Slots of the filter of pairs already met: small enough for the first-level cache.
const FILTER: usize = 2048;

/// Which places of a list are followed to the neighbours of a neighbour: those nearest, and a few at the far end, which
/// lead out of tight clusters. The rest leads to the same places at several times the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fan {
    /// Places from the front.
    near: usize,
    /// Places from the back.
    far: usize,
}

impl Fan {
    /// Follows this many places, three quarters of them at the front.
    #[must_use]
    pub fn of(places: usize) -> Self {
        Self { near: places - places / 4, far: places / 4 }
    }

    /// The followed places of a list of length `k`.
    #[inline(always)]
    #[must_use]
    pub fn places(self, k: usize) -> [Range<usize>; 2] {
        let near = self.near.min(k);
        [0..near, k.saturating_sub(self.far).max(near)..k]
    }
}

/// What others offer to a point: each slot keeps the nearest of the offers that fall into it, so the outcome does not
/// depend on who came first.
#[derive(Debug)]
pub struct Inbox {
    slots: Vec<AtomicU64>,
}

impl Inbox {
    const FREE: u64 = u64::MAX;

    /// Empty inboxes.
    #[must_use]
    pub fn new(points: usize) -> Self {
        Self { slots: (0..points * OFFERS).map(|_| AtomicU64::new(Self::FREE)).collect() }
    }

    /// Makes room for so many points.
    pub fn grow(&mut self, points: usize) {
        self.slots.resize_with(points * OFFERS, || AtomicU64::new(Self::FREE));
    }

    /// Offers `from`, at this distance, to a point.
    #[inline(always)]
    pub fn offer(&self, to: u32, from: u32, distance: f32) {
        let slot = to as usize * OFFERS + crate::random::pcg(from) as usize % OFFERS;
        // Bits of a non-negative float ascend with it, so the smaller word is the nearer offer.
        let offer = (u64::from(distance.to_bits()) << 32) | u64::from(from);
        self.slots[slot].fetch_min(offer, Ordering::Relaxed);
    }

    /// The inboxes, to be taken out by their owners: one chunk a point.
    pub fn chunks_mut(&mut self) -> rayon::slice::ChunksExactMut<'_, AtomicU64> {
        self.slots.par_chunks_exact_mut(OFFERS)
    }

    /// Takes one offer out of its slot.
    #[inline(always)]
    pub fn take(slot: &mut AtomicU64) -> Option<(u32, f32)> {
        let offer = std::mem::replace(slot.get_mut(), Self::FREE);
        (offer != Self::FREE).then(|| (offer as u32, f32::from_bits((offer >> 32) as u32)))
    }
}

/// What the points of a slice found for themselves.
#[derive(Debug, Default)]
pub struct Finds {
    /// The slice of points these rows belong to.
    pub slice: Range<usize>,
    /// `[slice][FINDS]` points, nearest first.
    pub entries: Vec<u32>,
    /// Their squared distances.
    pub distances: Vec<f32>,
    /// The distance that a candidate of each point must beat: read for every pair, and small enough to stay in the cache
    /// where the lists themselves are not.
    worst: Vec<f32>,
}

/// What propose reads.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The data.
    pub space: &'a Space,
    /// Neighbours in the data.
    pub hd: &'a Lists,
    /// Which places of a list are followed.
    pub fan: Fan,
    /// Which rows of `hd` hold new neighbours in those places.
    pub fresh: &'a [bool],
    /// Which points look at all their neighbours' neighbours, new or not.
    pub hungry: &'a [bool],
    /// Neighbours in the embedding, `[points][ld_length]`.
    pub ld: &'a [u32],
    /// Length of a row of `ld`.
    pub ld_length: usize,
    /// Which points live; the others look at nobody, and nobody looks at them.
    pub alive: &'a [bool],
    /// Number of the pass, for the random rows.
    pub pass: u32,
    /// Seed of the random rows.
    pub seed: u32,
}

/// Looks for nearer rows for the points of a slice.
pub fn propose(sources: Sources<'_>, slice: Range<usize>, inbox: &Inbox, finds: &mut Finds) {
    finds.slice = slice.clone();
    finds.entries.clear();
    finds.entries.resize(slice.len() * FINDS, EMPTY);
    finds.distances.clear();
    finds.distances.resize(slice.len() * FINDS, f32::INFINITY);
    finds.worst.resize(sources.space.rows(), f32::INFINITY);
    finds
        .worst
        .par_iter_mut()
        .enumerate()
        .with_min_len(4096)
        .for_each(|(point, worst)| *worst = sources.hd.worst(point));
    let worst = finds.worst.as_slice();
    let blocks = finds.entries.par_chunks_mut(BLOCK * FINDS).zip(finds.distances.par_chunks_mut(BLOCK * FINDS));
    blocks.enumerate().for_each(|(block, (entries, distances))| {
        let first = slice.start + block * BLOCK;
        kernel::dispatch(sources.space.metric(), Block { sources, first, worst, inbox, entries, distances });
    });
}

struct Block<'a> {
    sources: Sources<'a>,
    first: usize,
    worst: &'a [f32],
    inbox: &'a Inbox,
    entries: &'a mut [u32],
    distances: &'a mut [f32],
}

impl WithKernel for Block<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernel, S: Simd>(self, simd: S) {
        let mut met = [u64::MAX; FILTER];
        let rows = self.entries.chunks_exact_mut(FINDS).zip(self.distances.chunks_exact_mut(FINDS));
        for (offset, (entries, distances)) in rows.enumerate() {
            let point = (self.first + offset) as u32;
            if !self.sources.alive[point as usize] {
                continue;
            }
            let own = self.sources.hd.entries(point as usize);
            let worst = self.worst[point as usize];
            let row = self.sources.space.row(point as usize);
            let (mut offered, mut offered_distances) = ([EMPTY; OFFERED], [f32::INFINITY; OFFERED]);
            candidates(
                self.sources,
                point,
                #[inline(always)]
                |candidate| {
                    let pair = (u64::from(point) << 32) | u64::from(candidate);
                    let slot = &mut met[candidate as usize % FILTER];
                    if std::mem::replace(slot, pair) == pair || lists::contains(own, candidate) {
                        return;
                    }
                    let distance = K::squared(simd, row, self.sources.space.row(candidate as usize));
                    if distance < worst {
                        lists::insert(entries, distances, candidate, distance);
                    }
                    let other = candidate as usize;
                    if distance < self.worst[other] && !lists::contains(self.sources.hd.entries(other), point) {
                        lists::insert(&mut offered, &mut offered_distances, candidate, distance);
                    }
                },
            );
            for (&to, &distance) in offered.iter().zip(&offered_distances).take_while(|(to, _)| **to != EMPTY) {
                self.inbox.offer(to, point, distance);
            }
        }
    }
}

/// Names everyone a point should look at; some more than once.
#[inline(always)]
fn candidates(sources: Sources<'_>, point: u32, mut look: impl FnMut(u32)) {
    let Sources { hd, fresh, ld, ld_length, .. } = sources;
    let places = sources.fan.places(hd.k());
    let hungry = sources.hungry[point as usize];
    for &entry in places.iter().flat_map(|places| &hd.entries(point as usize)[places.clone()]) {
        let neighbour = entry & POINT;
        // Old neighbours of old neighbours were looked at when one of the two was new.
        if neighbour == EMPTY || (entry & NEW == 0 && !fresh[neighbour as usize] && !hungry) {
            continue;
        }
        for &candidate in places.iter().flat_map(|places| &hd.entries(neighbour as usize)[places.clone()]) {
            let looked_at = (entry | candidate) & NEW == 0 && !hungry;
            if !looked_at && candidate & POINT != EMPTY && candidate & POINT != point {
                look(candidate & POINT);
            }
        }
    }
    let random = hash(sources.seed, sources.pass, point, ANYWHERE) as usize;
    let friends = |point: u32| &ld[point as usize * ld_length..][..ld_length];
    for at in 0..FROM_EMBEDDING.min(ld_length) {
        let friend = friends(point)[(random + at) % ld_length];
        let candidate = if at % 2 == 0 { friend } else { friends(friend)[(random + at) % ld_length] };
        if candidate != point {
            look(candidate);
        }
    }
    let points = sources.space.rows() as u32;
    for draw in 0..ANYWHERE {
        let candidate = below(hash(sources.seed, sources.pass, point, draw), points);
        if candidate != point && sources.alive[candidate as usize] {
            look(candidate);
        }
    }
}
