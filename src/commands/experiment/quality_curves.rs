//! Quality curves: R_NX(K) of maps by nevis, openTSNE and UMAP, each with its defaults.

use super::peers::Peer;
use super::plot::{Axis, Curve, Panel, draw};
use super::sets::Blobs;
use super::tidy::Tidy;
use super::{Laboratory, Outcome, SEED};
use crate::error::CommandError;
use crate::table::Table;
use embedding::{Plan, Settings};
use quality::{EvaluateOptions, Evaluation};
use std::time::Instant;
use vectors::{Metric, Space, Vectors};

/// Neighbourhoods of the curve whose values the line in the log has.
const TOLD: [usize; 2] = [10, 100];

/// One map of one set.
struct Map {
    set: String,
    rows: usize,
    method: String,
    evaluation: Evaluation,
    seconds: f64,
}

pub fn run(laboratory: &mut Laboratory<'_>) -> Result<Outcome, CommandError> {
    let mut maps = Vec::new();
    let sets = sets(laboratory)?;
    for (set, vectors) in &sets {
        let hd = Space::new(vectors.clone(), Metric::Euclidean);
        let mut add = |method: String, positions: Vectors, seconds| -> Result<(), CommandError> {
            let ld = Space::new(positions, Metric::Euclidean);
            let how = EvaluateOptions { seed: SEED, ..EvaluateOptions::default() };
            let evaluation = quality::evaluate(&hd, &ld, &how, &|_, _| {})?;
            maps.push(Map { set: set.clone(), rows: hd.rows(), method, evaluation, seconds });
            Ok(())
        };
        let rows = vectors.rows();
        let settings = Settings { seed: SEED, ..Settings::for_rows(rows) };
        let (dims, begun) = (settings.dims, Instant::now());
        let positions = laboratory.embed(vectors.clone(), settings, Plan::for_rows(rows))?;
        add("nevis".to_owned(), Vectors::from_rows(&positions, dims), begun.elapsed().as_secs_f64())?;
        for peer in [Peer::OpenTsne, Peer::Umap] {
            if let Some(run) = laboratory.peers.run(peer, vectors) {
                add(peer.label(&run.figures), run.result, run.figures.warm)?;
            }
        }
    }
    let panels: Vec<Panel> = sets.iter().map(|(set, vectors)| panel(&maps, set, vectors.rows())).collect();
    Ok(Outcome { plot: draw(&panels, 2)?, figures: figures(&maps), table: table(&maps) })
}

/// As in the paper: cells of a brain, blobs, pictures of things that turn.
fn sets(laboratory: &Laboratory<'_>) -> Result<Vec<(String, Vectors)>, CommandError> {
    if laboratory.quick {
        let digits = laboratory.digits(800, &[])?.vectors;
        return Ok(vec![("blobs".to_owned(), Blobs::overlapping(600).vectors()), ("digits".to_owned(), digits)]);
    }
    Ok(vec![
        ("tasic2018".to_owned(), laboratory.load("tasic2018_12k_pca50.parquet", None, &[])?.vectors),
        ("overlapping blobs".to_owned(), Blobs::overlapping(10_000).vectors()),
        ("coil20".to_owned(), laboratory.load("coil20.parquet", None, &[])?.vectors),
    ])
}

fn panel(maps: &[Map], set: &str, rows: usize) -> Panel {
    let here = maps.iter().filter(|map| map.set == set);
    let most = here.clone().flat_map(|map| &map.evaluation.rnx).map(|&(_, rnx)| rnx).fold(0.0, f64::max);
    let max_k = here.clone().map(|map| map.evaluation.rnx.len()).max().unwrap_or(1);
    let curve = |(colour, map): (usize, &Map)| Curve {
        name: format!("{}: AUC {:.3}", map.method, map.evaluation.auc),
        points: map.evaluation.rnx.iter().map(|&(k, rnx)| (k as f64, rnx)).collect(),
        colour,
        dashed: false,
    };
    Panel {
        title: format!("{set} ({} rows)", crate::text::count(rows)),
        x: Axis::log("K, neighbours", 1.0..max_k as f64),
        y: Axis::linear("R_NX(K)", 0.0..(1.1 * most).min(1.0)),
        curves: here.enumerate().map(curve).collect(),
    }
}

fn figures(maps: &[Map]) -> String {
    let sentence = |map: &Map| {
        let Evaluation { auc, rnx, .. } = &map.evaluation;
        let told = TOLD.map(|k| rnx.get(k - 1).map_or("–".to_owned(), |(_, rnx)| format!("{rnx:.3}")));
        format!("{}: {} {auc:.3} ({}) in {:.1} s", map.set, map.method, told.join(", "), map.seconds)
    };
    let told = TOLD.map(|k| format!("R_NX({k})")).join(", ");
    format!("R_NX AUC ({told}); {}", maps.iter().map(sentence).collect::<Vec<_>>().join("; "))
}

fn table(maps: &[Map]) -> Table {
    let lines: Vec<(&Map, (usize, f64))> =
        maps.iter().flat_map(|map| map.evaluation.rnx.iter().map(move |&point| (map, point))).collect();
    Tidy::of(&lines)
        .texts("set", |(map, _)| &map.set)
        .counts("rows", |(map, _)| map.rows)
        .texts("method", |(map, _)| &map.method)
        .counts("k", |(_, (k, _))| *k)
        .numbers("rnx", |(_, (_, rnx))| *rnx)
        .numbers("auc", |(map, _)| map.evaluation.auc)
        .numbers("seconds", |(map, _)| map.seconds)
        .table()
}
