//! Alpha grid: pictures of the digits by the tails of the similarity (across) and by repulsion over attraction (down).

use super::tidy::Tidy;
use super::{Laboratory, Outcome, SEED};
use crate::args::ViewArgs;
use crate::commands::render::{column_values, shown};
use crate::error::CommandError;
use crate::recording::{Letters, Weight};
use crate::table::Table;
use crate::viewer::offscreen::Studio;
use bevy::math::Vec2;
use colours::{ColourBy, ColourSettings, paint};
use embedding::{Plan, Settings};
use points::picture::Pixels;
use quality::{EvaluateOptions, Evaluation};
use vectors::{Metric, Space, Vectors};

const LABEL: &str = "label";
const DIMS: usize = 2;
/// Neighbourhoods whose R_NX the table has.
const SMALL: usize = 10;
const LARGE: usize = 100;
/// Widths of letters that a line across a picture has room for, about.
const LINE: f32 = 17.0;

/// What is drawn, and how large.
struct Size {
    rows: usize,
    iterations: u32,
    alphas: &'static [f32],
    ratios: &'static [f32],
    picture: (u32, u32),
}

/// One picture.
struct Cell {
    alpha: f32,
    ratio: f32,
    evaluation: Evaluation,
}

pub fn run(laboratory: &mut Laboratory<'_>) -> Result<Outcome, CommandError> {
    let size = if laboratory.quick {
        Size { rows: 600, iterations: 150, alphas: &[0.5, 1.0], ratios: &[1.0], picture: (160, 120) }
    } else {
        let (alphas, ratios) = (&[0.3, 0.5, 1.0, 3.0], &[0.3, 1.0, 3.0]);
        Size { rows: 5620, iterations: 1000, alphas, ratios, picture: (240, 200) }
    };
    let adapter = gpu::adapter::open(None)?; // before any work
    let mut studio = Studio::new(&adapter);
    let data = laboratory.digits(size.rows, &[LABEL])?;
    let colours = ColourSettings { by: ColourBy::Column(LABEL.to_owned()), ..ColourSettings::default() };
    let paint = paint(column_values(&data, &colours)?.as_ref(), data.vectors.rows(), &colours);
    let hd = Space::new(data.vectors.clone(), Metric::Euclidean);
    let (letters, how) = (Letters::default(), EvaluateOptions { seed: SEED, ..EvaluateOptions::default() });
    let mut grid = Grid::new(&size);
    let mut cells = Vec::new();
    for (row, &ratio) in size.ratios.iter().enumerate() {
        for (column, &alpha) in size.alphas.iter().enumerate() {
            let settings = Settings { alpha, repulsion: ratio, seed: SEED, ..Settings::for_rows(data.vectors.rows()) };
            let positions = laboratory.embed(data.vectors.clone(), settings, Plan::of(size.iterations))?;
            let ld = Space::new(Vectors::from_rows(&positions, DIMS), Metric::Euclidean);
            let evaluation = quality::evaluate(&hd, &ld, &how, &|_, _| {})?;
            let shown = shown(positions, DIMS, &paint, &ViewArgs::default(), size.picture);
            let mut drawn = studio.draw(shown, 2)?.pixels;
            let line = format!("α {alpha}, repulsion {ratio}: AUC {:.3}", evaluation.auc);
            let (width, height) = (size.picture.0 as f32, size.picture.0 as f32 / LINE);
            letters.write(&mut drawn, &line, (Vec2::new(width / 2.0, height), height), Weight::Strong, false);
            grid.put(column, row, &drawn);
            cells.push(Cell { alpha, ratio, evaluation });
        }
    }
    Ok(Outcome { plot: grid.pixels, figures: figures(data.vectors.rows(), &cells), table: table(&cells) })
}

/// Pictures of one size beside and below each other.
struct Grid {
    pixels: Pixels,
    picture: (u32, u32),
}

impl Grid {
    fn new(size: &Size) -> Self {
        let picture = size.picture;
        let (width, height) = (picture.0 * size.alphas.len() as u32, picture.1 * size.ratios.len() as u32);
        Self { pixels: Pixels { width, height, rgba: vec![255; width as usize * height as usize * 4] }, picture }
    }

    fn put(&mut self, column: usize, row: usize, drawn: &Pixels) {
        let bytes = self.picture.0 as usize * 4;
        let (stride, top) = (self.pixels.width as usize * 4, row * self.picture.1 as usize);
        for (down, line) in drawn.rgba.chunks_exact(bytes).enumerate() {
            self.pixels.rgba[(top + down) * stride + column * bytes..][..bytes].copy_from_slice(line);
        }
    }
}

impl Cell {
    fn rnx(&self, k: usize) -> f64 {
        self.evaluation.rnx.get(k - 1).map_or(f64::NAN, |&(_, rnx)| rnx)
    }
}

fn figures(rows: usize, cells: &[Cell]) -> String {
    let sentence = |cell: &Cell| {
        let Cell { alpha, ratio, evaluation } = cell;
        let (auc, small, large) = (evaluation.auc, cell.rnx(SMALL), cell.rnx(LARGE));
        format!("α {alpha}, repulsion/attraction {ratio}: {auc:.3} ({small:.3}, {large:.3})")
    };
    let cells = cells.iter().map(sentence).collect::<Vec<_>>().join("; ");
    format!("digits, {rows} rows, d = {DIMS}; R_NX AUC (R_NX({SMALL}), R_NX({LARGE})); {cells}")
}

fn table(cells: &[Cell]) -> Table {
    Tidy::of(cells)
        .numbers("alpha", |cell| f64::from(cell.alpha))
        .numbers("repulsion_over_attraction", |cell| f64::from(cell.ratio))
        .numbers("auc", |cell| cell.evaluation.auc)
        .numbers("rnx_10", |cell| cell.rnx(SMALL))
        .numbers("rnx_100", |cell| cell.rnx(LARGE))
        .numbers("trustworthiness", |cell| cell.evaluation.trustworthiness)
        .table()
}
