//! The row that is looked at, and the ties to its neighbours: which the picture keeps, which it tears apart, and which
//! it only pretends.

use crate::neighbours::{Found, Question, Searcher, nearest_in_embedding};
use crate::picking::{Answer, Purpose};
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use bevy::math::Vec3;
use live::{LiveEmbedding, Snapshot};
use points::{Axes, PointCloud};
use std::sync::Arc;

/// Neighbours that are looked at, in the data and in the picture.
pub const NEIGHBOURS: usize = 30;

/// How the picture treats a pair of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tie {
    /// Neighbours in the data and in the picture.
    Kept,
    /// Neighbours in the data that the picture tears apart.
    Torn,
    /// Neighbours in the picture that are none in the data: false friends.
    False,
}

/// A neighbour of the row that is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Its row.
    pub row: u32,
    /// How the picture treats it.
    pub tie: Tie,
    /// How far it is in the data.
    pub hd: f32,
    /// How far it is in the picture.
    pub ld: f32,
    /// Where it is in the world.
    pub place: Vec3,
}

/// The row that is looked at.
#[derive(Resource, Debug, Default)]
pub struct Inspected {
    row: Option<u32>,
    place: Vec3,
    neighbours: Vec<Neighbour>,
    before: Vec<u32>,
    searcher: Searcher,
    asked: Option<Question>,
    found: Option<Found>,
    tied: Option<Arc<Snapshot>>,
    /// Along which places were found.
    axes: Option<Axes>,
}

impl Inspected {
    /// The row.
    #[must_use]
    pub fn row(&self) -> Option<u32> {
        self.row
    }

    /// Where its point is in the world.
    #[must_use]
    pub fn place(&self) -> Vec3 {
        self.place
    }

    /// Its neighbours: those of the data, nearest first, then false friends, nearest in the picture first. Empty until
    /// they are found.
    #[must_use]
    pub fn neighbours(&self) -> &[Neighbour] {
        &self.neighbours
    }

    /// Looks at a row, or at none.
    pub fn look_at(&mut self, row: Option<u32>) {
        if row == self.row {
            return;
        }
        if let Some(before) = self.row.filter(|_| row.is_some()) {
            self.before.push(before);
        }
        self.row = row;
        self.forget_neighbours();
    }

    /// Back to the row that was looked at before.
    pub fn go_back(&mut self) {
        if let Some(before) = self.before.pop() {
            self.row = Some(before);
            self.forget_neighbours();
        }
    }

    /// Whether there is one to go back to.
    #[must_use]
    pub fn can_go_back(&self) -> bool {
        !self.before.is_empty()
    }

    /// Other data: nothing of it is known.
    pub fn forget(&mut self) {
        *self = Self::default(); // its thread held the old data
    }

    fn forget_neighbours(&mut self) {
        self.neighbours.clear();
        (self.asked, self.found, self.tied) = (None, None, None);
    }
}

/// Looks at what was clicked; a click beside all points lets go.
pub(crate) fn hear(mut answers: MessageReader<Answer>, mut inspected: ResMut<Inspected>) {
    for answer in answers.read() {
        if matches!(answer.purpose, Purpose::Inspect) {
            inspected.look_at(answer.found.map(|(row, _)| row));
        }
    }
}

/// Keeps the ties true while points move and settings change.
pub(crate) fn tie(live: Res<LiveEmbedding>, cloud: Res<PointCloud>, mut inspected: ResMut<Inspected>) {
    let (Some(row), Some(snapshot)) = (inspected.row, live.snapshot()) else { return };
    let Some(point) = snapshot.data.point(row) else {
        inspected.look_at(None); // the row is not embedded any more
        return;
    };
    let (metric, k) = (snapshot.settings.metric, NEIGHBOURS.min(snapshot.data.points().saturating_sub(1)));
    let question = Question { data: Arc::clone(&snapshot.data), metric, point, k };
    if !inspected.asked.as_ref().is_some_and(|asked| asked.is_same(&question)) {
        inspected.searcher.ask(question.clone());
        inspected.asked = Some(question.clone());
    }
    let heard = inspected.searcher.heard().filter(|found| found.question.is_same(&question));
    let news = heard.is_some();
    if news {
        inspected.found = heard;
    }
    let moved = !inspected.tied.as_ref().is_some_and(|tied| Arc::ptr_eq(tied, snapshot));
    let axes = cloud.axes();
    if axes.axes.len() != snapshot.dims {
        return; // the dimensions are changing
    }
    if !(news || moved) {
        if inspected.axes.as_ref() != Some(&axes) {
            inspected.place_along(axes, snapshot, point);
        }
        return;
    }
    inspected.axes = Some(axes.clone());
    inspected.tied = Some(Arc::clone(snapshot));
    inspected.place = axes.place(snapshot.position(point as usize));
    let Some(found) = inspected.found.as_ref().filter(|found| found.question.is_same(&question)) else { return };
    let ties = ties(found, snapshot, point, k, &|place| axes.place(place));
    inspected.neighbours = ties;
}

impl Inspected {
    /// The same ties along other axes.
    fn place_along(&mut self, axes: Axes, snapshot: &Snapshot, point: u32) {
        self.place = axes.place(snapshot.position(point as usize));
        for neighbour in &mut self.neighbours {
            if let Some(point) = snapshot.data.point(neighbour.row) {
                neighbour.place = axes.place(snapshot.position(point as usize));
            }
        }
        self.axes = Some(axes);
    }
}

fn ties(found: &Found, snapshot: &Snapshot, point: u32, k: usize, place: &dyn Fn(&[f32]) -> Vec3) -> Vec<Neighbour> {
    let near = nearest_in_embedding(&snapshot.positions, snapshot.dims, snapshot.stride, point, k);
    let is_near = |other: u32| near.iter().any(|(near, _)| *near == other);
    let position = |other: u32| snapshot.position(other as usize);
    let ld = |other: u32| {
        let squared = position(other).iter().zip(position(point)).map(|(a, b)| (a - b) * (a - b));
        squared.sum::<f32>().sqrt()
    };
    let neighbour = |other: u32, tie: Tie, hd: f32| Neighbour {
        row: snapshot.data.row_of_point[other as usize],
        tie,
        hd,
        ld: ld(other),
        place: place(position(other)),
    };
    let of_data = found
        .nearest
        .iter()
        .map(|&(other, hd)| neighbour(other, if is_near(other) { Tie::Kept } else { Tie::Torn }, hd));
    let in_data = |other: u32| found.nearest.iter().any(|(near, _)| *near == other);
    let pretended = near.iter().filter(|(other, _)| !in_data(*other)).map(|&(other, _)| {
        let hd = found.space.squared_distance(point as usize, other as usize).max(0.0).sqrt();
        neighbour(other, Tie::False, hd)
    });
    of_data.chain(pretended).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_can_walk_from_row_to_row_and_back() {
        let mut inspected = Inspected::default();
        [5, 7, 9].into_iter().for_each(|row| inspected.look_at(Some(row)));
        inspected.go_back();
        assert_eq!((inspected.row(), inspected.can_go_back()), (Some(7), true));
        inspected.look_at(None);
        assert_eq!(inspected.row(), None);
        inspected.forget();
        assert!(!inspected.can_go_back());
    }
}
