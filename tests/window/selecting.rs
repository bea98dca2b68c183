//! Selecting by hand and by words: lasso, box, brush, search.

use super::cloud::{ASIDE, CLEAR};
use super::digits::{Demo, Digit, Ring, SAME_PICTURE, Seen};
use super::display::{Display, Verdict, holds};
use super::found::{FOUND, fields, is_focused, pointed_out, tool};
use super::screen::{Area, Screen};

/// Share of a digit within a loop that is selected: points at the edge may be outside.
const WITHIN: f64 = 0.9;
/// Share of a digit that a stroke of the brush selects.
const BRUSHED: std::ops::Range<f64> = 0.03..0.95;
/// Share of a digit that is selected if all of it was asked for.
const WHOLE: f64 = 0.97;
/// Pixels of a loop, at least, as a share of the way around it: lines are thin, and their ends dashed.
const DRAWN: f64 = 0.5;
/// Pixels of a note's letters, at least.
const NOTE: usize = 40;
/// The digit that is searched for.
const WANTED: usize = 3;

#[test]
fn points_are_selected_by_hand_and_by_words() {
    let Some(display) = Display::start() else { return };
    let mut demo = Demo::open(&display);
    let [one, other] = [demo.digits[0], demo.digits[1]];
    loops_select_add_and_take_away(&mut demo, one, other);
    a_box_selects(&mut demo, other);
    a_brush_selects(&mut demo, one);
    words_select(&mut demo);
    demo.window.quit();
}

/// Takes a tool, or puts it away.
fn take(demo: &mut Demo, key: &str) {
    let before = tool(&demo.window.look()).expect("a tool is in hand");
    demo.window.press(key);
    demo.window.wait("another tool is in hand", |screen| {
        holds(tool(screen).is_some_and(|now| now.left != before.left), format!("it is the one at {before:?}"))
    });
}

/// A loop or box is drawn while the button is down.
fn is_drawn(screen: &Screen, Area { left, top, right, bottom }: Area, before: &Screen) -> Verdict {
    let area = Area::new(left.saturating_sub(3), top.saturating_sub(3), right + 3, bottom + 3);
    let drawn = pointed_out(screen, area).saturating_sub(pointed_out(before, area));
    let least = (2 * (area.width() + area.height())) as f64 * DRAWN;
    holds(drawn as f64 >= least, format!("{drawn} pixels of a line, at least {least}"))
}

fn draw(demo: &mut Demo, ring: Ring) {
    let before = demo.window.look();
    assert!(is_drawn(&before, ring.0, &before).is_err());
    demo.window.draw(&ring.path(), |screen| is_drawn(screen, ring.0, &before));
    demo.window.point_at(ASIDE);
}

fn loops_select_add_and_take_away(demo: &mut Demo, one: Digit, other: Digit) {
    take(demo, "l");
    draw(demo, one.ring);
    let selected = demo.wait("the first digit is selected", |seen, screen| {
        seen.only_within(screen, &[one.name], WITHIN, |at| one.ring.contains(at))
    });
    let elsewhere = |at| other.ring.contains(at);
    assert!(demo.seen.only_within(&selected, &[other.name], WITHIN, elsewhere).is_err(), "the other is not");
    demo.window.hold("shift");
    draw(demo, other.ring);
    demo.wait("the second is added", |seen, screen| {
        let both = |at| one.ring.contains(at) || other.ring.contains(at);
        seen.only_within(screen, &[one.name, other.name], WITHIN, both)
    });
    demo.window.release("shift");
    demo.window.hold("ctrl");
    draw(demo, one.ring);
    demo.wait("the first is taken away", |seen, screen| {
        seen.only_within(screen, &[other.name], WITHIN, |at| other.ring.contains(at))
    });
    demo.window.release("ctrl");
    take(demo, "l");
    demo.let_go(1);
}

fn a_box_selects(demo: &mut Demo, digit: Digit) {
    take(demo, "b");
    let area @ Area { left, top, right, bottom } = digit.ring.inside();
    let before = demo.window.look();
    demo.window.drag((left, top), (right, bottom), |screen| is_drawn(screen, area, &before));
    demo.window.point_at(ASIDE);
    let inside = |(x, y)| (left..=right).contains(&x) && (top..=bottom).contains(&y);
    demo.wait("what is in the box is selected", |seen, screen| seen.only_within(screen, &[digit.name], WITHIN, inside));
    demo.window.press("Escape"); // the tool
    demo.let_go(1);
}

fn a_brush_selects(demo: &mut Demo, digit: Digit) {
    take(demo, "g");
    let (x, y) = digit.middle;
    let painted = |seen: &Seen, screen: &Screen| {
        seen.only(screen, &[digit.name], BRUSHED.start)?;
        let share = seen.kept(screen, digit.name);
        holds(BRUSHED.contains(&share), format!("{share:.2} of the digit is painted, not {BRUSHED:?}"))
    };
    assert!(painted(&demo.seen, &demo.seen.screen).is_err());
    let Demo { window, seen, .. } = demo;
    window.drag((x - 6, y), (x + 6, y), |screen| painted(seen, screen));
    window.point_at(ASIDE);
    demo.wait("the stroke stays", painted);
    take(demo, "g");
    demo.let_go(1);
}

/// Types into the search and sends it off.
fn search(demo: &mut Demo, text: &str, instead_of: &str) {
    demo.window.press("slash");
    demo.window.wait("the search has the keys", |screen| {
        let field = *fields(screen).first().ok_or("no field")?;
        holds(is_focused(screen, field), "the field has no edge")
    });
    instead_of.chars().for_each(|_| demo.window.press("BackSpace"));
    demo.window.type_text(text);
    demo.window.press("Return");
}

/// Where the note stands: below the field.
fn note(screen: &Screen) -> Area {
    let field = fields(screen).first().copied().unwrap_or(FOUND);
    Area::new(FOUND.left, field.bottom + 2, FOUND.right, (field.bottom + 20).min(FOUND.bottom))
}

fn words_select(demo: &mut Demo) {
    assert!(demo.seen.only(&demo.seen.screen, &[WANTED], WHOLE).is_err());
    let place = note(&demo.seen.screen);
    assert_eq!(pointed_out(&demo.seen.screen, place), 0, "a note before anything was searched for");
    let wanted = format!("label={WANTED}");
    search(demo, &wanted, "");
    let found = demo.wait("one digit is found", |seen, screen| seen.only(screen, &[WANTED], WHOLE));
    assert!(demo.seen.only(&found, &[WANTED + 1], WHOLE).is_err());
    search(demo, "nosuch=3", &wanted);
    demo.window.wait("a note tells why nothing is found", |screen| {
        let letters = pointed_out(screen, note(screen));
        holds(letters >= NOTE && !screen.is_same(&found, note(&found)), format!("{letters} pixels, at least {NOTE}"))?;
        let changed = screen.changed(&found, CLEAR);
        holds(changed < SAME_PICTURE, format!("{changed:.3} of the cloud changed, at most {SAME_PICTURE}"))
    });
    // The field keeps the keys, so that the search can be mended: it is let go of first.
    let keys = |screen: &Screen| fields(screen).first().is_some_and(|field| is_focused(screen, *field));
    demo.window.wait("the field keeps the keys", |screen| holds(keys(screen), "it has no edge"));
    demo.window.press("Escape");
    demo.window.wait("the field lets go", |screen| holds(!keys(screen), "it has its edge"));
    demo.let_go(1);
}
