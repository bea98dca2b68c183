//! Positions as they come from the engine.

/// Where the rows of an embedding are: rows of `dims` values, `stride` apart. Rows that are not finite are nowhere.
#[derive(Debug, Clone, Copy)]
pub struct Positions<'a> {
    /// The values; rows that are not whole are ignored.
    pub values: &'a [f32],
    /// Values of each row that are its position (1 to `stride`).
    pub dims: usize,
    /// Values from the start of one row to the start of the next.
    pub stride: usize,
}

impl<'a> Positions<'a> {
    /// The position of a row, if it is anywhere.
    pub(crate) fn row(&self, row: u32) -> Option<&'a [f32]> {
        let start = (row as usize).checked_mul(self.stride)?;
        let position = self.values.get(start..start.checked_add(self.dims)?)?;
        position.iter().all(|value| value.is_finite()).then_some(position)
    }
}
