//! Positions as they come from the engine.

use crate::error::ClusterError;

/// Positions farther out than this in any direction count as lost, as those that are not finite do: squares of
/// differences would overflow. No embedding that means anything reaches it.
const REACH: f32 = 1e18;

/// Where the rows of an embedding are: rows of `dims` values, `stride` apart. Rows that are not finite (or beyond 10¹⁸)
/// are nobody's neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Positions<'a> {
    /// `rows` × `stride` values; more are ignored.
    pub values: &'a [f32],
    /// Number of rows (below 2³²).
    pub rows: usize,
    /// Values of each row that are its position (1 to `stride`).
    pub dims: usize,
    /// Values from the start of one row to the start of the next.
    pub stride: usize,
}

impl<'a> Positions<'a> {
    /// Fails unless there are as many values as rows need.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        let Self { values, rows, dims, stride } = *self;
        let needed = rows.checked_mul(stride).is_some_and(|needed| needed <= values.len());
        if needed && rows < u32::MAX as usize && (1..=stride).contains(&dims) {
            return Ok(());
        }
        Err(ClusterError::Shape { values: values.len(), rows, dims, stride })
    }

    /// Fails as [`check`](Self::check) does, for callers that cannot pass an error on.
    ///
    /// # Panics
    /// If there are not as many values as rows need.
    pub(crate) fn assert(&self) {
        if let Err(error) = self.check() {
            panic!("{error}");
        }
    }

    /// The position of a row.
    pub(crate) fn row(&self, row: u32) -> &'a [f32] {
        &self.values[row as usize * self.stride..][..self.dims]
    }

    /// Whether a row is anywhere.
    pub(crate) fn is_found(&self, row: u32) -> bool {
        self.row(row).iter().all(|value| value.abs() <= REACH)
    }
}
