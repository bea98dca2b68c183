//! The symmetric affinities `N·p_ij`, as sparse rows that can change one by one while points come and go.

use crate::cpu::lanes::MAX_LANES;
use crate::ties::Ties;
use rayon::prelude::*;
use std::ops::Range;

/// The affinities. A mutual pair stands once in each of its two rows, with both directions summed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Affinities {
    /// Rows of [`Affinities::BLOCK`] points each: blocks are built, changed and read independently.
    pub(crate) blocks: Vec<Block>,
    /// Rows have changed one by one, and will again.
    pub(crate) changing: bool,
    /// All there is of them in a run that will do nothing but move points; there are no blocks then.
    pub(crate) ties: Option<Ties>,
}

/// The rows of some points, which lie together in memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Block {
    rows: Vec<Row>,
    neighbours: Vec<u32>,
    weights: Vec<f32>,
}

/// Where a row lies in its block.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Row {
    start: u32,
    length: u32,
    /// Places it has; the last of them may be free.
    room: u32,
}

/// The places of a row of this length that count in an iteration, and the factors on them; see [`Affinities::turn`].
#[inline(always)]
pub(crate) fn turns(point: usize, length: usize, iteration: Option<u32>) -> [(Range<usize>, f32); 2] {
    let all = [(0..length, 1.0), (0..0, 0.0)];
    let Some(iteration) = iteration else { return all };
    let always = (length / 2).next_multiple_of(MAX_LANES).min(length);
    let others = length - always;
    if others <= MAX_LANES {
        return all; // too few to be worth turns
    }
    let share = others.div_ceil(Affinities::TURNS).next_multiple_of(MAX_LANES);
    let turns = others.div_ceil(share);
    let first = always + (point + iteration as usize) % turns * share;
    [(0..always, 1.0), (first..(first + share).min(length), turns as f32)]
}

/// One direction of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Whose row it is in.
    pub point: u32,
    /// Whom it names.
    pub other: u32,
    /// Its weight.
    pub weight: f32,
}

impl Affinities {
    /// Points per block.
    pub const BLOCK: usize = 512;
    /// Iterations after which all smaller weights have had their turn.
    pub const TURNS: usize = 3;

    /// Neighbours of one row and their weights `N·p_ij`, ascending until rows come and go. Nobody has any before the
    /// first [`symmetrise`](crate::cpu::symmetrise::symmetrise).
    #[inline(always)]
    #[must_use]
    pub fn row(&self, point: usize) -> (&[u32], &[f32]) {
        let Some(block) = self.blocks.get(point / Self::BLOCK) else { return (&[], &[]) };
        let range = block.rows[point % Self::BLOCK].range();
        (&block.neighbours[range.clone()], &block.weights[range])
    }

    /// True before the first [`symmetrise`](crate::cpu::symmetrise::symmetrise).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.ties.is_none()
    }

    /// Sorts every row by weight, the largest first: what matters most then lies together.
    pub fn sort_by_weight(&mut self) {
        self.blocks.par_iter_mut().for_each_init(Vec::new, |row, block| block.sort_by_weight(row));
    }

    /// The part of a row that counts in an iteration, as two pieces with a factor each. The larger weights always count;
    /// of the others, which are many and pull little, a different share counts in each of [`TURNS`](Self::TURNS)
    /// iterations, for all of them: over one round of turns they pull as if all had counted all the time. Points jitter a
    /// little by that; without an iteration the whole row counts.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self, point: usize, iteration: Option<u32>) -> [(&[u32], &[f32], f32); 2] {
        let (neighbours, weights) = self.row(point);
        turns(point, neighbours.len(), iteration).map(
            #[inline(always)]
            |(part, factor)| (&neighbours[part.clone()], &weights[part], factor),
        )
    }

    /// Makes room for so many points, whose rows are empty; as long as there are no affinities, nobody needs any.
    pub fn grow(&mut self, points: usize) {
        if self.is_empty() {
            return;
        }
        self.blocks.resize(points.div_ceil(Self::BLOCK), Block::default());
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.rows.resize((points - number * Self::BLOCK).min(Self::BLOCK), Row::default());
        }
    }

    /// Takes points out of everybody's rows, and everybody out of theirs.
    pub fn unlink(&mut self, points: &[u32]) {
        if self.is_empty() {
            return;
        }
        let named = |&point: &u32| self.row(point as usize).0.iter().map(move |&other| (other, point));
        let mut edges: Vec<Edge> = points
            .iter()
            .flat_map(named)
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .map(|(point, other)| Edge { point, other, weight: 0.0 })
            .collect();
        self.change(&mut edges, |block, edge| block.drop(edge.point as usize % Self::BLOCK, edge.other));
    }

    /// Puts pairs, each named in both directions, into the rows; those that are there stay as they are.
    pub fn link(&mut self, edges: &mut Vec<Edge>) {
        self.change(edges, |block, edge| block.push(edge.point as usize % Self::BLOCK, edge.other, edge.weight));
    }

    /// Changes rows, each in the order of the others' numbers: the outcome does not depend on that of the edges.
    fn change(&mut self, edges: &mut Vec<Edge>, act: impl Fn(&mut Block, &Edge) + Sync) {
        self.changing = true;
        let key = |edge: &Edge| (u64::from(edge.point) << 32) | u64::from(edge.other);
        edges.par_sort_unstable_by_key(key);
        edges.dedup_by_key(|edge| key(edge));
        self.blocks.par_iter_mut().enumerate().for_each(|(number, block)| {
            let first = edges.partition_point(|edge| (edge.point as usize) < number * Self::BLOCK);
            let own = edges[first..].iter().take_while(|edge| edge.point as usize / Self::BLOCK == number);
            own.for_each(|edge| act(block, edge));
        });
    }
}

