//! The search for neighbours in the data: lists that get better while the embedding runs.

use crate::cpu::decide::{self, Look, Progress};
use crate::cpu::merge::{end_pass, merge};
use crate::cpu::project;
use crate::cpu::propose::{Fan, Finds, Inbox, Sources, propose};
use crate::cpu::tile::is_dense;
use crate::dense::Dense;
use crate::lists::{self, Lists, POINT};
use crate::random::hash;
use crate::settings::Settings;
use rayon::prelude::*;
use vectors::Space;

/// Points whose neighbours are refined in one iteration, at most: keeps an iteration short at any size.
pub const SLICE: usize = 1 << 16;

/// Length of the slices of a pass over a number of points: as few as can be, and all alike.
#[must_use]
pub fn slice_of(points: usize) -> usize {
    points.div_ceil(points.div_ceil(SLICE).max(1))
}

/// Draw of the random seed of a tree.
pub const DRAW_TREE: u32 = 1;

/// Lists of neighbours in the data and what it takes to refine them.
#[derive(Debug)]
pub struct Search {
    /// The lists.
    pub hd: Lists,
    /// Rows that changed since their Gaussian was calibrated.
    pub dirty: Vec<bool>,
    /// How many rows changed since then, counting a row each time.
    pub changes: usize,
    /// Smoothed share of points that found a nearer neighbour when they last looked.
    pub rate: f32,
    /// Rows that hold neighbours nobody has followed yet.
    fresh: Vec<bool>,
    /// Rows that have lost much and look at everything again.
    pub hungry: Vec<bool>,
    /// Rows have left lately, and until this iteration free places are no news.
    pub patient_until: u32,
    inbox: Inbox,
    finds: Finds,
    pass: u32,
    next_slice: usize,
    trees: u32,
    /// The start-up by cells, while it runs.
    dense: Option<Box<Dense>>,
    /// That start-up has been.
    dense_done: bool,
    /// And it has found nearly all there is to find.
    covers_enough: bool,
    seed: u32,
}

impl Search {
    /// Lists of length `k`, started by one projection tree; empty where the metric lets whole cells be compared, which
    /// is what the first iterations do then.
    pub fn new(space: &Space, k: usize, seed: u32) -> Self {
        Self::among(space, &vec![true; space.rows()], k, seed)
    }

    /// The same where not everyone lives.
    pub fn among(space: &Space, alive: &[bool], k: usize, seed: u32) -> Self {
        let points = space.rows();
        let mut search = Self {
            hd: Lists::empty(points, k),
            dirty: vec![true; points],
            changes: points,
            rate: 1.0,
            fresh: vec![true; points],
            hungry: vec![false; points],
            patient_until: 0,
            inbox: Inbox::new(0),
            finds: Finds::default(),
            pass: 0,
            next_slice: 0,
            trees: 0,
            dense: None,
            dense_done: false,
            covers_enough: false,
            seed,
        };
        if !is_dense(space.metric()) {
            search.project(space, alive);
        }
        search
    }

    /// Makes room for so many points, whose lists are empty.
    pub fn grow(&mut self, points: usize) {
        self.hd.grow(points);
        self.dirty.resize(points, false);
        self.fresh.resize(points, false);
        self.hungry.resize(points, false);
    }

    /// True if the start-up by cells has found nearly all there is to find.
    pub fn covers_enough(&self) -> bool {
        self.covers_enough
    }

    /// Gives up what only a search needs that goes on.
    pub fn let_go(&mut self) {
        (self.dirty, self.fresh, self.hungry) = (Vec::new(), Vec::new(), Vec::new());
        (self.inbox, self.finds) = (Inbox::new(0), Finds::default());
        self.changes = 0;
    }

    /// What the search does in an iteration, once it has started.
    pub fn looks(&self, settings: &Settings, iteration: u32) -> Look {
        let projections = if self.dense_done { 0 } else { settings.start_projections.max(1) };
        let progress = Progress { trees: self.trees, pass: self.pass, rate: self.rate };
        decide::look(progress, projections, self.seed, iteration)
    }

    /// True while lists are still to be started by comparing whole cells. One tree is no start-up but the least there
    /// can be.
    fn starts_densely(&self, space: &Space, settings: &Settings) -> bool {
        is_dense(space.metric()) && settings.start_projections > 1 && !self.dense_done && self.pass == 0
    }

    /// One iteration's share of the search.
    pub fn step(
        &mut self,
        space: &Space,
        alive: &[bool],
        (ld, ld_length): (&[u32], usize),
        settings: &Settings,
        iteration: u32,
    ) {
        if self.starts_densely(space, settings) {
            return self.compare_cells(space, alive);
        }
        match self.looks(settings, iteration) {
            Look::Project => self.project(space, alive),
            Look::Refine => {
                let patient = iteration < self.patient_until;
                self.refine(space, alive, (ld, ld_length), Fan::of(settings.followed_neighbours), patient);
            }
            Look::Rest => {}
        }
    }

