//! Where things are in the panel at the right, which tells what was found, and what is drawn over the cloud for it.
//! They are found by how they look. Dark theme.

use super::cloud::{CLEAR, FREE};
use super::display::Window;
use super::panel::{BUTTON, CHOSEN, GROUND, Slider, buttons, is, sliders_of};
use super::screen::{Area, Rgb, Screen, apart, colourfulness};

/// The panel, from edge to edge.
pub const FOUND: Area = Area::new(1001, 30, 1280, 720);
/// What is pointed out; the selection's side of a comparison.
pub const ACCENT: Rgb = [0x4c, 0x9a, 0xff];
/// The other side of a comparison.
const OTHERS: Rgb = [0xe6, 0x9f, 0x00];
/// Bars of the histogram: selection and others, as they are mixed with the panel.
const HISTOGRAM: [Rgb; 2] = [[0x3b, 0x75, 0xc0], [0x8b, 0x61, 0x13]];
/// Threads to neighbours that are kept, torn apart, and false.
const TIES: [Rgb; 3] = [[0x00, 0x9e, 0x73], [0xd5, 0x5e, 0x00], [0xcc, 0x79, 0xa7]];
/// Fill of fields of text and of the troughs of bars.
const FIELD: Rgb = [0x0d, 0x11, 0x17];
/// Edge of a field of text that has the keys.
const FOCUSED: Rgb = [0xff, 0xff, 0xff];
/// A place inside all bars, near where they begin.
const IN_BARS: usize = 1112;
/// Lines that are a pixel and a half wide are mixed with what is behind them, at worst a quarter of it.
const MIXED: u8 = 66;

/// The picture of the row that is inspected: the colourless part at the top of the panel.
pub fn picture(screen: &Screen) -> Option<Area> {
    /// The least share of its frame that a picture fills.
    const FILLS: f64 = 0.95;
    const TOP: Area = Area::new(1004, 56, 1100, 140);
    let pixels = screen.pixels_where(TOP, |pixel| colourfulness(pixel) <= 3);
    let area = Area::around(&pixels)?;
    let fills = pixels.len() as f64 / (area.width() * area.height()) as f64;
    let light = screen.count(area, |pixel| pixel[0] > 0x80);
    let is_picture = fills > FILLS && light > 100 && light < pixels.len() - 100;
    is_picture.then_some(area)
}

/// The card that tells of the point under the cursor: right of it and below.
pub fn tooltip(screen: &Screen, (x, y): (usize, usize)) -> Option<Area> {
    let beside =
        Area::new(x.saturating_sub(220).max(CLEAR.left), y, (x + 220).min(CLEAR.right), (y + 100).min(FREE.bottom));
    let mut cards = screen.patches(beside, is(GROUND));
    cards.retain(|card| card.width() > 60 && card.height() > 40);
    cards.into_iter().next()
}

/// Pixels of the three kinds of threads in an area: kept, torn apart, false.
pub fn threads(screen: &Screen, area: Area) -> [usize; 3] {
    TIES.map(|tie| screen.count(area, |pixel| apart(pixel, tie) <= 6))
}

/// Pixels of an area in the colour of what is pointed out.
pub fn pointed_out(screen: &Screen, area: Area) -> usize {
    screen.count(area, |pixel| apart(pixel, ACCENT) <= MIXED)
}

/// The slider that tells how finely clusters are told apart: the last of the panel.
pub fn granularity(screen: &Screen) -> Option<Slider> {
    sliders_of(screen, FOUND).pop()
}

/// The button of the tool that is in hand: the first choice of the panel, while no point is inspected.
pub fn tool(screen: &Screen) -> Option<Area> {
    let mut chosen = screen.patches(FOUND, is(CHOSEN));
    chosen.retain(|patch| patch.height() > 15 && patch.width() > 20);
    chosen.into_iter().min_by_key(|patch| patch.top)
}

