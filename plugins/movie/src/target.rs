//! Where a movie is written until it is finished, and how it takes its place.

use atomic_file::{AtomicFile, AtomicFolder, directory_of};
use std::fs;
use std::path::{Path, PathBuf};

use crate::{MovieError, MovieKind};

/// A hidden temporary beside its destination; dropped, it is removed.
#[derive(Debug)]
pub(crate) enum Target {
    /// One file.
    File {
        /// Written to until the movie is finished.
        temporary: AtomicFile,
        /// Replaced then.
        path: PathBuf,
    },
    /// A folder of frames.
    Folder {
        /// Written to until the movie is finished.
        temporary: AtomicFolder,
        /// Takes the frames then.
        path: PathBuf,
    },
}

impl Target {
    /// Makes the temporary, so that a folder that cannot be written to is known before the first frame.
    pub(crate) fn create(path: &Path, kind: MovieKind) -> Result<Self, MovieError> {
        let folder = directory_of(path);
        if kind != MovieKind::Frames || !path.is_dir() {
            if !folder.is_dir() {
                return Err(MovieError::NoFolder { folder: folder.to_owned() });
            }
            if kind == MovieKind::Frames && path.exists() {
                return Err(MovieError::NotAFolder { path: path.to_owned() });
            }
        }
        if kind == MovieKind::Frames {
            // Inside a folder that exists, which may be another file system than the folder around it.
            let within = if path.is_dir() { path } else { folder };
            let temporary = AtomicFolder::within(within, path).map_err(MovieError::io(within))?;
            return Ok(Self::Folder { temporary, path: path.to_owned() });
        }
        let temporary = AtomicFile::beside(path).map_err(MovieError::io(folder))?;
        Ok(Self::File { temporary, path: path.to_owned() })
    }

    /// The temporary folder or file.
    pub(crate) fn temporary(&self) -> &Path {
        match self {
            Self::File { temporary, .. } => temporary.path(),
            Self::Folder { temporary, .. } => temporary.path(),
        }
    }

    /// Puts what was written in its place and counts its bytes.
    pub(crate) fn commit(self) -> Result<u64, MovieError> {
        match self {
            Self::File { temporary, path } => temporary.commit().map_err(MovieError::io(&path)),
            Self::Folder { temporary, path } => commit_frames(temporary, &path),
        }
    }
}

/// The name of a frame, counted from 1.
pub(crate) fn frame_name(frame: u64) -> String {
    format!("frame-{frame:05}.png")
}

/// The number in the name of a frame.
fn frame_number(name: &str) -> Option<u64> {
    let frame = name.strip_prefix("frame-")?.strip_suffix(".png")?.parse().ok()?;
    (frame_name(frame) == name).then_some(frame)
}

/// A new folder takes its place in one step. In one that exists, frame replaces frame, what else lies there stays, and
/// the frames of a longer movie before are removed: they would play after this one.
fn commit_frames(temporary: AtomicFolder, path: &Path) -> Result<u64, MovieError> {
    let frames = frames_in(temporary.path())?;
    let mut bytes = 0;
    for (_, frame) in &frames {
        bytes += fs::metadata(frame).map_err(MovieError::io(frame))?.len();
    }
    if !path.is_dir() {
        temporary.commit(path).map_err(MovieError::io(path))?;
        return Ok(bytes);
    }
    let old = frames_in(path)?;
    for (number, frame) in &frames {
        let place = path.join(frame_name(*number));
        fs::rename(frame, &place).map_err(MovieError::io(&place))?;
    }
    let last = frames.last().map_or(0, |(number, _)| *number);
    for (_, stale) in old.iter().filter(|(number, _)| *number > last) {
        fs::remove_file(stale).map_err(MovieError::io(stale))?;
    }
    Ok(bytes)
}

/// The frames in a folder with their numbers, in order.
pub(crate) fn frames_in(folder: &Path) -> Result<Vec<(u64, PathBuf)>, MovieError> {
    let mut frames = Vec::new();
    for entry in fs::read_dir(folder).map_err(MovieError::io(folder))? {
        let entry = entry.map_err(MovieError::io(folder))?;
        if let Some(number) = entry.file_name().to_str().and_then(frame_number) {
            frames.push((number, entry.path()));
        }
    }
    frames.sort_unstable();
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_frames_count_on_beyond_five_digits() {
        for (frame, name) in [(1, "frame-00001.png"), (99_999, "frame-99999.png"), (100_000, "frame-100000.png")] {
            assert_eq!(frame_name(frame), name);
            assert_eq!(frame_number(name), Some(frame));
        }
        for other in ["frame-1.png", "frame-000001.png", "frame-00001.jpg", "frame-+0001.png", "my-frame-00001.png"] {
            assert_eq!(frame_number(other), None, "{other}");
        }
    }

    #[test]
    fn missing_folders_and_files_in_the_way_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let within = folder.path().join("none").join("a.gif");
        assert!(matches!(Target::create(&within, MovieKind::Gif), Err(MovieError::NoFolder { .. })));
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        assert!(matches!(Target::create(&file, MovieKind::Frames), Err(MovieError::NotAFolder { .. })));
        assert!(Target::create(&folder.path().join("new"), MovieKind::Frames).is_ok());
    }
}
