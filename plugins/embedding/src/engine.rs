//! The engine: data and settings in, positions and neighbours out, one iteration at a time.

use crate::affinities::Affinities;
use crate::cpu::calibrate::{Gaussian, SCALES, calibrate, perplexities};
use crate::cpu::decide::{self, Annealing, Look, Pace};
use crate::cpu::forces::position_stride;
use crate::cpu::symmetrise::symmetrise;
use crate::cpu::widen::{Neighbourhoods, widen};
use crate::descent::Descent;
use crate::error::EngineError;
use crate::lists::Lists;
use crate::living::{Living, fitting};
use crate::rest::Rest;
use crate::search::Search;
use crate::settings::{Init, Settings};
use crate::start::{self, Start, random_seed};
use crate::strain::Strain;
use std::time::Instant;
use vectors::{Space, Vectors};

/// Seconds spent so far, by phase.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Timings {
    /// Layout in memory and start positions.
    pub start: f64,
    /// Search for neighbours in the data.
    pub search: f64,
    /// Calibration and symmetrisation.
    pub affinities: f64,
    /// Forces and neighbours in the embedding.
    pub forces: f64,
    /// Moves.
    pub integrate: f64,
}

/// How the run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Statistics {
    /// Iterations done.
    pub iteration: u32,
    /// Smoothed share of points that found a nearer neighbour when they last looked (0 to 1).
    pub refinement_rate: f32,
    /// Share of points whose neighbour lists no longer change, as far as the last look can tell (0 to 1).
    pub settled: f32,
    /// Normaliser of the similarities.
    pub z: f64,
    /// Root mean square distance of the points from their centre.
    pub size: f32,
    /// Root mean square of the last moves, as a share of the size.
    pub movement: f32,
    /// True if the layout has come to rest: it hardly moves any more, and Z has stopped changing.
    pub at_rest: bool,
    /// A row whose position was not finite and was put to rest, if that ever happened.
    pub quarantined_row: Option<u32>,
}

/// A running embedding. It owns its data, keeps no global state and prints nothing.
#[derive(Debug)]
pub struct Engine {
    pub(crate) settings: Settings,
    pub(crate) seed: u32,
    pub(crate) space: Space,
    /// Which points live, and whose they are: points lie in memory in the order of a projection tree.
    pub(crate) living: Living,
    /// Rows that the lengths of the lists were chosen for.
    pub(crate) fitted: usize,
    pub(crate) search: Search,
    /// A sample of the neighbours beyond the lists of the search.
    pub(crate) beyond: Lists,
    pub(crate) gaussians: Vec<Gaussian>,
    pub(crate) affinities: Affinities,
    /// Iteration of the last refresh of the affinities; none yet, or none after a change that must be seen at once.
    pub(crate) refreshed_at: Option<u32>,
    /// Rows that came, left or changed since, and whose affinities were patched.
    pub(crate) patched: usize,
    pub(crate) descent: Descent,
    pub(crate) iteration: u32,
    /// Iteration at which the present embedding was born: at the beginning, or at the last reset.
    born_at: u32,
    /// It goes on from positions that were seen before: it stays as old as it was while the search warms up.
    pub(crate) resumed: bool,
    pub(crate) annealing: Option<Annealing>,
    /// Small affinities take turns.
    in_turns: bool,
    /// What moving points does not need goes when it can.
    pub(crate) frugal: bool,
    pub(crate) rest: Rest,
    strain: Strain,
    timings: Timings,
}

/// How much an implosion or explosion scales the embedding.
pub const BURST: f32 = 1000.0;

/// Lists that change by and by because one row came or left, as a multiple of their length.
const KNOCK_ON: usize = 2;

impl Engine {
    /// Takes the data and starts an embedding where the settings say.
    ///
    /// # Errors
    /// If a setting is out of range or there are fewer than two rows.
    pub fn new(vectors: Vectors, settings: Settings) -> Result<Self, EngineError> {
        Self::start(Start::new(vectors, &settings, None)?, settings)
    }

    /// Takes the data and starts an embedding at given coordinates, row by row; their size is not kept, their
    /// arrangement is.
    ///
    /// # Errors
    /// As [`new`](Self::new), or if there is not one row of finite coordinates for each row of the data.
    pub fn with_start(vectors: Vectors, settings: Settings, coordinates: &Vectors) -> Result<Self, EngineError> {
        Self::start(Start::new(vectors, &settings, Some(coordinates))?, settings)
    }

