//! `nevis neighbours`: the graph of nearest rows alone, found by the search that runs beside the embedding.

use super::{Phases, Seconds, dimensions};
use crate::args::{Backend, NeighboursArgs};
#[cfg(feature = "gpu")]
use crate::backend::Runner;
use crate::backend::{Place, Wish, place_name};
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::plan;
use crate::recipe::Recipe;
use crate::table::{Table, fixed_lists};
use crate::text;
use dataset::arrow::array::{Float32Array, UInt32Array};
use dataset::arrow::datatypes::Schema;
use dataset::write::{check_output, write_table};
use dataset::{AttributeColumns, Dataset, LoadOptions, PcaReport};
#[cfg(feature = "gpu")]
use embedding::RunError;
use embedding::{Finder, Settings, Statistics};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use vectors::{Space, Vectors};

/// Rows whose true neighbours are looked up for `--recall`.
const RECALL_QUERIES: usize = 2000;
/// Neighbours for each unit of perplexity, as the engine counts them.
const NEIGHBOURS_PER_PERPLEXITY: f32 = 3.0;
/// An empty place in a list.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Serialize)]
struct NeighboursReport {
    rows: usize,
    k: usize,
    input_dims: usize,
    pca: Option<PcaReport>,
    metric: vectors::Metric,
    backend: Backend,
    /// The graphics adapter; none on the CPU.
    adapter: Option<String>,
    iterations: u32,
    /// Whether the search ended by itself.
    settled: bool,
    recall: Option<f64>,
    seconds: Seconds,
    out: PathBuf,
    notes: Vec<String>,
}

pub fn run(args: &NeighboursArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    let mut notes = Vec::new();
    let wish = Wish::of(&args.backend)?;
    let place = wish.open(&mut notes)?;
    check_output(&args.out, &Schema::empty())?;
    let input = Input::of(&args.input);
    input.check_outlives(&args.out)?;
    let load = LoadOptions { attributes: AttributeColumns::None, ..args.loader.over(LoadOptions::default()) };
    let mut data = input.load(&load, console)?;
    notes.extend(loading_notes(&data));
    let rows = data.vectors.rows();
    let settings = settings(args, rows, &mut notes);
    let place = place.for_data(&data.vectors, &settings, &mut notes)?;
    console.notes(&notes);

    // The engine keeps the matrix to itself; a second one exists only where it is to be checked.
    let kept = args.recall.then(|| data.vectors.clone());
    let vectors = std::mem::take(&mut data.vectors);
    let loaded = begun.elapsed().as_secs_f64();
    let Found { neighbours, distances, statistics, settled, backend, adapter, phases } = match place {
        Place::Cpu => natively(vectors, &settings, args.iterations, console)?,
        #[cfg(feature = "gpu")]
        place => on_adapter(place.start(vectors, settings.clone(), None)?, args.iterations, &settings, console)?,
    };

    let k = settings.hd_list_length(rows);
    let checking = Instant::now();
    let recall = kept.map(|vectors| recall(vectors, &settings, &neighbours, k, console));
    let recall_seconds = recall.map(|_| checking.elapsed().as_secs_f64());
    let writing = Instant::now();
    let ran = Wish { backend, ..wish };
    let recipe = recipe(&input, &data, load, &settings, statistics.iteration, ran);
    let table = table(&data, neighbours, distances, k)?;
    write_table(&args.out, &table.finish()?, &recipe.metadata()?)?;
    console.print(&NeighboursReport {
        rows,
        k,
        input_dims: data.source.input_dims,
        pca: data.pca,
        metric: settings.metric,
        backend,
        adapter,
        iterations: statistics.iteration,
        settled,
        recall,
        seconds: Seconds {
            load: loaded,
            phases,
            recall: recall_seconds,
            write: writing.elapsed().as_secs_f64(),
            total: begun.elapsed().as_secs_f64(),
        },
        out: args.out.clone(),
        notes,
    })
}

/// Settings whose lists are as long as asked for, with a picture coarse enough to be drawn from them.
fn settings(args: &NeighboursArgs, rows: usize, notes: &mut Vec<String>) -> Settings {
    let others = rows.saturating_sub(1).max(1);
    let k = args.k.get().min(others);
    if k < args.k.get() {
        notes.push(format!("k is {k} instead of {}: a row has no more others", args.k));
    }
    let usual = Settings::for_rows(rows);
    Settings {
        hd_neighbours: Some(k),
        followed_neighbours: k.max(usual.followed_neighbours), // here the lists are the result: all of them are followed
        perplexity: usual.perplexity.min(k as f32 / NEIGHBOURS_PER_PERPLEXITY).max(1.0),
        metric: args.metric.unwrap_or(usual.metric),
        seed: args.seed.unwrap_or(usual.seed),
        ..usual
    }
}

/// What a search leaves.
struct Found {
    neighbours: Vec<u32>,
    distances: Vec<f32>,
    statistics: Statistics,
    /// Whether it ended by itself.
    settled: bool,
    backend: Backend,
    adapter: Option<String>,
    phases: Phases,
}

