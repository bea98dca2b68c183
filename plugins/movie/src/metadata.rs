//! What is stored beside the pictures: keys and their texts, in a place of each format that players pass over.

pub(crate) mod gif;
pub(crate) mod mp4;
pub(crate) mod png;

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use crate::MovieError;
use crate::target::frames_in;

/// The longest key that PNG takes, in characters.
const MAX_KEY: usize = 79;
/// The longest text that is read back, in bytes: a file that claims more is broken or means harm.
const MAX_TEXT: usize = 256 << 20;

/// Whether every kind of movie can hold this key and text.
pub(crate) fn check(key: &str, text: &str) -> Result<(), MovieError> {
    let printable = key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let spaces = key.starts_with(' ') || key.ends_with(' ') || key.contains("  ");
    if key.is_empty() || key.len() > MAX_KEY || !printable || spaces {
        return Err(MovieError::Key { key: key.to_owned() });
    }
    if text.contains('\0') {
        return Err(MovieError::Text { key: key.to_owned() });
    }
    Ok(())
}

/// The text that a movie holds for a key: MP4, GIF and (animated) PNG by their content, whatever the extension, or the
/// first frame of a folder of them. `None` if it holds none.
///
/// # Errors
/// The file cannot be read, or is none of these.
pub fn read_metadata(path: &Path, key: &str) -> Result<Option<String>, MovieError> {
    if path.is_dir() {
        let frames = frames_in(path)?;
        let Some((_, first)) = frames.first() else {
            return Err(MovieError::NotAMovie { path: path.to_owned() });
        };
        return read_file(first, key);
    }
    read_file(path, key)
}

fn read_file(path: &Path, key: &str) -> Result<Option<String>, MovieError> {
    let mut file = BufReader::new(File::open(path).map_err(MovieError::io(path))?);
    let mut start = Vec::new();
    file.by_ref().take(8).read_to_end(&mut start).map_err(MovieError::io(path))?;
    file.rewind().map_err(MovieError::io(path))?;
    match start.as_slice() {
        b"\x89PNG\r\n\x1a\n" => {
            png::read(file, key).map_err(|source| MovieError::ReadPng { path: path.to_owned(), source })
        }
        [_, _, _, _, b'f', b't', b'y', b'p'] => mp4::read(file, key).map_err(MovieError::io(path)),
        [b'G', b'I', b'F', b'8', ..] => gif::read(file, key).map_err(MovieError::io(path)),
        _ => Err(MovieError::NotAMovie { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_that_every_format_takes() {
        for key in ["nevis", "a", "two words", &"k".repeat(79)] {
            assert!(check(key, "{}").is_ok(), "{key:?}");
        }
        for key in ["", " a", "a ", "two  spaces", "new\nline", "nul\0", "schlüssel", &"k".repeat(80)] {
            assert!(matches!(check(key, "{}"), Err(MovieError::Key { .. })), "{key:?}");
        }
        assert!(matches!(check("a", "nul\0"), Err(MovieError::Text { .. })));
    }

    #[test]
    fn other_files_are_not_taken_for_movies() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read_metadata(folder.path(), "a"), Err(MovieError::NotAMovie { .. })));
        let path = folder.path().join("a.mp4");
        assert!(matches!(read_metadata(&path, "a"), Err(MovieError::Io { .. })));
        for content in ["", "GIF", "some text that is no movie"] {
            std::fs::write(&path, content).unwrap();
            assert!(matches!(read_metadata(&path, "a"), Err(MovieError::NotAMovie { .. })), "{content:?}");
        }
    }
}
