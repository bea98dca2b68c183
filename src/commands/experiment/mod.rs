//! `nevis experiment`: the experiments of the paper, one file each. An experiment ends in an [`Outcome`]: a tidy table,
//! a plot, and its figures in a sentence.

mod alpha_grid;
mod feedback_loop;
mod log;
mod neighbour_search;
mod one_shot;
mod peers;
mod plot;
mod quality_curves;
mod scaling;
mod sets;
mod tidy;
mod truth;

use crate::args::{ExperimentArgs, ExperimentName};
use crate::console::Console;
use crate::error::CommandError;
use crate::table::Table;
use clap::ValueEnum;
use dataset::write::write_table;
use embedding::{Engine, Plan, Settings};
use log::{Entry, Machine};
use peers::Peers;
use points::picture::{Pixels, write_png};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;
use vectors::Vectors;

/// Seed of every set that is made and every sample that is taken.
const SEED: u64 = 42;

/// What an experiment may use.
struct Laboratory<'a> {
    quick: bool,
    /// Where the data sets are.
    data: &'a Path,
    peers: Peers,
    console: Console,
}

/// What an experiment found.
struct Outcome {
    /// One line for each thing measured.
    table: Table,
    plot: Pixels,
    /// What is to be known of it, with the sizes it was measured on.
    figures: String,
}

#[derive(Debug, Serialize)]
struct ExperimentReport {
    name: String,
    figures: String,
    seconds: f64,
    table: PathBuf,
    plot: PathBuf,
    log: PathBuf,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ListReport {
    experiments: Vec<(String, String)>,
}

pub fn run(args: &ExperimentArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    let name = name_of(args.name);
    if args.name == ExperimentName::List {
        return console.print(&ListReport::default());
    }
    for directory in [Some(args.out_dir.as_path()), args.log.parent()].into_iter().flatten() {
        std::fs::create_dir_all(directory).map_err(|error| unwritable(directory, &error))?;
    }
    let machine = Machine::now(); // before the work, which is load itself
    let mut laboratory =
        Laboratory { quick: args.quick, data: &args.data, peers: Peers::find(args.peers_env.as_deref()), console };
    let Outcome { table, plot, figures } = match args.name {
        ExperimentName::FeedbackLoop => feedback_loop::run(&mut laboratory)?,
        ExperimentName::NeighbourSearch => neighbour_search::run(&mut laboratory)?,
        ExperimentName::QualityCurves => quality_curves::run(&mut laboratory)?,
        ExperimentName::Scaling => scaling::run(&mut laboratory)?,
        ExperimentName::AlphaGrid => alpha_grid::run(&mut laboratory)?,
        ExperimentName::OneShot => one_shot::run(&mut laboratory)?,
        ExperimentName::List => return Ok(()), // listed above
    };
    let report = ExperimentReport {
        seconds: begun.elapsed().as_secs_f64(),
        table: args.out_dir.join(format!("{name}.parquet")),
        plot: args.out_dir.join(format!("{name}.png")),
        log: args.log.clone(),
        notes: laboratory.peers.notes,
        figures,
        name,
    };
    console.notes(&report.notes);
    write_table(&report.table, &table.finish()?, &[])?;
    write_png(&report.plot, &plot, &[])?;
    let quick = if args.quick { " --quick" } else { "" };
    let command = format!("nevis experiment {}{quick}", report.name);
    let figures = [std::slice::from_ref(&report.figures), &report.notes].concat().join("; ");
    log::record(&args.log, &Entry { machine, command, seconds: report.seconds, figures })
        .map_err(|error| unwritable(&args.log, &error))?;
    console.print(&report)
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    dataset::DatasetError::Unwritable { path: path.into(), reason: error.to_string() }.into()
}

fn name_of(name: ExperimentName) -> String {
    name.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

impl Laboratory<'_> {
    /// Embeds as `nevis embed` does on the cpu.
    fn embed(&self, vectors: Vectors, settings: Settings, plan: Plan) -> Result<Vec<f32>, CommandError> {
        let bar = self.console.bar(plan.iterations.into(), "embedding");
        let mut engine = Engine::new(vectors, settings)?;
        for iteration in 0..plan.iterations {
            if iteration == plan.iterations - plan.settle {
                engine.settle(plan.settle);
            }
            engine.step();
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(engine.positions())
    }
}

impl Default for ListReport {
    fn default() -> Self {
        let values = ExperimentName::value_variants().iter().filter(|name| **name != ExperimentName::List);
        let described = values
            .filter_map(|name| name.to_possible_value())
            .map(|value| (value.get_name().to_owned(), value.get_help().map(ToString::to_string).unwrap_or_default()));
        Self { experiments: described.collect() }
    }
}

impl fmt::Display for ListReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.experiments.iter().map(|(name, what)| vec![name.clone(), what.clone()]).collect();
        f.write_str(&crate::text::columns(&lines))
    }
}

impl fmt::Display for ExperimentReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.figures)?;
        let (table, plot) = (self.table.display(), self.plot.display());
        writeln!(f, "{:.1} s; wrote {table}, {plot} and a line in {}", self.seconds, self.log.display())
    }
}
