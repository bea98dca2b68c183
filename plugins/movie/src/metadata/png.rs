//! Metadata of PNG: international text chunks behind the pictures, compressed.

use std::fs::File;
use std::io::{BufRead, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};

use png::text_metadata::{EncodableTextChunk, ITXtChunk};
use png::{Decoder, DecodingError, EncodingError, Limits};

use super::MAX_TEXT;

/// Bytes of the signature before the first chunk.
const SIGNATURE: usize = 8;
/// The chunk that ends a file: its length, name and checksum.
const END: [u8; 12] = [0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82];

/// A text chunk for every key.
pub(crate) fn chunks(metadata: &[(String, String)]) -> Result<Vec<ITXtChunk>, EncodingError> {
    let chunk = |(key, text): &(String, String)| {
        let mut chunk = ITXtChunk::new(key, text);
        chunk.compress_text()?;
        Ok(chunk)
    };
    metadata.iter().map(chunk).collect()
}

/// Writes text chunks behind the picture of a finished file.
pub(crate) fn append(file: &mut File, metadata: &[(String, String)]) -> Result<(), EncodingError> {
    let mut bytes = Vec::new();
    for chunk in chunks(metadata)? {
        chunk.encode(&mut bytes)?;
    }
    file.seek(SeekFrom::End(-(END.len() as i64)))?;
    file.write_all(&bytes)?;
    Ok(file.write_all(&END)?)
}

/// The text for a key.
pub(crate) fn read(mut file: impl BufRead + Seek, key: &str) -> Result<Option<String>, DecodingError> {
    let texts = without_pictures(&mut file)?;
    let reader = Decoder::new_with_limits(Cursor::new(texts), Limits { bytes: MAX_TEXT }).read_info()?;
    let Some(chunk) = reader.info().utf8_text.iter().find(|chunk| chunk.keyword == key) else {
        return Ok(None);
    };
    let mut chunk = chunk.clone();
    chunk.decompress_text_with_limit(MAX_TEXT)?;
    chunk.get_text().map(Some)
}

/// A file of the header and the texts alone: a decoder on its way to texts behind pictures would inflate all of them.
fn without_pictures(file: &mut (impl Read + Seek)) -> Result<Vec<u8>, DecodingError> {
    let mut kept = vec![0; SIGNATURE];
    file.read_exact(&mut kept)?;
    loop {
        let mut header = [0; 8];
        match file.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break, // cut off
            result => result?,
        }
        let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]);
        let whole = u64::from(length) + 4; // with its checksum
        match &header[4..] {
            b"IEND" => break,
            b"IHDR" | b"iTXt" if kept.len() as u64 + whole <= MAX_TEXT as u64 => {
                kept.extend(header);
                file.by_ref().take(whole).read_to_end(&mut kept)?;
            }
            _ => _ = file.seek(SeekFrom::Current(whole as i64))?,
        }
    }
    kept.extend(*b"\0\0\0\0IDAT"); // where a decoder begins with pictures
    Ok(kept)
}
