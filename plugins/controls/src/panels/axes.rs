//! Which axes are seen where there are more than three dimensions.

use super::Steering;
use crate::keys::{Deed, shown};
use crate::seeing::{Apart, Seeing, SeenAxes};
use crate::theme::Theme;
use crate::widgets::{SliderRow, quiet, section, spokes};
use bevy::ecs::change_detection::DetectChangesMut;
use bevy::math::Vec3;
use bevy_egui::egui::{ComboBox, DragValue, Ui};
use colours::ColourBy;
use orbit_camera::Pose;
use tour::Frame;

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    let dims = steering.cloud.dims();
    if dims <= 3 {
        return; // they are seen as they are
    }
    let mut seeing = steering.seeing.clone();
    section(ui, theme, "AXES", true, |ui| {
        modes(ui, steering, &mut seeing, deeds);
        hand(ui, theme, steering, &mut seeing); // above what comes and goes: it must not move under the mouse
        match &mut seeing.axes {
            SeenAxes::Dimensions(chosen) => dimensions(ui, chosen, dims),
            SeenAxes::Guided(apart) => apart_by(ui, theme, steering, apart),
            _ => {}
        }
        if matches!(seeing.axes, SeenAxes::Grand | SeenAxes::Guided(_)) {
            let effect = "How fast the axes turn, in radians a second.";
            let (low, high) = (f64::from(*Seeing::SPEED.start()), f64::from(*Seeing::SPEED.end()));
            let usual = Seeing::default().speed;
            SliderRow::new("speed", effect, low..=high, usual, true).slide(ui, theme, &mut seeing.speed);
        }
        if matches!(seeing.axes, SeenAxes::Hand(_)) {
            quiet(ui, theme, "dragged by hand; \"widest\" goes back");
        }
    });
    steering.seeing.set_if_neq(seeing);
}

fn modes(ui: &mut Ui, steering: &Steering, seeing: &mut Seeing, deeds: &mut Vec<Deed>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        ui.spacing_mut().item_spacing.x = 4.0;
        let effect = "The three widest directions of the cloud, followed as it moves.";
        if ui.selectable_label(seeing.axes == SeenAxes::Principal, "widest").on_hover_text(effect).clicked() {
            seeing.see(SeenAxes::Principal);
        }
        let three = matches!(seeing.axes, SeenAxes::Dimensions(_));
        let effect = "Three of the dimensions, as they are.";
        if ui.selectable_label(three, "three").on_hover_text(effect).clicked() && !three {
            seeing.see(SeenAxes::Dimensions([0, 1, 2]));
        }
        let grand = seeing.axes == SeenAxes::Grand;
        let effect = format!("Turns smoothly through all dimensions, on and on. ({})", shown(Deed::GrandTour));
        if ui.selectable_label(grand, "grand tour").on_hover_text(effect).clicked() && !grand {
            deeds.push(Deed::GrandTour);
        }
        let guided = matches!(seeing.axes, SeenAxes::Guided(_));
        let effect = "Turns to where the selection, or the values of a column, lie farthest apart, and follows them.";
        if ui.selectable_label(guided, "guided").on_hover_text(effect).clicked() && !guided {
            seeing.see(SeenAxes::Guided(first_apart(steering)));
        }
        let (words, effect) = if seeing.paused {
            ("▶", "The axes go on.")
        } else {
            ("⏸", "The axes stand still; the points need not.")
        };
        if ui.selectable_label(seeing.paused, words).on_hover_text(effect).clicked() {
            seeing.paused = !seeing.paused;
        }
    });
}

/// What is to come apart unless told otherwise: what is selected, or else the categories that are coloured.
fn first_apart(steering: &Steering) -> Apart {
    let categorical = &steering.colour.categorical;
    let coloured = match &steering.colour.settings.by {
        ColourBy::Column(name) => categorical.iter().find(|column| *column == name),
        _ => None,
    };
    match coloured.or(categorical.first()) {
        Some(column) if steering.selection.is_empty() => Apart::Column(column.clone()),
        _ => Apart::Selection,
    }
}

