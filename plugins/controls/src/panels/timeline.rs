//! The timeline: what happens when, as bars that can be moved, stretched, rewritten and taken away.

use super::Steering;
use crate::desk::{Conduct, Desk, Doing, aim_of, clock};
use crate::keys::{Deed, shown};
use crate::theme::Theme;
use bevy_egui::egui::{
    Align, Align2, Button, Color32, CornerRadius, CursorIcon, FontId, Key, Layout, ProgressBar, Rect, Response,
    RichText, Sense, Shape, Stroke, StrokeKind, TextEdit, Ui, Vec2, pos2, vec2,
};
use score::{Act, Cue};

/// Height of a lane.
const LANE: f32 = 17.0;
/// Height of the ruler above the lanes.
const RULER: f32 = 16.0;
/// Width of the names of the lanes.
const NAMES: f32 = 64.0;
/// What lies in each lane.
const LANES: [&str; 4] = ["camera", "settings", "looks", "words"];
/// Smallest width of a bar: it can be seen and hit.
const NARROWEST: f32 = 9.0;
/// Width of the end of a bar that retimes it.
const END: f32 = 5.0;
/// How long a caption stands unless told otherwise (seconds).
const CAPTION_SECONDS: f64 = 4.0;
/// Room for the last mark, so that it can be hit.
const MARGIN: f32 = 10.0;

/// The height that the panel needs.
pub fn height(desk: &Desk) -> f32 {
    match desk.doing {
        Doing::Recording => 36.0,
        _ if !desk.has_score() => 36.0,
        _ => 36.0 + RULER + LANE * LANES.len() as f32 + 40.0,
    }
}

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    if steering.desk.doing == Doing::Recording {
        return recording(ui, theme, steering, deeds);
    }
    transport(ui, theme, steering, deeds);
    if steering.desk.has_score() {
        lanes(ui, theme, steering);
        line(ui, theme, &mut steering.desk);
    }
}

/// While it is recorded: the time, and words to put in.
fn recording(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    ui.horizontal_centered(|ui| {
        ui.label(RichText::new(format!("⏺ {}", clock(steering.desk.time))).strong().monospace().color(theme.error));
        if ui.button("stop recording").on_hover_text(format!("Key: {}", shown(Deed::Record))).clicked() {
            deeds.push(Deed::Record);
        }
        ui.separator();
        let field =
            TextEdit::singleline(&mut steering.desk.words).hint_text("a caption, then Enter").desired_width(260.0);
        let field = ui.add(field);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if entered && !steering.desk.words.trim().is_empty() {
            let text = std::mem::take(&mut steering.desk.words).trim().to_owned();
            steering.conduct.write(Conduct::Say(Act::Caption { text, seconds: Some(CAPTION_SECONDS) }));
        }
        if ui.button("stop here in a talk").on_hover_text("A presentation will wait here for a key.").clicked() {
            steering.conduct.write(Conduct::Say(Act::Stop));
        }
        ui.label(RichText::new("camera, settings, colours and selections are written down").color(theme.quiet));
    });
}

