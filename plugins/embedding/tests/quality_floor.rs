//! What an embedding must keep of its data.

use crate::support::data;
use embedding::{Engine, Init, Settings};
use quality::{EvaluateOptions, LabelOptions, LabelTest, evaluate};
use vectors::{Metric, Space, Vectors};

/// Cross-validated accuracy of labels at a random start: hardly more than chance, which is 1 in 8.
const MAX_ACCURACY_AT_RANDOM: f64 = 0.3;
/// The same after the iterations.
const MIN_ACCURACY: f64 = 0.98;
/// Area under R_NX of a random start, and after the iterations.
const MAX_AUC_AT_RANDOM: f64 = 0.05;
const MIN_AUC: f64 = 0.35;
const ITERATIONS: u32 = 300;
const ROWS: usize = 600;

/// Neighbours that vote on a row's label.
const VOTES: usize = 10;

/// Accuracy of labels, and area under R_NX.
fn judge(engine: &Engine, hd: &Space, labels: &[u32]) -> (f64, f64) {
    let positions = Vectors::from_rows(&engine.positions(), engine.settings().dims);
    let ld = Space::new(positions, Metric::Euclidean);
    let options = EvaluateOptions { queries: 500, max_k: 300, ..EvaluateOptions::default() };
    let labels: Vec<Option<u32>> = labels.iter().copied().map(Some).collect();
    let test =
        LabelTest::new(&labels, &LabelOptions { k: VOTES, ..LabelOptions::default() }).expect("there are labels");
    let figures = test.measure(&ld, &|_, _| ()).expect("rows match");
    (figures.crossval_top1, evaluate(hd, &ld, &options, &|_, _| ()).expect("rows match").auc)
}

#[test]
fn blobs_that_a_random_start_mixes_are_separate_in_the_end() {
    let (vectors, labels) = data::blobs(8, ROWS, 12, 3.0, 41);
    let hd = Space::new(vectors.clone(), Metric::Euclidean);
    for (dims, alpha) in [(2, 1.0), (3, 1.0), (2, 0.6), (6, 1.0)] {
        let case = format!("{dims}-D, α {alpha}");
        let settings = Settings { dims, alpha, init: Init::Random, ..Settings::for_rows(ROWS) };
        let mut engine = Engine::new(vectors.clone(), settings).expect("settings are right");
        let (accuracy, auc) = judge(&engine, &hd, &labels);
        assert!(accuracy < MAX_ACCURACY_AT_RANDOM, "{case}: accuracy {accuracy} at a random start");
        assert!(auc < MAX_AUC_AT_RANDOM, "{case}: AUC {auc} at a random start");
        (0..ITERATIONS).for_each(|_| engine.step());
        let (accuracy, auc) = judge(&engine, &hd, &labels);
        assert!(accuracy >= MIN_ACCURACY, "{case}: accuracy {accuracy}, below {MIN_ACCURACY}");
        assert!(auc >= MIN_AUC, "{case}: AUC {auc}, below {MIN_AUC}");
    }
}

#[test]
fn an_embedding_that_only_repels_keeps_nothing() {
    let (vectors, labels) = data::blobs(8, ROWS, 12, 3.0, 42);
    let hd = Space::new(vectors.clone(), Metric::Euclidean);
    let settings = Settings { attraction: 0.0, init: Init::Random, ..Settings::for_rows(ROWS) };
    let mut engine = Engine::new(vectors, settings).expect("settings are right");
    (0..ITERATIONS).for_each(|_| engine.step());
    let (accuracy, _) = judge(&engine, &hd, &labels);
    assert!(accuracy < MAX_ACCURACY_AT_RANDOM, "accuracy {accuracy}: the floors do not need the pull");
}
