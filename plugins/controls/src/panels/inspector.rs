//! The row that is looked at: its values, its picture, and its neighbours in the data and in the picture.

use super::Steering;
use crate::images;
use crate::keys::{Deed, shown};
use crate::model::RowCard;
use crate::theme::Theme;
use crate::ties::tie_colour;
use crate::widgets::{quiet, section, short};
use bevy_egui::egui::{
    Align, Color32, CornerRadius, Grid, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, vec2,
};
use colours::count_text;
use inspect::{Neighbour, Tie};
use orbit_camera::CameraCommand;

/// Side of the picture of a row.
const PICTURE: f32 = 72.0;
/// Height of the list of neighbours, and of a row of it.
const LIST_HEIGHT: f32 = 132.0;
const ROW_HEIGHT: f32 = 22.0;
/// Values of a row that are shown before it must be asked for more.
const VALUES_HEIGHT: f32 = 96.0;

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    section(ui, theme, "INSPECTOR", true, |ui| {
        let Some(card) = steering.inspector.shown.clone().filter(|card| Some(card.row) == steering.inspected.row())
        else {
            quiet(ui, theme, "Click a point to see its row, and which of its neighbours the picture keeps.");
            return;
        };
        head(ui, theme, steering, &card, deeds);
        values(ui, theme, &steering.inspector.values);
        let neighbours = steering.inspected.neighbours().to_vec();
        if neighbours.is_empty() {
            ui.horizontal(|ui| {
                ui.spinner();
                quiet(ui, theme, "finding its neighbours …");
            });
            return;
        }
        truth(ui, theme, &neighbours);
        list(ui, theme, steering, &neighbours);
    });
}

fn head(ui: &mut Ui, theme: &Theme, steering: &Steering, card: &RowCard, deeds: &mut Vec<Deed>) {
    ui.horizontal(|ui| {
        if let Some(image) = &card.image {
            images::show(ui, theme, "inspected", image, PICTURE);
        }
        ui.vertical(|ui| {
            let row = format!("row {}", count_text(card.file_row as usize));
            ui.label(RichText::new(row).heading()).on_hover_text("Its number in the file, from 0.");
            if !card.title.is_empty() {
                ui.label(RichText::new(&card.title).color(theme.text));
            }
            ui.horizontal(|ui| {
                let look = ui
                    .small_button("look at it")
                    .on_hover_text(format!("The camera turns about this point. ({})", shown(Deed::LookAt)));
                if look.clicked() {
                    deeds.push(Deed::LookAt);
                }
                let back =
                    ui.add_enabled(steering.inspected.can_go_back(), bevy_egui::egui::Button::new("back").small());
                if back.on_hover_text(format!("To the row before. ({})", shown(Deed::Back))).clicked() {
                    deeds.push(Deed::Back);
                }
            });
        });
    });
}

fn values(ui: &mut Ui, theme: &Theme, values: &[(String, String)]) {
    if values.is_empty() {
        return;
    }
    let area = ScrollArea::vertical().id_salt("values").max_height(VALUES_HEIGHT).auto_shrink([false, true]);
    area.show(ui, |ui| {
        Grid::new("values").num_columns(2).spacing(vec2(10.0, 2.0)).show(ui, |ui| {
            for (column, value) in values {
                ui.add(Label::new(RichText::new(column).color(theme.quiet)).truncate());
                ui.add(Label::new(value).truncate()).on_hover_text(value);
                ui.end_row();
            }
        });
    });
}

fn words_of(tie: Tie) -> (&'static str, &'static str) {
    match tie {
        Tie::Kept => ("kept", "Near in the data, and near in the picture."),
        Tie::Torn => ("torn apart", "Near in the data, but the picture puts them elsewhere."),
        Tie::False => ("false friends", "Near in the picture, but not in the data (dashed threads)."),
    }
}

/// How many neighbours are kept, torn and false: a bar each.
fn truth(ui: &mut Ui, theme: &Theme, neighbours: &[Neighbour]) {
    ui.add_space(2.0);
    let most = neighbours.iter().filter(|neighbour| neighbour.tie != Tie::False).count().max(1);
    for tie in [Tie::Kept, Tie::Torn, Tie::False] {
        let count = neighbours.iter().filter(|neighbour| neighbour.tie == tie).count();
        let (words, effect) = words_of(tie);
        bar(ui, theme, words, &count_text(count), count as f32 / most as f32, tie_colour(tie)).on_hover_text(effect);
    }
}

