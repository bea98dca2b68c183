//! Rows that are held where they are.

use super::Steering;
use crate::theme::Theme;
use crate::widgets::{SliderRow, quiet, section};
use bevy_egui::egui::{Button, Ui};
use embedding::Settings;
use std::sync::Arc;

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering) {
    let Some(data) = steering.live.snapshot().map(|snapshot| Arc::clone(&snapshot.data)) else { return };
    let before = steering.live.settings().clone();
    let mut settings = before.clone();
    section(ui, theme, "PIN", false, |ui| {
        quiet(ui, theme, "Pinned points stay where they are; others arrange themselves around them.");
        ui.horizontal(|ui| {
            let selected = !steering.selection.is_empty();
            let pressed = |ui: &mut Ui, enabled, words: &str| ui.add_enabled(enabled, Button::new(words)).clicked();
            if pressed(ui, selected, "pin selection") {
                let rows = data.rows().filter(|&row| steering.selection.rows().contains(row)).collect();
                steering.live.pin(rows, true);
            }
            if pressed(ui, true, "pin all") {
                steering.live.pin(data.rows().collect(), true);
            }
            if pressed(ui, true, "free all") {
                steering.live.pin(data.rows().collect(), false);
            }
        });
        let effect = "How firmly pinned points are held: 1 keeps them in place, less lets them give way. (stiffness)";
        let usual = Settings::default().stiffness;
        SliderRow::new("stiffness", effect, 0.0..=1.0, usual, false).slide(ui, theme, &mut settings.stiffness);
    });
    if settings != before
        && let Err(error) = steering.live.set_settings(settings)
    {
        quiet(ui, theme, error.to_string());
    }
}
