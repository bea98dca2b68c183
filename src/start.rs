//! Start positions that the user's own columns hold.

use crate::console::Console;
use crate::error::CommandError;
use crate::input::Input;
use dataset::{AttributeColumns, Dataset, LoadOptions, PcaChoice};
use vectors::Vectors;

/// Reads the columns of `--init` for the rows of `data`; an error if they are not as many as the embedding has
/// dimensions, or a row lacks one.
pub fn read(
    input: &Input,
    columns: &[String],
    dims: usize,
    load: &LoadOptions,
    data: &Dataset,
    console: Console,
) -> Result<Vectors, CommandError> {
    let options = LoadOptions {
        vector: None,
        columns: columns.to_vec(),
        standardize: false,
        pca: PcaChoice::Off,
        attributes: AttributeColumns::None,
        roles: Default::default(),
        ..load.clone()
    };
    let start = input.load(&options, console)?;
    let names = columns.join(", ");
    if start.vectors.dims() != dims {
        return Err(CommandError::StartDims { columns: names, found: start.vectors.dims(), dims });
    }
    if start.row_numbers == data.row_numbers {
        return Ok(start.vectors);
    }
    // Dropping bad rows may leave different rows in the two readings.
    let mut kept = Vectors::with_capacity(data.row_numbers.len(), dims);
    for file_row in data.row_numbers.iter() {
        match start.row_numbers.matrix_row(file_row) {
            Some(row) => kept.push(start.vectors.row(row)),
            None => return Err(CommandError::NoStart { columns: names, row: file_row }),
        }
    }
    Ok(kept)
}
