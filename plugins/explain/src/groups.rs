//! The two groups, and what must be true of them.

use crate::ExplainError;
use std::cmp::Ordering;

/// The two groups, as rows (ascending, distinct) of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups<'a> {
    /// The rows to explain.
    pub a: &'a [u32],
    /// The rows they are compared with.
    pub b: &'a [u32],
}

impl<'a> Groups<'a> {
    /// Both groups in turn.
    pub(crate) fn both(self) -> [&'a [u32]; 2] {
        [self.a, self.b]
    }

    /// Fails unless both groups have rows, in order and within a table of so many rows, and share none.
    pub(crate) fn check(self, rows: usize) -> Result<(), ExplainError> {
        for (group, members) in [("A", self.a), ("B", self.b)] {
            let Some(&last) = members.last() else { return Err(ExplainError::Empty { group }) };
            if let Some(pair) = members.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(ExplainError::NotAscending { group, row: pair[1] });
            }
            if last as usize >= rows {
                return Err(ExplainError::NoSuchRow { group, row: last, rows });
            }
        }
        match self.shared() {
            (Some(first), count) => Err(ExplainError::Shared { first, count }),
            (None, _) => Ok(()),
        }
    }

    /// The first row that is in both groups, and how many are.
    fn shared(self) -> (Option<u32>, usize) {
        let (mut a, mut b) = (self.a.iter().peekable(), self.b.iter().peekable());
        let (mut first, mut count) = (None, 0);
        while let (Some(&&left), Some(&&right)) = (a.peek(), b.peek()) {
            if left == right {
                first = first.or(Some(left));
                count += 1;
            }
            match left.cmp(&right) {
                Ordering::Less => a.next(),
                Ordering::Equal | Ordering::Greater => b.next(),
            };
        }
        (first, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &[u32], b: &[u32]) -> Result<(), ExplainError> {
        Groups { a, b }.check(10)
    }

    #[test]
    fn groups_apart_are_fine() {
        assert_eq!(check(&[0, 2, 9], &[1, 3]), Ok(()));
        assert_eq!(check(&[5], &[4]), Ok(()));
    }

    #[test]
    fn every_fault_is_named() {
        assert_eq!(check(&[], &[1]), Err(ExplainError::Empty { group: "A" }));
        assert_eq!(check(&[1], &[]), Err(ExplainError::Empty { group: "B" }));
        assert_eq!(check(&[1, 4, 6, 7], &[0, 4, 5, 7, 8]), Err(ExplainError::Shared { first: 4, count: 2 }));
        assert_eq!(check(&[1, 1], &[2]), Err(ExplainError::NotAscending { group: "A", row: 1 }));
        assert_eq!(check(&[1], &[5, 3]), Err(ExplainError::NotAscending { group: "B", row: 3 }));
        assert_eq!(check(&[1], &[2, 10]), Err(ExplainError::NoSuchRow { group: "B", row: 10, rows: 10 }));
    }
}
