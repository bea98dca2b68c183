//! The camera, pause, pictures, backgrounds, flat maps.

use super::cloud::{ASIDE, CLEAR, FREE, extent};
use super::display::{Display, SIZE, Window, holds};
use super::panel::{PANEL, flat_button, lines, next_choice, scroll_to_end};
use super::screen::{Screen, apart};
use crate::support::write_blobs;
use std::time::Duration;

/// How long a paused cloud is watched.
const WATCH: Duration = Duration::from_millis(700);
/// What is drawn anew may differ from what was there by this share of the cloud.
const SAME_PICTURE: f64 = 0.01;
/// A cloud that moved, turned or was painted anew differs by at least this share of it.
const OTHER_PICTURE: f64 = 0.2;
/// Mean difference of a channel (of 255) between the window and a picture of it, at the window's size.
/// Discs have finer edges and more shading in the picture; where points are elsewhere, it is about a hundred.
const PICTURE_DIFFERENCE: f64 = 30.0;
/// What two notches of the wheel make of a flat map, and how far the measured factor may be from that.
const ZOOM: f64 = 1.4918; // e^(2 × 0.2)
const ZOOM_ERROR: f64 = 0.05;

#[test]
fn a_paused_cloud_rests_turns_and_is_photographed() {
    let Some(display) = Display::start() else { return };
    let mut window = display.open(&["--seed", "1"]);
    let first = window.wait("there are points", |screen| holds(extent(screen, CLEAR).is_some(), "no cloud"));
    window.wait("they move", |screen| holds(screen.changed(&first, CLEAR) > OTHER_PICTURE, "they do not"));
    window.press("space");
    let paused = window.wait_for_rest(CLEAR, WATCH);
    is_photographed(&mut window, &paused);
    turns_and_is_framed_again(&mut window, &paused);
    window.press("space");
    window.wait("it moves again", |screen| holds(screen.changed(&paused, CLEAR) > OTHER_PICTURE, "it rests"));
    window.quit();
}

/// A cloud that is this many pixels beside its place is at another one.
const ELSEWHERE: usize = 140;

fn is_photographed(window: &mut Window, paused: &Screen) {
    window.press("p");
    let path = window.wait_for_file("demo.png");
    let (picture, texts) = Screen::read_png(&path);
    let scale = picture.width / SIZE.0;
    assert_eq!((picture.width, picture.height), (SIZE.0 * scale, SIZE.1 * scale));
    assert_eq!(scale, 2, "pictures are twice the window by default");
    // The picture has no panels: what is in the middle of the free area is in its middle.
    let (middle, free) = ((SIZE.0 / 2, SIZE.1 / 2), FREE.middle());
    let picture = picture.smaller(scale);
    let picture = picture.moved(free.0 - middle.0, free.1 - middle.1);
    let elsewhere = picture.moved(ELSEWHERE, 0).mean_difference(paused, CLEAR);
    assert!(elsewhere > 2.0 * PICTURE_DIFFERENCE, "{elsewhere:.1}: a cloud at another place would not be noticed");
    let difference = picture.mean_difference(paused, CLEAR);
    assert!(difference < PICTURE_DIFFERENCE, "{difference:.1} of 255, at most {PICTURE_DIFFERENCE}");
    let (_, session) = texts.iter().find(|(key, _)| key == "nevis.session").expect("a session in the picture");
    let session: serde_json::Value = serde_json::from_str(session).unwrap();
    assert_eq!(session["settings"]["seed"], 1, "{session}");
}

fn turns_and_is_framed_again(window: &mut Window, before: &Screen) {
    let turned = |screen: &Screen| {
        let changed = screen.changed(before, CLEAR);
        holds(changed > OTHER_PICTURE, format!("{changed:.2} changed, not {OTHER_PICTURE}"))
    };
    window.drag((700, 300), (900, 360), turned);
    window.wait_for_rest(CLEAR, Duration::from_millis(300));
    window.wheel(FREE.middle(), 4);
    let framed = extent(before, CLEAR).unwrap();
    window.wait("it comes nearer", |screen| {
        let near = extent(screen, CLEAR).ok_or("nothing to be seen")?;
        holds(near.width() * near.height() > framed.width() * framed.height() * 5 / 4, format!("{near:?}"))
    });
    window.point_at(ASIDE); // no card tells of a point
    window.press("7"); // the view it had at first, which is that of the whole cloud
    window.wait("it is as it was", |screen| {
        let changed = screen.changed(before, CLEAR);
        holds(changed < SAME_PICTURE, format!("{changed:.3} changed, at most {SAME_PICTURE}"))
    });
    window.wheel(FREE.middle(), 4);
    window.wait("it is near", turned);
    window.point_at(ASIDE);
    window.press("f");
    window.wait("it is framed again", |screen| {
        let changed = screen.changed(before, CLEAR);
        holds(changed < SAME_PICTURE, format!("{changed:.3} changed, at most {SAME_PICTURE}"))
    });
}

#[test]
fn a_flat_map_fills_the_view_and_zooms_by_the_wheel_s_steps() {
    /// Share of the free area's smaller side that a framed map fills.
    const FILLS: std::ops::RangeInclusive<f64> = 0.6..=1.0;
    let Some(display) = Display::start() else { return };
    write_blobs(&display.folder().join("in.parquet"), 600);
    let mut window = display.open(&["in.parquet"]);
    let space = window.wait("there are points", |screen| holds(extent(screen, CLEAR).is_some(), "no cloud"));
    window.click(flat_button(&space));
    window.wait("the map fills the view", |screen| {
        let seen = extent(screen, FREE).ok_or("nothing to be seen")?;
        let fills = seen.width().max(seen.height()) as f64 / FREE.height() as f64;
        holds(FILLS.contains(&fills), format!("fills {fills:.2}, not {FILLS:?}"))
    });
    window.press("space");
    let far = window.wait_for_rest(CLEAR, WATCH);
    zooms(&mut window, &far);
    becomes_light(&mut window);
    window.quit();
}

fn zooms(window: &mut Window, far: &Screen) {
    window.wheel(FREE.middle(), -2); // away first, so that all of it stays in view
    let away = window.wait_for_rest(CLEAR, WATCH);
    let [before, after] = [far, &away].map(|screen| extent(screen, CLEAR).unwrap());
    let factor = before.width() as f64 / after.width() as f64;
    assert!((factor / ZOOM - 1.0).abs() < ZOOM_ERROR, "{factor:.3} instead of {ZOOM}: {before:?}, {after:?}");
}

fn becomes_light(window: &mut Window) {
    let screen = scroll_to_end(window);
    let heading = *lines(&screen).last().expect("a heading");
    window.click((45, heading));
    window.wait("the section opens", |now| holds(!now.is_same(&screen, PANEL), "nothing happens"));
    let screen = scroll_to_end(window);
    let lines = lines(&screen);
    let light = lines.iter().rev().find_map(|&line| next_choice(&screen, line)).expect("a choice of backgrounds");
    window.click(light);
    window.wait("the background is light", |screen| {
        let (panel, cloud) = (screen.background(PANEL), screen.background(CLEAR));
        holds(apart(cloud, [0xfa, 0xfa, 0xf8]) < 4, format!("the cloud's is {cloud:?}"))?;
        holds(panel.iter().all(|channel| *channel > 0xe0), format!("the panel's is {panel:?}"))?;
        holds(extent(screen, CLEAR).is_some(), "no cloud")
    });
}
