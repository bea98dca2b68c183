//! The wheel: the whole data set in the middle, each level a ring of nodes around it.

use super::{Grown, HierarchyCard, Slice};
use crate::images::texture;
use crate::theme::Theme;
use bevy_egui::egui::epaint::{Mesh, Vertex};
use bevy_egui::egui::{Color32, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke, TextureId, Ui, Vec2, pos2, vec2};
use colours::count_text;
use hierarchy::Node;
use std::f32::consts::TAU;

/// Nodes that are mostly selected have a strong ring.
const MOSTLY: f32 = 0.5;
/// A disc is never smaller, in points of the interface …
const SMALLEST: f32 = 1.6;
/// … and nothing smaller has a face.
const SMALLEST_FACE: f32 = 3.0;
/// Nodes can be hit from so far.
const REACH: f32 = 4.0;
/// A picture is so much of its disc; around it is what classes are in it.
const PICTURE: f32 = 0.84;
/// Nodes of other levels step back so far.
const ASIDE: f32 = 0.55;
/// Classes that are named in the hint.
const NAMED: usize = 6;

/// Where nodes are on the screen.
struct Place {
    centre: Pos2,
    scale: f32,
}

impl Place {
    fn of(&self, grown: &Grown, node: u32) -> (Pos2, f32) {
        let place = grown.layout.places[node as usize];
        (self.centre + self.scale * vec2(place.x, -place.y), (self.scale * place.r).max(SMALLEST))
    }

    /// The node at a point, or else the nearest within reach.
    fn node_at(&self, grown: &Grown, at: Pos2) -> Option<u32> {
        let distance = |node: u32| {
            let (centre, radius) = self.of(grown, node);
            centre.distance(at) - radius
        };
        let nodes = (0..grown.layout.places.len() as u32).map(|node| (node, distance(node)));
        let (node, distance) = nodes.min_by(|one, other| one.1.total_cmp(&other.1))?;
        (distance <= REACH).then_some(node)
    }
}

