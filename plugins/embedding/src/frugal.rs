//! Frugal runs: those that end with positions and ask for nothing else. Once the search for neighbours has nothing left
//! to find, its lists become [ties](crate::ties), which take half the memory, and iterations do nothing but move points.

use crate::cpu::calibrate::Gaussian;
use crate::cpu::decide::Look;
use crate::cpu::field::MAX_DIMS;
use crate::cpu::tie::tie;
use crate::engine::Engine;
use crate::lists::Lists;
use crate::search::Search;

/// Lists are good enough to be the last when fewer points than this share find something nearer.
const SETTLED: f32 = 0.1;

impl Engine {
    /// Has the engine give up all that moving points does not need as soon as it can. From then on there are no
    /// [neighbours](Self::neighbours) to ask for. A later change of rows or settings has everything searched for again.
    pub fn spare_memory(&mut self) {
        self.frugal = true;
    }

    /// True if neighbours are known only as ties, and lists are gone.
    pub(crate) fn has_let_go(&self) -> bool {
        self.affinities.ties.is_some()
    }

    /// True if it is time to let go.
    pub(crate) fn may_let_go(&self) -> bool {
        let good = self.search.covers_enough() || self.search.rate < SETTLED;
        self.frugal && self.descent.dims() <= MAX_DIMS && good
    }

    /// Makes ties of the lists.
    pub(crate) fn let_go(&mut self) {
        let k = self.search.hd.k();
        let hd = std::mem::replace(&mut self.search.hd, Lists::empty(0, k));
        self.search.let_go();
        (self.beyond, self.gaussians) = (Lists::empty(0, self.beyond.k()), Vec::new());
        let beyond = self.settings.beyond_length(self.fitted);
        self.affinities.blocks = Vec::new();
        self.affinities.ties = Some(tie(&self.space, hd, beyond, self.perplexities(), self.seed));
    }

    /// Makes room for what only a refresh of the affinities and a change of rows need: who lets go never does.
    pub(crate) fn make_room(&mut self) {
        self.beyond.grow(self.space.rows());
        self.gaussians.resize(self.space.rows(), Gaussian::default());
    }

    /// Has everything there that a change of rows or settings needs: if the engine has let go of its lists, it searches
    /// for all neighbours again.
    pub(crate) fn recall(&mut self) {
        self.make_room();
        if !self.has_let_go() {
            return;
        }
        (self.frugal, self.resumed) = (false, true);
        self.affinities.ties = None;
        self.refreshed_at = None;
        let alive = self.living.alive();
        self.search = Search::among(&self.space, alive, self.settings.hd_list_length(self.fitted), self.seed);
        while self.search.warming_up() {
            if self.search.looks(&self.settings, self.iteration) == Look::Refine {
                self.descent.introduce(alive);
            }
            self.search.step(&self.space, alive, self.descent.ld(), &self.settings, self.iteration);
        }
        self.refresh_affinities();
    }
}
