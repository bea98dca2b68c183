//! Which rows of the files are wanted.

use crate::{DatasetError, LoadOptions};
use std::ops::Range;

/// The file's number of every kept row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowNumbers {
    /// Row `i` of the matrix is row `i` of the file; this many of them.
    First(usize),
    /// The file's row numbers, rising.
    Picked(Vec<u32>),
}

impl RowNumbers {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::First(rows) => *rows,
            Self::Picked(rows) => rows.len(),
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the matrix begins with the file's first row and leaves none out.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        matches!(self, Self::First(_))
    }

    /// The file's number of a row of the matrix.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn file_row(&self, row: usize) -> u32 {
        match self {
            Self::First(rows) => {
                assert!(row < *rows, "row {row} of {rows}");
                row as u32
            }
            Self::Picked(rows) => rows[row],
        }
    }

    /// The row of the matrix that a file's row became, if it was kept.
    #[must_use]
    pub fn matrix_row(&self, file_row: u32) -> Option<usize> {
        match self {
            Self::First(rows) => Some(file_row as usize).filter(|row| row < rows),
            Self::Picked(rows) => rows.binary_search(&file_row).ok(),
        }
    }

    /// The file's numbers of all rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|row| self.file_row(row))
    }

    /// The rows wanted of a file of `rows` rows.
    pub(crate) fn plan(rows: usize, options: &LoadOptions) -> Result<Self, DatasetError> {
        let limited = options.limit.map_or(rows, |limit| limit.min(rows));
        if limited > u32::MAX as usize {
            return Err(DatasetError::TooManyRows { rows });
        }
        match options.sample {
            Some(sample) if sample < limited => Ok(Self::Picked(sample_rows(limited, sample, options.seed))),
            _ => Ok(Self::First(limited)),
        }
    }

    /// How many wanted rows lie before a file row.
    fn count_before(&self, file_row: usize) -> usize {
        match self {
            Self::First(rows) => file_row.min(*rows),
            Self::Picked(rows) => rows.partition_point(|&row| (row as usize) < file_row),
        }
    }

    /// How many wanted rows lie in a range of file rows.
    pub(crate) fn count_in(&self, file_rows: &Range<usize>) -> usize {
        self.count_before(file_rows.end) - self.count_before(file_rows.start)
    }

    /// The wanted rows in a range of file rows, as positions within that range.
    pub(crate) fn positions_in(&self, file_rows: Range<usize>) -> Vec<u32> {
        let (first, last) = (self.count_before(file_rows.start), self.count_before(file_rows.end));
        match self {
            Self::First(_) => (0..(last - first) as u32).collect(),
            Self::Picked(rows) => rows[first..last].iter().map(|&row| row - file_rows.start as u32).collect(),
        }
    }

    /// The same rows without some file rows (rising).
    pub(crate) fn without(self, dropped: &[u32]) -> Self {
        if dropped.is_empty() {
            return self;
        }
        Self::Picked(self.iter().filter(|row| dropped.binary_search(row).is_err()).collect())
    }
}

/// `sample` of the first `rows` rows, each set of them equally likely, rising (Knuth's algorithm S).
fn sample_rows(rows: usize, sample: usize, seed: u64) -> Vec<u32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut chosen = Vec::with_capacity(sample);
    for row in 0..rows {
        if chosen.len() == sample {
            break;
        }
        if random.u64(..(rows - row) as u64) < (sample - chosen.len()) as u64 {
            chosen.push(row as u32);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(rows: usize, limit: Option<usize>, sample: Option<usize>, seed: u64) -> RowNumbers {
        let options = LoadOptions { limit, sample, seed, ..LoadOptions::default() };
        RowNumbers::plan(rows, &options).expect("few rows")
    }

    #[test]
    fn a_sample_is_rising_seeded_and_spread_over_the_file() {
        let RowNumbers::Picked(rows) = plan(10_000, None, Some(1000), 3) else { panic!("a sample picks rows") };
        assert_eq!(rows.len(), 1000);
        assert!(rows.is_sorted_by(|a, b| a < b));
        let mean = rows.iter().map(|&row| f64::from(row)).sum::<f64>() / 1000.0;
        assert!((4500.0..5500.0).contains(&mean), "mean row {mean}");
        assert_eq!(plan(10_000, None, Some(1000), 3), RowNumbers::Picked(rows.clone()));
        assert_ne!(plan(10_000, None, Some(1000), 4), RowNumbers::Picked(rows));
    }

    #[test]
    fn limit_comes_before_sample_and_more_than_all_is_all() {
        assert_eq!(plan(10, Some(4), None, 0), RowNumbers::First(4));
        assert_eq!(plan(10, Some(40), Some(40), 0), RowNumbers::First(10));
        assert!(plan(1000, Some(10), Some(5), 0).iter().all(|row| row < 10));
    }

    #[test]
    fn rows_beyond_u32_are_refused() {
        let refused = RowNumbers::plan(1 << 33, &LoadOptions::default()).expect_err("too many").to_string();
        assert!(refused.starts_with("8589934592 rows are more than the 4294967295 that can be numbered"), "{refused}");
        let limited = LoadOptions { limit: Some(5), ..LoadOptions::default() };
        assert!(RowNumbers::plan(1 << 33, &limited).is_ok());
    }

    #[test]
    fn positions_count_and_removal_agree() {
        let rows = RowNumbers::Picked(vec![1, 4, 5, 9]);
        assert_eq!(rows.positions_in(4..9), [0, 1]);
        assert_eq!(rows.count_in(&(5..10)), 2);
        assert_eq!(RowNumbers::First(6).positions_in(4..9), [0, 1]);
        assert_eq!(rows.matrix_row(5), Some(2));
        assert_eq!(rows.matrix_row(6), None);
        assert_eq!(rows.without(&[4]), RowNumbers::Picked(vec![1, 5, 9]));
        assert_eq!(RowNumbers::First(4).without(&[0, 2]), RowNumbers::Picked(vec![1, 3]));
    }
}
