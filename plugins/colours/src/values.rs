//! The values of a column in the form that colours are made from.

use crate::{ColourError, MAX_PALETTE, Rgb, category_colours, colourable, more_colours, parse_hex};
use dataset::arrow::array::{Array, ArrayRef, AsArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, Float64Type, Int64Type, TimeUnit};
use dataset::arrow::error::ArrowError;
use dataset::{Dataset, Role, natural_order};
use std::collections::{BTreeMap, HashMap};

/// The code of a row without a category.
pub const NO_CATEGORY: u32 = u32::MAX;

/// Beyond a core (1st to 99th percentile) more than so many times narrower than the extent lie outliers.
const OUTLIER_STRETCH: f64 = 2.0;

/// The values of a column, row by row; built once per column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Names that many rows share.
    Categories(Categories),
    /// Numbers and times.
    Numbers(Numbers),
    /// Colours that the column itself gives; `None` where there is none.
    Direct(Vec<Option<Rgb>>),
}

impl Values {
    /// Reads a column of the dataset by its role.
    ///
    /// # Errors
    /// If there is no such column or it has no colours (text, images, vectors, ignored); the message names those that
    /// have.
    pub fn of_column(data: &Dataset, name: &str) -> Result<Self, ColourError> {
        let names = || colourable(data).into_iter().map(|(name, _)| name).collect();
        let role = data.roles.iter().find(|(column, _)| column == name).map(|&(_, role)| role);
        let Some(role) = role else {
            return Err(ColourError::NoSuchColumn { column: name.to_owned(), colourable: names() });
        };
        let read = match role {
            Role::Categorical => Categories::of_array,
            Role::Continuous => Numbers::of_array,
            Role::Timestamp => Numbers::of_times,
            Role::Color => direct,
            Role::Vector | Role::Text | Role::Image | Role::Ignored => {
                return Err(ColourError::NotColourable { column: name.to_owned(), role, colourable: names() });
            }
        };
        let Some(array) = data.attributes.column_by_name(name) else {
            return Err(ColourError::NoSuchColumn { column: name.to_owned(), colourable: names() });
        };
        read(array).map_err(|_| ColourError::WrongType {
            column: name.to_owned(),
            role,
            found: array.data_type().to_string(),
            colourable: names(),
        })
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Categories(categories) => categories.codes.len(),
            Self::Numbers(numbers) => numbers.values.len(),
            Self::Direct(colours) => colours.len(),
        }
    }

    /// A row's value for people to read; nothing where it is missing.
    #[must_use]
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Categories(categories) => categories.name(row).map(str::to_owned),
            Self::Numbers(numbers) => {
                let value = *numbers.values.get(row)?;
                (!value.is_nan()).then(|| crate::value_text(value, numbers.kind))
            }
            Self::Direct(colours) => colours.get(row).copied().flatten().map(crate::to_hex),
        }
    }
}

/// The categories of a column. Only names that some row has are among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Categories {
    /// The names in the order people expect: numbers by value, then texts.
    pub names: Vec<String>,
    /// The place in `names` of each row's category; [`NO_CATEGORY`] where it is missing.
    pub codes: Vec<u32>,
    /// Number of rows of each of `names`.
    pub counts: Vec<usize>,
    /// Number of rows without a category.
    pub missing: usize,
    /// The palette's colour for each of `names`.
    pub colours: Vec<Rgb>,
}

impl Categories {
    /// The categories of rows whose names are given in order.
    pub fn of_names<'a>(rows: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let mut names = Vec::new();
        let code = |name: Option<&'a str>| {
            let Some(name) = name else { return NO_CATEGORY };
            *seen.entry(name).or_insert_with(|| {
                names.push(name.to_owned());
                names.len() as u32 - 1
            })
        };
        let codes = rows.into_iter().map(code).collect();
        Self::of_codes(names, codes)
    }

    /// Sorts and counts names (distinct) that rows refer to by place.
    fn of_codes(names: Vec<String>, mut codes: Vec<u32>) -> Self {
        let mut counts = vec![0; names.len()];
        let mut missing = 0;
        for &code in &codes {
            *counts.get_mut(code as usize).unwrap_or(&mut missing) += 1;
        }
        let mut order: Vec<usize> = (0..names.len()).filter(|&place| counts[place] > 0).collect();
        order.sort_by(|&left, &right| natural_order(&names[left], &names[right]));
        let mut new_code = vec![NO_CATEGORY; names.len()];
        for (new, &old) in order.iter().enumerate() {
            new_code[old] = new as u32;
        }
        for code in &mut codes {
            *code = new_code.get(*code as usize).copied().unwrap_or(NO_CATEGORY);
        }
        let names: Vec<String> = order.iter().map(|&place| names[place].clone()).collect();
        let counts = order.iter().map(|&place| counts[place]).collect();
        let colours = category_colours(&names);
        Self { names, codes, counts, missing, colours }
    }

    /// Gives categories that were seen before the colours they had, and those that are new to `known` others: where rows
    /// come and go, so do categories, and nobody else's colour changes for it.
    pub fn keep_colours(&mut self, known: &mut BTreeMap<String, Rgb>) {
        if known.len() > MAX_PALETTE {
            known.retain(|name, _| self.names.contains(name)); // an endless stream of names
        }
        if !known.is_empty() {
            let new: Vec<&String> = self.names.iter().filter(|name| !known.contains_key(*name)).collect();
            let used: Vec<Rgb> = known.values().copied().collect();
            known.extend(new.iter().map(|name| (*name).clone()).zip(more_colours(&used, new.len())));
            let of_name = |(name, colour): (&String, &Rgb)| known.get(name).copied().unwrap_or(*colour);
            self.colours = self.names.iter().zip(&self.colours).map(of_name).collect();
        }
        known.extend(self.names.iter().cloned().zip(self.colours.iter().copied()));
    }

    fn of_array(array: &ArrayRef) -> Result<Values, ArrowError> {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            let values = Self::of_plain_array(dictionary.values())?;
            if values.codes.is_empty() {
                return Ok(Values::Categories(Self::of_codes(Vec::new(), vec![NO_CATEGORY; array.len()])));
            }
            let keys = dictionary.normalized_keys(); // null keys are somewhere, too
            let code = |(row, key): (usize, usize)| if array.is_null(row) { NO_CATEGORY } else { values.codes[key] };
            let codes = keys.into_iter().enumerate().map(code).collect();
            return Ok(Values::Categories(Self::of_codes(values.names, codes)));
        }
        Self::of_plain_array(array).map(Values::Categories)
    }

    fn of_plain_array(array: &ArrayRef) -> Result<Self, ArrowError> {
        let floating = array.data_type().is_floating();
        let texts = cast(array, &DataType::LargeUtf8)?;
        let texts = texts.as_string::<i64>().iter();
        Ok(Self::of_names(texts.map(|text| text.filter(|&text| !(floating && text == "NaN")))))
    }

    /// The name of a row's category.
    #[must_use]
    pub fn name(&self, row: usize) -> Option<&str> {
        self.names.get(*self.codes.get(row)? as usize).map(String::as_str)
    }
}

