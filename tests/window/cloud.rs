//! What can be seen of a cloud: where it is, how large it is, and whether its colours keep together.

use super::screen::{Area, Rgb, Screen, apart, colourfulness};
use std::collections::{BTreeMap, VecDeque};

/// The part of the window that panels leave free, as the camera knows it.
pub const FREE: Area = Area::new(280, 28, 1000, 720);
/// The part of it that no line, hint or notice ever covers.
pub const CLEAR: Area = Area::new(281, 30, 999, 650);
/// As above, without panels.
pub const WHOLE: Area = Area::new(0, 0, 1280, 650);

/// A place in a corner of it, away from all points.
pub const ASIDE: (usize, usize) = (290, 640);

/// A pixel this far from the background shows a point.
const VISIBLE: u8 = 20;
/// Share of the pixels at each side that may be outliers.
const OUTLIERS: f64 = 0.005;
/// Colours this far apart in direction (radians) are different ones: light and fog change how bright they are only.
const SAME_HUE: f64 = 0.12;
/// Colours that are no farther from grey than this have no hue: greyed points.
const GREY: u8 = 15;
/// Pixels nearer to each other than this belong together.
const CELL: usize = 8;

/// Where a cloud is seen, but for outliers.
pub fn extent(screen: &Screen, area: Area) -> Option<Area> {
    let background = screen.background(area);
    let shown = screen.pixels_where(area, |pixel| apart(pixel, background) > VISIBLE);
    if shown.len() < 200 {
        return None; // text of a notice, not a cloud
    }
    let (mut xs, mut ys): (Vec<usize>, Vec<usize>) = shown.into_iter().unzip();
    xs.sort_unstable();
    ys.sort_unstable();
    let ends = |sorted: &[usize]| {
        let outliers = (sorted.len() as f64 * OUTLIERS) as usize;
        (sorted[outliers], sorted[sorted.len() - 1 - outliers] + 1)
    };
    let ((left, right), (top, bottom)) = (ends(&xs), ends(&ys));
    Some(Area::new(left, top, right, bottom))
}

/// Pixels of a cloud, and the share of them that are colourful.
pub fn colourful_share(screen: &Screen, area: Area) -> f64 {
    let background = screen.background(area);
    let shown = screen.count(area, |pixel| apart(pixel, background) > VISIBLE);
    let colourful = screen.count(area, |pixel| apart(pixel, background) > VISIBLE && colourfulness(pixel) > 30);
    colourful as f64 / shown.max(1) as f64
}

/// How a colour is spread: how many pixels have it, and the share of them in its two largest groups.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    pub pixels: usize,
    pub together: f64,
}

/// How each of these colours is spread over an area.
pub fn spreads(screen: &Screen, area: Area, colours: &[Rgb]) -> Vec<Spread> {
    let together = |pixels: &[_]| groups(pixels).iter().take(2).map(Vec::len).sum::<usize>();
    let share = |pixels: &[_]| together(pixels) as f64 / pixels.len().max(1) as f64;
    let pixels = pixels_of(screen, area, colours);
    pixels.iter().map(|pixels| Spread { pixels: pixels.len(), together: share(pixels) }).collect()
}

/// The pixels of an area that have each of these colours. A pixel has the colour whose direction from the background is
/// nearest to its own; one without a hue has none.
pub fn pixels_of(screen: &Screen, area: Area, colours: &[Rgb]) -> Vec<Vec<(usize, usize)>> {
    let background = screen.background(area);
    let mut pixels = vec![Vec::new(); colours.len()];
    let is_coloured = |pixel| apart(pixel, background) > VISIBLE && colourfulness(pixel) > GREY;
    for (x, y) in screen.pixels_where(area, is_coloured) {
        let angles = colours.iter().map(|&colour| angle(screen.at(x, y), colour, background));
        let nearest = angles.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
        if let Some((at, _)) = nearest.filter(|(_, angle)| *angle < SAME_HUE) {
            pixels[at].push((x, y));
        }
    }
    pixels
}

fn angle(a: Rgb, b: Rgb, background: Rgb) -> f64 {
    let away = |colour: Rgb| [0, 1, 2].map(|at| f64::from(colour[at]) - f64::from(background[at]));
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (a, b) = (away(a), away(b));
    (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).clamp(-1.0, 1.0).acos()
}

/// Pixels by the groups of neighbouring cells they are in, the largest group first.
pub fn groups(pixels: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
    let mut cells: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
    pixels.iter().for_each(|&(x, y)| cells.entry((x / CELL, y / CELL)).or_default().push((x, y)));
    let mut groups = Vec::new();
    while let Some((&first, _)) = cells.first_key_value() {
        let mut next = VecDeque::from([first]);
        let mut group = Vec::new();
        while let Some((x, y)) = next.pop_front() {
            let Some(cell) = cells.remove(&(x, y)) else { continue };
            group.extend(cell);
            next.extend((0..9).map(|at| ((x + at % 3).saturating_sub(1), (y + at / 3).saturating_sub(1))));
        }
        groups.push(group);
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

#[test]
fn colours_that_keep_together_are_told_from_scattered_ones() {
    let (red, blue) = ([200, 30, 30], [30, 30, 200]);
    let pixel = |at: usize| {
        let (x, y) = (at % 200, at / 200);
        match (x, y) {
            (20..60, 20..60) => red,
            _ if x % 40 == 0 && y % 40 == 0 => blue,
            _ => [10, 10, 10],
        }
    };
    let screen = Screen { width: 200, height: 200, pixels: (0..200 * 200).map(pixel).collect() };
    let all = Area::new(0, 0, 200, 200);
    let [one, other] = spreads(&screen, all, &[red, blue])[..] else { panic!("two colours") };
    assert!(one.together > 0.99 && one.pixels == 1600, "{one:?}");
    assert!(other.together < 0.2, "{other:?}");
    let grey = Screen { pixels: screen.pixels.iter().map(|pixel| [pixel[0]; 3]).collect(), ..screen.clone() };
    assert!(spreads(&grey, all, &[red, blue]).iter().all(|spread| spread.pixels == 0), "greyed points have no hue");
    assert_eq!(extent(&screen, Area::new(1, 1, 39, 200)), Some(Area::new(20, 20, 39, 60)));
}