fn transport(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let button = |ui: &mut Ui, words: RichText, hint: &str, enabled: bool| {
            ui.add_enabled(enabled, Button::new(words)).on_hover_text(hint.to_owned()).clicked()
        };
        let (has_score, playing) = (steering.desk.has_score(), steering.desk.doing == Doing::Playing);
        let hint = format!("Writes down what you do from now on.\n\nKey: {}", shown(Deed::Record));
        if button(ui, RichText::new("⏺ record").color(theme.error), &hint, !playing) {
            deeds.push(Deed::Record);
        }
        if button(ui, "⏮".into(), "To the beginning.", has_score) {
            steering.conduct.write(Conduct::Seek(0.0));
        }
        let words = if playing { "⏸ stop" } else { "▶ play" };
        if button(ui, words.into(), "Plays it here; a movie of it is drawn frame by frame.", has_score) {
            steering.conduct.write(Conduct::Play);
        }
        let time = format!("{} / {}", clock(steering.desk.time), clock(steering.desk.score.length));
        ui.label(RichText::new(time).monospace());
        let desk = &mut steering.desk;
        if has_score {
            let mut loops = desk.score.loops;
            if ui.checkbox(&mut loops, "loop").on_hover_text("The end leads back to the beginning.").changed() {
                let chosen = desk.chosen;
                desk.edit(|score| {
                    score.loops = loops;
                    chosen
                });
            }
            ui.separator();
            let caption = Act::Caption { text: "words".to_owned(), seconds: Some(CAPTION_SECONDS) };
            for (words, act, hint) in [
                ("+ caption", caption, "Words on the picture, from this time on."),
                ("+ note", Act::Note("say".to_owned()), "Words for the presenter alone."),
                ("+ stop", Act::Stop, "A presentation waits here for a key."),
            ] {
                if ui.button(words).on_hover_text(hint).clicked() {
                    desk.put(act);
                }
            }
            if ui.button("+ view").on_hover_text("The camera goes to where it is now, by this time.").clicked() {
                let aim = aim_of(&steering.view.pose);
                desk.put(Act::Camera(aim));
            }
            slower_faster(ui, desk);
        } else {
            ui.label(
                RichText::new("no score yet: record one, open one, or take a ready-made one from the menu Record")
                    .color(theme.quiet),
            );
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(Button::new("×").frame(false)).on_hover_text("Close the timeline.").clicked() {
                steering.desk.open = false;
            }
            if let Some(filming) = &steering.desk.filming {
                let share = filming.done as f32 / filming.total.max(1) as f32;
                if ui.button("end").on_hover_text("Ends the movie here; what is done plays.").clicked() {
                    steering.conduct.write(Conduct::EndMovie);
                }
                let words = match filming.total {
                    0 => "movie: embedding".to_owned(),
                    total => format!("movie {} of {total}", filming.done),
                };
                ui.add(
                    ProgressBar::new(share)
                        .desired_width(130.0)
                        .desired_height(16.0)
                        .text(RichText::new(words).small()),
                );
            } else if button(ui, "movie…".into(), "Draws it frame by frame into a file.", has_score) {
                deeds.push(Deed::Movie);
            }
            let name = if steering.desk.is_changed() { "save •" } else { "save" };
            if button(ui, name.into(), "Writes the score, a small text file.", has_score) {
                deeds.push(Deed::SaveScore);
            }
            let hint = format!("Only the cloud and the captions, step by step.\n\nKey: {}", shown(Deed::Present));
            if button(ui, "present".into(), &hint, has_score) {
                deeds.push(Deed::Present);
            }
        });
    });
}

/// Everything at another pace.
fn slower_faster(ui: &mut Ui, desk: &mut Desk) {
    for (words, factor, hint) in
        [("slower", 1.25, "Everything takes a quarter longer."), ("faster", 0.8, "Everything takes a fifth less.")]
    {
        if ui.button(words).on_hover_text(hint).clicked() {
            let chosen = desk.chosen;
            desk.edit(|score| {
                score.stretch(factor);
                chosen
            });
        }
    }
}

/// Which lane a cue lies in.
fn lane_of(act: &Act) -> usize {
    match act {
        Act::Camera(_) => 0,
        Act::Caption { .. } | Act::Note(_) | Act::Stop => 3,
        Act::ColorBy(_)
        | Act::Labels(_)
        | Act::Select(_)
        | Act::SelectNamed(_)
        | Act::Background(_)
        | Act::PointSize(_)
        | Act::Tour { .. }
        | Act::Axes(_) => 2,
        _ => 1,
    }
}

/// Between times and places.
#[derive(Clone, Copy)]
struct Scale {
    left: f32,
    width: f32,
    length: f64,
}

impl Scale {
    fn x(&self, time: f64) -> f32 {
        self.left + self.width * (time / self.length.max(1e-9)) as f32
    }

    fn time(&self, x: f32) -> f64 {
        (f64::from((x - self.left) / self.width) * self.length).clamp(0.0, self.length)
    }

    fn seconds(&self, pixels: f32) -> f64 {
        f64::from(pixels / self.width) * self.length
    }
}

