//! What lies between points: threads from the inspected point to its neighbours, the stroke that is being drawn, the
//! name of the point under the cursor.

use crate::desk::{Desk, Doing};
use crate::images;
use crate::model::{InspectorCard, RowCard};
use crate::theme::Theme;
use bevy::camera::Camera;
use bevy::ecs::prelude::{Query, Res, Result, With};
use bevy::ecs::system::SystemParam;
use bevy::math::Vec3;
use bevy::transform::components::GlobalTransform;
use bevy::window::{PrimaryWindow, Window};
use bevy_egui::EguiContexts;
use bevy_egui::egui::{
    Area, Color32, Context, Frame, Id, LayerId, Margin, Order, Painter, Pos2, Rect, RichText, Shape, Stroke,
    TextWrapMode, pos2, vec2,
};
use colours::count_text;
use inspect::{Hovered, Inspected, Stroke as Drawn, Tie, Tool, ToolSettings};
use orbit_camera::{CloudBounds, OrbitCamera, ViewInsets};
use points::PointSettings;

/// The longest dashed line, in points of the interface.
const MOST_DASHED: f32 = 3000.0;

/// The colour of a tie: three that people with any colour vision tell apart.
pub fn tie_colour(tie: Tie) -> Color32 {
    match tie {
        Tie::Kept => Color32::from_rgb(0x00, 0x9e, 0x73),
        Tie::Torn => Color32::from_rgb(0xd5, 0x5e, 0x00),
        Tie::False => Color32::from_rgb(0xcc, 0x79, 0xa7),
    }
}

/// What is drawn, and where the camera stands.
#[derive(SystemParam)]
pub struct Scene<'w, 's> {
    inspected: Res<'w, Inspected>,
    card: Res<'w, InspectorCard>,
    hovered: Res<'w, Hovered>,
    desk: Res<'w, Desk>,
    stroke: Res<'w, Drawn>,
    tools: Res<'w, ToolSettings>,
    bounds: Res<'w, CloudBounds>,
    looks: Res<'w, PointSettings>,
    insets: Res<'w, ViewInsets>,
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<OrbitCamera>>,
    windows: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

/// How long a hand that has stopped still points at something, while a score is presented (seconds).
const POINTING: f32 = 2.5;

/// Draws all of it, over the cloud and under the panels.
pub fn draw_ties(mut contexts: EguiContexts, scene: Scene) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let Ok((camera, transform)) = scene.cameras.single() else { return Ok(()) }; // nothing is seen
    let zoom = context.zoom_factor();
    let whole = context.viewport_rect();
    let free = Rect::from_min_max(
        whole.min + vec2(scene.insets.left, scene.insets.top) / zoom,
        whole.max - vec2(scene.insets.right, scene.insets.bottom) / zoom,
    );
    let theme = Theme::of(&scene.looks.background);
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::new("ties"))).with_clip_rect(free);
    let on_screen = |place: Vec3| {
        let at = camera.world_to_viewport(transform, place).ok()?;
        Some(pos2(at.x / zoom, at.y / zoom))
    };
    if scene.inspected.row().is_some()
        && let Some(from) = on_screen(scene.inspected.place())
    {
        threads(&painter, &theme, from, &scene.inspected, on_screen);
    }
    stroke(&painter, &theme, &scene.stroke, zoom);
    let cursor = scene.windows.single().ok().and_then(Window::cursor_position).map(|at| pos2(at.x, at.y) / zoom);
    if scene.tools.tool == Tool::Brush
        && let Some(cursor) = cursor.filter(|cursor| free.contains(*cursor))
    {
        brush(&painter, &theme, cursor, &scene, on_screen);
    }
    // A hand that rests does not point at anything, and an audience should not wonder what it is.
    let points_at = scene.desk.doing != Doing::Presenting
        || context.input(|input| input.pointer.time_since_last_movement() < POINTING);
    if let (true, Some((row, place)), Some(card)) = (points_at, scene.hovered.0, &scene.card.hovered)
        && card.row == row
        && let Some(at) = on_screen(place)
    {
        painter.circle_stroke(at, 6.0, Stroke::new(1.5, theme.text));
        tooltip(&context, &theme, at, free, card);
    }
    Ok(())
}

