//! The colours of a GIF frame: those it has, if they are few, or else the best to stand for them.
//!
//! Colours are gathered in bins of 6 bits a channel, the bins split in boxes where they vary most, and each box is one
//! colour of the palette. A bin weighs the root of its pixels: a point of a few pixels on a wide dark ground is why the
//! picture is looked at, and by plain count its colour would be spent on shades of the ground.

/// Bits of a channel that a bin tells apart.
const BITS: u32 = 6;
const BINS: usize = 1 << (3 * BITS);
/// How much the eye sees of a difference in R, G and B.
const SEEN: [f32; 3] = [3.0, 4.0, 2.0];

type Rgb = [u8; 3];

/// Finds palettes, with memory that serves frame after frame.
pub(crate) struct Quantiser {
    counts: Vec<u32>,
    sums: Vec<[u64; 3]>,
    /// For every bin that is in use: its colour in the palette.
    nearest: Vec<u8>,
    used: Vec<u32>,
}

/// The colours of a frame.
pub(crate) struct Palette {
    /// At most 255.
    pub colours: Vec<Rgb>,
    /// Whether they are all the frame has, sorted.
    exact: bool,
}

/// A bin in use: the mean colour, its pixels and their weight.
#[derive(Clone, Copy)]
struct Bin {
    colour: [f32; 3],
    count: f32,
    weight: f32,
    bin: u32,
}

/// Bins that share a colour, from one place in their list to another.
struct Shared {
    start: usize,
    end: usize,
    /// How much they vary, in all and along each channel.
    spread: f32,
    along: [f32; 3],
    mean: [f32; 3],
}

impl Quantiser {
    pub(crate) fn new() -> Self {
        Self { counts: vec![0; BINS], sums: vec![[0; 3]; BINS], nearest: vec![0; BINS], used: Vec::new() }
    }

    /// A palette of at most `most` colours for some pixels.
    pub(crate) fn palette(&mut self, pixels: impl Iterator<Item = Rgb> + Clone, most: usize) -> Palette {
        if let Some(colours) = few(pixels.clone(), most) {
            return Palette { colours, exact: true };
        }
        for bin in self.used.drain(..) {
            self.counts[bin as usize] = 0;
            self.sums[bin as usize] = [0; 3];
        }
        for pixel in pixels {
            let bin = bin_of(pixel);
            if self.counts[bin] == 0 {
                self.used.push(bin as u32);
            }
            self.counts[bin] += 1;
            for (sum, channel) in self.sums[bin].iter_mut().zip(pixel) {
                *sum += u64::from(channel);
            }
        }
        let mut bins: Vec<Bin> = self.used.iter().map(|&bin| self.bin(bin)).collect();
        let colours = split(&mut bins, most);
        for bin in &bins {
            self.nearest[bin.bin as usize] = nearest(&colours, bin.colour);
        }
        Palette { colours, exact: false }
    }

    /// Which colour of the palette stands for a pixel it was made for.
    pub(crate) fn index(&self, palette: &Palette, pixel: Rgb) -> u8 {
        if palette.exact {
            palette.colours.binary_search(&pixel).unwrap_or_default() as u8
        } else {
            self.nearest[bin_of(pixel)]
        }
    }

    fn bin(&self, bin: u32) -> Bin {
        let count = self.counts[bin as usize] as f32;
        let colour = self.sums[bin as usize].map(|sum| sum as f32 / count);
        Bin { colour, count, weight: count.sqrt(), bin }
    }
}

/// The colours of some pixels, sorted, unless they are more than `most`.
fn few(pixels: impl Iterator<Item = Rgb>, most: usize) -> Option<Vec<Rgb>> {
    let mut colours: Vec<Rgb> = Vec::with_capacity(most);
    let mut last = None;
    for pixel in pixels {
        if last == Some(pixel) {
            continue; // neighbours are often alike
        }
        last = Some(pixel);
        if let Err(place) = colours.binary_search(&pixel) {
            if colours.len() == most {
                return None;
            }
            colours.insert(place, pixel);
        }
    }
    Some(colours)
}

fn bin_of(pixel: Rgb) -> usize {
    pixel.iter().fold(0, |bin, &channel| bin << BITS | usize::from(channel >> (8 - BITS)))
}

/// Splits the bins where they vary most until there are `most` boxes or nothing varies; a colour for each.
fn split(bins: &mut [Bin], most: usize) -> Vec<Rgb> {
    let mut boxes = vec![measure(bins, 0, bins.len())];
    while boxes.len() < most {
        let widest = (0..boxes.len()).max_by(|&a, &b| boxes[a].spread.total_cmp(&boxes[b].spread));
        let Some(widest) = widest.filter(|&widest| boxes[widest].spread > 0.0) else { break };
        let Shared { start, end, along, mean, .. } = boxes[widest];
        let axis = (0..3).max_by(|&a, &b| along[a].total_cmp(&along[b])).unwrap_or_default();
        let middle = start + halve(&mut bins[start..end], axis, mean[axis]);
        boxes[widest] = measure(bins, start, middle);
        boxes.push(measure(bins, middle, end));
    }
    boxes.iter().map(|shared| mean_colour(&bins[shared.start..shared.end])).collect()
}

