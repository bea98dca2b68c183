//! Texts in a score: where comments begin, what stands in quotes, and how to write either again.

use crate::ScoreError;

/// The line without its comment and without space around it.
///
/// # Errors
/// If a quote is not closed.
pub(crate) fn without_comment(text: &str, line: usize) -> Result<&str, ScoreError> {
    let mut quoted = false;
    let mut escaped = false;
    let mut after_space = true;
    for (at, letter) in text.char_indices() {
        if quoted {
            quoted = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
        } else if letter == '#' && after_space {
            return Ok(text[..at].trim());
        } else {
            quoted = letter == '"';
        }
        after_space = letter.is_whitespace();
    }
    if quoted { Err(ScoreError::Quote { line }) } else { Ok(text.trim()) }
}

/// The text in the quotes that `text` begins with, as it was written, and what follows them; `None` if it begins
/// otherwise.
pub(crate) fn split_quoted(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, letter) in inner.char_indices() {
        if letter == '"' && !escaped {
            return Some((&inner[..at], inner[at + 1..].trim_start()));
        }
        escaped = !escaped && letter == '\\';
    }
    None
}

/// What the text between quotes means, or the escape that means nothing.
pub(crate) fn unescape(written: &str) -> Result<String, String> {
    let mut text = String::with_capacity(written.len());
    let mut letters = written.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some(same @ ('"' | '\\')) => text.push(same),
            other => return Err(format!("\\{}", other.map(String::from).unwrap_or_default())),
        }
    }
    Ok(text)
}

/// A text as it stands in a file: in quotes, unless it is one simple word.
pub(crate) fn written(text: &str) -> String {
    let simple = |letter: char| !letter.is_whitespace() && !letter.is_control() && !"\"\\#".contains(letter);
    if !text.is_empty() && text.chars().all(simple) { text.to_owned() } else { quoted(text) }
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '"' | '\\' => quoted.extend(['\\', letter]),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_a_line_but_not_within_quotes_or_words() {
        for (line, expected) in [
            ("  stop  ", "stop"),
            ("# all", ""),
            ("stop # why", "stop"),
            ("stop\t#", "stop"),
            (r#"note "a # b" # c"#, r#"note "a # b""#),
            (r#"note "a \" # b" # c"#, r#"note "a \" # b""#),
            (r#"note "a \\" # c"#, r#"note "a \\""#),
            ("data a#b", "data a#b"),
            (r##"stop # it's "open"##, "stop"),
        ] {
            assert_eq!(without_comment(line, 1).unwrap(), expected, "{line}");
        }
        for open in [r#"note "a"#, r#"note "a \""#, r#"note "a" ""#] {
            let error = without_comment(open, 7).unwrap_err();
            assert_eq!((error.line(), error.to_string().as_str()), (Some(7), "line 7: a quote is not closed"));
        }
    }

    #[test]
    fn any_text_comes_back_from_quotes() {
        for text in ["", "a", "two words", "a\"b\\", "\n\r\t", "# no", " space ", "größer · 字", "\\n"] {
            let line = quoted(text);
            let (inner, rest) = split_quoted(&line).unwrap();
            assert_eq!((unescape(inner).unwrap().as_str(), rest), (text, ""));
        }
        assert_eq!(split_quoted(r#""a" for 4"#), Some(("a", "for 4")));
        assert_eq!(split_quoted("a"), None);
        assert_eq!(unescape(r"a\d"), Err(r"\d".to_owned()));
    }

    #[test]
    fn only_what_needs_quotes_has_them() {
        assert_eq!(written("label=3"), "label=3");
        for text in ["", "two words", "a#b", "a\"", "a\\b"] {
            assert!(written(text).starts_with('"'), "{text}");
        }
    }
}
