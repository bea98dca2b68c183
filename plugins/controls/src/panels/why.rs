//! Why the selection is a group: what makes it differ from the rest, or from another selection.

use super::Steering;
use super::inspector::bar;
use crate::images;
use crate::keys::Deed;
use crate::model::{Explained, RowImage, SelectionCard};
use crate::theme::Theme;
use crate::widgets::{quiet, section, short, swatch};
use bevy_egui::egui::{Color32, ComboBox, RichText, Ui};
use colours::count_text;
use egui_plot::{Bar, BarChart, Plot, VLine};
use explain::{AxisHistogram, Composition, Effect};

/// The colours of the two sides.
const SIDE_A: Color32 = Color32::from_rgb(0x4c, 0x9a, 0xff);
const SIDE_B: Color32 = Color32::from_rgb(0xe6, 0x9f, 0x00);
/// Rows of a table that are shown.
const SHOWN: usize = 6;
/// Height of the histogram.
const PLOT_HEIGHT: f32 = 110.0;
/// Side of a picture.
const PICTURE: f32 = 54.0;

pub fn show(ui: &mut Ui, theme: &Theme, steering: &mut Steering, deeds: &mut Vec<Deed>) {
    if steering.selection.is_empty() {
        return;
    }
    section(ui, theme, "WHY THIS?", true, |ui| {
        against(ui, steering);
        if steering.selected.explaining {
            ui.horizontal(|ui| {
                ui.spinner();
                quiet(ui, theme, "comparing …");
            });
        }
        let Some(explained) = steering.selected.explanation.clone() else { return };
        summary(ui, theme, &explained);
        pictures(ui, theme, &explained);
        compositions(ui, theme, &explained, &mut steering.selected);
        effects(ui, theme, "columns", &explained.explanation.numbers);
        effects(ui, theme, "vector components", &explained.explanation.components);
        histogram(ui, theme, &explained.explanation.histogram, &explained.against);
        let export = ui.button("export the tables…").on_hover_text("All of this as tables, one file each.");
        if export.clicked() {
            deeds.push(Deed::ExportTables);
        }
    });
}

fn against(ui: &mut Ui, steering: &mut Steering) {
    ui.horizontal(|ui| {
        ui.label("against");
        let mut wanted = steering.selection.against.clone();
        let names: Vec<String> = steering.selection.named().iter().map(|named| named.name.clone()).collect();
        let width = ui.available_width() - 8.0;
        let text = wanted.clone().unwrap_or_else(|| "the rest".to_owned());
        ComboBox::from_id_salt("against").width(width).selected_text(text).show_ui(ui, |ui| {
            ui.selectable_value(&mut wanted, None, "the rest");
            for name in names {
                ui.selectable_value(&mut wanted, Some(name.clone()), name);
            }
        });
        if wanted != steering.selection.against {
            steering.selection.against = wanted;
        }
    });
}

fn summary(ui: &mut Ui, theme: &Theme, explained: &Explained) {
    let explanation = &explained.explanation;
    quiet(
        ui,
        theme,
        format!("{} against {} of {}", count_text(explanation.a), count_text(explanation.b), explained.against),
    );
    if let Some(cohesion) = explanation.cohesion {
        bar(ui, theme, "cohesion", &format!("{:.0} %", 100.0 * cohesion), cohesion as f32, SIDE_A).on_hover_text(
            "Share of the nearest rows in the data that are in the selection too: how much it is a group by itself.",
        );
    }
}

fn pictures(ui: &mut Ui, theme: &Theme, explained: &Explained) {
    let [mean_a, mean_b, middle_a, middle_b] = &explained.images;
    if mean_a.is_none() && middle_a.is_none() {
        return;
    }
    ui.horizontal(|ui| {
        let mut picture = |name: &str, image: &Option<RowImage>, words: String| {
            let Some(image) = image else { return };
            ui.vertical(|ui| {
                ui.set_width(PICTURE + 2.0);
                images::show(ui, theme, name, image, PICTURE).on_hover_text(words);
                quiet(ui, theme, name);
            });
        };
        let [a, b] = explained.medoids.map(|row| count_text(row as usize));
        picture("mean", mean_a, "The mean of the selection.".to_owned());
        picture("middle", middle_a, format!("Row {a}: the one nearest to the mean of the selection."));
        picture("their mean", mean_b, "The mean of what it is compared with.".to_owned());
        picture("their middle", middle_b, format!("Row {b}: the one nearest to the mean of the others."));
    });
}

fn compositions(ui: &mut Ui, theme: &Theme, explained: &Explained, card: &mut SelectionCard) {
    let all = &explained.explanation.compositions;
    let shown = card.composition.as_ref().and_then(|name| all.iter().find(|one| one.column == *name)).or(all.first());
    let Some(composition) = shown else { return };
    let mut wanted = composition.column.clone();
    ui.horizontal(|ui| {
        ui.label(RichText::new("made of").color(theme.quiet));
        ComboBox::from_id_salt("composition").width(ui.available_width() - 8.0).selected_text(&wanted).show_ui(
            ui,
            |ui| {
                for one in all {
                    ui.selectable_value(&mut wanted, one.column.clone(), &one.column);
                }
            },
        );
    });
    if wanted != composition.column {
        card.composition = Some(wanted);
    }
    shares(ui, theme, composition);
}

