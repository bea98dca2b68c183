//! The card that the wheel stands on.

use super::{Grown, Growth, HierarchyCard, wheel};
use crate::dialogs::Dialogs;
use crate::model::{DataCard, Request};
use crate::theme::Theme;
use bevy::ecs::prelude::{MessageWriter, Res, ResMut, Result};
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Align2, Button, ProgressBar, Rect, RichText, Slider, Ui, Window, vec2};
use colours::count_text;
use inspect::ToolSettings;
use orbit_camera::ViewInsets;
use points::PointSettings;
use std::sync::Arc;

/// Side of the wheel at first.
const SIDE: f32 = 340.0;
/// Room for the controls above it.
const CONTROLS: f32 = 84.0;
/// Distance from the edges of the cloud …
const MARGIN: f32 = 12.0;
/// … and from its foot, where lines stand that tell what goes on.
const FOOT: f32 = 58.0;

/// Draws the hierarchy over the lower right of the cloud, if it is to be seen.
pub fn draw_hierarchy(
    mut contexts: EguiContexts,
    mut card: ResMut<HierarchyCard>,
    (data, looks, insets, tools): (Res<DataCard>, Res<PointSettings>, Res<ViewInsets>, Res<ToolSettings>),
    mut dialogs: ResMut<Dialogs>,
    mut requests: MessageWriter<Request>,
) -> Result {
    if !card.open || data.name.is_empty() {
        return Ok(());
    }
    let context = contexts.ctx_mut()?.clone();
    let theme = Theme::of(&looks.background);
    let zoom = context.zoom_factor();
    let whole = context.viewport_rect();
    let free = Rect::from_min_max(
        whole.min + vec2(insets.left, insets.top) / zoom,
        whole.max - vec2(insets.right, insets.bottom) / zoom,
    );
    let side = SIDE.min(free.width() - 4.0 * MARGIN).min(free.height() - CONTROLS - FOOT - 5.0 * MARGIN).max(120.0);
    let mut open = true;
    let window = Window::new("Hierarchy")
        .open(&mut open)
        .default_size(vec2(side, side + CONTROLS))
        .default_pos(free.right_bottom() - vec2(MARGIN, FOOT))
        .pivot(Align2::RIGHT_BOTTOM)
        .constrain_to(free.shrink(2.0))
        .min_size(vec2(220.0, 220.0))
        .collapsible(false);
    window.show(&context, |ui| match (card.growing, card.grown.clone()) {
        (Some(growth), _) => growing(ui, &theme, growth, &mut requests),
        (None, Some(grown)) => {
            controls(ui, &theme, &mut card, &grown, &mut requests, || dialogs.export_hierarchy(&data.name));
            if let Some((node, shift, ctrl)) = wheel::show(ui, &theme, &card, &grown) {
                requests.write(Request::SelectNode { node, how: tools.combine_with(shift, ctrl) });
            }
        }
        (None, None) => {
            ui.label("How the clusters of these rows part as the tails of their embedding grow heavier.");
            if ui.button("Grow").clicked() {
                requests.write(Request::GrowHierarchy);
            }
        }
    });
    if !open {
        card.open = false;
    }
    Ok(())
}

fn growing(ui: &mut Ui, theme: &Theme, growth: Growth, requests: &mut MessageWriter<Request>) {
    let Growth { iteration, iterations, level, levels, seconds_left } = growth;
    let share = iteration as f32 / iterations.max(1) as f32;
    ui.add(ProgressBar::new(share).desired_height(8.0).fill(theme.accent));
    let left = seconds_left.map_or(String::new(), |seconds| format!(", about {seconds:.0} s left"));
    let words = format!("growing level {} of {levels}{left}", (level + 1).min(levels));
    ui.label(RichText::new(words).color(theme.quiet));
    if ui.button("Cancel").clicked() {
        requests.write(Request::CancelHierarchy);
    }
}

fn controls(
    ui: &mut Ui,
    theme: &Theme,
    card: &mut HierarchyCard,
    grown: &Arc<Grown>,
    requests: &mut MessageWriter<Request>,
    export: impl FnOnce(),
) {
    let levels = grown.hierarchy.levels();
    let last = levels.len().saturating_sub(1);
    let (mut level, mut coloured) = (card.level.min(last), card.coloured);
    ui.horizontal(|ui| {
        ui.label("level");
        ui.spacing_mut().slider_width = 110.0;
        ui.add(Slider::new(&mut level, 0..=last).show_value(false));
        let nodes = count_text(grown.hierarchy.nodes_at(level).count());
        let words = format!("{level} · α {:.3} · {nodes} nodes", levels[level].alpha);
        let noise = count_text(levels[level].noise());
        ui.label(RichText::new(words).color(theme.quiet)).on_hover_text(format!("{noise} rows are in none of them"));
    });
    ui.horizontal(|ui| {
        let words = "The cloud gets a column of the nodes of this level, and its colours.";
        ui.checkbox(&mut coloured, "colour the cloud").on_hover_text(words);
        let words = "Writes the graph (.json, .graphml), or the rows with a column for each level (.parquet).";
        if ui.add(Button::new("Export…")).on_hover_text(words).clicked() {
            export();
        }
        if ui.button("Grow again").on_hover_text("Of the rows that are shown now.").clicked() {
            requests.write(Request::GrowHierarchy);
        }
    });
    if (level, coloured) != (card.level, card.coloured) {
        if coloured || card.coloured {
            requests.write(Request::ColourByLevel(coloured.then_some(level)));
        }
        (card.level, card.coloured) = (level, coloured);
    }
}
