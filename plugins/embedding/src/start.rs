//! Where things start: the order of the rows in memory, the positions, the lists of neighbours in the embedding.

use crate::cpu::forces::position_stride;
use crate::cpu::project;
use crate::error::EngineError;
use crate::lists::{EMPTY, Lists};
use crate::random::{below, hash, normal, pcg, shuffled};
use crate::settings::{Init, Settings};
use rayon::prelude::*;
use std::time::Instant;
use vectors::pca::Pca;
use vectors::{Metric, Space, Vectors};

/// Standard deviation of the widest axis at the start: small, so that the first steps see every point next to every
/// other and large-scale order can form.
const START_SCALE: f32 = 1e-3;
/// Noise on given coordinates, as a share of that: duplicates need a reason to part.
const START_NOISE: f32 = 1e-4;
/// Projection trees that find the first neighbours in the embedding.
const LD_TREES: u32 = 3;
/// Iteration number of random draws made before the first iteration.
pub const BEFORE: u32 = u32::MAX;

/// Most rows that a list entry can name, beside its two marks and the empty entry.
const MAX_ROWS: usize = EMPTY as usize;

/// The seed in the 32 bits that the hash of random numbers takes; both halves of the user's count.
#[must_use]
pub fn random_seed(settings: &Settings) -> u32 {
    pcg(settings.seed as u32) ^ pcg(!(settings.seed >> 32) as u32)
}

/// How many rows the data has, if there are neither too few nor too many and the settings are right.
pub(crate) fn checked_rows(vectors: &Vectors, settings: &Settings) -> Result<usize, EngineError> {
    settings.validate()?;
    let rows = vectors.rows();
    if rows < 2 {
        return Err(EngineError::TooFewRows { rows });
    }
    if rows > MAX_ROWS {
        return Err(EngineError::TooManyRows { rows, most: MAX_ROWS });
    }
    Ok(rows)
}

/// What an engine of either backend starts from.
#[derive(Debug)]
pub struct Start {
    /// The data, in the order of the points.
    pub space: Space,
    /// Caller's row of each point.
    pub row_of_point: Vec<u32>,
    /// `[points][position_stride]` positions.
    pub positions: Vec<f32>,
    /// Seed of every random choice.
    pub seed: u32,
    /// Seconds it took to get here.
    pub seconds: f64,
}

impl Start {
    /// Lays the rows out and places the points: at given coordinates, one finite row for each row of the data, or
    /// where the settings say.
    ///
    /// # Errors
    /// If a setting is out of range, there are too few or too many rows, or the coordinates do not fit the data.
    pub fn new(vectors: Vectors, settings: &Settings, coordinates: Option<&Vectors>) -> Result<Self, EngineError> {
        Self::placed(vectors, settings, coordinates, given)
    }

    /// Lays the rows out and puts the points exactly where they were when they were last seen.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn resumed(vectors: Vectors, settings: &Settings, coordinates: &Vectors) -> Result<Self, EngineError> {
        Self::placed(vectors, settings, Some(coordinates), exactly)
    }

    fn placed(
        vectors: Vectors,
        settings: &Settings,
        coordinates: Option<&Vectors>,
        place: impl Fn(&Vectors, &[u32], usize, u32) -> Vec<f32>,
    ) -> Result<Self, EngineError> {
        let rows = checked_rows(&vectors, settings)?;
        if let Some(coordinates) = coordinates {
            if coordinates.rows() != rows {
                return Err(EngineError::StartRows { start: coordinates.rows(), rows });
            }
            let finite = |row: &usize| coordinates.row(*row).iter().all(|value| value.is_finite());
            if let Some(row) = (0..rows).find(|row| !finite(row)) {
                return Err(EngineError::StartNotFinite { row });
            }
        }
        let begun = Instant::now();
        let seed = random_seed(settings);
        let (space, row_of_point) = layout(vectors, settings.metric, seed);
        let positions = match coordinates {
            Some(coordinates) => place(coordinates, &row_of_point, settings.dims, seed),
            None => positions(space.vectors(), settings, seed),
        };
        Ok(Self { space, row_of_point, positions, seed, seconds: begun.elapsed().as_secs_f64() })
    }
}

