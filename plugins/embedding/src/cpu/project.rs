//! Project: start-up projections. Rows are split by random hyperplanes until few are left together; those that share
//! a leaf are likely neighbours. The first tree also lays the rows out in memory.

use crate::lists::{self, EMPTY, Lists, NEW};
use crate::random::{below, hash};
use pulp::Simd;
use rayon::prelude::*;
use vectors::Space;
use vectors::kernel::{self, Kernel, WithKernel};

/// Leaves hold at most this many rows: all pairs of a leaf are compared while its rows are in the first-level cache.
pub const LEAF: usize = 48;
/// Neighbours a row can gain from one tree.
pub const FOUND: usize = 16;
/// Below this many rows a branch is not worth a thread of its own.
const SEQUENTIAL: usize = 4096;
/// The place of a row that is in no leaf.
const NOWHERE: u32 = u32::MAX;

/// Splits `order` (some rows, each once) in place until every leaf is small; returns where leaves end.
pub fn tree(space: &Space, order: &mut [u32], seed: u32) -> Vec<u32> {
    let mut keys = vec![(0.0_f32, 0_u32); order.len()];
    split(space, order, &mut keys, seed, 1);
    let mut ends = Vec::new();
    leaf_ends(0, order.len(), &mut ends);
    ends
}

/// The leaves of a tree are known from its size alone, as every split is at the middle.
fn leaf_ends(start: usize, len: usize, ends: &mut Vec<u32>) {
    if len <= LEAF {
        ends.push((start + len) as u32);
        return;
    }
    leaf_ends(start, len / 2, ends);
    leaf_ends(start + len / 2, len - len / 2, ends);
}

fn split(space: &Space, order: &mut [u32], keys: &mut [(f32, u32)], seed: u32, node: u32) {
    if order.len() <= LEAF {
        return;
    }
    let random = |draw| order[below(hash(seed, node, order.len() as u32, draw), order.len() as u32) as usize];
    let axis = between(space, random(0), random(1));
    let fill = |(keys, order): (&mut [(f32, u32)], &[u32])| {
        kernel::dispatch(space.metric(), Fill { space, axis: &axis, keys, order })
    };
    if order.len() > SEQUENTIAL {
        let chunk = SEQUENTIAL / 4;
        keys.par_chunks_mut(chunk).zip(order.par_chunks(chunk)).for_each(fill);
    } else {
        fill((keys, order));
    }
    let middle = order.len() / 2;
    // The row number breaks ties, so that duplicates part evenly too.
    keys.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (row, key) in order.iter_mut().zip(keys.iter()) {
        *row = key.1;
    }
    let (left, right) = order.split_at_mut(middle);
    let (left_keys, right_keys) = keys.split_at_mut(middle);
    if left.len() > SEQUENTIAL {
        rayon::join(
            || split(space, left, left_keys, seed, 2 * node),
            || split(space, right, right_keys, seed, 2 * node + 1),
        );
    } else {
        split(space, left, left_keys, seed, node.wrapping_mul(2));
        split(space, right, right_keys, seed, node.wrapping_mul(2).wrapping_add(1));
    }
}

/// The direction from one row to another; for angular metrics of their (centred) directions, as lengths and means say
/// nothing there.
fn between(space: &Space, a: u32, b: u32) -> Vec<f32> {
    let (a, b) = (space.row(a as usize), space.row(b as usize));
    let scale = |norm: f32| if a.inverse_norm == 0.0 && b.inverse_norm == 0.0 { 1.0 } else { norm };
    let (scale_a, scale_b) = (scale(a.inverse_norm), scale(b.inverse_norm));
    let mut axis: Vec<f32> =
        a.values.iter().zip(b.values).map(|(x, y)| (x - a.mean) * scale_a - (y - b.mean) * scale_b).collect();
    axis[a.dims..].fill(0.0); // the padding has no mean
    axis
}

struct Fill<'a> {
    space: &'a Space,
    axis: &'a [f32],
    keys: &'a mut [(f32, u32)],
    order: &'a [u32],
}

impl WithKernel for Fill<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernel, S: Simd>(self, simd: S) {
        for (key, &row) in self.keys.iter_mut().zip(self.order) {
            let row_values = self.space.row(row as usize);
            let scale = if row_values.inverse_norm > 0.0 { row_values.inverse_norm } else { 1.0 };
            *key = (scale * kernel::dot(simd, row_values.values, self.axis), row);
        }
    }
}

/// Neighbours found in the leaves of a tree, in the order of the tree.
pub struct Found {
    entries: Vec<u32>,
    distances: Vec<f32>,
}

/// Compares all pairs of every leaf and keeps the nearest of each row.
#[must_use]
pub fn join_leaves(space: &Space, order: &[u32], ends: &[u32]) -> Found {
    let mut found =
        Found { entries: vec![EMPTY; order.len() * FOUND], distances: vec![f32::INFINITY; order.len() * FOUND] };
    let mut leaves = Vec::with_capacity(ends.len());
    let (mut entries, mut distances) = (found.entries.as_mut_slice(), found.distances.as_mut_slice());
    let mut start = 0;
    for &end in ends {
        let rows = &order[start..end as usize];
        let (leaf_entries, rest) = entries.split_at_mut(rows.len() * FOUND);
        entries = rest;
        let (leaf_distances, rest) = distances.split_at_mut(rows.len() * FOUND);
        distances = rest;
        leaves.push(Leaf { space, rows, entries: leaf_entries, distances: leaf_distances });
        start = end as usize;
    }
    leaves.into_par_iter().with_min_len(8).for_each(|leaf| kernel::dispatch(space.metric(), leaf));
    found
}

struct Leaf<'a> {
    space: &'a Space,
    rows: &'a [u32],
    entries: &'a mut [u32],
    distances: &'a mut [f32],
}

impl WithKernel for Leaf<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernel, S: Simd>(self, simd: S) {
        for (at_a, &a) in self.rows.iter().enumerate() {
            let row_a = self.space.row(a as usize);
            for (at_b, &b) in self.rows.iter().enumerate().skip(at_a + 1) {
                let distance = K::squared(simd, row_a, self.space.row(b as usize));
                for (at, other) in [(at_a, b), (at_b, a)] {
                    let entries = &mut self.entries[at * FOUND..][..FOUND];
                    let distances = &mut self.distances[at * FOUND..][..FOUND];
                    lists::insert(entries, distances, other, distance);
                }
            }
        }
    }
}

/// Takes what the leaves offer into the lists; returns for how many points a nearer neighbour came in.
pub fn merge_leaves(hd: &mut Lists, dirty: &mut [bool], order: &[u32], found: &Found) -> usize {
    let mut place_of = vec![NOWHERE; dirty.len()];
    for (place, &row) in order.iter().enumerate() {
        place_of[row as usize] = place as u32;
    }
    let k = hd.k();
    let (entries, distances) = hd.rows_mut();
    let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k));
    rows.zip(dirty.par_iter_mut())
        .zip(&place_of)
        .with_min_len(256)
        .map(|(((entries, distances), dirty), &place)| {
            let mut gained = false;
            if place == NOWHERE {
                return 0;
            }
            let place = place as usize * FOUND;
            for (&candidate, &distance) in
                found.entries[place..][..FOUND].iter().zip(&found.distances[place..][..FOUND])
            {
                gained |= candidate != EMPTY && lists::insert(entries, distances, candidate | NEW, distance);
            }
            *dirty |= gained;
            usize::from(gained)
        })
        .sum()
}
