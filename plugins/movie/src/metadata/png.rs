//! Metadata of PNG: international text chunks before the picture, compressed.

use std::io::{BufRead, Seek, Write};

use png::text_metadata::ITXtChunk;
use png::{Decoder, DecodingError, EncodingError, Limits, Writer};

use super::MAX_TEXT;

/// Writes a text chunk for every key.
pub(crate) fn write<W: Write>(writer: &mut Writer<W>, metadata: &[(String, String)]) -> Result<(), EncodingError> {
    for (key, text) in metadata {
        let mut chunk = ITXtChunk::new(key, text);
        chunk.compress_text()?;
        writer.write_text_chunk(&chunk)?;
    }
    Ok(())
}

/// The text for a key.
pub(crate) fn read(file: impl BufRead + Seek, key: &str) -> Result<Option<String>, DecodingError> {
    // Up to the first picture; the texts stand before it.
    let reader = Decoder::new_with_limits(file, Limits { bytes: MAX_TEXT }).read_info()?;
    let Some(chunk) = reader.info().utf8_text.iter().find(|chunk| chunk.keyword == key) else {
        return Ok(None);
    };
    let mut chunk = chunk.clone();
    chunk.decompress_text_with_limit(MAX_TEXT)?;
    chunk.get_text().map(Some)
}
