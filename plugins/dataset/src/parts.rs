//! The files of one input, in order.

use crate::format::{self, HEAD_BYTES};
use crate::{DatasetError, Format};
use bytes::Bytes;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

/// One file of an input, or bytes that stand for one.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub path: PathBuf,
    pub format: Format,
    /// `None`: the bytes are in the file at `path`.
    pub memory: Option<Bytes>,
}

/// What readers of sequential formats take.
pub(crate) trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

impl Part {
    /// A part that lies in memory; `name` stands for its path in messages.
    pub fn in_memory(name: &str, bytes: Bytes) -> Result<Self, DatasetError> {
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        let format = detect(Path::new(name), head)?;
        Ok(Self { path: name.into(), format, memory: Some(bytes) })
    }

    /// A file, its format told by its first bytes.
    pub fn at(path: PathBuf) -> Result<Self, DatasetError> {
        let mut head = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(HEAD_BYTES as u64).read_to_end(&mut head));
        read.map_err(|source| unreadable(&path, source))?;
        let format = detect(&path, &head)?;
        Ok(Self { path, format, memory: None })
    }

    /// A reader of its own, at the beginning.
    pub fn reader(&self) -> Result<Box<dyn ReadSeek>, DatasetError> {
        match &self.memory {
            Some(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
            None => Ok(Box::new(self.file()?)),
        }
    }

    pub fn file(&self) -> Result<File, DatasetError> {
        File::open(&self.path).map_err(|source| unreadable(&self.path, source))
    }

    /// Size in bytes.
    pub fn size(&self) -> Result<u64, DatasetError> {
        match &self.memory {
            Some(bytes) => Ok(bytes.len() as u64),
            None => self.path.metadata().map(|m| m.len()).map_err(|source| unreadable(&self.path, source)),
        }
    }

    pub fn corrupt(&self, reason: impl ToString) -> DatasetError {
        DatasetError::Corrupt { path: self.path.clone(), format: self.format, reason: reason.to_string() }
    }
}

fn detect(path: &Path, head: &[u8]) -> Result<Format, DatasetError> {
    if head.is_empty() {
        return Err(DatasetError::NoRows { path: path.into() });
    }
    Format::detect(path, head).map_err(|guess| DatasetError::NotSupported { path: path.into(), guess })
}

fn unreadable(path: &Path, source: std::io::Error) -> DatasetError {
    match source.kind() {
        std::io::ErrorKind::NotFound => DatasetError::FileMissing { path: path.into() },
        _ => DatasetError::Unreadable { path: path.into(), source },
    }
}

/// The parts behind the given paths: files as they are, directories by name, without hidden and foreign files.
pub(crate) fn resolve(paths: &[PathBuf]) -> Result<Vec<Part>, DatasetError> {
    let mut parts = Vec::new();
    for path in paths {
        let metadata = path.metadata().map_err(|source| unreadable(path, source))?;
        if metadata.is_dir() {
            for file in directory_files(path)? {
                parts.push(Part::at(file)?);
            }
        } else {
            parts.push(Part::at(path.clone())?);
        }
    }
    if parts.is_empty() { Err(DatasetError::NoInput) } else { Ok(parts) }
}

fn directory_files(directory: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let entries = directory.read_dir().and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|source| unreadable(directory, source))?;
    let supported = |path: &PathBuf| {
        let hidden = path.file_name().and_then(|name| name.to_str()).is_none_or(|name| name.starts_with('.'));
        let known = format::ending(path).is_some_and(|e| Format::ENDINGS.contains(&e.as_str()) && e != "txt");
        !hidden && known && path.is_file()
    };
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(supported).collect();
    files.sort();
    if files.is_empty() { Err(DatasetError::EmptyDirectory { path: directory.into() }) } else { Ok(files) }
}

/// BLAKE3 of the bytes, in hex; of several parts, the hash of their hashes in order.
pub(crate) fn hash(parts: &[Part]) -> Result<String, DatasetError> {
    let mut hashes = Vec::with_capacity(parts.len());
    for part in parts {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(part.reader()?).map_err(|source| unreadable(&part.path, source))?;
        hashes.push(hasher.finalize());
    }
    if let [only] = hashes.as_slice() {
        return Ok(only.to_hex().to_string());
    }
    let mut hasher = blake3::Hasher::new();
    for hash in &hashes {
        hasher.update(hash.as_bytes());
    }
    Ok(hasher.finalize().to_hex().to_string())
}
