//! Embedding a selection alone, coming back, and keeping a selection in a session.

use super::cloud::{ASIDE, CLEAR, FREE, colourful_share, extent};
use super::digits::{Demo, Digit, REST, SAME_PICTURE, Seen};
use super::display::{Display, Verdict, Window, holds};
use super::found::{FOUND, fields, is_focused, keep_button, picture, pointed_out};
use super::screen::{Area, Screen};

/// Where the way back stands: in the middle, at the top of the cloud.
const CRUMBS: Area = Area::new(520, 34, 760, 70);
/// What is below it.
const CLOUD: Area = Area { top: CRUMBS.bottom, ..CLEAR };
/// Where the bar tells how many rows there are.
const ROWS: Area = Area::new(248, 2, 400, 26);
/// Pixels of the way back, at least: some letters.
const LETTERS: usize = 40;
/// Share of its digit that a cluster has at least.
const CLUSTER: f64 = 0.6;
/// Share of the coloured pixels of a dive into a digit's cluster that have its colour.
const ITS_OWN: f64 = 0.9;
/// Share of the points of a dive that have a colour: nothing is selected in it.
const COLOURED: f64 = 0.9;
/// What is embedded anew differs by at least this share of the cloud.
const OTHER_PICTURE: f64 = 0.3;
/// How far the edges of the cloud may be from where they were before the dive, in pixels.
const EDGE: usize = 2;
/// What a session brings back may differ from what was seen by this share of the cloud.
const BROUGHT_BACK: f64 = 0.02;

#[test]
fn a_dive_comes_back_and_a_session_keeps_the_selection() {
    let Some(display) = Display::start() else { return };
    let mut demo = Demo::open(&display);
    let digit = demo.digits[0];
    let selected = select(&mut demo, digit);
    a_dive_shows_the_digit_alone(&mut demo, digit, &selected);
    rising_brings_all_back(&mut demo, &selected);
    let kept = keep_under_a_name(&mut demo.window, &selected);
    demo.window.press("ctrl+s");
    demo.window.wait_for_file("demo.nevis");
    let Demo { window, seen, digits } = demo;
    window.quit();
    let window = display.open(&["demo.nevis"]);
    let mut demo = Demo { window, seen, digits };
    the_session_has_it(&mut demo, digit, &kept, &selected);
    demo.let_go(1);
    demo.window.quit();
}

/// Selects the cluster of a digit, and lets go of the point.
fn select(demo: &mut Demo, digit: Digit) -> Screen {
    demo.window.double_click(digit.middle);
    demo.window.point_at(ASIDE);
    demo.wait("a cluster is selected and a point inspected", |seen, screen| {
        holds(picture(screen).is_some(), "no point is inspected")?;
        seen.only(screen, &[digit.name], CLUSTER)
    });
    demo.window.press("Escape");
    demo.wait("the point is let go of", |_, screen| holds(picture(screen).is_none(), "a point is inspected"));
    demo.window.wait_for_rest(CLEAR, REST)
}

fn a_dive_shows_the_digit_alone(demo: &mut Demo, digit: Digit, selected: &Screen) {
    let is_dive = |seen: &Seen, screen: &Screen| -> Verdict {
        let letters = pointed_out(screen, CRUMBS);
        holds(letters >= LETTERS, format!("{letters} pixels tell the way back, at least {LETTERS}"))?;
        holds(!screen.is_same(selected, ROWS), "the bar tells as many rows as before")?;
        let coloured = colourful_share(screen, CLOUD);
        holds(coloured >= COLOURED, format!("{coloured:.2} has a colour, at least {COLOURED}"))?;
        let own = seen.share_of(screen, CLOUD, digit.name);
        holds(own >= ITS_OWN, format!("{own:.2} of the pixels are of digit {}, at least {ITS_OWN}", digit.name))
    };
    assert!(is_dive(&demo.seen, selected).is_err() && is_dive(&demo.seen, &demo.seen.screen).is_err());
    demo.window.press("d");
    let dived = demo.wait("the digit is alone", is_dive);
    demo.window.wait("it is embedded anew", |screen| {
        let changed = screen.changed(&dived, CLOUD);
        holds(changed > OTHER_PICTURE, format!("{changed:.2} of the cloud changed, more than {OTHER_PICTURE}"))
    });
}

/// The cloud is where it was, and selected as it was.
fn is_back(screen: &Screen, selected: &Screen) -> Verdict {
    holds(pointed_out(screen, CRUMBS) == pointed_out(selected, CRUMBS), "there is a way back still")?;
    holds(screen.is_same(selected, ROWS), "the bar tells another number of rows")?;
    let [now, then] = [screen, selected].map(|screen| extent(screen, CLEAR));
    let (now, then) = (now.ok_or("no cloud")?, then.ok_or("no cloud")?);
    let off = [(now.left, then.left), (now.top, then.top), (now.right, then.right), (now.bottom, then.bottom)];
    holds(off.iter().all(|(now, then)| now.abs_diff(*then) <= EDGE), format!("{now:?} instead of {then:?}"))?;
    let changed = screen.changed(selected, CLEAR);
    holds(changed < SAME_PICTURE, format!("{changed:.3} of the cloud changed, at most {SAME_PICTURE}"))
}

fn rising_brings_all_back(demo: &mut Demo, selected: &Screen) {
    assert!(is_back(&demo.window.look(), selected).is_err(), "a dive is not the map above it");
    assert!(is_back(&selected.moved(EDGE + 1, 0), selected).is_err(), "a cloud beside its place would be noticed");
    demo.window.press("u");
    demo.window.wait("the whole map is back", |screen| is_back(screen, selected));
}

/// Where the selection's name stands in the list: below the field for it.
fn list(screen: &Screen) -> Option<Area> {
    let name = fields(screen).get(1).copied()?;
    Some(Area::new(FOUND.left, name.bottom + 4, FOUND.right - 10, name.bottom + 28))
}

fn keep_under_a_name(window: &mut Window, selected: &Screen) -> Screen {
    let field = fields(&window.look())[1];
    window.click(field.middle());
    window.wait("the field has the keys", |screen| {
        holds(fields(screen).get(1).is_some_and(|field| is_focused(screen, *field)), "it has no edge")
    });
    window.type_text("odd ones");
    let keep = keep_button(&window.look()).expect("a button");
    window.click(keep);
    let place = list(selected).expect("a place for the name");
    window.wait("the name stands in the list", |screen| {
        holds(!screen.is_same(selected, place), "nothing new below the field")
    });
    window.point_at(ASIDE);
    window.wait_for_rest(FREE, REST)
}

fn the_session_has_it(demo: &mut Demo, digit: Digit, kept: &Screen, selected: &Screen) {
    let place = list(kept).expect("a place for the name");
    let controls = Area { top: FOUND.top, bottom: place.bottom, ..place };
    let is_kept = |screen: &Screen| holds(screen.is_same(kept, controls), "the panel is another");
    assert!(is_kept(selected).is_err(), "a session without the name would be noticed");
    demo.wait("the selection is there, with its name", |seen, screen| {
        seen.only(screen, &[digit.name], CLUSTER)?;
        let changed = screen.changed(kept, CLEAR);
        holds(changed < BROUGHT_BACK, format!("{changed:.3} of the cloud changed, at most {BROUGHT_BACK}"))?;
        is_kept(screen)
    });
}
