//! The figures against scikit-learn's, with its folds and examples; `tests/reference/make.py` has made the file.

use super::crossval::Crossval;
use super::draws::{Draws, NO_CLASS};
use super::one_shot::{Trial, one_shot};
use super::silhouette::silhouette;
use super::*;
use serde_json::Value;
use vectors::{Metric, Vectors};

const REFERENCE: &str = include_str!("../../tests/reference/labels.json");
/// Distances are of 32 bits here and of 64 there.
const TOLERANCE: f64 = 1e-6;
/// The same counts: only the division rounds.
const EXACT: f64 = 1e-12;

fn numbers(value: &Value) -> Vec<Option<u32>> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().map(|number| number as u32)).collect()
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

struct Reference {
    json: Value,
    draws: Draws,
}

impl Reference {
    fn read() -> Self {
        let json: Value = serde_json::from_str(REFERENCE).unwrap();
        let mut draws = Draws::new(&numbers(&json["labels"]), 1, 10, 0).unwrap();
        draws.fold_of = numbers(&json["folds"]).into_iter().map(|fold| fold.unwrap_or(NO_CLASS)).collect();
        let examples = json["examples"].as_array().unwrap().iter();
        draws.examples = examples.map(|rows| numbers(rows).into_iter().flatten().collect()).collect();
        Self { json, draws }
    }

    fn space(&self, metric: Metric) -> Space {
        let rows: Vec<Vec<f64>> = self.json["rows"].as_array().unwrap().iter().map(floats).collect();
        let values: Vec<f32> = rows.iter().flatten().map(|&value| value as f32).collect();
        Space::new(Vectors::from_rows(&values, rows[0].len()), metric)
    }

    fn figure(&self, metric: Metric, name: &str) -> &Value {
        &self.json["figures"][metric.to_string()][name]
    }
}

fn counter() -> Counter<'static> {
    Counter { done: AtomicUsize::new(0), total: 0, progress: &|_, _| () }
}

const METRICS: [Metric; 3] = [Metric::Euclidean, Metric::Manhattan, Metric::Cosine];

#[test]
fn one_shot_agrees_with_scikit_learn_in_every_trial() {
    let reference = Reference::read();
    for metric in METRICS {
        let asked = reference.draws.testable();
        let trials = one_shot(&reference.space(metric), &reference.draws, &asked, 0, &counter());
        let agree = |name: &str, count: fn(&Trial) -> u64| {
            let expected = floats(reference.figure(metric, name));
            assert_eq!(trials.len(), expected.len());
            for (trial, expected) in trials.iter().zip(expected) {
                let found = count(trial) as f64 / trial.asked as f64;
                assert!((found - expected).abs() < EXACT, "{metric} {name}: {found}, and {expected} there");
            }
        };
        agree("one_shot_top1", |trial| trial.right);
        agree("one_shot_top5", |trial| trial.among_five);
    }
    let other = reference.figure(Metric::Cosine, "one_shot_top1");
    assert_ne!(other, reference.figure(Metric::Euclidean, "one_shot_top1"), "the metric makes a difference");
}

#[test]
fn cross_validation_agrees_with_scikit_learn_on_its_folds() {
    let mut reference = Reference::read();
    let share = |reference: &Reference, metric, k| {
        let asked = reference.draws.testable();
        let crossval = Crossval { space: &reference.space(metric), draws: &reference.draws, k, seed: 0 };
        crossval.right(&asked, &counter()) as f64 / asked.len() as f64
    };
    for metric in METRICS {
        for (k, name) in [(1, "crossval_1"), (5, "crossval_5")] {
            let expected = reference.figure(metric, name).as_f64().unwrap();
            assert!((share(&reference, metric, k) - expected).abs() < EXACT, "{metric} {name}");
        }
    }
    let before = share(&reference, Metric::Euclidean, 1);
    // Two folds of five each: fewer rows are known, and other neighbours are the nearest.
    reference.draws.fold_of.iter_mut().filter(|fold| **fold != NO_CLASS).for_each(|fold| *fold %= 2);
    assert_ne!(share(&reference, Metric::Euclidean, 1), before);
}

#[test]
fn the_silhouette_agrees_with_scikit_learn() {
    let reference = Reference::read();
    let draws = &reference.draws;
    for metric in METRICS {
        let found = silhouette(&reference.space(metric), draws, &draws.labelled, &counter());
        let expected = reference.figure(metric, "silhouette").as_f64().unwrap();
        assert!((found - expected).abs() < TOLERANCE, "{metric}: {found}, and {expected} there");
        let without_the_single_row = silhouette(&reference.space(metric), draws, &draws.testable(), &counter());
        assert!((without_the_single_row - expected).abs() > TOLERANCE, "{metric}: one row more counts");
    }
}
