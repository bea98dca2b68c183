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
    /// The share of true neighbours that are met there, in a sample.
    pub covers: f32,
    /// The share of all rows that are in them, on average.
    pub share: f32,
    /// Looks are mutual: a row meets those in the cells it looks at, and those who look at its own.
    pub mutual: bool,
}

impl Reach {
    /// As many cells as it takes until that is enough: the share of the true neighbours that are met there, and the number
    /// of rows, on average. Beyond `hard` rows, looks are mutual. All cells where that would be nearly all rows.
    #[must_use]
    pub fn find(space: &Space, cells: &Cells, k: usize, hard: f32, is_enough: impl Fn(f32, f32) -> bool) -> Self {
        let points = cells.rows.points.as_flattened();
        let living = points.iter().filter(|&&point| point != EMPTY).count();
        let step = living.div_ceil(SAMPLE).max(1);
        let sample: Vec<u32> = points.iter().copied().filter(|&point| point != EMPTY).step_by(step).collect();
        let sizes: Vec<usize> = (0..cells.count()).map(|cell| cells.points(cell).count()).collect();
        let ranks: Vec<Vec<Rank>> = sample
            .par_chunks(QUERIES)
            .flat_map_iter(|points| Arch::new().dispatch(Ranks { space, cells, points, k, sizes: &sizes }))
            .collect();
        let sum =
            |rank: usize, of: fn(&Rank) -> u32| ranks.iter().map(|ranks| f64::from(of(&ranks[rank]))).sum::<f64>();
        let found = (0..cells.count()).map(|rank| sum(rank, |rank| rank.held)).sum::<f64>().max(1.0);
        let enough = |mutual: bool| {
            let (mut covered, mut looked_at) = (0.0, 0.0);
            for rank in 0..cells.count() {
                covered += sum(rank, if mutual { |rank| rank.met } else { |rank| rank.held });
                looked_at += sum(rank, |rank| rank.rows);
                let share = (looked_at / (sample.len() * living) as f64) as f32;
                let covers = (covered / found) as f32;
                if share > NEARLY_ALL {
                    break;
                }
                if is_enough(covers, share * living as f32) {
                    return Self { cells: rank + 1, covers, share, mutual };
                }
            }
            Self::everything(cells)
        };
        let alone = enough(false);
        if alone.share * living as f32 > hard { enough(true) } else { alone }
    }

    /// All cells.
    #[must_use]
    pub fn everything(cells: &Cells) -> Self {
        Self { cells: cells.count(), covers: 1.0, share: 1.0, mutual: false }
    }
}

/// What is in one of the cells around a row.
#[derive(Debug, Clone, Copy)]
struct Rank {
    /// True neighbours.
    held: u32,
    /// True neighbours that are met when all look at cells up to this rank, and not sooner: the row looks at the other's
    /// cell or the other at the row's.
    met: u32,
    /// Rows.
    rows: u32,
}

/// What is in the cells around some rows, from the nearest on.
struct Ranks<'a> {
    space: &'a Space,
    cells: &'a Cells,
    points: &'a [u32],
    k: usize,
    sizes: &'a [usize],
}

impl WithSimd for Ranks<'_> {
    type Output = Vec<Vec<Rank>>;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let Self { space, cells, points, k, sizes } = self;
        let (rows, dims) = (cells.framed(space, points), cells.frame.dims());
        let mut best = Best::new(points.len(), k + 1); // one of them is the row itself
        let who: Vec<usize> = (0..points.len()).collect();
        look(simd, &cells.rows, 0..cells.rows.len(), (&rows, dims), &who, &mut best);
        let near = cells.middles.nearness(simd, group_of(&rows, dims, 0));
        let listed = cells.rows.points.as_flattened();
        let mut all = Vec::with_capacity(points.len());
        for (at, &point) in points.iter().enumerate() {
            let mut order: Vec<usize> = (0..cells.count()).collect();
            order.sort_by(|&a, &b| near[at][b].total_cmp(&near[at][a]).then(a.cmp(&b)));
            let mut ranks: Vec<Rank> =
                order.iter().map(|&cell| Rank { held: 0, met: 0, rows: sizes[cell] as u32 }).collect();
            let mut rank_of = vec![0; cells.count()];
            order.iter().enumerate().for_each(|(rank, &cell)| rank_of[cell] = rank);
            let others: Vec<u32> = best.places(at).filter(|&place| listed[place as usize] != point).collect();
            for places in others.chunks(QUERIES) {
                let others: Vec<u32> = places.iter().map(|&place| listed[place as usize]).collect();
                let theirs = cells.middles.nearness(simd, group_of(&cells.framed(space, &others), dims, 0));
                for (place, near) in places.iter().zip(&theirs) {
                    let cell = cells.starts.partition_point(|&start| start <= place / STRIP as u32) - 1;
                    let back = near[..cells.count()].iter().filter(|&&other| other > near[order[0]]).count();
                    ranks[rank_of[cell]].held += 1;
                    ranks[back.min(rank_of[cell])].met += 1;
                }
            }
            all.push(ranks);
        }
        all
    }
}
