//! Everything that can be set, in one struct for flags, files and panels.

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
    /// Weight of the tails of the similarity (> 0): 1 is t-SNE, less breaks clusters into finer ones, more smooths.
    pub alpha: f32,
    /// Factor on the pull between neighbours (≥ 0).
    pub attraction: f32,
    /// Factor on the push between all points (≥ 0). Raise it with very heavy tails, which pack clusters into dots.
    pub repulsion: f32,
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
    /// Points sampled for the push of everything farther away, at least; each block of points shares one sample.
    pub far_samples: usize,
    /// Random projection trees in the first iterations that start the search for neighbours.
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
            perplexity: SMALL_PERPLEXITY,
            alpha: 1.0,
            attraction: 1.0,
            repulsion: 1.0,
            metric: Metric::Euclidean,
            step: 1.0,
            momentum: SMALL_MOMENTUM,
            early_exaggeration: 12.0,
            early_iterations: 100,
            hd_neighbours: None,
            ld_neighbours: 24,
            far_samples: 512,
            start_projections: 12,
            followed_neighbours: 16,
            init: Init::Pca,
            stiffness: 1.0,
            seed: 42,
        }
    }
}

/// Rows of the data per unit of perplexity that a list holds: beyond that the Gaussian is as good as zero.
const NEIGHBOURS_PER_PERPLEXITY: f32 = 3.0;
/// The same for large sets, where lists are most of the memory and of the time: mnist loses 0.005 of its R_NX AUC.
const LARGE_NEIGHBOURS_PER_PERPLEXITY: f32 = 2.0;
/// Shorter lists than this make the search lose its way, whatever the perplexity.
const MIN_HD_NEIGHBOURS: usize = 16;

/// Sets of fewer rows than this are small: iterations cost next to nothing there, and whole neighbourhoods fit into
/// longer lists.
pub const SMALL: usize = 20_000;
/// Perplexity that did best on small sets (mean R_NX AUC of coil20, digits, isolet, tasic2018 over 12 to 30) …
const SMALL_PERPLEXITY: f32 = 25.0;
/// … and on mnist with its 70 000 rows.
const LARGE_PERPLEXITY: f32 = 15.0;
/// Share of the last move that is kept where the push is exact or nearly so …
const SMALL_MOMENTUM: f32 = 0.9;
/// … and where sampling noise would build up with more.
const LARGE_MOMENTUM: f32 = 0.8;
/// A step of N is right for this many rows; more rows bear and want more, up to a point.
const ROWS_PER_SQUARED_STEP: f32 = 5000.0;
const LONGEST_DEFAULT_STEP: f32 = 4.0;

impl Settings {
    /// The defaults for a set of so many rows.
    #[must_use]
    pub fn for_rows(rows: usize) -> Self {
        Self {
            perplexity: if rows < SMALL { SMALL_PERPLEXITY } else { LARGE_PERPLEXITY },
            momentum: if rows < SMALL { SMALL_MOMENTUM } else { LARGE_MOMENTUM },
            step: (rows as f32 / ROWS_PER_SQUARED_STEP).sqrt().clamp(1.0, LONGEST_DEFAULT_STEP),
            ..Self::default()
        }
    }

    /// Length of the lists of nearest rows in the data, for `points` rows: never more than there are others.
    #[must_use]
    pub fn hd_list_length(&self, points: usize) -> usize {
        let wanted = self.hd_neighbours.unwrap_or_else(|| {
            let each = if points < SMALL { NEIGHBOURS_PER_PERPLEXITY } else { LARGE_NEIGHBOURS_PER_PERPLEXITY };
            let wanted = (self.perplexity * each).ceil() as usize;
            wanted.max(MIN_HD_NEIGHBOURS).next_multiple_of(8)
        });
        wanted.min(points.saturating_sub(1)).max(1)
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
        check((0.01..=1000.0).contains(&self.alpha), "alpha", self.alpha.into(), "0.01 to 1000")?;
        check(factor(self.attraction), "attraction", self.attraction.into(), "0 or more")?;
        check(factor(self.repulsion), "repulsion", self.repulsion.into(), "0 or more")?;
        check(positive(self.step), "step", self.step.into(), "more than 0")?;
        check((0.0..1.0).contains(&self.momentum), "momentum", self.momentum.into(), "0 or more, below 1")?;
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
