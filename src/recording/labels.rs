//! Names in the middle of their points.

use super::letters::{Letters, Weight};
use bevy::math::{Rect, Vec2};
use points::picture::Pixels;
use std::cmp::Reverse;

/// Height of the letters, as a share of the picture's.
const HEIGHT: f32 = 0.026;
/// How far from each other names stand at least, in heights.
const APART: f32 = 0.15;

/// A name, where it is seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub name: String,
    /// Pixels from the top left.
    pub at: Vec2,
    /// Points that bear it.
    pub count: usize,
}

/// Writes names over a picture: the larger first, none over another or over what is taken, and none cut off.
pub fn write_labels(letters: &Letters, pixels: &mut Pixels, labels: &[Label], taken: Vec<Rect>, dark: bool) {
    let (size, height) = (Vec2::new(pixels.width as f32, pixels.height as f32), HEIGHT * pixels.height as f32);
    for label in chosen(labels, size, taken, height, &|label| letters.area(&label.name, label.at, height)) {
        letters.write(pixels, &label.name, (label.at, height), Weight::Strong, dark);
    }
}

fn chosen<'a>(
    labels: &'a [Label],
    size: Vec2,
    mut taken: Vec<Rect>,
    height: f32,
    area: &dyn Fn(&Label) -> Rect,
) -> Vec<&'a Label> {
    let picture = Rect::from_corners(Vec2::ZERO, size);
    let mut order: Vec<&Label> = labels.iter().collect();
    order.sort_by_key(|label| Reverse(label.count));
    order.retain(|label| {
        let area = area(label);
        let free = !taken.iter().any(|other| !other.inflate(APART * height).intersect(area).is_empty());
        let whole = picture.contains(area.min) && picture.contains(area.max);
        if free && whole {
            taken.push(area);
        }
        free && whole
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str, x: f32, y: f32, count: usize) -> Label {
        Label { name: name.to_owned(), at: Vec2::new(x, y), count }
    }

    #[test]
    fn larger_ones_stand_and_those_in_their_way_or_cut_off_do_not() {
        let labels = [
            label("small", 52.0, 50.0, 3),
            label("large", 50.0, 50.0, 9),
            label("apart", 50.0, 80.0, 1),
            label("cut", 98.0, 20.0, 5),
            label("foot", 50.0, 95.0, 7),
        ];
        let area = |label: &Label| Rect::from_center_size(label.at, Vec2::new(20.0, 8.0));
        let foot = Rect::new(0.0, 90.0, 100.0, 100.0);
        let found = chosen(&labels, Vec2::splat(100.0), vec![foot], 8.0, &area);
        assert_eq!(found.iter().map(|label| label.name.as_str()).collect::<Vec<_>>(), ["large", "apart"]);
        let found = chosen(&labels, Vec2::splat(100.0), Vec::new(), 8.0, &area);
        assert_eq!(found.iter().map(|label| label.name.as_str()).collect::<Vec<_>>(), ["large", "foot", "apart"]);
    }

    #[test]
    fn names_are_written_around_their_places() {
        let mut pixels = Pixels { width: 400, height: 300, rgba: [30, 30, 30, 255].repeat(400 * 300) };
        write_labels(&Letters::default(), &mut pixels, &[label("seven", 100.0, 60.0, 1)], Vec::new(), false);
        let bright: Vec<(u32, u32)> =
            (0..300).flat_map(|y| (0..400).map(move |x| (x, y))).filter(|&(x, y)| pixels.at(x, y)[0] > 150).collect();
        assert!(bright.len() > 20, "{} bright pixels", bright.len());
        assert!(bright.iter().all(|&(x, y)| x.abs_diff(100) < 25 && y.abs_diff(60) < 6), "{bright:?}");
    }
}
