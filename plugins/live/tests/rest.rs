//! A map that has come to rest: it stops by itself, says so, and any change wakes it.

use crate::support::*;
use embedding::Settings;
use live::{Action, Activity, Change, LiveEmbedding};
use vectors::Vectors;

const ROWS: usize = 300;

/// A map that has come to rest.
fn settled() -> Native {
    let mut native = Native::running(blobs(ROWS, 8), quick());
    native.until("rest", |live| live.activity() == Activity::Settled);
    native
}

#[test]
fn a_map_at_rest_stops_and_says_so() {
    let mut native = settled();
    let (iteration, positions) = (native.iteration(), native.snapshot().positions.clone());
    assert!(native.look_on().iter().all(|&seen| seen == iteration), "it goes on although nothing moves");
    let snapshot = native.snapshot();
    assert!(snapshot.positions == positions && snapshot.settled && snapshot.rate == 0.0);
    // It is what it would be anyway: further iterations leave the arrangement, which grows a little for ever.
    native.live.set_paused(true);
    native.until("a pause", |live| !of(live).settled);
    let before = native.snapshot();
    (0..300).for_each(|_| native.live.step_once(None));
    native.until_iteration(iteration + 300);
    let after = native.snapshot();
    let grown = after.statistics.size / before.statistics.size;
    let same = |(a, b): (&f32, &f32)| (a * grown - b).powi(2);
    let squares: f32 = before.positions.iter().zip(after.positions.iter()).map(same).sum();
    let moved = (squares / ROWS as f32).sqrt() / after.statistics.size;
    assert!(moved < 5e-3 && grown < 1.05, "it moves on by {moved} of its size, and grows by {grown}");
    assert_eq!(native.live.activity(), Activity::Paused, "who pauses a map that rests has paused it");
}

#[test]
fn every_kind_of_change_wakes_it() {
    type Wake = (&'static str, fn(&mut LiveEmbedding));
    const WAKE: [Wake; 8] = [
        ("a setting", |live| live.set_settings(Settings { repulsion: 1.4, ..live.settings().clone() }).unwrap()),
        ("an implosion", |live| live.act(Action::Implode)),
        ("a reset", |live| live.act(Action::Reset)),
        ("settling", |live| live.act(Action::Settle(50))),
        ("a pin", |live| live.pin(vec![3], true)),
        ("a row that leaves", |live| live.change(Change { version: 1, departed: vec![7], ..Change::default() })),
        ("other data of a row", |live| {
            let updated = (vec![9], Vectors::from_rows(&[4.0; 8], 8));
            live.change(Change { version: 2, updated, ..Change::default() });
        }),
        ("going on after a pause", |live| {
            live.set_paused(true);
            live.set_paused(false);
        }),
    ];
    let mut native = settled();
    for (name, wake) in WAKE {
        let iteration = native.iteration();
        wake(&mut native.live);
        native.until(name, |live| of(live).statistics.iteration > iteration + 20);
        assert_eq!(native.live.take_error(), None, "{name}");
        native.until("rest", |live| live.activity() == Activity::Settled);
    }
}

#[test]
fn a_chosen_pace_rests_too() {
    let mut native = settled();
    native.live.set_iterations_per_frame(Some(2));
    native.until("motion", |live| !of(live).settled);
    native.until("rest at another pace", |live| live.activity() == Activity::Settled);
    let iteration = native.look_on().last().copied();
    assert_eq!(native.look_on().last().copied(), iteration);
    native.live.act(Action::Explode);
    native.until_iteration(iteration.unwrap() + 50);
}
