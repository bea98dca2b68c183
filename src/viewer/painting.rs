//! Colours: from what was chosen in the panel to a style for every point.

use super::data::{Current, OpenData};
use super::scene::styles_of;
use super::streaming::Effects;
use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut};
use colours::{ColourBy, ColourSettings, Legend, Paint, Rgb, Values, paint, paint_numbers};
use controls::ColourPanel;
use inspect::Selection;
use live::{Activity, LiveData, LiveEmbedding, QualityMeasured, QualityWatch, TrustKind, TrustMeasured};
use points::PointCloud;
use selection::Rows;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What was last painted, so that nothing is painted twice.
#[derive(Default)]
pub struct Painted {
    generation: u64,
    settings: Option<ColourSettings>,
    /// The values of the column, read once.
    column: Option<(String, Values)>,
    /// The colours that categories of the column have had.
    colours: BTreeMap<String, Rgb>,
    /// The trust that was painted, by the iteration it was measured at.
    trust: Option<u32>,
    /// What was selected, and the points it was painted on.
    selected: Option<Arc<Rows>>,
    data: Option<Arc<LiveData>>,
    table_version: u64,
    paint: Option<Paint>,
}

/// Which trust a choice of colours needs.
pub fn trust_of(by: &ColourBy) -> Option<TrustKind> {
    match by {
        ColourBy::NeighbourhoodKept => Some(TrustKind::NeighbourhoodKept),
        ColourBy::DistanceCorrelation => Some(TrustKind::DistanceCorrelation),
        ColourBy::Uniform | ColourBy::Column(_) => None,
    }
}

/// The least and the most that a trust can be.
pub fn trust_extent(kind: TrustKind) -> [f32; 2] {
    match kind {
        TrustKind::NeighbourhoodKept => [0.0, 1.0],
        TrustKind::DistanceCorrelation => [-1.0, 1.0],
    }
}

/// Paints the points anew when the data, the choice or the trust has changed.
pub fn paint_points(
    (data, selection): (Res<OpenData>, Res<Selection>),
    mut panel: ResMut<ColourPanel>,
    mut live: ResMut<LiveEmbedding>,
    mut watch: ResMut<QualityWatch>,
    (mut cloud, mut effects): (ResMut<PointCloud>, ResMut<Effects>),
    mut measured: MessageReader<QualityMeasured>,
    mut painted: Local<Painted>,
) {
    let news = measured.read().count() > 0;
    let (Some(current), Some(snapshot)) = (&data.current, live.snapshot().cloned()) else { return };
    let rows = snapshot.data.table_rows();
    if live.activity() == Activity::Starting || rows != current.dataset.row_numbers.len() {
        return; // the data before is still to be seen
    }
    let other_data = (painted.generation, painted.table_version) != (current.generation, current.table_version);
    let other_points = !painted.data.as_ref().is_some_and(|data| Arc::ptr_eq(data, &snapshot.data));
    let other_choice = painted.settings.as_ref() != Some(&panel.settings);
    let kind = trust_of(&panel.settings.by);
    if watch.wanted_trust != kind {
        watch.wanted_trust = kind;
    }
    // A selection is asked how much it keeps together.
    live.want_lists(kind == Some(TrustKind::NeighbourhoodKept) || !selection.is_empty());
    let trust = watch.trust().cloned();
    let other_trust = kind.is_some() && news && painted.trust != trust.as_ref().map(|trust| trust.iteration);
    let other_selection = painted.selected.as_ref() != Some(selection.rows());
    let recolour = other_data || other_choice || other_trust || (other_points && kind.is_some());
    if !(recolour || other_points || other_selection) {
        return;
    }
    if recolour {
        let settings = panel.settings.clone();
        let (mut paint, note) = match kind {
            Some(kind) => paint_trust(trust.as_ref(), kind, &snapshot.data, &settings),
            None => painted.paint_column(current, rows, &settings, other_data),
        };
        if current.living {
            forget_free_rows(&mut paint, rows - snapshot.data.points());
        }
        (panel.legend, panel.note) = (Some(paint.legend.clone()), note);
        painted.paint = Some(paint);
        (painted.generation, painted.table_version) = (current.generation, current.table_version);
        painted.trust = trust.map(|trust| trust.iteration);
        painted.settings = Some(settings);
    }
    let Some(paint) = &painted.paint else { return };
    let styles = Arc::new(styles_of(paint, &snapshot.data.row_of_point, selection.rows()));
    effects.painted(&styles);
    cloud.set_styles(styles);
    let counts = painted.counts(&panel, selection.rows());
    if panel.selected != counts {
        panel.selected = counts;
    }
    painted.selected = Some(Arc::clone(selection.rows()));
    painted.data = Some(Arc::clone(&snapshot.data));
}

