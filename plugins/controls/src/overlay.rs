//! What lies over the cloud: names, notices, the states that need words, and the help.

use crate::desk::{Desk, Doing, clock};
use crate::keys::{MOUSE, SHORTCUTS};
use crate::model::{Announce, CentroidLabels, DataCard, Interface, Loading, Notices, Request, SelectionCard};
use crate::theme::Theme;
use bevy::camera::Camera;
use bevy::ecs::prelude::{MessageWriter, Query, Res, ResMut, Result, With};
use bevy::transform::components::GlobalTransform;
use bevy_egui::EguiContexts;
use bevy_egui::egui::text::LayoutJob;
use bevy_egui::egui::{
    Align, Align2, Area, Button, Color32, Context, FontId, Frame, Grid, Id, Key, LayerId, Margin, Order, ProgressBar,
    Rect, RichText, Sense, Stroke, Ui, Vec2, pos2, vec2,
};
use colours::count_text;
use live::LiveEmbedding;
use orbit_camera::{OrbitCamera, ViewInsets};
use points::PointSettings;
use std::time::Instant;

/// Draws all of it.
#[expect(clippy::too_many_arguments, reason = "a system's arguments are what it reads")]
pub fn draw_overlay(
    mut contexts: EguiContexts,
    mut interface: ResMut<Interface>,
    mut notices: ResMut<Notices>,
    card: Res<DataCard>,
    looks: Res<PointSettings>,
    insets: Res<ViewInsets>,
    live: Res<LiveEmbedding>,
    (labels, selected, desk): (Res<CentroidLabels>, Res<SelectionCard>, Res<Desk>),
    cameras: Query<(&Camera, &GlobalTransform), With<OrbitCamera>>,
    mut requests: MessageWriter<Request>,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let theme = Theme::of(&looks.background);
    let zoom = context.zoom_factor();
    let free = {
        let whole = context.viewport_rect();
        Rect::from_min_max(
            whole.min + vec2(insets.left, insets.top) / zoom,
            whole.max - vec2(insets.right, insets.bottom) / zoom,
        )
    };
    if let Ok((camera, transform)) = cameras.single() {
        draw_labels(&context, &theme, free, &labels, |place| {
            let at = camera.world_to_viewport(transform, place).ok()?;
            Some(pos2(at.x / zoom, at.y / zoom))
        });
    }
    match &card.loading {
        Some(loading) => loading_card(&context, &theme, free, loading, &mut requests),
        None if card.name.is_empty() => empty_card(&context, &theme, free, &mut requests),
        None => {}
    }
    if !selected.levels.is_empty() {
        crumbs(&context, &theme, free, &selected.levels, &mut requests);
    }
    if let Some(restorable) = &card.restorable {
        restore_card(&context, &theme, free, restorable, &mut requests);
    }
    if let Some(caption) = &desk.caption {
        draw_caption(&context, &theme, free, caption);
    }
    if desk.doing == Doing::Recording && !interface.panels {
        let words = format!("⏺ {}", clock(desk.time));
        let painter = context.layer_painter(LayerId::new(Order::Middle, Id::new("recording")));
        let place = free.right_top() + vec2(-14.0, 10.0);
        painter.text(place, Align2::RIGHT_TOP, words, FontId::monospace(13.0), theme.error);
    }
    show_notices(&context, &theme, free, &mut notices);
    if desk.is_played() {
        if desk.frozen {
            mark(&context, &theme, free, "frozen · F goes on");
        }
    } else if live.is_paused() && !card.name.is_empty() {
        mark(&context, &theme, free, "paused · Space goes on");
    } else if interface.hint && !card.name.is_empty() && desk.caption.is_none() && notices.0.is_empty() {
        hint(&context, &theme, free, &mut interface);
    }
    if interface.help {
        help(&context, &theme, &mut interface);
    }
    Ok(())
}

/// The way back out of a dive.
fn crumbs(context: &Context, theme: &Theme, free: Rect, levels: &[String], requests: &mut MessageWriter<Request>) {
    let place = free.center_top() + vec2(0.0, 10.0);
    Area::new(Id::new("levels")).order(Order::Middle).fixed_pos(place).pivot(Align2::CENTER_TOP).show(context, |ui| {
        let frame = card_frame(theme).inner_margin(Margin::symmetric(12, 4)).corner_radius(14);
        frame.fill(theme.panel.gamma_multiply(0.9)).show(ui, |ui| {
            ui.horizontal(|ui| {
                for (level, name) in levels.iter().enumerate() {
                    let crumb = ui.add(Button::new(RichText::new(name).color(theme.accent)).frame(false));
                    if crumb.on_hover_text("Back up to this map, as it was left.").clicked() {
                        requests.write(Request::Rise(level));
                    }
                    ui.label(RichText::new("›").color(theme.quiet));
                }
                ui.label("this selection");
            });
        });
    });
}

/// Height of a caption's letters, as a share of the free part's: as in movies.
const CAPTION: f32 = 0.055;