/// What numbers measure, which decides how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any number.
    Real,
    /// Whole numbers.
    Integer,
    /// Points in time: seconds since 1970-01-01, UTC.
    Time,
    /// Times of day: seconds since midnight.
    TimeOfDay,
    /// Durations: seconds.
    Duration,
}

/// The numbers of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// One for each row; NaN where it is missing. Infinities take the colours of the ramp's ends.
    pub values: Vec<f64>,
    /// What they measure.
    pub kind: Kind,
    /// The least and the greatest finite value; zeros if there is none.
    pub extent: [f64; 2],
    /// The range that colours follow by default: the extent, or from the 1st to the 99th percentile where outliers
    /// stretch the extent to more than twice that.
    pub robust: [f64; 2],
    /// Number of rows without a value.
    pub missing: usize,
}

impl Numbers {
    /// Measures the extent of values.
    #[must_use]
    pub fn new(values: Vec<f64>, kind: Kind) -> Self {
        let missing = values.iter().filter(|value| value.is_nan()).count();
        let mut finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        let (extent, robust) = match finite.len() {
            0 => ([0.0; 2], [0.0; 2]),
            count => {
                let mut rank = |place: usize| *finite.select_nth_unstable_by(place, f64::total_cmp).1;
                let extent = [rank(0), rank(count - 1)];
                let core = [rank((count - 1) / 100), rank(count - 1 - (count - 1) / 100)];
                let (all, most) = (extent[1] - extent[0], core[1] - core[0]);
                (extent, if most > 0.0 && all > OUTLIER_STRETCH * most { core } else { extent })
            }
        };
        Self { values, kind, extent, robust, missing }
    }

    /// Whether these are points in time, shown as dates.
    #[must_use]
    pub fn is_time(&self) -> bool {
        self.kind == Kind::Time
    }

    /// Whether these are whole numbers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.kind == Kind::Integer
    }

    fn of_array(array: &ArrayRef) -> Result<Values, ArrowError> {
        let array = plain(array)?;
        if array.data_type().is_temporal() {
            return Self::of_times(&array);
        }
        let kind = if array.data_type().is_integer() { Kind::Integer } else { Kind::Real };
        let numbers = cast(&array, &DataType::Float64)?;
        let numbers = numbers.as_primitive::<Float64Type>();
        Ok(Values::Numbers(Self::new(numbers.iter().map(|value| value.unwrap_or(f64::NAN)).collect(), kind)))
    }

    /// Text is read as ISO 8601; plain integers count seconds since 1970.
    fn of_times(array: &ArrayRef) -> Result<Values, ArrowError> {
        let mut array = plain(array)?;
        if matches!(array.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
            array = cast(&array, &DataType::Timestamp(TimeUnit::Microsecond, None))?;
        }
        let per_second = |unit: &TimeUnit| match unit {
            TimeUnit::Second => 1.0,
            TimeUnit::Millisecond => 1e3,
            TimeUnit::Microsecond => 1e6,
            TimeUnit::Nanosecond => 1e9,
        };
        let (kind, secs, per) = match array.data_type() {
            DataType::Date32 => (Kind::Time, crate::date::DAY_SECS, 1.0),
            DataType::Date64 => (Kind::Time, 1.0, 1e3),
            DataType::Timestamp(unit, _) => (Kind::Time, 1.0, per_second(unit)),
            DataType::Time32(unit) | DataType::Time64(unit) => (Kind::TimeOfDay, 1.0, per_second(unit)),
            DataType::Duration(unit) => (Kind::Duration, 1.0, per_second(unit)),
            _ => (Kind::Time, 1.0, 1.0),
        };
        let ticks = cast(&array, &DataType::Int64)?;
        let ticks = ticks.as_primitive::<Int64Type>().iter();
        let values = ticks.map(|ticks| ticks.map_or(f64::NAN, |ticks| ticks as f64 * secs / per)).collect();
        Ok(Values::Numbers(Self::new(values, kind)))
    }
}

/// The same values without a dictionary.
fn plain(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::Dictionary(_, values) => cast(array, values),
        _ => Ok(array.clone()),
    }
}

fn direct(array: &ArrayRef) -> Result<Values, ArrowError> {
    let texts = cast(array, &DataType::LargeUtf8)?;
    Ok(Values::Direct(texts.as_string::<i64>().iter().map(|text| text.and_then(parse_hex)).collect()))
}

#[cfg(test)]
mod tests;
