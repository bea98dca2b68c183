//! Pointing at a point, clicking it, clicking it twice: its row, its neighbours, its cluster, and why that is one.

use super::cloud::{ASIDE, CLEAR};
use super::digits::{Demo, Digit, SAME_PICTURE, Seen};
use super::display::{Display, Verdict, holds};
use super::found::{FOUND, granularity, histogram, largest_part, picture, pointed_out, scroll_to_end, scroll_to_start};
use super::found::{threads, tooltip};
use super::screen::{Area, Screen};

/// Side of the picture of a row, and how far it may be from that.
const PICTURE: usize = 72;
const PICTURE_ERROR: usize = 3;
/// Pixels of the threads of one kind, at least: a few dots at their ends.
const THREADS: usize = 3;
/// Pixels of the ring around the point that is inspected, at least: half of it.
const RING: usize = 40;
/// Share of its digit that a cluster has at least.
const CLUSTER: f64 = 0.6;
/// The finest cluster has at most this share of the usual one …
const FINER: f64 = 0.8;
/// … which may differ by this share of the digit when it is grown again.
const GROWN_AGAIN: f64 = 0.02;
/// Share of a selection that is of one digit, if it was one digit that was selected.
const ALL_OF_IT: f64 = 0.9;
/// Share of the larger of two digits.
const HALF_OF_IT: std::ops::Range<f64> = 0.3..0.8;
/// Pixels of each side of the histogram, at least.
const HILL: usize = 300;

#[test]
fn a_point_is_inspected_and_its_cluster_selected_and_explained() {
    let Some(display) = Display::start() else { return };
    let mut demo = Demo::open(&display);
    let [digit, other] = [demo.digits[0], demo.digits[1]];
    pointing_tells_what_it_is(&mut demo, digit);
    a_click_shows_its_row_and_its_neighbours(&mut demo, digit, other);
    a_double_click_selects_its_cluster(&mut demo, digit);
    granularity_makes_it_finer(&mut demo, digit);
    what_it_is_made_of_is_told(&mut demo, digit, other);
    demo.let_go(2);
    demo.window.quit();
}

fn pointing_tells_what_it_is(demo: &mut Demo, digit: Digit) {
    assert!(tooltip(&demo.seen.screen, digit.middle).is_none(), "a card before anything was pointed at");
    demo.window.point_at(digit.middle);
    demo.window.wait("a card tells of the point", |screen| {
        holds(tooltip(screen, digit.middle).is_some(), "no card beside the cursor")
    });
    demo.window.point_at(ASIDE);
    demo.let_go(0);
}

/// The picture of a row, and threads of all three kinds from a ring around its point.
fn is_inspected(seen: &Seen, screen: &Screen, (x, y): (usize, usize)) -> Verdict {
    let picture = picture(screen).ok_or("no picture of the row")?;
    let right = [picture.width(), picture.height()].iter().all(|side| side.abs_diff(PICTURE) <= PICTURE_ERROR);
    holds(right, format!("the picture is {picture:?}, not {PICTURE} wide and high"))?;
    let threads = threads(screen, CLEAR);
    holds(threads.iter().all(|pixels| *pixels >= THREADS), format!("{threads:?} pixels of threads, {THREADS} each"))?;
    let around = Area::new(x - 20, y - 20, x + 20, y + 20);
    let ring = pointed_out(screen, around).saturating_sub(pointed_out(&seen.screen, around));
    holds(ring >= RING, format!("{ring} pixels of a ring, at least {RING}"))
}

fn a_click_shows_its_row_and_its_neighbours(demo: &mut Demo, digit: Digit, other: Digit) {
    assert!(is_inspected(&demo.seen, &demo.seen.screen, digit.middle).is_err());
    demo.window.click(digit.middle);
    demo.window.point_at(ASIDE);
    let one = demo.wait("its row is shown", |seen, screen| is_inspected(seen, screen, digit.middle));
    assert!(is_inspected(&demo.seen, &one, other.middle).is_err(), "a ring elsewhere is no ring here");
    demo.window.click(other.middle);
    demo.window.point_at(ASIDE);
    let other = demo.wait("another row is shown", |seen, screen| is_inspected(seen, screen, other.middle));
    let picture = picture(&one).expect("a picture");
    assert!(!other.is_same(&one, picture), "the picture of another digit is another");
    demo.let_go(1);
    demo.wait("its row is gone", |seen, screen| holds(screen.is_same(&seen.screen, FOUND), "the panel is another"));
}

