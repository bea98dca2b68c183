//! Looking closer at a running embedding: which point is under the cursor, what lies around it, and which rows are
//! selected. What is found is told in rows of the table, so that it holds while the points move and change places.
//!
//! # What flows where
//!
//! ```text
//! mouse ─► hand: clicks, strokes ─┬─► picking ──► Hovered, Inspected ──► ties to neighbours (thread: exact search)
//!                                 │      └──────► growing (thread: the cluster around a point) ──┐
//!                                 └─► strokes: lasso, box, brush ────────────────────────────────┴─► Selection
//! ```
//!
//! Everything runs in `Update`, in the order of [`InspectSystems`], on the camera and the points of the frame that is
//! on the screen. Nothing waits: searches run on threads, and a pick on the graphics device comes back some frames later.

mod growing;
mod hand;
mod hover;
mod inspected;
mod neighbours;
mod picking;
mod selected;
mod strokes;
mod tools;

pub use growing::Growing;
pub use hand::Stroke;
pub use hover::Hovered;
pub use inspected::{Inspected, NEIGHBOURS, Neighbour, Tie};
pub use picking::{Questions, SoftwareAdapter};
pub use selected::{Named, Selection};
pub use tools::{Tool, ToolSettings};

use bevy::app::{App, Plugin, Update};
use bevy::ecs::prelude::{IntoScheduleConfigs, SystemSet};

/// The systems of this plugin, in order.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum InspectSystems {
    /// What the mouse does.
    Hand,
    /// Which points that is about, and what follows from it.
    Find,
}

/// Adds picking and selecting. Needs the running embedding, the points and the orbit camera.
#[derive(Debug, Default)]
pub struct InspectPlugin;

impl Plugin for InspectPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<hand::Hand>()
            .init_resource::<Stroke>()
            .init_resource::<Hovered>()
            .init_resource::<Inspected>()
            .init_resource::<Growing>()
            .init_resource::<Selection>()
            .init_resource::<ToolSettings>()
            .init_resource::<SoftwareAdapter>()
            .init_resource::<Questions>()
            .add_message::<hand::Gesture>()
            .add_message::<picking::Answer>()
            .configure_sets(Update, (InspectSystems::Hand, InspectSystems::Find).chain()) // found in the frame it was asked
            .add_systems(Update, (hand::take_left_button, hand::watch_hand).chain().in_set(InspectSystems::Hand))
            .add_systems(
                Update,
                (
                    selected::follow_the_table,
                    (hover::ask, picking::ask_for_gestures, picking::hear_device, strokes::select_by_strokes),
                    (hover::hear, inspected::hear, growing::hear, strokes::brush),
                    (growing::grow, inspected::tie),
                )
                    .chain() // questions, answers, what follows from them
                    .in_set(InspectSystems::Find),
            );
    }
}
