//! Numbers of any type, from lists or plain columns, into rows of the matrix.

use crate::columns::VectorColumns;
use crate::error::Fault;
use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, OffsetSizeTrait, PrimitiveArray};
use arrow::compute::cast;
use arrow::datatypes::{
    DataType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use std::collections::BTreeMap;

/// What is wrong, by slot (place among the rows that were asked for): the vector column's place and the fault.
pub(crate) type Faults = BTreeMap<usize, (usize, Fault)>;

/// Where the numbers go: rows of `stride` values of which the first `dims` are written.
pub(crate) struct Target<'a> {
    pub rows: &'a mut [f32],
    pub dims: usize,
    pub stride: usize,
}

/// Writes the vectors of the rows at `positions` of a batch to the first rows of the target, bad ones too.
/// `vector_columns` are the places of the vector columns within the batch, in the order of the dimensions.
pub(crate) fn fill(
    columns: &VectorColumns,
    vector_columns: &[usize],
    batch: &RecordBatch,
    positions: &[u32],
    target: &mut Target<'_>,
) -> Result<Faults, ArrowError> {
    let mut faults = Faults::new();
    match columns {
        VectorColumns::List(_) => {
            let lists = batch.column(vector_columns[0]);
            let (values, starts) = locate(lists, positions, target.dims, &mut faults);
            dispatch(&values, ListRows { starts: &starts, target, faults: &mut faults })?;
        }
        VectorColumns::Plain(_) => {
            for (dim, &column) in vector_columns.iter().enumerate() {
                dispatch(batch.column(column), PlainColumn { positions, dim, target, faults: &mut faults })?;
            }
        }
    }
    Ok(faults)
}

/// The length that most lists of an array have (the first such, if there is a draw); none if all are null.
pub(crate) fn usual_length(lists: &ArrayRef) -> Option<usize> {
    let lengths: Vec<usize> = match lists.data_type() {
        DataType::FixedSizeList(_, length) => return usize::try_from(*length).ok(),
        DataType::List(_) => list_lengths::<i32>(lists),
        DataType::LargeList(_) => list_lengths::<i64>(lists),
        _ => return None,
    };
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for length in lengths {
        match counts.iter_mut().find(|(seen, _)| *seen == length) {
            Some((_, count)) => *count += 1,
            None => counts.push((length, 1)),
        }
    }
    counts.into_iter().rev().max_by_key(|&(_, count)| count).map(|(length, _)| length)
}

fn list_lengths<O: OffsetSizeTrait>(lists: &ArrayRef) -> Vec<usize> {
    let lists = lists.as_list::<O>();
    (0..lists.len()).filter(|&row| lists.is_valid(row)).map(|row| lists.value_length(row).as_usize()).collect()
}

/// The values of all lists, and where the list of each position begins; `None` for lists that have a fault.
fn locate(lists: &ArrayRef, positions: &[u32], dims: usize, faults: &mut Faults) -> (ArrayRef, Vec<Option<usize>>) {
    let mut starts = Vec::with_capacity(positions.len());
    let mut place = |slot: usize, valid: bool, start: usize, length: usize| {
        let fault = match valid {
            false => Some(Fault::Null),
            true if length != dims => Some(Fault::Length { found: length, expected: dims }),
            true => None,
        };
        starts.push(if fault.is_none() { Some(start) } else { None });
        fault.into_iter().for_each(|fault| {
            faults.insert(slot, (0, fault));
        });
    };
    let rows = positions.iter().map(|&position| position as usize).enumerate();
    let values = match lists.data_type() {
        DataType::FixedSizeList(_, length) => {
            let lists = lists.as_fixed_size_list();
            let start = |row: usize| lists.value_offset_at(row);
            rows.for_each(|(slot, row)| place(slot, lists.is_valid(row), start(row), *length as usize));
            lists.values()
        }
        DataType::LargeList(_) => {
            let lists = lists.as_list::<i64>();
            let (at, length) =
                (|row: usize| lists.value_offsets()[row] as usize, |row| lists.value_length(row) as usize);
            rows.for_each(|(slot, row)| place(slot, lists.is_valid(row), at(row), length(row)));
            lists.values()
        }
        _ => {
            let lists = lists.as_list::<i32>();
            let (at, length) =
                (|row: usize| lists.value_offsets()[row] as usize, |row| lists.value_length(row) as usize);
            rows.for_each(|(slot, row)| place(slot, lists.is_valid(row), at(row), length(row)));
            lists.values()
        }
    };
    (ArrayRef::clone(values), starts)
}

/// Work on an array of numbers, written once for every type.
trait WithNumbers {
    fn run<T: ArrowPrimitiveType>(self, numbers: &PrimitiveArray<T>, to_f32: impl Fn(T::Native) -> f32);
}

