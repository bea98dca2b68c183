//! How the values of a categorical column are shared out between two groups.

use crate::Groups;
use colours::Categories;
use dataset::arrow::array::{Array, ArrayRef, AsArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::DataType;
use dataset::arrow::error::ArrowError;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A column with more values than this keeps those that most rows have; the others are summed up as [`OTHER`].
pub const MAX_CATEGORIES: usize = 200;

/// What the values beyond [`MAX_CATEGORIES`] are called together.
pub const OTHER: &str = "(other)";

/// How the values of a categorical column are shared out between the groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Composition {
    /// The column.
    pub column: String,
    /// How much group and value tell of each other: 0 if every value has the same share of both groups, 1 if no value
    /// is in both. Over all values, also those summed up; not corrected for chance, so that a column with hardly any
    /// value twice comes near 1 whatever the groups.
    pub cramers_v: f64,
    /// The values by their number of rows in A, most first; then by those in B, then by name. [`OTHER`] is last.
    pub shares: Vec<Share>,
    /// Number of distinct values in both groups.
    pub distinct: usize,
    /// Number of distinct values that are summed up as [`OTHER`].
    pub others: usize,
    /// Rows of A without a value.
    pub missing_a: usize,
    /// Rows of B without a value.
    pub missing_b: usize,
}

/// One value of a categorical column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// The value.
    pub value: String,
    /// Rows of A that have it.
    pub in_a: usize,
    /// Rows of B that have it.
    pub in_b: usize,
    /// Share of A's rows, those without a value not counted; 0 if there are none.
    pub share_a: f64,
    /// Share of B's rows, those without a value not counted; 0 if there are none.
    pub share_b: f64,
    /// Share of A over the share of both groups together: above 1 if A has more of it than its size would give.
    pub lift: f64,
}

/// Rows of A and of B.
type Counts = [usize; 2];

/// Rows of each value, and without one.
#[derive(Default)]
struct Tally {
    values: Vec<(String, Counts)>,
    missing: Counts,
}

impl Composition {
    /// Counts the values of a column; those of any type count as texts.
    pub(crate) fn of_array(column: &str, array: &ArrayRef, groups: Groups<'_>) -> Result<Self, ArrowError> {
        Ok(Self::new(column, Tally::of_array(array, groups)?))
    }

    fn new(column: &str, tally: Tally) -> Self {
        let Tally { mut values, missing } = tally;
        let total = [0, 1].map(|group| values.iter().map(|(_, counts)| counts[group]).sum::<usize>());
        let cramers_v = cramers_v(&values, total);
        let distinct = values.len();
        // Most rows first decides who stays; ties by name, so that the order of rows does not matter.
        values.sort_by(|(left, l), (right, r)| (r[0] + r[1]).cmp(&(l[0] + l[1])).then_with(|| left.cmp(right)));
        let rest = values.split_off(distinct.min(MAX_CATEGORIES));
        let place = places(&values);
        values
            .sort_by_cached_key(|(value, counts)| (Reverse(counts[0]), Reverse(counts[1]), place.get(value).copied()));
        if !rest.is_empty() {
            let sum = [0, 1].map(|group| rest.iter().map(|(_, counts)| counts[group]).sum());
            values.push((OTHER.to_owned(), sum));
        }
        Self {
            column: column.to_owned(),
            cramers_v,
            shares: values.into_iter().map(|(value, counts)| Share::new(value, counts, total)).collect(),
            distinct,
            others: rest.len(),
            missing_a: missing[0],
            missing_b: missing[1],
        }
    }
}

/// The place of each name in the order of legends: 2 before 10.
fn places(values: &[(String, Counts)]) -> HashMap<String, usize> {
    let names = Categories::of_names(values.iter().map(|(value, _)| Some(value.as_str()))).names;
    names.into_iter().zip(0..).collect()
}

