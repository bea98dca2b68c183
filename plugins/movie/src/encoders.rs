//! One encoder for each kind of movie.

mod apng;
mod crc;
mod delays;
mod frames;
mod gif;
mod mp4;
mod palette;
mod retime;
mod yuv;

use std::fs::{File, OpenOptions};
use std::io::BufWriter;

use crate::target::Target;
use crate::{MovieError, MovieKind, MovieOptions};

/// Takes frames one by one, in order, and writes them into the temporary of the movie.
pub(crate) trait Encode: Send {
    /// Encodes a frame of the size that the options told.
    fn frame(&mut self, pixels: Vec<u8>) -> Result<(), MovieError>;

    /// Ends the file so that it plays, with keys and texts beside the pictures; frames in it.
    fn finish(self: Box<Self>, metadata: &[(String, String)]) -> Result<u64, MovieError>;
}

/// Where encoders write to.
type Output = BufWriter<File>;

/// The encoder for a kind of movie.
pub(crate) fn encoder(kind: MovieKind, target: &Target, options: &MovieOptions) -> Result<Box<dyn Encode>, MovieError> {
    let file = || {
        let path = target.temporary();
        OpenOptions::new().read(true).write(true).open(path).map_err(MovieError::io(path))
    };
    Ok(match kind {
        MovieKind::Mp4 => Box::new(mp4::Mp4::new(file()?, options)?),
        MovieKind::Gif => Box::new(gif::Gif::new(file()?, options)?),
        MovieKind::Apng => Box::new(apng::Apng::new(file()?, options)?),
        MovieKind::Frames => Box::new(frames::Frames::new(target.temporary(), options)),
    })
}
