//! Positions in few dimensions, in a kd-tree of the places that differ.

use crate::random::TieBreak;
use crate::tree::Search;
use kiddo::SquaredEuclidean;
use kiddo::immutable::float::kdtree::ImmutableKdTree;
use rayon::prelude::*;
use std::num::NonZero;

/// Places in a leaf of the tree.
const LEAF: usize = 32;

/// A row that is nowhere.
const LOST: u32 = u32::MAX;

/// Positions of `D` values. Rows that coincide share one place: with more equal coordinates than fit a leaf the tree
/// would degenerate into a list.
pub(crate) struct Points<const D: usize> {
    /// Finds places.
    tree: ImmutableKdTree<f32, u32, D, LEAF>,
    places: Vec<[f32; D]>,
    /// Where the members of each place begin, and in the end the number of members.
    starts: Vec<u32>,
    /// The rows, place after place; those of one place in random order.
    members: Vec<u32>,
    /// The index of each row among the members, and its place.
    homes: Vec<(u32, u32)>,
}

impl<const D: usize> Points<D> {
    /// Takes finite positions of some of `rows` rows.
    pub(crate) fn new(found: &[(u32, &[f32])], rows: usize) -> Self {
        let tie = TieBreak::shuffled(0, 0, 1);
        let mut sorted: Vec<([u32; D], u64)> = found
            .par_iter()
            .map(|&(row, point)| (std::array::from_fn(|dim| point[dim].to_bits()), tie.key(0.0, row)))
            .collect();
        sorted.par_sort_unstable();
        let (mut places, mut starts) = (Vec::new(), Vec::new());
        let (mut members, mut homes) = (Vec::with_capacity(sorted.len()), vec![(LOST, LOST); rows]);
        for place in sorted.chunk_by(|a, b| a.0 == b.0) {
            starts.push(members.len() as u32);
            for &(_, key) in place {
                let row = tie.position(key);
                homes[row as usize] = (members.len() as u32, places.len() as u32);
                members.push(row);
            }
            places.push(place[0].0.map(f32::from_bits));
        }
        starts.push(members.len() as u32);
        Self { tree: ImmutableKdTree::new_from_slice(&places), places, starts, members, homes }
    }

    /// The rows at a place.
    fn members(&self, place: u32) -> &[u32] {
        let place = place as usize;
        &self.members[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Up to `wanted` of the nearest places with their squared distances, nearest first.
    fn nearest_places(&self, point: &[f32; D], wanted: usize) -> Vec<(u32, f32)> {
        let Some(wanted) = NonZero::new(wanted.min(self.places.len())) else { return Vec::new() };
        let found = self.tree.nearest_n::<SquaredEuclidean>(point, wanted);
        found.into_iter().map(|place| (place.item, place.distance)).collect()
    }

    fn places_within(&self, point: &[f32], squared_radius: f32) -> impl Iterator<Item = &[u32]> {
        let found = self.tree.within_unsorted::<SquaredEuclidean>(&fixed(point), squared_radius);
        found.into_iter().map(|place| self.members(place.item))
    }

    fn fill(&self, row: usize, list: &mut [u32]) {
        let (at, own) = self.homes[row];
        if at == LOST {
            return;
        }
        let members = self.members(own);
        let (before, after) = members.split_at((at - self.starts[own as usize]) as usize);
        let mut places = list.iter_mut();
        // Those that come next among the row's own: the order is random, so each row has its own random choice.
        let others = after[1..].iter().chain(before);
        places.by_ref().zip(others).for_each(|(place, &other)| *place = other);
        let wanted = places.len();
        if wanted == 0 {
            return;
        }
        // One more, as the row's own place is found again.
        let near = self.nearest_places(&self.places[own as usize], wanted + 1);
        let others = near.iter().filter(|&&(place, _)| place != own).flat_map(|&(place, _)| self.members(place));
        places.zip(others).for_each(|(place, &other)| *place = other);
    }
}

impl<const D: usize> Search for Points<D> {
    fn nearest(&self, point: &[f32], k: usize) -> Vec<(u32, f32)> {
        let near = self.nearest_places(&fixed(point), k);
        let rows = near.iter().flat_map(|&(place, squared)| self.members(place).iter().map(move |&row| (row, squared)));
        rows.take(k).collect()
    }

    fn within(&self, point: &[f32], squared_radius: f32) -> Vec<u32> {
        self.places_within(point, squared_radius).flatten().copied().collect()
    }

    fn count_within(&self, point: &[f32], squared_radius: f32) -> usize {
        self.places_within(point, squared_radius).map(<[u32]>::len).sum()
    }

    fn neighbours(&self, k: usize, lists: &mut [u32]) {
        lists.par_chunks_exact_mut(k).enumerate().for_each(|(row, list)| self.fill(row, list));
    }
}

fn fixed<const D: usize>(point: &[f32]) -> [f32; D] {
    std::array::from_fn(|dim| point[dim])
}