/// Draws it; the node that was clicked, and whether with Shift and with Ctrl.
pub fn show(ui: &mut Ui, theme: &Theme, card: &HierarchyCard, grown: &Grown) -> Option<(u32, bool, bool)> {
    let size = ui.available_size().max(Vec2::splat(100.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let place = Place { centre: rect.center(), scale: 0.5 * rect.width().min(rect.height()) };
    let painter = ui.painter_at(rect);
    draw_rings(&painter, theme, card, grown, &place);
    draw_edges(&painter, theme, card, grown, &place);
    for node in grown.hierarchy.nodes() {
        draw_node(&painter, theme, card, grown, &place, node);
    }
    let hovered = response.hover_pos().and_then(|at| place.node_at(grown, at));
    let clicked = response.clicked();
    if let Some(node) = hovered {
        let (centre, radius) = place.of(grown, node);
        painter.circle_stroke(centre, radius + 1.0, Stroke::new(1.5, theme.text));
        response.on_hover_ui_at_pointer(|ui| tell(ui, theme, card, grown, node));
    }
    let modifiers = ui.input(|input| input.modifiers);
    hovered.filter(|_| clicked).map(|node| (node, modifiers.shift, modifiers.command))
}

fn is_pointed_out(card: &HierarchyCard, node: &Node) -> bool {
    node.level.is_none_or(|level| level == card.level)
}

fn draw_rings(painter: &Painter, theme: &Theme, card: &HierarchyCard, grown: &Grown, place: &Place) {
    for (level, &ring) in grown.layout.rings.iter().enumerate() {
        let chosen = level == card.level;
        let colour = if chosen { theme.accent.gamma_multiply(0.55) } else { theme.line.gamma_multiply(0.7) };
        painter.circle_stroke(place.centre, place.scale * ring, Stroke::new(1.0, colour));
    }
}

/// What is not of the tree is drawn first, and faintly.
fn draw_edges(painter: &Painter, theme: &Theme, card: &HierarchyCard, grown: &Grown, place: &Place) {
    let nodes = grown.hierarchy.nodes();
    for tree in [false, true] {
        for edge in grown.hierarchy.edges().iter().filter(|edge| edge.tree == tree) {
            let (from, to) = (place.of(grown, edge.parent).0, place.of(grown, edge.child).0);
            let share = nodes[edge.child as usize].size() as f32 / grown.hierarchy.rows().max(1) as f32;
            let near = is_pointed_out(card, &nodes[edge.child as usize]);
            let strength = edge.weight * if tree { 0.65 } else { 0.3 } * if near { 1.0 } else { 0.7 };
            let width = if tree { 0.8 + 4.0 * share.sqrt() } else { 0.8 };
            painter.line_segment([from, to], Stroke::new(width, theme.quiet.gamma_multiply(strength)));
        }
    }
}

fn draw_node(painter: &Painter, theme: &Theme, card: &HierarchyCard, grown: &Grown, place: &Place, node: &Node) {
    let (centre, radius) = place.of(grown, node.id);
    let chosen = is_pointed_out(card, node);
    let strength = if chosen { 1.0 } else { ASIDE };
    painter.circle_filled(centre, radius, theme.panel); // no edge shines through
    let classes = card.compositions.get(node.id as usize).map_or(&[][..], Vec::as_slice);
    let picture = grown.pictures.get(node.id as usize).and_then(Option::as_ref);
    match picture.filter(|_| radius >= SMALLEST_FACE) {
        Some(picture) => {
            let rim = if classes.is_empty() { 1.0 } else { PICTURE };
            draw_pie(painter, theme, classes, node.size(), (centre, radius), strength);
            let texture = texture(painter.ctx(), &format!("node {}", node.id), picture);
            let tint = Color32::WHITE.gamma_multiply(if chosen { 1.0 } else { 0.5 + 0.5 * ASIDE });
            painter.circle_filled(centre, rim * radius, theme.panel);
            draw_picture(painter, texture.id(), (centre, rim * radius), tint);
        }
        None => draw_pie(painter, theme, classes, node.size(), (centre, radius), strength),
    }
    let edge = if chosen { theme.text.gamma_multiply(0.8) } else { theme.quiet.gamma_multiply(0.5) };
    if radius >= SMALLEST_FACE {
        painter.circle_stroke(centre, radius, Stroke::new(if chosen { 1.2 } else { 0.8 }, edge));
    }
    let share = card.shares.get(node.id as usize).copied().unwrap_or(0.0);
    if share >= MOSTLY {
        painter.circle_stroke(centre, radius + 2.0, Stroke::new(2.5, theme.accent));
    } else if share > 0.0 {
        painter.circle_stroke(centre, radius + 1.5, Stroke::new(1.0, theme.accent.gamma_multiply(0.3 + share)));
    }
}

/// A corner of a fan.
fn corner(pos: Pos2, uv: Pos2, color: Color32) -> Vertex {
    Vertex { pos, uv, color }
}

fn on_circle(centre: Pos2, radius: f32, turn: f32) -> Pos2 {
    let (sin, cos) = (TAU * turn).sin_cos();
    centre + radius * vec2(sin, -cos)
}

/// Corners around a disc of that radius: enough to look round.
fn corners(radius: f32) -> u32 {
    (3.0 * radius).clamp(12.0, 96.0) as u32
}

/// Classes as slices, from the top; rows of none are of the colour of buttons.
fn draw_pie(
    painter: &Painter,
    theme: &Theme,
    classes: &[Slice],
    rows: usize,
    (centre, radius): (Pos2, f32),
    strength: f32,
) {
    let none = theme.button.lerp_to_gamma(theme.quiet, 0.35).gamma_multiply(strength);
    painter.circle_filled(centre, radius, none);
    let mut mesh = Mesh::default();
    let mut from = 0.0;
    for slice in classes {
        let [red, green, blue] = slice.colour;
        let colour = Color32::from_rgb(red, green, blue).gamma_multiply(strength);
        let turn = slice.rows as f32 / rows.max(1) as f32;
        let steps = (corners(radius) as f32 * turn).ceil().max(1.0) as u32;
        for step in 0..steps {
            let at = |step: u32| on_circle(centre, radius, from + turn * step as f32 / steps as f32);
            let first = mesh.vertices.len() as u32;
            let white = bevy_egui::egui::epaint::WHITE_UV;
            mesh.vertices.extend([centre, at(step), at(step + 1)].map(|place| corner(place, white, colour)));
            mesh.add_triangle(first, first + 1, first + 2);
        }
        from += turn;
    }
    painter.add(Shape::mesh(mesh));
}

/// A picture in a disc.
fn draw_picture(painter: &Painter, texture: TextureId, (centre, radius): (Pos2, f32), tint: Color32) {
    let mut mesh = Mesh::with_texture(texture);
    let count = corners(radius);
    let middle = pos2(0.5, 0.5);
    mesh.vertices.push(corner(centre, middle, tint));
    for step in 0..count {
        let turn = step as f32 / count as f32;
        mesh.vertices.push(corner(on_circle(centre, radius, turn), on_circle(middle, 0.5, turn), tint));
        mesh.add_triangle(0, 1 + step, 1 + (step + 1) % count);
    }
    painter.add(Shape::mesh(mesh));
}

/// A node in words.
fn tell(ui: &mut Ui, theme: &Theme, card: &HierarchyCard, grown: &Grown, id: u32) {
    let node = &grown.hierarchy.nodes()[id as usize];
    let rows = count_text(node.size());
    ui.label(RichText::new(match node.level {
        None => format!("all {rows} rows"),
        Some(level) => format!("{rows} rows · level {level} · α {:.3}", grown.hierarchy.levels()[level].alpha),
    }));
    let classes = card.compositions.get(id as usize).map_or(&[][..], Vec::as_slice);
    for slice in classes.iter().take(NAMED) {
        ui.horizontal(|ui| {
            let (mark, _) = ui.allocate_exact_size(Vec2::splat(9.0), Sense::hover());
            let [red, green, blue] = slice.colour;
            ui.painter().rect_filled(
                Rect::from_center_size(mark.center(), Vec2::splat(9.0)),
                2,
                Color32::from_rgb(red, green, blue),
            );
            let share = 100.0 * slice.rows as f32 / node.size().max(1) as f32;
            ui.label(format!("{} {share:.1} %", slice.name));
        });
    }
    if classes.len() > NAMED {
        ui.label(RichText::new(format!("and {} more", classes.len() - NAMED)).color(theme.quiet));
    }
    if let Some(share) = card.shares.get(id as usize).filter(|share| **share > 0.0) {
        ui.label(RichText::new(format!("{:.1} % of it selected", 100.0 * share)).color(theme.accent));
    }
    ui.label(RichText::new("click selects its rows").small().color(theme.quiet));
}
