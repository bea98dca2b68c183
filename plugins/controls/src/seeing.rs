//! How an embedding of more than three dimensions is seen. Remembered in the state file.

use bevy::ecs::prelude::Resource;
use score::{Act, Route};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Which axes are seen, and how fast they turn. Up to three dimensions are seen as they are.
#[derive(Resource, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seeing {
    /// Which axes.
    pub axes: SeenAxes,
    /// How fast tours turn (radians a second, [`SPEED`](Self::SPEED)).
    pub speed: f32,
    /// The axes stand still, whatever they would do.
    pub paused: bool,
}

/// Which axes are seen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeenAxes {
    /// The three widest directions, followed as the embedding moves.
    #[default]
    Principal,
    /// Three of the dimensions, counted from 0.
    Dimensions([usize; 3]),
    /// All of them in turn: smooth random rotations.
    Grand,
    /// Those along which classes come apart.
    Guided(Apart),
    /// Axes that were dragged: where each dimension points.
    Hand(Vec<[f32; 3]>),
}

/// What a guided tour takes apart.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Apart {
    /// What is selected, and what is not.
    #[default]
    Selection,
    /// The categories of a column.
    Column(String),
}

impl Default for Seeing {
    fn default() -> Self {
        Self { axes: SeenAxes::Principal, speed: 0.25, paused: false }
    }
}

impl Seeing {
    /// How fast tours may turn (radians a second).
    pub const SPEED: RangeInclusive<f32> = 0.0..=2.0;

    /// Sees other axes; whoever chooses them wants to see them.
    pub fn see(&mut self, axes: SeenAxes) {
        (self.axes, self.paused) = (axes, false);
    }

    /// Starts the grand tour, or ends it at the widest directions.
    pub fn toggle_grand(&mut self) {
        let touring = self.axes == SeenAxes::Grand;
        self.see(if touring { SeenAxes::Principal } else { SeenAxes::Grand });
    }

    /// What a cue asks for; false if it is about something else.
    pub fn obey(&mut self, act: &Act) -> bool {
        match act {
            Act::Tour { route, speed } => {
                self.see(match route {
                    Route::Principal => SeenAxes::Principal,
                    Route::Grand => SeenAxes::Grand,
                    Route::Guided(None) => SeenAxes::Guided(Apart::Selection),
                    Route::Guided(Some(column)) => SeenAxes::Guided(Apart::Column(column.clone())),
                });
                if let Some(speed) = speed {
                    self.speed = *speed as f32;
                }
            }
            Act::Axes(dimensions) => self.see(SeenAxes::Dimensions(*dimensions)),
            _ => return false,
        }
        true
    }

    /// As a cue; none for axes that were dragged, for which there are no words.
    #[must_use]
    pub fn act(&self) -> Option<Act> {
        let route = match &self.axes {
            SeenAxes::Principal => Route::Principal,
            SeenAxes::Grand => Route::Grand,
            SeenAxes::Guided(Apart::Selection) => Route::Guided(None),
            SeenAxes::Guided(Apart::Column(column)) => Route::Guided(Some(column.clone())),
            SeenAxes::Dimensions(dimensions) => return Some(Act::Axes(*dimensions)),
            SeenAxes::Hand(_) => return None,
        };
        // Digits as they are shown: 0.25, not 0.25000000372529.
        let speed = if self.paused { 0.0 } else { f64::from((self.speed * 1000.0).round()) / 1000.0 };
        Some(Act::Tour { speed: (route != Route::Principal).then_some(speed), route })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_is_said_in_a_cue_and_done_by_it() {
        let column = SeenAxes::Guided(Apart::Column("cell type".into()));
        for axes in [SeenAxes::Principal, SeenAxes::Grand, column, SeenAxes::Dimensions([4, 0, 2])] {
            let seeing = Seeing { axes, speed: 0.4, paused: false };
            let mut obeyed = Seeing { speed: 0.4, paused: true, ..Seeing::default() };
            assert!(obeyed.obey(&seeing.act().expect("words")));
            assert_eq!(obeyed, seeing);
        }
        let hand = Seeing { axes: SeenAxes::Hand(vec![[1.0, 0.0, 0.0]]), ..Seeing::default() };
        assert_eq!(hand.act(), None);
        assert!(!Seeing::default().obey(&Act::Stop));
    }

    #[test]
    fn a_tour_that_is_paused_stands_still_in_a_score() {
        let seeing = Seeing { axes: SeenAxes::Grand, paused: true, ..Seeing::default() };
        assert_eq!(seeing.act(), Some(Act::Tour { route: Route::Grand, speed: Some(0.0) }));
    }
}
