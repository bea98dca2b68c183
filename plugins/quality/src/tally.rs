//! What each query contributes to the evaluation, in integers that add up in any order.

use crate::curve::{add_shared, count_shared};
use crate::nearest::{Nearest, reaches};
use crate::random::{TieBreak, below, squared_of_key};
use crate::ranking::{Ranking, count_ranks};
use crate::scan::{Both, DistanceTable, Scanner};

/// What is compared, with all limits fitted to the number of rows.
pub(crate) struct Setup<'a> {
    pub(crate) rows: usize,
    pub(crate) hd: Scanner<'a>,
    pub(crate) ld: Scanner<'a>,
    pub(crate) max_k: usize,
    pub(crate) k: usize,
    pub(crate) pairs_per_query: usize,
    pub(crate) seed: u64,
}

/// Sums over queries.
#[derive(Debug)]
pub(crate) struct Tally {
    /// At K − 1: neighbours that are in both K-neighbourhoods, but not in both smaller ones.
    pub(crate) shared_from: Vec<u64>,
    /// HD rank beyond k, of the k nearest in LD.
    pub(crate) intrusions: u64,
    /// LD rank beyond k, of the k nearest in HD.
    pub(crate) extrusions: u64,
    /// Of the k nearest in LD, those as near in HD as the k-th nearest.
    pub(crate) kept: u64,
    /// Squared distances in HD and LD.
    pub(crate) pairs: Vec<(f32, f32)>,
}

impl Tally {
    pub(crate) fn new(max_k: usize) -> Self {
        Self { shared_from: vec![0; max_k], intrusions: 0, extrusions: 0, kept: 0, pairs: Vec::new() }
    }

    /// Adds the tally of the queries that come next.
    pub(crate) fn followed_by(mut self, next: Self) -> Self {
        add_shared(&mut self.shared_from, &next.shared_from);
        self.intrusions += next.intrusions;
        self.extrusions += next.extrusions;
        self.kept += next.kept;
        self.pairs.extend(next.pairs);
        self
    }
}

/// One space as a block of queries sees it.
struct View {
    nearest: Vec<Nearest>,
    distances: DistanceTable,
    ranking: Ranking,
    tie: TieBreak,
    /// Squared distance of the k-th nearest of the current query.
    kth: f32,
}

impl View {
    fn new(block: usize, nearest: usize, rows: usize) -> Self {
        Self {
            nearest: vec![Nearest::new(nearest); block],
            distances: DistanceTable::new(block, rows),
            ranking: Ranking::default(),
            tie: TieBreak::Position,
            kth: 0.0,
        }
    }

    fn scan(&mut self, scanner: &Scanner<'_>, queries: &[u32], seed: u64, which: u64) {
        for (nearest, &query) in self.nearest.iter_mut().zip(queries) {
            nearest.start(TieBreak::shuffled(seed, query, which));
        }
        scanner.scan(queries, &mut Both(&mut self.nearest, &mut self.distances));
    }

    fn turn_to(&mut self, slot: usize, k: usize) {
        let nearest = &mut self.nearest[slot];
        self.tie = nearest.tie();
        let keys = nearest.sorted();
        self.kth = squared_of_key(keys[k - 1]);
        self.ranking.read(keys, self.tie);
    }

    /// Σ (rank − k) over those of `rows` that rank beyond k.
    fn ranks_beyond(&self, slot: usize, k: usize, rows: &[u32]) -> u64 {
        let mut far = Vec::new();
        let mut beyond = 0;
        for &row in rows {
            match self.ranking.rank(row) {
                Some(rank) => beyond += rank.saturating_sub(k),
                None => far.push(row),
            }
        }
        let ranks = count_ranks(self.distances.of(slot), self.tie, &far);
        (beyond + ranks.into_iter().map(|rank| rank.saturating_sub(k)).sum::<usize>()) as u64
    }
}

/// Tallies block after block with the same buffers.
pub(crate) struct Worker<'a> {
    setup: &'a Setup<'a>,
    hd: View,
    ld: View,
    tally: Tally,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(setup: &'a Setup<'a>, block: usize) -> Self {
        let view = || View::new(block, setup.max_k.max(setup.k), setup.rows);
        Self { setup, hd: view(), ld: view(), tally: Tally::new(setup.max_k) }
    }

    pub(crate) fn into_tally(self) -> Tally {
        self.tally
    }

    pub(crate) fn tally_block(&mut self, queries: &[u32]) {
        let setup = self.setup;
        self.hd.scan(&setup.hd, queries, setup.seed, 0);
        self.ld.scan(&setup.ld, queries, setup.seed, 1);
        for (slot, &query) in queries.iter().enumerate() {
            self.hd.turn_to(slot, setup.k);
            self.ld.turn_to(slot, setup.k);
            self.tally_shared();
            self.tally_neighbourhood(slot);
            self.tally_pairs(slot, query);
        }
    }

    fn tally_shared(&mut self) {
        let ld_order = self.ld.ranking.order().iter().copied();
        count_shared(&mut self.tally.shared_from, &self.hd.ranking, ld_order);
    }

    fn tally_neighbourhood(&mut self, slot: usize) {
        let k = self.setup.k;
        let near_in_ld = &self.ld.ranking.order()[..k];
        let near_in_hd = &self.hd.ranking.order()[..k];
        self.tally.intrusions += self.hd.ranks_beyond(slot, k, near_in_ld);
        self.tally.extrusions += self.ld.ranks_beyond(slot, k, near_in_hd);
        let hd = self.hd.distances.of(slot);
        self.tally.kept += near_in_ld.iter().filter(|&&row| reaches(hd[row as usize], self.hd.kth)).count() as u64;
    }

    fn tally_pairs(&mut self, slot: usize, query: u32) {
        let (hd, ld) = (self.hd.distances.of(slot), self.ld.distances.of(slot));
        let mut add = |row: usize| {
            if row != query as usize {
                self.tally.pairs.push((hd[row], ld[row]));
            }
        };
        if hd.len() - 1 <= self.setup.pairs_per_query {
            (0..hd.len()).for_each(add);
        } else {
            let stream = self.setup.seed ^ (u64::from(query) << 32);
            (0..self.setup.pairs_per_query as u64).for_each(|draw| add(below(hd.len(), stream, draw)));
        }
    }
}
