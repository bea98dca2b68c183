//! Metadata of MP4: a `uuid` box at the end of the file, with keys and texts, each ended by a NUL.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use super::MAX_TEXT;

/// Tells our box from those of others: starts with the name of the program, and never changes.
const UUID: [u8; 16] = [0x6e, 0x65, 0x76, 0x69, 0x73, 0x2d, 0x4d, 0x0f, 0x9b, 0x31, 0xc4, 0x5a, 0x27, 0xe8, 0x1d, 0x70];

/// The box; nothing where there is no metadata.
pub(crate) fn to_box(metadata: &[(String, String)]) -> Vec<u8> {
    if metadata.is_empty() {
        return Vec::new();
    }
    let mut content = UUID.to_vec();
    for part in metadata.iter().flat_map(|(key, text)| [key, text]) {
        content.extend_from_slice(part.as_bytes());
        content.push(0);
    }
    // The long form of the size, as texts have no limit.
    let size = content.len() as u64 + 16;
    [&1u32.to_be_bytes(), b"uuid".as_slice(), &size.to_be_bytes(), &content].concat()
}

/// The text for a key.
pub(crate) fn read(mut file: impl Read + Seek, key: &str) -> io::Result<Option<String>> {
    let end = file.seek(SeekFrom::End(0))?;
    let mut start = 0;
    while start + 8 <= end {
        file.seek(SeekFrom::Start(start))?;
        let (mut size, mut name) = ([0; 4], [0; 4]);
        file.read_exact(&mut size)?;
        file.read_exact(&mut name)?;
        let mut header = 8;
        let size = match u32::from_be_bytes(size) {
            0 => end - start, // up to the end of the file
            1 => {
                let mut long = [0; 8];
                file.read_exact(&mut long)?;
                header = 16;
                u64::from_be_bytes(long)
            }
            size => size.into(),
        };
        if size < header || size > end - start {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "an MP4 box of an impossible size; the file is cut off",
            ));
        }
        if &name == b"uuid" && size - header <= MAX_TEXT as u64 {
            let mut content = Vec::new();
            file.by_ref().take(size - header).read_to_end(&mut content)?;
            if let Some(text) = content.strip_prefix(&UUID).and_then(|content| text_of(content, key)) {
                return Ok(Some(text));
            }
        }
        start += size;
    }
    Ok(None)
}

/// The text that follows a key.
fn text_of(content: &[u8], key: &str) -> Option<String> {
    let mut parts = content.split(|&byte| byte == 0);
    while let (Some(found), Some(text)) = (parts.next(), parts.next()) {
        if found == key.as_bytes() {
            return String::from_utf8(text.to_vec()).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn file(content: &[u8]) -> Vec<u8> {
        [b"\0\0\0\x10ftypisom\0\0\0\0".as_slice(), content].concat()
    }

    #[test]
    fn texts_are_found_by_their_key_alone() {
        let metadata =
            [("one".into(), "{\"two\":1}".into()), ("two".into(), "ü".into()), ("empty".into(), String::new())];
        let bytes = file(&to_box(&metadata));
        let read = |key| read(Cursor::new(&bytes), key).unwrap();
        assert_eq!(read("one").as_deref(), Some("{\"two\":1}"));
        assert_eq!(read("two").as_deref(), Some("ü"));
        assert_eq!(read("empty").as_deref(), Some(""));
        assert_eq!(read("three"), None);
    }

    #[test]
    fn boxes_of_others_are_passed_over() {
        let mut other = to_box(&[("one".into(), "theirs".into())]);
        other[16] ^= 1; // another UUID
        let ours = to_box(&[("one".into(), "ours".into())]);
        let bytes = file(&[other.as_slice(), &ours].concat());
        assert_eq!(read(Cursor::new(&bytes), "one").unwrap().as_deref(), Some("ours"));
        assert_eq!(read(Cursor::new(file(&other)), "one").unwrap(), None);
    }

    #[test]
    fn a_file_cut_off_is_an_error_and_not_a_panic() {
        let whole = file(&to_box(&[("one".into(), "text".into())]));
        for length in [30, 40, whole.len() - 1] {
            assert!(read(Cursor::new(&whole[..length]), "one").is_err(), "{length}");
        }
    }
}
