//! Text to be found within other text, in either case.

/// Text to be found in either case of letters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Needle {
    /// In lower case.
    lower: String,
}

impl Needle {
    pub(super) fn new(text: &str) -> Self {
        // Letter by letter, unlike `str::to_lowercase`, to which a Σ at the end of a word is another letter.
        Self { lower: text.chars().flat_map(char::to_lowercase).collect() }
    }

    /// Whether a text contains this one.
    pub(super) fn is_in(&self, text: &str) -> bool {
        if self.lower.is_ascii() {
            // By bytes and without a copy. Two letters beyond ASCII have ASCII ones as their lower case (the signs of
            // Kelvin and the dotted capital I); not finding those is the price of speed.
            return contains_ascii(text.as_bytes(), self.lower.as_bytes());
        }
        !text.is_ascii() && self.begins_within(text)
    }

    /// Whether some letter of a text is where this one begins; without a copy of the text in lower case.
    fn begins_within(&self, text: &str) -> bool {
        let first = self.lower.chars().next();
        text.char_indices().any(|(at, letter)| {
            let mut letters = text[at..].chars().flat_map(char::to_lowercase);
            letter.to_lowercase().next() == first && self.lower.chars().all(|letter| letters.next() == Some(letter))
        })
    }
}

fn contains_ascii(text: &[u8], lower: &[u8]) -> bool {
    let Some((&first, rest)) = lower.split_first() else {
        return true;
    };
    let Some(last_start) = text.len().checked_sub(lower.len()) else {
        return false;
    };
    let upper = first.to_ascii_uppercase();
    let begins = |&byte: &u8| byte == first || byte == upper;
    (text[..=last_start].iter().enumerate())
        .any(|(at, byte)| begins(byte) && text[at + 1..at + lower.len()].eq_ignore_ascii_case(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_found_in_either_case() {
        for (needle, text, expected) in [
            ("york", "New YORK", true),
            ("NEW", "new", true),
            ("york", "New Yor", false),
            ("", "", true),
            ("a", "", false),
            ("aab", "aaAb", true),
            ("ée", "CAFÉES", true),
            ("É", "cafe", false),
            ("σας", "ΣΑΣ", false),
            ("ΣΑΣ", "ΜΑΣΑΣ", true),
            ("ß", "GROß", true),
            ("öö", "xÖöx", true),
            ("xö", "xxÖ", true),
            ("öx", "Ö", false),
            ("i̇z", "İZMIR", true), // one letter in upper case, two in lower
            ("k", "größer als Kö", true),
            ("@", "`", false),
            ("[", "{", false),
            ("東京", "これは東京です", true),
        ] {
            assert_eq!(Needle::new(needle).is_in(text), expected, "{needle} in {text}");
        }
    }
}
