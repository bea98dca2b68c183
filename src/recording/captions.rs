//! Large type at the foot of a picture.

use super::letters::{Letters, Weight};
use bevy::math::{Rect, Vec2};
use points::picture::Pixels;

/// Height of the letters, as a share of the picture's.
const HEIGHT: f32 = 0.055;
/// Distance of the last line from the bottom edge, and of lines from each other, in heights.
const BOTTOM: f32 = 1.4;
const LINE: f32 = 1.25;
/// Width of a line, as a share of the picture's.
const WIDTH: f32 = 0.86;

/// A text at the foot of a picture of a size, broken into lines.
pub struct Caption {
    lines: Vec<(String, Vec2)>,
    height: f32,
}

impl Caption {
    pub fn new(letters: &Letters, text: &str, (width, height): (u32, u32)) -> Self {
        let size = Vec2::new(width as f32, height as f32);
        let height = HEIGHT * size.y;
        let lines = wrapped(text, WIDTH * size.x, &|line| letters.width(line, height));
        let count = lines.len();
        let place = |at: usize| Vec2::new(size.x / 2.0, size.y - height * (BOTTOM + LINE * (count - 1 - at) as f32));
        Self { lines: lines.into_iter().enumerate().map(|(at, line)| (line, place(at))).collect(), height }
    }

    /// What its lines cover.
    pub fn areas(&self, letters: &Letters) -> Vec<Rect> {
        self.lines.iter().map(|(line, middle)| letters.area(line, *middle, self.height)).collect()
    }

    pub fn write(&self, letters: &Letters, pixels: &mut Pixels, dark: bool) {
        for (line, middle) in &self.lines {
            letters.write(pixels, line, (*middle, self.height), Weight::Fine, dark);
        }
    }
}

/// Lines that are no wider than allowed, broken between words.
fn wrapped(text: &str, most: f32, width: &dyn Fn(&str) -> f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split('\n') {
        let mut line = String::new();
        for word in part.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width(&longer) > most && !line.is_empty() {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            } else {
                line = longer;
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(text: &str) -> Pixels {
        let mut pixels = Pixels { width: 400, height: 240, rgba: [30, 30, 30, 255].repeat(400 * 240) };
        let letters = Letters::default();
        Caption::new(&letters, text, (400, 240)).write(&letters, &mut pixels, false);
        pixels
    }

    /// Rows of the picture that have letters.
    fn written(pixels: &Pixels) -> Vec<usize> {
        let bright = |row: &[u8]| row.chunks_exact(4).any(|pixel| pixel[0] > 200);
        pixels.rgba.chunks_exact(4 * 400).enumerate().filter(|(_, row)| bright(row)).map(|(y, _)| y).collect()
    }

    #[test]
    fn a_caption_stands_at_the_foot_and_a_long_one_takes_more_lines() {
        let (short, long) = (written(&picture("The ones split")), written(&picture(&"many words ".repeat(12))));
        assert!(!short.is_empty() && short[0] > 240 / 2 && short[short.len() - 1] < 240, "{short:?}");
        assert!(long.len() > 2 * short.len() && long[0] < short[0], "{long:?}");
        assert!(written(&picture("")).is_empty());
    }

    #[test]
    fn its_areas_hold_its_letters() {
        let letters = Letters::default();
        let areas = Caption::new(&letters, &"many words ".repeat(12), (400, 240)).areas(&letters);
        let rows = written(&picture(&"many words ".repeat(12)));
        assert!(areas.len() > 1);
        assert!(
            rows.iter().all(|&y| areas.iter().any(|area| (area.min.y..area.max.y).contains(&(y as f32)))),
            "{areas:?}"
        );
    }

    #[test]
    fn lines_break_between_words() {
        let width = |text: &str| text.len() as f32;
        assert_eq!(wrapped("one two three", 8.0, &width), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3.0, &width), ["unbreakable"]);
        assert_eq!(wrapped("a\nb", 9.0, &width), ["a", "b"]);
    }
}