fn dispatch(numbers: &ArrayRef, work: impl WithNumbers) -> Result<(), ArrowError> {
    macro_rules! run {
        ($type:ty) => {
            work.run(numbers.as_primitive::<$type>(), |value| value as f32)
        };
    }
    match numbers.data_type() {
        DataType::Int8 => run!(Int8Type),
        DataType::Int16 => run!(Int16Type),
        DataType::Int32 => run!(Int32Type),
        DataType::Int64 => run!(Int64Type),
        DataType::UInt8 => run!(UInt8Type),
        DataType::UInt16 => run!(UInt16Type),
        DataType::UInt32 => run!(UInt32Type),
        DataType::UInt64 => run!(UInt64Type),
        DataType::Float16 => work.run(numbers.as_primitive::<Float16Type>(), |value| value.to_f32()),
        DataType::Float32 => work.run(numbers.as_primitive::<Float32Type>(), |value| value),
        DataType::Float64 => run!(Float64Type),
        _ => {
            // Decimals: Arrow knows how to apply the scale.
            let numbers = cast(numbers, &DataType::Float64)?;
            work.run(numbers.as_primitive::<Float64Type>(), |value| value as f32);
        }
    }
    Ok(())
}

struct ListRows<'a, 'b> {
    starts: &'a [Option<usize>],
    target: &'a mut Target<'b>,
    faults: &'a mut Faults,
}

impl WithNumbers for ListRows<'_, '_> {
    fn run<T: ArrowPrimitiveType>(self, numbers: &PrimitiveArray<T>, to_f32: impl Fn(T::Native) -> f32) {
        let dims = self.target.dims;
        let has_nulls = numbers.null_count() > 0;
        let rows = self.target.rows.chunks_exact_mut(self.target.stride);
        for (slot, (row, start)) in rows.zip(self.starts).enumerate() {
            let Some(start) = *start else { continue };
            if has_nulls && let Some(at) = (0..dims).find(|at| numbers.is_null(start + at)) {
                self.faults.insert(slot, (0, Fault::NullValue { at }));
                continue;
            }
            let mut finite = true;
            for (out, &value) in row[..dims].iter_mut().zip(&numbers.values()[start..start + dims]) {
                *out = to_f32(value);
                finite &= out.is_finite();
            }
            if !finite && let Some(&value) = row[..dims].iter().find(|value| !value.is_finite()) {
                self.faults.insert(slot, (0, Fault::NotFinite { value }));
            }
        }
    }
}

struct PlainColumn<'a, 'b> {
    positions: &'a [u32],
    dim: usize,
    target: &'a mut Target<'b>,
    faults: &'a mut Faults,
}

impl WithNumbers for PlainColumn<'_, '_> {
    fn run<T: ArrowPrimitiveType>(self, numbers: &PrimitiveArray<T>, to_f32: impl Fn(T::Native) -> f32) {
        let rows = self.target.rows.chunks_exact_mut(self.target.stride);
        for (slot, (row, &position)) in rows.zip(self.positions).enumerate() {
            let position = position as usize;
            let value = if numbers.is_null(position) { f32::NAN } else { to_f32(numbers.values()[position]) };
            row[self.dim] = value;
            if !value.is_finite() {
                let fault = if numbers.is_null(position) { Fault::Null } else { Fault::NotFinite { value } };
                self.faults.entry(slot).or_insert((self.dim, fault)); // the first bad column of a row names it
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::ListArray;
    use std::sync::Arc;

    fn lists(rows: &[Option<Vec<Option<i32>>>]) -> ArrayRef {
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(rows.to_vec()))
    }

    #[test]
    fn the_usual_length_is_that_of_most_lists() {
        let of = |length: usize| Some(vec![Some(1); length]);
        assert_eq!(usual_length(&lists(&[of(2), of(3), None, of(3)])), Some(3));
        assert_eq!(usual_length(&lists(&[of(2), of(3)])), Some(2));
        assert_eq!(usual_length(&lists(&[None])), None);
    }

    #[test]
    fn only_positions_are_copied_and_each_fault_keeps_its_slot() {
        let array = lists(&[
            Some(vec![Some(1), Some(2)]),
            None,
            Some(vec![Some(3)]),
            Some(vec![Some(4), None]),
            Some(vec![Some(5), Some(6)]),
        ]);
        let batch = RecordBatch::try_from_iter([("v", array)]).expect("one column");
        let mut rows = vec![0.0; 4 * 8];
        let mut target = Target { rows: &mut rows, dims: 2, stride: 8 };
        let faults = fill(&VectorColumns::List(0), &[0], &batch, &[1, 2, 3, 4], &mut target).expect("integers");
        assert_eq!(rows[24..26], [5.0, 6.0]);
        let expected =
            [(0, Fault::Null), (1, Fault::Length { found: 1, expected: 2 }), (2, Fault::NullValue { at: 1 })];
        assert_eq!(faults, expected.into_iter().map(|(slot, fault)| (slot, (0, fault))).collect());
    }
}