fn a_double_click_selects_its_cluster(demo: &mut Demo, digit: Digit) {
    assert!(demo.seen.only(&demo.seen.screen, &[digit.name], CLUSTER).is_err());
    demo.window.double_click(digit.middle);
    demo.window.point_at(ASIDE);
    let selected = demo.wait("its cluster is selected", |seen, screen| {
        seen.only(screen, &[digit.name], CLUSTER)?;
        is_inspected(seen, screen, digit.middle)
    });
    assert!(demo.seen.only(&selected, &[demo.digits[1].name], CLUSTER).is_err(), "another digit is not selected");
    demo.window.press("Escape");
    demo.wait("the point is let go of, not its cluster", |seen, screen| {
        holds(picture(screen).is_none() && is_inspected(seen, screen, digit.middle).is_err(), "it is still inspected")?;
        seen.only(screen, &[digit.name], CLUSTER)
    });
}

fn granularity_makes_it_finer(demo: &mut Demo, digit: Digit) {
    let usual = demo.window.look();
    let kept = demo.seen.kept(&usual, digit.name);
    let slider = granularity(&usual).expect("a slider");
    demo.window.drag(slider.handle, slider.at(1.0), |screen| {
        holds(!screen.is_same(&usual, slider.value), "its value stands still")
    });
    demo.window.point_at(ASIDE);
    let fine = demo.wait("the cluster is finer", |seen, screen| {
        let now = seen.kept(screen, digit.name);
        holds(now < FINER * kept && now > 0.0, format!("{now:.2} of the digit, not {FINER} of {kept:.2}"))
    });
    demo.window.double_click(granularity(&fine).expect("a slider").handle);
    demo.window.wait("its value is the default", |screen| {
        let now = granularity(screen).ok_or("no slider")?;
        holds(now.handle.0.abs_diff(slider.handle.0) <= 1, format!("it stands at {:?}", now.handle))
    });
    demo.window.point_at(ASIDE);
    demo.wait("the cluster is as it was", |seen, screen| {
        let now = seen.kept(screen, digit.name);
        holds((now - kept).abs() < GROWN_AGAIN, format!("{now:.3} of the digit instead of {kept:.3}"))?;
        let changed = screen.changed(&usual, CLEAR);
        holds(changed < SAME_PICTURE, format!("{changed:.3} of the cloud changed, at most {SAME_PICTURE}"))
    });
}

/// The selection is nearly all of one value.
fn is_one_digit(screen: &Screen) -> Verdict {
    let part = largest_part(screen).ok_or("nothing tells what the selection is made of")?;
    holds(part >= ALL_OF_IT, format!("{part:.2} of it is of one digit, at least {ALL_OF_IT}"))
}

fn has_two_hills(screen: &Screen) -> Verdict {
    let hills = histogram(screen);
    holds(hills.iter().all(|pixels| *pixels >= HILL), format!("hills of {hills:?} pixels, at least {HILL}"))
}

fn what_it_is_made_of_is_told(demo: &mut Demo, digit: Digit, other: Digit) {
    assert!(is_one_digit(&demo.seen.screen).is_err() && has_two_hills(&demo.seen.screen).is_err());
    demo.window.wait("the comparison has begun", |screen| holds(pointed_out(screen, FOUND) > 0, "nothing is told"));
    scroll_to_end(&mut demo.window);
    demo.window.wait("it is told why", |screen| is_one_digit(screen).and_then(|()| has_two_hills(screen)));
    demo.window.hold("shift");
    demo.window.double_click(other.middle);
    demo.wait("another cluster is added", |seen, screen| seen.only(screen, &[digit.name, other.name], CLUSTER));
    demo.window.release("shift");
    demo.window.point_at(ASIDE);
    scroll_to_end(&mut demo.window);
    let both = demo.window.wait("two digits are told from one", |screen| {
        let part = largest_part(screen).ok_or("nothing tells what the selection is made of")?;
        holds(HALF_OF_IT.contains(&part), format!("{part:.2} of it is of one digit, not {HALF_OF_IT:?}"))
    });
    assert!(is_one_digit(&both).is_err());
    scroll_to_start(&mut demo.window);
}
