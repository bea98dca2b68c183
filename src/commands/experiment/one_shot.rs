//! One-shot: how well classes are told from one example each, in the data and in embeddings of 32 dimensions.

use super::plot::{Bars, draw_bars};
use super::tidy::Tidy;
use super::{Laboratory, Outcome, SEED};
use crate::commands::evaluate::class_numbers;
use crate::error::CommandError;
use crate::table::Table;
use embedding::{Plan, Settings};
use quality::{LabelFigures, LabelOptions, LabelTest};
use vectors::{Metric, Space, Vectors};

const FILE: &str = "mnist_70k_pca50.parquet";
const LABEL: &str = "label";
/// Tails of the embeddings.
const ALPHAS: [f32; 2] = [1.0, 0.5];

/// How much is done.
struct Size {
    dims: usize,
    iterations: Option<u32>,
    trials: usize,
}

/// What one representation of the rows gives.
struct Tested {
    name: String,
    dims: usize,
    figures: LabelFigures,
}

pub fn run(laboratory: &mut Laboratory<'_>) -> Result<Outcome, CommandError> {
    let (size, set, data) = if laboratory.quick {
        let size = Size { dims: 8, iterations: Some(300), trials: 20 };
        (size, "digits", laboratory.digits(1500, &[LABEL])?)
    } else {
        let size = Size { dims: 32, iterations: None, trials: 100 };
        (size, "mnist_70k_pca50", laboratory.load(FILE, None, &[LABEL])?)
    };
    let options = LabelOptions { trials: size.trials, seed: SEED, ..LabelOptions::default() };
    let test = LabelTest::new(&class_numbers(&data, LABEL)?, &options)?;
    let rows = data.vectors.rows();
    let measure = |name: String, vectors: Vectors| -> Result<Tested, CommandError> {
        let (dims, space) = (vectors.dims(), Space::new(vectors, Metric::Euclidean));
        let figures = laboratory.console.while_counting("testing labels", |progress| test.measure(&space, progress))?;
        Ok(Tested { name, dims, figures })
    };
    let mut tested = vec![measure(format!("data, d = {}", data.vectors.dims()), data.vectors.clone())?];
    for alpha in ALPHAS {
        let settings = Settings { dims: size.dims, alpha, seed: SEED, ..Settings::for_rows(rows) };
        let plan = size.iterations.map_or_else(|| Plan::for_rows(rows), Plan::of);
        let positions = laboratory.embed(data.vectors.clone(), settings, plan)?;
        let name = format!("embedding, d = {}, α = {alpha}", size.dims);
        tested.push(measure(name, Vectors::from_rows(&positions, size.dims))?);
    }
    let title = format!("{set}: {} rows, {} classes", crate::text::count(rows), test.classes());
    Ok(Outcome { plot: draw_bars(&bars(title, &tested))?, figures: figures(set, rows, &tested), table: table(&tested) })
}

fn bars(title: String, tested: &[Tested]) -> Bars {
    let group = |name: &str, share: fn(&LabelFigures) -> f64| {
        (name.to_owned(), tested.iter().map(|tested| share(&tested.figures)).collect())
    };
    Bars {
        title,
        label: "share of rows whose class is told".to_owned(),
        names: tested.iter().map(|tested| tested.name.clone()).collect(),
        groups: vec![
            group("one-shot top-1", |figures| figures.one_shot_top1),
            group("one-shot top-5", |figures| figures.one_shot_top5.unwrap_or(1.0)),
            group("10-fold 1-NN", |figures| figures.crossval_top1),
        ],
    }
}

fn figures(set: &str, rows: usize, tested: &[Tested]) -> String {
    let sentence = |Tested { name, figures, .. }: &Tested| {
        let (top1, sd, crossval) = (figures.one_shot_top1, figures.one_shot_top1_sd, figures.crossval_top1);
        let top5 = figures.one_shot_top5.unwrap_or(1.0);
        format!("{name}: one-shot top-1 {top1:.3} ± {sd:.3}, top-5 {top5:.3}, 10-fold 1-NN {crossval:.3}")
    };
    format!("{set}, {rows} rows; {}", tested.iter().map(sentence).collect::<Vec<_>>().join("; "))
}

fn table(tested: &[Tested]) -> Table {
    Tidy::of(tested)
        .texts("representation", |tested| &tested.name)
        .counts("dims", |tested| tested.dims)
        .numbers("one_shot_top1", |tested| tested.figures.one_shot_top1)
        .numbers("one_shot_top1_sd", |tested| tested.figures.one_shot_top1_sd)
        .numbers("one_shot_top5", |tested| tested.figures.one_shot_top5.unwrap_or(1.0))
        .numbers("crossval_top1", |tested| tested.figures.crossval_top1)
        .counts("one_shot_rows", |tested| tested.figures.one_shot_rows)
        .numbers("silhouette", |tested| tested.figures.silhouette)
        .table()
}
