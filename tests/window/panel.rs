//! Where things are in the panel at the left. They are found by how they look, as a person finds them, so that a row
//! more or less moves nothing out of reach. Dark theme.

use super::display::Window;
use super::screen::{Area, Rgb, Screen, apart, colourfulness};

/// The panel, from edge to edge.
pub const PANEL: Area = Area::new(0, 30, 279, 720);
/// Fill of what can be pressed.
pub const BUTTON: Rgb = [0x26, 0x2d, 0x37];
/// Fill of a slider to the left of its handle.
const FILLED: Rgb = [0x32, 0x5a, 0x90];
/// Fill of what is chosen.
pub const CHOSEN: Rgb = [0x2e, 0x57, 0x8e];
/// Fill of the panel itself.
pub const GROUND: Rgb = [0x16, 0x1b, 0x22];
/// Distance of two items in an open list.
const ITEM: usize = 26;
/// Where sliders begin, from the left edge of a panel, and how far their ends are from their values.
const SLIDER: usize = 100;
const GAP: usize = 6;

/// Whether a pixel has a colour.
pub fn is(colour: Rgb) -> impl Fn(Rgb) -> bool {
    move |pixel| apart(pixel, colour) <= 2
}

/// The buttons of an area, from left to right.
pub fn buttons(screen: &Screen, area: Area) -> Vec<Area> {
    let patches = screen.patches(area, is(BUTTON));
    patches.into_iter().filter(|patch| patch.width() > 40 && patch.height() > 15).collect()
}

/// A slider: where it is grasped, and where its value stands.
#[derive(Debug, Clone, Copy)]
pub struct Slider {
    pub handle: (usize, usize),
    pub value: Area,
    begins: usize,
}

impl Slider {
    /// The place on it at this share of its way.
    pub fn at(&self, share: f64) -> (usize, usize) {
        let length = self.value.left - GAP - self.begins;
        (self.begins + (length as f64 * share) as usize, self.handle.1)
    }
}

/// All sliders at the left that are visible, from top to bottom. The first is that of the tails.
pub fn sliders(screen: &Screen) -> Vec<Slider> {
    sliders_of(screen, PANEL)
}

/// All sliders of a panel that are visible, from top to bottom.
pub fn sliders_of(screen: &Screen, panel: Area) -> Vec<Slider> {
    let begins = panel.left + SLIDER;
    let inside = begins + 4;
    let column = Area::new(inside, panel.top + 12, inside + 1, panel.bottom - 12);
    let rows = screen.patches(column, is(FILLED)).into_iter().filter(|patch| patch.height() >= 6);
    let mut rows: Vec<usize> = rows.map(|patch| patch.middle().1).collect();
    rows.sort_unstable();
    let slider = |y: usize| {
        let filled = (inside..panel.right).take_while(|&x| is(FILLED)(screen.at(x, y))).count();
        let row = Area { left: inside, top: y - 12, right: panel.right, bottom: y + 12 };
        let value = buttons(screen, row).pop()?;
        Some(Slider { handle: (inside + filled + GAP, y), value, begins })
    };
    rows.into_iter().filter_map(slider).collect()
}

/// A row of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swatch {
    pub colour: Rgb,
    pub place: (usize, usize),
}

/// The rows of the legend that are visible and not greyed, from top to bottom.
pub fn legend(screen: &Screen) -> Vec<Swatch> {
    const X: usize = 16;
    const HEIGHT: usize = 8;
    let mut found = Vec::new();
    let mut y = PANEL.top;
    while y + HEIGHT < PANEL.bottom {
        let colour = screen.at(X, y);
        let tall = (y..PANEL.bottom).take_while(|&y| screen.at(X, y) == colour).count();
        let ends = apart(screen.at(X + 10, y + tall / 2), colour) > 20; // unlike a strip of colours
        if colourfulness(colour) > 40 && (HEIGHT..=16).contains(&tall) && ends {
            found.push(Swatch { colour, place: (X + 20, y + tall / 2) });
        }
        y += tall;
    }
    found
}

/// The list from which one chooses what colours stand for: the second last above the legend.
pub fn colour_list(screen: &Screen) -> Area {
    let below = legend(screen).first().expect("a legend").place.1;
    let mut lists = buttons(screen, Area { bottom: below, ..PANEL });
    lists.retain(|list| list.width() > 180);
    lists.sort_by_key(|list| list.top);
    lists[lists.len() - 2]
}

/// The place of an entry of the list that is open, so many entries below the one that is chosen.
pub fn entry_below_chosen(screen: &Screen, entries: usize) -> Option<(usize, usize)> {
    let chosen = screen.patches(PANEL, is(CHOSEN)).into_iter().find(|patch| patch.width() > 180)?;
    let (x, y) = chosen.middle();
    Some((x, y + entries * ITEM))
}

/// The button that makes a flat map: left of the chosen number of dimensions.
pub fn flat_button(screen: &Screen) -> (usize, usize) {
    let mut chosen = screen.patches(PANEL, is(CHOSEN));
    chosen.retain(|patch| patch.height() > 15 && patch.width() < 60);
    let three = chosen.into_iter().min_by_key(|patch| patch.top).expect("a number of dimensions");
    (three.left - 20, three.middle().1)
}

/// The heading of the first section, which opens and closes it: above the first list.
pub fn first_heading(screen: &Screen) -> (usize, usize) {
    let lists = buttons(screen, PANEL).into_iter().filter(|list| list.width() > 180);
    let first = lists.min_by_key(|list| list.top).expect("a list");
    (70, first.top - 15)
}

/// The middles of all lines of text at the left of the panel, from top to bottom, above what does not scroll.
pub fn lines(screen: &Screen) -> Vec<usize> {
    let is_rule = |y: &usize| (20..260).all(|x| screen.at(x, *y) != GROUND && screen.at(x, *y) == screen.at(20, *y));
    let end = (PANEL.bottom - 60..PANEL.bottom).find(is_rule).unwrap_or(PANEL.bottom);
    let has_text = |y: usize| (12..70).filter(|&x| apart(screen.at(x, y), GROUND) > 60).count() > 0;
    let mut lines = Vec::new();
    let mut y = PANEL.top;
    while y < end {
        let tall = (y..end).take_while(|&y| has_text(y)).count();
        if tall >= 5 {
            lines.push(y + tall / 2);
        }
        y += tall.max(1);
    }
    lines
}

/// The choice right of the one that is chosen on a line.
pub fn next_choice(screen: &Screen, line: usize) -> Option<(usize, usize)> {
    let area = Area { top: line - 12, bottom: line + 12, ..PANEL };
    let chosen = screen.patches(area, is(CHOSEN)).into_iter().find(|patch| patch.width() > 20)?;
    Some((chosen.right + 20, line))
}

/// Scrolls the panel to its end.
pub fn scroll_to_end(window: &mut Window) -> Screen {
    window.wheel((60, sliders(&window.look()).first().map_or(100, |slider| slider.handle.1)), -80);
    window.wait_for_rest(PANEL, std::time::Duration::from_millis(500))
}
