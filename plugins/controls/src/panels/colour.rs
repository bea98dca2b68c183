//! Colours and their legend.

use super::Steering;
use crate::model::{ColourPanel, Request};
use crate::theme::Theme;
use crate::widgets::{quiet, ramp_strip, range_handles, section, swatch};
use bevy_egui::egui::{
    Align, ComboBox, DragValue, Label, Layout, Modifiers, RichText, ScrollArea, Sense, TextEdit, Ui, vec2,
};
use colours::{ColourBy, ColourSettings, Kind, Legend, LegendRow, Ramp, ScaleLegend, count_text, value_text};
use selection::Combine;

/// Categories beyond which a search field is shown.
const SEARCHABLE: usize = 12;
/// Height of a long legend.
const LEGEND_HEIGHT: f32 = 190.0;
/// Height of a row of the legend.
const ROW_HEIGHT: f32 = 18.0;

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering) {
    let mut settings = steering.colour.settings.clone();
    let mut picked = None;
    section(ui, theme, "COLOUR", true, |ui| {
        let panel = &*steering.colour;
        choose(ui, panel, &mut settings);
        if let Some(note) = &panel.note {
            quiet(ui, theme, note);
        }
        match &panel.legend {
            Some(Legend::Categories(rows)) => {
                categories(ui, theme, (rows, &panel.selected), &mut settings, &mut picked)
            }
            Some(Legend::Scale(scale)) => scale_legend(ui, theme, scale, &mut settings),
            Some(Legend::Direct { missing, .. }) => {
                quiet(ui, theme, "the column's own colours");
                if *missing > 0 {
                    quiet(ui, theme, format!("{} without one are grey", count_text(*missing)));
                }
            }
            Some(Legend::Uniform) | None => {}
        }
    });
    if settings != steering.colour.settings {
        steering.colour.settings = settings;
    }
    if let Some(name) = picked {
        let how = if ui.input(|input| input.modifiers.shift) { Combine::Add } else { steering.tools.combine };
        steering.requests.write(Request::SelectCategory { name, how });
    }
}

fn name_of(by: &ColourBy) -> String {
    match by {
        ColourBy::Uniform => "one colour".to_owned(),
        ColourBy::Column(column) => column.clone(),
        ColourBy::NeighbourhoodKept => "trust: neighbourhood kept".to_owned(),
        ColourBy::DistanceCorrelation => "trust: distances kept".to_owned(),
    }
}

fn choose(ui: &mut Ui, panel: &ColourPanel, settings: &mut ColourSettings) {
    let mut by = settings.by.clone();
    ui.horizontal(|ui| {
        ui.label("by").on_hover_text("What the colour of a point stands for.");
        let width = ui.available_width() - 8.0;
        ComboBox::from_id_salt("colour by").width(width).height(320.0).selected_text(name_of(&by)).show_ui(ui, |ui| {
            ui.selectable_value(&mut by, ColourBy::Uniform, name_of(&ColourBy::Uniform));
            for column in &panel.columns {
                ui.selectable_value(&mut by, ColourBy::Column(column.clone()), column);
            }
            let kept = ui.selectable_value(&mut by, ColourBy::NeighbourhoodKept, name_of(&ColourBy::NeighbourhoodKept));
            kept.on_hover_text("Of a point's nearest in the picture, how many are its nearest in the data?");
            let distances =
                ui.selectable_value(&mut by, ColourBy::DistanceCorrelation, name_of(&ColourBy::DistanceCorrelation));
            distances.on_hover_text("Are things that look far from a point far from it in the data?");
        });
    });
    if by != settings.by {
        settings.colour_by(by);
    }
    ui.horizontal(|ui| {
        ui.label("labels").on_hover_text("Names that stand in the middle of their points, whatever the colours are.");
        let shown = settings.labels.clone().unwrap_or_else(|| "none".to_owned());
        let width = ui.available_width() - 8.0;
        ComboBox::from_id_salt("labels").width(width).selected_text(shown).show_ui(ui, |ui| {
            ui.selectable_value(&mut settings.labels, None, "none");
            for column in &panel.categorical {
                ui.selectable_value(&mut settings.labels, Some(column.clone()), column);
            }
        });
    });
}

