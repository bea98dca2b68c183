//! The row-major matrix of `f32` rows.

use std::sync::Arc;

/// Rows are padded with zeros to a multiple of this many values, so that every kernel works on whole lanes.
pub const LANES: usize = 8;

/// A matrix of `rows × dims` values, row-major, each row padded with zeros to a multiple of [`LANES`].
///
/// A clone shares the values, so that an engine and those who watch it read one matrix; writing to a matrix that is
/// shared copies it first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vectors {
    values: Arc<Vec<f32>>,
    rows: usize,
    dims: usize,
    stride: usize,
}

impl Vectors {
    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, dims: usize) -> Self {
        let stride = dims.next_multiple_of(LANES);
        Self { values: Arc::new(vec![0.0; rows * stride]), rows, dims, stride }
    }

    /// A matrix without rows that has room for `capacity` of them.
    #[must_use]
    pub fn with_capacity(capacity: usize, dims: usize) -> Self {
        let stride = dims.next_multiple_of(LANES);
        Self { values: Arc::new(Vec::with_capacity(capacity * stride)), rows: 0, dims, stride }
    }

    /// A matrix from unpadded row-major values.
    ///
    /// # Panics
    /// If the number of values is not a multiple of `dims`.
    #[must_use]
    pub fn from_rows(values: &[f32], dims: usize) -> Self {
        assert!(dims > 0 && values.len().is_multiple_of(dims), "{} values do not fill rows of {dims}", values.len());
        let mut vectors = Self::with_capacity(values.len() / dims, dims);
        for row in values.chunks_exact(dims) {
            vectors.push(row);
        }
        vectors
    }

    /// Appends one row.
    ///
    /// # Panics
    /// If the row does not have [`dims`](Self::dims) values.
    pub fn push(&mut self, row: &[f32]) {
        assert_eq!(row.len(), self.dims, "a row has {} values, the matrix {} dimensions", row.len(), self.dims);
        let values = Arc::make_mut(&mut self.values);
        values.extend_from_slice(row);
        values.resize((self.rows + 1) * self.stride, 0.0);
        self.rows += 1;
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Values per row, without padding.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Values per row in memory, with padding.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// One row, without padding.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.padded_row(row)[..self.dims]
    }

    /// One row to write to, without padding.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut Arc::make_mut(&mut self.values)[row * self.stride..][..self.dims]
    }

    /// One row with its zero padding: a whole number of lanes.
    #[must_use]
    #[inline(always)]
    pub fn padded_row(&self, row: usize) -> &[f32] {
        &self.values[row * self.stride..][..self.stride]
    }

    /// All values with padding, row after row.
    #[must_use]
    pub fn padded(&self) -> &[f32] {
        &self.values
    }

    /// All values with padding, to write to; the padding must stay zero.
    pub fn padded_mut(&mut self) -> &mut [f32] {
        Arc::make_mut(&mut self.values).as_mut_slice()
    }

    /// Keeps the first `rows` rows.
    pub fn truncate(&mut self, rows: usize) {
        self.rows = self.rows.min(rows);
        Arc::make_mut(&mut self.values).truncate(self.rows * self.stride);
    }

    /// Reorders the rows in place, so that new row `i` is old row `order[i]`; needs one spare row, not a second matrix.
    ///
    /// # Panics
    /// If `order` is not a permutation of the row numbers.
    pub fn permute(&mut self, order: &[u32]) {
        assert_eq!(order.len(), self.rows, "the order names {} rows of {}", order.len(), self.rows);
        let mut done = vec![false; self.rows];
        let mut spare = vec![0.0; self.stride];
        let values = Arc::make_mut(&mut self.values);
        for start in 0..self.rows {
            if done[start] {
                continue;
            }
            spare.copy_from_slice(&values[start * self.stride..][..self.stride]);
            let mut hole = start;
            loop {
                done[hole] = true;
                let source = order[hole] as usize;
                let target = hole * self.stride;
                if source == start {
                    values[target..target + self.stride].copy_from_slice(&spare);
                    break;
                }
                assert!(!done[source], "row {source} is named twice");
                values.copy_within(source * self.stride..(source + 1) * self.stride, target);
                hole = source;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_padded_with_zeros() {
        let vectors = Vectors::from_rows(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3);
        assert_eq!((vectors.rows(), vectors.dims(), vectors.stride()), (2, 3, 8));
        assert_eq!(vectors.row(1), [4.0, 5.0, 6.0]);
        assert_eq!(vectors.padded_row(1), [4.0, 5.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn clones_share_until_one_is_written_to() {
        let vectors = Vectors::from_rows(&[1.0, 2.0], 1);
        let mut clone = vectors.clone();
        assert!(std::ptr::eq(vectors.padded(), clone.padded()));
        clone.row_mut(0)[0] = 3.0;
        assert_eq!((vectors.row(0), clone.row(0)), ([1.0].as_slice(), [3.0].as_slice()));
    }

    #[test]
    fn permute_moves_every_row_to_its_place() {
        let mut vectors = Vectors::from_rows(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 1);
        vectors.permute(&[3, 0, 5, 1, 4, 2]);
        let rows: Vec<f32> = (0..6).map(|row| vectors.row(row)[0]).collect();
        assert_eq!(rows, [3.0, 0.0, 5.0, 1.0, 4.0, 2.0]);
    }
}
