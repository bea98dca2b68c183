//! `nevis evaluate`: how faithful an embedding is to the space it was made from.

use super::dimensions;
use crate::args::EvaluateArgs;
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::recipe::Recipe;
use crate::{coordinates, text};
use dataset::arrow::array::{Array, Float32Array};
use dataset::arrow::datatypes::Schema;
use dataset::arrow::util::display::{ArrayFormatter, FormatOptions};
use dataset::write::{check_output, write_table};
use dataset::{AttributeColumns, Dataset, DatasetError, LoadOptions};
use quality::{EvaluateOptions, Evaluation, PerPoint, PerPointOptions};
use serde::Serialize;
use std::collections::HashMap;
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
    seconds: f64,
    /// Where each point's quality went.
    per_point: Option<PathBuf>,
    notes: Vec<String>,
}

pub fn run(args: &EvaluateArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    if let Some(out) = &args.per_point {
        check_output(out, &Schema::empty())?;
    }
    let Some((embedding_path, input_paths)) = args.paths.split_last() else { return Err(DatasetError::NoInput.into()) };
    let (input, embedding) = (Input::of(input_paths), Input::of(std::slice::from_ref(embedding_path)));
    let recipe = match embedding {
        Input::Demo => None,
        Input::Files(_) => Recipe::find(embedding_path)?.filter(|recipe| recipe.command == "embed"),
    };
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
    check_rows(&data, &picture, &input, embedding_path)?;
    let mut notes = loading_notes(&data);
    if recipe.as_ref().is_some_and(|recipe| recipe.input_hash != data.source.hash) {
        notes.push(format!("{embedding_path:?} was made from other bytes than those of {input}"));
    }
    console.notes(&notes);

    let label_source = if label_in_input { &data } else { &picture };
    let labels = args.label.as_deref().map(|label| labels(label_source, label)).transpose()?;
    let space = ComparedSpace::of(&data, &options, metric);
    let hd = Space::new(std::mem::take(&mut data.vectors), metric);
    let ld = Space::new(std::mem::take(&mut picture.vectors), Metric::Euclidean);
    let how = EvaluateOptions { queries: args.queries, max_k: args.max_k, k: args.k, seed: args.seed };
    let evaluation = console
        .while_counting("comparing", |progress| quality::evaluate(&hd, &ld, labels.as_deref(), &how, progress))?;
    if let Some(out) = &args.per_point {
        let how = PerPointOptions { seed: args.seed, ..PerPointOptions::default() };
        let judged =
            console.while_counting("judging points", |progress| quality::per_point(&hd, &ld, &how, progress))?;
        write_per_point(out, &picture, ld.vectors(), judged)?;
    }
    console.print(&EvaluateReport {
        rows: hd.rows(),
        dims: ld.vectors().dims(),
        evaluation,
        space,
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

fn check_rows(data: &Dataset, picture: &Dataset, input: &Input, embedding: &Path) -> Result<(), CommandError> {
    let (hd, ld) = (data.vectors.rows(), picture.vectors.rows());
    if hd == ld {
        return Ok(());
    }
    Err(CommandError::RowCounts { input: input.to_string(), embedding: embedding.into(), hd, ld })
}

/// One number per distinct value of a column, whatever its type; a missing value is a value like any other.
fn labels(data: &Dataset, column: &str) -> Result<Vec<u32>, CommandError> {
    let index = data.attributes.schema().index_of(column)?;
    let column = data.attributes.column(index);
    let formatter = ArrayFormatter::try_new(column, &FormatOptions::default())?;
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let number = |row: usize| {
        let next = numbers.len() as u32;
        *numbers.entry(formatter.value(row).to_string()).or_insert(next)
    };
    Ok((0..column.len()).map(number).collect())
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
        let mut figures = vec![
            ("R_NX AUC".to_owned(), e.auc),
            (format!("trustworthiness ({})", e.k), e.trustworthiness),
            (format!("continuity ({})", e.k), e.continuity),
            (format!("k-NN recall ({})", e.k), e.knn_recall),
            ("distance correlation".to_owned(), e.distance_correlation),
        ];
        figures.extend(e.label_accuracy.map(|accuracy| ("label accuracy".to_owned(), accuracy)));
        let lines: Vec<_> = figures.into_iter().map(|(name, value)| vec![name, format!("{value:.4}")]).collect();
        writeln!(f, "{}", text::columns(&lines))?;
        let shown: Vec<_> = e.rnx.iter().filter(|(k, _)| SHOWN_K.contains(k)).collect();
        let mut curve = [vec!["K".to_owned()], vec!["R_NX(K)".to_owned()]];
        for (k, value) in shown {
            curve[0].push(format!("{k:>6}"));
            curve[1].push(format!("{value:>6.3}"));
        }
        write!(f, "{}", text::columns(&curve))?;
        match &self.per_point {
            Some(out) => writeln!(f, "\nwrote each point's quality to {}", out.display()),
            None => Ok(()),
        }
    }
}

fn queries(evaluation: &Evaluation) -> String {
    if evaluation.queries == 1 { "1 query".to_owned() } else { format!("{} queries", text::count(evaluation.queries)) }
}
