//! A Unix socket that only its owner may use, and its name in the file system.

use super::socket::{Caller, Door};
use crate::StreamError;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// A socket that listens; its name disappears with it.
pub(super) struct SocketFile {
    listener: UnixListener,
    path: PathBuf,
    /// Device and inode: a name that somebody else has taken since is left alone.
    identity: (u64, u64),
    connections: usize,
}

impl SocketFile {
    pub fn open(path: &Path) -> Result<Self, StreamError> {
        make_way(path)?;
        let cannot = |source| StreamError::CannotListen { place: format!("{path:?}"), source };
        let (listener, identity) = bind(path).map_err(cannot)?;
        Ok(Self { listener, path: path.to_path_buf(), identity, connections: 0 })
    }
}

/// Removes the socket of a program that has gone; anything else in the way is an error.
fn make_way(path: &Path) -> Result<(), StreamError> {
    let cannot = |source| StreamError::CannotListen { place: format!("{path:?}"), source };
    let there = match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        there => there.map_err(cannot)?,
    };
    if !there.file_type().is_socket() {
        return Err(StreamError::NotASocket { path: path.into() });
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path).map_err(cannot),
        Err(error) => Err(cannot(error)),
        Ok(_) => Err(StreamError::SocketInUse { path: path.into() }),
    }
}

/// Binds where nobody else can look, takes the rights away, and only then gives the socket its name: at no time may
/// another user connect.
fn bind(path: &Path) -> io::Result<(UnixListener, (u64, u64))> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let hidden = tempfile::Builder::new().prefix(".n").rand_bytes(4).tempdir_in(parent)?;
    let inside = hidden.path().join("s");
    let listener = UnixListener::bind(&inside)?;
    fs::set_permissions(&inside, Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    let metadata = inside.symlink_metadata()?;
    fs::rename(&inside, path)?;
    Ok((listener, (metadata.dev(), metadata.ino())))
}

impl Door for SocketFile {
    fn answer(&mut self) -> io::Result<Caller> {
        let (connection, _) = self.listener.accept()?;
        self.connections += 1;
        let name = format!("{} connection {}", self.path.display(), self.connections);
        Ok(Caller { connection: Box::new(connection), name, refusal: None })
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let ours = |metadata: fs::Metadata| (metadata.dev(), metadata.ino()) == self.identity;
        if self.path.symlink_metadata().is_ok_and(ours) {
            // Left behind, it would only be replaced next time.
            let _ = fs::remove_file(&self.path);
        }
    }
}