/// Lays the rows out in memory: shuffled by the seed, then sorted by a projection tree, so that neighbours lie near
/// each other and any evenly spaced choice of points is a fair sample of all of them. Returns the caller's row of
/// each point.
pub fn layout(vectors: Vectors, metric: Metric, seed: u32) -> (Space, Vec<u32>) {
    let mut order = shuffled(vectors.rows(), seed);
    let space = Space::new(vectors, metric);
    project::tree(&space, &mut order, seed);
    let mut vectors = space.into_vectors();
    vectors.permute(&order);
    (Space::new(vectors, metric), order)
}

/// Positions of all points where the settings say.
pub fn positions(vectors: &Vectors, settings: &Settings, seed: u32) -> Vec<f32> {
    match settings.init {
        Init::Pca => {
            let axes = settings.dims.min(vectors.dims());
            scaled(&Pca::fit(vectors, axes, settings.seed).project(vectors), settings.dims, seed)
        }
        Init::Random => scaled(&Vectors::zeros(vectors.rows(), 1), settings.dims, seed),
    }
}

/// Positions of the points that live, where the settings say; all others lie in the middle.
pub fn positions_of(vectors: &Vectors, alive: &[bool], settings: &Settings, seed: u32) -> Vec<f32> {
    if alive.iter().all(|&alive| alive) {
        return positions(vectors, settings, seed);
    }
    let living = || (0..alive.len()).filter(|&point| alive[point]);
    let mut gathered = Vectors::with_capacity(living().count(), vectors.dims());
    living().for_each(|point| gathered.push(vectors.row(point)));
    let stride = position_stride(settings.dims);
    let mut all = vec![0.0; alive.len() * stride];
    let placed = positions(&gathered, settings, seed);
    for (point, position) in living().zip(placed.chunks_exact(stride)) {
        all[point * stride..][..stride].copy_from_slice(position);
    }
    all
}

/// Positions at given coordinates, which are in the caller's row order.
pub fn given(coordinates: &Vectors, row_of_point: &[u32], dims: usize, seed: u32) -> Vec<f32> {
    let mut ordered = Vectors::with_capacity(coordinates.rows(), coordinates.dims());
    for &row in row_of_point {
        ordered.push(coordinates.row(row as usize));
    }
    scaled(&ordered, dims, seed)
}

/// Positions at the very coordinates given, which are in the caller's row order; axes they lack are zero.
fn exactly(coordinates: &Vectors, row_of_point: &[u32], dims: usize, _seed: u32) -> Vec<f32> {
    let (stride, axes) = (position_stride(dims), dims.min(coordinates.dims()));
    let mut positions = vec![0.0; row_of_point.len() * stride];
    for (position, &row) in positions.chunks_exact_mut(stride).zip(row_of_point) {
        position[..axes].copy_from_slice(&coordinates.row(row as usize)[..axes]);
    }
    positions
}

/// Coordinates centred and shrunk to the size of a start, with a little noise. Axes that are missing are opened with
/// noise of a tenth of that size; where there is nothing but one point, everything is noise.
fn scaled(coordinates: &Vectors, dims: usize, seed: u32) -> Vec<f32> {
    let rows = coordinates.rows();
    let axes = dims.min(coordinates.dims());
    let sum = |f: &dyn Fn(usize) -> f64| (0..rows).map(f).sum::<f64>() / rows as f64;
    let means: Vec<f64> = (0..axes).map(|axis| sum(&|row| f64::from(coordinates.row(row)[axis]))).collect();
    let deviation = |axis: usize| sum(&|row| (f64::from(coordinates.row(row)[axis]) - means[axis]).powi(2)).sqrt();
    let widest = (0..axes).map(deviation).fold(0.0, f64::max);
    let (scale, missing) =
        if widest > 0.0 { (f64::from(START_SCALE) / widest, 0.1 * START_SCALE) } else { (0.0, START_SCALE) };
    let stride = position_stride(dims);
    let mut positions = vec![0.0; rows * stride];
    positions.par_chunks_mut(stride).enumerate().for_each(|(row, position)| {
        for (axis, value) in position[..dims].iter_mut().enumerate() {
            let random = |draw| hash(seed, BEFORE, row as u32, 2 * axis as u32 + draw);
            let (there, noise) = if axis < axes && scale > 0.0 {
                ((f64::from(coordinates.row(row)[axis]) - means[axis]) * scale, START_NOISE * START_SCALE)
            } else {
                (0.0, missing)
            };
            *value = there as f32 + noise * normal(random(0), random(1));
        }
    });
    positions
}

