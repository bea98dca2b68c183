//! Rows selected by hand: what lies in a lasso or a box, and what a brush passes over.

use crate::hand::{Gesture, Stroke};
use crate::picking::{Answer, Eyes, Purpose};
use crate::selected::Selection;
use crate::tools::{Tool, ToolSettings};
use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut};
use bevy::math::Vec2;
use orbit_camera::CloudBounds;
use rayon::prelude::*;
use selection::{Combine, Region, Rows};
use std::sync::Arc;

/// Selects what lies in a lasso or box that was drawn: points whose middle is in it, and of which something is seen
/// unless covered ones are wanted too. A flat map has no behind: there, all count.
pub(crate) fn select_by_strokes(
    mut gestures: MessageReader<Gesture>,
    mut stroke: ResMut<Stroke>,
    (tools, bounds): (Res<ToolSettings>, Res<CloudBounds>),
    eyes: Eyes,
    mut selection: ResMut<Selection>,
) {
    for gesture in gestures.read() {
        let Gesture::Drawn { how } = *gesture else { continue };
        let scale = eyes.scale_factor();
        let Some(region) = region_of(&stroke, scale).filter(Region::is_large_enough) else { continue };
        let region = region.prepared();
        let points = eyes.look_at_all(|looker| {
            let seen = if tools.through || bounds.flat { Vec::new() } else { looker.visible() };
            let places = looker.on_screen();
            let inside = |point: &usize| places[*point].is_finite() && region.contains(places[*point].to_array());
            let all: Vec<usize> = (0..places.len()).into_par_iter().filter(inside).collect();
            all.into_iter().partition::<Vec<usize>, _>(|&point| seen.get(point) != Some(&false))
        });
        let (Some((points, covered)), Some(snapshot)) = (points, eyes.snapshot()) else { continue };
        stroke.covered = covered.len();
        let data = &snapshot.data;
        // For a frame after other data has come, what is drawn may still be the data before.
        let rows = points.into_iter().filter_map(|point| data.row_of_point.get(point).copied());
        selection.apply(&Rows::from_rows(data.table_rows(), rows), how);
    }
}

fn region_of(stroke: &Stroke, scale: f32) -> Option<Region> {
    let at = |place: &Vec2| (*place * scale).to_array();
    let (first, last) = (stroke.path.first()?, stroke.path.last()?);
    match stroke.tool {
        Tool::Lasso => Some(Region::Lasso(stroke.path.iter().map(at).collect())),
        Tool::Box => Some(Region::Box { from: at(first), to: at(last) }),
        Tool::Point | Tool::Brush => None,
    }
}

/// What was selected before the brush touched anything, and what it has passed over.
#[derive(Debug, Default)]
pub struct Painting {
    before: Option<Arc<Rows>>,
    touched: Option<Rows>,
}

/// Paints with a sphere around the points that the brush passes over.
pub(crate) fn brush(
    mut answers: MessageReader<Answer>,
    (tools, bounds): (Res<ToolSettings>, Res<CloudBounds>),
    eyes: Eyes,
    mut selection: ResMut<Selection>,
    mut painting: Local<Painting>,
) {
    for answer in answers.read() {
        let Purpose::Brush { first, how } = answer.purpose else { continue };
        if first {
            painting.before = Some(Arc::clone(selection.rows()));
            painting.touched = None;
        }
        let (Some((_, place)), Some(snapshot)) = (answer.found, eyes.snapshot()) else { continue };
        let data = &snapshot.data;
        let near = eyes.within(place, tools.brush * bounds.radius);
        let dab = Rows::from_rows(
            data.table_rows(),
            near.into_iter().filter_map(|point| data.row_of_point.get(point as usize).copied()),
        );
        let touched = match painting.touched.take() {
            Some(touched) => touched.combined(&dab, Combine::Add),
            None => dab,
        };
        let before = painting.before.get_or_insert_with(|| Arc::clone(selection.rows()));
        let painted = before.combined(&touched, how);
        selection.set(Arc::new(painted));
        painting.touched = Some(touched);
    }
}
