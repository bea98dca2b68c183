//! Sets of rows, and the ways to choose them: by hand on the screen, or by a search over the columns.
//!
//! ```text
//! Rows ────── a set of rows of one table, and its algebra        (rows, combine)
//! Region ──── a lasso or a box in pixels                          (region)
//!  └ Prepared    the same, ready to be asked about a million points (prepared)
//! Filter ──── a search typed by hand                              (filter)
//!  ├ words       what was typed, cut into terms                   (filter/words)
//!  ├ parse       what the terms mean for the columns of a table   (filter/parse)
//!  └ matching    which rows that is                               (filter/matching)
//! values_text ─ a value of any Arrow type for people to read     (values_text)
//! ```
//!
//! # The language of searches
//!
//! | typed | finds rows where |
//! |---|---|
//! | `wool` | some text contains "wool" in either case, or a whole number or yes/no column is exactly that |
//! | `"New York"` | the same for text with spaces; quotes also keep `or`, `-` and `:` from meaning anything |
//! | `city:york` | the text of `city` contains "york" in either case |
//! | `age:30` | a column of anything but text equals the value |
//! | `city=York` | the text is exactly that, case and all; numbers are compared as numbers (`3` and `3.0` are one) |
//! | `city!=York` | there is a value, and it is another |
//! | `age<30` `age<=30` `age>30` `age>=30` | numbers and times are in that order |
//! | `age:20..30` `age:20..` `age:..30` | numbers and times lie in that range, its ends included |
//! | `city=` `city!=` | the value is missing (null or NaN), or is not |
//! | `row:17` `row:10..20` | the row has that number in its file (unless the table has a column `row`) |
//! | `wool red` | both hold (`wool and red` is the same) |
//! | `wool or silk` | either holds; `a b or c d` means (a and b) or (c and d) |
//! | `-wool` `not wool` | the term does not hold; missing values are among these rows |
//!
//! No spaces stand around `:`, `=`, `<` and so on. A column is found by its exact name first, then in any case; names
//! with spaces or operators are quoted: `"my column">3`. Within quotes `\"` is a quote and `\\` a backslash. `name=""`
//! finds the empty text, which is not the missing one.
//!
//! Missing values (null and NaN) match no comparison, not even `!=`. Numbers are compared at the precision of their
//! column, so `x=0.1` finds what a 32-bit column shows as 0.1. Booleans are `yes`, `no`, `true`, `false`, `1`, `0`.
//! Dates and times are ISO text in UTC, as exact as it is long: `when:2024` is that whole year, `when>2024-03` begins
//! with April, `when:2024-03-15..2024-03-20T12` ends at one o'clock. Times of day are `10:30` or `10:30:15.5`, and
//! durations are numbers of seconds. Lists, images and other columns can only be missing or not.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod combine;
mod filter;
mod prepared;
mod region;
mod rows;
#[cfg(test)]
mod support;
mod values_text;

pub use combine::Combine;
pub use filter::{Filter, FilterError};
pub use prepared::Prepared;
pub use region::Region;
pub use rows::Rows;
pub use values_text::values_text;
