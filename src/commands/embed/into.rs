//! `nevis embed NEW --into OLD`: new rows take their places in a map that is held.

use super::map::Map;
use super::{begin_table, optimise, short_hash};
use crate::args::{Backend, EmbedArgs};
use crate::backend::{Ending, Runner, Wish};
use crate::commands::{Seconds, dimensions};
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{self, Input, loading_notes};
use crate::recipe::{PlacedInto, Recipe};
use crate::table::coordinate_columns;
use crate::text;
use dataset::arrow::datatypes::Schema;
use dataset::write::{check_output, write_table};
use dataset::{Dataset, LoadOptions, PcaReport};
use embedding::cpu::decide::warming_up;
use embedding::{Engine, Plan, Settings};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;
use vectors::Vectors;

/// Iterations of new rows among old ones that stay: they start among their neighbours and have not far to go.
const ITERATIONS: u32 = 200;

/// Everything that placing rows needs to know; the map knows the rest.
#[derive(Debug)]
pub struct Job {
    input: Input,
    map: PathBuf,
    out: PathBuf,
    /// Which rows and attributes are read.
    load: LoadOptions,
    stiffness: f32,
    plan: Plan,
    repeats: Option<Repeats>,
    notes: Vec<String>,
}

/// What must be as it was, to repeat the recipe in a file.
#[derive(Debug)]
struct Repeats {
    recipe: PathBuf,
    input_hash: String,
    map_hash: String,
}

/// What was done.
#[derive(Debug, Clone, Serialize)]
pub struct IntoReport {
    pub rows: usize,
    pub old_rows: usize,
    pub dims: usize,
    pub input_dims: usize,
    pub pca: Option<PcaReport>,
    pub dropped_rows: usize,
    pub backend: Backend,
    pub iterations: u32,
    pub stiffness: f32,
    /// How far the old row has moved that moved most, in the units of the map.
    pub old_moved: f32,
    pub settings: Settings,
    pub seconds: Seconds,
    pub into: PathBuf,
    pub out: PathBuf,
    pub columns: Vec<String>,
    pub notes: Vec<String>,
}

impl Job {
    pub fn from_flags(map: &Path, args: &EmbedArgs) -> Result<Self, CommandError> {
        let settings = args.engine.over(Settings::default());
        settings.validate()?; // before anything is read
        Ok(Self {
            input: Input::of(&args.input),
            map: map.into(),
            out: args.out.clone(),
            load: args.loader.over(LoadOptions::default()),
            stiffness: settings.stiffness,
            plan: Plan::of(args.iterations.unwrap_or(ITERATIONS)),
            repeats: None,
            notes: where_it_runs(args)?,
        })
    }

    /// Repeats what the recipe in a file says; the map is where it was, or beside that file.
    pub fn from_recipe(path: &Path, recipe: Recipe, into: PlacedInto, args: &EmbedArgs) -> Result<Self, CommandError> {
        Ok(Self {
            input: Input::of(if args.input.is_empty() { &recipe.input } else { &args.input }),
            map: input::found(&into.map, path).unwrap_or(into.map),
            out: args.out.clone(),
            load: recipe.load,
            stiffness: recipe.settings.stiffness,
            plan: Plan { iterations: recipe.iterations, settle: recipe.settle },
            repeats: Some(Repeats { recipe: path.into(), input_hash: recipe.input_hash, map_hash: into.hash }),
            notes: where_it_runs(args)?,
        })
    }

    /// Does it.
    pub fn run(self, console: Console) -> Result<IntoReport, CommandError> {
        let begun = Instant::now();
        check_output(&self.out, &Schema::empty())?;
        self.input.check_outlives(&self.out)?;
        self.check_overwriting()?;
        let mut map = Map::open(&self.map, console)?;
        let load = map.load_options(&self.load);
        let data = map.read(&self.input, &load, console)?;
        self.check_hashes(&map, &data)?;
        let settings = map.settings(self.stiffness);
        let mut notes = self.notes.clone();
        notes.extend(map.notes.drain(..).map(|note| format!("{:?}: {note}", self.map)));
        notes.extend(loading_notes(&data));
        let (mut table, columns) = begin_table(&self.out, &data, &map.recipe.columns, settings.dims, &mut notes)?;
        console.notes(&notes);
        let loaded = begun.elapsed().as_secs_f64();

        let mut runner = place(&mut map, &data.vectors, &settings, console)?;
        let positions = optimise(&mut runner, self.plan, Ending::Planned, console)?.positions;
        let (old, new) = positions.split_at(map.coordinates.rows() * settings.dims);
        let old_moved = farthest_move(&map.coordinates, old);

        let writing = Instant::now();
        let recipe = self.recipe(&map, &data, load, &settings, &columns);
        for (name, column) in columns.iter().zip(coordinate_columns(new.to_vec(), settings.dims)?) {
            table.push(name, column);
        }
        write_table(&self.out, &table.finish()?, &recipe.metadata()?)?;
        let write = writing.elapsed().as_secs_f64();
        let (phases, total) = (runner.phases(), begun.elapsed().as_secs_f64());
        Ok(IntoReport {
            rows: recipe.rows,
            old_rows: map.coordinates.rows(),
            dims: settings.dims,
            input_dims: data.source.input_dims,
            pca: map.data.pca,
            dropped_rows: data.source.dropped_rows,
            backend: recipe.backend,
            iterations: self.plan.iterations,
            stiffness: self.stiffness,
            old_moved,
            settings,
            seconds: Seconds { load: loaded, phases, recall: None, write, total },
            into: self.map,
            out: self.out,
            columns,
            notes,
        })
    }

