//! Changes between two iterations: nothing restarts, and each reaches every row with the next iteration.

use super::*;
use crate::squeeze::SQUEEZE;

/// What changes, and how.
type Change<'a> = (&'a str, &'a dyn Fn(&mut Settings));

const ROWS: usize = 600;

/// An embedding that is no longer young.
fn grown(settings: Settings) -> Engine {
    let mut engine =
        engine(blobs(6, ROWS, 12, 71), Settings { early_iterations: 20, start_projections: 4, ..settings });
    run(&mut engine, 80);
    engine
}

fn change(engine: &mut Engine, case: &str, with: impl Fn(&mut Settings)) {
    let before = (engine.statistics().iteration, engine.positions(), engine.dims());
    let mut settings = engine.settings.clone();
    with(&mut settings);
    engine.set_settings(settings.clone()).expect("settings are right");
    assert_eq!(engine.settings(), &settings, "{case}");
    assert_eq!(engine.statistics().iteration, before.0, "{case}: the count of iterations changed");
    let (kept, after) = (before.2.min(engine.dims()), engine.positions());
    for (row, (before, after)) in before.1.chunks_exact(before.2).zip(after.chunks_exact(engine.dims())).enumerate() {
        assert_eq!(before[..kept], after[..kept], "{case}: row {row} jumped");
    }
    check_invariants(engine, case);
    engine.step();
    assert_eq!(engine.statistics().iteration, before.0 + 1, "{case}");
    assert!(engine.positions() != after, "{case}: nothing moves");
    check_invariants(engine, case);
    assert_eq!(engine.pace().exaggeration, 1.0, "{case}: the embedding is young again");
}

#[test]
fn a_new_perplexity_reaches_every_row_with_the_next_iteration() {
    let mut engine = grown(Settings { hd_neighbours: Some(64), perplexity: 10.0, ..Settings::default() });
    for perplexity in [20.0, 4.0, 19.5, 10.0] {
        change(&mut engine, "perplexity", |settings| settings.perplexity = perplexity);
        check_perplexity(&engine, "after the change");
    }
}

#[test]
fn lists_follow_the_perplexity_and_fill_up() {
    let mut engine = grown(Settings { perplexity: 10.0, ..Settings::default() });
    for perplexity in [40.0, 6.0, 25.0] {
        change(&mut engine, "perplexity", |settings| settings.perplexity = perplexity);
        run(&mut engine, 200);
        let full = (0..ROWS).all(|point| engine.search.hd.neighbours(point).count() == engine.search.hd.k());
        assert!(full, "lists of {} are not full", engine.search.hd.k());
        engine.refreshed_at = None; // the affinities may lag behind the lists by design, not behind the setting
        engine.step();
        check_perplexity(&engine, "after the lists have followed");
    }
}

#[test]
fn a_new_metric_reaches_every_distance_and_width_with_the_next_iteration() {
    let mut engine = grown(Settings { hd_neighbours: Some(48), perplexity: 12.0, ..Settings::default() });
    for metric in Metric::ALL.into_iter().cycle().skip(1).take(7) {
        change(&mut engine, metric.name(), |settings| settings.metric = metric);
        check_perplexity(&engine, metric.name());
    }
}

#[test]
fn a_new_metric_leads_to_its_own_neighbours() {
    /// Share of the true neighbours of the new metric that must be found.
    const MIN_RECALL: f64 = 0.97;
    let vectors = blobs(6, ROWS, 12, 71);
    let mut engine = grown(Settings { hd_neighbours: Some(20), perplexity: 6.0, ..Settings::default() });
    let space = Space::new(vectors, Metric::Correlation);
    let recall = |engine: &Engine| quality::recall(&space, &engine.neighbours().0, 20, ROWS, 1, &|_, _| ());
    let before = recall(&engine);
    assert!(before < 0.9, "recall is {before} before the change: the metrics agree too much to tell");
    change(&mut engine, "metric", |settings| settings.metric = Metric::Correlation);
    run(&mut engine, 100);
    let after = recall(&engine);
    assert!(after >= MIN_RECALL, "recall is {after} after the change, below {MIN_RECALL}");
}

#[test]
fn every_other_setting_changes_without_a_restart() {
    let changes: [Change<'_>; 15] = [
        ("alpha 0.5", &|settings| settings.alpha = 0.5),
        ("alpha 1", &|settings| settings.alpha = 1.0),
        ("attraction", &|settings| settings.attraction = 2.0),
        ("repulsion", &|settings| settings.repulsion = 1.7),
        ("step", &|settings| settings.step = 0.3),
        ("momentum", &|settings| settings.momentum = 0.4),
        ("dims 3", &|settings| settings.dims = 3),
        ("dims 2", &|settings| settings.dims = 2),
        ("dims 5", &|settings| settings.dims = 5),
        ("dims 1", &|settings| settings.dims = 1),
        ("dims 4", &|settings| settings.dims = 4),
        ("ld_neighbours 40", &|settings| settings.ld_neighbours = 40),
        ("ld_neighbours 7", &|settings| settings.ld_neighbours = 7),
        ("hd_neighbours 90", &|settings| settings.hd_neighbours = Some(90)),
        ("hd_neighbours 19", &|settings| settings.hd_neighbours = Some(19)),
    ];
    let mut engine = grown(Settings::default());
    for (case, with) in changes {
        change(&mut engine, case, with);
        run(&mut engine, 10);
        check_invariants(&engine, case); // also while axes are leaving
        run(&mut engine, SQUEEZE - 11);
        assert_eq!(engine.dims(), engine.settings.dims, "{case}");
        check_invariants(&engine, case);
    }
}

