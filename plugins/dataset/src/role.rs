//! What a column is good for.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a column is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Part of the vectors.
    Vector,
    /// A few values that many rows share.
    Categorical,
    /// Numbers on a scale.
    Continuous,
    /// Strings that tell rows apart.
    Text,
    /// `#rgb` or `#rrggbb`.
    Color,
    /// Bytes of an image file.
    Image,
    /// Dates, times and durations.
    Timestamp,
    /// Nothing the program can show; kept for the output.
    Ignored,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vector => "vector",
            Self::Categorical => "categorical",
            Self::Continuous => "continuous",
            Self::Text => "text",
            Self::Color => "color",
            Self::Image => "image",
            Self::Timestamp => "timestamp",
            Self::Ignored => "ignored",
        })
    }
}

/// Strings with more distinct values than this are text.
const MAX_STRING_CATEGORIES: usize = 1000;
/// Integers with more distinct values than this are numbers.
const MAX_INTEGER_CATEGORIES: usize = 256;

impl Role {
    /// The role that the type alone decides; strings, dictionaries and integers need their values looked at.
    pub(crate) fn of_type(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => None,
            DataType::Dictionary(_, values) if is_string(values) => None,
            data_type if data_type.is_integer() => None,
            DataType::Dictionary(..) | DataType::Boolean => Some(Self::Categorical),
            data_type if data_type.is_numeric() => Some(Self::Continuous),
            data_type if data_type.is_temporal() => Some(Self::Timestamp),
            data_type if is_binary(data_type) => Some(Self::Image),
            DataType::Struct(fields) if fields.iter().any(|f| f.name() == "bytes" && is_binary(f.data_type())) => {
                Some(Self::Image) // as Hugging Face stores images
            }
            _ => Some(Self::Ignored),
        }
    }
}