/// Lists of neighbours in the embedding for points that have just been placed: found by projection trees, as the
/// first neighbours in the data are. Incomplete lists would hide from a point most of what pushes it.
pub fn ld_lists(positions: &[f32], dims: usize, length: usize, alive: &[bool], seed: u32) -> Vec<u32> {
    let mut vectors = Vectors::with_capacity(positions.len() / position_stride(dims), dims);
    for position in positions.chunks_exact(position_stride(dims)) {
        vectors.push(&position[..dims]);
    }
    let space = Space::new(vectors, Metric::Euclidean);
    let points = space.rows();
    let mut ld = Lists::empty(points, length);
    let mut changed = vec![false; points];
    for tree in 0..LD_TREES {
        let mut order = shuffled(points, hash(seed, BEFORE, tree, 0));
        order.retain(|&point| alive[point as usize]);
        let ends = project::tree(&space, &mut order, hash(seed, BEFORE, tree, 1));
        let found = project::join_leaves(&space, &order, &ends);
        project::merge_leaves(&mut ld, &mut changed, &order, &found);
    }
    filled(&|point| ld.neighbours(point), length, alive, seed)
}

/// Lists of neighbours in the embedding of another length: what was known before, then the neighbours in the data.
pub fn resized_ld_lists(
    before: &[u32],
    before_length: usize,
    hd: &Lists,
    length: usize,
    alive: &[bool],
    seed: u32,
) -> Vec<u32> {
    let known =
        |point: usize| before[point * before_length..][..before_length].iter().copied().chain(hd.neighbours(point));
    filled(&known, length, alive, seed)
}

/// Draws anywhere that fill a list, before everyone comes in turn.
pub const RANDOM_DRAWS: u32 = 64;

/// Full lists of distinct others: first those known, then anyone who lives. Lists of points that do not are left alone.
fn filled<I: Iterator<Item = u32>>(
    known: &(dyn Fn(usize) -> I + Sync),
    length: usize,
    alive: &[bool],
    seed: u32,
) -> Vec<u32> {
    let mut ld = vec![0; alive.len() * length];
    ld.par_chunks_mut(length).enumerate().filter(|(point, _)| alive[*point]).for_each(|(point, row)| {
        fill(row, 0, known(point), point, alive, |draw| hash(seed, BEFORE, point as u32, draw));
    });
    ld
}

/// Fills a list from a place on with distinct others: first those known, then anyone who lives.
pub fn fill(
    row: &mut [u32],
    mut filled: usize,
    known: impl Iterator<Item = u32>,
    point: usize,
    alive: &[bool],
    random: impl Fn(u32) -> u32,
) {
    // A few draws anywhere, then everyone in turn: ends for any number of points, if there are enough of them.
    let points = alive.len() as u32;
    let anyone = (0..RANDOM_DRAWS + points)
        .map(|draw| if draw < RANDOM_DRAWS { below(random(draw), points) } else { draw % points });
    for candidate in known.chain(anyone) {
        if filled == row.len() {
            break;
        }
        if candidate as usize != point && alive[candidate as usize] && !row[..filled].contains(&candidate) {
            row[filled] = candidate;
            filled += 1;
        }
    }
}