/// What a hand does to a bar.
enum Pull {
    Move(usize, f64),
    Retime(usize, f64),
}

fn lanes(ui: &mut Ui, theme: &Theme, steering: &mut Steering) {
    let size = vec2(ui.available_width(), RULER + LANE * LANES.len() as f32);
    let (whole, ground) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let scale = Scale {
        left: whole.left() + NAMES,
        width: (whole.width() - NAMES - MARGIN).max(1.0),
        length: steering.desk.score.length,
    };
    draw_ground(ui, theme, whole, scale);
    // The ground moves the time; bars lie over it and take what is theirs.
    if (ground.clicked() || ground.dragged())
        && let Some(pointer) = ground.interact_pointer_pos()
    {
        steering.conduct.write(Conduct::Seek(scale.time(pointer.x)));
    }
    let desk = &mut steering.desk;
    let (mut chosen, mut pull) = (None, None);
    // What happens at once lies on top of what takes its time: it can be seen and hit.
    let mut order: Vec<usize> = (0..desk.score.cues.len()).collect();
    order.sort_by_key(|&index| desk.score.cues[index].is_at_once());
    for index in order {
        let cue = &desk.score.cues[index];
        let top = whole.top() + RULER + LANE * lane_of(&cue.act) as f32;
        let from = scale.x(cue.from);
        let to = scale.x(cue.end().min(scale.length)).max(from + NARROWEST);
        let rect = Rect::from_min_max(pos2(from, top + 2.0), pos2(to, top + LANE - 2.0));
        let response = ui.interact(rect, ui.id().with(("cue", index)), Sense::click_and_drag());
        draw_bar(ui, theme, rect, cue, &response, desk.chosen == Some(index));
        let at_end = !cue.is_at_once()
            && response
                .interact_pointer_pos()
                .or(response.hover_pos())
                .is_some_and(|pointer| pointer.x > rect.right() - END);
        let pulls_end = ui.data_mut(|data| {
            let held = data.get_temp_mut_or_default::<bool>(response.id);
            if response.drag_started() {
                *held = at_end;
            }
            *held
        });
        if response.clicked() || response.drag_started() {
            chosen = Some(index);
        }
        if response.dragged() {
            let by = scale.seconds(response.drag_delta().x);
            pull = Some(if pulls_end { Pull::Retime(index, cue.to + by) } else { Pull::Move(index, cue.from + by) });
        }
        let icon = if at_end { CursorIcon::ResizeHorizontal } else { CursorIcon::PointingHand };
        response.on_hover_cursor(icon).on_hover_text(cue.to_string());
    }
    if chosen.is_some() {
        desk.choose(chosen);
    }
    match pull {
        Some(Pull::Move(index, from)) => desk.edit(|score| Some(score.move_cue(index, from))),
        Some(Pull::Retime(index, to)) => desk.edit(|score| {
            let from = score.cues[index].from;
            Some(score.retime(index, from, to.max(from + 1.0 / f64::from(score.fps))))
        }),
        None => {}
    }
    let x = scale.x(desk.time.min(scale.length));
    ui.painter().vline(x, whole.y_range(), Stroke::new(1.5, theme.accent));
    let tip = pos2(x, whole.top() + 6.0);
    let triangle = [tip, tip + vec2(-5.0, -7.0), tip + vec2(5.0, -7.0)].to_vec();
    ui.painter().add(Shape::convex_polygon(triangle, theme.accent, Stroke::NONE));
}

