//! Nothing is lost: sessions that are saved, and sessions that a crash leaves behind.

use super::cloud::{ASIDE, CLEAR, extent};
use super::display::{Display, Window, holds};
use super::panel::{buttons, sliders};
use super::screen::{Area, Screen};
use crate::support::{files_in, write_blobs};
use std::time::Duration;

/// What is restored may differ from what was seen by this share of the cloud.
const SAME_PICTURE: f64 = 0.02;
/// How long a cloud must rest to count as resting.
const REST: Duration = Duration::from_millis(500);
/// Where the offer to restore stands.
const OFFER: Area = Area::new(281, 32, 1000, 90);

/// A paused window with other tails than the default, seen from another side.
fn steered<'d>(display: &'d Display, args: &[&str]) -> (Window<'d>, Screen) {
    let mut window = display.open(args);
    window.wait("there are points", |screen| holds(extent(screen, CLEAR).is_some(), "no cloud"));
    let before = window.look();
    let tails = sliders(&before)[0];
    window.drag(tails.handle, tails.at(0.3), |screen| holds(!screen.is_same(&before, tails.value), "no change"));
    window.press("3");
    window.point_at(ASIDE);
    window.press("space");
    let seen = window.wait_for_rest(CLEAR, REST);
    (window, seen)
}

fn is_as_it_was(window: &mut Window, before: &Screen) {
    window.point_at(ASIDE);
    let tails = sliders(before)[0];
    window.wait("everything is as it was", |screen| {
        let now = sliders(screen);
        holds(now.first().is_some_and(|now| screen.is_same(before, now.value)), "the tails have another value")?;
        holds(now[0].handle == tails.handle, "the slider stands elsewhere")?;
        let changed = screen.changed(before, CLEAR);
        holds(changed < SAME_PICTURE, format!("{changed:.3} of the cloud changed, at most {SAME_PICTURE}"))
    });
    let rested = window.wait_for_rest(CLEAR, REST);
    assert!(rested.changed(before, CLEAR) < SAME_PICTURE, "it was paused, but went on");
}

#[test]
fn a_crash_loses_nothing() {
    let Some(display) = Display::start() else { return };
    let (mut window, before) = steered(&display, &[]);
    let state = display.folder().join("state/nevis");
    let written = || state.read_dir().ok()?.next()?.ok()?.metadata().ok()?.modified().ok();
    let paused_at = std::time::SystemTime::now();
    window.wait("the session saves itself", |_| holds(written().is_some_and(|at| at > paused_at), "no new file"));
    window.crash();
    let mut window = display.open(&[]);
    let offered = window
        .wait("the session is offered", |screen| holds(buttons(screen, OFFER).len() == 2, "no offer with two buttons"));
    window.click(buttons(&offered, OFFER)[0].middle());
    window.wait("the offer is taken", |screen| holds(buttons(screen, OFFER).is_empty(), "it stands there still"));
    is_as_it_was(&mut window, &before);
    window.press("ctrl+s");
    window.wait_for_file("demo.nevis"); // where a person would look for it, not where autosaves are
    window.quit();
    let left: Vec<_> = files_in(&state).into_iter().filter(|name| name.ends_with(".nevis")).collect();
    assert!(left.is_empty(), "a window that is closed leaves nothing to restore: {left:?}");
}

#[test]
fn a_saved_session_opens_as_it_was() {
    let Some(display) = Display::start() else { return };
    write_blobs(&display.folder().join("in.parquet"), 1000);
    let (mut window, before) = steered(&display, &["in.parquet"]);
    window.press("ctrl+s");
    window.wait_for_file("in.nevis");
    window.quit();
    let mut window = display.open(&["in.nevis"]);
    is_as_it_was(&mut window, &before);
    window.quit();
}
