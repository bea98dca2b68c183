//! The start-up of the native search where rows can be compared whole cells at a time: every row gets the nearest of
//! the cells around it, slice by slice. Few lists are worth refining after that, unless the data is hard.

use crate::cpu::cells::Cells;
use crate::cpu::mutual::limits;
use crate::cpu::reach::Reach;
use crate::cpu::scan::{Looks, merge_found, scan};
use crate::cpu::tile::STRIP;
use crate::lists::{Lists, NEW};
use vectors::Space;

/// Up to this many rows everyone looks at everyone, and lists are exact.
pub const EXACT: usize = 12_288;
/// Rows of a cell of so small a set.
const EXACT_CELL: usize = 512;
/// Cells there are, as a multiple of √N: about as many pairs of row and cell as of row and row.
const CELLS: f32 = 2.0;
/// Share of the true neighbours that the cells a row looks at should hold …
const COVERING: f32 = 0.9965;
/// … or this, where it takes many values to be read …
const DEAR_COVERING: f32 = 0.98;
const DEAR: f32 = 0.6e6;
/// … and whatever they hold, no more values than this, on average …
const DEAREST: f32 = 2.4e6;
/// … nor rows.
const MOST_ROWS: f32 = 32_000.0;
/// Where they hold less than this share of the true neighbours, the neighbours of neighbours are looked at as well.
const ENOUGH: f32 = 0.98;
/// Where more values than this are to be read, a pair that is compared serves both rows. Where it is less, taking in what
/// others have come across costs more than it saves.
const HARD: f32 = 0.4e6;
/// In such data everyone looks first at cells that hold this many rows for each neighbour wanted: what is met there decides
/// what is worth hearing of.
const FIRST: usize = 6;
/// Pairs of rows that are compared in one iteration, about: a fraction of a second.
const PAIRS: f32 = (1 << 28) as f32;
/// Fewer rows than this keep no machine busy …
const FEWEST: usize = 8192;
/// … but the first who look at others that know little have much to tell: so few begin, then as many as did so far, so that
/// what they told limits what the next tell.
const BEGINNERS: usize = 4096;
/// What more rows than this have found takes more memory than it is worth.
const LARGEST: usize = 1 << 16;

/// Cells, and how far the rows in them have come.
#[derive(Debug)]
pub struct Dense {
    cells: Cells,
    reach: Reach,
    /// Cells that everyone looks at in the first round; all of them where looks are not mutual.
    first: usize,
    /// The next cell whose rows look around.
    next: usize,
    /// Rows that have looked around in this round.
    done: usize,
    /// This is the second round: rows know some neighbours, and looks are mutual.
    again: bool,
}

impl Dense {
    /// Puts the rows that live into cells and finds out how many of these each has to look at for `k` neighbours.
    #[must_use]
    pub fn begin(space: &Space, alive: &[bool], k: usize) -> Self {
        let living = alive.iter().filter(|&&alive| alive).count();
        if living <= EXACT {
            let cells = Cells::of(space, alive, living.div_ceil(EXACT_CELL).max(1));
            return Self::looking(Reach::everything(&cells), cells, k);
        }
        let cells = Cells::of(space, alive, (CELLS * (living as f32).sqrt()) as usize);
        let dims = space.vectors().dims() as f32;
        let reach = Reach::find(space, &cells, k, HARD / dims, |covers, rows| {
            let values = rows * dims;
            let dear_enough = covers >= DEAR_COVERING && values >= DEAR;
            covers >= COVERING || dear_enough || values >= DEAREST || rows >= MOST_ROWS
        });
        Self::looking(reach, cells, k)
    }

    fn looking(reach: Reach, cells: Cells, k: usize) -> Self {
        let rows = cells.rows.points.len() * STRIP / cells.count();
        let first = if reach.mutual { (FIRST * k).div_ceil(rows).min(reach.cells) } else { reach.cells };
        Self { cells, reach, first, next: 0, done: 0, again: false }
    }

    /// A slice of the rows looks around; returns for how many points a nearer neighbour came in.
    pub fn step(&mut self, space: &Space, alive: &[bool], hd: &mut Lists, dirty: &mut [bool]) -> usize {
        let share = if self.again { self.reach.cells } else { self.first } as f32 / self.reach.cells as f32;
        let pairs_each = share * self.reach.share * alive.len() as f32;
        let mut most = ((PAIRS / pairs_each.max(1.0)) as usize).clamp(FEWEST, LARGEST);
        if self.again {
            most = most.min(self.done.max(BEGINNERS));
        }
        let (first, mut rows) = (self.next, 0);
        while self.next < self.cells.count() && rows < most {
            rows += self.cells.points(self.next).count();
            self.next += 1;
        }
        self.done += rows;
        let range = first..self.next;
        let found = if self.again {
            let limits = limits(&self.cells.rows, &self.cells.frame, hd);
            // Rows of one cell have looked at each other; all other looks were one-sided.
            let looks = Looks { from: 1, to: self.reach.cells, known: Some((hd, &limits)) };
            scan(space, alive, &self.cells, range, looks, hd.k())
        } else {
            scan(space, alive, &self.cells, range, Looks { from: 0, to: self.first, known: None }, hd.k())
        };
        if self.next == self.cells.count() && !self.again && self.reach.mutual {
            (self.again, self.next, self.done) = (true, 0, 0);
        }
        merge_found(hd, dirty, &found, if self.covers_enough() { 0 } else { NEW })
    }