fn categories(
    ui: &mut Ui,
    theme: &Theme,
    (rows, selected): (&[LegendRow], &[usize]),
    settings: &mut ColourSettings,
    picked: &mut Option<String>,
) {
    let remembered = ui.id().with("legend search");
    let mut search: String = ui.data_mut(|data| data.get_temp(remembered)).unwrap_or_default();
    if rows.len() > SEARCHABLE {
        let field = TextEdit::singleline(&mut search).hint_text(format!("search {} values", count_text(rows.len())));
        ui.add(field.desired_width(f32::INFINITY));
    } else {
        search.clear();
    }
    let wanted = search.to_lowercase();
    ui.data_mut(|data| data.insert_temp(remembered, search));
    let found = |row: &LegendRow| wanted.is_empty() || row.name.to_lowercase().contains(&wanted);
    let matching: Vec<(usize, &LegendRow)> = rows.iter().enumerate().filter(|(_, row)| found(row)).collect();
    ui.spacing_mut().item_spacing.y = 1.0;
    let area = ScrollArea::vertical().id_salt("legend").max_height(LEGEND_HEIGHT).auto_shrink([false, true]);
    area.show_rows(ui, ROW_HEIGHT, matching.len(), |ui, range| {
        for &(at, row) in &matching[range] {
            let count = match selected.get(at) {
                Some(&selected) => format!("{} / {}", count_text(selected), count_text(row.count)),
                None => count_text(row.count),
            };
            legend_row(ui, theme, row, &count, settings, picked);
        }
    });
    if matching.is_empty() {
        quiet(ui, theme, "no such value");
    }
    // Below the rows: they must not move under the mouse.
    if settings.isolated.is_some() || !settings.greyed.is_empty() {
        ui.horizontal(|ui| {
            quiet(ui, theme, "some are greyed");
            if ui.small_button("show all").clicked() {
                settings.show_all();
            }
        });
    }
}

fn legend_row(
    ui: &mut Ui,
    theme: &Theme,
    row: &LegendRow,
    count: &str,
    settings: &mut ColourSettings,
    picked: &mut Option<String>,
) {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    if response.hovered() {
        ui.painter().rect_filled(rect.expand2(vec2(3.0, 0.0)), 3, theme.button);
    }
    let mut inside =
        ui.new_child(bevy_egui::egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    swatch(&mut inside, theme, row.colour, row.greyed);
    let colour = if row.greyed { theme.quiet } else { theme.text };
    inside.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(Label::new(RichText::new(count).color(theme.quiet)).selectable(false));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(&row.name).color(colour)).truncate().selectable(false));
        });
    });
    let response =
        response.on_hover_text("Click to see it alone, again to see all; Shift click greys it, Ctrl click selects it.");
    if !response.clicked() {
        return;
    }
    if ui.input(|input| input.modifiers.command) {
        *picked = Some(row.name.clone());
    } else if ui.input(|input| input.modifiers.matches_logically(Modifiers::SHIFT)) {
        settings.toggle_greyed(&row.name);
    } else {
        settings.toggle_isolated(&row.name);
    }
}

fn scale_legend(ui: &mut Ui, theme: &Theme, scale: &ScaleLegend, settings: &mut ColourSettings) {
    let [from, to] = scale.extent;
    let [mut low, mut high] = scale.range;
    // The strip shows the whole extent; beyond the handles it has the colour of the end.
    let strip = ramp_strip(ui, 14.0, |t| {
        let value = from + f64::from(t) * (to - from);
        scale.ramp.at(if high > low { (value - low) / (high - low) } else { 0.5 })
    });
    if let Some(range) = range_handles(ui, theme, strip, scale.extent, scale.range) {
        settings.range = (range != scale.extent).then_some(range);
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label("from").on_hover_text("Values beyond the ends have the colour of the end.");
        let speed = ((to - from) / 300.0).max(f64::MIN_POSITIVE);
        let changed = ui.add(end_field(&mut low, speed, scale.kind)).changed();
        ui.label("to");
        let changed = ui.add(end_field(&mut high, speed, scale.kind)).changed() | changed;
        if changed && low < high {
            settings.range = Some([low, high]);
        }
        if settings.range.is_some() && ui.small_button("whole").clicked() {
            settings.range = None;
        }
    });
    ui.horizontal(|ui| {
        ui.label("ramp");
        ComboBox::from_id_salt("ramp").selected_text(settings.ramp.name()).show_ui(ui, |ui| {
            for ramp in Ramp::ALL {
                ui.selectable_value(&mut settings.ramp, ramp, ramp.name());
            }
        });
        if scale.missing > 0 {
            quiet(ui, theme, format!("{} missing", count_text(scale.missing)));
        }
    });
}

/// A field for an end of the range, told as the column tells its values.
fn end_field(value: &mut f64, speed: f64, kind: Kind) -> DragValue<'_> {
    DragValue::new(value).speed(speed).custom_formatter(move |value, _| value_text(value, kind))
}
