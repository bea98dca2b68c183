//! How the points and the view look.

use super::Steering;
use crate::theme::Theme;
use crate::widgets::{SliderRow, section};
use bevy::ecs::change_detection::DetectChangesMut;
use bevy_egui::egui::Ui;
use orbit_camera::CameraSettings;
use points::{Background, PointSettings, SizeUnits};

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering) {
    let mut looks = steering.looks.clone();
    let mut camera = steering.camera.clone();
    section(ui, theme, "LOOK", false, |ui| {
        points(ui, theme, &mut looks);
        view(ui, theme, &mut camera);
    });
    steering.looks.set_if_neq(looks);
    steering.camera.set_if_neq(camera);
}

fn points(ui: &mut Ui, theme: &Theme, looks: &mut PointSettings) {
    let usual = PointSettings::default();
    SliderRow::new("point size", "How large a point is drawn.", 0.5..=24.0, usual.size, true).slide(
        ui,
        theme,
        &mut looks.size,
    );
    let depth = "Darkens points in front of which others stand: the depth of the cloud becomes visible.";
    SliderRow::new("depth", depth, 0.0..=2.0, usual.lighting, false).slide(ui, theme, &mut looks.lighting);
    let fog = "Lets points far away fade into the background.";
    SliderRow::new("fog", fog, 0.0..=1.0, usual.fog, false).slide(ui, theme, &mut looks.fog);
    ui.horizontal(|ui| {
        ui.label("size in")
            .on_hover_text("Pixels stay as they are when you zoom; in the world, points grow as you come nearer.");
        ui.selectable_value(&mut looks.units, SizeUnits::Pixels, "pixels");
        ui.selectable_value(&mut looks.units, SizeUnits::World, "the world");
    });
    ui.horizontal(|ui| {
        ui.label("background").on_hover_text("Light for print and projectors, black for slides.");
        let backgrounds = [(Background::Dark, "dark"), (Background::Light, "light"), (Background::Black, "black")];
        for (background, name) in backgrounds {
            ui.selectable_value(&mut looks.background, background, name);
        }
    });
}

fn view(ui: &mut Ui, theme: &Theme, camera: &mut CameraSettings) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut camera.turntable, "turntable").on_hover_text("The cloud turns slowly by itself. Key: T");
        ui.checkbox(&mut camera.fly, "fly").on_hover_text("W A S D and the mouse move you through the cloud. Key: V");
    });
    if camera.turntable {
        let row = SliderRow {
            name: "full turn",
            effect: "Seconds for a full turn of the turntable.",
            range: 4.0..=120.0,
            default: f64::from(CameraSettings::default().turntable_seconds),
            logarithmic: true,
            decimals: 0,
        };
        if let Some(seconds) = row.show(ui, theme, camera.turntable_seconds) {
            camera.turntable_seconds = seconds;
        }
    }
}
