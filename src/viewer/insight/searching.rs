//! Rows selected by what stands in the table.

use crate::viewer::data::OpenData;
use bevy::ecs::prelude::{MessageReader, Res, ResMut};
use colours::{ColourBy, Values, count_text};
use controls::{ColourPanel, Notices, Request, SelectionCard};
use inspect::Selection;
use live::LiveEmbedding;
use selection::{Filter, Rows};

/// Selects what searches find, among the rows that are embedded.
pub fn select_found(
    mut requests: MessageReader<Request>,
    (data, live): (Res<OpenData>, Res<LiveEmbedding>),
    mut selection: ResMut<Selection>,
    mut card: ResMut<SelectionCard>,
) {
    for request in requests.read() {
        let Request::Search { text, how } = request else { continue };
        let Some((current, snapshot)) = data.seen(&live) else { continue };
        let dataset = &current.dataset;
        let filter = match Filter::parse(text, &dataset.attributes) {
            Ok(filter) => filter,
            Err(error) => {
                card.search_note = Some(error.to_string());
                card.focus_search = true; // to be mended; letters would be commands
                continue;
            }
        };
        let found = filter.rows(&dataset.attributes, &|row| dataset.row_numbers.file_row(row));
        let embedded = Rows::from_rows(snapshot.data.table_rows(), snapshot.data.rows());
        let found = found.within(&embedded);
        if found.is_empty() {
            card.search_note = Some(format!("no row fits {text:?}; = is exact, : finds parts of words"));
            card.focus_search = true;
            continue;
        }
        let rows = if found.count() == 1 { "row" } else { "rows" };
        card.search_note = Some(format!("{} {rows} found", count_text(found.count())));
        selection.apply(&found, *how);
    }
}

/// Selects the rows of a category of the legend.
pub fn select_categories(
    mut requests: MessageReader<Request>,
    (data, live, panel): (Res<OpenData>, Res<LiveEmbedding>, Res<ColourPanel>),
    mut selection: ResMut<Selection>,
    mut notices: ResMut<Notices>,
) {
    for request in requests.read() {
        let Request::SelectCategory { name, how } = request else { continue };
        let Some((current, snapshot)) = data.seen(&live) else { continue };
        let ColourBy::Column(column) = &panel.settings.by else { continue };
        match Values::of_column(&current.dataset, column) {
            Ok(Values::Categories(categories)) => {
                let of_name = |row: &u32| categories.name(*row as usize) == Some(name.as_str());
                let rows = snapshot.data.rows().filter(of_name);
                selection.apply(&Rows::from_rows(snapshot.data.table_rows(), rows), *how);
            }
            Ok(_) => {} // there is no such legend
            Err(error) => notices.failed(error.to_string()),
        }
    }
}
