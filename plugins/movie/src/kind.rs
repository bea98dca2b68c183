//! Which kind of movie a path asks for.

use std::path::Path;

/// A kind of movie, chosen by the path it is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovieKind {
    /// H.264 in MP4: small, lossy, plays everywhere.
    Mp4,
    /// GIF: 256 colours a frame; plays in every chat and slide.
    Gif,
    /// Animated PNG: lossless; a viewer that does not know it shows the first frame.
    Apng,
    /// A folder of numbered PNGs, `frame-00001.png` and on: lossless, for other programs to go on with.
    Frames,
}

impl MovieKind {
    /// The kind that `path` asks for: `.mp4`, `.gif`, `.apng` or `.png` by extension; a folder of frames where the path
    /// ends in a separator, names a folder that exists, or has no extension. `None` for every other extension.
    pub fn of(path: &Path) -> Option<Self> {
        let ends_in_separator =
            path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| std::path::is_separator(char::from(byte)));
        if ends_in_separator || path.is_dir() {
            return Some(Self::Frames);
        }
        path.file_name()?; // nothing to name a folder by
        let Some(extension) = path.extension() else {
            return Some(Self::Frames);
        };
        match extension.to_str()?.to_ascii_lowercase().as_str() {
            "mp4" => Some(Self::Mp4),
            "gif" => Some(Self::Gif),
            "apng" | "png" => Some(Self::Apng),
            _ => None,
        }
    }

    /// The kind in a word or two, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mp4 => "MP4",
            Self::Gif => "GIF",
            Self::Apng => "APNG",
            Self::Frames => "PNG frames",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_choose_the_kind() {
        for (path, kind) in [
            ("a.mp4", Some(MovieKind::Mp4)),
            ("a/b.MP4", Some(MovieKind::Mp4)),
            ("a.gif", Some(MovieKind::Gif)),
            ("a.apng", Some(MovieKind::Apng)),
            ("a.png", Some(MovieKind::Apng)),
            ("a.avi", None),
            ("", None),
            ("..x.", None),
            ("frames", Some(MovieKind::Frames)),
            ("frames/", Some(MovieKind::Frames)),
            ("frames.mp4/", Some(MovieKind::Frames)),
        ] {
            assert_eq!(MovieKind::of(Path::new(path)), kind, "{path:?}");
        }
    }

    #[test]
    fn a_folder_that_exists_takes_frames_whatever_its_name() {
        let folder = tempfile::Builder::new().suffix(".gif").tempdir().unwrap();
        assert_eq!(MovieKind::of(folder.path()), Some(MovieKind::Frames));
        assert_eq!(MovieKind::of(&folder.path().join("other.gif")), Some(MovieKind::Gif));
    }
}
