//! The embedding: run it, and steer it.

use super::Steering;
use crate::keys::{Deed, shown};
use crate::presets::{PRESETS, most_perplexity};
use crate::theme::Theme;
use crate::widgets::{SliderRow, quiet, section};
use bevy_egui::egui::{Button, ComboBox, DragValue, RichText, Ui, Vec2, vec2};
use embedding::Settings;
use vectors::Metric;

/// Most dimensions that the panel offers; flags and files may ask for more.
const MOST_DIMS: usize = 64;

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    ui.add_space(4.0);
    buttons(ui, theme, steering, deeds);
    let before = steering.live.settings().clone();
    let mut settings = before.clone();
    let rows = steering.card.rows;
    section(ui, theme, "EMBEDDING", true, |ui| {
        presets(ui, &mut settings, rows);
        sliders(ui, theme, &mut settings, rows);
        choices(ui, &mut settings, deeds);
        pace(ui, steering);
    });
    if settings != before
        && let Err(error) = steering.live.set_settings(settings)
    {
        quiet(ui, theme, error.to_string());
    }
}

fn buttons(ui: &mut Ui, theme: &Theme, steering: &Steering, deeds: &mut Vec<Deed>) {
    let paused = steering.live.is_paused();
    ui.horizontal(|ui| {
        let (words, effect) = if paused {
            ("▶ go on", "The points move again.")
        } else {
            ("⏸ pause", "The points stand still; everything else still works.")
        };
        let size = vec2((ui.available_width() - 6.0) / 2.0, 28.0);
        let label = RichText::new(words).strong().color(if paused { theme.accent } else { theme.text });
        press(ui, deeds, label, size, Deed::Pause, effect);
        press(ui, deeds, "one step".into(), size, Deed::Step, "Pauses, and moves every point once.");
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 2.0;
        let size = vec2((ui.available_width() - 3.0 * 6.0) / 4.0, 24.0);
        for (words, deed, effect) in ACTIONS {
            press(ui, deeds, words.into(), size, deed, effect);
        }
    });
}

/// What one can do to the embedding, and what comes of it.
const ACTIONS: [(&str, Deed, &str); 4] = [
    ("settle", Deed::Settle, "Lets the jitter die away over 250 iterations: the sharpest picture."),
    ("implode", Deed::Implode, "Draws all points together, so that large-scale order can form anew."),
    ("explode", Deed::Explode, "Blows the cloud up; neighbours find each other again."),
    ("reset", Deed::Reset, "Starts again from the linear projection; the neighbours found are kept."),
];

/// A button for a deed, with its key in the tooltip.
fn press(ui: &mut Ui, deeds: &mut Vec<Deed>, words: RichText, size: Vec2, deed: Deed, effect: &str) {
    let response = ui.add(Button::new(words).min_size(size));
    if response.on_hover_text(format!("{effect}\n\nKey: {}", shown(deed))).clicked() {
        deeds.push(deed);
    }
}

fn presets(ui: &mut Ui, settings: &mut Settings, rows: usize) {
    let current = PRESETS.iter().find(|preset| preset.is_in_force(settings, rows));
    ui.horizontal(|ui| {
        ui.label("preset").on_hover_text("Ready-made settings; each slider can still be moved.");
        let shown = current.map_or("your own", |preset| preset.name);
        ComboBox::from_id_salt("preset").width(ui.available_width() - 8.0).selected_text(shown).show_ui(ui, |ui| {
            for preset in PRESETS {
                let chosen = current.is_some_and(|current| current.name == preset.name);
                if ui.selectable_label(chosen, preset.name).on_hover_text(preset.effect).clicked() {
                    *settings = preset.over(settings, rows);
                }
            }
        });
    });
}

