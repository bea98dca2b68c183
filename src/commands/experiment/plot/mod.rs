//! Plots: panels of curves, or groups of bars, with the letters of the interface, so that nothing of the system is
//! needed.

mod bars;
mod head;
mod scale;

pub use bars::{Bars, draw_bars};

use crate::error::CommandError;
use head::{Head, Key, Mark};
use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::prelude::*;
use plotters::style::register_font;
use points::picture::Pixels;
use scale::Scale;
use std::fmt::Display;
use std::ops::Range;

const FONT: &str = "sans-serif";
/// Pixels drawn per pixel along each side: lines are smooth, and as thick as they should be.
const SUPERSAMPLE: u32 = 4;
/// Size of a panel without its head, before supersampling.
const PANEL: (i32, i32) = (480, 290);
/// Room beside the axes: left of the upright one for its words, and right of the other for half a number.
const LEFT: i32 = 66;
const RIGHT: i32 = 26;
/// Room below the axes, for numbers and words.
const BELOW: i32 = 42;
/// Free between words and the edges, and above the axes.
const MARGIN: i32 = 8;
/// Sizes of letters.
const WORDS: i32 = 15;
const NUMBERS: i32 = 14;
/// Pixels by which letters are to be lower: their middle is that of their box, which has room for accents above.
const SINK: i32 = 2;
/// Thickness of a curve.
const STROKE: i32 = 2;
/// A curve of no more points than this shows where they are.
const FEW: usize = 12;
const AXIS: RGBColor = RGBColor(120, 120, 120);
const MESH: RGBColor = RGBColor(228, 228, 228);
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

impl Axis {
    pub fn linear(label: &str, range: Range<f64>) -> Self {
        Self { label: label.to_owned(), range, log: false }
    }

    pub fn log(label: &str, range: Range<f64>) -> Self {
        Self { label: label.to_owned(), range, log: true }
    }

    /// As far as the values go, to the next round number.
    pub fn log_over(label: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        Self::log(label, scale::around(least..values.fold(least, f64::max)))
    }

    fn scale(&self) -> Scale {
        if self.log { Scale::log(self.range.clone()) } else { Scale::linear(self.range.clone()) }
    }
}

impl Panel {
    fn head(&self) -> Head<'_> {
        let mark = |curve: &Curve| Mark::Line { dashed: curve.dashed, pointed: curve.points.len() <= FEW };
        let keys = self.curves.iter().map(|curve| Key { name: &curve.name, colour: curve.colour(), mark: mark(curve) });
        Head { title: &self.title, keys: keys.collect() }
    }
}

impl Curve {
    fn colour(&self) -> RGBColor {
        COLOURS[self.colour % COLOURS.len()]
    }
}

/// Draws panels beside and below each other.
pub fn draw(panels: &[Panel], columns: usize) -> Result<Pixels, CommandError> {
    let columns = columns.min(panels.len()).max(1);
    let rows = panels.len().div_ceil(columns);
    with_letters()?;
    let across = PANEL.0 - LEFT;
    let head = panels.iter().map(|panel| panel.head().height(across)).max().unwrap_or(0);
    on_white((PANEL.0 * columns as i32, (PANEL.1 + head) * rows as i32), |area| {
        let places = area.split_evenly((rows, columns));
        places.iter().zip(panels).try_for_each(|(place, panel)| {
            let (above, below) = place.split_vertically(px(head));
            panel.head().draw(&above, across)?;
            draw_curves(&below, panel)
        })
    })
}

/// Pixels that are drawn for so many.
const fn px(length: i32) -> i32 {
    length * SUPERSAMPLE as i32
}

fn letters(size: i32) -> TextStyle<'static> {
    (FONT, px(size)).into_font().color(&BLACK)
}

fn with_letters() -> Result<(), CommandError> {
    register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|_| CommandError::Drawing("the built-in letters cannot be read".to_owned()))
}

/// Draws at several times the size, so that edges are smooth.
fn on_white(
    (width, height): (i32, i32),
    paint: impl FnOnce(&Area<'_>) -> Result<(), CommandError>,
) -> Result<Pixels, CommandError> {
    let (width, height) = (px(width).unsigned_abs(), px(height).unsigned_abs());
    let mut rgb = vec![255; width as usize * height as usize * 3];
    {
        let area = BitMapBackend::with_buffer(&mut rgb, (width, height)).into_drawing_area();
        paint(&area)?;
        area.present().map_err(drawing)?;
    }
    let rgba: Vec<u8> = rgb.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
    Ok(Pixels::from_drawn(width, height, SUPERSAMPLE, &rgba)?)
}

fn draw_curves(area: &Area<'_>, panel: &Panel) -> Result<(), CommandError> {
    let (x, y) = (panel.x.scale(), panel.y.scale());
    let mut chart = ChartBuilder::on(area)
        .margin(px(MARGIN))
        .margin_right(px(RIGHT))
        .x_label_area_size(px(BELOW))
        .y_label_area_size(px(LEFT - MARGIN))
        .build_cartesian_2d(x.clone(), y.clone())
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .x_desc(&panel.x.label)
        .y_desc(&panel.y.label)
        .x_label_formatter(&|value| x.label(*value))
        .y_label_formatter(&|value| y.label(*value))
        .axis_desc_style(letters(WORDS))
        .label_style(letters(NUMBERS))
        .axis_style(AXIS.stroke_width(SUPERSAMPLE))
        .bold_line_style(MESH.stroke_width(SUPERSAMPLE))
        .set_all_tick_mark_size(px(4))
        .y_label_offset(px(SINK))
        .draw()
        .map_err(drawing)?;
    for curve in &panel.curves {
        let (colour, points) = (curve.colour(), apart(&curve.points, &x).into_iter());
        let style = colour.stroke_width(px(STROKE).unsigned_abs());
        if curve.dashed {
            chart.draw_series(DashedLineSeries::new(points.clone(), px(7), px(5), style)).map_err(drawing)?;
        } else {
            chart.draw_series(LineSeries::new(points.clone(), style)).map_err(drawing)?;
        }
        if curve.points.len() <= FEW {
            let discs = points.map(|point| Circle::new(point, px(2 * STROKE), colour.filled()));
            chart.draw_series(discs).map_err(drawing)?;
        }
    }
    Ok(())
}

/// Without points in the same column of pixels as the one before them: a line through these is drawn too thick.
fn apart(points: &[(f64, f64)], x: &Scale) -> Vec<(f64, f64)> {
    let pixel = |point: &(f64, f64)| x.map(&point.0, (0, PANEL.0 - LEFT - RIGHT));
    let mut apart = points.to_vec();
    apart.dedup_by_key(|point| pixel(point));
    apart
}

fn drawing(error: impl Display) -> CommandError {
    CommandError::Drawing(format!("the plot cannot be drawn: {error}"))
}
