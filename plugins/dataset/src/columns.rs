//! Which columns are the vectors.

use crate::{DatasetError, LoadOptions};
use arrow::datatypes::{DataType, Field, Schema};

/// Names that a column of vectors usually has, most likely first.
const VECTOR_NAMES: [&str; 9] =
    ["vector", "vectors", "embedding", "embeddings", "features", "x_pca", "x", "emb", "values"];

/// Names of integer columns that count or name rows instead of measuring them.
const KEY_NAMES: [&str; 14] = [
    "label",
    "labels",
    "target",
    "class",
    "cluster",
    "id",
    "index",
    "row",
    "rank",
    "key",
    "y_true",
    "unnamed: 0",
    "__index_level_0__",
    "split",
];
const KEY_ENDINGS: [&str; 4] = ["_id", "_label", "_index", "_class"];

/// The columns of the vectors, by their place in the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VectorColumns {
    /// One column of lists.
    List(usize),
    /// Plain numbers, one dimension each.
    Plain(Vec<usize>),
}

impl VectorColumns {
    pub fn indices(&self) -> &[usize] {
        match self {
            Self::List(column) => std::slice::from_ref(column),
            Self::Plain(columns) => columns,
        }
    }
}

/// Finds the vector columns that the options name, or guesses them; the notes say what else was possible.
/// `list_length` tells how long the lists of a column are and is asked only where names do not decide.
pub(crate) fn choose(
    schema: &Schema,
    options: &LoadOptions,
    list_length: impl Fn(usize) -> Result<usize, DatasetError>,
) -> Result<(VectorColumns, Vec<String>), DatasetError> {
    match (&options.vector, options.columns.as_slice()) {
        (Some(vector), [_, ..]) => Err(DatasetError::TwoChoices { vector: vector.clone() }),
        (Some(vector), []) => Ok((named(schema, std::slice::from_ref(vector))?, Vec::new())),
        (None, [_, ..]) => Ok((named(schema, &options.columns)?, Vec::new())),
        (None, []) => guess(schema, list_length),
    }
}

fn named(schema: &Schema, names: &[String]) -> Result<VectorColumns, DatasetError> {
    let mut columns = Vec::with_capacity(names.len());
    for name in names {
        let index = find(schema, name)?;
        let field = schema.field(index);
        if names.len() == 1 && list_element(field.data_type()).is_some_and(is_numeric) {
            return Ok(VectorColumns::List(index));
        }
        if !is_numeric(field.data_type()) {
            let found = field.data_type().to_string();
            let usable = |f: &Field| is_numeric(f.data_type()) || list_element(f.data_type()).is_some_and(is_numeric);
            return Err(DatasetError::NotNumeric { column: name.clone(), found, numeric: listed(schema, usable) });
        }
        columns.push(index);
    }
    Ok(VectorColumns::Plain(columns))
}

/// The place of a column.
pub(crate) fn find(schema: &Schema, name: &str) -> Result<usize, DatasetError> {
    let missing = |_| DatasetError::MissingColumn { column: name.to_owned(), candidates: listed(schema, |_| true) };
    schema.index_of(name).map_err(missing)
}

fn guess(
    schema: &Schema,
    list_length: impl Fn(usize) -> Result<usize, DatasetError>,
) -> Result<(VectorColumns, Vec<String>), DatasetError> {
    let matching = |test: &dyn Fn(&Field) -> bool| -> Vec<usize> {
        schema.fields().iter().enumerate().filter(|(_, field)| test(field)).map(|(index, _)| index).collect()
    };
    let lists = matching(&|field| list_element(field.data_type()).is_some_and(is_numeric));
    if let [only] = lists.as_slice() {
        return Ok((VectorColumns::List(*only), Vec::new()));
    }
    if !lists.is_empty() {
        let chosen = choose_list(schema, &lists, list_length)?;
        let others = listed(schema, |f| f.name() != schema.field(chosen).name() && is_numeric_list(f));
        let note =
            format!("column {:?} holds the vectors; --vector takes another: {others}", schema.field(chosen).name());
        return Ok((VectorColumns::List(chosen), vec![note]));
    }
    let plain = matching(&|field| is_numeric(field.data_type()) && !looks_like_a_key(field));
    if plain.is_empty() {
        return Err(DatasetError::NoNumericColumns { columns: listed(schema, |_| true) });
    }
    let keys = matching(&|field| is_numeric(field.data_type()) && looks_like_a_key(field));
    let note = |_: &usize| {
        let left_out = listed(schema, |field| is_numeric(field.data_type()) && looks_like_a_key(field));
        format!("not part of the vectors, by their names: {left_out}; --columns chooses otherwise")
    };
    let notes = keys.first().map(note).into_iter().collect();
    Ok((VectorColumns::Plain(plain), notes))
}

fn choose_list(
    schema: &Schema,
    lists: &[usize],
    list_length: impl Fn(usize) -> Result<usize, DatasetError>,
) -> Result<usize, DatasetError> {
    let by_name = |name: &&str| lists.iter().find(|&&index| schema.field(index).name().eq_ignore_ascii_case(name));
    if let Some(&index) = VECTOR_NAMES.iter().find_map(by_name) {
        return Ok(index);
    }
    let mut longest = (0, lists[0]);
    for &index in lists {
        let length = match schema.field(index).data_type() {
            DataType::FixedSizeList(_, length) => usize::try_from(*length).unwrap_or(0),
            _ => list_length(index)?,
        };
        if length > longest.0 {
            longest = (length, index);
        }
    }
    Ok(longest.1)
}

fn looks_like_a_key(field: &Field) -> bool {
    let name = field.name().to_lowercase();
    let named = KEY_NAMES.contains(&name.as_str()) || KEY_ENDINGS.iter().any(|ending| name.ends_with(ending));
    field.data_type().is_integer() && named
}

/// The type of a list's values.
pub(crate) fn list_element(data_type: &DataType) -> Option<&DataType> {
    match data_type {
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
            Some(field.data_type())
        }
        _ => None,
    }
}

fn is_numeric_list(field: &Field) -> bool {
    list_element(field.data_type()).is_some_and(is_numeric)
}

/// Whether values of this type are numbers.
pub(crate) fn is_numeric(data_type: &DataType) -> bool {
    data_type.is_numeric()
}

/// Columns with their types, for messages; long lists are cut.
pub(crate) fn listed(schema: &Schema, wanted: impl Fn(&Field) -> bool) -> String {
    const MOST: usize = 30;
    let matching: Vec<&arrow::datatypes::FieldRef> = schema.fields().iter().filter(|field| wanted(field)).collect();
    if matching.is_empty() {
        return "none".to_owned();
    }
    let shown = matching.iter().take(MOST).map(|field| format!("{:?} ({})", field.name(), field.data_type()));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if matching.len() > MOST {
        text += &format!(" and {} more", matching.len() - MOST);
    }
    text
}
