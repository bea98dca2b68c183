//! Why there is no such frame.

/// Why dimensions could not become the axes of a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TourError {
    /// A picture has one to three axes.
    #[error("{count} dimensions cannot be the axes of a picture: choose 1 to 3")]
    Count {
        /// How many were chosen.
        count: usize,
    },
    /// There is no such dimension.
    #[error("dimension {dimension} cannot be an axis: the positions have {dims}, counted from 0")]
    NoDimension {
        /// What was chosen.
        dimension: usize,
        /// How many there are.
        dims: usize,
    },
    /// A dimension would be two axes at once.
    #[error("dimension {dimension} is chosen twice: every axis needs its own")]
    Twice {
        /// What was chosen.
        dimension: usize,
    },
}
