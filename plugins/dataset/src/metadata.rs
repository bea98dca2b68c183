//! Entries that travel inside a file beside its columns.

use crate::read::OpenPart;
use crate::{DatasetError, parts};
use std::path::Path;

/// The key under which the recipe of an output is stored, as JSON.
pub const RECIPE_KEY: &str = "nevis";

/// Reads an entry of a Parquet or Arrow file's metadata; `None` if it has no such entry, as every CSV file.
///
/// # Errors
/// If the file cannot be opened.
pub fn read_metadata(path: &Path, key: &str) -> Result<Option<String>, DatasetError> {
    let parts = parts::resolve(&[path.to_path_buf()])?;
    let part = parts.into_iter().next().ok_or(DatasetError::NoInput)?;
    if part.format == crate::Format::Csv {
        return Ok(None);
    }
    Ok(OpenPart::open(part)?.metadata(key))
}
