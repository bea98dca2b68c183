//! From snapshots to what is drawn and seen: positions, axes, bounds, labels.

use super::data::OpenData;
use super::scene::{Layout, axes_of, bounds_of, centroids};
use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut};
use colours::Values;
use controls::{CentroidLabel, CentroidLabels, ColourPanel};
use live::{LiveEmbedding, SnapshotTaken};
use orbit_camera::CloudBounds;
use points::{Axes, PointCloud, PointSettings, Positions};
use std::sync::Arc;

/// Hands a new snapshot to the renderer and the camera.
pub fn show_snapshot(
    mut taken: MessageReader<SnapshotTaken>,
    live: Res<LiveEmbedding>,
    mut cloud: ResMut<PointCloud>,
    mut bounds: ResMut<CloudBounds>,
    mut looks: ResMut<PointSettings>,
    mut axes: Local<Option<Axes>>,
) {
    if taken.read().count() == 0 {
        return; // nothing new to be seen
    }
    let Some(snapshot) = live.snapshot() else { return };
    let layout = Layout { positions: &snapshot.positions, dims: snapshot.dims, stride: snapshot.stride };
    let seen = axes_of(layout, axes.as_ref());
    let now = bounds_of(layout, &seen);
    let (count, dims, stride) = (snapshot.data.points(), snapshot.dims, snapshot.stride);
    if live.is_on_device() {
        cloud.set_external(count, dims, stride);
    } else {
        cloud.set_positions(Positions { values: Arc::clone(&snapshot.positions), count, dims, stride });
    }
    cloud.set_axes(seen.clone());
    *axes = Some(seen);
    bounds.set_if_neq(now);
    if looks.flat != now.flat {
        looks.flat = now.flat;
    }
}

/// What labels are made from: read once for a column and data set.
#[derive(Default)]
pub struct LabelColumn {
    version: (u64, u64),
    name: Option<String>,
    names: Vec<String>,
    codes: Vec<u32>,
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
    if !(moved || changed) || column.codes.len() != snapshot.data.table_rows() {
        return;
    }
    let layout = Layout { positions: &snapshot.positions, dims: snapshot.dims, stride: snapshot.stride };
    let middle = centroids(layout, &cloud.axes(), &snapshot.data.row_of_point, &column.codes, column.names.len());
    let found = column.names.iter().zip(middle).filter(|(_, (_, count))| *count > 0);
    labels.0 = found.map(|(name, (place, count))| CentroidLabel { name: name.clone(), place, count }).collect();
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
