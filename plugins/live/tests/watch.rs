//! The quality that is measured beside the run.

use crate::support::*;
use embedding::{Init, Settings};
use live::{Action, Change, QualityWatch, TrustKind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vectors::Vectors;

const ROWS: usize = 400;
const OTHER_ROWS: usize = 600;
/// An arrangement at random has an area of about nothing.
const RANDOM_AUC: f64 = 0.1;
/// The area must rise by this much until the blobs stand apart.
const RISE: f64 = 0.2;
/// Iterations after which they do.
const SETTLED: u32 = 400;
/// Longer than the watch rests.
const A_WHILE: Duration = Duration::from_millis(1300);

/// Paused at a random arrangement, which has no quality.
fn at_random(rows: usize) -> Native {
    Native::paused(job(blobs(rows, 8), Settings { init: Init::Random, ..quick() }))
}

fn until(native: &mut Native, watch: &mut QualityWatch, what: &str, is_so: impl Fn(&QualityWatch) -> bool) {
    let begun = Instant::now();
    while !is_so(watch) {
        assert!(begun.elapsed() < DEADLINE, "{what} is not there after {DEADLINE:?}");
        std::thread::sleep(FRAME);
        native.live.poll(None);
        watch.poll(native.live.snapshot());
    }
}

fn look_on(native: &mut Native, watch: &mut QualityWatch) {
    let begun = Instant::now();
    while begun.elapsed() < A_WHILE {
        std::thread::sleep(FRAME);
        native.live.poll(None);
        watch.poll(native.live.snapshot());
    }
}

#[test]
fn the_curve_rises_as_order_forms_and_follows_other_data() {
    let mut native = at_random(ROWS);
    let mut watch = QualityWatch::default();
    assert!(!watch.poll(None) && watch.curve().is_none());
    until(&mut native, &mut watch, "a curve", |watch| watch.curve().is_some());
    let start = watch.curve().unwrap().clone();
    assert_eq!(start.iteration, 0);
    assert!(start.curve.auc.abs() < RANDOM_AUC, "{}", start.curve.auc);
    assert!(!start.curve.rnx.is_empty() && start.curve.queries > 0);
    native.live.set_paused(false);
    until(&mut native, &mut watch, "a late curve", |watch| watch.curve().unwrap().iteration >= SETTLED);
    let late = watch.curve().unwrap().curve.auc;
    assert!(late > start.curve.auc + RISE, "from {} to {late}", start.curve.auc);
    let history = watch.history().to_vec();
    assert_eq!(history.first(), Some(&(0, start.curve.auc)));
    assert!(history.windows(2).all(|pair| pair[0].0 < pair[1].0), "{history:?}");

    native.live.begin(job(blobs(OTHER_ROWS, 5), Settings { init: Init::Random, ..quick() }));
    native.live.set_paused(true);
    native.until("other data", |live| of(live).data.points() == OTHER_ROWS);
    watch.poll(native.live.snapshot());
    assert!(watch.curve().is_none() && watch.history().is_empty(), "a curve of data that is gone");
    until(&mut native, &mut watch, "a curve of the other data", |watch| watch.curve().is_some());
    let other = watch.curve().unwrap();
    assert!(other.iteration == 0 && other.curve.auc.abs() < RANDOM_AUC, "{other:?}");
}

#[test]
fn trust_of_both_kinds_is_in_its_range_and_rises_with_order() {
    let kinds = [(TrustKind::NeighbourhoodKept, 0.0, 0.2), (TrustKind::DistanceCorrelation, -1.0, 0.3)];
    let mut native = at_random(ROWS);
    native.live.want_lists(true);
    let mut watch = QualityWatch::default();
    let mut mean = |native: &mut Native, kind: TrustKind, least: f32, from: u32| {
        watch.wanted_trust = Some(kind);
        until(native, &mut watch, "trust", |watch| watch.trust().is_some_and(|trust| trust.iteration >= from));
        let trust = watch.trust().unwrap();
        assert_eq!((trust.kind, trust.values.len()), (kind, ROWS));
        assert!(trust.values.iter().all(|value| (least..=1.0).contains(value)), "{kind:?}: {:?}", trust.values);
        trust.values.iter().map(|&value| f64::from(value)).sum::<f64>() / ROWS as f64
    };
    // Nothing moves in the first iterations, but lists of neighbours are found.
    (0..8).for_each(|_| native.step());
    let before = kinds.map(|(kind, least, _)| mean(&mut native, kind, least, 0));
    native.live.set_paused(false);
    native.until_iteration(SETTLED);
    for ((kind, least, rise), before) in kinds.into_iter().zip(before) {
        let after = mean(&mut native, kind, least, SETTLED);
        assert!(after > before + rise, "{kind:?}: from {before} to {after}");
    }
    watch.wanted_trust = None;
    assert!(watch.trust().is_none());
}

#[test]
fn nothing_is_measured_while_it_is_switched_off() {
    let mut native = Native::running(blobs(ROWS, 8), quick());
    let mut watch = QualityWatch::default();
    until(&mut native, &mut watch, "a second curve", |watch| watch.history().len() >= 2);
    watch.enabled = false;
    look_on(&mut native, &mut watch); // what was under way
    native.live.act(Action::Reset); // it may have come to rest
    let (measured, iteration) = (watch.history().len(), native.iteration());
    look_on(&mut native, &mut watch);
    assert!(native.iteration() > iteration);
    assert_eq!(watch.history().len(), measured);
    watch.enabled = true;
    until(&mut native, &mut watch, "another curve", |watch| watch.history().len() > measured);
}

#[test]
fn a_moment_that_was_measured_is_not_measured_again() {
    let mut native = at_random(ROWS);
    let mut watch = QualityWatch::default();
    until(&mut native, &mut watch, "a curve", |watch| watch.curve().is_some());
    look_on(&mut native, &mut watch);
    assert_eq!(watch.history().len(), 1);
    native.step();
    until(&mut native, &mut watch, "the next", |watch| watch.history().len() == 2);
    assert!(Arc::strong_count(&native.snapshot().data) > 1);
}

#[test]
fn rows_that_come_and_go_all_the_time_do_not_keep_the_curve_from_being_measured() {
    let vectors = blobs(ROWS, 8);
    let mut native = Native::running(vectors.clone(), quick());
    let mut watch = QualityWatch::default();
    until(&mut native, &mut watch, "a curve", |watch| watch.curve().is_some());
    let (measured, begun) = (watch.history().len(), Instant::now());
    let mut version = 0;
    while watch.history().len() < measured + 2 {
        assert!(begun.elapsed() < DEADLINE, "no curve while rows come and go");
        // In every frame one row leaves, or comes back.
        if of(&native.live).data.version == version {
            version += 1;
            let row = ((version - 1) / 2) as u32 % ROWS as u32;
            let data = Vectors::from_rows(vectors.row(row as usize), vectors.dims());
            let (departed, arrived) = match version % 2 {
                1 => (vec![row], Default::default()),
                _ => (Vec::new(), (vec![row], data)),
            };
            native.live.change(Change { version, departed, arrived, ..Change::default() });
        }
        std::thread::sleep(FRAME);
        native.live.poll(None);
        watch.poll(native.live.snapshot());
        assert!(watch.curve().is_some(), "the curve is forgotten");
    }
    assert!(version > 4, "{version} changes only");
}
