//! Groups of bars.

use super::head::{Head, Key, Mark};
use super::scale::Scale;
use super::{AXIS, COLOURS, LEFT, MARGIN, MESH, NUMBERS, PANEL, RIGHT, SINK, SUPERSAMPLE, WORDS, drawing, letters, px};
use crate::error::CommandError;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use points::picture::Pixels;

/// Where the upright axis begins and ends: below is room for names of groups, above for numbers of bars.
const BOTTOM: f64 = -0.1;
const TOP: f64 = 1.08;
/// Share of a group's width that its bars take, and of a bar's that is between it and the next.
const TAKEN: f64 = 0.84;
const GAP: f64 = 0.06;

/// Groups of bars, each with one bar for each name; shares in 0…1.
#[derive(Debug, Clone)]
pub struct Bars {
    pub title: String,
    /// What the shares are shares of.
    pub label: String,
    pub names: Vec<String>,
    pub groups: Vec<(String, Vec<f64>)>,
}

/// Draws bars.
pub fn draw_bars(bars: &Bars) -> Result<Pixels, CommandError> {
    super::with_letters()?;
    let (width, across) = (PANEL.0 * 3 / 2, PANEL.0 * 3 / 2 - LEFT);
    let keys = bars.names.iter().zip(COLOURS.iter().cycle());
    let keys = keys.map(|(name, &colour)| Key { name, colour, mark: Mark::Bar }).collect();
    let head = Head { title: &bars.title, keys };
    let above = head.height(across);
    super::on_white((width, PANEL.1 + above), |area| {
        let (above, below) = area.split_vertically(px(above));
        head.draw(&above, across)?;
        draw_groups(&below, bars)
    })
}

fn draw_groups(area: &super::Area<'_>, bars: &Bars) -> Result<(), CommandError> {
    let (groups, shares) = (Scale::linear(0.0..bars.groups.len() as f64), Scale::linear(BOTTOM..TOP));
    let mut chart = ChartBuilder::on(area)
        .margin(px(MARGIN))
        .margin_right(px(RIGHT))
        .y_label_area_size(px(LEFT - MARGIN))
        .build_cartesian_2d(groups, shares.clone())
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .y_desc(&bars.label)
        .y_label_formatter(&|share| shares.label(*share))
        .axis_desc_style(letters(WORDS))
        .label_style(letters(NUMBERS))
        .axis_style(TRANSPARENT)
        .y_label_offset(px(SINK))
        .bold_line_style(MESH.stroke_width(SUPERSAMPLE))
        .draw()
        .map_err(drawing)?;
    let width = TAKEN / bars.names.len() as f64;
    let group_begin = |group: usize| group as f64 + (1.0 - TAKEN) / 2.0;
    let above = letters(NUMBERS).pos(Pos::new(HPos::Center, VPos::Bottom));
    let below = letters(WORDS).pos(Pos::new(HPos::Center, VPos::Center));
    for (group, (name, values)) in bars.groups.iter().enumerate() {
        for (bar, (&value, colour)) in values.iter().zip(COLOURS.iter().cycle()).enumerate() {
            let left = group_begin(group) + width * bar as f64;
            let corners = [(left + width * GAP / 2.0, 0.0), (left + width * (1.0 - GAP / 2.0), value)];
            let number = Text::new(format!("{value:.3}"), (left + width / 2.0, value + 0.01), above.clone());
            chart.draw_series([Rectangle::new(corners, colour.filled())]).map_err(drawing)?;
            chart.draw_series([number]).map_err(drawing)?;
        }
        let name = Text::new(name.clone(), (group as f64 + 0.5, BOTTOM / 2.0), below.clone());
        chart.draw_series([name]).map_err(drawing)?;
    }
    let floor = PathElement::new([(0.0, 0.0), (bars.groups.len() as f64, 0.0)], AXIS.stroke_width(SUPERSAMPLE));
    chart.draw_series([floor]).map(|_| ()).map_err(drawing)
}
