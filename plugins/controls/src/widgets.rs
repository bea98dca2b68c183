//! The parts that panels are made of.

use crate::theme::Theme;
use bevy_egui::egui::emath::inverse_lerp;
use bevy_egui::egui::{
    Align, Align2, CollapsingHeader, Color32, CornerRadius, CursorIcon, DragValue, FontId, Layout, PointerButton, Pos2,
    Rect, Response, RichText, Sense, Slider, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use std::ops::RangeInclusive;

/// A setting on a slider: what it is called, what it does, where it can go, and where it stands by default.
#[derive(Debug, Clone)]
pub struct SliderRow<'a> {
    /// What it is called, in the words of the picture.
    pub name: &'a str,
    /// What it does to the picture; the symbol of the paper at the end, for those who know it.
    pub effect: &'a str,
    /// Where it can go.
    pub range: RangeInclusive<f64>,
    /// Where it stands by default: a tick on the slider, and a double click.
    pub default: f64,
    /// Whether equal ways on the slider are equal factors.
    pub logarithmic: bool,
    /// Digits behind the point.
    pub decimals: usize,
}

const NAME_WIDTH: f32 = 84.0;
const VALUE_WIDTH: f32 = 52.0;

impl<'a> SliderRow<'a> {
    /// A slider with two digits behind the point.
    #[must_use]
    pub fn new(name: &'a str, effect: &'a str, range: RangeInclusive<f64>, default: f32, logarithmic: bool) -> Self {
        Self { name, effect, range, default: f64::from(default), logarithmic, decimals: 2 }
    }

    /// Shows it, and changes the value if the user does.
    pub fn slide(&self, ui: &mut Ui, theme: &Theme, value: &mut f32) {
        if let Some(changed) = self.show(ui, theme, *value) {
            *value = changed;
        }
    }

    /// Shows it, and returns the new value if the user changed it.
    pub fn show(&self, ui: &mut Ui, theme: &Theme, value: f32) -> Option<f32> {
        let mut changed = f64::from(value);
        ui.horizontal(|ui| {
            let size = vec2(NAME_WIDTH, ui.spacing().interact_size.y);
            let left = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(size, left, |ui| {
                ui.set_min_width(NAME_WIDTH);
                ui.label(self.name).on_hover_text(self.hint());
            });
            let width = ui.available_width() - VALUE_WIDTH - ui.spacing().item_spacing.x;
            ui.spacing_mut().slider_width = width.max(40.0);
            let slider = Slider::new(&mut changed, self.range.clone())
                .logarithmic(self.logarithmic)
                .smallest_positive(0.01)
                .show_value(false);
            let response = ui.add(slider).on_hover_text(self.hint());
            self.tick(ui, theme, &response);
            let double = ui.input(|input| input.pointer.button_double_clicked(PointerButton::Primary));
            if response.contains_pointer() && double {
                changed = self.default;
            }
            let evenly = (self.range.end() - self.range.start()) / 800.0;
            let speed = if self.logarithmic { (changed * 0.01).max(0.001) } else { evenly };
            let field = DragValue::new(&mut changed)
                .range(self.range.clone())
                .speed(speed)
                .max_decimals(self.decimals)
                .update_while_editing(false);
            let field = ui.add_sized(vec2(VALUE_WIDTH, ui.spacing().interact_size.y), field);
            field.on_hover_text(format!(
                "Type a value from {} to {}, or drag; with Shift it moves finely.",
                self.range.start(),
                self.range.end()
            ));
        });
        let changed = changed as f32;
        (changed != value).then_some(changed)
    }

    fn hint(&self) -> String {
        format!("{}\n\nDefault {}; a double click goes back to it.", self.effect, short(self.default))
    }

    /// A tick where the default is.
    fn tick(&self, ui: &Ui, theme: &Theme, slider: &Response) {
        let (start, end) = (*self.range.start(), *self.range.end());
        let along = |value: f64| if self.logarithmic { value.max(0.01).ln() } else { value };
        let Some(share) = inverse_lerp(along(start)..=along(end), along(self.default)) else { return };
        let handle = slider.rect.height() / 2.5;
        let x = bevy_egui::egui::lerp(slider.rect.left() + handle..=slider.rect.right() - handle, share as f32);
        let y = slider.rect.bottom() - 2.0;
        ui.painter().vline(x, y - 3.0..=y, Stroke::new(1.0, theme.quiet));
    }
}

/// A number as short as it can be told.
#[must_use]
pub fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A section that collapses and remembers it.
pub fn section(ui: &mut Ui, theme: &Theme, name: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    ui.add_space(4.0);
    CollapsingHeader::new(RichText::new(name).small().strong().color(theme.quiet))
        .id_salt(name)
        .default_open(open)
        .show_unindented(ui, |ui| {
            add(ui);
            ui.add_space(4.0);
        });
}

/// Text that steps back.
pub fn quiet(ui: &mut Ui, theme: &Theme, text: impl Into<String>) -> Response {
    ui.label(RichText::new(text).small().color(theme.quiet))
}

/// A patch of colour.
pub fn swatch(ui: &mut Ui, theme: &Theme, rgb: [u8; 3], faded: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
    let colour = Color32::from_rgb(rgb[0], rgb[1], rgb[2]);
    let fill = if faded { theme.line } else { colour };
    ui.painter().rect(rect, CornerRadius::same(3), fill, Stroke::NONE, StrokeKind::Inside);
    response
}

