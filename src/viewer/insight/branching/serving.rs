//! What is done with a hierarchy that has grown: its nodes select, its levels colour, and it goes into files.

use super::Branching;
use crate::args::Backend;
use crate::growth::{self, Outgoing};
use crate::table::Table;
use crate::viewer::data::{Current, OpenData, colourable_names};
use crate::viewer::insight::put_categories;
use crate::viewer::saving::{Writing, with_ending};
use bevy::ecs::prelude::{MessageReader, Res, ResMut};
use colours::{ColourBy, Values};
use controls::{ColourPanel, Grown, HierarchyCard, Notices, Request};
use dataset::Role;
use dataset::arrow::array::Int32Array;
use dataset::arrow::error::ArrowError;
use inspect::Selection;
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the column, where the table has no other of that name.
const COLUMN: &str = "hierarchy";

/// Serves requests about the hierarchy that is shown.
pub fn serve_hierarchy(
    mut requests: MessageReader<Request>,
    mut data: ResMut<OpenData>,
    card: Res<HierarchyCard>,
    (mut branching, mut selection): (ResMut<Branching>, ResMut<Selection>),
    (mut panel, mut notices): (ResMut<ColourPanel>, ResMut<Notices>),
    writing: Res<Writing>,
) {
    for request in requests.read() {
        let Some(grown) = &card.grown else { continue };
        match request {
            Request::SelectNode { node, how } => {
                if let Some(rows) = grown.rows_of(*node).filter(|rows| rows.len() == selection.rows().len()) {
                    selection.apply(&rows, *how);
                }
            }
            Request::ColourByLevel(level) => {
                let Some(current) = &mut data.current else { continue };
                if let Err(error) = colour_by(*level, current, grown, &mut branching, &mut panel) {
                    notices.failed(error.to_string());
                }
            }
            Request::ExportHierarchy(path) => {
                if let Some(current) = &data.current {
                    export(path.clone(), current, Arc::clone(grown), &panel, &writing);
                }
            }
            _ => {}
        }
    }
    // What has grown anew has other nodes.
    let stale = |grown: &&Arc<Grown>| branching.in_column.as_ref().is_some_and(|known| !Arc::ptr_eq(known, grown));
    if let (Some(grown), Some(current)) = (card.grown.as_ref().filter(stale), &mut data.current)
        && card.coloured
        && let Err(error) = colour_by(Some(card.level), current, grown, &mut branching, &mut panel)
    {
        notices.failed(error.to_string());
    }
}

/// Makes the nodes of a level a column to colour by, in the place of the one before; none goes back to what was before.
fn colour_by(
    level: Option<usize>,
    current: &mut Current,
    grown: &Arc<Grown>,
    branching: &mut Branching,
    panel: &mut ColourPanel,
) -> Result<(), ArrowError> {
    let Some(level) = level else {
        if let Some(before) = branching.before.take() {
            panel.settings.colour_by(before);
        }
        return Ok(());
    };
    let mut nodes = vec![None; grown.table_rows];
    for (&row, node) in grown.rows.iter().zip(growth::column(&grown.hierarchy, level).iter()) {
        nodes[row as usize] = node;
    }
    let name = match &current.levels {
        Some(name) => name.clone(),
        None => Table::beside(&current.dataset.attributes).free_names(&[COLUMN]).remove(0),
    };
    put_categories(&mut current.dataset, &name, Arc::new(Int32Array::from(nodes)))?;
    current.levels = Some(name.clone());
    branching.in_column = Some(Arc::clone(grown));
    current.table_version += 1;
    panel.columns = colourable_names(&current.dataset, |_| true);
    panel.categorical = colourable_names(&current.dataset, |role| role == Role::Categorical);
    if panel.settings.by != ColourBy::Column(name.clone()) {
        branching.before = Some(panel.settings.by.clone());
        panel.settings.colour_by(ColourBy::Column(name));
    }
    Ok(())
}

/// Writes the hierarchy as `nevis hierarchy` does, of the rows that it is of.
fn export(path: PathBuf, current: &Current, grown: Arc<Grown>, panel: &ColourPanel, writing: &Writing) {
    let path = with_ending(path, "json");
    let by = match &panel.settings.by {
        ColourBy::Column(column) if current.levels.as_ref() != Some(column) => Some(column.clone()),
        _ => growth::guessed_label(&current.dataset),
    };
    let recipe = growth::recipe(
        (current.paths(), &current.dataset, current.load.clone()),
        (&grown.settings, &grown.options),
        (Backend::Cpu, None),
    );
    let table = current.dataset.clone();
    writing.spawn(None, move || {
        let part = (grown.rows.len() < grown.table_rows).then_some(grown.rows.as_slice());
        let classes = match by.map(|column| Values::of_column(&table, &column)) {
            Some(Ok(Values::Categories(categories))) => Some(growth::classes(&categories, part)?),
            _ => None, // nothing tells classes
        };
        let outgoing = Outgoing {
            hierarchy: &grown.hierarchy,
            options: &grown.options,
            classes: classes.as_ref(),
            members: false,
            data: &table,
            part,
        };
        let recipe = crate::recipe::Recipe { rows: grown.rows.len(), ..recipe };
        let wrote = outgoing.write(&path, recipe)?;
        Ok(format!("{wrote} written to {}", path.display()))
    });
}
