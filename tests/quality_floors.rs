//! What default settings must reach, measured by the program itself.

use crate::support::*;

/// R_NX AUC of the demo in two dimensions: openTSNE 1.0.4 reaches 0.5277 at its defaults.
const MIN_AUC_DEMO: f64 = 0.527;
/// The same of digits_sklearn, where openTSNE reaches 0.563.
const MIN_AUC_DIGITS: f64 = 0.55;
/// R_NX AUC of the demo with light tails and far more push than pull: 0.50 and 0.51; a ball without order has 0.01.
const MIN_AUC_PUSHED: f64 = 0.42;
/// Share of the true 32 nearest that the coupled search finds.
const MIN_RECALL: f64 = 0.97;

fn auc(input: &str) -> f64 {
    auc_with(input, &[])
}

fn auc_with(input: &str, flags: &[&str]) -> f64 {
    let dir = dir();
    succeed(dir.path(), &[&["embed", input, "--out", "out.parquet"], flags].concat());
    json(dir.path(), &["evaluate", input, "out.parquet"])["auc"].as_f64().unwrap()
}

#[test]
fn the_demo_is_embedded_well() {
    let auc = auc("demo:");
    assert!(auc >= MIN_AUC_DEMO, "AUC {auc:.4} of the demo is below {MIN_AUC_DEMO}");
}

#[test]
fn digits_are_embedded_well() {
    let Some(path) = shared("digits_sklearn.parquet") else { return };
    let auc = auc(path.to_str().unwrap());
    assert!(auc >= MIN_AUC_DIGITS, "AUC {auc:.4} of digits_sklearn is below {MIN_AUC_DIGITS}");
}

#[test]
fn more_push_than_pull_leaves_a_map() {
    for (alpha, repulsion) in [("3", "3"), ("1", "10")] {
        let auc = auc_with("demo:", &["--alpha", alpha, "--repulsion", repulsion]);
        assert!(auc >= MIN_AUC_PUSHED, "AUC {auc:.4} at α = {alpha}, repulsion {repulsion}");
    }
}

#[test]
fn an_unmoved_start_is_not_good_enough() {
    let dir = dir();
    succeed(dir.path(), &["embed", "demo:", "--out", "out.parquet", "--iterations", "0", "--init", "random"]);
    let auc = json(dir.path(), &["evaluate", "demo:", "out.parquet"])["auc"].as_f64().unwrap();
    assert!(auc < 0.05, "AUC {auc:.4} of a random start: the floor could not fail");
}

#[test]
fn the_preset_for_the_global_shape_keeps_more_of_it_and_the_neighbours_too() {
    let dir = dir();
    let preset =
        controls::presets::PRESETS.iter().find(|preset| preset.name == "global shape").expect("it is a preset");
    let spring = preset.over(&embedding::Settings::default(), 5620).spring.to_string();
    let kept = |spring: &str| {
        succeed(dir.path(), &["embed", "demo:", "--spring", spring, "--out", "out.parquet"]);
        let report = json(dir.path(), &["evaluate", "demo:", "out.parquet"]);
        let rnx = |k: usize| report["rnx"][k - 1][1].as_f64().unwrap();
        (rnx(10), rnx(1000), report["distance_correlation"].as_f64().unwrap())
    };
    let ((near, far, distances), (near_with, far_with, distances_with)) = (kept("0"), kept(&spring));
    assert!(near_with > 0.97 * near, "R_NX(10) falls from {near:.4} to {near_with:.4}");
    assert!(far_with > far - 0.005, "R_NX(1000) falls from {far:.4} to {far_with:.4}");
    assert!(distances_with > distances + 0.04, "correlation of distances: {distances:.4} and {distances_with:.4}");
}

#[test]
fn neighbours_are_found() {
    let dir = dir();
    let report = json(dir.path(), &["neighbours", "demo:", "--k", "32", "--out", "graph.parquet", "--recall"]);
    let recall = report["recall"].as_f64().unwrap();
    assert!(recall >= MIN_RECALL, "recall {recall:.4} is below {MIN_RECALL}");
}
