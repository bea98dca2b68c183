//! Neighbour search: the neighbours that nevis and pynndescent find in the data, against an exact search.

use super::peers::Peer;
use super::plot::{Axis, Curve, Panel, draw};
use super::sets::Blobs;
use super::tidy::Tidy;
use super::truth::Truth;
use super::{Laboratory, Outcome, SEED};
use crate::error::CommandError;
use crate::plan;
use crate::table::Table;
use embedding::{Engine, Settings};
use std::time::Instant;
use vectors::Vectors;

/// Neighbours of each row, as `nevis neighbours` and the script of the peer have them.
const K: usize = 32;
/// Perplexity to neighbours, as `nevis neighbours` has it.
const NEIGHBOURS_PER_PERPLEXITY: f32 = 3.0;
/// Panels begin no higher than this: where everything is found, there are no differences to magnify.
const HIGHEST_BOTTOM: f64 = 0.98;

/// The lists that one method found in one set.
struct Found {
    set: String,
    rows: usize,
    method: String,
    recall: Vec<f64>,
    rnx: Vec<f64>,
    seconds: f64,
}

pub fn run(laboratory: &mut Laboratory<'_>) -> Result<Outcome, CommandError> {
    let mut found = Vec::new();
    let sets = sets(laboratory)?;
    for (set, vectors) in &sets {
        let truth = Truth::new(vectors.clone(), K, laboratory.console);
        let measured = |method: String, lists: &[u32], length, seconds| Found {
            set: set.clone(),
            rows: vectors.rows(),
            method,
            recall: truth.recall(lists, length),
            rnx: truth.rnx(lists, length),
            seconds,
        };
        let begun = Instant::now();
        let (lists, length) = search(vectors.clone())?;
        found.push(measured("nevis".to_owned(), &lists, length, begun.elapsed().as_secs_f64()));
        if let Some(run) = laboratory.peers.run(Peer::Pynndescent, vectors) {
            let lists: Vec<u32> = (0..vectors.rows()).flat_map(|row| row_numbers(run.result.row(row))).collect();
            let (method, length) = (Peer::Pynndescent.label(&run.figures), run.result.dims());
            found.push(measured(method, &lists, length, run.figures.warm));
        }
    }
    let panels: Vec<Panel> = sets.iter().map(|(set, vectors)| panel(&found, set, vectors.rows())).collect();
    Ok(Outcome { plot: draw(&panels, 2)?, figures: figures(&found), table: table(&found) })
}

fn sets(laboratory: &Laboratory<'_>) -> Result<Vec<(String, Vectors)>, CommandError> {
    let name =
        |name: &str, blobs: Blobs| (format!("{name} blobs, {} × {}", blobs.centres, blobs.rows_each), blobs.vectors());
    if laboratory.quick {
        let digits = laboratory.digits(1500, &[])?.vectors;
        let (overlapping, disjoint) = (Blobs::overlapping(2000), Blobs::disjoint(100));
        return Ok(vec![name("overlapping", overlapping), name("disjoint", disjoint), ("digits".to_owned(), digits)]);
    }
    Ok(vec![
        name("overlapping", Blobs::overlapping(30_000)),
        name("disjoint", Blobs::disjoint(1000)),
        ("digits".to_owned(), laboratory.load("digits_sklearn.parquet", None, &[])?.vectors),
        ("coil20".to_owned(), laboratory.load("coil20.parquet", None, &[])?.vectors),
    ])
}

/// Runs the engine until its lists have settled, as `nevis neighbours` does.
fn search(vectors: Vectors) -> Result<(Vec<u32>, usize), CommandError> {
    let usual = Settings::for_rows(vectors.rows());
    let settings = Settings {
        hd_neighbours: Some(K),
        followed_neighbours: K.max(usual.followed_neighbours),
        perplexity: usual.perplexity.min(K as f32 / NEIGHBOURS_PER_PERPLEXITY),
        seed: SEED,
        ..usual
    };
    let length = settings.hd_list_length(vectors.rows());
    let mut engine = Engine::new(vectors, settings.clone())?;
    while engine.iteration() < plan::SEARCH_CAP && !plan::settled(engine.statistics(), &settings) {
        engine.step();
    }
    Ok((engine.neighbours().0, length))
}

/// Rows as a table of numbers holds them; empty places are negative.
fn row_numbers(row: &[f32]) -> impl Iterator<Item = u32> {
    row.iter().map(|&number| if number < 0.0 { u32::MAX } else { number as u32 })
}

fn panel(found: &[Found], set: &str, rows: usize) -> Panel {
    let here: Vec<&Found> = found.iter().filter(|found| found.set == set).collect();
    let least = here.iter().flat_map(|found| &found.rnx).copied().fold(1.0, f64::min);
    let curve = |(colour, found): (usize, &&Found)| Curve {
        name: found.method.clone(),
        points: (1..).zip(&found.rnx).map(|(k, &rnx)| (f64::from(k), rnx)).collect(),
        colour,
        dashed: colour > 0, // the lower curve shows where both are the same
    };
    let below = (least - 0.1 * (1.0 - least)).clamp(0.0, HIGHEST_BOTTOM);
    Panel {
        title: format!("{set} ({} rows)", crate::text::count(rows)),
        x: Axis::log("K, neighbours", 1.0..K as f64),
        y: Axis::linear("R_NX(K) of the lists", below..1.0 + 0.05 * (1.0 - below)),
        curves: here.iter().enumerate().map(curve).collect(),
    }
}

fn figures(found: &[Found]) -> String {
    let sentence = |found: &Found| {
        let recall = found.recall.last().copied().unwrap_or(0.0);
        format!("{}: {} {recall:.4} in {:.1} s", found.set, found.method, found.seconds)
    };
    format!("recall of {K}; {}", found.iter().map(sentence).collect::<Vec<_>>().join("; "))
}

fn table(found: &[Found]) -> Table {
    let lines: Vec<(&Found, usize)> =
        found.iter().flat_map(|found| (0..found.recall.len()).map(move |at| (found, at))).collect();
    Tidy::of(&lines)
        .texts("set", |(found, _)| &found.set)
        .counts("rows", |(found, _)| found.rows)
        .texts("method", |(found, _)| &found.method)
        .counts("k", |(_, at)| at + 1)
        .numbers("recall", |(found, at)| found.recall[*at])
        .numbers("rnx", |(found, at)| found.rnx[*at])
        .numbers("seconds", |(found, _)| found.seconds)
        .table()
}
