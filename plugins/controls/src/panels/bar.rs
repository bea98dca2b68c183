//! The bar: menus, what is open, and how fast it goes.

use super::Steering;
use crate::desk::{Conduct, Doing};
use crate::keys::{Deed, shown};
use crate::model::Request;
use crate::theme::Theme;
use bevy_egui::egui::{Align, Button, Layout, MenuBar, RichText, Ui};
use colours::count_text;
use inspect::Tool;
use live::Activity;
use orbit_camera::StandardView;
use score::Take;

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>, frame_seconds: f32) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file(ui, steering, deeds));
        ui.menu_button("Edit", |ui| {
            item(ui, deeds, "Undo", Deed::Undo);
            item(ui, deeds, "Redo", Deed::Redo);
        });
        ui.menu_button("Select", |ui| select(ui, deeds));
        ui.menu_button("View", |ui| view(ui, deeds));
        ui.menu_button("Record", |ui| record(ui, steering, deeds));
        ui.menu_button("Help", |ui| item(ui, deeds, "Keys and mouse", Deed::Help));
        ui.add_space(12.0);
        title(ui, theme, steering);
        stream(ui, theme, steering, deeds);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| speed(ui, theme, steering, frame_seconds));
    });
}

fn item(ui: &mut Ui, deeds: &mut Vec<Deed>, words: &str, deed: Deed) {
    if ui.add(Button::new(words).shortcut_text(shown(deed))).clicked() {
        deeds.push(deed);
        ui.close();
    }
}

fn file(ui: &mut Ui, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    item(ui, deeds, "Open…", Deed::Open);
    if ui.button("Open the demo").clicked() {
        steering.requests.write(Request::OpenDemo);
        ui.close();
    }
    ui.separator();
    let has_data = !steering.card.name.is_empty();
    ui.add_enabled_ui(has_data, |ui| {
        item(ui, deeds, "Save session", Deed::Save);
        item(ui, deeds, "Save session as…", Deed::SaveAs);
        item(ui, deeds, "Export coordinates…", Deed::Export);
        item(ui, deeds, "Export selection…", Deed::ExportSelection);
        ui.separator();
        item(ui, deeds, "Save picture", Deed::Screenshot);
        item(ui, deeds, "Save picture as…", Deed::ScreenshotAs);
        let interface = &mut steering.interface;
        ui.horizontal(|ui| {
            ui.label("size");
            for scale in 1..=4 {
                let chosen = interface.screenshot_scale == scale;
                if ui.selectable_label(chosen, format!("{scale}×")).clicked() {
                    interface.screenshot_scale = scale;
                }
            }
        });
        let mut transparent = interface.screenshot_transparent;
        if ui.checkbox(&mut transparent, "without background").changed() {
            interface.screenshot_transparent = transparent;
        }
    });
    ui.separator();
    item(ui, deeds, "Quit", Deed::Quit);
}

fn select(ui: &mut Ui, deeds: &mut Vec<Deed>) {
    for tool in [Tool::Lasso, Tool::Box, Tool::Brush] {
        let name = tool.name();
        let words = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        item(ui, deeds, &words, Deed::Tool(tool));
    }
    item(ui, deeds, "Search…", Deed::Search);
    ui.separator();
    item(ui, deeds, "All", Deed::SelectAll);
    item(ui, deeds, "Invert", Deed::Invert);
    item(ui, deeds, "Let go", Deed::LetGo);
    ui.separator();
    item(ui, deeds, "Dive into the selection", Deed::Dive);
    item(ui, deeds, "Up, out of a dive", Deed::Rise);
    item(ui, deeds, "Find clusters", Deed::FindClusters);
}

fn view(ui: &mut Ui, deeds: &mut Vec<Deed>) {
    item(ui, deeds, "Frame the selection", Deed::FrameSelection);
    item(ui, deeds, "Frame all", Deed::FrameAll);
    item(ui, deeds, "Look at the inspected point", Deed::LookAt);
    ui.separator();
    for (words, view) in [
        ("Front", StandardView::Front),
        ("Back", StandardView::Back),
        ("Left", StandardView::Left),
        ("Right", StandardView::Right),
        ("Top", StandardView::Top),
        ("Bottom", StandardView::Bottom),
        ("Three-quarter", StandardView::ThreeQuarter),
    ] {
        item(ui, deeds, words, Deed::View(view));
    }
    ui.separator();
    item(ui, deeds, "Turntable", Deed::Turntable);
    item(ui, deeds, "Fly", Deed::Fly);
    ui.separator();
    item(ui, deeds, "Hierarchy", Deed::Hierarchy);
    item(ui, deeds, "Panels", Deed::Panels);
    item(ui, deeds, "Full screen", Deed::FullScreen);
    item(ui, deeds, "Larger text", Deed::Larger);
    item(ui, deeds, "Smaller text", Deed::Smaller);
    item(ui, deeds, "Usual text", Deed::UsualSize);
}

