//! What a newcomer sees: the demo, by itself.

use super::cloud::{ASIDE, CLEAR, FREE, Spread, WHOLE, extent, spreads};
use super::display::{Display, SIZE, Verdict, Window, holds};
use super::panel::{first_heading, legend};
use super::screen::{Area, Rgb, Screen};

/// Digits in the demo.
const DIGITS: usize = 10;
/// Digits that must have a place of their own: some are written in ways that look like another.
const SEPARATE: usize = 8;
/// Pixels that a digit has at least.
const LEAST_PIXELS: usize = 300;
/// One of so many pixels is kept when they are scattered.
const KEPT: u64 = 8;
/// Share of a digit's pixels in its two largest groups.
const TOGETHER: f64 = 0.7;
/// How far the middle of the cloud may be from the middle of the free area, as a share of its height.
const OFF_CENTRE: f64 = 0.12;
/// How much of the height of the free area the cloud fills.
const HEIGHT: std::ops::RangeInclusive<f64> = 0.3..=0.95;

#[test]
fn the_demo_forms_ten_digits_in_the_middle_of_the_free_area() {
    let Some(display) = Display::start() else { return };
    let mut window = display.open(&[]);
    let colours = colours_of_digits(&mut window);
    window.wait("the panel keeps its width", keeps_its_width); // early on, points may reach as far
    let screen = window.wait("the digits have places of their own", |screen| separate(screen, &colours));
    scattered_digits_are_noticed(&screen, &colours);
    window.wait("the cloud stands in the middle", |screen| is_framed(screen, CLEAR, FREE));
    panels_hide_and_come_back(&mut window);
    help_opens_and_closes(&mut window);
}

/// The colours of the whole legend, which is seen with the first section closed; while that closes, colours are mixed.
pub fn colours_of_digits(window: &mut Window) -> Vec<Rgb> {
    window.wait("there is a legend", |screen| holds(legend(screen).len() > 4, "no swatches"));
    let heading = first_heading(&window.look());
    window.click(heading);
    window.point_at(ASIDE);
    let mut colours: Vec<Rgb> = Vec::new();
    window.wait("all digits have a colour, twice the same", |screen| {
        let before = std::mem::replace(&mut colours, legend(screen).iter().map(|swatch| swatch.colour).collect());
        holds(colours.len() == DIGITS && colours == before, format!("{} colours", colours.len()))
    });
    window.click(heading);
    colours
}

/// A row that is too wide would widen the panel, and cut off the rows below it.
fn keeps_its_width(screen: &Screen) -> Verdict {
    /// Pixels of a few points that have strayed there; a panel that is one pixel too wide has more than 600.
    const STRAYS: usize = 200;
    let beside = Area::new(CLEAR.left, CLEAR.top, CLEAR.left + 80, CLEAR.bottom);
    let background = screen.background(CLEAR);
    let others = screen.count(beside, |pixel| pixel != background);
    holds(others < STRAYS, format!("something of the panel stands beside it: {others} pixels, less than {STRAYS}"))
}

fn is_compact(spread: &Spread) -> bool {
    spread.pixels >= LEAST_PIXELS && spread.together >= TOGETHER
}

/// Most digits have a place of their own.
pub fn separate(screen: &Screen, colours: &[Rgb]) -> Verdict {
    let spreads = spreads(screen, CLEAR, colours);
    let compact = spreads.iter().filter(|spread| is_compact(spread)).count();
    holds(compact >= SEPARATE, format!("{compact} of at least {SEPARATE}: {spreads:?}"))
}

/// The same pixels in disorder are no digits: the check above can fail.
fn scattered_digits_are_noticed(screen: &Screen, colours: &[Rgb]) {
    let (mut scattered, background) = (screen.clone(), screen.background(CLEAR));
    for y in CLEAR.top..CLEAR.bottom {
        for x in CLEAR.left..CLEAR.right {
            let mixed = ((y * SIZE.0 + x) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let from = (mixed >> 29) as usize % (CLEAR.width() * CLEAR.height());
            let (from_x, from_y) = (CLEAR.left + from % CLEAR.width(), CLEAR.top + from / CLEAR.width());
            // Few enough that those of a digit do not touch by chance.
            let kept = (mixed >> 20).is_multiple_of(KEPT);
            scattered.pixels[y * SIZE.0 + x] = if kept { screen.at(from_x, from_y) } else { background };
        }
    }
    assert!(separate(&scattered, colours).is_err());
}

/// The cloud is in the middle of `free` and fills it; `clear` is what is looked at.
fn is_framed(screen: &Screen, clear: Area, free: Area) -> Verdict {
    let seen = extent(screen, clear).ok_or("nothing to be seen")?;
    let (at, middle) = (seen.middle(), free.middle());
    let off = [at.0.abs_diff(middle.0), at.1.abs_diff(middle.1)].map(|pixels| pixels as f64 / free.height() as f64);
    let height = seen.height() as f64 / free.height() as f64;
    holds(off.iter().all(|off| *off <= OFF_CENTRE), format!("{off:.2?} off the middle, at most {OFF_CENTRE}"))?;
    holds(HEIGHT.contains(&height), format!("fills {height:.2} of the height, not {HEIGHT:?}"))
}

fn panels_hide_and_come_back(window: &mut Window) {
    let is_panel = |screen: &Screen| screen.background(Area::new(5, 100, 9, 600)) != screen.background(CLEAR);
    window.press("Tab");
    window.wait("without panels the cloud is in the middle of the window", |screen| {
        holds(!is_panel(screen), "there is a panel")?;
        is_framed(screen, WHOLE, Area::new(0, 0, SIZE.0, SIZE.1))
    });
    window.press("Tab");
    window.wait("the panels are back, and the cloud between them", |screen| {
        holds(is_panel(screen), "there is no panel")?;
        is_framed(screen, CLEAR, FREE)
    });
    window.press("space"); // for the cloud, not for whatever the panels had in mind when Tab was pressed
    window.wait_for_rest(CLEAR, std::time::Duration::from_millis(700));
}

fn help_opens_and_closes(window: &mut Window) {
    const CARD: Area = Area::new(400, 120, 900, 600);
    /// Share of the middle of the window that the card changes at least: letters, and what they hide.
    const CARD_CHANGES: f64 = 0.5;
    /// … and that may still differ when it is gone.
    const CARD_GONE: f64 = 0.01;
    let before = window.look();
    for close in ["key", "click"] {
        window.press("question");
        window.wait("the keys are listed", |screen| {
            let changed = screen.changed(&before, CARD);
            holds(changed > CARD_CHANGES, format!("{changed:.2} changed"))
        });
        match close {
            "key" => window.press("Escape"),
            _ => window.click(ASIDE),
        }
        window.wait("the list is closed", |screen| {
            let changed = screen.changed(&before, CARD);
            holds(changed < CARD_GONE, format!("{changed:.3} changed, by {close}"))
        });
    }
}
