//! Columns of a dataset into a colour per row, and the legend that explains them.
//!
//! ```text
//! column ─ Values ──── categories, numbers or colours, built once per column     (values)
//!           └ paint ── a colour per row and a legend, at every change of settings (paint)
//!              ├ palette  categories: Okabe–Ito, or colours spread over OKLab
//!              ├ ramp     numbers: perceptual ramps
//!              └ ticks    where a scale is marked, and in which words
//! ```
//!
//! # What is promised of colours
//! - The same categories have the same colours, whatever the order and number of their rows.
//! - Up to [`MAX_FEW`] categories take Okabe and Ito's colours in the order of their names, so there a category more or
//!   less moves those after it.
//! - Beyond that, a hash of the name chooses the colour, and only names that want the same one move aside: a category
//!   more or less changes the colours of few others, except where the palette must grow (see [`category_colours`]).
//! - No colour vanishes into a dark, light or black background; missing values are grey, and no category is
//!   (unless by hand).

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod choose;
mod date;
mod error;
mod hex;
mod oklab;
mod paint;
mod palette;
mod ramp;
mod settings;
#[cfg(test)]
mod support;
mod ticks;
mod values;

pub use choose::{colourable, default_colouring};
pub use error::ColourError;
pub use hex::{parse_hex, to_hex};
pub use oklab::{contrast, distance};
pub use paint::{Legend, LegendRow, Paint, ScaleLegend, paint, paint_numbers};
pub use palette::{MAX_FEW, MAX_PALETTE, category_colours, more_colours};
pub use ramp::Ramp;
pub use settings::{ColourBy, ColourSettings};
pub use ticks::{THOUSANDS, count_text, tick_text, ticks, value_text};
pub use values::{Categories, Kind, NO_CATEGORY, Numbers, Values};

/// A colour: sRGB, a byte per channel.
pub type Rgb = [u8; 3];

/// The colour of rows without a value: a grey halfway between dark and light.
pub const MISSING: Rgb = [0x80, 0x80, 0x80];

/// The colour of every row where nothing tells rows apart: a blue that reads on dark, light and black backgrounds.
pub const UNIFORM: Rgb = [0x5b, 0x9b, 0xd5];
