//! The words of one line, taken one after the other.

use crate::ScoreError;
use crate::text::{split_quoted, unescape};
use std::str::FromStr;

/// What is left of a line.
pub(crate) struct Words<'a> {
    rest: &'a str,
    line: usize,
    /// What the words are about, for errors.
    what: String,
}

impl<'a> Words<'a> {
    pub(crate) fn new(rest: &'a str, line: usize, what: impl Into<String>) -> Self {
        Self { rest: rest.trim(), line, what: what.into() }
    }

    /// Names what the next words are about.
    pub(crate) fn about(&mut self, what: impl Into<String>) {
        self.what = what.into();
    }

    /// The next word, if there is one.
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }

    /// An error about the value that stands here.
    pub(crate) fn wrong(&self, expected: impl Into<String>, found: &str) -> ScoreError {
        let found = if found.is_empty() { "nothing".to_owned() } else { format!("`{found}`") };
        ScoreError::Value { line: self.line, what: self.what.clone(), expected: expected.into(), found }
    }

    /// The next word, which must be there.
    pub(crate) fn word(&mut self, expected: &str) -> Result<&'a str, ScoreError> {
        self.next().ok_or_else(|| self.wrong(expected, ""))
    }

    /// The next word as a value of another kind.
    pub(crate) fn value<T: FromStr>(&mut self, expected: &str) -> Result<T, ScoreError> {
        let word = self.word(expected)?;
        word.parse().map_err(|_| self.wrong(expected, word))
    }

    /// The next word as a finite number.
    pub(crate) fn number(&mut self, expected: &str) -> Result<f64, ScoreError> {
        let word = self.word(expected)?;
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.wrong(expected, word))
    }

    /// All that is left, as a text: as it stands, or in quotes.
    pub(crate) fn text(&mut self, expected: &str) -> Result<String, ScoreError> {
        if self.rest.starts_with('"') {
            let text = self.quoted(expected)?;
            self.end()?;
            return Ok(text);
        }
        self.raw_text(expected)
    }

    /// All that is left, as a text that may begin with quotes of its own: only quotes around all of it are the score's.
    pub(crate) fn search(&mut self, expected: &str) -> Result<String, ScoreError> {
        match split_quoted(self.rest) {
            Some((_, "")) => self.text(expected),
            _ => self.raw_text(expected),
        }
    }

    fn raw_text(&mut self, expected: &str) -> Result<String, ScoreError> {
        if self.rest.is_empty() {
            return Err(self.wrong(expected, ""));
        }
        Ok(self.rest().to_owned())
    }

    /// The text in quotes that stands here.
    pub(crate) fn quoted(&mut self, expected: &str) -> Result<String, ScoreError> {
        let (inner, rest) = split_quoted(self.rest).ok_or_else(|| self.wrong(expected, self.rest))?;
        let escapes = r#"\", \\, \n, \r or \t within quotes"#;
        let text = unescape(inner).map_err(|escape| self.wrong(escapes, &escape))?;
        self.rest = rest;
        Ok(text)
    }

    /// The name that stands here, as one word or in quotes, unless `speed` follows.
    pub(crate) fn column(&mut self, expected: &str) -> Result<Option<String>, ScoreError> {
        if self.rest.starts_with('"') {
            return self.quoted(expected).map(Some);
        }
        let before = self.rest;
        let word = self.next();
        if word == Some("speed") {
            self.rest = before;
            return Ok(None);
        }
        Ok(word.map(str::to_owned))
    }

    /// All that is left, as it stands.
    pub(crate) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    /// Makes sure that nothing is left.
    pub(crate) fn end(&self) -> Result<(), ScoreError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong("nothing more", self.rest)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_one_after_the_other() {
        let mut words = Words::new("  yaw\t3.5  x 7 ", 4, "camera");
        assert_eq!(words.next(), Some("yaw"));
        assert_eq!(words.number("a number").unwrap(), 3.5);
        assert_eq!(words.number("a number").unwrap_err().to_string(), "line 4: camera: expected a number, found `x`");
        assert_eq!(words.end().unwrap_err().to_string(), "line 4: camera: expected nothing more, found `7`");
        assert_eq!(words.value::<u32>("a count").unwrap(), 7);
        assert_eq!(
            words.value::<u32>("a count").unwrap_err().to_string(),
            "line 4: camera: expected a count, found nothing"
        );
        words.end().unwrap();
    }

    #[test]
    fn numbers_are_finite() {
        for word in ["nan", "inf", "-inf", "1e999", "3,5", "0x3"] {
            assert!(Words::new(word, 1, "yaw").number("a number").is_err(), "{word}");
        }
    }

    #[test]
    fn searches_may_have_quotes_of_their_own() {
        let search = |text| Words::new(text, 1, "select").search("a search").unwrap();
        assert_eq!(search(r#""my column">3"#), r#""my column">3"#);
        assert_eq!(search(r#""my column>3""#), "my column>3");
        assert_eq!(search("a or b"), "a or b");
        assert_eq!(search(r#""""#), "");
        assert!(Words::new(r#""a" b"#, 1, "labels").text("a column").is_err());
    }
}