/// A bar with a name before and a figure behind it.
pub fn bar(
    ui: &mut Ui,
    theme: &Theme,
    name: &str,
    figure: &str,
    share: f32,
    colour: Color32,
) -> bevy_egui::egui::Response {
    const NAME: f32 = 92.0;
    const FIGURE: f32 = 72.0;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let mut inside = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    inside.allocate_ui_with_layout(vec2(NAME, 18.0), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(NAME);
        ui.add(Label::new(name).truncate().selectable(false));
    });
    let trough =
        Rect::from_min_max(rect.left_top() + vec2(NAME + 6.0, 5.0), rect.right_bottom() - vec2(FIGURE + 4.0, 5.0));
    ui.painter().rect_filled(trough, CornerRadius::same(2), theme.field);
    let filled = Rect::from_min_size(trough.min, vec2(trough.width() * share.clamp(0.0, 1.0), trough.height()));
    ui.painter().rect_filled(filled, CornerRadius::same(2), colour);
    let place = rect.right_center();
    let font = bevy_egui::egui::FontId::proportional(12.5);
    ui.painter().text(place, bevy_egui::egui::Align2::RIGHT_CENTER, figure, font, theme.text);
    response
}

/// Whose neighbours are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Listed {
    #[default]
    Data,
    Picture,
}

/// The neighbours in the data or in the picture, nearest first, to walk from one to the next.
fn list(ui: &mut Ui, theme: &Theme, steering: &mut Steering, neighbours: &[Neighbour]) {
    let remembered = ui.id().with("listed");
    let mut listed: Listed = ui.data(|data| data.get_temp(remembered)).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.label(RichText::new("nearest").color(theme.quiet));
        for (choice, words) in [(Listed::Data, "in the data"), (Listed::Picture, "in the picture")] {
            ui.selectable_value(&mut listed, choice, words);
        }
    });
    ui.data_mut(|data| data.insert_temp(remembered, listed));
    let mut places: Vec<usize> = (0..neighbours.len()).collect();
    match listed {
        Listed::Data => places.retain(|&at| neighbours[at].tie != Tie::False),
        Listed::Picture => {
            places.retain(|&at| neighbours[at].tie != Tie::Torn);
            places.sort_by(|&one, &other| neighbours[one].ld.total_cmp(&neighbours[other].ld));
        }
    }
    let cards = &steering.inspector.neighbours;
    let mut walked = None;
    ui.spacing_mut().item_spacing.y = 1.0;
    let area = ScrollArea::vertical().id_salt("neighbours").max_height(LIST_HEIGHT).auto_shrink([false, true]);
    area.show_rows(ui, ROW_HEIGHT, places.len(), |ui, range| {
        for (line, &at) in places[range].iter().enumerate() {
            let neighbour = &neighbours[at];
            let card = cards.get(at).filter(|card| card.row == neighbour.row);
            let distance = if listed == Listed::Data { neighbour.hd } else { neighbour.ld };
            if row(ui, theme, neighbour, card, (line, distance)) {
                walked = Some(*neighbour);
            }
        }
    });
    if let Some(neighbour) = walked {
        steering.inspected.look_at(Some(neighbour.row));
        steering.views.write(CameraCommand::FocusOn(neighbour.place));
    }
}

fn row(
    ui: &mut Ui,
    theme: &Theme,
    neighbour: &Neighbour,
    card: Option<&RowCard>,
    (line, distance): (usize, f32),
) -> bool {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    if response.hovered() {
        ui.painter().rect_filled(rect.expand2(vec2(3.0, 0.0)), 3, theme.button);
    }
    let mut inside = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    let (dot, _) = inside.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
    inside.painter().circle_filled(dot.center(), 4.0, tie_colour(neighbour.tie));
    if let Some(image) = card.and_then(|card| card.image.as_ref()) {
        images::show(&mut inside, theme, &format!("neighbour {line}"), image, ROW_HEIGHT - 4.0);
    }
    let number = card.map_or(neighbour.row, |card| card.file_row);
    let title = card.map_or("", |card| card.title.as_str());
    inside.add(Label::new(RichText::new(count_text(number as usize)).color(theme.quiet)).selectable(false));
    inside.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let distance = RichText::new(short(f64::from(distance))).small().color(theme.quiet);
        ui.add(Label::new(distance).selectable(false));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(title).truncate().selectable(false));
        });
    });
    let (words, effect) = words_of(neighbour.tie);
    let response = response.on_hover_text(format!(
        "{words}: {effect}\nDistance {} in the data, {} in the picture.\nClick to inspect it and fly there.",
        short(f64::from(neighbour.hd)),
        short(f64::from(neighbour.ld))
    ));
    response.clicked()
}
