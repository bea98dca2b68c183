//! Pictures of what a camera sees, at any size: taken off-screen, handed over as pixels, written as PNG.

mod develop;
mod file;
mod pixels;
mod take;

pub(crate) use develop::{Plate, develop_pictures, spare_pictures};
pub use file::{read_png_text, write_png};
pub use pixels::Pixels;
pub use take::{Picture, PictureTaken, TakePicture};
pub(crate) use take::{begin_pictures, hand_over_pictures};

use std::path::PathBuf;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// It has no pixels, or too many.
    #[error("a picture of {width} × {height} pixels cannot be drawn here; each side can have 1 to {most}")]
    Size {
        /// Pixels that would be drawn from left to right.
        width: u32,
        /// Pixels that would be drawn from top to bottom.
        height: u32,
        /// The most that the device takes.
        most: u32,
    },
    /// There is nothing to see it with.
    #[error("the camera of the picture is not there, or has no projection")]
    Camera,
    /// The renderer did not get it ready.
    #[error("the renderer did not draw the picture within {frames} frames")]
    NotDrawn {
        /// Frames waited for.
        frames: u32,
    },
    /// The device was lost before the picture came back from it.
    #[error("the picture did not come back from the device: {reason}")]
    Lost {
        /// What the device said.
        reason: String,
    },
    /// There are not as many bytes as the size says.
    #[error("{bytes} bytes cannot be a picture of {width} × {height} pixels")]
    Bytes {
        /// Bytes there are.
        bytes: usize,
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The file cannot be read or written.
    #[error("{path:?}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The picture or its text cannot be put into a PNG; keywords are 1 to 79 Latin letters.
    #[error("{path:?} cannot be written as PNG: {source}")]
    Encode {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: png::EncodingError,
    },
    /// The file is no PNG.
    #[error("{path:?} cannot be read as PNG: {source}")]
    Decode {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: png::DecodingError,
    },
}
