//! Whether a gap lies between two heaps of values, or only the noise of counting.
//!
//! The pooled values are smoothed by a Gaussian kernel. From the highest mode outwards, every place is compared with
//! the lowest between it and the mode; the highest place that stands out from that low by more than chance gives is the
//! second mode. Chance is that of counts: a weighted sum of counts c with weights w has the variance Σ c w².
//!
//! How wide the kernel is follows the number and spread of values *within* the groups (Silverman's rule), since the
//! spread of both together grows with the gap. The groups may ask for different widths: the widest at which a dip
//! stands out is taken, as wider ones follow fewer accidents. Both groups always have the same kernel; otherwise the
//! line along which a heap was cut in two would show as a dip.

use crate::histogram::MAX_BINS;
use crate::moments::Moments;
use crate::quantile::quantile;
use serde::Serialize;
use std::ops::RangeInclusive;

/// A gap between two modes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Dip {
    /// Where the density is lowest between the modes; the middle of the gap if it is empty.
    pub at: f64,
    /// 1 − density at the dip / density at the lower of the two modes: 0 is no dip, 1 an empty gap.
    pub depth: f64,
    /// Where the modes are, ascending.
    pub modes: [f64; 2],
}

/// A mode must exceed the dip by so many standard errors. Both places are chosen for being high or low, which makes
/// differences by chance larger than between places chosen beforehand: with two, 4 % of flat heaps show a dip that is
/// not there; with three, one in a thousand (7 of 8000), and hardly any of another shape (1 of 24 000).
const MIN_STANDARD_ERRORS: f64 = 3.0;

/// Cells that values are counted in before they are smoothed; the narrowest kernel covers several.
const CELLS: usize = 512;

/// The kernel ends after so many of its standard deviations.
const KERNEL_REACH: f64 = 4.0;

/// An interquartile range is so many standard deviations of a normal distribution.
const IQR_OF_NORMAL: f64 = 1.349;

/// What is to be known of a group's values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// From one tail to the other.
    pub range: [f64; 2],
    /// Silverman's width of a kernel.
    kernel_width: f64,
}

impl Sample {
    /// Measures finite values, leaving out a share at each end from the range; nothing of no values. Reorders them.
    pub fn of(values: &mut [f64], tail: f64) -> Option<Self> {
        let sd = Moments::of(values).sd();
        let range = [quantile(values, tail)?, quantile(values, 1.0 - tail)?];
        let iqr = quantile(values, 0.75)? - quantile(values, 0.25)?;
        let spread = if iqr > 0.0 { sd.min(iqr / IQR_OF_NORMAL) } else { sd };
        Some(Self { range, kernel_width: 0.9 * spread * (values.len() as f64).powf(-0.2) })
    }
}

/// The dip of both groups' values together, looked for within a range.
pub(crate) fn find_dip(a: &[f64], b: &[f64], samples: &[Sample], range: [f64; 2]) -> Option<Dip> {
    let cell = (range[1] - range[0]) / CELLS as f64;
    let mut cells = vec![0.0; CELLS];
    // What lies beyond is left out: heaped on the end cells it would make modes of its own.
    for value in a.iter().chain(b).filter(|&value| (range[0]..=range[1]).contains(value)) {
        cells[(((value - range[0]) / cell) as usize).min(CELLS - 1)] += 1.0;
    }
    // No narrower than a bin: what a histogram cannot show is no gap.
    let finest = (range[1] - range[0]) / MAX_BINS as f64;
    let widths = || samples.iter().map(|sample| sample.kernel_width.max(finest));
    let (narrowest, mut width) = (widths().min_by(f64::total_cmp)?, widths().max_by(f64::total_cmp)?);
    loop {
        let density = Density::of(&cells, width / cell);
        if let Some(found) = density.dip() {
            let place = |at: f64| range[0] + (at + 0.5) * cell;
            return Some(Dip { at: place(found.at), depth: found.depth, modes: found.modes.map(place) });
        }
        if width <= narrowest {
            return None;
        }
        width = (width / 2.0).max(narrowest);
    }
}

/// Smoothed counts of each cell.
struct Density {
    /// Σ c w over the cells around.
    height: Vec<f64>,
    /// Σ c w² over the cells around.
    variance: Vec<f64>,
}

impl Density {
    /// Smooths counts by a Gaussian kernel of a width in cells.
    fn of(counts: &[f64], width: f64) -> Self {
        let reach = ((width * KERNEL_REACH).ceil() as usize).min(counts.len() - 1);
        let kernel: Vec<f64> = (0..=reach).map(|step| (-0.5 * (step as f64 / width).powi(2)).exp()).collect();
        let smooth = |weight: fn(f64) -> f64| -> Vec<f64> {
            let at = |cell: usize| {
                let around = cell.saturating_sub(reach)..=(cell + reach).min(counts.len() - 1);
                around.map(|other| counts[other] * weight(kernel[cell.abs_diff(other)])).sum()
            };
            (0..counts.len()).map(at).collect()
        };
        Self { height: smooth(|weight| weight), variance: smooth(|weight| weight * weight) }
    }

    /// The dip beside the highest cell, in cells.
    fn dip(&self) -> Option<Dip> {
        let last = self.height.len() - 1;
        let top = self.highest(0..=last)?;
        let mut second: Option<usize> = None;
        let sides: [&mut dyn Iterator<Item = usize>; 2] = [&mut (top + 1..=last), &mut (0..top).rev()];
        for side in sides {
            let mut low = top;
            for cell in side {
                if self.height[cell] < self.height[low] {
                    low = cell;
                }
                let higher = second.is_none_or(|second| self.height[cell] > self.height[second]);
                if higher && self.stands_out(cell, low) {
                    second = Some(cell);
                }
            }
        }
        let second = second?;
        let modes = [top.min(second), top.max(second)];
        let (at, lowest) = self.lowest(modes[0]..=modes[1]);
        Some(Dip { at, depth: 1.0 - lowest / self.height[second], modes: modes.map(|mode| mode as f64) })
    }

    fn stands_out(&self, cell: usize, low: usize) -> bool {
        let chance = (self.variance[cell] + self.variance[low]).sqrt();
        self.height[cell] - self.height[low] > MIN_STANDARD_ERRORS * chance
    }

    fn highest(&self, mut cells: RangeInclusive<usize>) -> Option<usize> {
        let first = cells.next()?;
        Some(cells.fold(first, |best, cell| if self.height[cell] > self.height[best] { cell } else { best }))
    }

    /// The middle of the longest stretch of lowest cells, and how high they are.
    fn lowest(&self, cells: RangeInclusive<usize>) -> (f64, f64) {
        let (mut start, heights) = (*cells.start(), &self.height[cells]);
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let (mut at, mut longest) = (start as f64, 0);
        for stretch in heights.chunk_by(|left, right| left == right) {
            if stretch[0] == lowest && stretch.len() > longest {
                longest = stretch.len();
                at = start as f64 + (longest - 1) as f64 / 2.0;
            }
            start += stretch.len();
        }
        (at, lowest)
    }
}

#[cfg(test)]
mod tests;
