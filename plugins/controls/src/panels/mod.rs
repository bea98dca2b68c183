//! The panels: a bar at the top, controls at the left, what was found at the right.

mod axes;
mod bar;
mod colour;
mod embedding;
mod inspector;
mod looks;
mod pins;
mod quality;
mod selection;
mod timeline;
mod why;

use crate::desk::{Conduct, Desk, Doing};
use crate::keys::{Deed, Hands};
use crate::model::{ColourPanel, DataCard, InspectorCard, Interface, Request, SelectionCard, StreamCard};
use crate::seeing::Seeing;
use crate::theme::{BAR_HEIGHT, PANEL_WIDTH, Theme};
use bevy::ecs::prelude::{Local, MessageWriter, ParamSet, Res, ResMut, Result};
use bevy::ecs::system::SystemParam;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Frame, LayerId, Margin, Panel, ScrollArea, Ui, UiBuilder};
use inspect::{Growing, Inspected, Selection, Stroke, ToolSettings};
use live::{LiveEmbedding, QualityWatch};
use orbit_camera::{CameraCommand, CameraSettings, CameraState, ViewInsets};
use points::{PointCloud, PointSettings};
use std::time::Instant;

/// Room for the scroll bar beside the controls.
const SCROLL_BAR: f32 = 8.0;

/// What panels read and change.
#[derive(SystemParam)]
pub struct Steering<'w> {
    /// The embedding.
    pub live: ResMut<'w, LiveEmbedding>,
    /// Its quality.
    pub watch: ResMut<'w, QualityWatch>,
    /// Its colours.
    pub colour: ResMut<'w, ColourPanel>,
    /// Its looks.
    pub looks: ResMut<'w, PointSettings>,
    /// Which axes are seen.
    pub seeing: ResMut<'w, Seeing>,
    /// What is drawn.
    pub cloud: Res<'w, PointCloud>,
    /// The camera.
    pub camera: ResMut<'w, CameraSettings>,
    /// The interface itself.
    pub interface: ResMut<'w, Interface>,
    /// The data.
    pub card: Res<'w, DataCard>,
    /// What feeds it.
    pub stream: Res<'w, StreamCard>,
    /// The row that is looked at.
    pub inspected: ResMut<'w, Inspected>,
    /// It in words.
    pub inspector: Res<'w, InspectorCard>,
    /// The rows that are selected.
    pub selection: ResMut<'w, Selection>,
    /// What is known of them.
    pub selected: ResMut<'w, SelectionCard>,
    /// How rows are selected.
    pub tools: ResMut<'w, ToolSettings>,
    /// The stroke that was drawn last.
    pub stroke: Res<'w, Stroke>,
    /// The cluster that was selected last.
    pub growing: Res<'w, Growing>,
    /// The score, and what is done with it.
    pub desk: ResMut<'w, Desk>,
    /// Where the cloud is seen from.
    pub view: Res<'w, CameraState>,
    /// The part of the window that is free.
    pub insets: ResMut<'w, ViewInsets>,
    /// To the camera.
    pub views: MessageWriter<'w, CameraCommand>,
    /// To the application.
    pub requests: MessageWriter<'w, Request>,
    /// To whoever plays scores.
    pub conduct: MessageWriter<'w, Conduct>,
}

/// Smoothed time of a frame, in seconds, by the real clock.
#[derive(Debug, Default)]
pub struct FrameClock {
    last: Option<Instant>,
    seconds: f32,
}

impl FrameClock {
    fn tick(&mut self) -> f32 {
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            let seconds = (now - last).as_secs_f32();
            self.seconds = if self.seconds == 0.0 { seconds } else { self.seconds * 0.9 + seconds * 0.1 };
        }
        self.seconds
    }
}

/// Draws all panels, and tells the camera what is left of the window. Deeds that buttons ask for are done as if their
/// key had been pressed.
pub fn draw_panels(
    mut contexts: EguiContexts,
    mut params: ParamSet<(Steering, Hands)>,
    mut clock: Local<FrameClock>,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let mut deeds = Vec::new();
    let mut steering = params.p0();
    let theme = Theme::of(&steering.looks.background);
    let frame_seconds = clock.tick();
    let mut insets = ViewInsets::default();
    if steering.interface.panels {
        let everything = UiBuilder::new().layer_id(LayerId::background()).max_rect(context.viewport_rect());
        let mut ui = Ui::new(context.clone(), "panels".into(), everything);
        let zoom = context.zoom_factor();
        let frame = Frame::new().fill(theme.panel).inner_margin(Margin::symmetric(10, 3));
        Panel::top("bar").exact_size(BAR_HEIGHT).frame(frame).show_inside(&mut ui, |ui| {
            bar::show(ui, &theme, &mut steering, &mut deeds, frame_seconds);
        });
        insets.top = BAR_HEIGHT * zoom;
        if !steering.card.name.is_empty() {
            if steering.desk.open || steering.desk.doing == Doing::Recording {
                let height = timeline::height(&steering.desk);
                let frame = Frame::new().fill(theme.panel).inner_margin(Margin::symmetric(10, 4));
                Panel::bottom("timeline").exact_size(height).resizable(false).frame(frame).show_inside(&mut ui, |ui| {
                    timeline::show(ui, &theme, &mut steering, &mut deeds);
                });
                insets.bottom = height * zoom;
            }
            let frame = Frame::new().fill(theme.panel).inner_margin(Margin::symmetric(10, 4));
            let left = Panel::left("controls").exact_size(PANEL_WIDTH).resizable(false).frame(frame);
            left.show_inside(&mut ui, |ui| {
                let strip = Frame::new().fill(theme.panel).inner_margin(Margin::symmetric(0, 4));
                Panel::bottom("quality strip").frame(strip).resizable(false).show_inside(ui, |ui| {
                    quality::strip(ui, &theme, &steering);
                });
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    ui.set_max_width(ui.available_width() - SCROLL_BAR);
                    embedding::show(ui, &theme, &mut steering, &mut deeds);
                    axes::show(ui, &theme, &mut steering, &mut deeds);
                    colour::show(ui, &theme, &mut steering);
                    quality::show(ui, &theme, &mut steering);
                    pins::show(ui, &theme, &mut steering);
                    looks::show(ui, &theme, &mut steering);
                });
            });
            insets.left = PANEL_WIDTH * zoom;
            let right = Panel::right("found").exact_size(PANEL_WIDTH).resizable(false).frame(frame);
            right.show_inside(&mut ui, |ui| {
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    ui.set_max_width(ui.available_width() - SCROLL_BAR);
                    inspector::show(ui, &theme, &mut steering, &mut deeds);
                    selection::show(ui, &theme, &mut steering, &mut deeds);
                    why::show(ui, &theme, &mut steering, &mut deeds);
                });
            });
            insets.right = PANEL_WIDTH * zoom;
        }
    }
    if steering.selected.focus_search {
        steering.selected.focus_search = false; // whether there was a field to be seen or not
    }
    if *steering.insets != insets {
        *steering.insets = insets;
    }
    let mut hands = params.p1();
    deeds.into_iter().for_each(|deed: Deed| hands.perform(deed));
    Ok(())
}
