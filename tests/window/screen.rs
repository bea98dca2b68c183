//! What is on the screen, and what can be said of it.

use std::collections::VecDeque;
use std::path::Path;

pub type Rgb = [u8; 3];

/// Channels may differ by this much and still count as the same: dithering, and fonts drawn at another place.
const SAME: u8 = 10;

/// A part of a screen: from the left and top edges up to, but without, the right and bottom ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
}

impl Area {
    pub const fn new(left: usize, top: usize, right: usize, bottom: usize) -> Self {
        Self { left, top, right, bottom }
    }

    pub fn width(&self) -> usize {
        self.right - self.left
    }

    pub fn height(&self) -> usize {
        self.bottom - self.top
    }

    pub fn middle(&self) -> (usize, usize) {
        ((self.left + self.right) / 2, (self.top + self.bottom) / 2)
    }

    /// The smallest area around some pixels, if there are any.
    pub fn around(pixels: &[(usize, usize)]) -> Option<Self> {
        let [xs, ys] = [|at: &(usize, usize)| at.0, |at: &(usize, usize)| at.1].map(|of| pixels.iter().map(of));
        let (left, right) = (xs.clone().min()?, xs.max()?);
        let (top, bottom) = (ys.clone().min()?, ys.max()?);
        Some(Self::new(left, top, right + 1, bottom + 1))
    }

    fn pixels(self) -> impl Iterator<Item = (usize, usize)> {
        (self.top..self.bottom).flat_map(move |y| (self.left..self.right).map(move |x| (x, y)))
    }
}

/// A picture: of the screen, or from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<Rgb>,
}

/// The furthest that two colours are apart in a channel.
pub fn apart(a: Rgb, b: Rgb) -> u8 {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
}

/// How far a colour is from grey.
pub fn colourfulness(colour: Rgb) -> u8 {
    colour.iter().max().unwrap() - colour.iter().min().unwrap()
}

impl Screen {
    pub fn at(&self, x: usize, y: usize) -> Rgb {
        self.pixels[y * self.width + x]
    }

    /// The pixels of an area that meet a condition.
    pub fn pixels_where(&self, area: Area, wanted: impl Fn(Rgb) -> bool) -> Vec<(usize, usize)> {
        area.pixels().filter(|&(x, y)| wanted(self.at(x, y))).collect()
    }

    pub fn count(&self, area: Area, wanted: impl Fn(Rgb) -> bool) -> usize {
        area.pixels().filter(|&(x, y)| wanted(self.at(x, y))).count()
    }

    /// The most frequent colour of an area: what lies behind everything else.
    pub fn background(&self, area: Area) -> Rgb {
        let mut counts = std::collections::HashMap::new();
        area.pixels().for_each(|(x, y)| *counts.entry(self.at(x, y)).or_insert(0) += 1);
        counts.into_iter().max_by_key(|(_, count)| *count).unwrap().0
    }

    /// True if no pixel of an area differs visibly.
    pub fn is_same(&self, other: &Self, area: Area) -> bool {
        area.pixels().all(|(x, y)| apart(self.at(x, y), other.at(x, y)) <= SAME)
    }

    /// Pixels of an area that differ visibly, as a share of those on which either picture shows anything at all:
    /// 0 for the same picture, 1 for one that has nothing in common with it.
    pub fn changed(&self, other: &Self, area: Area) -> f64 {
        let (mine, theirs) = (self.background(area), other.background(area));
        let (mut shown, mut changed) = (0, 0);
        for (x, y) in area.pixels() {
            let (a, b) = (self.at(x, y), other.at(x, y));
            shown += usize::from(apart(a, mine) > SAME || apart(b, theirs) > SAME);
            changed += usize::from(apart(a, b) > SAME);
        }
        changed as f64 / shown.max(1) as f64
    }

    /// Mean difference of the channels of an area, of 255, where either picture shows anything.
    pub fn mean_difference(&self, other: &Self, area: Area) -> f64 {
        let background = self.background(area);
        let (mut shown, mut sum) = (0, 0);
        for (x, y) in area.pixels() {
            let (a, b) = (self.at(x, y), other.at(x, y));
            if apart(a, background) > SAME || apart(b, background) > SAME {
                shown += 3;
                sum += a.iter().zip(b).map(|(a, b)| usize::from(a.abs_diff(b))).sum::<usize>();
            }
        }
        sum as f64 / f64::from(shown.max(1))
    }

    /// Patches of one colour in an area, from left to right: buttons, swatches, cards.
    pub fn patches(&self, area: Area, wanted: impl Fn(Rgb) -> bool) -> Vec<Area> {
        let mut seen = vec![false; self.pixels.len()];
        let mut found = Vec::new();
        for (x, y) in self.pixels_where(area, &wanted) {
            let mut patch = Area::new(x, y, x + 1, y + 1);
            let mut next = VecDeque::from([(x, y)]);
            while let Some((x, y)) = next.pop_front() {
                let inside = (area.left..area.right).contains(&x) && (area.top..area.bottom).contains(&y);
                if !inside || std::mem::replace(&mut seen[y * self.width + x], true) || !wanted(self.at(x, y)) {
                    continue;
                }
                patch = Area::new(patch.left.min(x), patch.top.min(y), patch.right.max(x + 1), patch.bottom.max(y + 1));
                next.extend([(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))]);
            }
            if patch.width() * patch.height() > 1 {
                found.push(patch);
            }
        }
        found.sort_by_key(|patch| patch.left);
        found
    }

    /// The same picture at a fraction of its size.
    pub fn smaller(&self, factor: usize) -> Self {
        let (width, height) = (self.width / factor, self.height / factor);
        let mean = |x: usize, y: usize, channel: usize| {
            let block = Area::new(x * factor, y * factor, (x + 1) * factor, (y + 1) * factor);
            let sum: usize = block.pixels().map(|(x, y)| usize::from(self.at(x, y)[channel])).sum();
            (sum / (factor * factor)) as u8
        };
        let all = Area::new(0, 0, width, height);
        let pixels = all.pixels().map(|(x, y)| [mean(x, y, 0), mean(x, y, 1), mean(x, y, 2)]).collect();
        Self { width, height, pixels }
    }

    /// The same picture, moved to the right and down; what comes in is the background.
    pub fn moved(&self, right: usize, down: usize) -> Self {
        let background = self.background(Area::new(0, 0, self.width, self.height));
        let from = |(x, y): (usize, usize)| Some((x.checked_sub(right)?, y.checked_sub(down)?));
        let all = Area::new(0, 0, self.width, self.height).pixels();
        let pixels = all.map(|place| from(place).map_or(background, |(x, y)| self.at(x, y))).collect();
        Self { pixels, ..*self }
    }

    /// Reads a picture, and its texts by their keys.
    pub fn read_png(path: &Path) -> (Self, Vec<(String, String)>) {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        reader.finish().unwrap();
        assert_eq!(frame.bit_depth, png::BitDepth::Eight);
        let pixels = bytes.chunks_exact(frame.color_type.samples()).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let screen = Self { width: frame.width as usize, height: frame.height as usize, pixels: pixels.collect() };
        let info = reader.info();
        let latin = info.uncompressed_latin1_text.iter().map(|text| (text.keyword.clone(), text.text.clone()));
        let utf8 = info.utf8_text.iter().map(|text| (text.keyword.clone(), text.get_text().unwrap()));
        (screen, latin.chain(utf8).collect())
    }

    /// Writes it, to be looked at.
    pub fn write_png(&self, path: &Path) {
        let file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(self.pixels.as_flattened()).unwrap();
    }
}
