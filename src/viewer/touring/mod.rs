//! Seeing more than three dimensions in the window: axes that follow, turn, and take classes apart.

mod sorting;
mod tour;

pub(crate) use sorting::{classes_of_column, classes_of_selection};
pub(crate) use tour::Tour;

use super::data::OpenData;
use super::scene::{Layout, bounds_of};
use bevy::ecs::change_detection::{DetectChanges, DetectChangesMut};
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use bevy::ecs::system::SystemParam;
use bevy::time::{Real, Time};
use controls::Seeing;
use inspect::Selection;
use live::{LiveEmbedding, SnapshotTaken};
use orbit_camera::CloudBounds;
use points::{PointCloud, PointSettings};
use sorting::Sorting;

/// Time that a frame stands for at most (seconds): after a hitch a tour goes on where it was, instead of jumping.
const LONGEST_FRAME: f64 = 0.25;

/// The tour of the window.
#[derive(Resource, Debug, Default)]
pub struct Touring {
    tour: Tour,
    sorting: Sorting,
    /// The data that it is of.
    generation: u64,
}

/// What the axes depend on.
#[derive(SystemParam)]
pub struct Sights<'w> {
    live: Res<'w, LiveEmbedding>,
    data: Res<'w, OpenData>,
    selection: Res<'w, Selection>,
    seeing: Res<'w, Seeing>,
    time: Res<'w, Time<Real>>,
}

/// Turns the axes, in every frame in which they move or the points do: also while the embedding stands still.
pub fn look_along(
    mut taken: MessageReader<SnapshotTaken>,
    sights: Sights,
    mut touring: ResMut<Touring>,
    mut cloud: ResMut<PointCloud>,
    mut bounds: ResMut<CloudBounds>,
    mut looks: ResMut<PointSettings>,
) {
    let moved = taken.read().count() > 0;
    let Sights { live, data, selection, seeing, time } = sights;
    let Some(snapshot) = live.snapshot() else { return };
    if !(moved || seeing.is_changed() || touring.tour.is_moving(&seeing)) {
        return; // nothing new to be seen
    }
    let touring = &mut *touring;
    let current = data.current.as_ref();
    let generation = current.map_or(0, |current| current.generation);
    if generation != touring.generation {
        *touring = Touring { tour: Tour::new(snapshot.settings.seed), generation, ..Touring::default() };
    }
    let seconds = time.delta_secs_f64().min(LONGEST_FRAME);
    let layout = Layout { positions: &snapshot.positions, dims: snapshot.dims, stride: snapshot.stride };
    let classes = touring.sorting.classes(&seeing, snapshot, current, selection.rows(), seconds);
    let axes = touring.tour.frame(layout, &seeing, classes, seconds);
    let now = bounds_of(layout, &axes);
    if cloud.axes() != axes {
        cloud.set_axes(axes);
    }
    bounds.set_if_neq(now);
    if looks.flat != now.flat {
        looks.flat = now.flat;
    }
}