#[test]
fn more_start_projections_do_not_restart_anything() {
    let mut engine = grown(Settings::default());
    change(&mut engine, "start_projections", |settings| settings.start_projections += 5);
}

#[test]
fn forces_obey_their_factors_at_once() {
    let moved = |with: &dyn Fn(&mut Settings)| {
        let mut engine = grown(Settings { momentum: 0.0, ..Settings::default() });
        let mut settings = engine.settings.clone();
        settings.step *= 0.01; // so short that none is limited, for which forces would not simply add up
        with(&mut settings);
        engine.set_settings(settings).expect("settings are right");
        let before = engine.descent.positions.clone();
        engine.step();
        let mut moves: Vec<f32> =
            engine.descent.positions.iter().zip(before).map(|(after, before)| after - before).collect();
        // The middle is drawn back to the origin whatever the forces.
        let mean = |axis: usize| moves.iter().skip(axis).step_by(2).sum::<f32>() / ROWS as f32;
        let means = [mean(0), mean(1)];
        moves.iter_mut().enumerate().for_each(|(at, value)| *value -= means[at % 2]);
        moves
    };
    let (normal, double) = (moved(&|_| ()), moved(&|settings| settings.step *= 2.0));
    let largest = normal.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    assert!(largest > 0.002, "{largest} is too short a move to tell");
    let off = |pairs: &mut dyn Iterator<Item = (f32, f32)>| pairs.fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
    let most = 1e-3 * largest + 1e-5;
    let factor = off(&mut normal.iter().map(|one| 2.0 * one).zip(double));
    assert!(factor < most, "twice the step is off by {factor}, moves are up to {largest}");
    let (push, pull) = (moved(&|settings| settings.attraction = 0.0), moved(&|settings| settings.repulsion = 0.0));
    let both = off(&mut push.iter().zip(&pull).map(|(push, pull)| push + pull).zip(normal.iter().copied()));
    assert!(both < most, "push and pull are off by {both}, moves are up to {largest}");
    assert!(moved(&|settings| settings.alpha = 0.5) != normal);
}

#[test]
fn a_setting_out_of_range_is_named_and_changes_nothing() {
    let wrong: [Change<'_>; 15] = [
        ("dims", &|settings| settings.dims = 0),
        ("perplexity", &|settings| settings.perplexity = 0.5),
        ("perplexity", &|settings| settings.perplexity = f32::NAN),
        ("alpha", &|settings| settings.alpha = 0.0),
        ("alpha", &|settings| settings.alpha = f32::NAN),
        ("attraction", &|settings| settings.attraction = -1.0),
        ("repulsion", &|settings| settings.repulsion = f32::INFINITY),
        ("step", &|settings| settings.step = 0.0),
        ("momentum", &|settings| settings.momentum = 1.0),
        ("momentum", &|settings| settings.momentum = f32::NAN),
        ("early_exaggeration", &|settings| settings.early_exaggeration = 0.9),
        ("hd_neighbours", &|settings| settings.hd_neighbours = Some(0)),
        ("ld_neighbours", &|settings| settings.ld_neighbours = 257),
        ("far_samples", &|settings| settings.far_samples = 0),
        ("far_samples", &|settings| settings.far_samples = 70_000),
    ];
    let (mut asked, mut quiet) = (grown(Settings::default()), grown(Settings::default()));
    for (name, with) in wrong {
        let mut settings = Settings { metric: Metric::Cosine, dims: 3, ..asked.settings.clone() };
        with(&mut settings);
        let refused = asked.set_settings(settings.clone()).expect_err("the setting is out of range");
        assert!(refused.to_string().starts_with(&format!("{name} is ")), "{refused}");
        let refused = Engine::new(blobs(2, 20, 3, 1), settings).expect_err("the setting is out of range");
        assert!(refused.to_string().starts_with(&format!("{name} is ")), "{refused}");
        assert_eq!(asked.settings(), quiet.settings());
    }
    run(&mut asked, 3);
    run(&mut quiet, 3);
    assert!(asked.positions() == quiet.positions(), "a refused setting left a trace");
}

#[test]
fn without_forces_nothing_moves_and_the_search_goes_on() {
    let still = Settings {
        attraction: 0.0,
        repulsion: 0.0,
        start_projections: 1,
        followed_neighbours: 1,
        hd_neighbours: Some(32),
        ..Settings::default()
    };
    let mut engine = engine(blobs(6, ROWS, 12, 71), still);
    run(&mut engine, 5);
    let (positions, neighbours, passes) = (engine.positions(), engine.neighbours().1, engine.passes());
    run(&mut engine, 20);
    assert_eq!(engine.positions(), positions);
    assert!(engine.passes() > passes, "{passes} passes");
    let sum = |distances: &[f32]| distances.iter().map(|&distance| f64::from(distance)).sum::<f64>();
    assert!(sum(&engine.neighbours().1) < sum(&neighbours), "nearer rows are found");
}
