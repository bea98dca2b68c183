//! A directory that gains files.

use super::outlet::Outlet;
use crate::{OPERATION_KEY, StreamError};
use dataset::{OpenFile, natural_order};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Endings of files that are read.
const ENDINGS: [&str; 8] = ["parquet", "pq", "arrow", "feather", "ipc", "arrows", "csv", "tsv"];

/// The files of a directory that can be read now, in the order of their names (2 before 10): what a first load takes
/// before the directory is followed. Files that are still being written are left for later.
///
/// # Errors
/// If the directory cannot be read.
pub fn whole_files(directory: &Path) -> Result<Vec<PathBuf>, StreamError> {
    let missing = |source| StreamError::NoDirectory { path: directory.into(), source };
    let mut files = candidates(directory).map_err(missing)?;
    files.retain(|file| OpenFile::open(file).is_ok_and(|file| file.rows() > 0));
    Ok(files)
}

/// Files that could be meant, in the order of their names; hidden ones and those in the making are not.
fn candidates(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in directory.read_dir()? {
        let path = entry?.path();
        let hidden = path.file_name().and_then(|name| name.to_str()).is_none_or(|name| name.starts_with('.'));
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
        if !hidden && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) && path.is_file() {
            files.push(path);
        }
    }
    files.sort_by(|left, right| natural_order(&left.to_string_lossy(), &right.to_string_lossy()));
    Ok(files)
}

/// What is known of a file.
enum Known {
    /// It was read, whole or as far as possible.
    Done,
    /// It is being written, or cannot be read yet.
    Waiting {
        size: u64,
        modified: Option<SystemTime>,
        /// Looks since it last changed.
        looks: u32,
        /// Whether it was told of.
        said: bool,
    },
}

/// A directory and what is known of its files.
pub(super) struct Directory {
    path: PathBuf,
    files: HashMap<PathBuf, Known>,
    /// Whether it was told that the directory itself cannot be read.
    said: bool,
}

impl Directory {
    pub fn open(path: &Path, seen: &[PathBuf]) -> Result<Self, StreamError> {
        let missing = |source| StreamError::NoDirectory { path: path.into(), source };
        candidates(path).map_err(missing)?;
        let home = path.canonicalize().map_err(missing)?;
        // The same file may have been named in another way.
        let at_home = |file: &PathBuf| {
            let place = file.canonicalize().ok()?;
            (place.parent() == Some(&home)).then(|| path.join(place.file_name().unwrap_or_default()))
        };
        let files = seen.iter().filter_map(at_home).map(|file| (file, Known::Done)).collect();
        Ok(Self { path: path.to_path_buf(), files, said: false })
    }

    /// Looks again and again until nobody listens any more.
    pub fn follow(mut self, outlet: &Outlet) {
        while self.look(outlet) && !outlet.shared.queue.rest(outlet.shared.limits.look_every) {}
    }

    /// Reads every file that is new and whole; `false` if nobody listens any more.
    pub fn look(&mut self, outlet: &Outlet) -> bool {
        let files = match candidates(&self.path) {
            Ok(files) => files,
            Err(_) if self.said => return true,
            Err(error) => {
                self.said = true;
                return outlet.trouble(format!("{:?} cannot be looked at: {error}; trying on", self.path));
            }
        };
        self.said = false;
        // A name that is gone and comes back is another file.
        let present: HashSet<&PathBuf> = files.iter().collect();
        self.files.retain(|file, _| present.contains(file));
        files.iter().all(|file| self.consider(file, outlet))
    }

    fn consider(&mut self, file: &Path, outlet: &Outlet) -> bool {
        let Ok(metadata) = file.metadata() else { return true }; // gone again
        let now = (metadata.len(), metadata.modified().ok());
        let (looks, said) = match self.files.get(file) {
            Some(Known::Done) => return true,
            Some(&Known::Waiting { size, modified, looks, said }) if (size, modified) == now => (looks + 1, said),
            Some(&Known::Waiting { said, .. }) => (0, said),
            None => (0, false),
        };
        let limits = &outlet.shared.limits;
        let given_up = limits.look_every.saturating_mul(looks) > limits.stall && said;
        let mut waiting = Known::Waiting { size: now.0, modified: now.1, looks, said };
        // Only a file that was the same at the last look may be whole.
        if looks > 0 && !given_up {
            match OpenFile::open(file) {
                Ok(open) => {
                    self.files.insert(file.to_path_buf(), Known::Done);
                    return read(&open, &outlet.named(name(file)));
                }
                Err(error) if limits.look_every.saturating_mul(looks) >= limits.stall && !said => {
                    waiting = Known::Waiting { size: now.0, modified: now.1, looks, said: true };
                    if !outlet.named(name(file)).trouble(format!("{error}; it is read once it is whole")) {
                        return false;
                    }
                }
                Err(_) => {}
            }
        }
        self.files.insert(file.to_path_buf(), waiting);
        true
    }
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// Hands over all rows of a file; `false` if nobody listens any more.
fn read(file: &OpenFile, outlet: &Outlet) -> bool {
    let operation = match outlet.admit(&file.schema(), file.metadata(OPERATION_KEY).as_deref()) {
        Ok(operation) => operation,
        Err(refusal) => return outlet.trouble(refusal) && outlet.ended(),
    };
    for batch in file.batches(outlet.shared.limits.batch_rows.max(1)) {
        let goes_on = match batch {
            Ok(batch) => outlet.rows(operation, &batch),
            Err(error) => return outlet.trouble(format!("{error}; the rows before it are kept")) && outlet.ended(),
        };
        if !goes_on {
            return false;
        }
    }
    outlet.ended()
}