    /// The map must outlive what is written.
    fn check_overwriting(&self) -> Result<(), CommandError> {
        let place = |path: &Path| path.canonicalize().ok();
        match (place(&self.map), place(&self.out)) {
            (Some(map), Some(out)) if map == out => Err(CommandError::OverMap { map: self.map.clone() }),
            _ => Ok(()),
        }
    }

    fn check_hashes(&self, map: &Map, data: &Dataset) -> Result<(), CommandError> {
        let Some(Repeats { recipe, input_hash, map_hash }) = &self.repeats else { return Ok(()) };
        let map = (format!("{:?}", self.map), map_hash, &map.source.hash);
        let input = (self.input.to_string(), input_hash, &data.source.hash);
        match [map, input].into_iter().find(|(_, expected, found)| expected != found) {
            None => Ok(()),
            Some((input, expected, found)) => {
                let (expected, found) = (short_hash(expected), short_hash(found));
                Err(CommandError::InputChanged { input, recipe: recipe.clone(), expected, found })
            }
        }
    }

    fn recipe(&self, map: &Map, data: &Dataset, load: LoadOptions, settings: &Settings, columns: &[String]) -> Recipe {
        Recipe {
            nevis: env!("CARGO_PKG_VERSION").to_owned(),
            command: "embed".to_owned(),
            input: self.input.paths(),
            input_hash: data.source.hash.clone(),
            load,
            settings: settings.clone(),
            init_columns: Vec::new(),
            iterations: self.plan.iterations,
            settle: self.plan.settle,
            auc: None,
            backend: Backend::Cpu,
            adapter: None,
            rows: data.row_numbers.len(),
            input_dims: data.source.input_dims,
            columns: columns.to_vec(),
            into: Some(map.source.clone()),
        }
    }
}

/// Takes the map up where it was left, holds it, and puts the new rows among their neighbours in it. They are searched
/// for among all rows from the beginning, as for any embedding: that is cheaper than to let so many rows in one by one,
/// and hardly one of them is led astray.
fn place(map: &mut Map, new: &Vectors, settings: &Settings, console: Console) -> Result<Runner, CommandError> {
    let mut vectors = std::mem::take(&mut map.data.vectors); // the engine owns it: there is never a second one
    let mut start = map.coordinates.clone();
    let nowhere = vec![0.0; settings.dims];
    let old = vectors.rows() as u32;
    for row in 0..new.rows() {
        vectors.push(new.row(row));
        start.push(&nowhere);
    }
    // A map that was written is no longer young, however few iterations it took.
    let age = map.recipe.iterations.max(settings.early_iterations);
    let firm = Settings { stiffness: 1.0, ..settings.clone() }; // nobody makes room for rows that are nowhere yet
    let mut engine = Engine::resume(vectors, firm, &start, age)?;
    engine.pin(&(0..old).collect::<Vec<_>>(), true)?;
    console.while_waiting("neighbours", || {
        while warming_up(engine.passes()) {
            engine.step();
        }
    });
    engine.place_anew(&(old..engine.rows() as u32).collect::<Vec<_>>())?;
    engine.set_settings(settings.clone())?;
    Ok(Runner::new(engine))
}

/// Rows are held natively only; a wish for an adapter is not passed over in silence.
fn where_it_runs(args: &EmbedArgs) -> Result<Vec<String>, CommandError> {
    let note = "on the cpu: rows are placed into a map by native code, not yet by a graphics adapter";
    Ok(if Wish::of(&args.backend)?.backend == Backend::Gpu { vec![note.to_owned()] } else { Vec::new() })
}

/// How far the row has moved that moved most.
fn farthest_move(before: &Vectors, after: &[f32]) -> f32 {
    let moved = |(row, position): (usize, &[f32])| -> f32 {
        before.row(row).iter().zip(position).map(|(a, b)| (a - b).powi(2)).sum()
    };
    after.chunks_exact(before.dims()).enumerate().map(moved).fold(0.0, f32::max).sqrt()
}

impl fmt::Display for IntoReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, old) = (text::counted(self.rows, "row"), text::counted(self.old_rows, "row"));
        let (dims, from) = (text::counted(self.dims, "dimension"), dimensions(self.input_dims, self.pca));
        writeln!(f, "placed {rows} into the map of {old} in {dims}, from {from}")?;
        writeln!(f, "{} on the cpu", text::counted(self.iterations as usize, "iteration"))?;
        writeln!(f, "{}", self.seconds)?;
        if self.old_moved > 0.0 {
            let moved = format!("the old rows made room, by up to {:.2} in units of the map", self.old_moved);
            writeln!(f, "{moved} (stiffness {}); {} is as it was", self.stiffness, self.into.display())?;
        }
        writeln!(f, "wrote {} to {}", self.columns.join(", "), self.out.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_move_is_that_of_any_axis_and_row() {
        let mut before = Vectors::with_capacity(3, 2);
        [[1.0, 2.0], [-3.0, 0.5], [0.0, 0.0]].iter().for_each(|row| before.push(row));
        assert_eq!(farthest_move(&before, &[1.0, 2.0, -3.0, 0.5, 0.0, 0.0]), 0.0);
        assert_eq!(farthest_move(&before, &[1.5, 2.0, -3.0, 0.5, -3.0, 4.0]), 5.0);
    }
}
