//! GIF: a palette for every frame, and of every frame after the first only the pixels that changed.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};

use gif::{AnyExtension, DisposalMethod, Encoder, Extension, Frame, Repeat};

use super::delays::{delay, seen, start};
use super::palette::Quantiser;
use super::{Encode, Output};
use crate::change::{Rectangle, changed};
use crate::{MAX_QUALITY, MovieError, MovieOptions, metadata};

/// Colours of a frame beside the transparent one.
const MOST_COLOURS: usize = 255;

/// Frames into a GIF.
pub(crate) struct Gif {
    encoder: Encoder<Output>,
    quantiser: Quantiser,
    width: usize,
    height: usize,
    fps: u32,
    /// Colours of a palette.
    colours: usize,
    /// How far a channel may be off before its pixel is drawn anew.
    tolerance: u8,
    /// The frame to write next and when it starts: how long it is shown, the one after it tells.
    waiting: Option<(Vec<u8>, u64)>,
    /// For every pixel its colour, before quantising, when it was last drawn; empty at the first frame.
    ///
    /// Pixels are compared with this and not with what is shown: those that stay the same would else be drawn anew in
    /// every frame whose palette is another, and flicker.
    drawn: Vec<u8>,
    taken: u64,
    written: u64,
}

impl Gif {
    pub(crate) fn new(file: File, options: &MovieOptions) -> Result<Self, MovieError> {
        let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
        let mut encoder = Encoder::new(BufWriter::new(file), side(options.width), side(options.height), &[])?;
        if options.loops {
            encoder.set_repeat(Repeat::Infinite)?;
        }
        Ok(Self {
            encoder,
            quantiser: Quantiser::new(),
            width: options.width as usize,
            height: options.height as usize,
            fps: options.fps,
            colours: colours(options.quality),
            tolerance: tolerance(options.quality),
            waiting: None,
            drawn: Vec::new(),
            taken: 0,
            written: 0,
        })
    }

    /// Writes a frame that is shown for `delay` hundredths of a second.
    fn write(&mut self, pixels: &[u8], delay: u16) -> Result<(), MovieError> {
        let tolerance = self.tolerance;
        let differs = move |drawn: &[u8], now: &[u8]| (0..3).any(|at| drawn[at].abs_diff(now[at]) > tolerance);
        let first = self.drawn.is_empty();
        let part = if first {
            self.drawn = pixels.to_vec();
            Some(Rectangle::whole(self.width, self.height))
        } else {
            changed(&self.drawn, pixels, self.width, differs)
        };
        // A frame must have a pixel, also where nothing changed.
        let part = part.unwrap_or(Rectangle::whole(1, 1));
        let drawn = &self.drawn;
        let redrawn = (0..part.height).flat_map(|row| {
            let pair =
                part.row(drawn, self.width, row).chunks_exact(4).zip(part.row(pixels, self.width, row).chunks_exact(4));
            pair.map(|(drawn, now)| (first || differs(drawn, now)).then_some([now[0], now[1], now[2]]))
        });
        let palette = self.quantiser.palette(redrawn.clone().flatten(), self.colours);
        let transparent = palette.colours.len() as u8;
        let quantiser = &self.quantiser;
        let indices: Vec<u8> =
            redrawn.map(|pixel| pixel.map_or(transparent, |pixel| quantiser.index(&palette, pixel))).collect();
        let mut colours = palette.colours.concat();
        colours.extend([0; 3]); // the transparent one
        self.encoder.write_frame(&Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(transparent),
            left: part.x as u16,
            top: part.y as u16,
            width: part.width as u16,
            height: part.height as u16,
            palette: Some(colours),
            buffer: Cow::Borrowed(&indices),
            ..Default::default()
        })?;
        for row in 0..part.height {
            let drawn = part.row_mut(&mut self.drawn, self.width, row).chunks_exact_mut(4);
            for (drawn, now) in drawn.zip(part.row(pixels, self.width, row).chunks_exact(4)) {
                if differs(drawn, now) {
                    drawn.copy_from_slice(now);
                }
            }
        }
        self.written += 1;
        Ok(())
    }
}

/// Colours of a palette for a quality: all from 80 on, and fewer below.
fn colours(quality: u8) -> usize {
    (16 + 3 * usize::from(quality)).min(MOST_COLOURS)
}

/// How far a channel may be off for a quality: not at all at the best, and not visibly at 80.
fn tolerance(quality: u8) -> u8 {
    MAX_QUALITY.saturating_sub(quality) / 6
}

impl Encode for Gif {
    fn frame(&mut self, pixels: Vec<u8>) -> Result<(), MovieError> {
        let now = start(self.taken, self.fps);
        self.taken += 1;
        match self.waiting.take() {
            Some((waiting, since)) if seen(since, now) => {
                self.write(&waiting, delay(since, now))?;
                self.waiting = Some((pixels, now));
            }
            // Too soon for another: it takes the place of the one that waits, so that the last frame is always shown.
            Some((_, since)) => self.waiting = Some((pixels, since)),
            None => self.waiting = Some((pixels, now)),
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, metadata: &[(String, String)]) -> Result<u64, MovieError> {
        if let Some((waiting, since)) = self.waiting.take() {
            self.write(&waiting, delay(since, start(self.taken, self.fps)))?;
        }
        for (key, text) in metadata {
            let comment = metadata::gif::comment(key, text);
            self.encoder.write_raw_extension(AnyExtension(Extension::Comment as u8), &[comment.as_bytes()])?;
        }
        self.encoder.into_inner()?.flush()?;
        Ok(self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_quality_never_has_fewer_colours_or_more_tolerance() {
        assert_eq!((colours(MAX_QUALITY), tolerance(MAX_QUALITY)), (255, 0));
        assert_eq!((colours(80), tolerance(80)), (255, 3));
        assert_eq!((colours(1), tolerance(1)), (19, 16));
        assert!((1..MAX_QUALITY).all(|quality| colours(quality) <= colours(quality + 1)));
        assert!((1..MAX_QUALITY).all(|quality| tolerance(quality) >= tolerance(quality + 1)));
    }
}
