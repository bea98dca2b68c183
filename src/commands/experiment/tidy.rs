//! Tidy tables: one line for each thing measured, one column for each thing known of it.

use crate::table::Table;
use dataset::arrow::array::{BooleanArray, Float64Array, StringArray, UInt32Array};
use std::sync::Arc;

/// A table in the making, of things that were measured.
pub struct Tidy<'a, T> {
    lines: &'a [T],
    table: Table,
}

impl<'a, T> Tidy<'a, T> {
    pub fn of(lines: &'a [T]) -> Self {
        Self { lines, table: Table::of_rows(lines.len()) }
    }

    pub fn texts(mut self, name: &str, text: impl Fn(&T) -> &str) -> Self {
        self.table.push(name, Arc::new(StringArray::from_iter_values(self.lines.iter().map(text))));
        self
    }

    pub fn counts(mut self, name: &str, count: impl Fn(&T) -> usize) -> Self {
        let counts = self.lines.iter().map(|line| u32::try_from(count(line)).unwrap_or(u32::MAX));
        self.table.push(name, Arc::new(UInt32Array::from_iter_values(counts)));
        self
    }

    pub fn numbers(mut self, name: &str, number: impl Fn(&T) -> f64) -> Self {
        self.table.push(name, Arc::new(Float64Array::from_iter_values(self.lines.iter().map(number))));
        self
    }

    pub fn flags(mut self, name: &str, flag: impl Fn(&T) -> bool) -> Self {
        self.table.push(name, Arc::new(BooleanArray::from_iter(self.lines.iter().map(|line| Some(flag(line))))));
        self
    }

    pub fn table(self) -> Table {
        self.table
    }
}
