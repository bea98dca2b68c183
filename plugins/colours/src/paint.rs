//! Values into a colour per row and the legend beside them.

use crate::ramp::colour_at;
use crate::{Categories, ColourSettings, Kind, MISSING, NO_CATEGORY, Numbers, Ramp, Rgb, UNIFORM, Values, ticks};

/// The colours of all rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Paint {
    /// The full colour of each row, greyed or not.
    pub colours: Vec<Rgb>,
    /// Whether each row is greyed; empty if none is. How grey looks is up to whoever draws.
    pub greyed: Vec<bool>,
    /// What the colours mean.
    pub legend: Legend,
    /// Rows without a value, in [`MISSING`]'s grey.
    pub missing: usize,
}

/// What colours mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Legend {
    /// Nothing: all rows have one colour.
    Uniform,
    /// A colour for each category, in the order people expect of names.
    Categories(Vec<LegendRow>),
    /// A ramp for numbers.
    Scale(ScaleLegend),
    /// Colours that the column itself gives.
    Direct {
        /// Number of different colours.
        distinct: usize,
        /// Rows without a colour.
        missing: usize,
    },
}

/// A category of a legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendRow {
    /// The category.
    pub name: String,
    /// Number of its rows.
    pub count: usize,
    /// Its full colour, greyed or not.
    pub colour: Rgb,
    /// Whether its rows are greyed.
    pub greyed: bool,
}

/// The scale of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleLegend {
    /// The colours, from low to high.
    pub ramp: Ramp,
    /// What the numbers measure: [`crate::value_text`] writes the ends of `extent` and `range` accordingly.
    pub kind: Kind,
    /// The least and the greatest value there are (or can be).
    pub extent: [f64; 2],
    /// The values at the ramp's beginning and end; values outside have the colour of the nearer end.
    pub range: [f64; 2],
    /// Marks: place on the ramp, 0 to 1 and rising, and text. None if no row has a value.
    pub ticks: Vec<(f64, String)>,
    /// Rows without a value.
    pub missing: usize,
}

/// The colours of `rows` rows by their values; without values all have [`UNIFORM`]. Rows beyond the values are grey, as
/// missing ones are. Of the settings, `by` and `labels` have no effect here: the caller fetches the values.
#[must_use]
pub fn paint(values: Option<&Values>, rows: usize, settings: &ColourSettings) -> Paint {
    let mut paint = match values {
        None => Paint { colours: vec![UNIFORM; rows], greyed: Vec::new(), legend: Legend::Uniform, missing: 0 },
        Some(Values::Categories(categories)) => paint_categories(categories, settings),
        Some(Values::Numbers(numbers)) => {
            let Numbers { values, kind, extent, robust, missing } = numbers;
            let scale = Scale { kind: *kind, extent: *extent, default_range: *robust, missing: *missing };
            paint_scale(values.iter().copied(), scale, settings)
        }
        Some(Values::Direct(colours)) => paint_direct(colours),
    };
    paint.colours.resize(rows, MISSING);
    if !paint.greyed.is_empty() {
        paint.greyed.resize(rows, settings.isolated.is_some());
    }
    paint
}

/// The colours of figures that belong to no column, such as how much of each point's neighbourhood is kept. `extent` is
/// the least and greatest that such a figure can be, and the default range; NaN is missing.
#[must_use]
pub fn paint_numbers(values: &[f32], extent: [f32; 2], settings: &ColourSettings) -> Paint {
    let extent = extent.map(f64::from);
    let missing = values.iter().filter(|value| value.is_nan()).count();
    let scale = Scale { kind: Kind::Real, extent, default_range: extent, missing };
    paint_scale(values.iter().map(|&value| f64::from(value)), scale, settings)
}

fn paint_categories(categories: &Categories, settings: &ColourSettings) -> Paint {
    let isolated = settings.isolated.as_ref().filter(|name| categories.names.contains(name));
    let row = |(place, name): (usize, &String)| LegendRow {
        name: name.clone(),
        count: categories.counts[place],
        colour: settings.overrides.get(name).copied().unwrap_or(categories.colours[place]),
        greyed: isolated.map_or_else(|| settings.greyed.contains(name), |isolated| isolated != name),
    };
    let legend: Vec<LegendRow> = categories.names.iter().enumerate().map(row).collect();
    let colours: Vec<Rgb> = legend.iter().map(|row| row.colour).collect();
    let greyed: Vec<bool> = legend.iter().map(|row| row.greyed).collect();
    let colour_of = |&code: &u32| colours.get(code as usize).copied().unwrap_or(MISSING);
    let greyed_of = |&code: &u32| if code == NO_CATEGORY { isolated.is_some() } else { greyed[code as usize] };
    let any_greyed = greyed.contains(&true) || (isolated.is_some() && categories.missing > 0);
    Paint {
        colours: categories.codes.iter().map(colour_of).collect(),
        greyed: if any_greyed { categories.codes.iter().map(greyed_of).collect() } else { Vec::new() },
        legend: Legend::Categories(legend),
        missing: categories.missing,
    }
}

/// What a ramp needs to know of the numbers.
struct Scale {
    kind: Kind,
    extent: [f64; 2],
    default_range: [f64; 2],
    missing: usize,
}

fn paint_scale(values: impl ExactSizeIterator<Item = f64>, scale: Scale, settings: &ColourSettings) -> Paint {
    let Scale { kind, extent, default_range, missing } = scale;
    let asked = settings.range.filter(|range| range.iter().all(|end| end.is_finite()));
    let range = asked.unwrap_or(default_range);
    let any_value = missing < values.len();
    let table = settings.ramp.table();
    let [first, last] = range.map(|end| end / 2.0); // half of the widest range is still finite
    let width = last - first;
    let place = |value: f64| match (value / 2.0 - first) / width {
        place if place.is_nan() && !value.is_nan() => 0.5, // at the one value of a range without width
        place => place,                                    // infinite beside it: an end of the ramp
    };
    let ticks = if any_value { ticks(range, kind) } else { Vec::new() };
    Paint {
        colours: values.map(|value| colour_at(table, place(value))).collect(),
        greyed: Vec::new(),
        legend: Legend::Scale(ScaleLegend { ramp: settings.ramp, kind, extent, range, ticks, missing }),
        missing,
    }
}

fn paint_direct(colours: &[Option<Rgb>]) -> Paint {
    let mut seen = vec![0u64; 1 << 18]; // a bit for every colour there is
    let mut missing = 0;
    for colour in colours {
        let Some([red, green, blue]) = *colour else {
            missing += 1;
            continue;
        };
        let place = usize::from(red) << 16 | usize::from(green) << 8 | usize::from(blue);
        seen[place / 64] |= 1 << (place % 64);
    }
    let distinct = seen.iter().map(|bits| bits.count_ones() as usize).sum();
    Paint {
        colours: colours.iter().map(|colour| colour.unwrap_or(MISSING)).collect(),
        greyed: Vec::new(),
        legend: Legend::Direct { distinct, missing },
        missing,
    }
}

#[cfg(test)]
mod tests;