fn record(ui: &mut Ui, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    let recording = steering.desk.doing == Doing::Recording;
    ui.add_enabled_ui(!steering.card.name.is_empty(), |ui| {
        item(ui, deeds, if recording { "Stop recording" } else { "Record" }, Deed::Record);
        item(ui, deeds, "Timeline", Deed::Timeline);
        ui.separator();
        for take in Take::ALL {
            let words = format!("Take: {take}");
            if ui.add_enabled(!recording, Button::new(words)).on_hover_text(take.about()).clicked() {
                steering.conduct.write(Conduct::Take(take));
                ui.close();
            }
        }
        ui.separator();
        ui.add_enabled_ui(steering.desk.has_score() && !recording, |ui| {
            item(ui, deeds, "Present", Deed::Present);
            item(ui, deeds, "Save the score…", Deed::SaveScoreAs);
            item(ui, deeds, "Make a movie…", Deed::Movie);
        });
    });
}

/// What is open: name, rows and dimensions.
fn title(ui: &mut Ui, theme: &Theme, steering: &Steering) {
    let card = &steering.card;
    if card.name.is_empty() {
        return;
    }
    ui.label(RichText::new(&card.name).strong().color(theme.text));
    let dims = steering.live.snapshot().map_or(steering.live.settings().dims, |snapshot| snapshot.dims);
    let size = format!("{} × {} · {dims}-D", count_text(card.rows), count_text(card.dims));
    let label = ui.label(RichText::new(size).color(theme.quiet));
    if card.input_dims > card.dims {
        label.on_hover_text(format!(
            "{} dimensions in the file, {} principal components of them in use",
            count_text(card.input_dims),
            count_text(card.dims)
        ));
    }
}

/// What feeds the data: rows a second, rows that wait, and a button that stops it.
fn stream(ui: &mut Ui, theme: &Theme, steering: &Steering, deeds: &mut Vec<Deed>) {
    let card = &steering.stream;
    if card.name.is_empty() {
        return;
    }
    let (words, effect) = if card.paused {
        ("▶", "Takes in again what the stream brings.")
    } else {
        ("⏸", "Takes nothing more in; who brings rows waits. The points go on.")
    };
    ui.add_space(8.0);
    let effect = format!("{effect}\n\nKey: {}", shown(Deed::PauseStream));
    if ui.small_button(words).on_hover_text(effect).clicked() {
        deeds.push(Deed::PauseStream);
    }
    let (text, colour) = match (&card.waiting, card.paused) {
        (_, true) => (format!("stream paused, {} wait", count_text(card.lag)), theme.accent),
        (Some(why), _) => (format!("stream {why}"), theme.accent),
        (None, false) if card.lag > 0 => {
            (format!("+{} /s, {} wait", count_text(card.rate.round() as usize), count_text(card.lag)), theme.quiet)
        }
        (None, false) => (format!("+{} /s", count_text(card.rate.round() as usize)), theme.quiet),
    };
    let about = format!("{}: {} rows have come", card.name, count_text(card.arrived as usize));
    ui.label(RichText::new(text).color(colour)).on_hover_text(about);
}

/// Which engine, how fast, what it is doing.
fn speed(ui: &mut Ui, theme: &Theme, steering: &Steering, frame_seconds: f32) {
    let card = &steering.card;
    let fps = if frame_seconds > 0.0 { 1.0 / frame_seconds } else { 0.0 };
    let drawing = format!("{:.1} ms a frame, drawn by {}", 1000.0 * frame_seconds, card.adapter);
    ui.label(RichText::new(format!("{fps:.0} fps")).color(theme.quiet)).on_hover_text(drawing);
    let Some(snapshot) = steering.live.snapshot() else { return };
    match steering.live.activity() {
        Activity::Paused => {
            ui.label(RichText::new("paused").strong().color(theme.accent)).on_hover_text("Space goes on");
        }
        Activity::Settled => {
            let effect = "The layout is at rest and the neighbours are found: nothing is computed until something changes. \
                          Any setting, action or new row goes on from here.";
            ui.label(RichText::new("settled").strong().color(theme.text)).on_hover_text(effect);
        }
        Activity::Starting => {
            ui.label(RichText::new("starting").color(theme.accent));
        }
        Activity::Running | Activity::Empty => {
            ui.label(RichText::new(format!("{:.0} it/s", snapshot.rate)).color(theme.quiet));
        }
    }
    let iteration = count_text(snapshot.statistics.iteration as usize);
    ui.label(RichText::new(format!("iteration {iteration}")).color(theme.quiet));
    let engine = ui.label(RichText::new(&card.engine).color(theme.quiet));
    if !card.engine_note.is_empty() {
        engine.on_hover_text(&card.engine_note);
    }
}
