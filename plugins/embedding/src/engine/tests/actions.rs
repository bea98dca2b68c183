//! Implode, explode, settle, reset, other data, given starts.

use super::*;
use crate::settings::Init;

type Burst = fn(&mut Engine);
type Wake<'a> = (&'a str, &'a dyn Fn(&mut Engine));

const ROWS: usize = 400;
/// How much an implosion or explosion scales the embedding.
const SCALE: f32 = 1000.0;
/// Motion of an embedding that is alive, also of one a thousand times as large.
const AWAKE: f32 = 1e-6;

fn grown(settings: Settings) -> Engine {
    let mut engine =
        engine(blobs(5, ROWS, 10, 81), Settings { early_iterations: 20, start_projections: 3, ..settings });
    run(&mut engine, 100);
    engine
}

/// Root mean square of the moves of one iteration, as a share of the size.
fn motion(engine: &mut Engine) -> f32 {
    let before = engine.positions();
    engine.step();
    let after = engine.positions();
    let squares: f32 = after.iter().zip(&before).map(|(a, b)| (a - b).powi(2)).sum();
    (squares / engine.rows() as f32).sqrt() / engine.statistics().size
}

/// Correlation of two rows of numbers.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product =
        |x: &[f64], mx: f64, y: &[f64], my: f64| -> f64 { x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum() };
    product(a, mean_a, b, mean_b) / (product(a, mean_a, a, mean_a) * product(b, mean_b, b, mean_b)).sqrt()
}

/// All distances of pairs.
fn distances(values: &[f32], dims: usize) -> Vec<f64> {
    let rows: Vec<&[f32]> = values.chunks_exact(dims).collect();
    let distance = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt();
    (1..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| distance(rows[i], rows[j])).collect()
}

#[test]
fn implode_and_explode_scale_every_position_and_stop_every_move() {
    for (factor, burst) in [(1.0 / SCALE, Engine::implode as Burst), (SCALE, Engine::explode)] {
        let mut engine = grown(Settings::default());
        let (before, size, iteration) = (engine.positions(), engine.statistics().size, engine.statistics().iteration);
        burst(&mut engine);
        for (before, after) in before.iter().zip(engine.positions()) {
            assert!((after - before * factor).abs() <= 1e-6 * (before * factor).abs(), "{before} became {after}");
        }
        assert!((engine.statistics().size / (size * factor) - 1.0).abs() < 1e-4);
        assert_eq!(engine.statistics().iteration, iteration);
        check_invariants(&engine, "burst");
        assert_eq!(engine.pace().annealed, 1.0);
    }
}

#[test]
fn an_implosion_is_overcome() {
    let mut engine = grown(Settings::default());
    let size = engine.statistics().size;
    engine.implode();
    run(&mut engine, 200);
    let after = engine.statistics().size;
    assert!(after > 0.3 * size, "the size is {after} after an implosion, {size} before");
    check_invariants(&engine, "after an implosion");
}

/// Lets an embedding of so many rows explode and implode again, and checks that it goes on. (In between it is too
/// large for its own forces: moves of 1/size are lost in the rounding of positions.)
fn explode(rows: usize, dims: usize) {
    let settings = Settings { dims, early_iterations: 20, start_projections: 3, ..Settings::default() };
    let mut engine = engine(blobs(5, rows, 10, 81), settings);
    run(&mut engine, 100);
    let case = format!("{rows} rows in {dims}-D");
    let check = |engine: &Engine| {
        let statistics = engine.statistics();
        check_invariants(engine, &case);
        assert_eq!(statistics.quarantined_row, None, "{case}");
        assert!(statistics.z > 0.0, "{case}: Z is {}", statistics.z);
    };
    engine.explode();
    run(&mut engine, 30);
    check(&engine);
    engine.implode();
    run(&mut engine, 30);
    check(&engine);
    assert!(rows == 2 || motion(&mut engine) > AWAKE, "{case}: nothing moves any more");
}

#[test]
fn an_explosion_breaks_nothing() {
    explode(60, 5);
    explode(ROWS, 5);
}

#[test]
fn an_explosion_breaks_nothing_where_the_push_is_summed_over_all() {
    for rows in [2, 60, ROWS] {
        for dims in [1, 2, 3] {
            explode(rows, dims);
        }
    }
}

#[test]
fn bursts_without_end_can_be_undone() {
    let bursts: [Burst; 2] = [Engine::explode, Engine::implode];
    for [there, back] in [bursts, [bursts[1], bursts[0]]] {
        let mut engine = grown(Settings::default());
        (0..20).for_each(|_| there(&mut engine));
        run(&mut engine, 3);
        check_invariants(&engine, "after many bursts");
        (0..20).for_each(|_| back(&mut engine));
        run(&mut engine, 50);
        check_invariants(&engine, "after as many the other way");
        assert!(engine.statistics().size > 0.0, "everything is in one place for ever");
        assert_eq!(engine.statistics().quarantined_row, None);
    }
}

