//! What rows are known by.

use crate::StreamError;
use dataset::arrow::array::{Array, ArrayRef, AsArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, Int64Type, UInt64Type};
use std::fmt;
use std::sync::Arc;

/// What a row is known by for as long as it lives.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A whole number with a sign.
    Integer(i64),
    /// A whole number without one; row numbers are.
    Unsigned(u64),
    /// Text.
    Text(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Unsigned(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

/// The type that keys of a column are read as; nothing if its values do not tell rows apart.
fn common_type(data_type: &DataType) -> Option<DataType> {
    match data_type {
        DataType::UInt64 => Some(DataType::UInt64),
        data_type if data_type.is_integer() => Some(DataType::Int64),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(DataType::LargeUtf8),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            Some(DataType::LargeBinary)
        }
        DataType::Dictionary(_, values) => common_type(values),
        _ => None,
    }
}

/// Says whether a column of this type can be a key.
pub(super) fn check_type(column: &str, data_type: &DataType) -> Result<(), StreamError> {
    match common_type(data_type) {
        Some(_) => Ok(()),
        None => Err(StreamError::KeyType { column: column.to_owned(), found: data_type.to_string() }),
    }
}

/// The keys of a column; a null is an error that names its row by `number`.
pub(super) fn keys(column: &str, values: &ArrayRef, number: impl Fn(usize) -> u64) -> Result<Vec<Key>, StreamError> {
    let found = || StreamError::KeyType { column: column.to_owned(), found: values.data_type().to_string() };
    let data_type = common_type(values.data_type()).ok_or_else(found)?;
    let values = cast(values, &data_type).map_err(|_| found())?;
    if let Some(row) = values.nulls().and_then(|nulls| (0..values.len()).find(|&row| nulls.is_null(row))) {
        return Err(StreamError::NullKey { column: column.to_owned(), row: number(row) });
    }
    Ok(match data_type {
        DataType::UInt64 => values.as_primitive::<UInt64Type>().values().iter().map(|&n| Key::Unsigned(n)).collect(),
        DataType::Int64 => values.as_primitive::<Int64Type>().values().iter().map(|&n| Key::Integer(n)).collect(),
        DataType::LargeUtf8 => values.as_string::<i64>().iter().flatten().map(|text| Key::Text(text.into())).collect(),
        _ => values.as_binary::<i64>().iter().flatten().map(|bytes| Key::Bytes(bytes.into())).collect(),
    })
}

/// Row numbers sent as a column of whole numbers.
pub(super) fn row_numbers(values: &ArrayRef) -> Result<Vec<Key>, StreamError> {
    let unsigned = |key: Key| match key {
        // A negative number is the number of no row: as a key it is unknown.
        Key::Integer(number) => Ok(u64::try_from(number).map_or(Key::Integer(number), Key::Unsigned)),
        Key::Unsigned(number) => Ok(Key::Unsigned(number)),
        _ => Err(StreamError::KeyType { column: crate::ROW_COLUMN.to_owned(), found: values.data_type().to_string() }),
    };
    keys(crate::ROW_COLUMN, values, |row| row as u64)?.into_iter().map(unsigned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dataset::arrow::array::{BinaryArray, DictionaryArray, Float32Array, Int32Array, StringArray, UInt64Array};
    use dataset::arrow::datatypes::Int8Type;

    fn of(array: impl Array + 'static) -> Result<Vec<Key>, StreamError> {
        keys("k", &(Arc::new(array) as ArrayRef), |row| row as u64 + 100)
    }

    #[test]
    fn keys_do_not_depend_on_how_a_column_is_stored() {
        assert_eq!(of(Int32Array::from(vec![-7, 3])).unwrap(), [Key::Integer(-7), Key::Integer(3)]);
        assert_eq!(of(UInt64Array::from(vec![u64::MAX])).unwrap(), [Key::Unsigned(u64::MAX)]);
        let plain = of(StringArray::from(vec!["b", "a", "b"])).unwrap();
        assert_eq!(plain, of(["b", "a", "b"].into_iter().collect::<DictionaryArray<Int8Type>>()).unwrap());
        assert_eq!(plain[1], Key::Text("a".into()));
        assert_eq!(of(BinaryArray::from_vec(vec![b"\x0f\xff"])).unwrap()[0].to_string(), "0fff");
    }

    #[test]
    fn nulls_and_fractions_are_no_keys() {
        let null = of(StringArray::from(vec![Some("a"), None])).unwrap_err().to_string();
        assert_eq!(null, "column \"k\" is null at row 101: every row needs a key");
        let fraction = of(Float32Array::from(vec![1.0])).unwrap_err().to_string();
        assert!(fraction.starts_with("column \"k\" holds Float32: rows are known by whole numbers"), "{fraction}");
    }
}
