//! The order in which people expect names: 2 before 10, `b2` before `b10`.

use std::cmp::Ordering;

/// Compares names: numbers first and by value, then texts, whose runs of digits count as numbers and whose case matters
/// only between texts that are otherwise the same.
pub fn natural_order(left: &str, right: &str) -> Ordering {
    let by_value = match (number(left), number(right)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => compare_texts(left, right),
    };
    by_value.then_with(|| left.cmp(right))
}

fn number(text: &str) -> Option<f64> {
    let value = text.trim().parse::<f64>().ok().filter(|value| value.is_finite())?;
    Some(value + 0.0) // −0 and 0 are one number
}

fn compare_texts(mut left: &str, mut right: &str) -> Ordering {
    loop {
        let (Some(a), Some(b)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len());
        };
        let order = if a.is_ascii_digit() && b.is_ascii_digit() {
            let (a, b) = (take_digits(&mut left), take_digits(&mut right));
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            left = &left[a.len_utf8()..];
            right = &right[b.len_utf8()..];
            a.to_lowercase().cmp(b.to_lowercase())
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Takes the digits that a text begins with; what is returned has no leading zeros.
fn take_digits<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_people_expect() {
        let expected = ["-3", "0", "2", "2.5", "10", "1e3", "B", "b2", "b02x", "B10", "c", "Ω"];
        for seed in 0..20usize {
            let mut names = expected;
            names.rotate_left(seed % expected.len());
            names.swap(seed % 5, seed % 7);
            names.sort_by(|left, right| natural_order(left, right));
            assert_eq!(names, expected);
        }
        assert_ne!(expected.to_vec(), {
            // sorting as plain text would not do
            let mut plain = expected.to_vec();
            plain.sort_unstable();
            plain
        });
    }
}