    /// Takes the data and goes on from an embedding of it that was kept: exact coordinates, row by row, and the
    /// iterations done by then. Neighbours are searched for anew; until they are found nothing moves.
    ///
    /// # Errors
    /// As [`with_start`](Self::with_start).
    pub fn resume(
        vectors: Vectors,
        settings: Settings,
        coordinates: &Vectors,
        iteration: u32,
    ) -> Result<Self, EngineError> {
        let mut engine = Self::start(Start::resumed(vectors, &settings, coordinates)?, settings)?;
        engine.iteration = iteration;
        engine.strain = Strain::of(&engine.settings, iteration);
        engine.resumed = true;
        Ok(engine)
    }

    fn start(start: Start, settings: Settings) -> Result<Self, EngineError> {
        let Start { space, row_of_point, positions, seed, seconds } = start;
        let rows = space.rows();
        let begun = Instant::now();
        let search = Search::new(&space, settings.hd_list_length(rows), seed);
        let timings = Timings { start: seconds, search: begun.elapsed().as_secs_f64(), ..Timings::default() };
        Ok(Self {
            descent: Descent::new(positions, &settings, seed),
            beyond: Lists::empty(0, settings.beyond_length(rows)),
            gaussians: Vec::new(),
            affinities: Affinities::default(),
            refreshed_at: None,
            patched: 0,
            iteration: 0,
            born_at: 0,
            resumed: false,
            annealing: None,
            in_turns: false,
            frugal: false,
            rest: Rest::default(),
            strain: Strain::of(&settings, 0),
            settings,
            seed,
            space,
            living: Living::all(row_of_point),
            fitted: rows,
            search,
            timings,
        })
    }

    /// One iteration: search, affinities, forces, moves.
    pub fn step(&mut self) {
        // On a thread of the pool: from elsewhere, each of the stages would wait for the pool to wake up.
        rayon::scope(|_| self.iterate());
    }

    fn iterate(&mut self) {
        let begun = Instant::now();
        if !self.has_let_go() {
            self.seek();
            // A run with a given number of iterations spends them on moves: nobody waits for the first of them.
            while self.in_turns && self.search.warming_up() {
                self.seek();
            }
        }
        let searched = Instant::now();
        self.timings.search += (searched - begun).as_secs_f64();
        if self.search.warming_up() {
            // The embedding stays the linear projection it starts as: pulled along the first, patchy lists, it would
            // lose the large-scale order that the projection has.
            self.iteration += 1;
            if !self.resumed {
                self.born_at = self.iteration;
            }
            self.descent.squeeze(self.living.alive());
            return;
        }
        self.refresh_affinities();
        if self.descent.lacks_anchors(&self.settings) {
            let settings = Settings { dims: self.dims(), init: Init::Pca, ..self.settings.clone() };
            let vectors = self.space.vectors();
            self.descent.set_anchors(start::positions_of(vectors, self.living.alive(), &settings, self.seed));
        }
        let refreshed = Instant::now();
        self.descent.forces(&self.affinities, self.living.alive(), &self.settings, self.iteration, self.in_turns);
        let forced = Instant::now();
        self.descent.integrate(self.living.alive(), self.living.count(), &self.settings, self.pace());
        self.descent.squeeze(self.living.alive());
        self.rest.watch(self.iteration - self.born_at, self.descent.z, self.descent.movement());
        self.iteration += 1;
        self.timings.affinities += (refreshed - searched).as_secs_f64();
        self.timings.forces += (forced - refreshed).as_secs_f64();
        self.timings.integrate += forced.elapsed().as_secs_f64();
    }

    /// One iteration's share of the search for neighbours in the data.
    fn seek(&mut self) {
        let alive = self.living.alive();
        if self.search.looks(&self.settings, self.iteration) == Look::Refine {
            self.descent.introduce(alive);
        }
        self.search.step(&self.space, alive, self.descent.ld(), &self.settings, self.iteration);
    }

    pub(crate) fn refresh_affinities(&mut self) {
        if self.has_let_go() {
            return;
        }
        // What a patched row sets off in the lists around it is a trifle to their affinities, and can wait.
        let knock_on = self.patched * KNOCK_ON * self.search.hd.k();
        let changes = self.search.changes.saturating_sub(knock_on).max(self.search.changes.min(1)) as u32;
        let points = self.living.count() as u32;
        let due = decide::refresh_due(self.iteration, self.refreshed_at, changes, points);
        if due && self.may_let_go() {
            return self.let_go();
        }
        if due {
            self.make_room();
            let (hd, dirty, perplexities) = (&self.search.hd, &self.search.dirty, self.perplexities());
            widen(&self.space, hd, dirty, self.seed, &mut self.beyond);
            let neighbourhoods = Neighbourhoods::new(hd, &self.beyond);
            calibrate(neighbourhoods, dirty, perplexities, &mut self.gaussians);
            symmetrise(neighbourhoods, &self.gaussians, &mut self.affinities);
            self.affinities.sort_by_weight();
            self.search.dirty.fill(false);
            self.search.changes = 0;
            (self.refreshed_at, self.patched) = (Some(self.iteration), 0);
        }
    }