impl Share {
    fn new(value: String, [in_a, in_b]: Counts, total: Counts) -> Self {
        let share = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let share_a = share(in_a, total[0]);
        let both = share(in_a + in_b, total[0] + total[1]);
        let lift = if both == 0.0 { 0.0 } else { share_a / both };
        Self { value, in_a, in_b, share_a, share_b: share(in_b, total[1]), lift }
    }
}

/// √(χ² / n) of the table of two groups by values; 0 if there is one group or one value.
fn cramers_v(values: &[(String, Counts)], total: Counts) -> f64 {
    let n = (total[0] + total[1]) as f64;
    if total.contains(&0) || values.len() < 2 {
        return 0.0;
    }
    let term = |counts: &Counts, group: usize| {
        let expected = (counts[0] + counts[1]) as f64 * total[group] as f64 / n;
        (counts[group] as f64 - expected).powi(2) / expected
    };
    let chi_squared: f64 = values.iter().map(|(_, counts)| term(counts, 0) + term(counts, 1)).sum();
    (chi_squared / n).sqrt().min(1.0)
}

impl Tally {
    fn of_array(array: &ArrayRef, groups: Groups<'_>) -> Result<Self, ArrowError> {
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Self::of_plain(array, groups) };
        if dictionary.values().is_empty() {
            return Ok(Self { values: Vec::new(), missing: groups.both().map(<[u32]>::len) });
        }
        let keys = dictionary.normalized_keys(); // null keys are somewhere, too
        let mut missing = [0; 2];
        let mut of_key: Vec<Counts> = vec![[0; 2]; dictionary.values().len()];
        for (group, rows) in groups.both().into_iter().enumerate() {
            for row in rows.iter().map(|&row| row as usize) {
                if array.is_null(row) {
                    missing[group] += 1;
                } else {
                    of_key[keys[row]][group] += 1;
                }
            }
        }
        // Dictionaries may hold a value twice, or null, or values that no row has.
        let floating = dictionary.values().data_type().is_floating();
        let texts = cast(dictionary.values(), &DataType::LargeUtf8)?;
        let mut counts: HashMap<&str, Counts> = HashMap::new();
        for (text, of_key) in texts.as_string::<i64>().iter().zip(of_key).filter(|(_, of_key)| *of_key != [0; 2]) {
            let sum = present(text, floating).map_or(&mut missing, |text| counts.entry(text).or_default());
            *sum = [sum[0] + of_key[0], sum[1] + of_key[1]];
        }
        Ok(Self::of_counts(counts, missing))
    }

    fn of_plain(array: &ArrayRef, groups: Groups<'_>) -> Result<Self, ArrowError> {
        let floating = array.data_type().is_floating();
        let texts = cast(array, &DataType::LargeUtf8)?;
        let texts = texts.as_string::<i64>();
        let mut missing = [0; 2];
        let mut counts: HashMap<&str, Counts> = HashMap::new();
        for (group, rows) in groups.both().into_iter().enumerate() {
            for row in rows.iter().map(|&row| row as usize) {
                let text = (!texts.is_null(row)).then(|| texts.value(row));
                let sum = present(text, floating).map_or(&mut missing, |text| counts.entry(text).or_default());
                sum[group] += 1;
            }
        }
        Ok(Self::of_counts(counts, missing))
    }

    /// In an order of their own: a hash map's changes from run to run, and the sum of χ² with it.
    fn of_counts(counts: HashMap<&str, Counts>, missing: Counts) -> Self {
        let mut values: Vec<(String, Counts)> =
            counts.into_iter().map(|(text, counts)| (text.to_owned(), counts)).collect();
        values.sort_unstable();
        Self { values, missing }
    }
}

/// A value unless it is missing: numbers that are none count as missing in every column.
fn present(text: Option<&str>, floating: bool) -> Option<&str> {
    text.filter(|&text| !(floating && matches!(text, "NaN" | "inf" | "-inf")))
}

#[cfg(test)]
mod tests;
