//! One pass over the rows for a block of queries.

use crate::nearest::Nearest;
use pulp::{Arch, Simd, WithSimd};
use vectors::kernel::{Kernel, WithKernel, dispatch};
use vectors::{Metric, Space};

/// Rows whose distances to every query of the block are computed while the rows are in the nearest cache.
const TILE: usize = 64;

/// The same for spaces kept column by column, which need less room.
const COLUMN_TILE: usize = 512;

/// Euclidean spaces of up to this many dimensions are kept column by column as well.
const MAX_COLUMNS: usize = 4;

/// Bytes of distances that one block of queries may keep, in both spaces together.
const BLOCK_BYTES: usize = 64 << 20;

/// Queries in a block: many share a pass over the rows, but each keeps a distance per row and space.
pub(crate) fn block_len(rows: usize) -> usize {
    (BLOCK_BYTES / (rows * 2 * size_of::<f32>()).max(1)).clamp(2, 16)
}

/// The rows that queries are compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Candidates<'a> {
    /// All rows; a position is a row number.
    All,
    /// These rows, ascending; a position is an index into the list.
    Listed(&'a [u32]),
}

impl Candidates<'_> {
    pub(crate) fn len(self, space: &Space) -> usize {
        match self {
            Self::All => space.rows(),
            Self::Listed(rows) => rows.len(),
        }
    }

    /// The row at a position.
    #[inline(always)]
    pub(crate) fn row(self, position: usize) -> usize {
        match self {
            Self::All => position,
            Self::Listed(rows) => rows[position] as usize,
        }
    }

    /// Where a row stands among the candidates.
    fn position(self, row: u32) -> Option<usize> {
        match self {
            Self::All => Some(row as usize),
            Self::Listed(rows) => rows.binary_search(&row).ok(),
        }
    }
}

/// Takes the distances of the block's queries as they are computed.
pub(crate) trait Sink {
    /// Squared distances from query `slot` of the block to the positions from `start` on; NaN for the query itself.
    fn accept(&mut self, slot: usize, start: usize, squared: &[f32]);
}

impl Sink for [Nearest] {
    #[inline(always)]
    fn accept(&mut self, slot: usize, start: usize, squared: &[f32]) {
        self[slot].offer(start, squared);
    }
}

/// Every distance of every query of a block.
#[derive(Debug, Clone)]
pub(crate) struct DistanceTable {
    squared: Vec<f32>,
    positions: usize,
}

impl DistanceTable {
    pub(crate) fn new(queries: usize, positions: usize) -> Self {
        Self { squared: vec![0.0; queries * positions], positions }
    }

    /// Squared distances of one query by position; NaN for itself.
    pub(crate) fn of(&self, slot: usize) -> &[f32] {
        &self.squared[slot * self.positions..][..self.positions]
    }
}

impl Sink for DistanceTable {
    #[inline(always)]
    fn accept(&mut self, slot: usize, start: usize, squared: &[f32]) {
        self.squared[slot * self.positions + start..][..squared.len()].copy_from_slice(squared);
    }
}

/// Nearest rows and all distances at once.
pub(crate) struct Both<'a>(pub(crate) &'a mut [Nearest], pub(crate) &'a mut DistanceTable);

impl Sink for Both<'_> {
    #[inline(always)]
    fn accept(&mut self, slot: usize, start: usize, squared: &[f32]) {
        self.0.accept(slot, start, squared);
        self.1.accept(slot, start, squared);
    }
}

/// Compares queries with candidates, block after block.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    space: &'a Space,
    candidates: Candidates<'a>,
    columns: Option<Columns>,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(space: &'a Space, candidates: Candidates<'a>) -> Self {
        let few_dims = space.metric() == Metric::Euclidean && space.vectors().dims() <= MAX_COLUMNS;
        Self { space, candidates, columns: few_dims.then(|| Columns::new(space, candidates)) }
    }

    /// Hands the distances from every query to every candidate to `sink`.
    pub(crate) fn scan<T: Sink + ?Sized>(&self, queries: &[u32], sink: &mut T) {
        let selves = queries.iter().map(|&query| self.candidates.position(query)).collect();
        let work = Scan { space: self.space, queries, selves, candidates: self.candidates, sink };
        match &self.columns {
            Some(columns) => Arch::new().dispatch(ScanColumns(work, columns)),
            None => dispatch(self.space.metric(), work),
        }
    }
}

struct Scan<'a, T: ?Sized> {
    space: &'a Space,
    queries: &'a [u32],
    /// Where each query itself stands among the candidates.
    selves: Vec<Option<usize>>,
    candidates: Candidates<'a>,
    sink: &'a mut T,
}

