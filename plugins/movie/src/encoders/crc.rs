//! The checksum of PNG's chunks.

/// The CRC-32 of a chunk's name and content.
pub(crate) fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        assert_eq!(crc(b"IEND"), 0xae42_6082); // at the end of every PNG
        assert_eq!(crc(b"123456789"), 0xcbf4_3926); // the check value of CRC-32
        assert_ne!(crc(b"123456788"), 0xcbf4_3926);
    }
}
