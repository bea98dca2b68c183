//! PNG files with text beside the pixels.

use super::{PictureError, Pixels};
use png::text_metadata::ITXtChunk;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Text longer than this is compressed.
const LONG_TEXT: usize = 512;

/// Writes a picture as PNG, with text under keywords (such as "Software", or the program's state). The file is there
/// whole, or as it was before.
///
/// # Errors
/// If the file cannot be written, or a keyword is not 1 to 79 Latin letters.
pub fn write_png(path: impl AsRef<Path>, pixels: &Pixels, text: &[(String, String)]) -> Result<(), PictureError> {
    let path = path.as_ref();
    let beside = temporary(path);
    let written = encode(&beside, pixels, text).map_err(|source| match source {
        png::EncodingError::IoError(source) => PictureError::File { path: path.to_owned(), source },
        source => PictureError::Encode { path: path.to_owned(), source },
    });
    let renamed = written.and_then(|()| {
        std::fs::rename(&beside, path).map_err(|source| PictureError::File { path: path.to_owned(), source })
    });
    if renamed.is_err() {
        _ = std::fs::remove_file(&beside); // it may not be there either
    }
    renamed
}

/// A file beside another, of this process alone.
fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

fn encode(path: &Path, pixels: &Pixels, text: &[(String, String)]) -> Result<(), png::EncodingError> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(&mut file, pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    for (keyword, text) in text {
        let mut chunk = ITXtChunk::new(keyword.clone(), text.clone());
        chunk.compressed = text.len() > LONG_TEXT;
        writer.write_text_chunk(&chunk)?;
    }
    writer.write_image_data(&pixels.rgba)?;
    writer.finish()?;
    file.flush()?;
    file.get_ref().sync_all()?;
    Ok(())
}

/// The text beside the pixels of a PNG: keywords with what is under them, in the order of the file.
///
/// # Errors
/// If the file cannot be read or is no PNG.
pub fn read_png_text(path: impl AsRef<Path>) -> Result<Vec<(String, String)>, PictureError> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|source| PictureError::File { path: path.to_owned(), source })?;
    let read = || {
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info()?;
        reader.finish()?; // text may also come after the pixels
        let info = reader.info();
        let mut text = Vec::new();
        for chunk in &info.utf8_text {
            text.push((chunk.keyword.clone(), chunk.get_text()?));
        }
        for chunk in &info.compressed_latin1_text {
            text.push((chunk.keyword.clone(), chunk.get_text()?));
        }
        text.extend(info.uncompressed_latin1_text.iter().map(|chunk| (chunk.keyword.clone(), chunk.text.clone())));
        Ok(text)
    };
    read().map_err(|source| match source {
        png::DecodingError::IoError(source) => PictureError::File { path: path.to_owned(), source },
        source => PictureError::Decode { path: path.to_owned(), source },
    })
}