/// Searches on the cpu, for a number of iterations or until the lists have settled, and does nothing else.
fn natively(
    vectors: Vectors,
    settings: &Settings,
    iterations: Option<u32>,
    console: Console,
) -> Result<Found, CommandError> {
    let cap = iterations.unwrap_or(plan::SEARCH_CAP);
    let bar = console.bar(cap.into(), "searching");
    let mut finder = Finder::new(vectors, settings.clone())?;
    let mut done = 0;
    while done < cap && (iterations.is_some() || !finder.is_settled()) {
        finder.step();
        done += 1;
        bar.set_position(done.into());
    }
    bar.finish_and_clear();
    let (neighbours, distances) = finder.neighbours();
    Ok(Found {
        neighbours,
        distances,
        statistics: finder.statistics(),
        settled: finder.is_settled(),
        backend: Backend::Cpu,
        adapter: None,
        phases: Phases { engine: finder.timings(), gpu: None },
    })
}

/// Searches by an embedding that runs on a graphics adapter.
#[cfg(feature = "gpu")]
fn on_adapter(
    mut runner: Runner,
    iterations: Option<u32>,
    settings: &Settings,
    console: Console,
) -> Result<Found, CommandError> {
    let statistics = search(&mut runner, iterations, settings, console)?;
    let (neighbours, distances) = runner.neighbours()?;
    let settled = plan::settled(statistics, settings);
    let (backend, adapter, phases) = (runner.backend(), runner.adapter(), runner.phases());
    Ok(Found { neighbours, distances, statistics, settled, backend, adapter, phases })
}

/// Runs the engine for so many iterations, or until its lists have settled.
#[cfg(feature = "gpu")]
fn search(
    runner: &mut Runner,
    iterations: Option<u32>,
    settings: &Settings,
    console: Console,
) -> Result<Statistics, RunError> {
    let cap = iterations.unwrap_or(plan::SEARCH_CAP);
    let batch = iterations.unwrap_or(runner.batch());
    let bar = console.bar(cap.into(), "searching");
    let mut statistics = runner.statistics()?;
    while statistics.iteration < cap && (iterations.is_some() || !plan::settled(statistics, settings)) {
        let next = batch.min(cap - statistics.iteration);
        runner.run(next, |done| bar.set_position(done.into()))?;
        statistics = runner.statistics()?;
    }
    bar.finish_and_clear();
    Ok(statistics)
}

fn recall(vectors: Vectors, settings: &Settings, neighbours: &[u32], k: usize, console: Console) -> f64 {
    let space = Space::new(vectors, settings.metric);
    console.while_counting("checking", |progress| {
        quality::recall(&space, neighbours, k, RECALL_QUERIES, settings.seed, progress)
    })
}

/// Lists in file order whose entries are the file's row numbers; empty places are null.
fn table(data: &Dataset, neighbours: Vec<u32>, distances: Vec<f32>, k: usize) -> Result<Table, CommandError> {
    let mut table = Table::of_rows(data.row_numbers.len());
    table.push_row_numbers(data);
    let complete = !neighbours.contains(&NONE);
    let (neighbours, distances) = if complete && data.row_numbers.is_identity() {
        (UInt32Array::from(neighbours), Float32Array::from(distances))
    } else {
        let filled = |row: u32| row != NONE;
        let distances = distances.iter().zip(&neighbours).map(|(&d, &row)| filled(row).then_some(d)).collect();
        let file_row = |&row: &u32| filled(row).then(|| data.row_numbers.file_row(row as usize));
        (neighbours.iter().map(file_row).collect(), distances)
    };
    table.push("neighbours", fixed_lists(Arc::new(neighbours), k)?);
    table.push("distances", fixed_lists(Arc::new(distances), k)?);
    Ok(table)
}

fn recipe(input: &Input, data: &Dataset, load: LoadOptions, settings: &Settings, iterations: u32, ran: Wish) -> Recipe {
    Recipe {
        nevis: env!("CARGO_PKG_VERSION").to_owned(),
        command: "neighbours".to_owned(),
        input: input.paths(),
        input_hash: data.source.hash.clone(),
        load,
        settings: settings.clone(),
        init_columns: Vec::new(),
        iterations,
        settle: 0,
        auc: None,
        backend: ran.backend,
        adapter: ran.adapter,
        rows: data.row_numbers.len(),
        input_dims: data.source.input_dims,
        columns: vec!["neighbours".to_owned(), "distances".to_owned()],
        into: None,
    }
}

impl fmt::Display for NeighboursReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = dimensions(self.input_dims, self.pca);
        writeln!(f, "{} nearest of {}, {from}, {}", self.k, text::counted(self.rows, "row"), self.metric)?;
        let how = if self.settled { "settled" } else { "not settled" };
        let place = place_name(self.adapter.as_deref());
        writeln!(f, "{} on {place}, {how}", text::counted(self.iterations as usize, "iteration"))?;
        writeln!(f, "{}", self.seconds)?;
        if let Some(recall) = self.recall {
            writeln!(f, "recall {recall:.4} against an exact search")?;
        }
        writeln!(f, "wrote neighbours, distances to {}", self.out.display())
    }
}
