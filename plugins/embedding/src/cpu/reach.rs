//! Reach: how many cells a row has to look at to meet its neighbours, found out from a sample of rows whose true ones are
//! looked up.

use super::best::{Best, look};
use super::cells::{Cells, group_of};
use super::tile::{QUERIES, STRIP};
use crate::lists::EMPTY;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use vectors::Space;

/// Rows whose true neighbours are looked up.
const SAMPLE: usize = 256;
/// Beyond this share of all rows, looking at every row is no dearer.
const NEARLY_ALL: f32 = 0.6;

/// How many cells each row looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Number of cells.
    pub cells: usize,
    /// The share of true neighbours that are in them, in a sample.
    pub covers: f32,
    /// The share of all rows that are in them, on average.
    pub share: f32,
}

impl Reach {
    /// As many cells as it takes until that is enough: the share of the true neighbours that they hold, and the number of
    /// rows, on average. All cells where that would be nearly all rows.
    #[must_use]
    pub fn find(space: &Space, cells: &Cells, k: usize, is_enough: impl Fn(f32, f32) -> bool) -> Self {
        let points = cells.rows.points.as_flattened();
        let living = points.iter().filter(|&&point| point != EMPTY).count();
        let step = living.div_ceil(SAMPLE).max(1);
        let sample: Vec<u32> = points.iter().copied().filter(|&point| point != EMPTY).step_by(step).collect();
        let sizes: Vec<usize> = (0..cells.count()).map(|cell| cells.points(cell).count()).collect();
        let ranks: Vec<Vec<(u32, u32)>> = sample
            .par_chunks(QUERIES)
            .flat_map_iter(|points| Arch::new().dispatch(Ranks { space, cells, points, k, sizes: &sizes }))
            .collect();
        let found: usize = ranks.iter().flatten().map(|rank| rank.0 as usize).sum();
        let (mut covered, mut looked_at) = (0, 0.0);
        for rank in 0..cells.count() {
            covered += ranks.iter().map(|ranks| ranks[rank].0 as usize).sum::<usize>();
            looked_at += ranks.iter().map(|ranks| f64::from(ranks[rank].1)).sum::<f64>();
            let share = (looked_at / (sample.len() * living) as f64) as f32;
            let covers = covered as f32 / found.max(1) as f32;
            if share > NEARLY_ALL {
                break;
            }
            if is_enough(covers, share * living as f32) {
                return Self { cells: rank + 1, covers, share };
            }
        }
        Self { cells: cells.count(), covers: 1.0, share: 1.0 }
    }

    /// All cells.
    #[must_use]
    pub fn everything(cells: &Cells) -> Self {
        Self { cells: cells.count(), covers: 1.0, share: 1.0 }
    }
}

/// Of some rows, for the cells from the nearest on: how many true neighbours they hold, and how many rows.
struct Ranks<'a> {
    space: &'a Space,
    cells: &'a Cells,
    points: &'a [u32],
    k: usize,
    sizes: &'a [usize],
}

impl WithSimd for Ranks<'_> {
    type Output = Vec<Vec<(u32, u32)>>;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let Self { space, cells, points, k, sizes } = self;
        let (rows, dims) = (cells.framed(space, points), cells.frame.dims());
        let mut best = Best::new(points.len(), k + 1); // one of them is the row itself
        let who: Vec<usize> = (0..points.len()).collect();
        look(simd, &cells.rows, 0..cells.rows.len(), (&rows, dims), &who, &mut best);
        let near = cells.middles.nearness(simd, group_of(&rows, dims, 0));
        let listed = cells.rows.points.as_flattened();
        let ranks = points.iter().enumerate().map(|(at, &point)| {
            let mut held = vec![0; cells.count()];
            for place in best.places(at).filter(|&place| listed[place as usize] != point) {
                let strip = place / STRIP as u32;
                held[cells.starts.partition_point(|&start| start <= strip) - 1] += 1;
            }
            let mut order: Vec<usize> = (0..cells.count()).collect();
            order.sort_by(|&a, &b| near[at][b].total_cmp(&near[at][a]).then(a.cmp(&b)));
            order.iter().map(|&cell| (held[cell], sizes[cell] as u32)).collect()
        });
        ranks.collect()
    }
}
