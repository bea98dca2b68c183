//! `nevis evaluate`: how faithful an embedding is to the space it was made from.

mod labels;

#[cfg(feature = "experiments")]
pub use labels::class_numbers;

use super::dimensions;
use crate::args::EvaluateArgs;
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::recipe::Recipe;
use crate::{coordinates, text};
use dataset::arrow::array::Float32Array;
use dataset::arrow::datatypes::Schema;
use dataset::write::{check_output, write_table};
use dataset::{AttributeColumns, Dataset, DatasetError, LoadOptions};
use labels::LabelReport;
use quality::{EvaluateOptions, Evaluation, PerPoint, PerPointOptions};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use vectors::{Metric, Space, Vectors};

/// Neighbourhoods of the curve that the text shows.
const SHOWN_K: [usize; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/// The space that the embedding was compared with.
#[derive(Debug, Clone, Serialize)]
struct ComparedSpace {
    description: String,
    input_dims: usize,
    dims: usize,
    standardized: bool,
    variance_kept: Option<f64>,
    metric: Metric,
}

#[derive(Debug, Clone, Serialize)]
struct EvaluateReport {
    rows: usize,
    dims: usize,
    #[serde(flatten)]
    evaluation: Evaluation,
    space: ComparedSpace,
    /// How well classes can be told apart, where a column names them.
    labels: Option<LabelReport>,
    seconds: f64,
    /// Where each point's quality went.
    per_point: Option<PathBuf>,
    notes: Vec<String>,
}

pub fn run(args: &EvaluateArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    if let Some(out) = &args.per_point {
        check_output(out, &Schema::empty())?;
        Input::Files([&args.paths[..], &args.also[..]].concat()).check_outlives(out)?;
    }
    let Some((embedding_path, input_paths)) = args.paths.split_last() else { return Err(DatasetError::NoInput.into()) };
    let (input, embedding) = (Input::of(input_paths), Input::of(std::slice::from_ref(embedding_path)));
    let recipe = recipe_of(embedding_path)?;
    let base = recipe.as_ref().map(|recipe| recipe.load.clone()).unwrap_or_default();
    let options = args.loader.over(base);
    let metric = args.metric.or_else(|| recipe.as_ref().map(|r| r.settings.metric)).unwrap_or_default();

    let (mut data, label_in_input) = load_data(&input, options.clone(), args.label.as_deref(), console)?;
    let label_there = args.label.clone().filter(|_| !label_in_input);
    let attributes = match (&args.per_point, label_there) {
        (Some(_), _) => AttributeColumns::All,
        (None, Some(label)) => AttributeColumns::Only(vec![label]),
        (None, None) => AttributeColumns::None,
    };
    let mut picture = coordinates::read(&embedding, &args.embedding_columns, recipe.as_ref(), attributes, console)?;
    check_rows(data.vectors.rows(), picture.vectors.rows(), &input, embedding_path)?;
    let mut notes = loading_notes(&data);
    notes.extend(other_bytes(recipe.as_ref(), &data.source.hash, embedding_path, &input));
    let label_source = if label_in_input { &data } else { &picture };
    let mut labels = args.label.as_deref().map(|label| LabelReport::new(label_source, label, args)).transpose()?;
    notes.extend(labels.iter().flat_map(|labels| labels.notes(&data.source.vector_columns)));
    let others = labels::read_others(&args.also, &input, &data, console)?;
    notes.extend(others.notes);
    console.notes(&notes);

    let space = ComparedSpace::of(&data, &options, metric);
    let hd = Space::new(std::mem::take(&mut data.vectors), metric);
    let ld = Space::new(std::mem::take(&mut picture.vectors), Metric::Euclidean);
    let how = EvaluateOptions { queries: args.queries, max_k: args.max_k, k: args.k, seed: args.seed };
    let evaluation = console.while_counting("comparing", |progress| quality::evaluate(&hd, &ld, &how, progress))?;
    if let Some(out) = &args.per_point {
        let how = PerPointOptions { seed: args.seed, ..PerPointOptions::default() };
        let judged =
            console.while_counting("judging points", |progress| quality::per_point(&hd, &ld, &how, progress))?;
        write_per_point(out, &picture, ld.vectors(), judged)?;
    }
    if let Some(labels) = &mut labels {
        if data.pca.is_some() {
            labels.add_raw(&input, &options, metric, console)?;
        }
        labels.add(labels::data_name(data.pca), &hd, console)?;
        labels.add(embedding_path.display().to_string(), &ld, console)?;
        for (name, other) in &others.spaces {
            labels.add(name.clone(), other, console)?;
        }
    }
    console.print(&EvaluateReport {
        rows: hd.rows(),
        dims: ld.vectors().dims(),
        evaluation,
        space,
        labels,
        seconds: begun.elapsed().as_secs_f64(),
        per_point: args.per_point.clone(),
        notes,
    })
}

/// The data, with the label column if it has it.
fn load_data(
    input: &Input,
    mut options: LoadOptions,
    label: Option<&str>,
    console: Console,
) -> Result<(Dataset, bool), CommandError> {
    options.roles.clear(); // nothing is shown, so nothing needs a role
    if let Some(label) = label {
        options.attributes = AttributeColumns::Only(vec![label.to_owned()]);
        match input.try_load(&options, console) {
            Err(DatasetError::MissingColumn { column, .. }) if column == label => {} // the embedding may have it
            result => {
                let data = result.map_err(|error| CommandError::in_input(input, error))?;
                return Ok((data, true));
            }
        }
    }
    options.attributes = AttributeColumns::None;
    Ok((input.load(&options, console)?, false))
}

/// How an embedding was made, if it says so.
fn recipe_of(embedding: &Path) -> Result<Option<Recipe>, CommandError> {
    match Input::of(&[embedding.to_path_buf()]) {
        Input::Demo => Ok(None),
        Input::Files(_) => Ok(Recipe::find(embedding)?.filter(|recipe| recipe.command == "embed")),
    }
}

/// What to say where the embedding was made from other data than that with this hash.
fn other_bytes(recipe: Option<&Recipe>, hash: &str, embedding: &Path, input: &Input) -> Option<String> {
    let other = recipe.is_some_and(|recipe| recipe.input_hash != hash);
    other.then(|| format!("{embedding:?} was made from other bytes than those of {input}"))
}

fn check_rows(hd: usize, ld: usize, input: &Input, embedding: &Path) -> Result<(), CommandError> {
    if hd == ld {
        return Ok(());
    }
    Err(CommandError::RowCounts { input: input.to_string(), embedding: embedding.into(), hd, ld })
}

/// The embedding again, with the two figures of each point behind its columns.
fn write_per_point(out: &Path, picture: &Dataset, ld: &Vectors, judged: PerPoint) -> Result<(), CommandError> {
    let mut table = coordinates::table(picture, ld)?;
    let names = table.free_names(&["neighbourhood_kept", "distance_correlation"]);
    for (name, values) in names.into_iter().zip([judged.neighbourhood_kept, judged.distance_correlation]) {
        table.push(name, Arc::new(Float32Array::from(values)));
    }
    Ok(write_table(out, &table.finish()?, &[])?)
}

impl ComparedSpace {
    fn of(data: &Dataset, options: &LoadOptions, metric: Metric) -> Self {
        let input_dims = data.source.input_dims;
        let standardized = if options.standardize { ", standardized" } else { "" };
        Self {
            description: format!("{}{standardized}, {metric}", dimensions(input_dims, data.pca)),
            input_dims,
            dims: data.vectors.dims(),
            standardized: options.standardize,
            variance_kept: data.pca.map(|pca| pca.variance_kept),
            metric,
        }
    }
}

impl fmt::Display for EvaluateReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let e = &self.evaluation;
        let dims = text::counted(self.dims, "dimension");
        writeln!(f, "{} in {dims}, {} ({:.1} s)", text::counted(self.rows, "row"), queries(e), self.seconds)?;
        writeln!(f, "compared with: {}\n", self.space.description)?;
        let figures = [
            ("R_NX AUC".to_owned(), e.auc),
            (format!("trustworthiness ({})", e.k), e.trustworthiness),
            (format!("continuity ({})", e.k), e.continuity),
            (format!("k-NN recall ({})", e.k), e.knn_recall),
            ("distance correlation".to_owned(), e.distance_correlation),
        ];
        let lines: Vec<_> = figures.into_iter().map(|(name, value)| vec![name, format!("{value:.4}")]).collect();
        writeln!(f, "{}", text::columns(&lines))?;
        let shown: Vec<_> = e.rnx.iter().filter(|(k, _)| SHOWN_K.contains(k)).collect();
        let mut curve = [vec!["K".to_owned()], vec!["R_NX(K)".to_owned()]];
        for (k, value) in shown {
            curve[0].push(format!("{k:>6}"));
            curve[1].push(format!("{value:>6.3}"));
        }
        write!(f, "{}", text::columns(&curve))?;
        if let Some(labels) = &self.labels {
            write!(f, "\n{labels}")?;
        }
        match &self.per_point {
            Some(out) => writeln!(f, "\nwrote each point's quality to {}", out.display()),
            None => Ok(()),
        }
    }
}

fn queries(evaluation: &Evaluation) -> String {
    if evaluation.queries == 1 { "1 query".to_owned() } else { format!("{} queries", text::count(evaluation.queries)) }
}