/// The fields of text, from top to bottom: for a search, and for a name while something is selected.
pub fn fields(screen: &Screen) -> Vec<Area> {
    let mut fields = screen.patches(FOUND, is(FIELD));
    fields.retain(|field| field.width() > 150 && (14..30).contains(&field.height()));
    fields.sort_by_key(|field| field.top);
    fields
}

/// Whether keys go into a field.
pub fn is_focused(screen: &Screen, field: Area) -> bool {
    let around = Area::new(field.left - 3, field.top - 3, field.right + 3, field.bottom + 3);
    screen.count(around, is(FOCUSED)) > field.width()
}

/// The button that keeps the selection under the name in the field left of it.
pub fn keep_button(screen: &Screen) -> Option<(usize, usize)> {
    let name = fields(screen).pop()?;
    let row = Area::new(name.right, name.top - 3, FOUND.right, name.bottom + 3);
    let keep = screen.patches(row, is(BUTTON)).into_iter().find(|patch| patch.width() > 25)?;
    Some(keep.middle())
}

/// A bar: at which height it is, and how much of its trough is filled.
#[derive(Debug, Clone, Copy)]
pub struct Bar {
    pub y: usize,
    pub share: f64,
}

/// The bars of a comparison that are visible, from top to bottom.
pub fn bars(screen: &Screen) -> Vec<Bar> {
    let column = Area::new(IN_BARS, FOUND.top, IN_BARS + 1, FOUND.bottom);
    let bar = |patch: Area| {
        let y = patch.middle().1;
        let colour = screen.at(IN_BARS, y);
        let run = |wanted: &dyn Fn(Rgb) -> bool| {
            let left = (FOUND.left..=IN_BARS).rev().take_while(|&x| wanted(screen.at(x, y))).count();
            left + (IN_BARS + 1..FOUND.right).take_while(|&x| wanted(screen.at(x, y))).count()
        };
        let (filled, all) =
            (run(&is(colour)), run(&|pixel| is(colour)(pixel) || is(FIELD)(pixel) || mixed(pixel, colour)));
        (all > 60).then_some(Bar { y, share: filled as f64 / all as f64 })
    };
    let filled = |pixel| is(ACCENT)(pixel) || is(OTHERS)(pixel);
    let mut bars: Vec<Bar> = screen
        .patches(column, filled)
        .into_iter()
        .filter(|patch| (5..12).contains(&patch.height()))
        .filter_map(bar)
        .collect();
    bars.sort_by_key(|bar| bar.y);
    bars
}

/// A pixel at the end of what is filled: between the colour of the bar and that of its trough.
fn mixed(pixel: Rgb, colour: Rgb) -> bool {
    let between = |at: usize| (colour[at].min(FIELD[at])..=colour[at].max(FIELD[at])).contains(&pixel[at]);
    (0..3).all(between) && !is(GROUND)(pixel)
}

/// How much of the selection has the value that is the most frequent in it: the first bar below the last list.
pub fn largest_part(screen: &Screen) -> Option<f64> {
    let lists = buttons(screen, FOUND).into_iter().filter(|list| list.width() > 150);
    let made_of = lists.max_by_key(|list| list.top)?;
    Some(bars(screen).into_iter().find(|bar| bar.y > made_of.bottom)?.share)
}

/// Pixels of the histogram's two sides.
pub fn histogram(screen: &Screen) -> [usize; 2] {
    HISTOGRAM.map(|side| screen.count(FOUND, |pixel| apart(pixel, side) <= 6))
}

/// Scrolls the panel to its end.
pub fn scroll_to_end(window: &mut Window) -> Screen {
    window.wheel((FOUND.middle().0, FOUND.bottom - 40), -160);
    window.wait_for_rest(FOUND, super::digits::REST)
}

/// Scrolls the panel to its beginning.
pub fn scroll_to_start(window: &mut Window) -> Screen {
    window.wheel((FOUND.middle().0, FOUND.bottom - 40), 160);
    window.wait_for_rest(FOUND, super::digits::REST)
}