/// Half the width of a handle.
const HANDLE: f32 = 4.0;

/// Two handles on a strip, for the ends of a range within an extent. Returns the new range while one is dragged; a double
/// click asks for the whole extent.
pub fn range_handles(ui: &mut Ui, theme: &Theme, strip: Rect, extent: [f64; 2], range: [f64; 2]) -> Option<[f64; 2]> {
    let width = extent[1] - extent[0];
    if !(width.is_finite() && width > 0.0) {
        return None;
    }
    let x_of = |value: f64| strip.left() + (((value - extent[0]) / width).clamp(0.0, 1.0) as f32) * strip.width();
    let mut changed = None;
    for end in 0..2 {
        let x = x_of(range[end]);
        let rect = Rect::from_center_size(pos2(x, strip.center().y), vec2(2.0 * HANDLE, strip.height() + 6.0));
        let response = ui.interact(rect.expand(2.0), ui.id().with(("range", end)), Sense::click_and_drag());
        let fill = if response.dragged() || response.hovered() { theme.accent } else { theme.text };
        ui.painter().rect(rect, CornerRadius::same(2), fill, Stroke::new(1.0, theme.panel), StrokeKind::Inside);
        if response.dragged()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let share = f64::from(((pointer.x - strip.left()) / strip.width()).clamp(0.0, 1.0));
            let value = extent[0] + share * width;
            let mut moved = range;
            // The ends may meet, not pass each other.
            moved[end] = if end == 0 { value.min(range[1]) } else { value.max(range[0]) };
            changed = Some(moved);
        }
        if response.double_clicked() {
            changed = Some(extent);
        }
        response.on_hover_text("Drag: values beyond the ends have the colour of the end. Double click: everything.");
    }
    changed
}

/// A strip of a colour ramp.
pub fn ramp_strip(ui: &mut Ui, height: f32, colour: impl Fn(f32) -> [u8; 3]) -> Rect {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    const STEPS: usize = 64;
    for step in 0..STEPS {
        let [from, to] = [step, step + 1].map(|step| step as f32 / STEPS as f32);
        let [red, green, blue] = colour((from + to) / 2.0);
        let piece = Rect::from_min_max(
            pos2(rect.left() + from * rect.width(), rect.top()),
            pos2(rect.left() + to * rect.width() + 0.5, rect.bottom()),
        );
        ui.painter().rect_filled(piece, CornerRadius::ZERO, Color32::from_rgb(red, green, blue));
    }
    rect
}

/// Radius of the disc of spokes.
const SPOKES: f32 = 52.0;
/// How near to a tip the pointer must be to take it.
const REACH: f32 = 14.0;
/// Spokes beyond so many have no numbers: they would cover each other.
const MOST_NUMBERS: usize = 16;

/// A disc with a spoke for each dimension, from the middle to where it points (the rim is 1). Returns which tip is
/// dragged, and how far.
pub fn spokes(ui: &mut Ui, theme: &Theme, tips: &[[f32; 2]]) -> Option<(usize, [f32; 2])> {
    let size = vec2(ui.available_width(), 2.0 * SPOKES + 22.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let response = ui.interact(rect, ui.id().with("spokes"), Sense::drag()); // the same while what is around changes
    let (middle, painter) = (rect.center(), ui.painter_at(rect));
    let place = |[x, y]: [f32; 2]| middle + vec2(x, -y) * SPOKES;
    let nearest = |pointer: Pos2| {
        let distance = |tip: usize| place(tips[tip]).distance(pointer);
        (0..tips.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).filter(|&tip| distance(tip) < REACH)
    };
    let held = ui.id().with("spoke");
    if response.drag_started() {
        let from = ui.input(|input| input.pointer.press_origin());
        ui.data_mut(|data| data.insert_temp(held, from.and_then(nearest)));
    }
    let dragged: Option<usize> = if response.dragged() { ui.data(|data| data.get_temp(held)).flatten() } else { None };
    let near = dragged.or(response.hover_pos().and_then(nearest));
    painter.circle(middle, SPOKES, theme.field, Stroke::new(1.0, theme.line));
    for (dimension, tip) in tips.iter().enumerate() {
        let (tip, chosen) = (place(*tip), near == Some(dimension));
        let colour = if chosen { theme.accent } else { theme.text };
        painter.line_segment([middle, tip], Stroke::new(if chosen { 2.0 } else { 1.2 }, colour.gamma_multiply(0.7)));
        painter.circle_filled(tip, if chosen { 4.0 } else { 2.5 }, colour);
        if tips.len() <= MOST_NUMBERS || chosen {
            let beyond = (tip - middle).normalized() * 8.0;
            let font = FontId::proportional(10.0);
            painter.text(
                tip + beyond,
                Align2::CENTER_CENTER,
                dimension,
                font,
                if chosen { theme.accent } else { theme.quiet },
            );
        }
    }
    if near.is_some() {
        ui.ctx().set_cursor_icon(if dragged.is_some() { CursorIcon::Grabbing } else { CursorIcon::Grab });
    }
    let moved = response.drag_delta() / SPOKES;
    if dragged.is_none() {
        let effect = "Where each dimension points on the screen.\nDrag a tip: the dimension turns into or out of view.";
        response.on_hover_text(effect);
    }
    dragged.filter(|_| moved != Vec2::ZERO).map(|dimension| (dimension, [moved.x, -moved.y]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([1.0, 0.05, 12.5, 100.0].map(short), ["1", "0.05", "12.5", "100"]);
    }
}