    /// True when all rows have looked around.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.next == self.cells.count()
    }

    /// True if hardly anything is left to be found.
    #[must_use]
    pub fn covers_enough(&self) -> bool {
        self.reach.covers >= ENOUGH
    }

    /// Neighbours that a list of length `k` lacks, on average, as far as a sample can tell.
    #[must_use]
    pub fn missing(&self, k: usize) -> f32 {
        (1.0 - self.reach.covers) * k as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{hash, normal};
    use vectors::{Metric, Vectors};

    fn cloud(rows: usize, metric: Metric) -> Space {
        let random = |at: u32| normal(hash(5, 1, at, 0), hash(5, 1, at, 1));
        let values: Vec<f32> = (0..4 * rows as u32).map(random).collect();
        Space::new(Vectors::from_rows(&values, 4), metric)
    }

    /// Lists after the whole start-up.
    fn run(mut dense: Dense, space: &Space, alive: &[bool], k: usize) -> Lists {
        let (mut hd, mut dirty) = (Lists::empty(space.rows(), k), vec![false; space.rows()]);
        while !dense.is_done() {
            dense.step(space, alive, &mut hd, &mut dirty);
        }
        hd
    }

    #[test]
    fn lists_of_small_sets_are_exact_and_name_only_who_lives() {
        for metric in [Metric::Euclidean, Metric::Cosine, Metric::Correlation] {
            let space = cloud(1500, metric);
            let alive: Vec<bool> = (0..1500).map(|point| point % 7 != 3).collect();
            let dense = Dense::begin(&space, &alive, 9);
            assert!(dense.covers_enough());
            let hd = run(dense, &space, &alive, 9);
            for point in (0..1500).step_by(11).filter(|&point| alive[point]) {
                let others = (0..1500).filter(|&other| alive[other] && other != point);
                let mut exact: Vec<f32> = others.map(|other| space.squared_distance(point, other)).collect();
                exact.sort_by(f32::total_cmp);
                let found = hd.distances(point);
                // Correlations of four values crowd near 1, where a nearness has few digits left.
                let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-4 * b + 1e-9;
                assert!(found.iter().zip(&exact).all(near), "{metric}, point {point}: {found:?} {:?}", &exact[..9]);
                assert!(hd.neighbours(point).all(|other| alive[other as usize] && other as usize != point));
                assert!(!found.iter().zip(&exact[1..]).all(near), "one neighbour fewer cannot be told");
            }
            assert!((0..1500).filter(|&point| !alive[point]).all(|point| hd.neighbours(point).next().is_none()));
        }
    }

    #[test]
    fn lists_of_larger_sets_are_as_good_as_the_sample_says() {
        let (rows, k) = (20_000, 12);
        let space = cloud(rows, Metric::Euclidean);
        let alive = vec![true; rows];
        let recall = |hd: &Lists| {
            let (mut found, mut all) = (0, 0);
            for point in (0..rows).step_by(397) {
                let others = (0..rows).filter(|&other| other != point);
                let mut exact: Vec<f32> = others.map(|other| space.squared_distance(point, other)).collect();
                exact.sort_by(f32::total_cmp);
                found += hd.distances(point).iter().filter(|&&distance| distance <= exact[k - 1]).count();
                all += k;
            }
            found as f32 / all as f32
        };
        let dense = Dense::begin(&space, &alive, k);
        assert!(dense.covers_enough() && dense.reach.share < 0.5, "{:?}", dense.reach);
        let reached = recall(&run(dense, &space, &alive, k));
        assert!(reached > ENOUGH, "recall {reached}");
        let mut poor = Dense::begin(&space, &alive, k);
        (poor.reach.cells, poor.first) = (1, 1);
        let reached = recall(&run(poor, &space, &alive, k));
        assert!(reached < 0.9, "recall {reached}: the own cell alone must not do");
    }

    /// The start-up with a given number of cells, whatever they cover.
    fn with_cells(space: &Space, alive: &[bool], k: usize, cells: usize, mutual: bool) -> Dense {
        let dense = Dense::begin(space, alive, k);
        let reach = Reach { cells, covers: 1.0, share: 0.1, mutual };
        Dense::looking(reach, dense.cells, k)
    }

    #[test]
    fn mutual_looks_find_more_and_the_same_on_any_number_of_threads() {
        let (rows, k) = (EXACT + 1000, 12);
        for metric in [Metric::Euclidean, Metric::Cosine] {
            let space = cloud(rows, metric);
            let alive: Vec<bool> = (0..rows).map(|point| point % 9 != 4).collect();
            let lists = |mutual: bool| run(with_cells(&space, &alive, k, 3, mutual), &space, &alive, k);
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads are to be had");
                pool.install(|| lists(true))
            };
            let (alone, mutual) = (lists(false), on(1));
            assert_eq!(mutual, on(3), "{metric}");
            let living: Vec<usize> = (0..rows).filter(|&point| alive[point]).collect();
            let nearer = living.iter().filter(|&&point| mutual.worst(point) < alone.worst(point)).count();
            assert!(nearer > living.len() / 100, "{metric}: only {nearer} rows gain");
            for &point in &living {
                assert!(mutual.worst(point) <= alone.worst(point), "{metric}: point {point} has lost a neighbour");
                let listed: std::collections::BTreeSet<u32> = mutual.neighbours(point).collect();
                assert!(listed.len() == k && listed.iter().all(|&other| alive[other as usize]), "{metric}");
                assert!(!listed.contains(&(point as u32)), "{metric}: {point} lists itself");
                let measured =
                    |(other, distance): (u32, &f32)| space.squared_distance(point, other as usize) == *distance;
                assert!(mutual.neighbours(point).zip(mutual.distances(point)).all(measured), "{metric}");
            }
        }
    }
}
