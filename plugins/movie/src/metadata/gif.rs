//! Metadata of GIF: a comment for every key, which is its first line.

use std::io::{self, BufRead, ErrorKind, Read};

use super::MAX_TEXT;

const EXTENSION: u8 = 0x21;
const COMMENT: u8 = 0xfe;
const IMAGE: u8 = 0x2c;
const TRAILER: u8 = 0x3b;

/// The comment for a key and its text.
pub(crate) fn comment(key: &str, text: &str) -> String {
    format!("{key}\n{text}")
}

/// The text for a key.
pub(crate) fn read(mut file: impl BufRead, key: &str) -> io::Result<Option<String>> {
    let mut screen = [0; 13];
    file.read_exact(&mut screen)?;
    skip_colours(&mut file, screen[10])?;
    loop {
        let mut kind = [0];
        if file.read(&mut kind)? == 0 {
            return Ok(None); // cut off, as many GIFs in the wild
        }
        match kind[0] {
            EXTENSION => {
                let mut label = [0];
                file.read_exact(&mut label)?;
                let content = blocks(&mut file, label[0] == COMMENT)?;
                let comment = String::from_utf8(content).unwrap_or_default();
                if let Some((found, text)) = comment.split_once('\n')
                    && found == key
                {
                    return Ok(Some(text.to_owned()));
                }
            }
            IMAGE => {
                let mut descriptor = [0; 9];
                file.read_exact(&mut descriptor)?;
                skip_colours(&mut file, descriptor[8])?;
                file.read_exact(&mut [0])?; // size of codes
                blocks(&mut file, false)?;
            }
            TRAILER => return Ok(None),
            _ => return Err(io::Error::new(ErrorKind::InvalidData, "a GIF block of an unknown kind")),
        }
    }
}

/// Passes over a table of colours, if the flags say that there is one.
fn skip_colours(file: &mut impl BufRead, flags: u8) -> io::Result<()> {
    if flags & 0x80 != 0 {
        skip(file, 3 * (2 << (flags & 7)))?;
    }
    Ok(())
}

/// Reads blocks up to the empty one that ends them; what is in them, if it shall be kept.
fn blocks(file: &mut impl BufRead, keep: bool) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    loop {
        let mut length = [0];
        file.read_exact(&mut length)?;
        if length[0] == 0 {
            return Ok(content);
        }
        if keep && content.len() < MAX_TEXT {
            file.by_ref().take(length[0].into()).read_to_end(&mut content)?;
        } else {
            skip(file, length[0].into())?;
        }
    }
}

fn skip(file: &mut impl BufRead, bytes: u64) -> io::Result<()> {
    if io::copy(&mut file.by_ref().take(bytes), &mut io::sink())? < bytes {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(comments: &[&str]) -> Vec<u8> {
        let mut encoder = gif::Encoder::new(Vec::new(), 2, 2, &[1, 2, 3]).unwrap();
        encoder.write_frame(&gif::Frame::from_indexed_pixels(2, 2, vec![0; 4], None)).unwrap();
        for comment in comments {
            encoder.write_raw_extension(gif::AnyExtension(COMMENT), &[comment.as_bytes()]).unwrap();
        }
        encoder.into_inner().unwrap()
    }

    #[test]
    fn comments_are_found_by_their_first_line_also_after_a_frame() {
        let long = "long ".repeat(1000);
        let bytes = file(&["made by another", &comment("one", "{\n}"), &comment("two", &long)]);
        let read = |key| read(bytes.as_slice(), key).unwrap();
        assert_eq!(read("one").as_deref(), Some("{\n}"));
        assert_eq!(read("two"), Some(long.clone()));
        assert_eq!(read("made by another"), None);
    }

    #[test]
    fn a_file_cut_off_is_no_panic() {
        let whole = file(&[&comment("one", "text")]);
        for length in 6..whole.len() - 2 {
            assert!(!matches!(read(&whole[..length], "one"), Ok(Some(_))), "{length}");
        }
    }
}