fn draw_ground(ui: &Ui, theme: &Theme, whole: Rect, scale: Scale) {
    let painter = ui.painter();
    let field = Rect::from_min_max(pos2(scale.left, whole.top() + RULER), whole.max);
    painter.rect_filled(field, CornerRadius::same(3), theme.field);
    let small = FontId::proportional(11.0);
    for (lane, name) in LANES.iter().enumerate() {
        let y = whole.top() + RULER + LANE * (lane as f32 + 0.5);
        painter.text(pos2(whole.left(), y), Align2::LEFT_CENTER, name, small.clone(), theme.quiet);
        if lane > 0 {
            painter.hline(field.x_range(), y - LANE / 2.0, Stroke::new(1.0, theme.line));
        }
    }
    let step = tick_step(scale.length, scale.width);
    for tick in 0..=(scale.length / step + 1e-6) as u32 {
        let time = f64::from(tick) * step;
        let x = scale.x(time);
        painter.vline(x, whole.top() + RULER - 4.0..=whole.bottom(), Stroke::new(1.0, theme.line));
        let words = if time >= 60.0 { clock(time) } else { format!("{time} s") };
        painter.text(pos2(x, whole.top()), Align2::CENTER_TOP, words, small.clone(), theme.quiet);
    }
}

/// Seconds between two numbers of the ruler, round and far enough apart.
fn tick_step(length: f64, width: f32) -> f64 {
    let least = length * 60.0 / f64::from(width.max(1.0));
    [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0]
        .into_iter()
        .find(|step| *step >= least)
        .unwrap_or(3600.0)
}

fn draw_bar(ui: &Ui, theme: &Theme, rect: Rect, cue: &Cue, response: &Response, chosen: bool) {
    let hue = match lane_of(&cue.act) {
        0 => Color32::from_rgb(0x2f, 0x81, 0xf7),
        1 => Color32::from_rgb(0xd2, 0x8f, 0x1f),
        2 => Color32::from_rgb(0x2e, 0xa0, 0x5f),
        _ => Color32::from_rgb(0xa3, 0x71, 0xd8),
    };
    let fill = if response.hovered() || chosen { hue } else { hue.gamma_multiply(0.75) };
    let line = if chosen { Stroke::new(1.5, theme.text) } else { Stroke::new(1.0, theme.field) };
    ui.painter().rect(rect, CornerRadius::same(3), fill, line, StrokeKind::Inside);
    let words = match &cue.act {
        Act::Caption { text, .. } | Act::Note(text) => text.clone(),
        act => act.to_string(),
    };
    let painter = ui.painter().with_clip_rect(rect.shrink2(vec2(3.0, 0.0)));
    if rect.width() > 30.0 {
        let at = rect.left_center() + Vec2::new(4.0, 0.0);
        painter.text(at, Align2::LEFT_CENTER, words, FontId::proportional(11.0), Color32::WHITE);
    }
}

/// The line of the chosen cue, as it stands in the file.
fn line(ui: &mut Ui, theme: &Theme, desk: &mut Desk) {
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let Some(index) = desk.chosen else {
            let words = "click a bar to edit its line, drag it to move it, drag its end to retime it; click the ground to go there";
            ui.label(RichText::new(words).small().color(theme.quiet));
            return;
        };
        let width = ui.available_width() - if desk.wrong.is_some() { 460.0 } else { 90.0 };
        let field = TextEdit::singleline(&mut desk.line).font(FontId::monospace(12.5)).desired_width(width.max(200.0));
        let field = ui.add(field);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if entered && desk.score.cues.get(index).is_some_and(|cue| cue.to_string() != desk.line) {
            desk.take_line();
        }
        if let Some(wrong) = &desk.wrong {
            ui.add_sized(vec2(360.0, 20.0), bevy_egui::egui::Label::new(RichText::new(wrong).small().color(theme.error)).truncate()).on_hover_text(wrong);
        }
        if ui.button("delete").on_hover_text(format!("Key: {}", shown(Deed::DeleteCue))).clicked() {
            desk.delete_chosen();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_ruler_do_not_touch() {
        for (length, step) in [(3.0, 0.5), (12.0, 1.0), (30.0, 2.0), (600.0, 60.0)] {
            assert_eq!(tick_step(length, 900.0), step);
        }
    }

    #[test]
    fn places_and_times_belong_together() {
        let scale = Scale { left: 50.0, width: 200.0, length: 8.0 };
        assert_eq!((scale.x(2.0), scale.time(100.0), scale.seconds(25.0)), (100.0, 2.0, 1.0));
        assert_eq!((scale.time(0.0), scale.time(1000.0)), (0.0, 8.0));
    }
}
