//! Outputs that are replaced as a whole or not at all.
//!
//! An [`AtomicFile`] is written under a hidden name beside its destination, flushed to the disk, and renamed over it:
//! readers see the old file or the whole new one. An [`AtomicFolder`] is a folder under such a name. Either disappears
//! when it is dropped before its commit. A process that ends without dropping anything, as on Ctrl-C, calls
//! [`remove_unfinished`] first.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile, TempDir};

/// Outputs in the making. Global, because a signal handler has no other way to learn of them.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all outputs of this process that are not committed yet; for use right before it ends. Writers still at work
/// fail afterwards; what is already in its place stays.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *unfinished()) {
        // The process is about to end: there is nobody left to tell.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

/// The directory that a path is in.
#[must_use]
pub fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// An entry among the unfinished for as long as it lives.
#[derive(Debug)]
struct Listing(PathBuf);

impl Drop for Listing {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// The names of temporaries: hidden, and after what they will be.
fn builder(prefix: &OsString) -> Builder<'_, 'static> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(".unfinished");
    builder
}

fn prefix(destination: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(destination.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// A file in the making, beside its destination.
#[derive(Debug)]
pub struct AtomicFile {
    destination: PathBuf,
    file: NamedTempFile,
    /// Dropped after the file, so that a Ctrl-C in between still finds it.
    _listing: Listing,
}

impl AtomicFile {
    /// Begins a file that will replace `destination`.
    ///
    /// # Errors
    /// If no file can be made in its directory.
    pub fn beside(destination: &Path) -> io::Result<Self> {
        let prefix = prefix(destination);
        let mut builder = builder(&prefix);
        #[cfg(unix)]
        {
            // As any new file, instead of the owner-only rights of temporary ones.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // Under the lock: a Ctrl-C must not fall between the making and the listing.
        let mut listed = unfinished();
        let file = builder.tempfile_in(directory_of(destination))?;
        let temporary = file.path().to_path_buf();
        listed.insert(temporary.clone());
        Ok(Self { destination: destination.into(), file, _listing: Listing(temporary) })
    }

    /// What is written to.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Its present name, for writers that open files themselves.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Flushes the contents to the disk and puts the file in the place of its destination; returns its bytes.
    ///
    /// # Errors
    /// If that fails; the destination is then as it was.
    pub fn commit(self) -> io::Result<u64> {
        let Self { destination, file, _listing } = self;
        file.as_file().sync_all()?;
        let bytes = file.as_file().metadata()?.len();
        file.persist(&destination).map_err(|error| error.error)?;
        // The rename itself is on the disk once its directory is; where directories cannot be opened, so be it.
        if let Ok(directory) = File::open(directory_of(&destination)) {
            let _ = directory.sync_all();
        }
        Ok(bytes)
    }
}

/// Writes a file in one go.
///
/// # Errors
/// If it cannot be written; the destination is then as it was.
pub fn write(destination: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::beside(destination)?;
    io::Write::write_all(file.file(), contents)?;
    file.commit().map(drop)
}

/// A folder in the making.
#[derive(Debug)]
pub struct AtomicFolder {
    folder: TempDir,
    /// Dropped after the folder.
    listing: Listing,
}

impl AtomicFolder {
    /// Begins a folder within `directory`, named after what it will be.
    ///
    /// # Errors
    /// If no folder can be made there.
    pub fn within(directory: &Path, destination: &Path) -> io::Result<Self> {
        let mut listed = unfinished();
        let folder = builder(&prefix(destination)).tempdir_in(directory)?;
        let temporary = folder.path().to_path_buf();
        listed.insert(temporary.clone());
        Ok(Self { folder, listing: Listing(temporary) })
    }

    /// Its present name.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder the name `destination`, where there must be none.
    ///
    /// # Errors
    /// If it cannot be renamed; the folder is then gone.
    pub fn commit(self, destination: &Path) -> io::Result<()> {
        fs::rename(self.folder.path(), destination)?;
        let Self { folder, listing } = self;
        let _ = folder.keep(); // nothing is left at the old name to be removed
        drop(listing);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_old_or_new_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a table.csv");
        write(&path, b"old").expect("written");
        let mut file = AtomicFile::beside(&path).expect("begun");
        file.file().write_all(b"half").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"old");
        assert_eq!(names(folder.path()).len(), 2);
        drop(file);
        assert_eq!(names(folder.path()), ["a table.csv"]);
        let mut file = AtomicFile::beside(&path).expect("begun");
        file.file().write_all(b"whole").expect("written");
        assert_eq!(file.commit().expect("in its place"), 5);
        assert_eq!((fs::read(&path).expect("there"), names(folder.path()).len()), (b"whole".to_vec(), 1));
        assert!(AtomicFile::beside(&folder.path().join("none/a.csv")).is_err());
    }

    #[test]
    fn a_folder_takes_its_name_or_disappears() {
        let within = tempfile::tempdir().expect("a folder");
        let place = within.path().join("frames");
        let folder = AtomicFolder::within(within.path(), &place).expect("begun");
        fs::write(folder.path().join("1.png"), "").expect("written");
        drop(folder);
        assert!(names(within.path()).is_empty());
        let folder = AtomicFolder::within(within.path(), &place).expect("begun");
        fs::write(folder.path().join("1.png"), "").expect("written");
        folder.commit(&place).expect("in its place");
        assert_eq!((names(within.path()), names(&place)), (vec!["frames".to_owned()], vec!["1.png".to_owned()]));
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_it_as_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (plain, whole) = (folder.path().join("plain"), folder.path().join("whole"));
        fs::write(&plain, "").expect("written");
        write(&whole, b"").expect("written");
        let mode = |path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&whole), mode(&plain));
    }
}