/// Lines to the neighbours, those that say the most on top, and a ring around the point itself.
fn threads(
    painter: &Painter,
    theme: &Theme,
    from: Pos2,
    inspected: &Inspected,
    on_screen: impl Fn(Vec3) -> Option<Pos2>,
) {
    for tie in [Tie::Kept, Tie::False, Tie::Torn] {
        let colour = tie_colour(tie);
        for neighbour in inspected.neighbours().iter().filter(|neighbour| neighbour.tie == tie) {
            let Some(to) = on_screen(neighbour.place) else { continue };
            let line = Stroke::new(1.5, colour.gamma_multiply(0.85));
            match tie {
                // Beyond the screen nobody sees dashes, and there would be thousands of them.
                Tie::False if from.distance(to) < MOST_DASHED => {
                    painter.extend(Shape::dashed_line(&[from, to], line, 5.0, 4.0));
                }
                _ => {
                    painter.line_segment([from, to], line);
                }
            }
            painter.circle_filled(to, 2.5, colour);
        }
    }
    let dark = if theme.light { Color32::WHITE } else { Color32::BLACK };
    painter.circle_stroke(from, 8.0, Stroke::new(4.0, dark.gamma_multiply(0.6)));
    painter.circle_stroke(from, 8.0, Stroke::new(2.0, theme.accent));
}

/// The lasso or box under way.
fn stroke(painter: &Painter, theme: &Theme, stroke: &Drawn, zoom: f32) {
    if !stroke.under_way || stroke.path.len() < 2 {
        return;
    }
    let line = Stroke::new(1.5, theme.accent);
    let at = |place: &bevy::math::Vec2| pos2(place.x, place.y) / zoom;
    match stroke.tool {
        Tool::Lasso => {
            let mut path: Vec<Pos2> = stroke.path.iter().map(at).collect();
            painter.add(Shape::line(path.clone(), line));
            path.drain(1..path.len() - 1); // the way home closes the loop
            painter.extend(Shape::dashed_line(&path, line, 4.0, 4.0));
        }
        Tool::Box => {
            let [Some(first), Some(last)] = [stroke.path.first(), stroke.path.last()] else { return };
            let rect = Rect::from_two_pos(at(first), at(last));
            painter.rect(rect, 0, theme.accent.gamma_multiply(0.08), line, bevy_egui::egui::StrokeKind::Middle);
        }
        Tool::Brush | Tool::Point => {}
    }
}

/// How large the brush is, at the depth of the point under it or of the middle of the cloud.
fn brush(painter: &Painter, theme: &Theme, cursor: Pos2, scene: &Scene, on_screen: impl Fn(Vec3) -> Option<Pos2>) {
    let Ok((_, transform)) = scene.cameras.single() else { return };
    let place = scene.hovered.0.map_or(scene.bounds.centre, |(_, place)| place);
    let beside = place + *transform.right() * scene.tools.brush * scene.bounds.radius;
    if let (Some(place), Some(beside)) = (on_screen(place), on_screen(beside)) {
        painter.circle_stroke(cursor, place.distance(beside).max(2.0), Stroke::new(1.5, theme.accent));
    }
}

fn tooltip(context: &Context, theme: &Theme, at: Pos2, free: Rect, card: &RowCard) {
    let right = at.x + 200.0 < free.right();
    let place = if right { at + vec2(14.0, 10.0) } else { at + vec2(-14.0, 10.0) };
    let pivot = if right { bevy_egui::egui::Align2::LEFT_TOP } else { bevy_egui::egui::Align2::RIGHT_TOP };
    let area = Area::new(Id::new("hovered")).order(Order::Tooltip).fixed_pos(place).pivot(pivot).interactable(false);
    area.show(context, |ui| {
        let frame = Frame::new().fill(theme.panel).stroke(Stroke::new(1.0, theme.line)).corner_radius(4);
        frame.inner_margin(Margin::symmetric(8, 5)).show(ui, |ui| {
            ui.set_max_width(260.0);
            ui.style_mut().wrap_mode = Some(TextWrapMode::Truncate);
            ui.horizontal(|ui| {
                if let Some(image) = &card.image {
                    images::show(ui, theme, "hovered", image, 40.0);
                }
                ui.vertical(|ui| {
                    if !card.title.is_empty() {
                        ui.label(RichText::new(&card.title).color(theme.text));
                    }
                    ui.label(
                        RichText::new(format!("row {}", count_text(card.file_row as usize))).small().color(theme.quiet),
                    );
                });
            });
        });
    });
}