    /// The perplexities of every row's Gaussians.
    pub(crate) fn perplexities(&self) -> [f32; SCALES] {
        perplexities(self.settings.perplexity, self.settings.perplexity_range)
    }

    fn pace(&self) -> Pace {
        let early_iterations = self.rest.grown_at().unwrap_or(self.settings.early_iterations);
        let early = self.settings.early_iterations.min(early_iterations);
        decide::pace(&self.settings, early, self.iteration, self.born_at, self.annealing)
    }

    /// Lets the step fall to zero over the next iterations, so that noise leaves the positions; any change of
    /// settings, an implosion, an explosion or a reset wakes the embedding up again.
    pub fn settle(&mut self, iterations: u32) {
        self.annealing = Some(Annealing::whole(self.iteration, iterations.max(1)));
    }

    /// Has small affinities pull in turns, in up to three dimensions: iterations take a third less time, and points jitter
    /// until the embedding is made to [settle](Self::settle). All of the search that comes before the first move is done in
    /// one iteration. For runs that end so.
    pub fn hurry(&mut self, in_turns: bool) {
        self.in_turns = in_turns;
    }

    /// Changes settings between two iterations. Nothing restarts; each change reaches every point with the next
    /// iteration. Settings that end a [strain](Strain) draw the embedding together, and it is young once more. A new seed
    /// or start is used at the next [`reset`](Self::reset). Where there are fewer dimensions, the
    /// last axes are squeezed out over [`SQUEEZE`](crate::SQUEEZE) iterations, and [`dims`](Self::dims) are as before
    /// until then.
    ///
    /// # Errors
    /// If a setting is out of range; then nothing changes.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), EngineError> {
        settings.validate()?;
        self.recall();
        let old = std::mem::replace(&mut self.settings, settings);
        let new = &self.settings;
        if new.metric != old.metric {
            self.space.set_metric(new.metric);
            self.search.remeasure(&self.space);
            self.gaussians.fill(Gaussian::default()); // distances changed by orders of magnitude: no warm start
            self.refreshed_at = None;
        }
        if new.perplexity != old.perplexity || new.perplexity_range != old.perplexity_range {
            self.search.all_dirty();
            self.refreshed_at = None;
        }
        if new.dims != old.dims {
            self.descent.set_dims(new.dims, self.living.alive());
        }
        self.fitted = fitting(self.fitted, self.living.count(), new); // longer lists may want more rows than live
        self.resize_lists();
        self.annealing = None;
        self.rest.wake();
        if self.strain.ends_with(&old, &self.settings, self.iteration) {
            self.renew();
        }
        Ok(())
    }

    /// Draws an embedding together that was torn apart, and lets it be young again.
    fn renew(&mut self) {
        self.implode();
        self.be_born();
    }

    fn be_born(&mut self) {
        self.born_at = self.iteration;
        self.resumed = false;
        self.annealing = None;
        self.rest = Rest::default();
    }

    /// Makes all lists as long as the settings want them for the number of rows they are fitted to.
    pub(crate) fn resize_lists(&mut self) {
        let (hd, ld) = (self.settings.hd_list_length(self.fitted), self.settings.ld_list_length(self.fitted));
        let beyond = self.settings.beyond_length(self.fitted);
        if hd != self.search.hd.k() {
            self.search.resize(hd);
            self.refreshed_at = None;
        }
        if beyond != self.beyond.k() {
            self.beyond = Lists::empty(self.rows(), beyond);
            self.search.all_dirty();
            self.refreshed_at = None;
        }
        self.descent.fit_vicinity(ld, &self.search.hd, self.living.alive());
    }

    /// Squeezes out axes that are leaving by one step without an iteration: for embeddings that stand still. False if
    /// none is leaving.
    pub fn squeeze(&mut self) -> bool {
        self.descent.squeeze(self.living.alive())
    }

    /// Draws all points together, so that gradients bite again and large-scale order can form anew.
    pub fn implode(&mut self) {
        self.descent.scale(1.0 / BURST, self.living.alive(), self.settings.stiffness);
        self.annealing = None;
        self.rest.wake();
    }

    /// Blows the embedding up.
    pub fn explode(&mut self) {
        self.descent.scale(BURST, self.living.alive(), self.settings.stiffness);
        self.annealing = None;
        self.rest.wake();
    }

    /// Puts the points back to a start, with the present seed, and lets the embedding be young again; the neighbours
    /// found so far are kept.
    pub fn reset(&mut self) {
        let seed = random_seed(&self.settings);
        let positions = start::positions_of(self.space.vectors(), self.living.alive(), &self.settings, seed);
        self.descent.restart(positions, self.living.alive(), &self.settings);
        self.seed = seed;
        self.strain = Strain::of(&self.settings, self.iteration);
        self.be_born();
    }

    /// Goes on with other data and the present settings, from a new start.
    ///
    /// # Errors
    /// As [`new`](Self::new); then the engine keeps its data and goes on as before.
    pub fn replace_data(&mut self, vectors: Vectors) -> Result<(), EngineError> {
        *self = Self::new(vectors, self.settings.clone())?;
        Ok(())
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Dimensions of the positions: those of the settings, or more while axes are leaving.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.descent.dims()
    }

    /// Number of rows: of numbers that are or were in use. Fewer may [live](Self::living).
    #[must_use]
    pub fn rows(&self) -> usize {
        self.space.rows()
    }

    /// How the run is doing.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            iteration: self.iteration,
            refinement_rate: self.search.rate,
            settled: self.search.settled(),
            z: self.descent.z,
            size: self.descent.size(self.living.alive()),
            movement: self.rest.movement(),
            at_rest: self.is_at_rest(),
            quarantined_row: self.descent.quarantined.map(|point| self.row_of_point()[point as usize]),
        }
    }

    /// The normaliser of the similarities at the present positions, which the [statistics](Self::statistics) know only as
    /// it was before the last move. In more than three dimensions it is theirs.
    pub fn present_z(&mut self) -> f64 {
        self.descent.present_z(self.living.alive(), &self.settings)
    }

    /// True if the layout has come to rest: it hardly moves any more, and Z has stopped changing; or the step has fallen to
    /// zero.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.rest.at_rest() || self.annealing.is_some_and(|annealing| annealing.left(self.iteration) == 0.0)
    }

    /// Iterations done: the one figure of the [statistics](Self::statistics) that costs nothing.
    #[must_use]
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// Passes over all points that the refinement of the neighbours in the data has made.
    #[must_use]
    pub fn passes(&self) -> u32 {
        self.search.passes()
    }

    /// Seconds spent so far, by phase.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.timings
    }

    /// `[rows][dims]` positions in the caller's row order; see [`dims`](Self::dims). Those of rows that have left mean
    /// nothing.
    #[must_use]
    pub fn positions(&self) -> Vec<f32> {
        let dims = self.dims();
        let mut positions = vec![0.0; self.rows() * dims];
        let points = self.descent.positions.chunks_exact(position_stride(dims));
        for (position, &row) in points.zip(self.row_of_point()) {
            positions[row as usize * dims..][..dims].copy_from_slice(&position[..dims]);
        }
        positions
    }

    /// The data, in the order of the points. A clone of it shares the matrix.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The caller's row of each point, living or not.
    #[must_use]
    pub fn row_of_point(&self) -> &[u32] {
        self.living.row_of_point()
    }

    /// `[points][stride]` positions in the order of the points, and the stride: no copy, for those who draw.
    #[must_use]
    pub fn point_positions(&self) -> (&[f32], usize) {
        (&self.descent.positions, position_stride(self.dims()))
    }

    /// `[points][k]` neighbours in the data found so far, as points, nearest first, and k; `u32::MAX` where a list is
    /// not full yet.
    #[must_use]
    pub fn point_neighbours(&self) -> (Vec<u32>, usize) {
        let k = self.search.hd.k();
        let mut neighbours = vec![u32::MAX; self.rows() * k];
        for (point, list) in neighbours.chunks_exact_mut(k).enumerate().take(self.search.hd.points()) {
            list.iter_mut().zip(self.search.hd.neighbours(point)).for_each(|(place, neighbour)| *place = neighbour);
        }
        (neighbours, k)
    }

    /// `[rows][k]` neighbours in the data found so far and their distances δ (not squared), nearest first, in the
    /// caller's row order and row numbers; `u32::MAX` and infinity where a list is not full yet.
    #[must_use]
    pub fn neighbours(&self) -> (Vec<u32>, Vec<f32>) {
        self.search.hd.in_rows(self.row_of_point(), self.rows())
    }
}

#[cfg(test)]
mod tests;
