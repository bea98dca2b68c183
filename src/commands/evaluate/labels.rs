//! How well classes can be told apart in the data and in embeddings of it, side by side.

use crate::args::EvaluateArgs;
use crate::console::Console;
use crate::error::CommandError;
use crate::input::Input;
use crate::{coordinates, text};
use dataset::arrow::array::Array;
use dataset::arrow::util::display::{ArrayFormatter, FormatOptions};
use dataset::{AttributeColumns, Dataset, LoadOptions, PcaChoice, PcaReport};
use quality::{LabelFigures, LabelOptions, LabelTest};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use vectors::{Metric, Space};

/// The figures of every representation of the rows.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LabelReport {
    column: String,
    classes: usize,
    /// Rows that have a label.
    labelled: usize,
    /// Rows that have none, and take no part.
    unlabelled: usize,
    /// Classes of a single row, which are not asked.
    single: usize,
    trials: usize,
    folds: usize,
    k: usize,
    /// The data first, as in the file and after PCA, then the embeddings.
    representations: Vec<Representation>,
    #[serde(skip)]
    test: LabelTest,
}

#[derive(Debug, Clone, Serialize)]
struct Representation {
    /// "raw" and "PCA 50", or "data" where there was no PCA; the path of an embedding.
    name: String,
    dims: usize,
    metric: Metric,
    #[serde(flatten)]
    figures: LabelFigures,
}

impl LabelReport {
    /// Draws the test for a column of `source`.
    pub(super) fn new(source: &Dataset, column: &str, args: &EvaluateArgs) -> Result<Self, CommandError> {
        let options = LabelOptions { k: args.label_k, seed: args.seed, ..LabelOptions::default() };
        let test = LabelTest::new(&class_numbers(source, column)?, &options)
            .map_err(|source| CommandError::Labels { column: column.to_owned(), source })?;
        Ok(Self {
            column: column.to_owned(),
            classes: test.classes(),
            labelled: test.labelled(),
            unlabelled: test.unlabelled(),
            single: test.single(),
            trials: options.trials,
            folds: options.folds,
            k: options.k,
            representations: Vec::new(),
            test,
        })
    }

    /// What the user should know of labels that tell less than they seem to.
    pub(super) fn notes(&self, vector_columns: &[String]) -> Vec<String> {
        let mut notes = Vec::new();
        if vector_columns.contains(&self.column) {
            let column = &self.column;
            notes.push(format!("{column:?} is also part of the vectors, which makes it easy to guess from them"));
        }
        if self.unlabelled > 0 {
            notes.push(format!("{} without a label left out of the test", text::counted(self.unlabelled, "row")));
        }
        if self.single > 0 {
            let single = if self.single == 1 { "class" } else { "classes" };
            notes.push(format!("{} {single} of a single row cannot be tested", text::count(self.single)));
        }
        notes
    }

    /// Measures one more representation.
    pub(super) fn add(&mut self, name: String, space: &Space, console: Console) -> Result<(), CommandError> {
        let figures = console.while_counting("testing labels", |progress| self.test.measure(space, progress))?;
        let dims = space.vectors().dims();
        self.representations.push(Representation { name, dims, metric: space.metric(), figures });
        Ok(())
    }

    /// The vectors as they are in the file, standardized if that was asked for, where PCA has reduced them.
    pub(super) fn add_raw(
        &mut self,
        input: &Input,
        options: &LoadOptions,
        metric: Metric,
        console: Console,
    ) -> Result<(), CommandError> {
        let mut options = LoadOptions { pca: PcaChoice::Off, attributes: AttributeColumns::None, ..options.clone() };
        options.roles.clear();
        let raw = input.load(&options, console)?;
        self.add("raw".to_owned(), &Space::new(raw.vectors, metric), console)
    }
}

/// Other embeddings of the data.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// By path.
    pub(super) spaces: Vec<(String, Space)>,
    /// One for each that was made from other data.
    pub(super) notes: Vec<String>,
}

/// Reads other embeddings before anything is measured, so that a wrong path costs no time.
pub(super) fn read_others(
    paths: &[PathBuf],
    input: &Input,
    data: &Dataset,
    console: Console,
) -> Result<Others, CommandError> {
    let mut others = Others::default();
    for path in paths {
        let recipe = super::recipe_of(path)?;
        let embedding = Input::of(std::slice::from_ref(path));
        let picture = coordinates::read(&embedding, &[], recipe.as_ref(), AttributeColumns::None, console)?;
        super::check_rows(data.vectors.rows(), picture.vectors.rows(), input, path)?;
        others.notes.extend(super::other_bytes(recipe.as_ref(), &data.source.hash, path, input));
        others.spaces.push((path.display().to_string(), Space::new(picture.vectors, Metric::Euclidean)));
    }
    Ok(others)
}

/// What the data is called as it was compared.
pub(super) fn data_name(pca: Option<PcaReport>) -> String {
    pca.map_or("data".to_owned(), |pca| format!("PCA {}", pca.dims))
}

/// One number for each distinct value of a column, whatever its type; none where it is missing.
pub fn class_numbers(data: &Dataset, column: &str) -> Result<Vec<Option<u32>>, CommandError> {
    let index = data.attributes.schema().index_of(column)?;
    let column = data.attributes.column(index);
    let formatter = ArrayFormatter::try_new(column, &FormatOptions::default())?;
    let (nulls, floating) = (column.logical_nulls(), column.data_type().is_floating());
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let number = |row: usize| {
        let text = formatter.value(row).to_string();
        let missing = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) || floating && text == "NaN";
        let next = numbers.len() as u32;
        (!missing).then(|| *numbers.entry(text).or_insert(next))
    };
    Ok((0..column.len()).map(number).collect())
}

impl fmt::Display for LabelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = text::counted(self.labelled, "row");
        writeln!(
            f,
            "{:?}: {} classes, {rows}; one-shot: {} trials",
            self.column,
            text::count(self.classes),
            self.trials
        )?;
        let line = |name: &str, cell: &dyn Fn(&Representation) -> String| {
            let cells = self.representations.iter().map(cell);
            std::iter::once(name.to_owned()).chain(cells).collect::<Vec<String>>()
        };
        let asked = |rows: usize| text::count(rows);
        let mut lines = [
            line("", &|r| r.name.clone()),
            line("dimensions", &|r| text::count(r.dims)),
            line("metric", &|r| r.metric.to_string()),
            line("one-shot top-1", &|r| format!("{:.4}", r.figures.one_shot_top1)),
            line("  ± among trials", &|r| format!("{:.4}", r.figures.one_shot_top1_sd)),
            line("one-shot top-5", &|r| {
                r.figures.one_shot_top5.map_or("–".to_owned(), |share| format!("{share:.4}"))
            }),
            line("  rows asked", &|r| asked(r.figures.one_shot_rows)),
            line(&format!("{}-fold {}-NN top-1", self.folds, self.k), &|r| format!("{:.4}", r.figures.crossval_top1)),
            line("  rows asked", &|r| asked(r.figures.crossval_rows)),
            line("silhouette", &|r| format!("{:.4}", r.figures.silhouette)),
            line("  rows asked", &|r| asked(r.figures.silhouette_rows)),
        ];
        align_right(&mut lines);
        write!(f, "{}", text::columns(&lines))
    }
}

/// Pads all cells but the first of each line, so that numbers stand below each other.
fn align_right(lines: &mut [Vec<String>]) {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    for column in 1..columns {
        let width = lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        lines.iter_mut().for_each(|line| line[column] = format!("{:>width$}", line[column]));
    }
}
