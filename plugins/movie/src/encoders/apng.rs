//! Animated PNG: lossless, and of every frame after the first only the rectangle that changed.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};

use png::{BlendOp, DisposeOp, Writer};

use super::crc::crc;
use super::frames::rgba;
use super::{Encode, Output};
use crate::change::{Rectangle, changed};
use crate::{MovieError, MovieKind, MovieOptions, metadata};

/// Stands for the number of frames until it is known; the most that PNG can count.
const UNKNOWN: u32 = i32::MAX as u32;
/// Bytes of the signature before the first chunk.
const SIGNATURE: u64 = 8;

/// Frames into an animated PNG.
pub(crate) struct Apng {
    writer: Writer<Output>,
    /// The same file as the writer's, for the number of frames.
    file: File,
    width: u32,
    height: u32,
    /// The frame before, empty at the first.
    before: Vec<u8>,
    frames: u32,
}

impl Apng {
    pub(crate) fn new(file: File, options: &MovieOptions) -> Result<Self, MovieError> {
        let MovieOptions { width, height, fps, .. } = *options;
        let mut encoder = rgba(BufWriter::new(file.try_clone()?), width, height);
        encoder.set_animated(UNKNOWN, if options.loops { 0 } else { 1 })?;
        encoder.set_frame_delay(1, u16::try_from(fps).unwrap_or(u16::MAX))?;
        encoder.set_blend_op(BlendOp::Source)?;
        encoder.set_dispose_op(DisposeOp::None)?;
        let writer = encoder.write_header()?;
        Ok(Self { writer, file, width, height, before: Vec::new(), frames: 0 })
    }

    /// Writes the number of frames in place of [`UNKNOWN`].
    fn count(file: &mut File, frames: u32) -> Result<(), MovieError> {
        let mut start = SIGNATURE;
        loop {
            file.seek(SeekFrom::Start(start))?;
            let mut header = [0; 8];
            let missing = |_| MovieError::Structure { kind: MovieKind::Apng, part: "acTL chunk" };
            file.read_exact(&mut header).map_err(missing)?;
            let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]);
            if &header[4..] == b"acTL" {
                let mut chunk = [0; 12]; // name, frames, plays
                chunk[..4].copy_from_slice(b"acTL");
                file.read_exact(&mut chunk[4..])?;
                chunk[4..8].copy_from_slice(&frames.to_be_bytes());
                file.seek(SeekFrom::Start(start + 4))?;
                file.write_all(&chunk)?;
                file.write_all(&crc(&chunk).to_be_bytes())?;
                return Ok(());
            }
            start += 12 + u64::from(length); // length, name, content, checksum
        }
    }
}

impl Encode for Apng {
    fn frame(&mut self, pixels: Vec<u8>) -> Result<(), MovieError> {
        let width = self.width as usize;
        if self.before.is_empty() {
            self.writer.write_image_data(&pixels)?;
        } else {
            // A frame must have a pixel, also where nothing changed.
            let change =
                changed(&self.before, &pixels, width, |before, now| before != now).unwrap_or(Rectangle::whole(1, 1));
            self.writer.set_frame_position(0, 0)?; // no size is beyond the edge from there
            self.writer.set_frame_dimension(change.width as u32, change.height as u32)?;
            self.writer.set_frame_position(change.x as u32, change.y as u32)?;
            if change == Rectangle::whole(width, self.height as usize) {
                self.writer.write_image_data(&pixels)?;
            } else {
                let rows: Vec<&[u8]> = (0..change.height).map(|row| change.row(&pixels, width, row)).collect();
                self.writer.write_image_data(&rows.concat())?;
            }
        }
        self.before = pixels;
        self.frames += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>, metadata: &[(String, String)]) -> Result<u64, MovieError> {
        for chunk in metadata::png::chunks(metadata)? {
            self.writer.write_text_chunk(&chunk)?;
        }
        self.writer.finish()?;
        Self::count(&mut self.file, self.frames)?;
        Ok(self.frames.into())
    }
}
