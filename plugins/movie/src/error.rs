//! What can go wrong with a movie, and what would help.

use std::io;
use std::path::{Path, PathBuf};

use crate::MovieKind;

/// Why a movie could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum MovieError {
    /// The extension names no kind of movie.
    #[error("{}: a movie ends in .mp4, .gif, .apng or .png, or names a folder for PNG frames", path.display())]
    UnknownKind {
        /// The path asked for.
        path: PathBuf,
    },
    /// The folder that would hold the movie is missing.
    #[error("{}: no such folder; make it first, or choose another", folder.display())]
    NoFolder {
        /// The missing folder.
        folder: PathBuf,
    },
    /// Frames need a folder, and a file stands in its place.
    #[error("{}: a file, where PNG frames need a folder; add .mp4, .gif or .apng, or choose another name", path.display())]
    NotAFolder {
        /// The file in the way.
        path: PathBuf,
    },
    /// MP4 stores colour for blocks of two by two pixels.
    #[error("{width}x{height}: MP4 needs even sides; use {}x{}", even(*width), even(*height))]
    OddSides {
        /// The width asked for, in pixels.
        width: u32,
        /// The height asked for, in pixels.
        height: u32,
    },
    /// The kind cannot hold frames of this size.
    #[error("{width}x{height}: {} takes from {min}x{min} to {max_width}x{max_height} pixels", kind.name())]
    Size {
        /// The kind of movie.
        kind: MovieKind,
        /// The width asked for, in pixels.
        width: u32,
        /// The height asked for, in pixels.
        height: u32,
        /// The shortest side that the kind takes.
        min: u32,
        /// The longest width that the kind takes.
        max_width: u32,
        /// The longest height that the kind takes.
        max_height: u32,
    },
    /// The frame rate is out of range.
    #[error("{fps} frames per second: choose from 1 to {}", crate::MAX_FPS)]
    Fps {
        /// The rate asked for.
        fps: u32,
    },
    /// The quality is out of range.
    #[error("quality {quality}: choose from 1 to {}", crate::MAX_QUALITY)]
    Quality {
        /// The quality asked for.
        quality: u8,
    },
    /// A key of the metadata that not every kind of file can hold.
    #[error("metadata key {key:?}: use 1 to 79 printable ASCII characters without spaces at the ends or two in a row")]
    Key {
        /// The key.
        key: String,
    },
    /// A text of the metadata holds a NUL, which ends it in MP4.
    #[error("metadata {key:?} holds a NUL character; JSON writes it as \\u0000")]
    Text {
        /// The key of the text.
        key: String,
    },
    /// A frame of another size than the movie.
    #[error("a frame of {found} bytes, but {width}x{height} RGBA pixels are {expected}")]
    FrameSize {
        /// The width of the movie, in pixels.
        width: u32,
        /// The height of the movie, in pixels.
        height: u32,
        /// Bytes that a frame must have.
        expected: usize,
        /// Bytes of the frame handed over.
        found: usize,
    },
    /// Finished without a frame.
    #[error("a movie without frames: push at least one before finishing")]
    Empty,
    /// The encoder failed before, and said why then.
    #[error("the movie ended with an earlier error; start it again")]
    Ended,
    /// The encoder's thread panicked.
    #[error("the encoder of the movie broke down; its message is on standard error")]
    Panicked,
    /// An MP4 beyond the 32-bit sizes of its boxes.
    #[error(
        "the MP4 outgrew 4 GiB at frame {frame}; lower the quality, the size or the frame rate, or cut it in parts"
    )]
    TooLarge {
        /// The frame that did not fit, counted from 1.
        frame: u64,
    },
    /// The H.264 encoder gave nothing for a frame.
    #[error("the H.264 encoder left out frame {frame}")]
    FrameLeftOut {
        /// The frame, counted from 1.
        frame: u64,
    },
    /// What was written does not have the structure that was about to be completed.
    #[error("the {} being written has no {part}", kind.name())]
    Structure {
        /// The kind of movie.
        kind: MovieKind,
        /// The missing part.
        part: &'static str,
    },
    /// Reading or writing failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Writing into the movie failed.
    #[error("writing the movie: {0}")]
    Write(#[from] io::Error),
    /// The H.264 encoder failed.
    #[error("encoding H.264: {0}")]
    H264(#[from] openh264::Error),
    /// The MP4 could not be put together.
    #[error("writing MP4: {0}")]
    Mp4(#[from] muxide::api::MuxerError),
    /// The GIF could not be written.
    #[error("writing GIF: {0}")]
    Gif(#[from] gif::EncodingError),
    /// The PNG could not be written.
    #[error("writing PNG: {0}")]
    Png(#[from] png::EncodingError),
    /// A file that is none of the kinds.
    #[error("{}: neither MP4 nor GIF nor PNG", path.display())]
    NotAMovie {
        /// The file.
        path: PathBuf,
    },
    /// A PNG that cannot be read.
    #[error("{}: {source}", path.display())]
    ReadPng {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: png::DecodingError,
    },
}

impl MovieError {
    /// For `map_err`: an error of the system, with the path it is about.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Io { path: path.to_owned(), source }
    }
}

/// The nearest even side that is not longer, and long enough to encode.
fn even(side: u32) -> u32 {
    (side / 2 * 2).max(crate::options::MIN_MP4_SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_sides_come_with_even_ones() {
        let error = MovieError::OddSides { width: 1281, height: 720 };
        assert_eq!(error.to_string(), "1281x720: MP4 needs even sides; use 1280x720");
    }
}
