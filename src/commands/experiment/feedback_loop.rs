//! Feedback loop: the neighbours found in the data, by refinements, beside an embedding that moves and one that is fixed.
//!
//! The search of the paper has no start-up projections and looks at few candidates in a refinement; that of nevis has
//! found nearly everything before the embedding moves. So it is measured at several densities: from a single projection,
//! following 1, 2, 4 or 16 places of each list, where what the embedding contributes can be seen, and as it *usually* is.
//! Points start anywhere, in all cases the same.

use super::plot::{Axis, Curve, Panel, draw};
use super::tidy::Tidy;
use super::truth::{Truth, area};
use super::{Laboratory, Outcome, SEED};
use crate::error::CommandError;
use crate::table::Table;
use embedding::{Engine, Init, Settings};
use vectors::Vectors;

const FILE: &str = "mnist_70k_pca50.parquet";
const DIMS: [usize; 2] = [2, 8];
/// Share of the final quality that is to be reached.
const REACHED: f64 = 0.9;

/// How the search goes beside what the embedding gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Search {
    name: &'static str,
    /// Places of each list that are followed, after one projection; none: as usual.
    places: Option<usize>,
}

/// From the sparsest on.
const SEARCHES: [Search; 5] = [
    Search { name: "1 place followed", places: Some(1) },
    Search { name: "2 places", places: Some(2) },
    Search { name: "4 places", places: Some(4) },
    Search { name: "16 places", places: Some(16) },
    Search { name: "usual", places: None },
];

/// One measurement.
struct Line {
    dims: usize,
    search: Search,
    moving: bool,
    refinements: u32,
    iterations: u32,
    auc: f64,
}

/// How much is done: rows, length of the lists, refinements.
struct Size {
    rows: usize,
    k: usize,
    refinements: u32,
}

pub fn run(laboratory: &mut Laboratory<'_>) -> Result<Outcome, CommandError> {
    let (size, data) = if laboratory.quick {
        let size = Size { rows: 2000, k: 32, refinements: 80 };
        let data = laboratory.digits(size.rows, &[])?;
        (size, data)
    } else {
        let size = Size { rows: 10_000, k: 256, refinements: 200 };
        let data = laboratory.load(FILE, Some(size.rows), &[])?;
        (size, data)
    };
    let truth = Truth::new(data.vectors.clone(), size.k, laboratory.console);
    let mut lines = Vec::new();
    for dims in DIMS {
        for (search, moving) in SEARCHES.into_iter().flat_map(|search| [(search, true), (search, false)]) {
            lines.extend(follow(&data.vectors, &truth, &size, (dims, search, moving))?);
        }
    }
    Ok(Outcome {
        plot: draw(&DIMS.map(|dims| panel(&lines, dims, &size)), 2)?,
        figures: figures(&lines, &size),
        table: table(&lines),
    })
}

fn settings(size: &Size, (dims, search, moving): (usize, Search, bool)) -> Settings {
    let usual = Settings::for_rows(size.rows);
    let force = if moving { 1.0 } else { 0.0 }; // without force nothing moves
    let (start_projections, followed_neighbours) =
        search.places.map_or((usual.start_projections, usual.followed_neighbours), |places| (1, places));
    let (attraction, repulsion) = (force * usual.attraction, force * usual.repulsion);
    let (hd_neighbours, init, seed) = (Some(size.k), Init::Random, SEED);
    Settings { dims, attraction, repulsion, hd_neighbours, start_projections, followed_neighbours, init, seed, ..usual }
}

/// Measures the lists after every refinement.
fn follow(
    vectors: &Vectors,
    truth: &Truth,
    size: &Size,
    (dims, search, moving): (usize, Search, bool),
) -> Result<Vec<Line>, CommandError> {
    let mut engine = Engine::new(vectors.clone(), settings(size, (dims, search, moving)))?;
    // The usual search has long settled by then.
    let last = if search.places.is_some() { size.refinements } else { size.refinements / 4 };
    let mut lines: Vec<Line> = Vec::new();
    loop {
        let refinements = engine.passes();
        if lines.last().is_none_or(|line| line.refinements < refinements) {
            let auc = area(&truth.rnx(&engine.neighbours().0, size.k));
            lines.push(Line { dims, search, moving, refinements, iterations: engine.iteration(), auc });
        }
        if refinements >= last {
            return Ok(lines);
        }
        engine.step();
    }
}

fn chosen(lines: &[Line], dims: usize, search: Search, moving: bool) -> impl Iterator<Item = &Line> {
    lines.iter().filter(move |line| (line.dims, line.search, line.moving) == (dims, search, moving))
}

fn panel(lines: &[Line], dims: usize, size: &Size) -> Panel {
    let curve = |search: Search, moving: bool, colour| {
        let points = chosen(lines, dims, search, moving).map(|line| (f64::from(line.refinements), line.auc)).collect();
        let moves = if moving { "moving" } else { "fixed" };
        Curve { name: format!("{moves}, {}", search.name), points, colour, dashed: !moving }
    };
    Panel {
        title: format!("Embedding in {dims} dimensions"),
        x: Axis::linear("refinements", 0.0..f64::from(size.refinements)),
        y: Axis::linear(&format!("R_NX AUC of the lists, K = 1…{}", size.k), 0.0..1.0),
        curves: SEARCHES
            .into_iter()
            .enumerate()
            .flat_map(|(colour, search)| [curve(search, true, colour), curve(search, false, colour)])
            .collect(),
    }
}

fn figures(lines: &[Line], size: &Size) -> String {
    let of = |dims: usize, search: Search| {
        let last = |moving| chosen(lines, dims, search, moving).last().map_or(0.0, |line| line.auc);
        let goal = REACHED * last(true);
        let reached = |moving| {
            let first = chosen(lines, dims, search, moving).find(|line| line.auc >= goal);
            first.map_or(format!("not within {}", size.refinements), |line| line.refinements.to_string())
        };
        let (search, moving, fixed) = (search.name, reached(true), reached(false));
        let (last_moving, last_fixed) = (last(true), last(false));
        format!("d = {dims}, {search}: {moving} moving, {fixed} fixed (last AUC {last_moving:.3}, {last_fixed:.3})")
    };
    let told = DIMS.into_iter().flat_map(|dims| SEARCHES.map(|search| of(dims, search)));
    let told = told.collect::<Vec<_>>().join("; ");
    let (rows, k) = (size.rows, size.k);
    format!("{rows} rows, lists of {k}; refinements to {REACHED} of the moving embedding's last R_NX AUC: {told}")
}

fn table(lines: &[Line]) -> Table {
    Tidy::of(lines)
        .counts("dims", |line| line.dims)
        .texts("search", |line| line.search.name)
        .flags("moving", |line| line.moving)
        .counts("refinements", |line| line.refinements as usize)
        .numbers("auc", |line| line.auc)
        .counts("iterations", |line| line.iterations as usize)
        .table()
}