impl<T: Sink + ?Sized> Scan<'_, T> {
    /// Hands on the distances of one query to one tile.
    #[inline(always)]
    fn deliver(&mut self, slot: usize, start: usize, tile: &mut [f32]) {
        if let Some(own) = self.selves[slot].and_then(|own| tile.get_mut(own.wrapping_sub(start))) {
            *own = f32::NAN;
        }
        self.sink.accept(slot, start, tile);
    }
}

impl<T: Sink + ?Sized> WithKernel for Scan<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel, S: Simd>(mut self, simd: S) {
        let mut tile = [0.0f32; TILE];
        let positions = self.candidates.len(self.space);
        for start in (0..positions).step_by(TILE) {
            let tile = &mut tile[..TILE.min(positions - start)];
            for (slot, &query) in self.queries.iter().enumerate() {
                let from = self.space.row(query as usize);
                for (offset, squared) in tile.iter_mut().enumerate() {
                    let to = self.space.row(self.candidates.row(start + offset));
                    // Rows so large that squares overflow are merely far: NaN is kept for the query itself.
                    *squared = K::squared(simd, from, to).min(f32::MAX);
                }
                self.deliver(slot, start, tile);
            }
        }
    }
}

/// The candidates column by column: in the two or three dimensions of an embedding a row fills a quarter of a lane,
/// but eight rows of a column fill it whole.
#[derive(Debug)]
struct Columns {
    values: Vec<f32>,
    positions: usize,
}

impl Columns {
    fn new(space: &Space, candidates: Candidates<'_>) -> Self {
        let positions = candidates.len(space);
        let mut values = Vec::with_capacity(space.vectors().dims() * positions);
        for dim in 0..space.vectors().dims() {
            values.extend((0..positions).map(|position| space.vectors().row(candidates.row(position))[dim]));
        }
        Self { values, positions }
    }
}

struct ScanColumns<'a, T: ?Sized>(Scan<'a, T>, &'a Columns);

impl<T: Sink + ?Sized> WithSimd for ScanColumns<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self(mut scan, columns) = self;
        let mut tile = [0.0f32; COLUMN_TILE];
        for start in (0..columns.positions).step_by(COLUMN_TILE) {
            let tile = &mut tile[..COLUMN_TILE.min(columns.positions - start)];
            for (slot, &query) in scan.queries.iter().enumerate() {
                tile.fill(0.0);
                let from = scan.space.vectors().row(query as usize);
                for (column, &from) in columns.values.chunks_exact(columns.positions).zip(from) {
                    for (squared, &to) in tile.iter_mut().zip(&column[start..]) {
                        *squared = ((from - to) * (from - to) + *squared).min(f32::MAX);
                    }
                }
                scan.deliver(slot, start, tile);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::Vectors;

    #[test]
    fn scan_agrees_with_single_distances() {
        let values: Vec<f32> = (0..700 * 6).map(|i| ((i * i % 97) as f32).sqrt()).collect();
        let listed: Vec<u32> = (0..700).filter(|row| row % 2 == 1).collect();
        for (metric, dims) in Metric::ALL.into_iter().flat_map(|metric| [1, 2, 3, 4, 6].map(|dims| (metric, dims))) {
            let space = Space::new(Vectors::from_rows(&values[..700 * dims], dims), metric);
            for candidates in [Candidates::All, Candidates::Listed(&listed)] {
                let queries = [0, 7, 64, 511, 699];
                let mut table = DistanceTable::new(queries.len(), candidates.len(&space));
                Scanner::new(&space, candidates).scan(&queries, &mut table);
                for (slot, &query) in queries.iter().enumerate() {
                    for (position, &squared) in table.of(slot).iter().enumerate() {
                        let row = candidates.row(position);
                        if row == query as usize {
                            assert!(squared.is_nan());
                            continue;
                        }
                        let single = space.squared_distance(query as usize, row);
                        assert!((squared - single).abs() <= 1e-6 * single, "{metric} {dims}: {query} to {row}");
                    }
                }
                assert!(dims == 1 || table.of(0)[1] != table.of(1)[1], "{metric} {dims}");
            }
        }
    }

    #[test]
    fn a_block_stays_within_its_memory() {
        assert_eq!(block_len(0), 16);
        assert_eq!(block_len(70_000), 16);
        assert_eq!(block_len(1_000_000), 8);
        assert_eq!(block_len(100_000_000), 2);
    }
}
