//! Colours as `#rgb` and `#rrggbb`.

use crate::Rgb;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serializer};
use std::collections::BTreeMap;

/// The colour that `#rgb` or `#rrggbb` stands for, in either case of letters.
#[must_use]
pub fn parse_hex(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#')?.as_bytes();
    let nibble = |place: usize| char::from(digits[place]).to_digit(16).map(|digit| digit as u8);
    match digits.len() {
        3 => Some([nibble(0)? * 17, nibble(1)? * 17, nibble(2)? * 17]),
        6 => Some([nibble(0)? * 16 + nibble(1)?, nibble(2)? * 16 + nibble(3)?, nibble(4)? * 16 + nibble(5)?]),
        _ => None,
    }
}

/// A colour as `#rrggbb`.
#[must_use]
pub fn to_hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Writes a map of colours so that people can read it.
pub(crate) fn serialize<S: Serializer>(colours: &BTreeMap<String, Rgb>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(colours.iter().map(|(name, &colour)| (name, to_hex(colour))))
}

/// Reads what [`serialize`] wrote.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Rgb>, D::Error> {
    let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
    let parse = |(name, text): (String, String)| match parse_hex(&text) {
        Some(colour) => Ok((name, colour)),
        None => Err(D::Error::custom(format!("colour {text:?} of {name:?} is neither #rgb nor #rrggbb"))),
    };
    texts.into_iter().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_both_lengths() {
        assert_eq!(parse_hex("#1aF"), Some([0x11, 0xaa, 0xff]));
        assert_eq!(parse_hex("#12aBcD"), Some([0x12, 0xab, 0xcd]));
        for wrong in ["", "#", "123456", "#12345", "#ggg", "#é1", "#1234567", "red"] {
            assert_eq!(parse_hex(wrong), None, "{wrong:?}");
        }
        assert_eq!(parse_hex(&to_hex([1, 0x7f, 0xe0])), Some([1, 0x7f, 0xe0]));
    }
}
