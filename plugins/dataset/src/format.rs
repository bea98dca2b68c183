//! File formats, recognised by their first bytes.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC file, also called Feather version 2.
    ArrowFile,
    /// Arrow IPC stream.
    ArrowStream,
    /// Text with a header line and a separator (comma, semicolon or tab).
    Csv,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parquet => "Parquet",
            Self::ArrowFile => "Arrow IPC file",
            Self::ArrowStream => "Arrow IPC stream",
            Self::Csv => "CSV",
        })
    }
}

/// Bytes that [`Format::detect`] wants to see.
pub(crate) const HEAD_BYTES: usize = 512;

impl Format {
    /// Endings of files that are taken from a directory.
    pub(crate) const ENDINGS: [&'static str; 9] =
        ["parquet", "pq", "arrow", "feather", "ipc", "arrows", "csv", "tsv", "txt"];

    /// Recognises the format by signature, then by ending; otherwise says what the bytes look like.
    pub(crate) fn detect(path: &Path, head: &[u8]) -> Result<Self, String> {
        if head.starts_with(b"PAR1") {
            return Ok(Self::Parquet);
        }
        if head.starts_with(b"ARROW1") {
            return Ok(Self::ArrowFile);
        }
        if head.starts_with(&[0xFF; 4]) {
            return Ok(Self::ArrowStream);
        }
        if let Some(name) = known_stranger(head) {
            return Err(format!("it looks like {name}"));
        }
        let text = is_text(head);
        match ending(path).as_deref() {
            Some("csv" | "tsv" | "txt") if text => Ok(Self::Csv),
            // Streams from before Arrow 0.15 begin with a length instead of a signature.
            Some("arrows") if !text => Ok(Self::ArrowStream),
            _ if text => Err("it looks like text; a CSV file must end in .csv, .tsv or .txt".to_owned()),
            _ => Err(format!("it begins with the bytes {}", hex(head))),
        }
    }
}

/// The lower-case ending of a file name.
pub(crate) fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}

fn known_stranger(head: &[u8]) -> Option<&'static str> {
    let signatures: [(&[u8], &str); 14] = [
        (b"PARE", "encrypted Parquet"),
        (b"FEA1", "Feather version 1 (write it again as version 2)"),
        (b"\x1f\x8b", "gzip (unpack it first)"),
        (b"\x28\xb5\x2f\xfd", "zstd (unpack it first)"),
        (b"BZh", "bzip2 (unpack it first)"),
        (b"PK\x03\x04", "a zip archive (.zip, .npz or .xlsx)"),
        (b"\x89HDF", "HDF5 (.h5 or .h5ad)"),
        (b"\x93NUMPY", "a NumPy array (.npy)"),
        (b"\x89PNG", "a PNG image"),
        (b"SQLite format 3", "an SQLite database"),
        (b"ORC", "ORC"),
        (b"Obj\x01", "Avro"),
        (b"{", "JSON"),
        (b"[", "JSON"),
    ];
    signatures.into_iter().find(|(signature, _)| head.starts_with(signature)).map(|(_, name)| name)
}

fn is_text(head: &[u8]) -> bool {
    let control = |&b: &u8| b < 0x20 && !matches!(b, b'\t' | b'\r' | b'\n');
    // The head may end within a character: only what comes before its last four bytes must be whole.
    let valid = std::str::from_utf8(head).map_or_else(|e| e.valid_up_to(), str::len);
    !head.is_empty() && valid + 4 > head.len() && !head.iter().any(control)
}

fn hex(head: &[u8]) -> String {
    head.iter().take(8).map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_come_before_endings() {
        let detect = |name: &str, head: &[u8]| Format::detect(Path::new(name), head);
        assert_eq!(detect("a.csv", b"PAR1...."), Ok(Format::Parquet));
        assert_eq!(detect("a.parquet", b"ARROW1\0\0"), Ok(Format::ArrowFile));
        assert_eq!(detect("a", &[0xFF, 0xFF, 0xFF, 0xFF, 1, 0]), Ok(Format::ArrowStream));
        assert_eq!(detect("a.CSV", b"x,y\n1,2\n"), Ok(Format::Csv));
        assert_eq!(detect("a.csv", "größe,y\n".as_bytes()), Ok(Format::Csv));
        assert_eq!(detect("a.csv", b"\x1f\x8b\x08"), Err("it looks like gzip (unpack it first)".to_owned()));
        assert_eq!(detect("a.bin", &[1, 2]), Err("it begins with the bytes 01 02".to_owned()));
        assert!(detect("a.parquet", b"x,y\n").is_err_and(|guess| guess.contains("looks like text")));
    }
}
