//! Which name was probably meant.

use strsim::levenshtein;

/// So few changes are slips of the hand.
const SLIPS: usize = 2;
/// Shorter names are parts of too many others to tell anything.
const MIN_PART: usize = 3;

/// Names by how similar they are to what was typed, the most similar first; equals keep their order.
pub(super) fn nearest_first(typed: &str, names: &[&str]) -> Vec<String> {
    let typed = letters(typed);
    let key = |name: &&str| {
        let name = letters(name);
        let changes = levenshtein(&typed, &name);
        // A name that contains what was typed can be much longer, and yet the one meant.
        let part = |part: &str, whole: &str| part.chars().count() >= MIN_PART && whole.contains(part);
        (changes > SLIPS && !part(&typed, &name) && !part(&name, &typed), changes)
    };
    let mut names = names.to_vec();
    names.sort_by_cached_key(key);
    names.into_iter().map(str::to_owned).collect()
}

/// What people remember of a name: its letters and digits, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_come_first() {
        assert_eq!(nearest_first("colr", &["age", "Color", "city"])[0], "Color");
        assert_eq!(nearest_first("type", &["tape_long", "cell_type_of_sample", "y"])[0], "cell_type_of_sample");
        assert_eq!(nearest_first("zzz", &["b", "a"]), ["b", "a"]);
    }
}