fn sliders(ui: &mut Ui, theme: &Theme, settings: &mut Settings, rows: usize) {
    let usual = Settings::for_rows(rows);
    let tails = "Finer clusters to the left of 1, smoother shapes to the right. Very heavy tails pack clusters into \
                 dots: raise the repulsion then. Back from far to the right the cloud forms again. (α)";
    let neighbours = "How many neighbours each point is drawn to: few show fine detail, many show larger shapes. \
                      (perplexity)";
    let young = "How much harder neighbours pull in the first iterations after a reset: clusters gather sooner and \
                 tighter. (early exaggeration)";
    SliderRow::new("tails", tails, 0.05..=100.0, usual.alpha, true).slide(ui, theme, &mut settings.alpha);
    let most = f64::from(most_perplexity(rows).max(settings.perplexity));
    SliderRow::new("neighbours", neighbours, 2.0..=most, usual.perplexity, true).slide(
        ui,
        theme,
        &mut settings.perplexity,
    );
    let pull = "Pull between neighbours: more packs clusters tighter and draws related ones together. (attraction)";
    SliderRow::new("attraction", pull, 0.0..=20.0, usual.attraction, true).slide(ui, theme, &mut settings.attraction);
    let push = "Push between all points: more spreads the cloud out and opens its inside. Where it exceeds the attraction \
                there is no size at which the cloud would rest: the push is held back then, as points lose their neighbours, and the \
                size is kept within bounds. (repulsion)";
    SliderRow::new("repulsion", push, 0.0..=20.0, usual.repulsion, true).slide(ui, theme, &mut settings.repulsion);
    let global = "Keeps the large-scale layout of the principal components: a spring draws every point to its place there. \
                  At 0 neighbours alone decide. (spring, DREAMS)";
    SliderRow::new("global shape", global, 0.0..=1.0, usual.spring, true).slide(ui, theme, &mut settings.spring);
    let step = "How far points move in an iteration: more settles sooner and jitters more. (step)";
    SliderRow::new("step", step, 0.05..=20.0, usual.step, true).slide(ui, theme, &mut settings.step);
    let glide = "How much of its last move a point keeps: more glides farther, and may overshoot. (momentum)";
    SliderRow::new("momentum", glide, 0.0..=0.98, usual.momentum, false).slide(ui, theme, &mut settings.momentum);
    SliderRow::new("exaggeration", young, 1.0..=30.0, usual.early_exaggeration, false).slide(
        ui,
        theme,
        &mut settings.early_exaggeration,
    );
}

fn choices(ui: &mut Ui, settings: &mut Settings, deeds: &mut Vec<Deed>) {
    ui.horizontal(|ui| {
        ui.label("metric").on_hover_text(
            "How far apart two rows of the data are, and so who is a neighbour. Cosine and correlation ignore the size \
             of a vector.",
        );
        let shown = settings.metric.name();
        ComboBox::from_id_salt("metric").width(ui.available_width() - 8.0).selected_text(shown).show_ui(ui, |ui| {
            for metric in Metric::ALL {
                ui.selectable_value(&mut settings.metric, metric, metric.name());
            }
        });
    });
    ui.horizontal(|ui| {
        ui.label("dimensions").on_hover_text(
            "2 is a flat map, 3 a cloud in space; beyond 3 the cloud is seen along its widest axes. More dimensions keep \
             more of the neighbourhoods.",
        );
        for dims in [2, 3] {
            ui.selectable_value(&mut settings.dims, dims, format!(" {dims} "));
        }
        ui.add(DragValue::new(&mut settings.dims).range(1..=MOST_DIMS).speed(0.05).update_while_editing(false));
    });
    ui.horizontal(|ui| {
        ui.label("seed").on_hover_text("Another seed gives another picture of the same data, with the next reset.");
        ui.add(DragValue::new(&mut settings.seed).speed(0.1).update_while_editing(false));
        let effect = "Another seed and a new start.";
        if ui.button("new").on_hover_text(format!("{effect}\n\nKey: {}", shown(Deed::NewSeed))).clicked() {
            deeds.push(Deed::NewSeed);
        }
    });
}

/// Iterations a frame: as many as there is time for, or few enough to watch.
fn pace(ui: &mut Ui, steering: &mut Steering) {
    if steering.desk.is_played() {
        return; // the score says
    }
    let mut pace = steering.live.iterations_per_frame;
    ui.horizontal(|ui| {
        let effect = "How fast the cloud forms: as fast as the machine can, or so many iterations a frame, slow enough \
                      to watch.";
        ui.label("iterations a frame").on_hover_text(effect);
        let mut limited = pace.is_some();
        if ui.selectable_label(!limited, "all").on_hover_text(effect).clicked() {
            limited = false;
        }
        let mut iterations = pace.unwrap_or(1);
        let field = ui.add(DragValue::new(&mut iterations).range(1..=100).speed(0.05).update_while_editing(false));
        limited |= field.changed() || (field.clicked() && pace.is_none());
        pace = limited.then_some(iterations);
    });
    steering.live.set_iterations_per_frame(pace);
}