impl Row {
    #[inline(always)]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

impl Block {
    /// Free places of a row where rows come and go.
    pub(crate) const FREE: u32 = 6;

    /// Begins anew, without rows.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.neighbours.clear();
        self.weights.clear();
    }

    /// Adds the row of the next point, with so many free places.
    pub(crate) fn add_row(&mut self, row: impl Iterator<Item = (u32, f32)>, free: u32) {
        let start = self.neighbours.len() as u32;
        for (neighbour, weight) in row {
            self.neighbours.push(neighbour);
            self.weights.push(weight);
        }
        let length = self.neighbours.len() as u32 - start;
        self.rows.push(Row { start, length, room: length + free });
        self.neighbours.resize((start + length + free) as usize, 0);
        self.weights.resize((start + length + free) as usize, 0.0);
    }

    /// Sorts every row by weight, the largest first; `pairs` is room for one.
    fn sort_by_weight(&mut self, pairs: &mut Vec<(u32, u32)>) {
        for row in &self.rows {
            let (neighbours, weights) = (&mut self.neighbours[row.range()], &mut self.weights[row.range()]);
            pairs.clear();
            // Bits of what is not negative ascend with it.
            pairs.extend(weights.iter().zip(neighbours.iter()).map(|(weight, &other)| (!weight.to_bits(), other)));
            pairs.sort_unstable();
            for ((weight, neighbour), &(bits, other)) in weights.iter_mut().zip(neighbours).zip(pairs.iter()) {
                (*weight, *neighbour) = (f32::from_bits(!bits), other);
            }
        }
    }

    /// Gives memory back that growing took: at a million points that is hundreds of megabytes.
    pub(crate) fn shrink(&mut self) {
        self.neighbours.shrink_to_fit();
        self.weights.shrink_to_fit();
    }

    /// Puts one more at the end of a row. A row without a free place moves behind all others.
    fn push(&mut self, at: usize, neighbour: u32, weight: f32) {
        let row = self.rows[at];
        // No early exit: the row is compared in a few vector instructions.
        if self.neighbours[row.range()].iter().fold(false, |found, &named| found | (named == neighbour)) {
            return;
        }
        if row.length == row.room {
            let start = self.neighbours.len() as u32;
            let room = row.length + Self::FREE;
            self.neighbours.extend_from_within(row.range());
            self.weights.extend_from_within(row.range());
            self.neighbours.resize((start + room) as usize, 0);
            self.weights.resize((start + room) as usize, 0.0);
            self.rows[at] = Row { start, length: row.length, room };
        }
        let row = &mut self.rows[at];
        let place = (row.start + row.length) as usize;
        (self.neighbours[place], self.weights[place]) = (neighbour, weight);
        row.length += 1;
    }

