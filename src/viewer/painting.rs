//! Colours: from what was chosen in the panel to a style for every point.

use super::data::OpenData;
use super::scene::styles_of;
use bevy::ecs::change_detection::DetectChanges;
use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut};
use colours::{ColourBy, ColourSettings, Paint, Values, paint, paint_numbers};
use controls::ColourPanel;
use dataset::Dataset;
use live::{Activity, LiveEmbedding, QualityMeasured, QualityWatch, TrustKind, TrustMeasured};
use points::PointCloud;
use std::sync::Arc;

/// What was last painted, so that nothing is painted twice.
#[derive(Default)]
pub struct Painted {
    generation: u64,
    settings: Option<ColourSettings>,
    /// The values of the column, read once.
    column: Option<(String, Values)>,
    /// The trust that was painted, by the iteration it was measured at.
    trust: Option<u32>,
}

/// Which trust a choice of colours needs.
pub fn trust_of(by: &ColourBy) -> Option<TrustKind> {
    match by {
        ColourBy::NeighbourhoodKept => Some(TrustKind::NeighbourhoodKept),
        ColourBy::DistanceCorrelation => Some(TrustKind::DistanceCorrelation),
        ColourBy::Uniform | ColourBy::Column(_) => None,
    }
}

/// Paints the points anew when the data, the choice or the trust has changed.
pub fn paint_points(
    data: Res<OpenData>,
    mut panel: ResMut<ColourPanel>,
    mut live: ResMut<LiveEmbedding>,
    mut watch: ResMut<QualityWatch>,
    mut cloud: ResMut<PointCloud>,
    mut measured: MessageReader<QualityMeasured>,
    mut painted: Local<Painted>,
) {
    let news = measured.read().count() > 0;
    let (Some(current), Some(snapshot)) = (&data.current, live.snapshot().cloned()) else { return };
    let rows = snapshot.data.points();
    if live.activity() == Activity::Starting || rows != current.dataset.row_numbers.len() {
        return; // the data before is still to be seen
    }
    let other_data = painted.generation != current.generation;
    let other_choice = painted.settings.as_ref() != Some(&panel.settings);
    let kind = trust_of(&panel.settings.by);
    if watch.wanted_trust != kind {
        watch.wanted_trust = kind;
        live.want_lists(kind == Some(TrustKind::NeighbourhoodKept));
    }
    let trust = watch.trust().cloned();
    let other_trust = kind.is_some() && news && painted.trust != trust.as_ref().map(|trust| trust.iteration);
    if !(other_data || other_choice || other_trust || (cloud.count() != cloud.styles().len() && panel.is_changed())) {
        return;
    }
    let settings = panel.settings.clone();
    let (paint, note) = match kind {
        Some(kind) => paint_trust(trust.as_ref(), kind, &snapshot.data.row_of_point, &settings),
        None => painted.paint_column(&current.dataset, rows, &settings, other_data),
    };
    cloud.set_styles(Arc::new(styles_of(&paint, &snapshot.data.row_of_point)));
    painted.generation = current.generation;
    painted.trust = trust.map(|trust| trust.iteration);
    painted.settings = Some(settings);
    (panel.legend, panel.note) = (Some(paint.legend), note);
}

impl Painted {
    fn paint_column(
        &mut self,
        dataset: &Dataset,
        rows: usize,
        settings: &ColourSettings,
        other_data: bool,
    ) -> (Paint, Option<String>) {
        let ColourBy::Column(name) = &settings.by else { return (paint(None, rows, settings), None) };
        if other_data || self.column.as_ref().is_none_or(|(known, _)| known != name) {
            match Values::of_column(dataset, name) {
                Ok(values) => self.column = Some((name.clone(), values)),
                Err(error) => return (paint(None, rows, settings), Some(error.to_string())),
            }
        }
        (paint(self.column.as_ref().map(|(_, values)| values), rows, settings), None)
    }
}

/// Colours by how far each point can be trusted; grey until it is known.
fn paint_trust(
    trust: Option<&TrustMeasured>,
    kind: TrustKind,
    row_of_point: &[u32],
    settings: &ColourSettings,
) -> (Paint, Option<String>) {
    let extent = match kind {
        TrustKind::NeighbourhoodKept => [0.0, 1.0],
        TrustKind::DistanceCorrelation => [-1.0, 1.0],
    };
    let mut by_row = vec![f32::NAN; row_of_point.len()];
    let Some(trust) = trust else {
        return (paint_numbers(&by_row, extent, settings), Some("measuring …".to_owned()));
    };
    for (&row, &value) in row_of_point.iter().zip(trust.values.iter()) {
        by_row[row as usize] = value;
    }
    let words = match kind {
        TrustKind::NeighbourhoodKept => "share of a point's nearest in the picture that are its nearest in the data",
        TrustKind::DistanceCorrelation => "correlation of a point's distances in the picture and in the data",
    };
    (paint_numbers(&by_row, extent, settings), Some(words.to_owned()))
}
