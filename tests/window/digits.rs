//! The digits of the demo, once they are apart and at rest: where each of them is, and which of them have their colour.

use super::cloud::{ASIDE, CLEAR, groups, pixels_of};
use super::demo::{colours_of_digits, separate};
use super::display::{Display, Verdict, Window, holds};
use super::screen::{Area, Rgb, Screen};
use std::time::Duration;

/// Iterations after which clusters are compact: digits have places of their own much sooner, but they are wide then.
const COMPACT: u64 = 1200;
/// How long a paused cloud is watched.
pub const REST: Duration = Duration::from_millis(500);
/// What is drawn anew may differ from what was there by this share of the cloud.
pub const SAME_PICTURE: f64 = 0.01;
/// Room between a digit and the loop around it.
const MARGIN: usize = 8;
/// Pixels of the other colours that may have one, as a share: a digit that looks like another, threads.
const FOREIGN: f64 = 0.04;

/// The demo, paused.
pub struct Demo<'d> {
    pub window: Window<'d>,
    /// What it looked like when nothing was selected yet.
    pub seen: Seen,
    /// From the one that stands by itself the most to the one that stands by itself the least.
    pub digits: Vec<Digit>,
}

/// A screen on which all digits have their colours.
pub struct Seen {
    pub screen: Screen,
    colours: Vec<Rgb>,
    pixels: Vec<Vec<(usize, usize)>>,
}

/// A digit on the screen.
#[derive(Debug, Clone, Copy)]
pub struct Digit {
    /// Its number.
    pub name: usize,
    /// The pixel that is the farthest from all that is not of the digit.
    pub middle: (usize, usize),
    /// A loop around its largest group.
    pub ring: Ring,
}

/// A loop with eight corners, within an area.
#[derive(Debug, Clone, Copy)]
pub struct Ring(pub Area);

impl Ring {
    /// Whether a place is within it.
    pub fn contains(&self, (x, y): (usize, usize)) -> bool {
        let off = |at: usize, from: usize, to: usize| (2 * at).abs_diff(from + to) as f64 / (to - from) as f64;
        let Area { left, top, right, bottom } = self.0;
        let (across, down) = (off(x, left, right), off(y, top, bottom));
        across <= 1.0 && down <= 1.0 && across + down <= 1.5
    }

    /// The largest area within it.
    pub fn inside(&self) -> Area {
        let Area { left, top, right, bottom } = self.0;
        let (width, height) = (self.0.width() / 8 + 1, self.0.height() / 8 + 1);
        Area::new(left + width, top + height, right - width, bottom - height)
    }

    /// Around it, and back to where it began.
    pub fn path(&self) -> Vec<(usize, usize)> {
        let Area { left, top, right, bottom } = self.0;
        let (width, height) = (self.0.width() / 4, self.0.height() / 4);
        let corners = [
            (left + width, top),
            (right - width, top),
            (right, top + height),
            (right, bottom - height),
            (right - width, bottom),
            (left + width, bottom),
            (left, bottom - height),
            (left, top + height),
        ];
        let half = |a: (usize, usize), b: (usize, usize)| ((a.0 + b.0) / 2, (a.1 + b.1) / 2);
        let sides = corners.iter().zip(corners.iter().cycle().skip(1));
        sides.flat_map(|(&from, &to)| [from, half(from, to)]).collect()
    }
}

impl<'d> Demo<'d> {
    /// Opens it, and pauses it when most digits have a place of their own.
    pub fn open(display: &'d Display) -> Self {
        let mut window = display.open(&[]);
        let colours = colours_of_digits(&mut window);
        window.point_at(ASIDE);
        window.wait_for_iteration(COMPACT);
        window.wait("the digits have places of their own", |screen| separate(screen, &colours));
        window.press("space");
        let screen = window.wait_for_rest(CLEAR, REST);
        let pixels = pixels_of(&screen, CLEAR, &colours);
        let mut digits: Vec<(f64, Digit)> = (0..colours.len()).filter_map(|name| digit(name, &pixels)).collect();
        digits.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let digits = digits.into_iter().map(|(_, digit)| digit).collect();
        Self { window, seen: Seen { screen, colours, pixels }, digits }
    }

    /// Looks until the screen is as it should be, compared with how it was.
    pub fn wait(&mut self, what: &str, judge: impl Fn(&Seen, &Screen) -> Verdict) -> Screen {
        let Self { window, seen, .. } = self;
        window.wait(what, |screen| judge(seen, screen))
    }

    /// Lets go of a number of things, one after another, after which nothing is selected.
    pub fn let_go(&mut self, things: usize) {
        for _ in 0..things {
            self.window.press("Escape");
        }
        self.wait("all have their colours again", |seen, screen| seen.is_as_before(screen));
    }
}

impl Seen {
    /// How much of its colour a digit has still.
    pub fn kept(&self, screen: &Screen, name: usize) -> f64 {
        let now = pixels_of(screen, CLEAR, &self.colours);
        now[name].len() as f64 / self.pixels[name].len().max(1) as f64
    }

