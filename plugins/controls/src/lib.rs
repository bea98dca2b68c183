//! The interface: panels around the cloud, keys, dialogs, notices.
//!
//! # What flows where
//!
//! ```text
//! LiveEmbedding ─┐                                 ┌─► LiveEmbedding (settings, actions, pause)
//! QualityWatch  ─┤                                 ├─► ColourPanel.settings, PointSettings, CameraSettings, Seeing
//! DataCard      ─┼─► draw_interface (egui, once) ──┼─► CameraCommand (frame, views, turntable)
//! Inspected     ─┤        ▲                        ├─► Selection, ToolSettings, Inspected
//! ColourPanel   ─┤        │                        ├─► Request (open, save, export, search, dive: the application's work)
//! Desk          ─┤        │                        ├─► Desk::score (the timeline)
//! Notices       ─┘        │ press_keys             └─► Conduct (record, play, present: the application's work too)
//! ```
//!
//! Panels change settings where they live; there is no second copy. Whatever needs files or threads is a [`Request`]
//! that the application serves. [`history`] watches the settings and makes every change undoable, whoever made it.
//!
//! The cloud is the hero: panels stand left and right of it and hide with one key; [`orbit_camera::ViewInsets`] tells
//! the camera which part of the window is free.

pub mod branches;
pub mod desk;
pub mod dialogs;
pub mod history;
mod images;
pub mod keys;
pub mod model;
pub mod overlay;
pub mod panels;
pub mod presets;
pub mod seeing;
pub mod theme;
mod ties;
pub mod widgets;

pub use branches::{Grown, Growth, HierarchyCard, Slice};
pub use desk::{Conduct, Desk, Doing};
pub use model::{
    Announce, CentroidLabel, CentroidLabels, ColourPanel, DataCard, Explained, InspectorCard, Interface, Loading,
    Notices, Request, RowCard, RowImage, SelectionCard, StreamCard,
};
pub use seeing::{Apart, Seeing, SeenAxes};

use bevy::app::{App, Plugin, Update};
use bevy::ecs::prelude::{IntoScheduleConfigs, SystemSet};
use bevy_egui::EguiPrimaryContextPass;

/// The systems of the interface.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum ControlsSystems {
    /// Keys, in `Update` and before drawing.
    Keys,
    /// Panels and overlays, in egui's pass.
    Draw,
    /// Remembers what can be undone, after drawing.
    Remember,
}

/// Adds the interface. Needs `EguiPlugin`, and the resources of the plugins it steers.
#[derive(Debug, Default)]
pub struct ControlsPlugin;

impl Plugin for ControlsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Interface>()
            .init_resource::<DataCard>()
            .init_resource::<StreamCard>()
            .init_resource::<ColourPanel>()
            .init_resource::<CentroidLabels>()
            .init_resource::<Notices>()
            .init_resource::<InspectorCard>()
            .init_resource::<SelectionCard>()
            .init_resource::<Desk>()
            .init_resource::<Seeing>()
            .init_resource::<HierarchyCard>()
            .init_resource::<history::History>()
            .init_resource::<dialogs::Dialogs>()
            .add_message::<Request>()
            .add_message::<Conduct>()
            .add_systems(Update, keys::press_keys.in_set(ControlsSystems::Keys))
            .add_systems(
                EguiPrimaryContextPass,
                (
                    keys::keep_tab.in_set(ControlsSystems::Keys), // before any field is drawn that could take it
                    (
                        theme::apply_theme,
                        panels::draw_panels,
                        ties::draw_ties,
                        branches::draw_hierarchy,
                        overlay::draw_overlay,
                        dialogs::draw_dialogs,
                    )
                        .chain() // panels take their place first; what lies over them is drawn after them
                        .in_set(ControlsSystems::Draw),
                    history::remember.in_set(ControlsSystems::Remember),
                )
                    .chain(), // a change is remembered in the frame that made it
            );
    }
}
