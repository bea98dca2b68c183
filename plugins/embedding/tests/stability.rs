//! A map at every setting: whatever the tails and the balance of the forces, and from wherever back to the defaults.

use crate::support::data;
use embedding::cpu::lanes::Tail;
use embedding::{Engine, Settings};
use quality::{EvaluateOptions, evaluate};
use vectors::{Metric, Space, Vectors};

const ROWS: usize = 1500;
const ITERATIONS: u32 = 150;
const WALKS: u32 = 4;
/// R_NX(10), as a share of what the same run keeps with all pairs summed.
const MIN_SHARE: f64 = 0.9;
/// Largest error of Z.
const Z_ERROR: f64 = 0.2;
/// What walks through the settings may cost, in AUC, on average, …
const LOST: f64 = 0.01;
/// … and one of them, as so few rows scatter.
const MOST_LOST: f64 = 0.02;
/// Root mean square distance from the centre, where lengths grow with √N and with √α.
const LARGEST: f32 = 12.0;

fn run(engine: &mut Engine, iterations: u32) {
    let settle = iterations * 3 / 10;
    (0..iterations - settle).for_each(|_| engine.step());
    engine.settle(settle);
    (0..settle).for_each(|_| engine.step());
}

/// R_NX(10), and the area under the curve.
fn kept(engine: &Engine, hd: &Space) -> (f64, f64) {
    let ld = Space::new(Vectors::from_rows(&engine.positions(), engine.dims()), Metric::Euclidean);
    let curve = evaluate(hd, &ld, &EvaluateOptions { queries: ROWS, ..EvaluateOptions::default() }, &|_, _| ());
    let curve = curve.expect("positions are finite");
    (curve.rnx[9].1, curve.auc)
}

fn exact_z(positions: &[f32], dims: usize, tail: Tail) -> f64 {
    let rows = || positions.chunks_exact(dims).enumerate();
    let weight = |a: &[f32], b: &[f32]| {
        let squared: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum();
        (1.0 + squared / f64::from(tail.alpha)).powf(-f64::from(tail.alpha))
    };
    rows().flat_map(|(i, a)| rows().filter(move |(j, _)| i != *j).map(move |(_, b)| weight(a, b))).sum()
}

#[test]
fn every_tail_and_balance_of_forces_makes_a_map() {
    let (vectors, _) = data::blobs(8, ROWS, 12, 2.0, 51);
    let hd = Space::new(vectors.clone(), Metric::Euclidean);
    for (dims, alpha, repulsion) in
        [(2, 0.05, 1.0), (2, 0.3, 3.0), (2, 1.0, 10.0), (2, 3.0, 1.0), (3, 1.0, 1.0), (2, 100.0, 1.0)]
    {
        let case = format!("{dims}-D, α {alpha}, repulsion {repulsion}");
        let usual = Settings::for_rows(ROWS);
        let settings =
            Settings { dims, alpha, repulsion, early_iterations: usual.early_iterations.min(ITERATIONS / 3), ..usual };
        let made = |opening: f32| {
            let settings = Settings { opening, ..settings.clone() };
            let mut engine = Engine::new(vectors.clone(), settings).expect("settings are right");
            run(&mut engine, ITERATIONS);
            engine
        };
        let engine = made(settings.opening);
        let positions = engine.positions();
        assert!(positions.iter().all(|value| value.is_finite()), "{case}");
        let statistics = engine.statistics();
        let size = statistics.size / (ROWS as f32 * alpha.max(1.0)).sqrt();
        assert!(size < LARGEST, "{case}: size {size}");
        let z = statistics.z / exact_z(&positions, dims, Tail { alpha });
        assert!((z - 1.0).abs() < Z_ERROR, "{case}: Z is {z} of the exact one");
        let (kept, exact) = (kept(&engine, &hd).0, kept(&made(0.0), &hd).0);
        assert!(kept >= MIN_SHARE * exact, "{case}: R_NX(10) is {kept}, with all pairs {exact}");
    }
}

#[test]
fn a_walk_through_the_settings_leads_back_to_a_map_without_strays() {
    let (vectors, _) = data::blobs(8, ROWS, 12, 2.0, 52);
    let hd = Space::new(vectors.clone(), Metric::Euclidean);
    let usual = Settings::for_rows(ROWS);
    let started = || Engine::new(vectors.clone(), usual.clone()).expect("settings are right");
    let mut fresh = started();
    run(&mut fresh, 400);
    let fresh = kept(&fresh, &hd).1;
    let mut lost = 0.0;
    for walk in 0..WALKS {
        let mut engine = started();
        let mut case = format!("walk {walk}");
        for step in 0..6 {
            let draw = |of: usize, kind: u32| embedding::random::hash(walk, step, kind, 0) as usize % of;
            let settings = Settings {
                alpha: [0.05, 0.3, 1.0, 3.0, 10.0, 100.0][draw(6, 0)],
                repulsion: [0.1, 0.3, 1.0, 3.0, 10.0][draw(5, 1)],
                attraction: [0.3, 1.0, 3.0][draw(3, 2)],
                perplexity: [5.0, 30.0, 80.0][draw(3, 3)],
                ..usual.clone()
            };
            case += &format!(", α {} repulsion {}", settings.alpha, settings.repulsion);
            engine.set_settings(settings).expect("settings are right");
            (0..40).for_each(|_| engine.step());
        }
        engine.set_settings(usual.clone()).expect("settings are right");
        run(&mut engine, 400);
        let auc = kept(&engine, &hd).1;
        assert!(auc > fresh - MOST_LOST, "{case}: AUC {auc}, of a fresh run {fresh}");
        lost += (fresh - auc) / f64::from(WALKS);
        let positions = engine.positions();
        let mut radii: Vec<f32> = positions.chunks_exact(2).map(|p| p[0].hypot(p[1])).collect();
        radii.sort_by(f32::total_cmp);
        let (most, last) = (radii[ROWS * 99 / 100], radii[ROWS - 1]);
        assert!(last < 3.0 * most, "{case}: a point lies {last} from the middle, 99 % within {most}");
    }
    assert!(lost < LOST, "AUC falls by {lost} from that of a fresh run, {fresh}");
}