fn shares(ui: &mut Ui, theme: &Theme, composition: &Composition) {
    for share in composition.shares.iter().filter(|share| share.in_a > 0).take(SHOWN) {
        let figure = format!("{:.0} %  ×{}", 100.0 * share.share_a, lift_text(share.lift));
        bar(ui, theme, &share.value, &figure, share.share_a as f32, SIDE_A).on_hover_text(format!(
            "{}: {} in the selection ({:.2} %), {} in the others ({:.2} %).\nLift {}: so many times as common as among \
             both together.",
            share.value,
            count_text(share.in_a),
            100.0 * share.share_a,
            count_text(share.in_b),
            100.0 * share.share_b,
            short(share.lift)
        ));
    }
    let more = composition.shares.iter().filter(|share| share.in_a > 0).count().saturating_sub(SHOWN);
    if more > 0 {
        quiet(ui, theme, format!("and {} more", count_text(more)));
    }
}

fn lift_text(lift: f64) -> String {
    if lift >= 10.0 { format!("{lift:.0}") } else { format!("{lift:.1}") }
}

/// What differs most: a bar each, as long as the difference is large.
fn effects(ui: &mut Ui, theme: &Theme, of: &str, effects: &[Effect]) {
    let strongest = &effects[..effects.len().min(SHOWN)];
    if strongest.is_empty() {
        return;
    }
    let most = strongest.iter().filter_map(|effect| effect.cohens_d).fold(0.0, |most: f64, d| most.max(d.abs()));
    ui.label(RichText::new(format!("{of} that differ most")).color(theme.quiet));
    for effect in strongest {
        // Values that never vary within a side have no standard deviation to measure by.
        let more = effect.mean_a > effect.mean_b;
        let colour = if more { SIDE_A } else { SIDE_B };
        let sign = if more { "+" } else { "-" };
        let (figure, share, words) = match effect.cohens_d {
            Some(d) => {
                let words = format!("The difference is {} standard deviations (Cohen's d).", short(d));
                (format!("{sign}{:.2}", d.abs()), (d / most).abs(), words)
            }
            None if effect.mean_a == effect.mean_b => ("0".to_owned(), 0.0, "There is no difference.".to_owned()),
            None => (format!("{sign} always"), 1.0, "All rows of a side have the same value.".to_owned()),
        };
        let auc = effect.auc.map_or(String::new(), |auc| {
            format!(
                "\nA random row of the selection has more than a random other one in {:.0} % of cases.",
                100.0 * auc
            )
        });
        bar(ui, theme, &effect.name, &figure, share as f32, colour).on_hover_text(format!(
            "{}: mean {} ± {} in the selection, {} ± {} in the others.\n{words}{auc}",
            effect.name,
            short(effect.mean_a),
            short(effect.sd_a),
            short(effect.mean_b),
            short(effect.sd_b),
        ));
    }
}

/// Both sides along the line between their means in the data, with the dip between them.
fn histogram(ui: &mut Ui, theme: &Theme, histogram: &AxisHistogram, against: &str) {
    if histogram.edges.len() < 2 {
        return;
    }
    ui.label(RichText::new("along the line between the means").color(theme.quiet)).on_hover_text(
        "All rows of both sides, projected in the data on the line from the mean of the others (0) to the mean of the \
         selection (1); each bar is a share of its side. Two hills with a dip between them, when all rows are added up, \
         are two groups; one hill is one. (the paper's h(A,B))",
    );
    let rows = |counts: &[usize]| counts.iter().sum::<usize>().max(1) as f64;
    let bars = |counts: &[usize], colour: Color32| -> Vec<Bar> {
        let all = rows(counts);
        let one = |(at, &count): (usize, &usize)| {
            let (from, to) = (histogram.edges[at], histogram.edges[at + 1]);
            Bar::new((from + to) / 2.0, count as f64 / all).width(to - from).fill(colour)
        };
        counts.iter().enumerate().map(one).collect()
    };
    Plot::new("h(A,B)")
        .height(PLOT_HEIGHT)
        .show_axes([true, false])
        .show_grid(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_background(false)
        .show_crosshair(false)
        .label_formatter(|_, _| String::new())
        .show(ui, |plot| {
            plot.bar_chart(BarChart::new("selection", bars(&histogram.a, SIDE_A.gamma_multiply(0.75))).color(SIDE_A));
            plot.bar_chart(BarChart::new(against, bars(&histogram.b, SIDE_B.gamma_multiply(0.6))).color(SIDE_B));
            if let Some(dip) = &histogram.dip {
                plot.vline(VLine::new("dip", dip.at).color(theme.text).width(1.5));
            }
        });
    ui.horizontal_wrapped(|ui| {
        for (colour, name) in [(SIDE_A, "selection"), (SIDE_B, against)] {
            swatch(ui, theme, [colour.r(), colour.g(), colour.b()], false);
            quiet(ui, theme, name);
        }
    });
    let words = match &histogram.dip {
        Some(dip) => format!("a dip at {}, {:.0} % below the lower hill", short(dip.at), 100.0 * dip.depth),
        None => "added up, both sides make one hill: no dip".to_owned(),
    };
    quiet(ui, theme, words);
}
