//! `nevis hierarchy`: how the clusters of a data set part, as a graph.

mod report;

use crate::args::HierarchyArgs;
use crate::backend::{Runner, Wish};
use crate::console::Console;
use crate::error::CommandError;
use crate::growth::{self, Kind, Outgoing};
use crate::input::{Input, loading_notes};
use colours::Values;
use dataset::{AttributeColumns, Dataset, LoadOptions, Role};
use embedding::Settings;
use hierarchy::{Classes, FEWEST_ROWS, GrowError, Hierarchy, HierarchyOptions, grow};
use report::{HierarchyReport, LabelReport, LevelReport};
use std::time::Instant;

pub fn run(args: &HierarchyArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    let mut notes = Vec::new();
    let options = HierarchyOptions { levels: args.levels, ..HierarchyOptions::default() };
    options.check()?;
    settings(args, 0).validate()?; // ranges do not depend on the rows: no need to read them to find a mistake
    let kind = Kind::of(&args.out)?;
    let wish = Wish::of(&args.backend)?;
    let place = wish.open(&mut notes)?;
    if args.members && kind != Kind::Json {
        notes.push("--members is for .json alone: other files hold no lists of rows".to_owned());
    }
    let input = Input::of(&args.input);
    input.check_outlives(&args.out)?;
    let load = load_options(args);
    let mut data = input.load(&load, console)?;
    let rows = data.vectors.rows();
    if rows < FEWEST_ROWS {
        return Err(CommandError::TooFewRows { input: input.to_string(), rows, fewest: FEWEST_ROWS });
    }
    let settings = settings(args, rows);
    let label = label_of(args, &data)?;
    let place = place.for_data(&data.vectors, &settings, &mut notes)?;
    notes.extend(loading_notes(&data));
    console.notes(&notes);

    let vectors = std::mem::take(&mut data.vectors); // the engine owns it: there is never a second one
    let loaded = begun.elapsed().as_secs_f64();
    let mut runner = place.start(vectors, settings.clone(), None)?;
    let hierarchy = grow_with_bar(&mut runner, &options, console)?;
    let grown = begun.elapsed().as_secs_f64();
    let recipe = growth::recipe((input.paths(), &data, load), (&settings, &options), (runner.backend(), wish.adapter));
    let classes = label.as_ref().map(|(_, classes)| classes);
    let outgoing =
        Outgoing { hierarchy: &hierarchy, options: &options, classes, members: args.members, data: &data, part: None };
    let wrote = outgoing.write(&args.out, recipe)?;
    let labels = label.as_ref().map(|(column, classes)| LabelReport::of(column, classes, &hierarchy)).transpose()?;
    console.print(&HierarchyReport {
        rows,
        dims: settings.dims,
        input_dims: data.source.input_dims,
        pca: data.pca,
        backend: runner.backend(),
        adapter: runner.adapter(),
        iterations: options.iterations(),
        nodes: hierarchy.nodes().len(),
        edges: hierarchy.edges().len(),
        levels: LevelReport::of_all(&hierarchy),
        labels,
        load_seconds: loaded,
        grow_seconds: grown - loaded,
        seconds: begun.elapsed().as_secs_f64(),
        wrote,
        out: args.out.clone(),
        notes,
    })
}

fn settings(args: &HierarchyArgs, rows: usize) -> Settings {
    let usual = Settings::for_rows(rows);
    Settings {
        dims: args.dims,
        metric: args.metric.unwrap_or(usual.metric),
        seed: args.seed.unwrap_or(usual.seed),
        ..usual
    }
}

/// As the flags say; the labels are read whatever else is, and are classes whatever they look like.
fn load_options(args: &HierarchyArgs) -> LoadOptions {
    let mut load = args.loader.over(LoadOptions::default());
    if let Some(label) = &args.label {
        load.roles.insert(label.clone(), Role::Categorical);
        load.attributes = match load.attributes {
            AttributeColumns::None => AttributeColumns::Only(vec![label.clone()]),
            AttributeColumns::Only(mut columns) => {
                if !columns.contains(label) {
                    columns.push(label.clone());
                }
                AttributeColumns::Only(columns)
            }
            all => all,
        };
    }
    load
}

/// The column of the labels and what it says; none if none was named and none can be guessed.
fn label_of(args: &HierarchyArgs, data: &Dataset) -> Result<Option<(String, Classes)>, CommandError> {
    let Some(column) = args.label.clone().or_else(|| growth::guessed_label(data)) else { return Ok(None) };
    if data.source.vector_columns.contains(&column) {
        return Err(CommandError::LabelInVectors { column });
    }
    match Values::of_column(data, &column)? {
        Values::Categories(categories) => Ok(Some((column, growth::classes(&categories, None)?))),
        _ => Ok(None), // what is guessed or named is categorical
    }
}

fn grow_with_bar(runner: &mut Runner, options: &HierarchyOptions, console: Console) -> Result<Hierarchy, CommandError> {
    let bar = console.bar(options.iterations().into(), "growing");
    let grown = grow(runner, options, &mut |progress| bar.set_position(progress.iteration.into()), &|| false);
    bar.finish_and_clear();
    grown.map_err(|error| match error {
        GrowError::Embed(error) => error.into(),
        GrowError::Hierarchy(error) => error.into(),
    })
}
