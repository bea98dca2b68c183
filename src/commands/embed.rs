//! `nevis embed`: files in, positions beside their attributes out.

mod into;
mod map;

use super::{Seconds, dimensions};
use crate::args::{Backend, EmbedArgs};
use crate::backend::{Embedded, Ending, Runner, Wish, place_name};
use crate::choice::{SettingsChoice, SettingsFile};
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::recipe::Recipe;
use crate::table::{Table, coordinate_columns, coordinate_names, planned_schema};
use crate::{start, text, trust};
use dataset::arrow::datatypes::Schema;
use dataset::write::{check_output, write_table};
use dataset::{Dataset, LoadOptions, PcaReport};
use embedding::{Plan, RunError, Settings};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;
use vectors::Vectors;

/// Digits of a hash that tell files apart in a message.
const HASH_DIGITS: usize = 12;

/// Everything an embedding needs to know.
#[derive(Debug, Clone)]
pub struct Job {
    pub input: Input,
    pub out: PathBuf,
    pub load: LoadOptions,
    pub settings: SettingsChoice,
    /// Columns that hold the start; empty where the settings say how to begin.
    pub init_columns: Vec<String>,
    /// `None`: the usual one for the number of rows, which ends earlier if the map comes to rest.
    pub plan: Option<Plan>,
    pub backend: Wish,
    /// The file whose recipe this repeats, and the hash that the input must have.
    pub repeats: Option<(PathBuf, String)>,
}

/// What was done.
#[derive(Debug, Clone, Serialize)]
pub struct EmbedReport {
    pub rows: usize,
    pub dims: usize,
    pub input_dims: usize,
    pub pca: Option<PcaReport>,
    pub dropped_rows: usize,
    pub backend: Backend,
    /// The graphics adapter; none on the CPU.
    pub adapter: Option<String>,
    pub iterations: u32,
    /// The area under R_NX, over a sample of the rows.
    pub auc: Option<f64>,
    /// The normaliser of the similarities; none if the run broke off.
    pub z: Option<f64>,
    pub perplexity: f32,
    pub settings: Settings,
    pub seconds: Seconds,
    pub out: PathBuf,
    pub columns: Vec<String>,
    /// A picture of it, where one was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PathBuf>,
    pub notes: Vec<String>,
    /// Why the run broke off before its end: a report of what there is nevertheless.
    #[serde(skip)]
    pub failure: Option<RunError>,
}

pub fn run(args: &EmbedArgs, console: Console) -> Result<(), CommandError> {
    let job = match (&args.into, &args.from_recipe) {
        (Some(map), _) => return console.print(&into::Job::from_flags(map, args)?.run(console)?),
        (None, None) => Job::from_flags(args)?,
        (None, Some(path)) => {
            let mut recipe = Recipe::of_embedding(path)?;
            match recipe.into.take() {
                Some(map) => return console.print(&into::Job::from_recipe(path, recipe, map, args)?.run(console)?),
                None => Job::from_recipe(path, recipe, args)?,
            }
        }
    };
    job.run(console)?.conclude(console)
}

impl Job {
    fn from_flags(args: &EmbedArgs) -> Result<Self, CommandError> {
        let file = args.settings.as_deref().map(SettingsFile::read).transpose()?;
        let settings = SettingsChoice::Over { file, flags: args.engine.clone(), iterations: args.iterations };
        settings.for_rows(0)?; // ranges do not depend on the rows: no need to read them to find a mistake
        Ok(Self {
            input: Input::of(&args.input),
            out: args.out.clone(),
            load: args.loader.over(LoadOptions::default()),
            settings,
            init_columns: args.engine.init_columns(),
            plan: args.iterations.map(Plan::of),
            backend: Wish::of(&args.backend)?,
            repeats: None,
        })
    }

    fn from_recipe(path: &Path, recipe: Recipe, args: &EmbedArgs) -> Result<Self, CommandError> {
        Ok(Self {
            input: Input::of(if args.input.is_empty() { &recipe.input } else { &args.input }),
            out: args.out.clone(),
            load: recipe.load,
            settings: SettingsChoice::Exact(recipe.settings),
            init_columns: recipe.init_columns,
            plan: Some(Plan { iterations: recipe.iterations, settle: recipe.settle }),
            backend: Wish::over_recipe(&args.backend, recipe.backend, recipe.adapter)?,
            repeats: Some((path.to_path_buf(), recipe.input_hash)),
        })
    }

    /// Does it.
    pub fn run(self, console: Console) -> Result<EmbedReport, CommandError> {
        let begun = Instant::now();
        let mut notes = Vec::new();
        let place = self.backend.open(&mut notes)?;
        check_output(&self.out, &Schema::empty())?;
        self.input.check_outlives(&self.out)?;
        let mut data = self.input.load(&self.load, console)?;
        self.check_hash(&data)?;
        let rows = data.vectors.rows();
        let settings = self.settings.for_rows(rows)?;
        let (plan, ending) = planned(self.plan, rows);
        let place = place.for_data(&data.vectors, &settings, &mut notes)?;
        notes.extend(loading_notes(&data));
        let names = coordinate_names(settings.dims);
        let (table, columns) = begin_table(&self.out, &data, names, settings.dims, &mut notes)?;
        console.notes(&notes);

        let start = self.start(&data, settings.dims, console)?;
        let load = begun.elapsed().as_secs_f64();
        let vectors = std::mem::take(&mut data.vectors); // the engine owns it: there is never a second one
        let mut runner = place.start(vectors, settings.clone(), start.as_ref())?;
        runner.spare_memory();
        let embedded = optimise(&mut runner, plan, ending, console)?;

        let z = if embedded.failure.is_none() { Some(runner.z()?) } else { None };
        let auc = trust::auc(&runner, &embedded.positions, &settings);
        let writing = Instant::now();
        let recipe = Recipe { auc, ..self.recipe(&data, &settings, embedded.done, runner.backend(), &columns) };
        let failure = embedded.failure.clone();
        self.write(table, embedded, &recipe)?;
        let write = writing.elapsed().as_secs_f64();
        let total = begun.elapsed().as_secs_f64();
        Ok(EmbedReport {
            rows,
            dims: settings.dims,
            input_dims: data.source.input_dims,
            pca: data.pca,
            dropped_rows: data.source.dropped_rows,
            backend: recipe.backend,
            adapter: runner.adapter(),
            iterations: recipe.iterations,
            auc: recipe.auc,
            z,
            perplexity: settings.perplexity,
            settings,
            seconds: Seconds { load, phases: runner.phases(), write, total, ..Seconds::default() },
            out: self.out,
            columns,
            picture: None,
            notes,
            failure,
        })
    }