    /// These digits have at least this share of their colours, and the others none.
    pub fn only(&self, screen: &Screen, names: &[usize], least: f64) -> Verdict {
        self.only_within(screen, names, least, |_| true)
    }

    /// These digits have at least this share of their colours in a part of the screen, and nothing else has a colour.
    pub fn only_within(
        &self,
        screen: &Screen,
        names: &[usize],
        least: f64,
        part: impl Fn((usize, usize)) -> bool,
    ) -> Verdict {
        let all = pixels_of(screen, CLEAR, &self.colours);
        let count = |pixels: &[Vec<_>], name: usize| pixels[name].iter().filter(|&&at| part(at)).count();
        for &name in names {
            let kept = count(&all, name) as f64 / count(&self.pixels, name).max(1) as f64;
            holds(kept >= least, format!("{kept:.2} of digit {name} has its colour, at least {least}"))?;
        }
        let others = |pixels: &[Vec<_>]| {
            let wanted = names.iter().map(|&name| count(pixels, name)).sum::<usize>();
            pixels.iter().map(Vec::len).sum::<usize>() - wanted
        };
        let foreign = others(&all) as f64 / others(&self.pixels).max(1) as f64;
        holds(foreign <= FOREIGN, format!("{foreign:.3} of the others than {names:?} too, at most {FOREIGN}"))
    }

    /// Coloured pixels of an area that have the colour of a digit, as a share.
    pub fn share_of(&self, screen: &Screen, area: Area, name: usize) -> f64 {
        let pixels = pixels_of(screen, area, &self.colours);
        pixels[name].len() as f64 / pixels.iter().map(Vec::len).sum::<usize>().max(1) as f64
    }

    /// All is as it was when nothing was selected.
    pub fn is_as_before(&self, screen: &Screen) -> Verdict {
        let changed = screen.changed(&self.screen, CLEAR);
        holds(changed < SAME_PICTURE, format!("{changed:.3} of the cloud changed, at most {SAME_PICTURE}"))
    }
}

/// Where a digit is, and how much it stands by itself: how much of it is within its loop, and of others as well.
fn digit(name: usize, pixels: &[Vec<(usize, usize)>]) -> Option<(f64, Digit)> {
    let group = groups(&pixels[name]).into_iter().next().filter(|group| group.len() > 100)?;
    let Area { left, top, right, bottom } = Area::around(&group)?;
    let ring = Ring(Area::new(
        (left - MARGIN).max(CLEAR.left),
        (top - MARGIN).max(CLEAR.top),
        (right + MARGIN).min(CLEAR.right - 1),
        (bottom + MARGIN).min(CLEAR.bottom - 1),
    ));
    let within = |pixels: &[(usize, usize)]| pixels.iter().filter(|&&at| ring.contains(at)).count();
    let own = within(&pixels[name]);
    let foreign = pixels.iter().map(|pixels| within(pixels)).sum::<usize>() - own;
    let alone = own as f64 / (pixels[name].len() + 4 * foreign) as f64;
    Some((alone, Digit { name, middle: innermost(&group), ring }))
}

/// The pixel that is the farthest from all pixels that are not among these.
fn innermost(pixels: &[(usize, usize)]) -> (usize, usize) {
    let mut layer: std::collections::BTreeSet<(usize, usize)> = pixels.iter().copied().collect();
    loop {
        let around = |&(x, y): &(usize, usize)| [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
        let inner: std::collections::BTreeSet<_> =
            layer.iter().copied().filter(|at| around(at).iter().all(|beside| layer.contains(beside))).collect();
        if inner.is_empty() {
            break;
        }
        layer = inner;
    }
    layer.iter().nth(layer.len() / 2).copied().unwrap_or(pixels[0])
}

#[test]
fn the_innermost_pixel_is_in_the_thickest_part_and_loops_know_their_inside() {
    let thin = (0..100).map(|x| (10 + x, 20));
    let thick = (0..31).flat_map(|x| (0..31).map(move |y| (60 + x, 5 + y)));
    let pixels: Vec<_> = thin.chain(thick).collect();
    assert_eq!(innermost(&pixels), (75, 20));
    let ring = Ring(Area::new(100, 100, 200, 140));
    assert!(ring.contains((150, 120)) && ring.contains((100, 120)) && ring.contains((175, 140)));
    assert!(!ring.contains((102, 102)) && !ring.contains((220, 120)));
    let Area { left, top, right, bottom } = ring.inside();
    assert!([(left, top), (right, top), (left, bottom), (right, bottom)].iter().all(|&at| ring.contains(at)));
    assert_eq!(ring.path().len(), 16);
    let slightly_larger = Ring(Area::new(98, 98, 202, 142));
    assert!(ring.path().iter().all(|&at| slightly_larger.contains(at)), "corners are on it");
}
