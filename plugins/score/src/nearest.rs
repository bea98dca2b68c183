//! Which name was probably meant.

use strsim::levenshtein;

/// The name most similar to what was typed; of equals the first. Empty if there are no names.
pub(crate) fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> &'a str {
    let typed = letters(typed);
    let difference = |name: &str| {
        let name = letters(name);
        // A name that holds what was typed can be much longer, and yet the one meant.
        let part = typed.chars().count() > 2 && name.contains(&typed);
        if part { (1, name.len()) } else { (levenshtein(&typed, &name), 0) }
    };
    names.into_iter().min_by_key(|name| difference(name)).unwrap_or_default()
}

/// What people remember of a name: its letters and digits, in lower case; and the British colour is the American.
fn letters(name: &str) -> String {
    let letters: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    letters.to_lowercase().replace("colour", "color")
}

#[cfg(test)]
mod tests {
    use super::*;

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