    fn write(&self, mut table: Table, embedded: Embedded, recipe: &Recipe) -> Result<(), CommandError> {
        let positions = coordinate_columns(embedded.positions, recipe.settings.dims)?;
        for (name, column) in recipe.columns.iter().zip(positions) {
            table.push(name, column);
        }
        Ok(write_table(&self.out, &table.finish()?, &recipe.metadata()?)?)
    }

    /// The start that columns hold, if any were named.
    fn start(&self, data: &Dataset, dims: usize, console: Console) -> Result<Option<Vectors>, CommandError> {
        if self.init_columns.is_empty() {
            return Ok(None);
        }
        start::read(&self.input, &self.init_columns, dims, &self.load, data, console).map(Some)
    }

    fn check_hash(&self, data: &Dataset) -> Result<(), CommandError> {
        let Some((recipe, expected)) = &self.repeats else { return Ok(()) };
        if *expected == data.source.hash {
            return Ok(());
        }
        let (expected, found) = (short_hash(expected), short_hash(&data.source.hash));
        Err(CommandError::InputChanged { input: self.input.to_string(), recipe: recipe.clone(), expected, found })
    }

    fn recipe(&self, data: &Dataset, settings: &Settings, plan: Plan, backend: Backend, columns: &[String]) -> Recipe {
        Recipe {
            nevis: env!("CARGO_PKG_VERSION").to_owned(),
            command: "embed".to_owned(),
            input: self.input.paths(),
            input_hash: data.source.hash.clone(),
            load: self.load.clone(),
            settings: settings.clone(),
            init_columns: self.init_columns.clone(),
            iterations: plan.iterations,
            settle: plan.settle,
            auc: None,
            backend,
            adapter: self.backend.adapter.clone(),
            rows: data.row_numbers.len(),
            input_dims: data.source.input_dims,
            columns: columns.to_vec(),
            into: None,
        }
    }
}

/// The output as far as it is known, and the names of the columns to come; an error if it could not be written.
fn begin_table(
    out: &Path,
    data: &Dataset,
    wanted: &[impl AsRef<str>],
    dims: usize,
    notes: &mut Vec<String>,
) -> Result<(Table, Vec<String>), CommandError> {
    let wanted: Vec<&str> = wanted.iter().map(AsRef::as_ref).collect();
    let mut table = Table::beside(&data.attributes);
    table.push_row_numbers(data);
    let columns = table.free_names(&wanted);
    if columns != wanted {
        let taken = format!("the input has a column named as one of {}", wanted.join(", "));
        notes.push(format!("{taken}: it is kept, and the positions are in {}", columns.join(", ")));
    }
    check_output(out, &planned_schema(&table, &columns, dims))?;
    Ok((table, columns))
}

/// The beginning of a hash, for a message.
fn short_hash(hash: &str) -> String {
    hash.chars().take(HASH_DIGITS).collect()
}

/// The plan that was asked for, to its end; or the usual one for the number of rows, unless the map comes to rest earlier.
pub fn planned(wanted: Option<Plan>, rows: usize) -> (Plan, Ending) {
    wanted.map_or_else(|| (Plan::for_rows(rows), Ending::AtRest), |plan| (plan, Ending::Planned))
}

pub fn optimise(runner: &mut Runner, plan: Plan, ending: Ending, console: Console) -> Result<Embedded, RunError> {
    let bar = console.bar(plan.iterations.into(), "embedding");
    let before = runner.iteration();
    let embedded = runner.embed(plan, ending, |done| bar.set_position(done.saturating_sub(before).into()));
    bar.finish_and_clear();
    embedded
}

impl EmbedReport {
    /// Prints what there is; a run that broke off is an error nevertheless.
    pub fn conclude(self, console: Console) -> Result<(), CommandError> {
        console.print(&self)?;
        match self.failure {
            Some(source) => Err(CommandError::BrokenOff { out: self.out, iterations: self.iterations, source }),
            None => Ok(()),
        }
    }
}

impl fmt::Display for EmbedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, dims) = (text::counted(self.rows, "row"), text::counted(self.dims, "dimension"));
        writeln!(f, "embedded {rows} in {dims}, from {}", dimensions(self.input_dims, self.pca))?;
        let place = place_name(self.adapter.as_deref());
        writeln!(f, "{} on {place}", text::counted(self.iterations as usize, "iteration"))?;
        writeln!(f, "{}", self.seconds)?;
        writeln!(f, "wrote {} to {}", self.columns.join(", "), self.out.display())?;
        match &self.picture {
            Some(picture) => writeln!(f, "drew {}", picture.display()),
            None => Ok(()),
        }
    }
}