/// Puts the bins below a value before those above it, both in the order they had; how many are below. Never none nor
/// all, also where rounding puts the mean at an end.
fn halve(bins: &mut [Bin], axis: usize, value: f32) -> usize {
    let (below, above): (Vec<Bin>, Vec<Bin>) = bins.iter().partition(|bin| bin.colour[axis] < value);
    let middle = below.len().clamp(1, bins.len() - 1);
    for (place, bin) in bins.iter_mut().zip(below.into_iter().chain(above)) {
        *place = bin;
    }
    middle
}

/// How much the bins from one place to another vary.
fn measure(bins: &[Bin], start: usize, end: usize) -> Shared {
    let bins = &bins[start..end];
    let weight: f32 = bins.iter().map(|bin| bin.weight).sum();
    let mean = [0, 1, 2].map(|axis| bins.iter().map(|bin| bin.colour[axis] * bin.weight).sum::<f32>() / weight);
    let along = [0, 1, 2].map(|axis| {
        SEEN[axis] * bins.iter().map(|bin| (bin.colour[axis] - mean[axis]).powi(2) * bin.weight).sum::<f32>()
    });
    let spread = if bins.len() > 1 { along.iter().sum() } else { 0.0 };
    Shared { start, end, spread, along, mean }
}

/// The mean over pixels, so that wide areas keep their colour.
fn mean_colour(bins: &[Bin]) -> Rgb {
    let count: f32 = bins.iter().map(|bin| bin.count).sum();
    [0, 1, 2].map(|axis| (bins.iter().map(|bin| bin.colour[axis] * bin.count).sum::<f32>() / count).round() as u8)
}

/// Which of the colours is nearest to the eye.
fn nearest(colours: &[Rgb], colour: [f32; 3]) -> u8 {
    let distance = |candidate: &Rgb| -> f32 {
        (0..3).map(|axis| SEEN[axis] * (f32::from(candidate[axis]) - colour[axis]).powi(2)).sum()
    };
    let nearest = (0..colours.len()).min_by(|&a, &b| distance(&colours[a]).total_cmp(&distance(&colours[b])));
    nearest.unwrap_or_default() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let pixels: Vec<Rgb> = (0..255u8).map(|i| [i, 255 - i, i / 2]).rev().collect();
        let mut quantiser = Quantiser::new();
        let palette = quantiser.palette(pixels.iter().copied(), 255);
        assert!(pixels.iter().all(|&pixel| palette.colours[usize::from(quantiser.index(&palette, pixel))] == pixel));
        let fewer = quantiser.palette(pixels.iter().copied(), 254);
        assert!(fewer.colours.len() <= 254);
        assert!(pixels.iter().any(|&pixel| fewer.colours[usize::from(quantiser.index(&fewer, pixel))] != pixel));
    }

    /// A wide dark ground with a slow gradient, and a few pixels each of saturated hues.
    fn points_on_dark() -> (Vec<Rgb>, Vec<Rgb>) {
        let ground: Vec<Rgb> = (0..200_000u32).map(|i| [(i % 23) as u8, (i % 29) as u8, 10 + (i % 31) as u8]).collect();
        let hues: Vec<Rgb> = (0..180u32)
            .map(|i| {
                let (up, down) = ((i % 60 * 4) as u8, 240 - (i % 60 * 4) as u8);
                [[down, up, 0], [0, down, up], [up, 0, down]][(i / 60) as usize]
            })
            .collect();
        (ground, hues)
    }

    #[test]
    fn rare_saturated_colours_survive_a_wide_dark_ground() {
        const MOST: f32 = 12.0;
        let (ground, hues) = points_on_dark();
        let pixels: Vec<Rgb> = ground.iter().copied().chain(hues.iter().flat_map(|&hue| [hue; 6])).collect();
        let mut quantiser = Quantiser::new();
        let palette = quantiser.palette(pixels.iter().copied(), 255);
        assert_eq!(palette.colours.len(), 255);
        let error = |pixel: Rgb| {
            let shown = palette.colours[usize::from(quantiser.index(&palette, pixel))];
            (0..3).map(|axis| f32::from(shown[axis].abs_diff(pixel[axis])).powi(2)).sum::<f32>().sqrt()
        };
        let worst = hues.iter().map(|&hue| error(hue)).fold(0.0, f32::max);
        assert!(worst <= MOST, "a hue is {worst} off, more than {MOST}");
        let worst = ground.iter().map(|&pixel| error(pixel)).fold(0.0, f32::max);
        assert!(worst <= MOST, "the ground is {worst} off, more than {MOST}");
    }

    #[test]
    fn a_palette_does_not_remember_the_frame_before() {
        let (ground, hues) = points_on_dark();
        let (mut fresh, mut worn) = (Quantiser::new(), Quantiser::new());
        worn.palette(hues.iter().copied(), 100);
        let (fresh, worn) =
            (fresh.palette(ground.iter().copied(), 100).colours, worn.palette(ground.iter().copied(), 100).colours);
        assert_eq!(fresh, worn);
    }
}
