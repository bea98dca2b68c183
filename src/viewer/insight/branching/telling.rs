//! What nodes hold: their classes, and how much of them is selected.

use crate::growth;
use crate::viewer::data::{Current, OpenData};
use bevy::ecs::change_detection::DetectChanges;
use bevy::ecs::prelude::{Local, Res, ResMut};
use colours::{Categories, ColourBy, Legend, Rgb, Values};
use controls::{ColourPanel, Grown, HierarchyCard, Slice};
use inspect::Selection;
use selection::Rows;
use std::collections::HashMap;
use std::sync::Arc;

/// What was told last, so that nothing is counted twice.
#[derive(Default)]
pub struct Told {
    classes: Option<Classified>,
    selected: Option<(Arc<Grown>, Arc<Rows>)>,
}

/// All that the classes of nodes depend on.
struct Classified {
    grown: Arc<Grown>,
    column: Option<String>,
    legend: Option<Legend>,
}

impl PartialEq for Classified {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.grown, &other.grown) && (&self.column, &self.legend) == (&other.column, &other.legend)
    }
}

/// Keeps the classes and the shares of nodes while they are to be seen.
pub fn tell_hierarchy(
    (data, panel, selection): (Res<OpenData>, Res<ColourPanel>, Res<Selection>),
    mut card: ResMut<HierarchyCard>,
    mut told: Local<Told>,
) {
    let (Some(current), Some(grown)) = (&data.current, card.grown.clone()) else {
        *told = Told::default();
        return;
    };
    let same =
        |(known, rows): &(Arc<Grown>, Arc<Rows>)| Arc::ptr_eq(known, &grown) && Arc::ptr_eq(rows, selection.rows());
    if !told.selected.as_ref().is_some_and(same) {
        card.shares = grown.shares(selection.rows());
        told.selected = Some((Arc::clone(&grown), Arc::clone(selection.rows())));
    }
    let is_known = told.classes.as_ref().is_some_and(|known| Arc::ptr_eq(&known.grown, &grown));
    if is_known && !panel.is_changed() {
        return;
    }
    let known = told.classes.take().filter(|_| is_known);
    let coloured = current.levels.as_ref().is_some_and(|name| panel.settings.by == ColourBy::Column(name.clone()));
    if card.coloured != coloured {
        card.coloured = coloured; // whoever chose other colours
    }
    let before = known.as_ref().and_then(|known| known.column.clone());
    let of = Classified { column: column_of_classes(current, &panel, before), legend: panel.legend.clone(), grown };
    if known.as_ref() != Some(&of) {
        let column = of.column.as_ref();
        card.compositions = column.map_or(Vec::new(), |column| compositions(current, &panel, &of.grown, column));
    }
    told.classes = Some(of);
}

/// The column that colours stand for, if it tells classes and is no hierarchy itself; else the one before, or a guess.
fn column_of_classes(current: &Current, panel: &ColourPanel, before: Option<String>) -> Option<String> {
    match &panel.settings.by {
        ColourBy::Column(column) if current.levels.as_ref() != Some(column) && panel.categorical.contains(column) => {
            Some(column.clone())
        }
        _ => before
            .or_else(|| growth::guessed_label(&current.dataset).filter(|name| current.levels.as_ref() != Some(name))),
    }
}

fn compositions(current: &Current, panel: &ColourPanel, grown: &Grown, column: &str) -> Vec<Vec<Slice>> {
    let Ok(Values::Categories(categories)) = Values::of_column(&current.dataset, column) else { return Vec::new() };
    let Ok(classes) = growth::classes(&categories, Some(&grown.rows)) else { return Vec::new() };
    let colours = colours_of(&categories, panel, column);
    let slice = |(class, rows): (u32, usize)| Slice {
        name: categories.names[class as usize].clone(),
        colour: colours[class as usize],
        rows,
    };
    let of_node = |node| classes.composition(node).into_iter().map(slice).collect();
    grown.hierarchy.nodes().iter().map(of_node).collect()
}

/// The colours of the legend, where it is of this column; else those of the palette.
fn colours_of(categories: &Categories, panel: &ColourPanel, column: &str) -> Vec<Rgb> {
    let legend: HashMap<&str, Rgb> = match (&panel.legend, &panel.settings.by) {
        (Some(Legend::Categories(rows)), ColourBy::Column(by)) if by == column => {
            rows.iter().map(|row| (row.name.as_str(), row.colour)).collect()
        }
        _ => HashMap::new(),
    };
    let colour = |(name, &usual): (&String, &Rgb)| legend.get(name.as_str()).copied().unwrap_or(usual);
    categories.names.iter().zip(&categories.colours).map(colour).collect()
}
