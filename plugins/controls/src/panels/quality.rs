//! How far the picture can be trusted.

use super::Steering;
use crate::theme::Theme;
use crate::widgets::{quiet, section, short};
use bevy_egui::egui::{Align, Color32, Layout, RichText, Ui};
use egui_plot::{Line, Plot, PlotPoints};

/// Share of neighbours found below which the figures mean little.
const FOUND: f32 = 0.9;
/// Height of the plot.
const PLOT_HEIGHT: f32 = 92.0;

/// The two figures that say whether to believe one's eyes; always there, at the foot of the panel.
pub fn strip(ui: &mut Ui, theme: &Theme, steering: &Steering) {
    let Some(snapshot) = steering.live.snapshot() else { return };
    let found = snapshot.statistics.settled;
    let trusted = found >= FOUND;
    let colour = if trusted { theme.text } else { theme.quiet };
    ui.horizontal(|ui| {
        match steering.watch.curve() {
            Some(measured) => {
                let auc = RichText::new(format!("AUC {:.3}", measured.curve.auc)).heading().color(colour);
                ui.label(auc).on_hover_text(
                    "How well neighbourhoods of every size are kept: 1 is perfect, 0 is chance. The area under the \
                     curve in the section QUALITY, small neighbourhoods weighing more. (R_NX AUC, from a sample of \
                     the points)",
                );
                trend(ui, theme, steering.watch.history());
            }
            None => {
                ui.spinner();
                quiet(ui, theme, "measuring …");
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let words = RichText::new(format!("neighbours {:.0} % found", 100.0 * found));
            let words = words.color(if trusted { theme.quiet } else { theme.accent });
            ui.label(words).on_hover_text(if trusted {
                "Share of points whose nearest rows in the data are found. Whether the layout still moves is told at the \
                 top, beside the iteration."
            } else {
                "Not to be trusted yet: the nearest rows of many points in the data are still being found."
            });
        });
    });
}

/// The curve, and what else there is to know.
pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering) {
    section(ui, theme, "QUALITY", true, |ui| {
        let Some(snapshot) = steering.live.snapshot() else {
            quiet(ui, theme, "nothing to measure yet");
            return;
        };
        let found = snapshot.statistics.settled;
        let trusted = found >= FOUND;
        if let Some(measured) = steering.watch.curve() {
            curve(ui, if trusted { theme.accent } else { theme.quiet }, theme, &measured.curve.rnx);
        }
        if !trusted {
            let words = format!("not to be trusted yet: neighbours {:.0} % found", 100.0 * found);
            ui.label(RichText::new(words).small().color(theme.accent));
        }
        if let Some(row) = snapshot.statistics.quarantined_row {
            let words = format!("row {row} had no finite position and was put to rest");
            ui.label(RichText::new(words).small().color(theme.error));
        }
        let size = short(f64::from(snapshot.statistics.size));
        quiet(ui, theme, format!("size of the cloud {size}"))
            .on_hover_text("Root mean square distance of the points from their centre. The camera follows it.");
    });
}

/// Up, down or level, against a few measures ago.
fn trend(ui: &mut Ui, theme: &Theme, history: &[(u32, f64)]) {
    let (Some(&(_, now)), Some(&(_, then))) = (history.last(), history.iter().rev().nth(4)) else { return };
    let change = now - then;
    let words = if change.abs() < 0.002 {
        "level".to_owned()
    } else {
        format!("{}{:.3}", if change > 0.0 { "+" } else { "-" }, change.abs())
    };
    quiet(ui, theme, words).on_hover_text("Change over the last few measures.");
}

/// R_NX against the size of the neighbourhood, on a logarithmic axis.
fn curve(ui: &mut Ui, colour: Color32, theme: &Theme, rnx: &[(usize, f64)]) {
    let points: PlotPoints = thinned(rnx).map(|(k, value)| [(k as f64).log10(), value]).collect();
    let most = rnx.last().map_or(1.0, |&(k, _)| (k as f64).log10()).max(0.5);
    Plot::new("rnx")
        .height(PLOT_HEIGHT)
        .show_axes([true, true])
        .show_grid(true)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .include_x(0.0)
        .include_x(most)
        .include_y(0.0)
        .include_y(1.0)
        .x_grid_spacer(|_| {
            let mark = |power: i32| egui_plot::GridMark { value: f64::from(power), step_size: 1.0 };
            (0..4).map(mark).collect()
        })
        .y_grid_spacer(|_| [0.0, 0.5, 1.0].map(|value| egui_plot::GridMark { value, step_size: 0.5 }).to_vec())
        .x_axis_formatter(|mark, _| format!("{:.0}", 10_f64.powf(mark.value)))
        .y_axis_formatter(|mark, _| short(mark.value))
        .label_formatter(|_, point| format!("R_NX({:.0}) = {:.3}", 10_f64.powf(point.x), point.y))
        .set_margin_fraction([0.0, 0.0].into())
        .show_background(false)
        .show(ui, |plot| {
            plot.line(Line::new("R_NX", points).color(colour).width(1.5));
        });
    quiet(ui, theme, "neighbourhoods kept, by their size").on_hover_text(
        "R_NX(K): of the K nearest in the data, the share that is among the K nearest in the picture, less what \
         chance would give.",
    );
}

/// As many points of a curve as can be seen.
fn thinned(rnx: &[(usize, f64)]) -> impl Iterator<Item = (usize, f64)> + '_ {
    let mut next = 1.0;
    rnx.iter().copied().filter(move |&(k, _)| {
        let take = k as f64 >= next;
        if take {
            next = (k as f64 * 1.05).max(k as f64 + 1.0);
        }
        take
    })
}
