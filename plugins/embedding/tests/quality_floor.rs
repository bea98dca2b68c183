//! What an embedding must keep of its data.

use crate::support::data;
use embedding::{Engine, Init, Settings};
use quality::{EvaluateOptions, Evaluation, evaluate};
use vectors::{Metric, Space, Vectors};

/// Label accuracy of a random start: hardly more than chance, which is 1 in 8.
const MAX_ACCURACY_AT_RANDOM: f64 = 0.3;
/// Label accuracy after the iterations.
const MIN_ACCURACY: f64 = 0.98;
/// Area under R_NX of a random start, and after the iterations.
const MAX_AUC_AT_RANDOM: f64 = 0.05;
const MIN_AUC: f64 = 0.35;
const ITERATIONS: u32 = 300;
const ROWS: usize = 600;

fn judge(engine: &Engine, hd: &Space, labels: &[u32]) -> Evaluation {
    let ld = Vectors::from_rows(&engine.positions(), engine.settings().dims);
    let options = EvaluateOptions { queries: 500, max_k: 300, ..EvaluateOptions::default() };
    evaluate(hd, &Space::new(ld, Metric::Euclidean), Some(labels), &options, &|_, _| ()).expect("rows match")
}

#[test]
fn blobs_that_a_random_start_mixes_are_separate_in_the_end() {
    let (vectors, labels) = data::blobs(8, ROWS, 12, 3.0, 41);
    let hd = Space::new(vectors.clone(), Metric::Euclidean);
    for (dims, alpha) in [(2, 1.0), (3, 1.0), (2, 0.6), (6, 1.0)] {
        let case = format!("{dims}-D, α {alpha}");
        let settings = Settings { dims, alpha, init: Init::Random, ..Settings::for_rows(ROWS) };
        let mut engine = Engine::new(vectors.clone(), settings).expect("settings are right");
        let start = judge(&engine, &hd, &labels);
        let accuracy = start.label_accuracy.expect("there are labels");
        assert!(accuracy < MAX_ACCURACY_AT_RANDOM, "{case}: accuracy {accuracy} at a random start");
        assert!(start.auc < MAX_AUC_AT_RANDOM, "{case}: AUC {} at a random start", start.auc);
        (0..ITERATIONS).for_each(|_| engine.step());
        let end = judge(&engine, &hd, &labels);
        let accuracy = end.label_accuracy.expect("there are labels");
        assert!(accuracy >= MIN_ACCURACY, "{case}: accuracy {accuracy}, below {MIN_ACCURACY}");
        assert!(end.auc >= MIN_AUC, "{case}: AUC {}, below {MIN_AUC}", end.auc);
    }
}

#[test]
fn an_embedding_that_only_repels_keeps_nothing() {
    let (vectors, labels) = data::blobs(8, ROWS, 12, 3.0, 42);
    let hd = Space::new(vectors.clone(), Metric::Euclidean);
    let settings = Settings { attraction: 0.0, init: Init::Random, ..Settings::for_rows(ROWS) };
    let mut engine = Engine::new(vectors, settings).expect("settings are right");
    (0..ITERATIONS).for_each(|_| engine.step());
    let accuracy = judge(&engine, &hd, &labels).label_accuracy.expect("there are labels");
    assert!(accuracy < MAX_ACCURACY_AT_RANDOM, "accuracy {accuracy}: the floors do not need the pull");
}
