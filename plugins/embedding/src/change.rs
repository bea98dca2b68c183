//! Rows that come, leave and change between two iterations. Nothing restarts, and the state of all others stays as it
//! is: their lists lose those who left, gain those who came, and that is all.

use crate::affinities::Edge;
use crate::cpu::arrive::{Ground, Nearest, Sample, nearest, place};
use crate::cpu::calibrate::{Distances, Gaussian, calibrate_row};
use crate::cpu::decide::Annealing;
use crate::cpu::forces::position_stride;
use crate::cpu::forget::{GONE, MOVED, forget_hd};
use crate::cpu::propose::Fan;
use crate::cpu::widen::{Neighbourhoods, forget_beyond};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::lists::{self, EMPTY};
use crate::living::{check_vectors, fitting};
use crate::random::{hash, normal};
use rayon::prelude::*;
use vectors::Vectors;

/// Rows that come together and look at each other as well as at those who are there; the next of them look at these.
const TOGETHER: usize = 64;
/// Noise of the place of a new point, as a share of the embedding's size: duplicates need a reason to part.
pub const NOISE: f32 = 1e-4;
/// First draw of the random numbers of that noise.
pub const DRAW_NOISE: u32 = 1 << 20;
/// First draw of the random numbers that fill lists of neighbours in the embedding.
pub const DRAW_FILL: u32 = 1 << 21;
/// A larger share of the rows than this in one change is worth a refresh of all affinities.
pub const MANY: f32 = 0.02;
/// So many iterations after rows have left, nobody hurries to fill the places that became free.
pub const PATIENCE: u32 = 100;
/// A settled embedding wakes to this share of its step when rows come and go …
const WAKING: f32 = 0.25;
/// … and comes to rest again over so many iterations.
const RESTING: u32 = 200;

/// An embedding that was settled makes room for what is new and settles again.
#[must_use]
pub fn woken(annealing: Annealing, iteration: u32) -> Annealing {
    Annealing { from: iteration, over: RESTING, share: annealing.left(iteration).max(WAKING) }
}

impl Engine {
    /// Takes rows in. Each must be a number that does not live: one that has left, or the next ones after all. A new
    /// point finds its neighbours by a short search and starts among them.
    ///
    /// # Errors
    /// If a row lives already or leaves a gap, or the vectors do not fit; then nothing changes.
    pub fn insert(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), EngineError> {
        if rows.is_empty() {
            return Ok(());
        }
        check_vectors(rows, vectors, self.space.vectors().dims())?;
        self.living.check_free(rows)?;
        self.recall();
        rayon::scope(|_| self.take_in(rows, vectors)); // on a thread of the pool, as iterations are
        Ok(())
    }

