//! Rows in words, for the inspector and the name beside the cursor.

use crate::viewer::data::{Current, OpenData};
use bevy::ecs::change_detection::DetectChanges;
use bevy::ecs::prelude::{Local, Res, ResMut};
use colours::{ColourBy, Values};
use controls::{ColourPanel, InspectorCard, RowCard};
use inspect::{Hovered, Inspected};
use live::{LiveData, LiveEmbedding};
use selection::values_text;

/// What was described, so that nothing is read twice.
#[derive(Default)]
pub struct Described {
    version: (u64, u64),
    /// The values that stand as titles, by the column they are of.
    titles: Option<(Option<String>, Option<Values>)>,
    row: Option<u32>,
    neighbours: Vec<u32>,
}

/// Keeps the cards of the inspected row, its neighbours and the hovered row.
pub fn describe_rows(
    (data, live, panel): (Res<OpenData>, Res<LiveEmbedding>, Res<ColourPanel>),
    (inspected, hovered): (Res<Inspected>, Res<Hovered>),
    mut card: ResMut<InspectorCard>,
    mut described: Local<Described>,
) {
    let Some((current, snapshot)) = data.seen(&live) else {
        if card.hovered.is_some() {
            card.hovered = None;
        }
        return;
    };
    let version = (current.generation, current.table_version);
    let other = described.version != version;
    if other {
        *described = Described { version, ..Described::default() };
    }
    if other || panel.is_changed() {
        described.choose_titles(current, &panel);
    }
    let teller =
        Teller { current, data: &snapshot.data, titles: described.titles.as_ref().and_then(|(_, v)| v.as_ref()) };
    // For a frame after other data has come, what is hovered may still be a row of the data before.
    let known = |row: &u32| (*row as usize) < current.dataset.row_numbers.len();
    let rows: Vec<u32> = inspected.neighbours().iter().map(|neighbour| neighbour.row).filter(known).collect();
    let hover = hovered.0.map(|(row, _)| row).filter(known);
    let looked_at = inspected.row().filter(known);
    let retitled = other || panel.is_changed();
    if card.hovered.as_ref().map(|card| card.row) != hover || (retitled && hover.is_some()) {
        card.hovered = hover.map(|row| teller.card(row));
    }
    let shown = (described.row != looked_at || retitled).then(|| looked_at.map(|row| teller.card(row)));
    let neighbours =
        (described.neighbours != rows || retitled).then(|| rows.iter().map(|&row| teller.card(row)).collect());
    let values = shown.is_some().then(|| looked_at.map_or(Vec::new(), |row| values_of(current, row)));
    if let (Some(shown), Some(values)) = (shown, values) {
        (card.shown, card.values) = (shown, values);
        described.row = looked_at;
    }
    if let Some(neighbours) = neighbours {
        card.neighbours = neighbours;
        described.neighbours = rows;
    }
}

impl Described {
    /// Titles are the labels, or else the values that colours stand for.
    fn choose_titles(&mut self, current: &Current, panel: &ColourPanel) {
        let by = match &panel.settings.by {
            ColourBy::Column(column) => Some(column),
            _ => None,
        };
        let wanted = panel.settings.labels.as_ref().or(by).cloned();
        if self.titles.as_ref().is_none_or(|(known, _)| *known != wanted) {
            let values = wanted.as_ref().and_then(|name| Values::of_column(&current.dataset, name).ok());
            self.titles = Some((wanted, values));
        }
    }
}

struct Teller<'a> {
    current: &'a Current,
    data: &'a LiveData,
    titles: Option<&'a Values>,
}

impl Teller<'_> {
    fn card(&self, row: u32) -> RowCard {
        let dataset = &self.current.dataset;
        let title = self.titles.and_then(|values| values.text(row as usize)).unwrap_or_default();
        let vector = self.data.point(row).map(|point| self.data.space.vectors().row(point as usize));
        let image = vector.and_then(|vector| self.current.pictures.of_row(dataset, row, vector));
        RowCard { row, file_row: dataset.row_numbers.file_row(row as usize), title, image }
    }
}

/// All columns of a row, as text.
fn values_of(current: &Current, row: u32) -> Vec<(String, String)> {
    let table = &current.dataset.attributes;
    let schema = table.schema();
    let text = |(field, column): (&dataset::arrow::datatypes::FieldRef, _)| {
        let value = values_text(column, row as usize).unwrap_or_else(|| "no value".to_owned());
        (field.name().clone(), value)
    };
    schema.fields().iter().zip(table.columns()).map(text).collect()
}
