//! From snapshots to what is drawn: positions and labels. Along which axes is a matter of `touring`.

use super::data::OpenData;
use super::scene::{Layout, centroids};
use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut};
use colours::Values;
use controls::{CentroidLabel, CentroidLabels, ColourPanel};
use live::{LiveEmbedding, SnapshotTaken};
use points::{Axes, PointCloud, Positions};
use std::sync::Arc;

/// Hands a new snapshot to the renderer.
pub fn show_snapshot(mut taken: MessageReader<SnapshotTaken>, live: Res<LiveEmbedding>, mut cloud: ResMut<PointCloud>) {
    if taken.read().count() == 0 {
        return; // nothing new to be seen
    }
    let Some(snapshot) = live.snapshot() else { return };
    let (count, dims, stride) = (snapshot.data.points(), snapshot.dims, snapshot.stride);
    if live.is_on_device() {
        cloud.set_external(count, dims, stride);
    } else {
        cloud.set_positions(Positions { values: Arc::clone(&snapshot.positions), count, dims, stride });
    }
}

/// What labels are made from: read once for a column and data set.
#[derive(Default)]
pub struct LabelColumn {
    version: (u64, u64),
    name: Option<String>,
    names: Vec<String>,
    codes: Vec<u32>,
    /// The middle of the points of each name, and how many they are.
    middles: Vec<(Vec<f32>, usize)>,
    /// Along which the labels were placed.
    axes: Option<Axes>,
}

/// Keeps the names in the middle of their points.
pub fn place_labels(
    mut taken: MessageReader<SnapshotTaken>,
    live: Res<LiveEmbedding>,
    data: Res<OpenData>,
    panel: Res<ColourPanel>,
    cloud: Res<PointCloud>,
    mut labels: ResMut<CentroidLabels>,
    mut column: Local<LabelColumn>,
) {
    let moved = taken.read().count() > 0;
    let (Some(current), Some(snapshot)) = (&data.current, live.snapshot()) else { return };
    let wanted = panel.settings.labels.as_ref();
    let version = (current.generation, current.table_version);
    let changed = column.name.as_ref() != wanted || column.version != version;
    if changed {
        column.read(current, wanted);
    }
    if column.names.is_empty() {
        if !labels.0.is_empty() {
            labels.0.clear();
        }
        return;
    }
    if column.codes.len() != snapshot.data.table_rows() {
        return; // not of this table
    }
    let axes = cloud.axes();
    if moved || changed {
        let layout = Layout { positions: &snapshot.positions, dims: snapshot.dims, stride: snapshot.stride };
        column.middles = centroids(layout, &snapshot.data.row_of_point, &column.codes, column.names.len());
    } else if column.axes.as_ref() == Some(&axes) {
        return; // they stand where they stood
    }
    let found = column.names.iter().zip(&column.middles).filter(|(_, (_, count))| *count > 0);
    let label = |(name, (middle, count)): (&String, &(Vec<f32>, usize))| CentroidLabel {
        name: name.clone(),
        place: axes.place(middle),
        count: *count,
    };
    labels.0 = found.map(label).collect();
    column.axes = Some(axes);
}

impl LabelColumn {
    fn read(&mut self, current: &super::data::Current, wanted: Option<&String>) {
        self.version = (current.generation, current.table_version);
        self.name = wanted.cloned();
        (self.names, self.codes) = match wanted.map(|name| Values::of_column(&current.dataset, name)) {
            Some(Ok(Values::Categories(categories))) => (categories.names, categories.codes),
            _ => Default::default(), // nothing that could stand as a name
        };
    }
}