#[test]
fn settle_lets_motion_die_and_any_change_wakes_it() {
    /// Motion of an embedding that has settled.
    const ASLEEP: f32 = 1e-9;
    let wake: [Wake<'_>; 4] = [
        ("implode", &|engine| engine.implode()),
        ("explode", &|engine| engine.explode()),
        ("reset", &|engine| engine.reset()),
        ("settings", &|engine| {
            let settings = Settings { alpha: 0.6, ..engine.settings.clone() };
            engine.set_settings(settings).expect("settings are right");
        }),
    ];
    for (name, wake) in wake {
        let mut engine = grown(Settings::default());
        assert!(motion(&mut engine) > AWAKE, "the embedding does not move anyway");
        engine.settle(30);
        assert_eq!(engine.pace().annealed, 1.0);
        run(&mut engine, 15);
        assert_eq!(engine.pace().annealed, 0.5);
        run(&mut engine, 15);
        assert_eq!(engine.pace().annealed, 0.0);
        run(&mut engine, 500); // momentum fades
        let still = motion(&mut engine);
        assert!(still < ASLEEP, "moves are {still} of the size after settling, more than {ASLEEP}");
        wake(&mut engine);
        run(&mut engine, 3);
        let awake = motion(&mut engine);
        assert!(awake > AWAKE, "{name} leaves motion at {awake}, below {AWAKE}");
    }
}

#[test]
fn reset_keeps_the_neighbours_and_starts_anew() {
    for init in [Init::Pca, Init::Random] {
        let mut engine = grown(Settings { init, ..Settings::default() });
        let (neighbours, iteration, old) = (engine.neighbours(), engine.statistics().iteration, engine.positions());
        let fresh = super::engine(blobs(5, ROWS, 10, 81), engine.settings.clone());
        engine.reset();
        assert!(engine.neighbours() == neighbours, "the neighbours found so far are lost");
        assert_eq!(engine.statistics().iteration, iteration);
        assert!(engine.positions() != old);
        assert!(engine.positions() == fresh.positions(), "{init:?}: not the start of these settings");
        check_invariants(&engine, "after a reset");
        assert!(engine.pace().exaggeration > 1.0, "a reset embedding is young");
        run(&mut engine, 100);
        check_invariants(&engine, "some time after a reset");
    }
    let mut engine = grown(Settings::default());
    let settings = Settings { seed: 43, init: Init::Random, ..engine.settings.clone() };
    engine.set_settings(settings.clone()).expect("settings are right");
    engine.reset();
    let settings = Settings { seed: 44, ..settings };
    let first = engine.positions();
    engine.set_settings(settings).expect("settings are right");
    engine.reset();
    assert!(engine.positions() != first, "a new seed starts where the old one did");
}

#[test]
fn other_data_replaces_the_data_unless_there_is_too_little() {
    let mut engine = grown(Settings { dims: 3, ..Settings::default() });
    let before = (engine.positions(), engine.neighbours(), engine.statistics());
    let refused = engine.replace_data(Vectors::zeros(1, 4));
    assert_eq!(refused, Err(EngineError::TooFewRows { rows: 1 }));
    assert_eq!((engine.positions(), engine.neighbours(), engine.statistics()), before);
    run(&mut engine, 2);
    let settings = engine.settings.clone();
    engine.replace_data(blobs(3, 150, 6, 82)).expect("there is enough");
    assert_eq!((engine.rows(), engine.settings(), engine.statistics().iteration), (150, &settings, 0));
    run(&mut engine, 60);
    check_invariants(&engine, "after other data");
}

#[test]
fn a_given_start_keeps_its_arrangement() {
    /// Correlation of the distances of all pairs, given and at the start.
    const MIN_CORRELATION: f64 = 0.9999;
    let coordinates = blobs(4, ROWS, 2, 83);
    let given: Vec<f32> = (0..ROWS).flat_map(|row| coordinates.row(row).to_vec()).collect();
    let start = |dims| {
        let settings = Settings { dims, ..Settings::default() };
        Engine::with_start(blobs(5, ROWS, 10, 81), settings, &coordinates).expect("rows match")
    };
    let kept = correlation(&distances(&given, 2), &distances(&start(2).positions(), 2));
    assert!(kept > MIN_CORRELATION, "the start keeps {kept} of the distances, below {MIN_CORRELATION}");
    let other = engine(blobs(5, ROWS, 10, 81), Settings::default()).positions();
    let other = correlation(&distances(&given, 2), &distances(&other, 2));
    assert!(other < 0.9, "any start agrees with the given one: {other}");
    // Axes that are missing open with little noise, axes too many are dropped.
    let three = start(3);
    assert!(correlation(&distances(&given, 2), &distances(&three.positions(), 3)) > 0.98);
    let line: Vec<f32> = (0..ROWS).map(|row| coordinates.row(row)[0]).collect();
    assert!(correlation(&distances(&line, 1), &distances(&start(1).positions(), 1)) > MIN_CORRELATION);
    let mut engine = start(2);
    run(&mut engine, 50);
    check_invariants(&engine, "from a given start");
}

#[test]
fn a_start_of_other_length_is_refused() {
    let refused = Engine::with_start(blobs(2, 20, 3, 84), Settings::default(), &Vectors::zeros(19, 2)).map(|_| ());
    assert_eq!(refused, Err(EngineError::StartRows { start: 19, rows: 20 }));
    assert_eq!(EngineError::StartRows { start: 19, rows: 20 }.to_string(), "the start has 19 rows, the data 20");
}

#[test]
fn a_start_that_is_not_finite_spoils_no_other_row() {
    let mut coordinates = blobs(4, ROWS, 2, 83);
    coordinates.row_mut(7)[1] = f32::NAN;
    // Refusing it would be as good.
    if let Ok(mut engine) = Engine::with_start(blobs(5, ROWS, 10, 81), Settings::default(), &coordinates) {
        run(&mut engine, 30);
        check_invariants(&engine, "a start with a NaN");
    }
}
