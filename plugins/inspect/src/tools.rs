//! What the mouse does to the points.

use bevy::ecs::prelude::Resource;
use selection::Combine;
use serde::{Deserialize, Serialize};

/// What a drag with the left button is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Tool {
    /// Turning the view; a click inspects a point, a double click selects its cluster.
    #[default]
    Point,
    /// Drawing a loop around points.
    Lasso,
    /// Pulling up a box around points.
    Box,
    /// Painting over points with a sphere.
    Brush,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Point, Self::Lasso, Self::Box, Self::Brush];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Lasso => "lasso",
            Self::Box => "box",
            Self::Brush => "brush",
        }
    }

    /// Whether a drag draws, and does not turn the view.
    #[must_use]
    pub fn draws(self) -> bool {
        self != Self::Point
    }
}

/// How points are selected. Remembered with the session.
#[derive(Resource, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolSettings {
    /// What a drag is for.
    pub tool: Tool,
    /// What becomes of what was selected before; Shift adds and Ctrl takes away, whatever stands here.
    pub combine: Combine,
    /// Also points that are covered by others.
    pub through: bool,
    /// How finely clusters are told apart: more makes them smaller (0.2 to 5).
    pub granularity: f32,
    /// Radius of the brush, as a share of the cloud's (0.005 to 0.5).
    pub brush: f32,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self { tool: Tool::Point, combine: Combine::Replace, through: false, granularity: 1.0, brush: 0.08 }
    }
}

impl ToolSettings {
    /// Where [`granularity`](Self::granularity) can go.
    pub const GRANULARITY: std::ops::RangeInclusive<f32> = 0.2..=5.0;
    /// Where [`brush`](Self::brush) can go.
    pub const BRUSH: std::ops::RangeInclusive<f32> = 0.005..=0.5;

    /// What becomes of the selection, with these keys held.
    #[must_use]
    pub fn combine_with(&self, shift: bool, ctrl: bool) -> Combine {
        match (shift, ctrl) {
            (true, true) => Combine::Intersect,
            (true, false) => Combine::Add,
            (false, true) => Combine::Subtract,
            (false, false) => self.combine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_keys_outrank_the_panel() {
        let settings = ToolSettings { combine: Combine::Subtract, ..ToolSettings::default() };
        assert_eq!(settings.combine_with(false, false), Combine::Subtract);
        assert_eq!(settings.combine_with(true, false), Combine::Add);
        assert_eq!(settings.combine_with(false, true), Combine::Subtract);
        assert_eq!(settings.combine_with(true, true), Combine::Intersect);
    }
}
