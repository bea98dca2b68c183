//! The distinct texts of a column, for as long as rows have them.

use super::intake::columns_error;
use crate::StreamError;
use dataset::arrow::array::{Array, ArrayRef, AsArray, DictionaryArray, Int32Array, StringArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, Int32Type};
use std::collections::HashMap;
use std::sync::Arc;

/// So many texts that no row has any more do not matter yet.
const SPARE: usize = 1024;

/// Texts and their codes, in the order they were first seen; no text is in it twice.
#[derive(Debug)]
pub(super) struct Categories {
    texts: Vec<Arc<str>>,
    codes: HashMap<Arc<str>, i32>,
    data_type: DataType,
    /// The texts as an array, until there are more of them.
    array: Option<ArrayRef>,
    /// Texts that were in use when it was last cleared up.
    used: usize,
}

impl Categories {
    /// For texts of this type.
    pub fn new(data_type: DataType) -> Self {
        Self { texts: Vec::new(), codes: HashMap::new(), data_type, array: None, used: 0 }
    }

    /// The codes of a dictionary's rows.
    pub fn encode(&mut self, column: &ArrayRef) -> Result<ArrayRef, StreamError> {
        let column = column.as_dictionary::<Int32Type>();
        let texts = cast(column.values(), &DataType::Utf8).map_err(columns_error)?;
        let texts = texts.as_string::<i32>();
        // A dictionary may hold far more than these rows use: only what is used gets a code.
        let mut codes = vec![None; texts.len()];
        let code = |key: Option<i32>| {
            let place = key? as usize;
            if texts.is_null(place) {
                return None;
            }
            Some(*codes[place].get_or_insert_with(|| self.code(texts.value(place))))
        };
        Ok(Arc::new(column.keys().iter().map(code).collect::<Int32Array>()))
    }

    fn code(&mut self, text: &str) -> i32 {
        if let Some(&code) = self.codes.get(text) {
            return code;
        }
        let code = self.texts.len() as i32;
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.codes.insert(text, code);
        self.array = None;
        code
    }

    /// Forgets the texts that no row has any more, once they are many; the codes of the rest stay in their order.
    pub fn clear_up(&mut self, codes: ArrayRef) -> ArrayRef {
        if self.texts.len() <= 2 * self.used + SPARE {
            return codes;
        }
        let codes = codes.as_primitive::<Int32Type>();
        let mut used = vec![false; self.texts.len()];
        codes.iter().flatten().for_each(|code| used[code as usize] = true);
        let mut place = 0;
        let new_codes: Vec<i32> = used.iter().map(|&used| (place, place += i32::from(used)).0).collect();
        let mut keep = used.iter();
        self.texts.retain(|_| keep.next().is_some_and(|&used| used));
        self.codes = self.texts.iter().enumerate().map(|(code, text)| (Arc::clone(text), code as i32)).collect();
        self.used = self.texts.len();
        self.array = None;
        Arc::new(codes.unary::<_, Int32Type>(|code| new_codes.get(code as usize).copied().unwrap_or(0)))
    }

    /// Codes as the dictionary they stand for.
    pub fn decode(&mut self, codes: &ArrayRef) -> Result<ArrayRef, StreamError> {
        let texts = match &self.array {
            Some(array) => Arc::clone(array),
            None => {
                let plain = StringArray::from_iter_values(&self.texts);
                let array = cast(&plain, &self.data_type).map_err(columns_error)?;
                Arc::clone(self.array.insert(array))
            }
        };
        let keys = codes.as_primitive::<Int32Type>().clone();
        Ok(Arc::new(DictionaryArray::try_new(keys, texts).map_err(columns_error)?))
    }
}
