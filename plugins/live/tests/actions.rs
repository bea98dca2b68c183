//! What one can do to an embedding beside changing its settings.

use crate::support::*;
use embedding::Settings;
use live::{Action, Activity};

const ROWS: usize = 300;
/// How much an implosion or explosion scales the embedding.
const BURST: f32 = 1000.0;
/// Relative error of a size that was scaled.
const SCALE_ERROR: f32 = 1e-3;

/// Grown for a while, and paused; its first positions, too.
fn grown() -> (Native, Vec<f32>) {
    let mut native = Native::paused(job(blobs(ROWS, 8), quick()));
    let start = native.snapshot().positions_by_row();
    native.live.set_paused(false);
    native.until_iteration(150);
    native.pause();
    (native, start)
}

#[test]
fn bursts_scale_the_embedding_also_while_it_is_paused() {
    let (mut native, _) = grown();
    let (size, iteration) = (native.size(), native.iteration());
    let near = |found: f32, wanted: f32| (found / wanted - 1.0).abs() < SCALE_ERROR;
    native.live.act(Action::Implode);
    native.until("an implosion", |live| near(of(live).statistics.size, size / BURST));
    native.live.act(Action::Explode);
    native.until("the size before", |live| near(of(live).statistics.size, size));
    native.live.act(Action::Explode);
    native.until("an explosion", |live| near(of(live).statistics.size, size * BURST));
    assert_eq!(native.iteration(), iteration);
}

#[test]
fn an_implosion_is_overcome_while_it_runs() {
    let (mut native, _) = grown();
    let size = native.size();
    native.live.act(Action::Implode);
    native.until("an implosion", |live| of(live).statistics.size < 0.01 * size);
    native.live.set_paused(false);
    native.until("order anew", |live| of(live).statistics.size > 0.3 * size);
}

#[test]
fn a_reset_goes_back_to_the_start_and_the_count_goes_on() {
    let (mut native, start) = grown();
    let iteration = native.iteration();
    assert!(native.snapshot().positions_by_row() != start);
    native.live.act(Action::Reset);
    native.until("the start", |live| of(live).positions_by_row() == start);
    assert_eq!(native.iteration(), iteration);
    // Another seed, another start.
    native.live.set_settings(Settings { seed: 5, init: embedding::Init::Random, ..quick() }).unwrap();
    native.live.act(Action::Reset);
    native.until("another start", |live| of(live).settings.seed == 5 && of(live).positions_by_row() != start);
    native.live.set_paused(false);
    native.until_iteration(iteration + 50);
    native.until("growth", |live| of(live).statistics.size > 0.1);
}

#[test]
fn settling_lets_motion_die_and_a_change_wakes_it() {
    /// Motion of an embedding that has settled, and of one that is alive, as a share of its size.
    const ASLEEP: f32 = 1e-9;
    const AWAKE: f32 = 1e-6;
    const OVER: u32 = 40;
    let (mut native, _) = grown();
    let moves = |native: &mut Native| {
        let before = native.snapshot();
        native.step();
        motion(&before, &native.snapshot())
    };
    let alive = moves(&mut native);
    assert!(alive > AWAKE, "it moves by {alive} before it settles");
    native.live.act(Action::Settle(OVER));
    native.live.set_paused(false);
    native.until("rest", |live| live.activity() == Activity::Settled);
    native.pause();
    let settled = moves(&mut native);
    assert!(settled < ASLEEP, "it moves by {settled} after it has settled");
    native.live.set_settings(Settings { alpha: 0.7, ..quick() }).unwrap();
    native.until("the change", |live| of(live).settings.alpha == 0.7);
    let woken = moves(&mut native);
    assert!(woken > AWAKE, "it moves by {woken} after a change");
}