/// Large type at the foot of the picture.
fn draw_caption(context: &Context, theme: &Theme, free: Rect, words: &str) {
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::new("caption"))).with_clip_rect(free);
    let height = (CAPTION * free.height()).max(14.0);
    let (letters, shadow) = if theme.light { (theme.text, Color32::WHITE) } else { (Color32::WHITE, Color32::BLACK) };
    let mut job = LayoutJob::simple(words.to_owned(), FontId::proportional(height), letters, 0.86 * free.width());
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let place = free.center_bottom() - vec2(0.0, galley.size().y + 0.9 * height);
    for offset in [vec2(-0.06, 0.06), vec2(0.06, 0.06), vec2(0.0, -0.04)] {
        painter.galley_with_override_text_color(place + offset * height, galley.clone(), shadow.gamma_multiply(0.45));
    }
    painter.galley(place, galley, letters);
}

/// Names at the middle of their points; the larger first, and none over another.
fn draw_labels(
    context: &Context,
    theme: &Theme,
    free: Rect,
    labels: &CentroidLabels,
    place: impl Fn(bevy::math::Vec3) -> Option<bevy_egui::egui::Pos2>,
) {
    if labels.0.is_empty() {
        return;
    }
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::new("labels"))).with_clip_rect(free);
    let mut order: Vec<usize> = (0..labels.0.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(labels.0[at].count));
    let mut taken: Vec<Rect> = Vec::new();
    let (text, halo) = if theme.light { (Color32::BLACK, Color32::WHITE) } else { (Color32::WHITE, Color32::BLACK) };
    for at in order {
        let label = &labels.0[at];
        let Some(at) = place(label.place).filter(|at| free.contains(*at)) else { continue };
        let galley = painter.layout_no_wrap(label.name.clone(), FontId::proportional(13.0), text);
        let rect = Align2::CENTER_CENTER.anchor_size(at, galley.size());
        if taken.iter().any(|other| other.expand(2.0).intersects(rect)) {
            continue;
        }
        taken.push(rect);
        for offset in [vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.0, -1.0), vec2(0.0, 1.0)] {
            painter.galley_with_override_text_color(rect.min + offset, galley.clone(), halo.gamma_multiply(0.7));
        }
        painter.galley(rect.min, galley, text);
    }
}

fn card_frame(theme: &Theme) -> Frame {
    Frame::new().fill(theme.panel).stroke(Stroke::new(1.0, theme.line)).corner_radius(8).inner_margin(Margin::same(16))
}

/// A card in the middle of the free part of the window.
fn card(context: &Context, theme: &Theme, free: Rect, name: &str, width: f32, add: impl FnOnce(&mut Ui)) {
    Area::new(Id::new(name)).order(Order::Middle).fixed_pos(free.center()).pivot(Align2::CENTER_CENTER).show(
        context,
        |ui| {
            card_frame(theme).show(ui, |ui| {
                ui.set_width(width);
                add(ui);
            });
        },
    );
}

fn loading_card(
    context: &Context,
    theme: &Theme,
    free: Rect,
    loading: &Loading,
    requests: &mut MessageWriter<Request>,
) {
    card(context, theme, free, "loading", 320.0, |ui| {
        ui.label(RichText::new(format!("Opening {}", loading.name)).heading());
        ui.add_space(6.0);
        if loading.total > 0 {
            let share = loading.done as f32 / loading.total as f32;
            ui.add(ProgressBar::new(share).desired_height(8.0).fill(theme.accent));
            let rows = format!("{}: {} of {} rows", loading.phase, count_text(loading.done), count_text(loading.total));
            ui.label(RichText::new(rows).color(theme.quiet));
        } else {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label(RichText::new(&loading.phase).color(theme.quiet));
            });
        }
        ui.add_space(6.0);
        if ui.button("Cancel").clicked() {
            requests.write(Request::CancelOpening);
        }
    });
}

fn empty_card(context: &Context, theme: &Theme, free: Rect, requests: &mut MessageWriter<Request>) {
    card(context, theme, free, "empty", 380.0, |ui| {
        ui.vertical_centered(|ui| {
            ui.label(RichText::new("Drop a Parquet, Arrow or CSV file here").heading());
            ui.add_space(4.0);
            let words = "Its rows arrange themselves so that similar ones lie close together.";
            ui.label(RichText::new(words).color(theme.quiet));
            ui.add_space(8.0);
            if ui.add(Button::new("Open the demo: 5 620 handwritten digits").min_size(vec2(260.0, 28.0))).clicked() {
                requests.write(Request::OpenDemo);
            }
            ui.label(RichText::new("or File, Open… (Ctrl O)").small().color(theme.quiet));
        });
    });
}

