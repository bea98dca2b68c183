//! Selecting rows, and what to do with them.

use super::Steering;
use crate::keys::{Deed, shown};
use crate::model::Request;
use crate::theme::Theme;
use crate::widgets::{SliderRow, quiet, section};
use bevy_egui::egui::{Align, Button, Key, Label, Layout, RichText, TextEdit, Ui};
use colours::count_text;
use inspect::{Tool, ToolSettings};
use selection::Combine;
use std::sync::Arc;

/// What can be typed into the search.
const SEARCH_HELP: &str = "Words that a row must hold, in any of its columns, or:\n\
    column:text   contains it\n\
    column=value   column!=value   column<3   column>=2.5\n\
    column:2..5   a range   column=   no value\n\
    row:17   row:10..20   by their numbers in the file\n\
    Several must all hold; \"or\" between them, - before one: not.\n\
    Names with spaces stand in \"quotes\". Enter selects what is found.";

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    section(ui, theme, "SELECTION", true, |ui| {
        tools(ui, theme, steering, deeds);
        search(ui, theme, steering);
        chosen(ui, theme, steering, deeds);
        named(ui, theme, steering);
        clusters(ui, theme, steering, deeds);
    });
}

fn tools(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    ui.horizontal(|ui| {
        for tool in Tool::ALL {
            let effect = match tool {
                Tool::Point => "Drag turns the cloud; click inspects a point, double click selects its cluster.",
                Tool::Lasso => "Drag draws a loop: the points in it are selected.",
                Tool::Box => "Drag pulls up a box: the points in it are selected.",
                Tool::Brush => "Drag paints over points with a sphere.",
            };
            let chosen = steering.tools.tool == tool;
            let key = if tool == Tool::Point { shown(Deed::LetGo) } else { shown(Deed::Tool(tool)) };
            let button = ui.selectable_label(chosen, tool.name()).on_hover_text(format!("{effect} ({key})"));
            if button.clicked() && !chosen {
                match tool {
                    Tool::Point => steering.tools.tool = Tool::Point,
                    tool => deeds.push(Deed::Tool(tool)),
                }
            }
        }
    });
    ui.horizontal(|ui| {
        for how in Combine::ALL {
            let effect = match how {
                Combine::Replace => "What is selected next takes the place of what was selected.",
                Combine::Add => "It is added. (Shift)",
                Combine::Subtract => "It is taken away. (Ctrl)",
                Combine::Intersect => "Only what was selected before and is selected again stays. (Shift Ctrl)",
            };
            ui.spacing_mut().button_padding.x = 5.0;
            let chosen = steering.tools.combine == how;
            if ui.selectable_label(chosen, how.name()).on_hover_text(effect).clicked() {
                steering.tools.combine = how;
            }
        }
    });
    let mut changed = steering.tools.clone();
    let flat = steering.live.snapshot().is_some_and(|snapshot| snapshot.dims <= 2);
    if changed.tool.draws() && !flat {
        ui.checkbox(&mut changed.through, "through: covered points too")
            .on_hover_text("Lasso and box take only points of which something is seen, unless this is on.");
        if steering.stroke.covered > 0 && !steering.stroke.under_way {
            let words = format!("{} covered points within were not taken", count_text(steering.stroke.covered));
            ui.label(RichText::new(words).small().color(theme.accent));
        }
    }
    let (low, high) = (f64::from(*ToolSettings::BRUSH.start()), f64::from(*ToolSettings::BRUSH.end()));
    if changed.tool == Tool::Brush {
        let effect = "Radius of the brush, as a share of the cloud's.";
        SliderRow { decimals: 3, ..SliderRow::new("brush", effect, low..=high, 0.08, true) }.slide(
            ui,
            theme,
            &mut changed.brush,
        );
    }
    let (low, high) = (f64::from(*ToolSettings::GRANULARITY.start()), f64::from(*ToolSettings::GRANULARITY.end()));
    let effect = "How finely clusters are told apart: to the right they become smaller. \
                  The cluster that was double clicked last grows anew.";
    SliderRow::new("granularity", effect, low..=high, 1.0, true).slide(ui, theme, &mut changed.granularity);
    if changed != *steering.tools {
        *steering.tools = changed;
    }
}