fn dimensions(ui: &mut Ui, chosen: &mut [usize; 3], dims: usize) {
    let before = *chosen;
    ui.horizontal(|ui| {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            ui.label(name).on_hover_text("The dimension, counted from 0, that lies along this axis.");
            ui.add(DragValue::new(&mut chosen[axis]).range(0..=dims - 1).speed(0.05).update_while_editing(false));
        }
    });
    // A dimension cannot be two axes: they change places.
    for axis in 0..3 {
        if chosen[axis] != before[axis]
            && let Some(other) = (0..3).find(|&other| other != axis && chosen[other] == chosen[axis])
        {
            chosen[other] = before[axis];
        }
    }
}

fn apart_by(ui: &mut Ui, theme: &Theme, steering: &Steering, apart: &mut Apart) {
    ui.horizontal(|ui| {
        ui.label("apart").on_hover_text("What is to come apart.");
        let words = match apart {
            Apart::Selection => "selection and rest",
            Apart::Column(name) => name.as_str(),
        };
        ComboBox::from_id_salt("apart").width(ui.available_width() - 8.0).selected_text(words.to_owned()).show_ui(
            ui,
            |ui| {
                ui.selectable_value(apart, Apart::Selection, "selection and rest");
                for column in &steering.colour.categorical {
                    ui.selectable_value(apart, Apart::Column(column.clone()), column);
                }
            },
        );
    });
    let selected = steering.selection.rows().count();
    let all = steering.live.snapshot().map_or(0, |snapshot| snapshot.data.points());
    match apart {
        Apart::Selection if selected == 0 || selected == all => {
            quiet(ui, theme, "select some points: the tour waits for them");
        }
        Apart::Column(name) if !steering.colour.categorical.contains(name) => {
            quiet(ui, theme, "there is no such column of categories here");
        }
        _ => {}
    }
}

/// Where each dimension points, to be dragged.
fn hand(ui: &mut Ui, theme: &Theme, steering: &Steering, seeing: &mut Seeing) {
    let axes = steering.cloud.axes().axes;
    let (right, up) = screen_of(&steering.view.pose);
    let tips: Vec<[f32; 2]> = axes.iter().map(|axis| [axis.dot(right), axis.dot(up)]).collect();
    let dragged = spokes(ui, theme, &tips);
    if let Some((dimension, [x, y])) = dragged {
        let before: Vec<[f32; 3]> = axes.iter().map(Vec3::to_array).collect();
        let delta = right * x + up * y;
        let after = Frame::nearest(&before, 3).dragged(dimension, delta.to_array());
        seeing.see(SeenAxes::Hand(after.axes().collect()));
    }
}

/// What is right and what is up on the screen, in the world.
fn screen_of(pose: &Pose) -> (Vec3, Vec3) {
    let ((sin_yaw, cos_yaw), (sin_pitch, cos_pitch)) = (pose.yaw.sin_cos(), pose.pitch.sin_cos());
    let eye = Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
    let right = Vec3::new(cos_yaw, 0.0, -sin_yaw);
    (right, eye.cross(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbit_camera::StandardView;

    #[test]
    fn right_and_up_are_those_of_the_view() {
        let close = |(right, up): (Vec3, Vec3), expected: (Vec3, Vec3)| {
            right.distance(expected.0) < 1e-3 && up.distance(expected.1) < 1e-3
        };
        assert!(close(screen_of(&Pose::view(StandardView::Front)), (Vec3::X, Vec3::Y)));
        assert!(close(screen_of(&Pose::view(StandardView::Right)), (-Vec3::Z, Vec3::Y)));
        assert!(close(screen_of(&Pose::view(StandardView::Top)), (Vec3::X, -Vec3::Z)));
    }
}