impl Painted {
    /// How many rows of each category are selected.
    fn counts(&self, panel: &ColourPanel, selected: &Rows) -> Vec<usize> {
        let (Some((_, Values::Categories(categories))), Some(Legend::Categories(rows)), false) =
            (&self.column, &panel.legend, selected.is_empty())
        else {
            return Vec::new();
        };
        let mut counts = vec![0; categories.names.len()];
        for row in selected.iter() {
            if let Some(count) = counts.get_mut(categories.codes[row as usize] as usize) {
                *count += 1;
            }
        }
        let by_name: HashMap<&str, usize> = categories.names.iter().map(String::as_str).zip(counts).collect();
        rows.iter().map(|row| by_name.get(row.name.as_str()).copied().unwrap_or(0)).collect()
    }

    fn paint_column(
        &mut self,
        current: &Current,
        rows: usize,
        settings: &ColourSettings,
        other_data: bool,
    ) -> (Paint, Option<String>) {
        let ColourBy::Column(name) = &settings.by else { return (paint(None, rows, settings), None) };
        let other_column = self.column.as_ref().is_none_or(|(known, _)| known != name);
        if other_data || other_column {
            if other_column || !current.living || self.generation != current.generation {
                self.colours.clear();
            }
            match Values::of_column(&current.dataset, name) {
                Ok(mut values) => {
                    if let Values::Categories(categories) = &mut values {
                        categories.keep_colours(&mut self.colours);
                    }
                    self.column = Some((name.clone(), values));
                }
                Err(error) => return (paint(None, rows, settings), Some(error.to_string())),
            }
        }
        (paint(self.column.as_ref().map(|(_, values)| values), rows, settings), None)
    }
}

/// Rows of the table that are free have no value, and are not missing one.
fn forget_free_rows(paint: &mut Paint, free: usize) {
    paint.missing = paint.missing.saturating_sub(free);
    match &mut paint.legend {
        Legend::Scale(scale) => scale.missing = scale.missing.saturating_sub(free),
        Legend::Direct { missing, .. } => *missing = missing.saturating_sub(free),
        Legend::Uniform | Legend::Categories(_) => {}
    }
}

/// Colours by how far each point can be trusted; grey until it is known.
fn paint_trust(
    trust: Option<&TrustMeasured>,
    kind: TrustKind,
    data: &LiveData,
    settings: &ColourSettings,
) -> (Paint, Option<String>) {
    let extent = trust_extent(kind);
    let mut by_row = vec![f32::NAN; data.table_rows()];
    let Some(trust) = trust else {
        return (paint_numbers(&by_row, extent, settings), Some("measuring …".to_owned()));
    };
    for (&row, &value) in data.row_of_point.iter().zip(trust.values.iter()) {
        by_row[row as usize] = value;
    }
    let words = match kind {
        TrustKind::NeighbourhoodKept => "share of a point's nearest in the picture that are its nearest in the data",
        TrustKind::DistanceCorrelation => "correlation of a point's distances in the picture and in the data",
    };
    (paint_numbers(&by_row, extent, settings), Some(words.to_owned()))
}