fn is_string(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn is_binary(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

/// What the values of a column seen so far say about its role. Batches may come in any order and from any thread.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    data_type: DataType,
    rows: usize,
    /// Hashes of distinct values, no more than are needed to tell categories from the rest.
    distinct: HashSet<u64>,
    any_value: bool,
    all_colors: bool,
}

impl Evidence {
    pub fn new(data_type: &DataType) -> Self {
        let data_type = data_type.clone();
        Self { data_type, rows: 0, distinct: HashSet::new(), any_value: false, all_colors: true }
    }

    /// Looks at more rows.
    pub fn observe(&mut self, array: &ArrayRef) {
        self.rows += array.len();
        match self.data_type.clone() {
            DataType::Dictionary(..) => {
                // Values that no row uses count too; for a guess that is near enough.
                let values = array.as_any_dictionary_opt().map(|dictionary| dictionary.values());
                values.into_iter().for_each(|values| self.observe_strings(values));
            }
            data_type if is_string(&data_type) => self.observe_strings(array),
            data_type if data_type.is_integer() => self.observe_integers(array),
            _ => {}
        }
    }

    fn observe_strings(&mut self, array: &ArrayRef) {
        match array.data_type() {
            DataType::Utf8 => array.as_string::<i32>().iter().flatten().for_each(|text| self.observe_string(text)),
            DataType::LargeUtf8 => array.as_string::<i64>().iter().flatten().for_each(|text| self.observe_string(text)),
            DataType::Utf8View => array.as_string_view().iter().flatten().for_each(|text| self.observe_string(text)),
            _ => {}
        }
    }

    fn observe_string(&mut self, text: &str) {
        self.any_value = true;
        self.all_colors = self.all_colors && is_color(text);
        if self.distinct.len() <= MAX_STRING_CATEGORIES {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            self.distinct.insert(hasher.finish());
        }
    }

    fn observe_integers(&mut self, array: &ArrayRef) {
        if self.distinct.len() > MAX_INTEGER_CATEGORIES {
            return;
        }
        let Ok(integers) = cast(array, &DataType::Int64) else { return };
        for value in integers.as_primitive::<Int64Type>().iter().flatten() {
            self.distinct.insert(value as u64);
            if self.distinct.len() > MAX_INTEGER_CATEGORIES {
                return;
            }
        }
    }

    /// Adds what another thread saw.
    pub fn merge(&mut self, other: Self) {
        self.rows += other.rows;
        self.any_value |= other.any_value;
        self.all_colors &= other.all_colors;
        self.distinct.extend(other.distinct);
    }

    /// The role that fits what was seen.
    pub fn role(&self) -> Role {
        if let Some(role) = Role::of_type(&self.data_type) {
            return role;
        }
        if self.any_value && self.all_colors {
            return Role::Color;
        }
        let repeats = self.distinct.len() * 2 <= self.rows;
        if self.data_type.is_integer() {
            let few = self.distinct.len() <= MAX_INTEGER_CATEGORIES;
            return if few && repeats { Role::Categorical } else { Role::Continuous };
        }
        let dictionary = matches!(self.data_type, DataType::Dictionary(..));
        let few = self.distinct.len() <= MAX_STRING_CATEGORIES && repeats;
        if dictionary || few { Role::Categorical } else { Role::Text }
    }
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default().as_bytes();
    matches!(digits.len(), 3 | 6) && digits.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{BinaryArray, BooleanArray, DictionaryArray, Float32Array, Int32Array, StringArray};
    use arrow::array::{StructArray, TimestampSecondArray};
    use arrow::datatypes::{Field, Int8Type};
    use std::sync::Arc;

    fn role(array: impl Array + 'static) -> Role {
        let array: ArrayRef = Arc::new(array);
        let mut evidence = Evidence::new(array.data_type());
        evidence.observe(&array);
        evidence.role()
    }

    #[test]
    fn roles_follow_types_and_values() {
        let words = |count: usize| StringArray::from_iter_values((0..100).map(|i| format!("word {}", i % count)));
        assert_eq!(role(words(7)), Role::Categorical);
        assert_eq!(role(words(90)), Role::Text);
        assert_eq!(role(StringArray::from(vec![Some("#fff"), None, Some("#12aBcD")])), Role::Color);
        assert_eq!(role(StringArray::from(vec![Some("#fff"), Some("#ggg")])), Role::Text);
        assert_eq!(role(StringArray::from(vec![None::<&str>, None])), Role::Categorical);
        assert_eq!(role(Int32Array::from_iter_values((0..1000).map(|i| i % 10))), Role::Categorical);
        assert_eq!(role(Int32Array::from_iter_values(0..1000)), Role::Continuous);
        assert_eq!(role(BooleanArray::from(vec![true])), Role::Categorical);
        assert_eq!(role(Float32Array::from(vec![1.0, 1.0])), Role::Continuous);
        assert_eq!(role(TimestampSecondArray::from(vec![1])), Role::Timestamp);
        assert_eq!(role(BinaryArray::from_vec(vec![b"png"])), Role::Image);
        assert_eq!(role(["a", "b"].into_iter().collect::<DictionaryArray<Int8Type>>()), Role::Categorical);
        assert_eq!(role(["#abc", "#def"].into_iter().collect::<DictionaryArray<Int8Type>>()), Role::Color);
        let bytes: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"png"]));
        let path: ArrayRef = Arc::new(StringArray::from(vec!["a.png"]));
        let fields = [("bytes", bytes), ("path", path)];
        let fields = fields.map(|(name, array)| (Arc::new(Field::new(name, array.data_type().clone(), true)), array));
        assert_eq!(role(StructArray::from(fields.to_vec())), Role::Image);
    }

    #[test]
    fn evidence_from_two_threads_adds_up() {
        let see = |range: std::ops::Range<i32>| {
            let array: ArrayRef = Arc::new(Int32Array::from_iter_values(range.clone().chain(range)));
            let mut evidence = Evidence::new(array.data_type());
            evidence.observe(&array);
            evidence
        };
        let mut few = see(0..200);
        assert_eq!(few.role(), Role::Categorical);
        few.merge(see(200..400));
        assert_eq!(few.role(), Role::Continuous);
    }
}
