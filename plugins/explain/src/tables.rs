//! An explanation as tables, to be written to files.

use crate::{Composition, Effect, Explanation, Share};
use dataset::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use dataset::arrow::error::ArrowError;
use std::sync::Arc;

impl Explanation {
    /// Every table with its name: `composition` (all categorical columns, a row for each value), `columns`,
    /// `components`, `histogram` (a row for each bin) and `summary` (one row).
    ///
    /// # Errors
    /// If Arrow does not accept a table, which would be a fault of this program.
    pub fn tables(&self) -> Result<Vec<(String, RecordBatch)>, ArrowError> {
        Ok(vec![
            ("composition".to_owned(), composition(&self.compositions)?),
            ("columns".to_owned(), effects("column", &self.numbers)?),
            ("components".to_owned(), effects("component", &self.components)?),
            ("histogram".to_owned(), self.histogram_table()?),
            ("summary".to_owned(), self.summary()?),
        ])
    }

    fn histogram_table(&self) -> Result<RecordBatch, ArrowError> {
        let histogram = &self.histogram;
        table(vec![
            ("from", floats(histogram.edges.windows(2).map(|bin| Some(bin[0])))),
            ("to", floats(histogram.edges.windows(2).map(|bin| Some(bin[1])))),
            ("a", counts(histogram.a.iter().copied())),
            ("b", counts(histogram.b.iter().copied())),
        ])
    }

    fn summary(&self) -> Result<RecordBatch, ArrowError> {
        let dip = self.histogram.dip;
        let row = |row: u32| -> ArrayRef { Arc::new(UInt32Array::from(vec![row])) };
        table(vec![
            ("rows_a", counts([self.a])),
            ("rows_b", counts([self.b])),
            ("medoid_a", row(self.medoid_a)),
            ("medoid_b", row(self.medoid_b)),
            ("cohesion_a", floats([self.cohesion])),
            ("cohesion_b", floats([self.cohesion_b])),
            ("dip_at", floats([dip.map(|dip| dip.at)])),
            ("dip_depth", floats([dip.map(|dip| dip.depth)])),
            ("lower_mode", floats([dip.map(|dip| dip.modes[0])])),
            ("upper_mode", floats([dip.map(|dip| dip.modes[1])])),
        ])
    }
}

fn composition(compositions: &[Composition]) -> Result<RecordBatch, ArrowError> {
    let rows: Vec<(&Composition, &Share)> =
        compositions.iter().flat_map(|column| column.shares.iter().map(move |share| (column, share))).collect();
    table(vec![
        ("column", texts(rows.iter().map(|(column, _)| column.column.as_str()))),
        ("cramers_v", floats(rows.iter().map(|(column, _)| Some(column.cramers_v)))),
        ("value", texts(rows.iter().map(|(_, share)| share.value.as_str()))),
        ("in_a", counts(rows.iter().map(|(_, share)| share.in_a))),
        ("in_b", counts(rows.iter().map(|(_, share)| share.in_b))),
        ("share_a", floats(rows.iter().map(|(_, share)| Some(share.share_a)))),
        ("share_b", floats(rows.iter().map(|(_, share)| Some(share.share_b)))),
        ("lift", floats(rows.iter().map(|(_, share)| Some(share.lift)))),
        ("missing_a", counts(rows.iter().map(|(column, _)| column.missing_a))),
        ("missing_b", counts(rows.iter().map(|(column, _)| column.missing_b))),
    ])
}

fn effects(of: &'static str, effects: &[Effect]) -> Result<RecordBatch, ArrowError> {
    table(vec![
        (of, texts(effects.iter().map(|effect| effect.name.as_str()))),
        ("mean_a", floats(effects.iter().map(|effect| Some(effect.mean_a)))),
        ("mean_b", floats(effects.iter().map(|effect| Some(effect.mean_b)))),
        ("sd_a", floats(effects.iter().map(|effect| Some(effect.sd_a)))),
        ("sd_b", floats(effects.iter().map(|effect| Some(effect.sd_b)))),
        ("n_a", counts(effects.iter().map(|effect| effect.n_a))),
        ("n_b", counts(effects.iter().map(|effect| effect.n_b))),
        ("cohens_d", floats(effects.iter().map(|effect| effect.cohens_d))),
        ("auc", floats(effects.iter().map(|effect| effect.auc))),
    ])
}

fn table(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch, ArrowError> {
    // All may be null: the same schema whatever the values.
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
}

fn texts<'a>(values: impl Iterator<Item = &'a str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

/// What is no number is missing.
fn floats(values: impl IntoIterator<Item = Option<f64>>) -> ArrayRef {
    Arc::new(values.into_iter().map(|value| value.filter(|value| !value.is_nan())).collect::<Float64Array>())
}

fn counts(values: impl IntoIterator<Item = usize>) -> ArrayRef {
    Arc::new(UInt64Array::from_iter_values(values.into_iter().map(|count| count as u64)))
}