fn search(ui: &mut Ui, theme: &Theme, steering: &mut Steering) {
    let mut text = steering.selected.search.clone();
    let hint = format!("search rows ({})", shown(Deed::Search));
    let field = ui.add(TextEdit::singleline(&mut text).hint_text(hint).desired_width(f32::INFINITY));
    let field = field.on_hover_text(SEARCH_HELP);
    if steering.selected.focus_search {
        field.request_focus();
        steering.selected.focus_search = false;
    }
    if text != steering.selected.search {
        steering.selected.search_note = None;
        steering.selected.search = text.clone();
    }
    if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) && !text.trim().is_empty() {
        let how = steering.tools.combine;
        steering.requests.write(Request::Search { text, how });
    }
    if let Some(note) = &steering.selected.search_note {
        ui.label(RichText::new(note).small().color(theme.accent));
    }
}

fn chosen(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    let count = steering.selection.rows().count();
    if count == 0 {
        quiet(ui, theme, "nothing is selected: all points are alike");
        return;
    }
    let shown_rows = steering.live.snapshot().map_or(0, |snapshot| snapshot.data.points());
    ui.horizontal(|ui| {
        let points = if count == 1 { "point" } else { "points" };
        ui.label(RichText::new(format!("{} {points}", count_text(count))).heading());
        let share = 100.0 * count as f64 / shown_rows.max(1) as f64;
        quiet(ui, theme, format!("{share:.1} % of {}", count_text(shown_rows)));
        if steering.growing.is_busy() {
            ui.spinner();
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        ui.spacing_mut().item_spacing.x = 4.0;
        for (words, deed, effect) in [
            ("frame", Deed::FrameSelection, "The camera shows the selection."),
            ("invert", Deed::Invert, "Selects what is not selected."),
            ("dive", Deed::Dive, "Embeds the selection alone, from where it is; the way back stands above the cloud."),
            ("export…", Deed::ExportSelection, "Writes the selected rows with their columns and coordinates."),
        ] {
            let key = shown(deed);
            let hint = if key.is_empty() { effect.to_owned() } else { format!("{effect} ({key})") };
            if ui.button(words).on_hover_text(hint).clicked() {
                deeds.push(deed);
            }
        }
        if ui.button("none").on_hover_text("Lets go of the selection. (Esc)").clicked() {
            steering.selection.clear();
        }
    });
}

fn named(ui: &mut Ui, theme: &Theme, steering: &mut Steering) {
    if !steering.selection.is_empty() {
        ui.horizontal(|ui| {
            let suggestion = steering.selection.free_name();
            let mut name = steering.selected.name.clone();
            let width = ui.available_width() - 58.0;
            let field = ui.add(TextEdit::singleline(&mut name).hint_text(&suggestion).desired_width(width));
            let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let kept = ui.button("keep").on_hover_text(
                "Keeps the selection under this name: in the session, as a column of exported coordinates, and to be \
                 compared with.",
            );
            if kept.clicked() || enter {
                let name = if name.trim().is_empty() { suggestion } else { name.trim().to_owned() };
                steering.selection.name(&name);
                steering.selected.name.clear();
            } else if name != steering.selected.name {
                steering.selected.name = name;
            }
        });
    }
    let mut recalled = None;
    let mut forgotten = None;
    for named in steering.selection.named() {
        ui.horizontal(|ui| {
            let button = ui.add(Button::new(&named.name).frame(false).truncate());
            if button.on_hover_text("Click to select its rows (as replace, add, … say).").clicked() {
                recalled = Some(Arc::clone(&named.rows));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let forget = ui.add(Button::new("×").frame(false)).on_hover_text("Forgets the name, not the rows.");
                if forget.clicked() {
                    forgotten = Some(named.name.clone());
                }
                ui.add(Label::new(RichText::new(count_text(named.rows.count())).color(theme.quiet)));
            });
        });
    }
    if let Some(rows) = recalled {
        let how = steering.tools.combine;
        steering.selection.apply(&rows, how);
    }
    if let Some(name) = forgotten {
        steering.selection.forget(&name);
    }
}

fn clusters(ui: &mut Ui, theme: &Theme, steering: &Steering, deeds: &mut Vec<Deed>) {
    ui.horizontal(|ui| {
        let find = ui.add_enabled(!steering.selected.finding_clusters, Button::new("find clusters"));
        let effect = "Finds all clusters in the embedding as it is (DBSCAN; the granularity above tells how finely), as \
                      a column to colour by, to label and to export.";
        if find.on_hover_text(format!("{effect} ({})", shown(Deed::FindClusters))).clicked() {
            deeds.push(Deed::FindClusters);
        }
        if steering.selected.finding_clusters {
            ui.spinner();
            quiet(ui, theme, "finding …");
        }
    });
}
