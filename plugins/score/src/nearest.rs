//! Which name was probably meant.

/// The name most similar to what was typed; of equals the first. Empty if there are no names.
pub(crate) fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> &'a str {
    let typed = letters(typed);
    let difference = |name: &str| {
        let name = letters(name);
        // A name that holds what was typed can be much longer, and yet the one meant.
        let part = typed.chars().count() > 2 && name.contains(&typed);
        if part { (1, name.len()) } else { (changes(&typed, &name), 0) }
    };
    names.into_iter().min_by_key(|name| difference(name)).unwrap_or_default()
}

/// What people remember of a name: its letters and digits, in lower case; and the British colour is the American.
fn letters(name: &str) -> String {
    let letters: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    letters.to_lowercase().replace("colour", "color")
}

/// How many letters must be put in, taken out, or changed to make one text the other (Levenshtein).
fn changes(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, letter) in left.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (place, &other) in right.iter().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[place + 1];
            row[place + 1] = changed.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted() {
        for (left, right, expected) in [("", "ab", 2), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 2)] {
            assert_eq!(changes(left, right), expected, "{left} {right}");
            assert_eq!(changes(right, left), expected, "{right} {left}");
        }
    }

    #[test]
    fn the_most_similar_name_is_found() {
        let names = || crate::Act::NAMES;
        for (typed, expected) in
            [("camra", "camera"), ("colour_by", "color-by"), ("point", "point-size"), ("Rest", "reset")]
        {
            assert_eq!(nearest(typed, names()), expected);
        }
        assert_eq!(nearest("any", []), "");
    }
}