    /// Passes over all points made so far.
    pub fn passes(&self) -> u32 {
        self.pass
    }

    /// True while the lists are too patchy to move points by.
    pub fn warming_up(&self) -> bool {
        decide::warming_up(self.pass)
    }

    /// True if nobody has anything left to look at but rows anywhere.
    pub fn is_at_rest(&self, settings: &Settings) -> bool {
        let started = self.dense_done || (self.trees > 0 && self.trees >= settings.start_projections);
        started && !self.fresh.contains(&true) && !self.hungry.contains(&true)
    }

    /// A slice of the rows looks at the cells around it.
    fn compare_cells(&mut self, space: &Space, alive: &[bool]) {
        let k = self.hd.k();
        let dense = self.dense.get_or_insert_with(|| Box::new(Dense::begin(space, alive, k)));
        self.changes += dense.step(space, alive, &mut self.hd, &mut self.dirty);
        if !dense.is_done() {
            return;
        }
        self.rate = dense.missing(k).clamp(0.0, 1.0);
        self.fresh.fill(!dense.covers_enough());
        if dense.covers_enough() {
            self.pass = decide::WARM_UP_PASSES; // lists are as good as passes would make them
        }
        for (point, hungry) in self.hungry.iter_mut().enumerate() {
            *hungry |= alive[point] && self.hd.worst(point).is_infinite();
        }
        (self.covers_enough, self.dense_done) = (dense.covers_enough(), true);
        self.dense = None;
    }

    fn project(&mut self, space: &Space, alive: &[bool]) {
        let mut order: Vec<u32> = (0..space.rows() as u32).filter(|&point| alive[point as usize]).collect();
        let ends = project::tree(space, &mut order, hash(self.seed, self.trees, 0, DRAW_TREE));
        let found = project::join_leaves(space, &order, &ends);
        self.changes += project::merge_leaves(&mut self.hd, &mut self.dirty, &order, &found);
        self.trees += 1;
    }

    fn refine(&mut self, space: &Space, alive: &[bool], (ld, ld_length): (&[u32], usize), fan: Fan, patient: bool) {
        let points = space.rows();
        self.inbox.grow(points); // only now: where cells were compared there may be nothing to refine
        let slice = self.next_slice..(self.next_slice + slice_of(points)).min(points);
        let Self { hd, fresh, hungry, inbox, finds, pass, seed, .. } = self;
        let sources = Sources { space, hd, fan, fresh, hungry, ld, ld_length, alive, pass: *pass, seed: *seed };
        propose(sources, slice.clone(), inbox, finds);
        self.hungry[slice.clone()].fill(false);
        let merged = merge(&mut self.hd, &mut self.dirty, &self.finds, &mut self.inbox, patient);
        self.changes += merged.changed;
        self.rate = decide::smoothed(self.rate, merged.found as u32, slice.len() as u32, points as u32);
        self.next_slice = slice.end;
        if slice.end == points {
            end_pass(&mut self.hd, fan, &mut self.fresh);
            self.next_slice = 0;
            self.pass += 1;
        }
    }

    /// Makes lists longer or shorter; longer ones have everything to look at again.
    pub fn resize(&mut self, k: usize) {
        let longer = k > self.hd.k();
        self.hd.resize(k);
        if longer {
            self.look_again();
        }
        self.all_dirty();
    }

    /// Measures every list anew, after a change of the metric.
    pub fn remeasure(&mut self, space: &Space) {
        let k = self.hd.k();
        let (entries, distances) = self.hd.rows_mut();
        let rows = entries.par_chunks_mut(k).zip(distances.par_chunks_mut(k));
        rows.enumerate().with_min_len(64).for_each(|(point, (entries, distances))| {
            let known: Vec<u32> = entries.iter().copied().filter(|entry| entry & POINT != lists::EMPTY).collect();
            entries.fill(lists::EMPTY);
            distances.fill(f32::INFINITY);
            for entry in known {
                let distance = space.squared_distance(point, (entry & POINT) as usize);
                lists::insert(entries, distances, entry, distance);
            }
        });
        self.dense = None; // a start-up that still runs begins again
        self.look_again();
        self.all_dirty();
    }

    /// Has every Gaussian calibrated again.
    pub fn all_dirty(&mut self) {
        self.dirty.fill(true);
        self.changes = self.changes.max(self.dirty.len());
    }

    fn look_again(&mut self) {
        self.hd.mark_all_new();
        self.fresh.fill(true);
        self.rate = 1.0;
    }

    /// Share of points whose lists no longer change, as far as the last look can tell (0 to 1).
    pub fn settled(&self) -> f32 {
        1.0 - self.rate.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests;
