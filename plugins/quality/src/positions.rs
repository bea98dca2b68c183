//! Raw positions of a moving embedding: rows of `dims` values, `stride` apart, whatever they hold.

use vectors::{Metric, Space, Vectors};

/// The positions as a Euclidean space.
///
/// # Panics
/// If the positions do not fill `rows` rows of `stride` values, or a row has no values or more than `stride`.
pub(crate) fn embedding_space(positions: &[f32], rows: usize, dims: usize, stride: usize) -> Space {
    let mut vectors = Vectors::zeros(rows, dims);
    let padded = vectors.stride();
    let values = vectors.padded_mut().chunks_exact_mut(padded);
    for (to, from) in values.zip(rows_of(positions, rows, dims, stride)) {
        to[..dims].copy_from_slice(from);
    }
    Space::new(vectors, Metric::Euclidean)
}

/// The rows one after the other, without what lies between them.
///
/// # Panics
/// As [`embedding_space`].
pub(crate) fn rows_of(positions: &[f32], rows: usize, dims: usize, stride: usize) -> impl Iterator<Item = &[f32]> {
    assert!((1..=stride).contains(&dims), "{dims} dimensions do not fit rows of {stride} values");
    assert_eq!(positions.len(), rows * stride, "{rows} rows of {stride} values do not have {}", positions.len());
    positions.chunks_exact(stride).map(move |row| &row[..dims])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lose_what_lies_between_them() {
        let positions = [1.0, 2.0, 9.0, 3.0, 4.0, 9.0];
        let space = embedding_space(&positions, 2, 2, 3);
        assert_eq!(space.vectors(), &Vectors::from_rows(&[1.0, 2.0, 3.0, 4.0], 2));
        assert_ne!(space.vectors(), embedding_space(&positions, 2, 3, 3).vectors());
        assert_eq!(embedding_space(&[], 0, 2, 3).rows(), 0);
    }

    #[test]
    #[should_panic(expected = "2 rows of 2 values do not have 3")]
    fn positions_must_fill_their_rows() {
        let _ = embedding_space(&[1.0, 2.0, 3.0], 2, 2, 2);
    }
}
