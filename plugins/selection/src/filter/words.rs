//! What was typed, cut at spaces and operators, quotes respected.

use super::FilterError;

/// A term as typed, without what it means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Word {
    Or,
    And,
    Not,
    /// Something to find, after an odd number of minus signs or not.
    Term {
        negated: bool,
        typed: Typed,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Typed {
    /// A word by itself.
    Bare(String),
    /// A column, an operator and a value; no value if nothing, not even quotes, follows the operator.
    Compared { column: String, operator: Operator, value: Option<String> },
}

/// What stands between a column and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `:`
    Has,
    /// `=`
    Is,
    /// `!=`
    IsNot,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// As typed; longer ones first, since some begin as others do.
const OPERATORS: [(&str, Operator); 8] = [
    ("!=", Operator::IsNot),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("==", Operator::Is), // the habit of programmers
    ("<", Operator::Less),
    (">", Operator::More),
    ("=", Operator::Is),
    (":", Operator::Has),
];

impl Operator {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Has => ":",
            Self::Is => "=",
            Self::IsNot => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }
}

/// Characters between two spaces; those from within quotes mean only themselves.
#[derive(Default)]
struct Letters {
    letters: Vec<(char, bool)>,
    /// How many letters stand before the last quote.
    last_quote: Option<usize>,
}

/// Cuts a search into words.
pub(super) fn words(text: &str) -> Result<Vec<Word>, FilterError> {
    let mut words = Vec::new();
    let mut current = Letters::default();
    let mut rest = text.char_indices().peekable();
    while let Some((at, letter)) = rest.next() {
        if letter == '"' {
            current.last_quote = Some(current.letters.len());
            let open = || FilterError::OpenQuote { text: text[at + 1..].to_owned() };
            loop {
                let (_, letter) = rest.next().ok_or_else(open)?;
                let escaped = |&(_, next): &(usize, char)| letter == '\\' && (next == '"' || next == '\\');
                match rest.next_if(escaped) {
                    Some((_, next)) => current.letters.push((next, true)),
                    None if letter == '"' => break,
                    None => current.letters.push((letter, true)),
                }
            }
        } else if letter.is_whitespace() {
            words.extend(std::mem::take(&mut current).finish());
        } else {
            current.letters.push((letter, false));
        }
    }
    words.extend(current.finish());
    Ok(words)
}

impl Letters {
    /// The word these letters are, if there are any, or at least quotes.
    fn finish(self) -> Option<Word> {
        if self.letters.is_empty() && self.last_quote.is_none() {
            return None;
        }
        if self.last_quote.is_none() {
            match self.text(0, self.letters.len()).as_str() {
                "or" | "OR" => return Some(Word::Or),
                "and" | "AND" => return Some(Word::And),
                "not" | "NOT" => return Some(Word::Not),
                _ => {}
            }
        }
        let end = self.letters.len();
        // The last letter is no sign but the word: a lone minus can be searched for.
        let signs =
            self.letters.iter().take(end.saturating_sub(1)).take_while(|&&letter| letter == ('-', false)).count();
        let typed = match (signs..end).find_map(|at| Some((at, self.operator(at)?))) {
            None => Typed::Bare(self.text(signs, end)),
            Some((at, (length, operator))) => {
                let value_at = at + length;
                let given = value_at < end || self.last_quote.is_some_and(|quote| quote >= value_at);
                let value = given.then(|| self.text(value_at, end));
                Typed::Compared { column: self.text(signs, at), operator, value }
            }
        };
        Some(Word::Term { negated: signs % 2 == 1, typed })
    }

    /// The operator that begins at a letter, and its length.
    fn operator(&self, at: usize) -> Option<(usize, Operator)> {
        let begins = |text: &str| {
            let mut letters = self.letters[at..].iter();
            text.chars().all(|letter| letters.next() == Some(&(letter, false)))
        };
        OPERATORS.iter().find(|(text, _)| begins(text)).map(|&(text, operator)| (text.len(), operator))
    }

    fn text(&self, from: usize, to: usize) -> String {
        self.letters[from..to].iter().map(|&(letter, _)| letter).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(text: &str) -> Typed {
        Typed::Bare(text.to_owned())
    }

    fn compared(column: &str, operator: Operator, value: Option<&str>) -> Typed {
        Typed::Compared { column: column.to_owned(), operator, value: value.map(str::to_owned) }
    }

    fn one(text: &str) -> (bool, Typed) {
        match words(text).unwrap().as_slice() {
            [Word::Term { negated, typed }] => (*negated, typed.clone()),
            others => panic!("{text:?}: {others:?}"),
        }
    }

    #[test]
    fn terms_are_cut_at_their_first_operator() {
        for (text, expected) in [
            ("wool", bare("wool")),
            ("city:york", compared("city", Operator::Has, Some("york"))),
            ("city==a=b", compared("city", Operator::Is, Some("a=b"))),
            ("a!=b", compared("a", Operator::IsNot, Some("b"))),
            ("a!b", bare("a!b")),
            ("a<b", compared("a", Operator::Less, Some("b"))),
            ("a<=b", compared("a", Operator::AtMost, Some("b"))),
            ("a>b", compared("a", Operator::More, Some("b"))),
            ("a>=-b", compared("a", Operator::AtLeast, Some("-b"))),
            ("at:10:30", compared("at", Operator::Has, Some("10:30"))),
            ("a=", compared("a", Operator::Is, None)),
            ("a!=\"\"", compared("a", Operator::IsNot, Some(""))),
            ("\"\"=", compared("", Operator::Is, None)),
            (":x", compared("", Operator::Has, Some("x"))),
        ] {
            assert_eq!(one(text), (false, expected), "{text}");
        }
    }

    #[test]
    fn quotes_keep_spaces_and_operators() {
        for (text, expected) in [
            ("\"New York\"", bare("New York")),
            ("\"or\"", bare("or")),
            ("\"-a\"", bare("-a")),
            ("\"a:b\"", bare("a:b")),
            ("New\" \"York", bare("New York")),
            ("\"my column\">3", compared("my column", Operator::More, Some("3"))),
            ("\"a=b\"=\"c = d\"", compared("a=b", Operator::Is, Some("c = d"))),
            (r#""a \"b\" c\\d\e""#, bare(r#"a "b" c\d\e"#)),
            ("\"my column\"=", compared("my column", Operator::Is, None)),
        ] {
            assert_eq!(one(text), (false, expected), "{text}");
        }
        let open = |text: &str| Err(FilterError::OpenQuote { text: text.to_owned() });
        assert_eq!(words("a \"New Yo"), open("New Yo"));
        assert_eq!(words("a\""), open(""));
        assert_eq!(words(r#""a\""#), open(r#"a\""#));
    }

    #[test]
    fn minus_signs_negate_what_follows() {
        assert_eq!(one("-a"), (true, bare("a")));
        assert_eq!(one("--a"), (false, bare("a")));
        assert_eq!(one("-"), (false, bare("-")));
        assert_eq!(one("-\"a b\""), (true, bare("a b")));
        assert_eq!(one("-a:-b"), (true, compared("a", Operator::Has, Some("-b"))));
        assert_eq!(one("a-b"), (false, bare("a-b")));
    }

    #[test]
    fn connectives_are_words_of_their_own() {
        let found = words("  a OR\tnot orange and\u{a0}b ").unwrap();
        assert!(matches!(
            found.as_slice(),
            [Word::Term { .. }, Word::Or, Word::Not, Word::Term { .. }, Word::And, Word::Term { .. }]
        ));
        assert_eq!(words(" \t ").unwrap(), []);
    }
}
