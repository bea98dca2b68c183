//! Temporary files that become outputs, and the list of those that have not yet.

use crate::DatasetError;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// Temporary files in the making. Global, because a signal handler has no other way to learn of them.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes the temporary files of all outputs that are being written in this process; for use right before it ends.
/// Writers still at work fail afterwards; files already renamed to their destination stay.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *unfinished()) {
        // Nobody is left to tell: whoever ends the program wants it to end.
        let _ = std::fs::remove_file(path);
    }
}

/// The directory an output goes to.
pub(super) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A temporary file beside its destination. Dropped before [`finish`](Self::finish), it disappears.
pub(super) struct Unfinished {
    destination: PathBuf,
    file: NamedTempFile,
    /// Dropped after the file, so that a Ctrl-C in between still finds it.
    _listing: Listing,
}

/// An entry in [`UNFINISHED`] for as long as it lives.
struct Listing(PathBuf);

impl Drop for Listing {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

impl Unfinished {
    pub fn beside(destination: &Path) -> Result<Self, DatasetError> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".nevis-").suffix(".unfinished");
        #[cfg(unix)]
        {
            // As any new file, instead of the owner-only rights of temporary ones.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        // Under the lock: a Ctrl-C must not fall between the making and the listing.
        let mut listed = unfinished();
        let file = builder.tempfile_in(directory_of(destination)).map_err(|error| unwritable(destination, &error))?;
        let temporary = file.path().to_path_buf();
        listed.insert(temporary.clone());
        Ok(Self { destination: destination.into(), file, _listing: Listing(temporary) })
    }

    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Flushes the contents to the disk and puts the file in the place of its destination.
    pub fn finish(self) -> Result<(), DatasetError> {
        let Self { destination, file, _listing } = self;
        file.as_file().sync_all().map_err(|error| unwritable(&destination, &error))?;
        file.persist(&destination).map_err(|error| unwritable(&destination, &error.error))?;
        // The rename itself is on the disk once its directory is; where directories cannot be opened, so be it.
        if let Ok(directory) = File::open(directory_of(&destination)) {
            let _ = directory.sync_all();
        }
        Ok(())
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> DatasetError {
    DatasetError::Unwritable { path: path.into(), reason: error.to_string() }
}