fn restore_card(context: &Context, theme: &Theme, free: Rect, what: &str, requests: &mut MessageWriter<Request>) {
    let place = free.center_top() + vec2(0.0, 12.0);
    Area::new(Id::new("restore")).order(Order::Foreground).fixed_pos(place).pivot(Align2::CENTER_TOP).show(
        context,
        |ui| {
            card_frame(theme).inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.label(format!("Nevis ended unexpectedly while it showed {what}."));
                    if ui.button("Restore").clicked() {
                        requests.write(Request::Restore);
                    }
                    if ui.button("Forget it").clicked() {
                        requests.write(Request::Discard);
                    }
                });
            });
        },
    );
}

fn show_notices(context: &Context, theme: &Theme, free: Rect, notices: &mut ResMut<Notices>) {
    let now = Instant::now();
    if notices.0.iter().any(|notice| notice.until.is_some_and(|until| until <= now)) {
        notices.0.retain(|notice| notice.until.is_none_or(|until| until > now));
    }
    let mut place = free.right_bottom() - vec2(12.0, 12.0);
    let mut dismissed = None;
    for (at, notice) in notices.0.iter().enumerate().rev() {
        let shown = Area::new(Id::new(("notice", at)))
            .order(Order::Foreground)
            .fixed_pos(place)
            .pivot(Align2::RIGHT_BOTTOM)
            .show(context, |ui| {
                let edge = if notice.kind == Announce::Failed { theme.error } else { theme.accent };
                let frame = card_frame(theme).inner_margin(Margin::symmetric(12, 8)).stroke(Stroke::new(1.0, edge));
                frame.show(ui, |ui| {
                    ui.set_max_width(420.0);
                    ui.label(&notice.text);
                    if notice.kind == Announce::Failed {
                        ui.label(RichText::new("click to dismiss").small().color(theme.quiet));
                    }
                });
            });
        let rect = shown.response.rect;
        if context.input(|input| input.pointer.primary_clicked() && pointer_in(input.pointer.interact_pos(), rect)) {
            dismissed = Some(at);
        }
        place.y = rect.top() - 8.0;
    }
    if let Some(at) = dismissed {
        notices.0.remove(at);
    }
}

fn pointer_in(pointer: Option<bevy_egui::egui::Pos2>, rect: Rect) -> bool {
    pointer.is_some_and(|at| rect.contains(at))
}

/// A line at the bottom of the free part.
fn line(context: &Context, theme: &Theme, free: Rect, name: &str, add: impl FnOnce(&mut Ui)) {
    let place = free.center_bottom() - vec2(0.0, 14.0);
    Area::new(Id::new(name)).order(Order::Middle).fixed_pos(place).pivot(Align2::CENTER_BOTTOM).show(context, |ui| {
        let frame = card_frame(theme).inner_margin(Margin::symmetric(12, 5)).corner_radius(14);
        frame.fill(theme.panel.gamma_multiply(0.9)).show(ui, |ui| ui.horizontal(|ui| add(ui)));
    });
}

fn mark(context: &Context, theme: &Theme, free: Rect, words: &str) {
    line(context, theme, free, "mark", |ui| {
        ui.label(RichText::new(words).color(theme.accent));
    });
}

fn hint(context: &Context, theme: &Theme, free: Rect, interface: &mut ResMut<Interface>) {
    let mut dismissed = false;
    line(context, theme, free, "hint", |ui| {
        let words = "drag turns · wheel zooms · click inspects · double click selects · ? shows all keys";
        ui.label(RichText::new(words).color(theme.quiet));
        dismissed = ui.add(Button::new("×").frame(false).sense(Sense::click())).clicked();
    });
    if dismissed {
        interface.hint = false;
    }
}

fn help(context: &Context, theme: &Theme, interface: &mut ResMut<Interface>) {
    let whole = context.viewport_rect();
    let close = context.input(|input| input.pointer.primary_clicked() || input.key_pressed(Key::Escape));
    Area::new(Id::new("help")).order(Order::Foreground).fixed_pos(whole.center()).pivot(Align2::CENTER_CENTER).show(
        context,
        |ui| {
            card_frame(theme).show(ui, |ui| {
                ui.label(RichText::new("Keys and mouse").heading());
                ui.add_space(6.0);
                let told: Vec<(&str, &str)> = SHORTCUTS
                    .iter()
                    .filter(|shortcut| !shortcut.shown.is_empty())
                    .map(|shortcut| (shortcut.shown, shortcut.words))
                    .chain(MOUSE)
                    .collect();
                let rows = told.len().div_ceil(2);
                Grid::new("keys").num_columns(4).spacing(Vec2::new(12.0, 3.0)).show(ui, |ui| {
                    for at in 0..rows {
                        for (key, words) in [told.get(at), told.get(at + rows)].into_iter().flatten() {
                            ui.label(RichText::new(*key).strong().color(theme.accent));
                            ui.label(*words);
                        }
                        ui.end_row();
                    }
                });
                ui.add_space(6.0);
                ui.label(RichText::new("click anywhere to close").small().color(theme.quiet));
            });
        },
    );
    if close {
        interface.help = false;
    }
}
