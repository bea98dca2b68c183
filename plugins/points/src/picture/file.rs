//! PNG files with text beside the pixels.

use super::{PictureError, Pixels};
use atomic_file::AtomicFile;
use png::text_metadata::ITXtChunk;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

/// Text longer than this is compressed.
const LONG_TEXT: usize = 512;

/// Writes a picture as PNG, with text under keywords (such as "Software", or the program's state). The file is there
/// whole, or as it was before.
///
/// # Errors
/// If the file cannot be written, or a keyword is not 1 to 79 Latin letters.
pub fn write_png(path: impl AsRef<Path>, pixels: &Pixels, text: &[(String, String)]) -> Result<(), PictureError> {
    let path = path.as_ref();
    let unwritable = |source| PictureError::File { path: path.to_owned(), source };
    let mut output = AtomicFile::beside(path).map_err(unwritable)?;
    encode(output.file(), pixels, text).map_err(|source| match source {
        png::EncodingError::IoError(source) => unwritable(source),
        source => PictureError::Encode { path: path.to_owned(), source },
    })?;
    output.commit().map(drop).map_err(unwritable)
}

fn encode(file: &mut File, pixels: &Pixels, text: &[(String, String)]) -> Result<(), png::EncodingError> {
    let mut file = BufWriter::new(file);
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
    Ok(file.flush()?)
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
