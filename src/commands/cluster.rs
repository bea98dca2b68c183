//! `nevis cluster`: the clusters of an embedding, as a column.

use crate::args::ClusterArgs;
use crate::console::Console;
use crate::coordinates;
use crate::error::CommandError;
use crate::input::Input;
use crate::recipe::Recipe;
use crate::text;
use clusters::{ClusterOptions, Clusters, NOISE, Positions, dbscan};
use dataset::arrow::array::Int32Array;
use dataset::arrow::datatypes::Schema;
use dataset::write::{check_output, write_table};
use dataset::{AttributeColumns, DatasetError};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Clusters whose sizes the text tells.
const SHOWN: usize = 10;

#[derive(Debug, Clone, Serialize)]
struct ClusterReport {
    rows: usize,
    dims: usize,
    clusters: usize,
    /// Rows of each, the largest first.
    sizes: Vec<usize>,
    /// Rows that belong to none.
    noise: usize,
    radius: f32,
    min_points: usize,
    seconds: f64,
    column: String,
    out: PathBuf,
}

pub fn run(args: &ClusterArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    check_output(&args.out, &Schema::empty())?;
    let embedding = Input::of(std::slice::from_ref(&args.embedding));
    if embedding == Input::Demo {
        return Err(DatasetError::NoInput.into()); // the demo has no coordinates
    }
    embedding.check_outlives(&args.out)?;
    let recipe = Recipe::find(&args.embedding)?;
    let coordinates_of = recipe.as_ref().filter(|recipe| !recipe.columns.is_empty());
    let data = coordinates::read(&embedding, &args.embedding_columns, coordinates_of, AttributeColumns::All, console)?;
    let vectors = &data.vectors;
    let positions =
        Positions { values: vectors.padded(), rows: vectors.rows(), dims: vectors.dims(), stride: vectors.stride() };
    let options = ClusterOptions { min_points: args.min_points, radius: args.radius, granularity: args.granularity };
    let found = console.while_waiting("finding clusters", || dbscan(positions, &options, &|| false))?;
    let mut table = coordinates::table(&data, vectors)?;
    let column = table.free_names(&[&args.name]).remove(0);
    table.push(&column, Arc::new(column_of(&found)));
    let metadata = recipe.as_ref().map(Recipe::metadata).transpose()?;
    write_table(&args.out, &table.finish()?, metadata.as_ref().map_or(&[][..], |known| &known[..]))?;
    console.print(&ClusterReport {
        rows: vectors.rows(),
        dims: vectors.dims(),
        clusters: found.sizes.len(),
        noise: found.noise,
        radius: found.radius,
        min_points: options.min_points,
        sizes: found.sizes,
        seconds: begun.elapsed().as_secs_f64(),
        column,
        out: args.out.clone(),
    })
}

/// Numbers from 0, the largest cluster first; nothing for rows that belong to none.
fn column_of(found: &Clusters) -> Int32Array {
    let number = |&label: &u32| if label == NOISE { None } else { i32::try_from(label).ok() };
    found.labels.iter().map(number).collect()
}

impl fmt::Display for ClusterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = text::counted(self.rows, "row");
        writeln!(
            f,
            "{} among {rows} in {}",
            text::counted(self.clusters, "cluster"),
            text::counted(self.dims, "dimension")
        )?;
        let sizes: Vec<String> = self.sizes.iter().take(SHOWN).map(|&size| text::count(size)).collect();
        let more = if self.sizes.len() > SHOWN { ", …" } else { "" };
        if !sizes.is_empty() {
            writeln!(f, "of {}{more} rows", sizes.join(", "))?;
        }
        let share = self.noise as f64 / self.rows.max(1) as f64;
        writeln!(f, "{} belong to none ({})", text::counted(self.noise, "row"), text::percent(share))?;
        writeln!(f, "within {} of at least {} rows, {:.1} s", self.radius, self.min_points, self.seconds)?;
        writeln!(f, "wrote {} to {}", self.column, self.out.display())
    }
}
