//! Numeric columns, and which columns are compared at all.

use crate::effect::Effect;
use crate::moments::Moments;
use crate::ranks::{auc, key64};
use crate::{Cancelled, Composition, Data, ExplainError, Groups};
use dataset::Role;
use dataset::arrow::array::{Array, ArrayRef, AsArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, Float64Type};
use dataset::arrow::error::ArrowError;
use rayon::prelude::*;
use serde::Serialize;

/// A column that could have been compared and was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The column.
    pub column: String,
    /// Why, for people to read.
    pub reason: String,
}

/// What the columns say.
#[derive(Default)]
pub(crate) struct Columns {
    pub compositions: Vec<Composition>,
    pub numbers: Vec<Effect>,
    pub skipped: Vec<Skipped>,
}

/// What one column says.
enum Found {
    Composition(Composition),
    Number(Effect),
    Skipped(Skipped),
    /// Nothing to compare: text, colours, images and what is ignored.
    Nothing,
}

/// Compares all columns, each by its role: the most telling first.
pub(crate) fn compare(data: &Data<'_>, groups: Groups<'_>, cancelled: Cancelled<'_>) -> Result<Columns, ExplainError> {
    let of_role = |(name, role): &(String, Role)| {
        if cancelled() {
            return Err(ExplainError::Cancelled);
        }
        Ok(data.attributes.column_by_name(name).map_or(Found::Nothing, |array| of_column(name, *role, array, groups)))
    };
    let found: Vec<Found> = data.roles.par_iter().map(of_role).collect::<Result<_, _>>()?;
    let mut columns = Columns::default();
    for found in found {
        match found {
            Found::Composition(composition) => columns.compositions.push(composition),
            Found::Number(effect) => columns.numbers.push(effect),
            Found::Skipped(skipped) => columns.skipped.push(skipped),
            Found::Nothing => {}
        }
    }
    columns.compositions.sort_by(|left, right| right.cramers_v.total_cmp(&left.cramers_v));
    columns.numbers.sort_by(Effect::by_strength);
    Ok(columns)
}

fn of_column(name: &str, role: Role, array: &ArrayRef, groups: Groups<'_>) -> Found {
    let skipped = |reason: String| Found::Skipped(Skipped { column: name.to_owned(), reason });
    let unreadable = |error: ArrowError| skipped(format!("its role is {role}, but: {error}"));
    match role {
        Role::Categorical => Composition::of_array(name, array, groups).map_or_else(unreadable, Found::Composition),
        Role::Continuous if array.data_type().is_temporal() => skipped("times are not compared".to_owned()),
        Role::Continuous => effect(name, array, groups).map_or_else(unreadable, Found::Number),
        Role::Timestamp => skipped("times are not compared".to_owned()),
        Role::Vector | Role::Text | Role::Color | Role::Image | Role::Ignored => Found::Nothing,
    }
}

fn effect(name: &str, array: &ArrayRef, groups: Groups<'_>) -> Result<Effect, ArrowError> {
    let plain = match array.data_type() {
        DataType::Dictionary(_, values) => cast(array, values)?,
        _ => array.clone(),
    };
    let numbers = cast(&plain, &DataType::Float64)?;
    let numbers = numbers.as_primitive::<Float64Type>();
    let value = |&row: &u32| (!numbers.is_null(row as usize)).then(|| numbers.value(row as usize));
    let [a, b] = groups
        .both()
        .map(|rows| -> Vec<f64> { rows.iter().filter_map(value).filter(|value| value.is_finite()).collect() });
    let mut effect = Effect::new(name.to_owned(), Moments::of(&a), Moments::of(&b));
    let keys = |values: Vec<f64>| -> Vec<u64> { values.into_iter().map(key64).collect() };
    effect.auc = auc(keys(a), keys(b));
    Ok(effect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dataset::arrow::array::{
        BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int8Array, ListArray, StringArray,
        UInt64Array,
    };
    use dataset::arrow::datatypes::Int32Type;
    use std::sync::Arc;

    const GROUPS: Groups<'static> = Groups { a: &[0, 2, 5], b: &[1, 3, 4] };

    fn number(array: impl Array + 'static) -> Effect {
        let array: ArrayRef = Arc::new(array);
        match of_column("x", Role::Continuous, &array, GROUPS) {
            Found::Number(effect) => effect,
            _ => panic!("{} is no number", array.data_type()),
        }
    }

    #[test]
    fn numbers_of_every_width_are_the_same_numbers() {
        let expected = number(Float64Array::from(vec![1.0, 2.0, 4.0, 3.0, 5.0, 9.0]));
        assert!((expected.mean_a - 14.0 / 3.0).abs() < 1e-15);
        assert_eq!(number(Float32Array::from(vec![1.0, 2.0, 4.0, 3.0, 5.0, 9.0])), expected);
        assert_eq!(number(Int8Array::from(vec![1, 2, 4, 3, 5, 9])), expected);
        assert_eq!(number(UInt64Array::from(vec![1, 2, 4, 3, 5, 9])), expected);
        assert_eq!(
            number(Decimal128Array::from(vec![1, 2, 4, 3, 5, 9]).with_precision_and_scale(9, 0).unwrap()),
            expected
        );
        let integers: ArrayRef = Arc::new(Int8Array::from(vec![1, 2, 4, 3, 5, 9]));
        let dictionary = DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Int8));
        assert_eq!(number(cast(&integers, &dictionary).unwrap()), expected);
        assert_ne!(number(Int8Array::from(vec![1, 2, 4, 3, 5, 8])), expected);
        let truth = number(BooleanArray::from(vec![true, false, true, false, true, true]));
        assert_eq!((truth.mean_a, truth.auc), (1.0, Some((2.0 + 0.5) / 3.0)));
    }

    #[test]
    fn missing_values_are_left_out_and_counted() {
        let some = number(Float64Array::from(vec![
            Some(1.0),
            Some(f64::NAN),
            None,
            Some(3.0),
            Some(f64::INFINITY),
            Some(2.0),
        ]));
        assert_eq!((some.n_a, some.n_b, some.mean_a, some.mean_b, some.auc), (2, 1, 1.5, 3.0, Some(0.0)));
        let none = number(Float64Array::from(vec![None, Some(1.0), None, None, None, None]));
        assert_eq!((none.n_a, none.n_b, none.cohens_d, none.auc), (0, 1, None, None));
    }

    #[test]
    fn what_cannot_be_compared_is_said() {
        let skipped = |array: ArrayRef, role| match of_column("x", role, &array, GROUPS) {
            Found::Skipped(skipped) => Some(skipped.reason),
            _ => None,
        };
        let dates: ArrayRef = Arc::new(Date32Array::from(vec![1; 6]));
        assert!(skipped(dates.clone(), Role::Timestamp).is_some_and(|reason| reason.contains("times")));
        assert!(skipped(dates, Role::Continuous).is_some());
        let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1)]); 6]);
        assert!(skipped(Arc::new(lists), Role::Continuous).is_some_and(|reason| reason.contains("continuous")));
        let text: ArrayRef = Arc::new(StringArray::from(vec!["a"; 6]));
        assert_eq!(skipped(text.clone(), Role::Text), None);
        assert!(matches!(of_column("x", Role::Text, &text, GROUPS), Found::Nothing));
        assert!(matches!(of_column("x", Role::Categorical, &text, GROUPS), Found::Composition(_)));
    }
}
