//! Plots: panels of curves, or groups of bars, with the letters of the interface, so that nothing of the system is
//! needed.

use crate::error::CommandError;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use plotters::style::register_font;
use points::picture::Pixels;
use std::fmt::Display;
use std::ops::Range;

const FONT: &str = "sans-serif";
/// Pixels drawn per pixel along each side: lines are smooth.
const SUPERSAMPLE: u32 = 2;
/// Size of a panel, before supersampling.
const PANEL: (u32, u32) = (480, 340);
/// Told apart by most eyes, on white (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    pub label: String,
    pub range: Range<f64>,
    pub log: bool,
}

/// A line with a name in the legend; its colour is one of six.
#[derive(Debug, Clone)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub colour: usize,
    pub dashed: bool,
}

/// Curves over common axes.
#[derive(Debug, Clone)]
pub struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
}

/// Groups of bars, each with one bar for each name; shares in 0…1.
#[derive(Debug, Clone)]
pub struct Bars {
    pub title: String,
    pub names: Vec<String>,
    pub groups: Vec<(String, Vec<f64>)>,
}

impl Axis {
    pub fn linear(label: &str, range: Range<f64>) -> Self {
        Self { label: label.to_owned(), range, log: false }
    }

    pub fn log(label: &str, range: Range<f64>) -> Self {
        Self { label: label.to_owned(), range, log: true }
    }

    /// As far as the values go.
    pub fn log_over(label: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        Self::log(label, least..values.fold(least, f64::max))
    }
}

/// Draws panels beside and below each other.
pub fn draw(panels: &[Panel], columns: usize) -> Result<Pixels, CommandError> {
    let rows = panels.len().div_ceil(columns);
    on_white((PANEL.0 * columns as u32, PANEL.1 * rows as u32), |area| {
        let places = area.split_evenly((rows, columns));
        places.iter().zip(panels).try_for_each(|(place, panel)| draw_panel(place, panel))
    })
}

/// Draws bars.
pub fn draw_bars(bars: &Bars) -> Result<Pixels, CommandError> {
    on_white((PANEL.0 * 3 / 2, PANEL.1), |area| {
        let groups = bars.groups.len() as f64;
        let mut chart = ChartBuilder::on(area)
            .caption(&bars.title, (FONT, 17 * SUPERSAMPLE))
            .margin(8 * SUPERSAMPLE)
            .x_label_area_size(10 * SUPERSAMPLE)
            .y_label_area_size(40 * SUPERSAMPLE)
            .build_cartesian_2d(0.0..groups, -0.08..1.25)
            .map_err(drawing)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .y_label_formatter(&|share| if (0.0..=1.0).contains(share) { format!("{share:.1}") } else { String::new() })
            .label_style((FONT, 13 * SUPERSAMPLE))
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(drawing)?;
        let width = 0.8 / bars.names.len() as f64;
        let text = |size: u32| TextStyle::from((FONT, size * SUPERSAMPLE).into_font());
        for (bar, name) in bars.names.iter().enumerate() {
            let colour = COLOURS[bar % COLOURS.len()];
            let places = (0u32..).zip(&bars.groups).filter_map(|(group, (_, values))| {
                let left = f64::from(group) + 0.1 + width * bar as f64;
                Some((left, *values.get(bar)?))
            });
            let drawn = places.clone().map(|(left, value)| {
                Rectangle::new([(left + 0.01, 0.0), (left + width - 0.01, value)], colour.filled())
            });
            let series = chart.draw_series(drawn).map_err(drawing)?;
            series.label(name).legend(swatch(colour));
            let values =
                places.map(|(left, value)| Text::new(format!("{value:.3}"), (left + 0.015, value + 0.06), text(12)));
            chart.draw_series(values).map_err(drawing)?;
        }
        let names = (0u32..).zip(&bars.groups);
        let names = names.map(|(group, (name, _))| Text::new(name.clone(), (f64::from(group) + 0.1, -0.02), text(14)));
        chart.draw_series(names).map_err(drawing)?;
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font((FONT, 13 * SUPERSAMPLE))
            .draw()
            .map_err(drawing)
    })
}

/// Draws at twice the size, so that edges are smooth.
fn on_white(
    (width, height): (u32, u32),
    paint: impl FnOnce(&Area<'_>) -> Result<(), CommandError>,
) -> Result<Pixels, CommandError> {
    register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|_| CommandError::Drawing("the built-in letters cannot be read".to_owned()))?;
    let (width, height) = (width * SUPERSAMPLE, height * SUPERSAMPLE);
    let mut rgb = vec![255; width as usize * height as usize * 3];
    {
        let area = BitMapBackend::with_buffer(&mut rgb, (width, height)).into_drawing_area();
        paint(&area)?;
        area.present().map_err(drawing)?;
    }
    let rgba: Vec<u8> = rgb.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
    Ok(Pixels::from_drawn(width, height, SUPERSAMPLE, &rgba)?)
}

fn draw_panel(area: &Area<'_>, panel: &Panel) -> Result<(), CommandError> {
    let (x, y) = (panel.x.range.clone(), panel.y.range.clone());
    match (panel.x.log, panel.y.log) {
        (false, false) => draw_curves(area, panel, x, y),
        (true, false) => draw_curves(area, panel, x.log_scale(), y),
        (false, true) => draw_curves(area, panel, x, y.log_scale()),
        (true, true) => draw_curves(area, panel, x.log_scale(), y.log_scale()),
    }
}

fn draw_curves<X, Y>(area: &Area<'_>, panel: &Panel, x: X, y: Y) -> Result<(), CommandError>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 17 * SUPERSAMPLE))
        .margin(10 * SUPERSAMPLE)
        .x_label_area_size(36 * SUPERSAMPLE)
        .y_label_area_size(52 * SUPERSAMPLE)
        .build_cartesian_2d(x, y)
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .x_desc(&panel.x.label)
        .y_desc(&panel.y.label)
        .x_label_formatter(&|value| plain(*value))
        .y_label_formatter(&|value| plain(*value))
        .axis_desc_style((FONT, 14 * SUPERSAMPLE))
        .label_style((FONT, 13 * SUPERSAMPLE))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(drawing)?;
    for curve in &panel.curves {
        let colour = COLOURS[curve.colour % COLOURS.len()];
        let style = colour.stroke_width(2 * SUPERSAMPLE);
        let points = curve.points.iter().copied();
        let series = if curve.dashed {
            chart.draw_series(DashedLineSeries::new(points, 6 * SUPERSAMPLE as i32, 5 * SUPERSAMPLE as i32, style))
        } else {
            chart.draw_series(LineSeries::new(points, style))
        };
        let name = if curve.dashed { format!("{} (dashed)", curve.name) } else { curve.name.clone() };
        series.map_err(drawing)?.label(name).legend(swatch(colour));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.85))
        .label_font((FONT, 13 * SUPERSAMPLE))
        .draw()
        .map_err(drawing)
}

/// A mark of this colour in a legend.
fn swatch(colour: RGBColor) -> impl Fn((i32, i32)) -> Rectangle<(i32, i32)> {
    let side = 4 * SUPERSAMPLE as i32;
    move |(x, y)| Rectangle::new([(x, y - side / 2), (x + 2 * side, y + side / 2)], colour.filled())
}

/// A number without superfluous digits.
fn plain(value: f64) -> String {
    let digits = if value.abs() >= 10.0 { 0 } else { 3 };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn drawing(error: impl Display) -> CommandError {
    CommandError::Drawing(format!("the plot cannot be drawn: {error}"))
}