    fn take_in(&mut self, rows: &[u32], vectors: &Vectors) {
        let noise = NOISE * self.descent.size(self.living.alive());
        let sample = self.sample();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|&at| rows[at]); // those at the end come in the order of their numbers
        for together in order.chunks(TOGETHER) {
            let points: Vec<u32> = together
                .iter()
                .map(|&at| {
                    let point = self.living.add(rows[at]);
                    self.space.put(point as usize, vectors.row(at));
                    point
                })
                .collect();
            self.grow();
            self.arrive(&points, &sample, Some(noise));
        }
        self.count_changes(rows.len());
    }

    /// Puts rows among their neighbours in the data once more, at rest: those that came found them by a short search, and
    /// the search has gone on since. Neighbours that are held show the way, if there are any.
    ///
    /// # Errors
    /// If one does not live; then nothing changes.
    pub fn place_anew(&mut self, rows: &[u32]) -> Result<(), EngineError> {
        self.living.check_living(rows)?;
        self.recall();
        let noise = NOISE * self.descent.size(self.living.alive());
        for point in rows.iter().filter_map(|&row| self.living.point(row)).collect::<Vec<_>>() {
            let (hd, pinned) = (&self.search.hd, self.descent.is_pinned(point));
            let listed = || hd.neighbours(point as usize).zip(hd.distances(point as usize).iter().copied());
            let held: Vec<(u32, f32)> = listed().filter(|&(other, _)| self.descent.is_pinned(other)).collect();
            let (points, distances): (Vec<u32>, Vec<f32>) =
                if held.is_empty() { listed().unzip() } else { held.into_iter().unzip() };
            let gaussian = calibrate_row(Distances::all(&distances), self.perplexities(), Default::default());
            self.place(point, &Nearest { points, distances, wanted_by: Vec::new() }, gaussian, noise);
            self.descent.pin(std::iter::once(point), pinned);
        }
        Ok(())
    }

    /// Lets rows leave. At least two must stay.
    ///
    /// # Errors
    /// If one does not live or too few would be left; then nothing changes.
    pub fn remove(&mut self, rows: &[u32]) -> Result<(), EngineError> {
        if rows.is_empty() {
            return Ok(());
        }
        self.living.check_living(rows)?;
        if self.living.count() < rows.len() + 2 {
            return Err(EngineError::TooFewRows { rows: self.living.count() - rows.len() });
        }
        self.recall();
        let points: Vec<u32> = rows.iter().filter_map(|&row| self.living.point(row)).collect();
        for &point in &points {
            self.living.take(point);
            self.descent.rest(point);
        }
        rayon::scope(|_| {
            self.affinities.unlink(&points);
            self.touch(&points, GONE);
        });
        self.count_changes(rows.len());
        Ok(())
    }

    /// Gives rows other data. Their points stay where they are and move on from there.
    ///
    /// # Errors
    /// If a row does not live or the vectors do not fit; then nothing changes.
    pub fn update(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), EngineError> {
        if rows.is_empty() {
            return Ok(());
        }
        check_vectors(rows, vectors, self.space.vectors().dims())?;
        self.living.check_living(rows)?;
        self.recall();
        let points: Vec<u32> = rows.iter().filter_map(|&row| self.living.point(row)).collect();
        for (at, &point) in points.iter().enumerate() {
            self.space.put(point as usize, vectors.row(at));
        }
        rayon::scope(|_| {
            self.affinities.unlink(&points);
            self.touch(&points, MOVED);
            let sample = self.sample();
            points.chunks(TOGETHER).for_each(|together| self.arrive(together, &sample, None));
        });
        self.count_changes(rows.len());
        Ok(())
    }

    /// Holds rows where they are, as firmly as the [`stiffness`](crate::Settings::stiffness) says, or lets them go.
    ///
    /// # Errors
    /// If one does not live; then nothing changes.
    pub fn pin(&mut self, rows: &[u32], pinned: bool) -> Result<(), EngineError> {
        if let Some(&row) = rows.iter().find(|&&row| self.living.point(row).is_none()) {
            return Err(EngineError::NotLiving { row });
        }
        self.descent.pin(rows.iter().filter_map(|&row| self.living.point(row)), pinned);
        Ok(())
    }

    /// True if a row is held where it is.
    #[must_use]
    pub fn is_pinned(&self, row: u32) -> bool {
        self.living.point(row).is_some_and(|point| self.descent.is_pinned(point))
    }

    /// True if a row lives.
    #[must_use]
    pub fn lives(&self, row: u32) -> bool {
        self.living.point(row).is_some()
    }

    /// How many rows live.
    #[must_use]
    pub fn living(&self) -> usize {
        self.living.count()
    }

    /// Which points live; the others are free slots.
    #[must_use]
    pub fn alive(&self) -> &[bool] {
        self.living.alive()
    }

    /// Makes room for all slots.
    fn grow(&mut self) {
        let points = self.living.alive().len();
        self.search.grow(points);
        self.gaussians.resize(points, Default::default());
        self.beyond.grow(points);
        self.affinities.grow(points);
        self.descent.grow(points);
    }

    /// Takes points that left out of all lists, or measures those anew that have changed.
    fn touch(&mut self, points: &[u32], how: u8) {
        let mut touched = vec![0; self.space.rows()];
        points.iter().for_each(|&point| touched[point as usize] = how);
        let search = &mut self.search;
        forget_hd(&self.space, &touched, &mut search.hd, &mut search.dirty, &mut search.hungry);
        forget_beyond(&touched, &mut self.beyond, &mut search.dirty);
        if how == GONE {
            self.search.patient_until = self.iteration + PATIENCE;
            points.iter().for_each(|&point| self.gaussians[point as usize] = Default::default());
            let (seed, iteration) = (self.seed, self.iteration);
            let random = |point, draw| hash(seed, iteration, point, DRAW_FILL + draw);
            self.fit_lists();
            self.descent.forget(&touched, self.living.alive(), &self.search.hd, random);
        }
    }

    /// Where the searches of a change begin.
    fn sample(&self) -> Sample {
        Sample::draw(&self.space, self.search.hd.k(), self.living.alive(), self.seed, self.iteration)
    }

    /// Finds the neighbours of points whose data is new, tells them, and places the points if they are new, too, with
    /// so much noise.
    fn arrive(&mut self, points: &[u32], sample: &Sample, noise: Option<f32>) {
        let ground =
            Ground { space: &self.space, hd: &self.search.hd, fan: Fan::of(self.settings.followed_neighbours), sample };
        let found: Vec<Nearest> = points
            .par_iter()
            .map(|&point| {
                let own = ground.hd.neighbours(point as usize);
                nearest(ground, point, &points.iter().copied().chain(own).collect::<Vec<_>>())
            })
            .collect();
        for (&point, nearest) in points.iter().zip(&found) {
            // What its list knew before was looked at as well.
            let (entries, distances) = self.search.hd.row_mut(point as usize);
            entries.fill(EMPTY);
            distances.fill(f32::INFINITY);
            entries[..nearest.points.len()].copy_from_slice(&nearest.points);
            distances[..nearest.distances.len()].copy_from_slice(&nearest.distances);
            for &(other, distance) in &nearest.wanted_by {
                let (entries, distances) = self.search.hd.row_mut(other as usize);
                self.search.dirty[other as usize] |= lists::insert(entries, distances, point, distance);
            }
            self.search.dirty[point as usize] = true;
        }
        for &point in points {
            let distances = Distances::of(Neighbourhoods::new(&self.search.hd, &self.beyond), point as usize);
            let perplexities = self.perplexities();
            let gaussian = &mut self.gaussians[point as usize];
            *gaussian = calibrate_row(distances, perplexities, gaussian.beta);
        }
        let pairs = points.par_iter().zip(&found);
        let mut edges = pairs.flat_map_iter(|(&point, nearest)| self.edges(point, &nearest.wanted_by)).collect();
        self.affinities.link(&mut edges);
        if let Some(noise) = noise {
            for (&point, nearest) in points.iter().zip(&found) {
                self.place(point, nearest, self.gaussians[point as usize], noise);
            }
        }
    }

    /// What ties a point to its neighbours and to those who want it, as the next refresh of the affinities will say for
    /// everybody.
    fn edges(&self, point: u32, wanted_by: &[(u32, f32)]) -> impl Iterator<Item = Edge> {
        let (hd, at) = (&self.search.hd, point as usize);
        let own = hd.neighbours(at).zip(hd.distances(at).iter().copied());
        let pairs = own.chain(wanted_by.iter().copied()).flat_map(move |(other, distance)| {
            let p = |of: u32, names: u32| {
                let named = lists::contains(hd.entries(of as usize), names);
                // Nearer than all that its Gaussian was made for: as near as can be.
                if named { self.gaussians[of as usize].p(distance).min(1.0) } else { 0.0 }
            };
            let weight = 0.5 * (p(point, other) + p(other, point));
            [Edge { point, other, weight }, Edge { point: other, other: point, weight }]
        });
        pairs.filter(|edge| edge.weight > 0.0)
    }

    /// Puts a new point among its neighbours.
    fn place(&mut self, point: u32, nearest: &Nearest, gaussian: Gaussian, noise: f32) {
        let dims = self.descent.dims();
        let stride = position_stride(dims);
        let mut position = vec![0.0; dims];
        let positions = &self.descent.positions;
        place(nearest, gaussian, |other, axis| positions[other as usize * stride + axis], &mut position);
        for (axis, value) in (0..).zip(&mut position) {
            let random = |draw| hash(self.seed, self.iteration, point, DRAW_NOISE + 2 * axis + draw);
            *value += noise * normal(random(0), random(1));
        }
        let (seed, iteration) = (self.seed, self.iteration);
        let random = |draw| hash(seed, iteration, point, DRAW_FILL + draw);
        self.descent.put(point, &position, &nearest.points, self.living.alive(), random);
    }

    /// What so many changed rows mean for everything that waits for changes.
    fn count_changes(&mut self, rows: usize) {
        let share = rows as f32 / self.living.count() as f32;
        self.search.changes += rows;
        self.patched += rows;
        if share > MANY {
            self.search.rate = (self.search.rate + share).min(1.0);
            self.refreshed_at = None;
        }
        self.rest.wake();
        self.annealing = self.annealing.map(|annealing| woken(annealing, self.iteration)); // one that runs freely runs on
        self.fit_lists();
    }

    /// Keeps the lengths of the lists right for the number of rows, without going back and forth around a limit.
    fn fit_lists(&mut self) {
        let fitted = fitting(self.fitted, self.living.count(), &self.settings);
        if fitted != self.fitted {
            self.fitted = fitted;
            self.resize_lists();
        }
    }
}
