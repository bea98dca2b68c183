//! Everything that can be set, in one struct for flags, files and panels.

use crate::cpu::widen::THINNING;
use serde::{Deserialize, Serialize};
use vectors::Metric;

/// What the engine computes. Every field may change between two iterations; nothing restarts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Dimensions of the embedding (≥ 1).
    pub dims: usize,
    /// Effective number of neighbours each point is drawn to (≥ 1). Larger values show larger shapes, smaller ones
    /// finer detail.
    pub perplexity: f32,
    /// Smaller and larger neighbourhoods that count besides: with a perplexity this many times smaller, and this many
    /// times larger (≥ 1; 1 is one perplexity alone).
    pub perplexity_range: f32,
    /// Weight of the tails of the similarity (> 0): 1 is t-SNE, less breaks clusters into finer ones, more smooths.
    pub alpha: f32,
    /// Factor on the pull between neighbours (≥ 0).
    pub attraction: f32,
    /// Factor on the push between all points (≥ 0). Raise it with very heavy tails, which pack clusters into dots.
    pub repulsion: f32,
    /// How firmly points are drawn to the principal axes of the data (0 to 1): 0 lets neighbours alone decide, more keeps
    /// the shape of the whole. (DREAMS: Kury, Kobak, Damrich 2025.)
    pub spring: f32,
    /// How far apart two rows of the data are.
    pub metric: Metric,
    /// Length of a gradient step, as a multiple of N (> 0). Longer steps settle sooner and jitter more.
    pub step: f32,
    /// Share of the last move that a point keeps (0 ≤ momentum < 1).
    pub momentum: f32,
    /// How much harder neighbours pull while the embedding is young (a factor ≥ 1; 1 switches the phase off).
    pub early_exaggeration: f32,
    /// How many iterations the embedding counts as young.
    pub early_iterations: u32,
    /// Length of the lists of nearest rows in the data; `None` follows the perplexity.
    pub hd_neighbours: Option<usize>,
    /// Length of the lists of nearest points in the embedding, whose push is summed exactly.
    pub ld_neighbours: usize,
    /// Where the push comes from a tree (up to three dimensions, on the CPU): parts of the embedding count as one where
    /// their extent is less than this share of their distance (0 to 1). 0 sums every pair.
    pub opening: f32,
    /// Where the push is sampled (more dimensions, or the GPU): points sampled for it, at least; each block of points
    /// shares one sample.
    pub far_samples: usize,
    /// Random projection trees in the first iterations that start the search for neighbours. Where more than one is
    /// asked for, the native engine compares whole cells instead if the metric is Euclidean or of angles.
    pub start_projections: u32,
    /// Places of a list that the search follows to the neighbours of a neighbour (≥ 1). More finds more of the true
    /// neighbours, in more time.
    pub followed_neighbours: usize,
    /// Where points start.
    pub init: Init,
    /// How firmly pinned rows are held (0 to 1): 1 keeps them in place, 0 lets them move like all others.
    pub stiffness: f32,
    /// Seed of every random choice.
    pub seed: u64,
}

/// Where the points of an embedding start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Init {
    /// On the leading principal axes of the data.
    #[default]
    Pca,
    /// Anywhere.
    Random,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dims: 2,
            perplexity: PERPLEXITY,
            perplexity_range: PERPLEXITY_RANGE,
            alpha: 1.0,
            attraction: 1.0,
            repulsion: 1.0,
            spring: 0.0,
            metric: Metric::Euclidean,
            step: 1.0,
            momentum: MOMENTUM.0,
            early_exaggeration: 12.0,
            early_iterations: EARLY_ITERATIONS.0 as u32,
            hd_neighbours: None,
            ld_neighbours: 24,
            opening: 0.75,
            far_samples: 512,
            start_projections: 12,
            followed_neighbours: 16,
            init: Init::Pca,
            stiffness: 1.0,
            seed: 42,
        }
    }
}

/// A default that goes from one value for small sets to another for large ones, evenly in the logarithm of their rows:
/// two subsets of one study must not be treated differently because one of them has a row more.
pub(crate) fn between(rows: usize, (small, large): (f32, f32)) -> f32 {
    small + share_of(rows, 200_000.0) * (large - small)
}

/// How far a set is on the way from a small one to one of `large` rows (0 to 1).
fn share_of(rows: usize, large: f32) -> f32 {
    const SMALL: f32 = 10_000.0;
    ((rows as f32 / SMALL).ln() / (large / SMALL).ln()).clamp(0.0, 1.0)
}

/// Perplexity and its range that kept neighbourhoods of every size at least as well as openTSNE does, within what chance
/// decides (coil20, digits, isolet, tasic2018, letter, mnist, overlapping blobs).
const PERPLEXITY: f32 = 33.0;
const PERPLEXITY_RANGE: f32 = 1.4;
/// Neighbours that a row of affinities stands for, as a multiple of the perplexity: listed, or sampled beyond the list.
const NEIGHBOURS_PER_PERPLEXITY: f32 = 3.2;
/// The part of them that is listed in sets of a million rows, where long lists cost most of the memory and of the time; in
/// small ones all of them are.
const LISTED: f32 = 0.22;
const MILLION: f32 = 1e6;
/// Shorter lists than this make the search lose its way, whatever the perplexity.
const MIN_HD_NEIGHBOURS: usize = 16;
/// No list is longer, whatever the perplexity.
const MAX_HD_NEIGHBOURS: usize = 4096;
/// A step of N is right for this many rows; more rows bear and want more, up to a point.
const ROWS_PER_SQUARED_STEP: f32 = 5000.0;
const LONGEST_DEFAULT_STEP: f32 = 4.0;
/// Iterations that the embedding counts as young, at most. Small sets use them to sort out their large-scale order; large
/// ones, which have few iterations, spend them better on the detail that comes afterwards.
const EARLY_ITERATIONS: (f32, f32) = (130.0, 30.0);
/// Share of the last move that is kept: large sets have farther to go in fewer iterations.
const MOMENTUM: (f32, f32) = (0.95, 0.98);

