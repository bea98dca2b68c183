//! `nevis render`: embeds and draws a picture, without a window.

use crate::args::{EngineArgs, RenderArgs, ViewArgs};
use crate::backend::{Wish, place_name};
use crate::choice::{SettingsChoice, check_drawn};
use crate::commands::embed::{optimise, planned};
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::text;
use crate::trust::{self, TrustMeter};
use crate::viewer::offscreen::{Shown, draw};
use crate::viewer::scene::{Layout, axes_of, bounds_of, styles_of};
use crate::viewer::session::absolute;
use crate::viewer::{PICTURE_KEY, trust_of};
use colours::{ColourBy, ColourSettings, Paint, Values, default_colouring, paint};
use dataset::{Dataset, LoadOptions};
use embedding::Plan;
use points::picture::write_png;
use points::{PointSettings, Positions};
use selection::Rows;
use serde::Serialize;
use serde_json::json;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Dimensions of a picture unless told otherwise: as in the window.
const USUAL_DIMS: usize = 3;

#[derive(Debug, Serialize)]
struct RenderReport {
    rows: usize,
    dims: usize,
    iterations: u32,
    /// The area under R_NX.
    auc: Option<f64>,
    /// Where the embedding was computed: an adapter, or none on the cpu.
    adapter: Option<String>,
    /// What drew it.
    drawn_by: String,
    width: u32,
    height: u32,
    color_by: ColourBy,
    seconds: f64,
    out: PathBuf,
    notes: Vec<String>,
}

pub fn run(args: &RenderArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    let mut notes = Vec::new();
    if args.out.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("png")) {
        let found = args.out.display();
        return Err(CommandError::Drawing(format!("{found} does not end in .png, the one kind of picture there is")));
    }
    let flags = EngineArgs { dims: args.engine.dims.or(Some(USUAL_DIMS)), ..args.engine.clone() };
    let choice = SettingsChoice::Over { file: None, flags, iterations: args.iterations };
    check_drawn(choice.for_rows(0)?.dims)?;
    let wish = Wish::of(&args.backend)?;
    let place = wish.open(&mut notes)?;
    let drawer = gpu::adapter::open(wish.adapter.as_deref())?;
    let input = Input::of(&args.input);
    let load = args.loader.over(LoadOptions::default());
    let mut data = input.load(&load, console)?;
    let colours = args.view.over_colours(default_colouring(&data));
    let column = column_values(&data, &colours)?;
    let rows = data.vectors.rows();
    let settings = choice.for_rows(rows)?;
    let (plan, ending) = planned(args.iterations.map(Plan::of), rows);
    notes.extend(loading_notes(&data));
    let place = place.for_data(&data.vectors, &settings, &mut notes)?;
    console.notes(&notes);

    let vectors = std::mem::take(&mut data.vectors);
    let mut runner = place.start(vectors, settings.clone(), None)?;
    let embedded = optimise(&mut runner, plan, ending, console)?;
    if let Some(failure) = embedded.failure {
        return Err(failure.into());
    }
    let positions = embedded.positions;
    let paint = match trust_of(&colours.by) {
        Some(kind) => TrustMeter::default().paint(kind, &mut runner, &positions, &settings, &colours)?,
        None => paint(column.as_ref(), rows, &colours),
    };
    let (adapter, iterations) = (runner.adapter(), embedded.done.iterations);
    let auc = trust::auc(&runner, &positions, &settings);
    drop(runner);
    let (width, height) = args.size;
    let shown = shown(positions, settings.dims, &paint, &args.view, args.size);
    let looks = shown.looks.clone();
    let pixels = draw(shown, &drawer)?;
    let recipe = json!({
        "nevis": env!("CARGO_PKG_VERSION"), "command": "render", "input": absolute(&input),
        "input_hash": data.source.hash, "load": load, "settings": settings, "iterations": iterations,
        "auc": auc, "colours": colours, "looks": looks, "pose": args.view.camera.unwrap_or_default(),
    });
    write_png(&args.out, &pixels, &[(PICTURE_KEY.to_owned(), recipe.to_string())])?;
    console.print(&RenderReport {
        rows,
        dims: settings.dims,
        iterations,
        auc,
        adapter,
        drawn_by: drawer.summary.name,
        width,
        height,
        color_by: colours.by,
        seconds: begun.elapsed().as_secs_f64(),
        out: args.out.clone(),
        notes,
    })
}

/// The values of the column that is coloured by; an error before any work if there is no such column.
pub fn column_values(data: &Dataset, colours: &ColourSettings) -> Result<Option<Values>, CommandError> {
    match &colours.by {
        ColourBy::Column(name) => Ok(Some(Values::of_column(data, name)?)),
        _ => Ok(None),
    }
}

/// Positions in row order, as they are drawn.
pub fn shown(positions: Vec<f32>, dims: usize, paint: &Paint, view: &ViewArgs, (width, height): (u32, u32)) -> Shown {
    let layout = Layout { positions: &positions, dims, stride: dims };
    let axes = axes_of(layout, None);
    let bounds = bounds_of(layout, &axes);
    let count = layout.points();
    let rows: Vec<u32> = (0..count as u32).collect();
    Shown {
        styles: Arc::new(styles_of(paint, &rows, &Rows::none(rows.len()))),
        positions: Positions { values: Arc::new(positions), count, dims, stride: dims },
        axes,
        flatness: if bounds.flat { 1.0 } else { 0.0 },
        bounds,
        looks: view.over_looks(PointSettings::default()),
        pose: view.camera.unwrap_or_default(),
        width,
        height,
    }
}

impl fmt::Display for RenderReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, dims) = (text::counted(self.rows, "row"), text::counted(self.dims, "dimension"));
        let iterations = text::counted(self.iterations as usize, "iteration");
        writeln!(f, "embedded {rows} in {dims}, {iterations} on {}", place_name(self.adapter.as_deref()))?;
        let by = match &self.color_by {
            ColourBy::Uniform => "in one colour".to_owned(),
            ColourBy::Column(column) => format!("coloured by {column}"),
            ColourBy::NeighbourhoodKept => "coloured by the neighbourhoods kept".to_owned(),
            ColourBy::DistanceCorrelation => "coloured by the distances kept".to_owned(),
        };
        writeln!(f, "drawn by {}, {by}, {:.1} s in all", self.drawn_by, self.seconds)?;
        writeln!(f, "wrote {} × {} pixels to {}", self.width, self.height, self.out.display())
    }
}
