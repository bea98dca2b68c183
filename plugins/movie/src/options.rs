//! What a movie shall be like, and whether its kind can be so.

use crate::{MovieError, MovieKind, metadata};

/// The highest frame rate, in frames per second.
pub const MAX_FPS: u32 = 120;
/// The best quality.
pub const MAX_QUALITY: u8 = 100;
/// The shortest side of an MP4: a block of the encoder.
pub(crate) const MIN_MP4_SIDE: u32 = 16;
/// The encoder's limit, lying or standing.
const MAX_MP4_SIDES: (u32, u32) = (3840, 2160);
/// GIF counts its sides in 16 bits; PNG could more, but nothing would show it.
const MAX_SIDE: u32 = u16::MAX as u32;

/// What a movie shall be like.
#[derive(Debug, Clone, PartialEq)]
pub struct MovieOptions {
    /// Width of every frame, in pixels; even for MP4.
    pub width: u32,
    /// Height of every frame, in pixels; even for MP4.
    pub height: u32,
    /// Frames per second, 1 to [`MAX_FPS`]. GIF shows at most 50: of more, it leaves some out and keeps the length.
    pub fps: u32,
    /// 1 to [`MAX_QUALITY`]: higher is closer to the frames and larger. Does not matter to APNG and PNG frames, which
    /// are lossless.
    pub quality: u8,
    /// Whether GIF and APNG start again at their end, for ever.
    pub loops: bool,
    /// Keys and texts (JSON) to store in the file, for [`read_metadata`](crate::read_metadata). Of a key given twice,
    /// the first text is read. [`Movie::set_metadata`](crate::Movie::set_metadata) puts others in their place.
    pub metadata: Vec<(String, String)>,
}

impl Default for MovieOptions {
    fn default() -> Self {
        Self { width: 1280, height: 720, fps: 30, quality: 80, loops: true, metadata: Vec::new() }
    }
}

impl MovieOptions {
    /// Whether a movie of this kind can be so.
    pub(crate) fn check(&self, kind: MovieKind) -> Result<(), MovieError> {
        self.check_size(kind)?;
        if !(1..=MAX_FPS).contains(&self.fps) {
            return Err(MovieError::Fps { fps: self.fps });
        }
        if !(1..=MAX_QUALITY).contains(&self.quality) {
            return Err(MovieError::Quality { quality: self.quality });
        }
        self.metadata.iter().try_for_each(|(key, text)| metadata::check(key, text))
    }

    fn check_size(&self, kind: MovieKind) -> Result<(), MovieError> {
        let (width, height) = (self.width, self.height);
        let (min, max_width, max_height) = match kind {
            MovieKind::Mp4 if height > width => (MIN_MP4_SIDE, MAX_MP4_SIDES.1, MAX_MP4_SIDES.0),
            MovieKind::Mp4 => (MIN_MP4_SIDE, MAX_MP4_SIDES.0, MAX_MP4_SIDES.1),
            _ => (1, MAX_SIDE, MAX_SIDE),
        };
        if width.min(height) < min || width > max_width || height > max_height {
            return Err(MovieError::Size { kind, width, height, min, max_width, max_height });
        }
        if kind == MovieKind::Mp4 && (width % 2, height % 2) != (0, 0) {
            return Err(MovieError::OddSides { width, height });
        }
        Ok(())
    }

    /// Bytes of a frame.
    pub(crate) fn frame_bytes(&self) -> usize {
        self.width as usize * self.height as usize * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: MovieKind, width: u32, height: u32) -> Result<(), MovieError> {
        MovieOptions { width, height, ..Default::default() }.check(kind)
    }

    #[test]
    fn mp4_takes_even_sides_up_to_4k_lying_or_standing() {
        for (width, height) in [(16, 16), (1280, 720), (3840, 2160), (2160, 3840)] {
            assert!(check(MovieKind::Mp4, width, height).is_ok(), "{width}x{height}");
        }
        for (width, height) in [(1281, 720), (1280, 721)] {
            assert!(matches!(check(MovieKind::Mp4, width, height), Err(MovieError::OddSides { .. })));
        }
        for (width, height) in [(0, 0), (14, 720), (3842, 2160), (3840, 2162), (2400, 2400)] {
            assert!(matches!(check(MovieKind::Mp4, width, height), Err(MovieError::Size { .. })), "{width}x{height}");
        }
    }

    #[test]
    fn the_others_take_any_sides_but_none() {
        for kind in [MovieKind::Gif, MovieKind::Apng, MovieKind::Frames] {
            assert!(check(kind, 1, 1281).is_ok());
            assert!(matches!(check(kind, 0, 1), Err(MovieError::Size { .. })));
            assert!(matches!(check(kind, 1, 65_536), Err(MovieError::Size { .. })));
        }
    }

    #[test]
    fn rates_and_qualities_out_of_range_are_named() {
        for fps in [0, 121] {
            let error = MovieOptions { fps, ..Default::default() }.check(MovieKind::Gif).unwrap_err();
            assert!(error.to_string().contains("1 to 120"), "{error}");
        }
        for quality in [0, 101] {
            let error = MovieOptions { quality, ..Default::default() }.check(MovieKind::Gif).unwrap_err();
            assert!(error.to_string().contains("1 to 100"), "{error}");
        }
    }
}
