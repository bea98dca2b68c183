//! Exact neighbours in the embedding, for every point or any place.

use crate::points::Points;
use crate::positions::rows_of;
use crate::table::Table;

/// Positions farther out than this in any direction count as lost, as those that are not finite do: squares of
/// differences would overflow. No embedding that means anything reaches it.
const REACH: f32 = 1e18;

/// What a search over positions can do; rows are the embedding's.
pub(crate) trait Search: Send + Sync {
    /// See [`EmbeddingTree::nearest`]; the point has the right number of values, all within reach, and k is not 0.
    fn nearest(&self, point: &[f32], k: usize) -> Vec<(u32, f32)>;
    /// See [`EmbeddingTree::within`]; the point as above, the radius squared and a number; in any order.
    fn within(&self, point: &[f32], squared_radius: f32) -> Vec<u32>;
    /// See [`EmbeddingTree::count_within`]; arguments as above.
    fn count_within(&self, point: &[f32], squared_radius: f32) -> usize;
    /// See [`EmbeddingTree::neighbours`]; fills the front of each row's k places, and k is not 0.
    fn neighbours(&self, k: usize, lists: &mut [u32]);
}

/// The positions of one moment, searchable: a kd-tree in up to 4 dimensions, a plain scan beyond.
///
/// Distances are Euclidean and exact up to the rounding of `f32`. Points that coincide are one point of the tree, so
/// that duplicates and imploded maps cost nothing. Rows whose positions are not finite (or beyond 10¹⁸) are lost: they
/// are nobody's neighbours and have none.
pub struct EmbeddingTree {
    search: Box<dyn Search>,
    rows: usize,
    dims: usize,
}

impl EmbeddingTree {
    /// Sorts the positions, rows of `dims` values `stride` apart, into a tree.
    ///
    /// # Panics
    /// If `positions` does not hold `rows` rows of `stride` values, or `dims` is 0 or more than `stride`.
    #[must_use]
    pub fn new(positions: &[f32], rows: usize, dims: usize, stride: usize) -> Self {
        let found: Vec<(u32, &[f32])> =
            (0u32..).zip(rows_of(positions, rows, dims, stride)).filter(|(_, point)| within_reach(point)).collect();
        let search: Box<dyn Search> = match dims {
            1 => Box::new(Points::<1>::new(&found, rows)),
            2 => Box::new(Points::<2>::new(&found, rows)),
            3 => Box::new(Points::<3>::new(&found, rows)),
            4 => Box::new(Points::<4>::new(&found, rows)),
            _ => Box::new(Table::new(&found, dims)),
        };
        Self { search, rows, dims }
    }

    /// The k rows nearest to any point as (row, squared distance), nearest first; fewer if there are fewer rows, none
    /// if the point is not finite. A row that lies at the point is one of them. Rows at the same distance come in no
    /// particular order.
    ///
    /// # Panics
    /// If the point has not as many values as the embedding dimensions.
    #[must_use]
    pub fn nearest(&self, point: &[f32], k: usize) -> Vec<(u32, f32)> {
        if k == 0 || !self.reaches(point) {
            return Vec::new();
        }
        self.search.nearest(point, k)
    }

    /// The rows no farther than `radius` from any point, ascending; none if the point is not finite.
    ///
    /// # Panics
    /// As [`nearest`](Self::nearest).
    #[must_use]
    pub fn within(&self, point: &[f32], radius: f32) -> Vec<u32> {
        let mut rows = match self.squared(point, radius) {
            Some(squared_radius) => self.search.within(point, squared_radius),
            None => Vec::new(),
        };
        rows.sort_unstable();
        rows
    }

    /// How many rows are no farther than `radius` from any point: the density there, but for the volume.
    ///
    /// # Panics
    /// As [`nearest`](Self::nearest).
    #[must_use]
    pub fn count_within(&self, point: &[f32], radius: f32) -> usize {
        self.squared(point, radius).map_or(0, |squared_radius| self.search.count_within(point, squared_radius))
    }

    /// The k nearest other rows of every row, `[rows][k]`, nearest first; `u32::MAX` fills places for which there is no
    /// row. In parallel. Of rows at the same distance any may come first; of those that coincide with the row, a
    /// random choice of its own for each row.
    #[must_use]
    pub fn neighbours(&self, k: usize) -> Vec<u32> {
        let mut lists = vec![u32::MAX; self.rows * k];
        if k > 0 {
            self.search.neighbours(k, &mut lists);
        }
        lists
    }

    fn reaches(&self, point: &[f32]) -> bool {
        assert_eq!(point.len(), self.dims, "a point has {} values, the embedding {}", point.len(), self.dims);
        within_reach(point)
    }

    /// The radius squared, if there is anything to find.
    fn squared(&self, point: &[f32], radius: f32) -> Option<f32> {
        (self.reaches(point) && radius >= 0.0).then(|| (radius * radius).min(f32::MAX))
    }
}

impl std::fmt::Debug for EmbeddingTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddingTree").field("rows", &self.rows).field("dims", &self.dims).finish_non_exhaustive()
    }
}

/// The k nearest other rows of every row of an embedding: [`EmbeddingTree::neighbours`] where the tree is not needed
/// again.
///
/// # Panics
/// As [`EmbeddingTree::new`].
#[must_use]
pub fn embedding_neighbours(positions: &[f32], rows: usize, dims: usize, stride: usize, k: usize) -> Vec<u32> {
    EmbeddingTree::new(positions, rows, dims, stride).neighbours(k)
}

fn within_reach(point: &[f32]) -> bool {
    point.iter().all(|value| value.abs() <= REACH)
}