    /// Takes somebody out of a row; the last one takes the place.
    fn drop(&mut self, at: usize, neighbour: u32) {
        let range = self.rows[at].range();
        let last = range.end.wrapping_sub(1);
        if let Some(place) = self.neighbours[range.clone()].iter().position(|&named| named == neighbour) {
            self.neighbours.swap(range.start + place, last);
            self.weights.swap(range.start + place, last);
            self.rows[at].length -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn pair(a: u32, b: u32, weight: f32) -> [Edge; 2] {
        [(a, b), (b, a)].map(|(point, other)| Edge { point, other, weight })
    }

    #[test]
    fn rows_are_those_of_a_map_of_pairs_whatever_comes_and_goes() {
        let points = 2 * Affinities::BLOCK + 30;
        let mut affinities = Affinities { blocks: vec![Block::default()], ..Affinities::default() };
        affinities.grow(points);
        let mut pairs: BTreeMap<(u32, u32), f32> = BTreeMap::new();
        let random = |round: u32, draw: u32| crate::random::hash(7, round, draw, 0) % points as u32;
        for round in 0..40 {
            let gone: Vec<u32> = (0..5).map(|draw| random(round, draw)).collect();
            affinities.unlink(&gone);
            pairs.retain(|(a, b), _| !gone.contains(a) && !gone.contains(b));
            let mut edges = Vec::new();
            for draw in 0..2000 {
                let (a, b) = (random(round, 10 + draw), random(round, 9000 + draw));
                if a != b {
                    let weight = (a + b + round) as f32;
                    edges.extend(pair(a, b, weight)); // some for the second time
                    pairs.entry((a, b)).or_insert(weight);
                    pairs.entry((b, a)).or_insert(weight);
                }
            }
            affinities.link(&mut edges);
        }
        let mut found = BTreeMap::new();
        for point in 0..points {
            let (neighbours, weights) = affinities.row(point);
            found.extend(neighbours.iter().zip(weights).map(|(&other, &weight)| ((point as u32, other), weight)));
        }
        assert!(pairs.len() > 50_000, "{} pairs", pairs.len());
        assert_eq!(found, pairs);
        let listed: usize = (0..points).map(|point| affinities.row(point).0.len()).sum();
        assert_eq!(listed, pairs.len(), "somebody stands twice in a row");
    }

    #[test]
    fn a_round_of_turns_counts_every_weight_as_often_as_it_takes() {
        for length in [0, 1, 16, 31, 33, 47, 90, 200] {
            let mut block = Block::default();
            block.add_row((0..length).map(|other| (other, 1.0 + ((other * 37) % 101) as f32)), 0);
            let mut affinities = Affinities { blocks: vec![block], ..Affinities::default() };
            affinities.sort_by_weight();
            let (neighbours, weights) = affinities.row(0);
            assert!(weights.is_sorted_by(|a, b| a >= b), "{length}: {weights:?}");
            let row: BTreeMap<u32, f32> = neighbours.iter().copied().zip(weights.iter().copied()).collect();
            assert!(row.iter().all(|(&other, &weight)| weight == 1.0 + ((other * 37) % 101) as f32), "{length}");
            assert_eq!(row.len() as u32, length);
            let round = 2 * 3; // any number of turns up to three divides it
            let (mut counted, mut most) = (BTreeMap::new(), 0);
            for iteration in 0..round {
                let parts = affinities.turn(0, Some(iteration));
                most = most.max(parts.iter().map(|part| part.0.len()).sum::<usize>());
                for (neighbours, weights, factor) in parts {
                    for (&other, &weight) in neighbours.iter().zip(weights) {
                        *counted.entry(other).or_insert(0.0) += factor * weight / round as f32;
                    }
                }
            }
            assert_eq!(counted.len(), row.len(), "{length}: somebody never has a turn");
            assert!(counted.iter().all(|(other, sum)| (sum / row[other] - 1.0).abs() < 1e-5), "{length}: {counted:?}");
            assert!(length < 90 || most * 4 <= length as usize * 3, "{length}: {most} count in one iteration");
        }
    }

    #[test]
    fn before_there_are_any_nothing_is_linked() {
        let mut affinities = Affinities::default();
        affinities.grow(10);
        affinities.link(&mut pair(1, 2, 0.5).to_vec());
        affinities.unlink(&[1]);
        assert!(affinities.is_empty());
    }
}
