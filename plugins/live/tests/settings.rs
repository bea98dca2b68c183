//! Settings that change while it runs.

use crate::support::*;
use embedding::Settings;
use std::time::{Duration, Instant};
use vectors::Metric;

const ROWS: usize = 400;
/// A change must be seen by then; it takes two polls where nobody else wants the cores.
const SOON: Duration = Duration::from_secs(3);

type Change = (&'static str, fn(&mut Settings));

const CHANGES: [Change; 22] = [
    ("perplexity up", |settings| settings.perplexity = 60.0),
    ("perplexity down", |settings| settings.perplexity = 5.0),
    ("cosine", |settings| settings.metric = Metric::Cosine),
    ("manhattan", |settings| settings.metric = Metric::Manhattan),
    ("correlation", |settings| settings.metric = Metric::Correlation),
    ("euclidean", |settings| settings.metric = Metric::Euclidean),
    ("alpha", |settings| settings.alpha = 0.6),
    ("attraction", |settings| settings.attraction = 1.5),
    ("repulsion", |settings| settings.repulsion = 1.7),
    ("spring", |settings| settings.spring = 0.3),
    ("no spring", |settings| settings.spring = 0.0),
    ("step", |settings| settings.step = 0.4),
    ("momentum", |settings| settings.momentum = 0.5),
    ("exaggeration", |settings| settings.early_exaggeration = 4.0),
    ("early iterations", |settings| settings.early_iterations = 7),
    ("3-D", |settings| settings.dims = 3),
    ("2-D", |settings| settings.dims = 2),
    ("5-D", |settings| settings.dims = 5),
    ("opening", |settings| settings.opening = 0.4),
    ("far samples", |settings| settings.far_samples = 300),
    ("longer lists", |settings| settings.ld_neighbours = 40),
    ("seed", |settings| settings.seed = 1),
];

#[test]
fn every_setting_is_soon_in_force_and_nothing_restarts() {
    let mut native = Native::running(blobs(ROWS, 8), quick());
    native.until_iteration(60);
    let mut latest = native.iteration();
    for (name, change) in CHANGES {
        let mut wanted = native.live.settings().clone();
        change(&mut wanted);
        assert!(wanted != *native.live.settings(), "{name}: nothing changes");
        native.live.set_settings(wanted.clone()).unwrap();
        assert_eq!(*native.live.settings(), wanted, "{name}");
        let begun = Instant::now();
        while native.snapshot().settings != wanted {
            assert!(begun.elapsed() < SOON, "{name} is not in force after {SOON:?}");
            std::thread::sleep(FRAME);
            native.live.poll(None);
            assert!(native.iteration() >= latest, "{name}: back from {latest} to {}", native.iteration());
            latest = native.iteration();
        }
        native.until("the dimensions", |live| of(live).dims == wanted.dims); // axes that leave are squeezed out first
        latest = native.iteration();
        let snapshot = native.snapshot();
        assert_eq!((snapshot.dims, snapshot.positions.len()), (wanted.dims, ROWS * snapshot.stride), "{name}");
        assert!(snapshot.positions.iter().all(|value| value.is_finite()), "{name}");
        native.until_iteration(latest + 3);
        let moved = native.snapshot();
        assert!(moved.positions != snapshot.positions, "{name}: nothing moves any more");
        latest = native.iteration();
    }
    assert_eq!(native.live.take_error(), None);
}

#[test]
fn settings_reach_an_embedding_that_is_paused() {
    let mut native = Native::paused(job(blobs(ROWS, 8), quick()));
    let wanted = Settings { dims: 3, perplexity: 20.0, ..quick() };
    native.live.set_settings(wanted.clone()).unwrap();
    native.until("the settings", |live| of(live).settings == wanted);
    assert_eq!((native.iteration(), native.snapshot().dims), (0, 3));
    // Axes leave it, too, although nothing else moves.
    native.live.set_settings(quick()).unwrap();
    native.until("two dimensions", |live| of(live).dims == quick().dims);
    assert_eq!(native.iteration(), 0);
}

#[test]
fn settings_out_of_range_are_refused_and_nothing_changes() {
    const WRONG: [Change; 8] = [
        ("perplexity", |settings| settings.perplexity = 0.0),
        ("alpha", |settings| settings.alpha = -1.0),
        ("attraction", |settings| settings.attraction = f32::NAN),
        ("repulsion", |settings| settings.repulsion = -0.1),
        ("spring", |settings| settings.spring = 1.5),
        ("step", |settings| settings.step = 0.0),
        ("momentum", |settings| settings.momentum = 1.0),
        ("dims", |settings| settings.dims = 0),
    ];
    let mut native = Native::running(blobs(ROWS, 8), quick());
    for (name, change) in WRONG {
        let mut wanted = Settings { metric: Metric::Cosine, ..quick() }; // what is right beside it must not slip in
        change(&mut wanted);
        let refused = native.live.set_settings(wanted).expect_err("out of range").to_string();
        assert!(refused.starts_with(&format!("{name} is ")), "{refused}");
        assert_eq!(*native.live.settings(), quick());
    }
    let from = native.iteration();
    native.until_iteration(from + 20);
    assert_eq!((&native.snapshot().settings, native.live.take_error()), (&quick(), None));
}