/// A faint spring keeps the large-scale order of small sets, at hardly any cost to the nearest neighbours: R_NX(1000) of
/// seven sets rises by up to 0.02. Sets of this many rows, whose large scale is beyond that, go without.
const FAINT_SPRING: f32 = 0.001;
const UNSPRUNG: f32 = 50_000.0;

impl Settings {
    /// The defaults for a set of so many rows.
    #[must_use]
    pub fn for_rows(rows: usize) -> Self {
        Self {
            step: (rows as f32 / ROWS_PER_SQUARED_STEP).sqrt().clamp(1.0, LONGEST_DEFAULT_STEP),
            momentum: between(rows, MOMENTUM),
            early_iterations: between(rows, EARLY_ITERATIONS) as u32,
            spring: FAINT_SPRING * (1.0 - share_of(rows, UNSPRUNG)),
            ..Self::default()
        }
    }

    /// Length of the lists of nearest rows in the data, for `points` rows: never more than there are others.
    #[must_use]
    pub fn hd_list_length(&self, points: usize) -> usize {
        let wanted = self.hd_neighbours.unwrap_or_else(|| {
            let wanted = (self.neighbours_wanted() * LISTED.powf(share_of(points, MILLION))).round() as usize;
            wanted.clamp(MIN_HD_NEIGHBOURS, MAX_HD_NEIGHBOURS).next_multiple_of(8)
        });
        wanted.min(points.saturating_sub(1)).max(1)
    }

    /// Length of the samples beyond those lists: together they stand for all neighbours that are wanted.
    #[must_use]
    pub fn beyond_length(&self, points: usize) -> usize {
        let missing = self.neighbours_wanted() - self.hd_list_length(points) as f32;
        let others = points.saturating_sub(1 + self.hd_list_length(points));
        ((missing.max(0.0) / THINNING as f32) as usize).min(others / THINNING as usize).min(MAX_HD_NEIGHBOURS)
    }

    fn neighbours_wanted(&self) -> f32 {
        self.perplexity * NEIGHBOURS_PER_PERPLEXITY
    }

    /// Length of the lists of nearest points in the embedding, for `points` rows.
    #[must_use]
    pub fn ld_list_length(&self, points: usize) -> usize {
        self.ld_neighbours.min(points.saturating_sub(1)).max(1)
    }

    /// Checks every range.
    ///
    /// # Errors
    /// Names the first setting that is out of range, its value and the range.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let check = |ok: bool, name: &'static str, value: f64, range: &'static str| {
            if ok { Ok(()) } else { Err(SettingsError { name, value, range }) }
        };
        let positive = |value: f32| value.is_finite() && value > 0.0;
        let factor = |value: f32| value.is_finite() && value >= 0.0;
        check(self.dims >= 1 && self.dims <= 4096, "dims", self.dims as f64, "1 to 4096")?;
        check(
            self.perplexity.is_finite() && self.perplexity >= 1.0 && self.perplexity <= 10_000.0,
            "perplexity",
            self.perplexity.into(),
            "1 to 10000",
        )?;
        let range = self.perplexity_range;
        check((1.0..=10.0).contains(&range), "perplexity_range", range.into(), "1 to 10")?;
        check((0.01..=1000.0).contains(&self.alpha), "alpha", self.alpha.into(), "0.01 to 1000")?;
        check(factor(self.attraction), "attraction", self.attraction.into(), "0 or more")?;
        check(factor(self.repulsion), "repulsion", self.repulsion.into(), "0 or more")?;
        check((0.0..=1.0).contains(&self.spring), "spring", self.spring.into(), "0 to 1")?;
        check(positive(self.step), "step", self.step.into(), "more than 0")?;
        check((0.0..1.0).contains(&self.momentum), "momentum", self.momentum.into(), "0 or more, below 1")?;
        check((0.0..=1.0).contains(&self.opening), "opening", self.opening.into(), "0 to 1")?;
        check((0.0..=1.0).contains(&self.stiffness), "stiffness", self.stiffness.into(), "0 to 1")?;
        let exaggeration = self.early_exaggeration;
        check(exaggeration.is_finite() && exaggeration >= 1.0, "early_exaggeration", exaggeration.into(), "1 or more")?;
        let hd = self.hd_neighbours.unwrap_or(1);
        check((1..=4096).contains(&hd), "hd_neighbours", hd as f64, "1 to 4096")?;
        let ld = self.ld_neighbours;
        check((1..=256).contains(&ld), "ld_neighbours", ld as f64, "1 to 256")?;
        let followed = self.followed_neighbours;
        check((1..=4096).contains(&followed), "followed_neighbours", followed as f64, "1 to 4096")?;
        check((1..=65_536).contains(&self.far_samples), "far_samples", self.far_samples as f64, "1 to 65536")
    }
}

/// A setting out of its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name} is {value}, but must be {range}")]
pub struct SettingsError {
    /// The setting, as it is called in flags and files.
    pub name: &'static str,
    /// What was asked for.
    pub value: f64,
    /// What can be had.
    pub range: &'static str,
}
