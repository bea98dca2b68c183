//! What is said of searches that cannot be understood.

use super::*;

fn said(text: &str) -> String {
    Filter::parse(text, &table()).map_or_else(|error| error.to_string(), |filter| panic!("{text}: {filter:?}"))
}

fn says(text: &str, parts: &[&str]) {
    let said = said(text);
    for part in parts {
        assert!(said.contains(part), "{text}: {said:?} does not contain {part:?}");
    }
}

#[test]
fn nothing_to_search_for() {
    for text in ["", "   ", "\"\"", "york \"\""] {
        assert_eq!(Filter::parse(text, &table()), Err(FilterError::Empty), "{text:?}");
    }
    says("", &["empty", "column:word"]);
}

#[test]
fn unfinished_searches() {
    says("city:\"New Yo", &["quote", "\"New Yo\"", "not finished"]);
    for (text, word) in
        [("or", "or"), ("york or", "or"), ("or york", "or"), ("a or or b", "or"), ("york not", "not"), ("not", "not")]
    {
        assert_eq!(Filter::parse(text, &table()), Err(FilterError::Dangling { word }), "{text}");
    }
    assert_eq!(Filter::parse("not or york", &table()), Err(FilterError::Dangling { word: "not" }));
    assert_eq!(Filter::parse("york and", &table()), Err(FilterError::Dangling { word: "and" }));
    says("york or", &["`or`", "before and after", "\"or\""]);
    says("york not", &["`not`", "needs a term after it"]);
    says("age > 30", &["no column", "`>`", "age>30", "without spaces"]);
    says("age>", &["no value", "`>`", "age>…", "age= finds missing"]);
    says("\"my column\":", &["no value", "\"my column\":…"]);
}

#[test]
fn unknown_columns_name_the_nearest_first() {
    says("wieght>3", &["no column \"wieght\"", "columns: weight, ", "city", "my column", "in quotes"]);
    says("http://x", &["\"http\"", "to find text with `:` in it"]);
    let columns = (0..30).map(|place| (format!("gene_{place}"), array(Int8Array::from(vec![1]))));
    let wide = RecordBatch::try_from_iter(columns).unwrap();
    let error = Filter::parse("gene17=1", &wide).unwrap_err().to_string();
    assert!(error.contains("columns: gene_17, ") && error.contains(" and 18 more"), "{error}");
}

#[test]
fn words_that_are_no_numbers() {
    says("age>old", &["`age`", "whole numbers (Int32)", "\"old\" is not a number", "age:1..5"]);
    says("weight=heavy", &["`weight`", "numbers (Float64)", "\"heavy\""]);
    says("weight=nan", &["\"nan\" is not a number"]);
    says("age:1..x", &["\"x\" is not a number"]);
    says("age=1..5", &["\"1..5\" is not a number", "age:1..5"]);
    says("\"my column\">x", &["\"my column\"=3"]);
    says("row:first", &["`row`", "\"first\" is not a number"]);
    says("age:30..20", &["\"30..20\"", "`age`", "smaller end first"]);
    says("weight:0.5..0.25", &["smaller end first"]);
    says("retired:maybe", &["`retired`", "yes or no (Boolean)", "\"maybe\"", "retired=yes"]);
}

#[test]
fn words_that_are_no_times() {
    let days = array(dataset::arrow::array::Date32Array::from(vec![1]));
    let clock = array(dataset::arrow::array::Time32SecondArray::from(vec![1]));
    let table = RecordBatch::try_from_iter([("day", days), ("at", clock)]).unwrap();
    for (text, parts) in [
        ("day>yesterday", ["`day`", "dates or times (Date32)", "\"yesterday\"", "2024-03-15"]),
        ("day:2023-02-29", ["`day`", "Date32", "\"2023-02-29\"", "2024-03-15"]),
        ("at<noon", ["`at`", "times of day", "\"noon\"", "10:30"]),
        ("day:2024..2023", ["`day`", "\"2024..2023\"", "empty", "smaller end first"]),
        ("word", ["no column holds text", "\"word\"", "day, at", "name a column"]),
    ] {
        let error = Filter::parse(text, &table).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
    }
}

#[test]
fn values_that_have_no_order() {
    for operator in ["<", "<=", ">", ">="] {
        let typed = format!("city{operator}m");
        says(&typed, &["`city`", "text (Utf8)", &format!("`{operator}` cannot compare"), "city:m or city=m"]);
    }
    says("material>m", &["`Material`", "text (Utf8)"]);
    says("retired<yes", &["`retired`", "yes or no", "cannot compare"]);
    says("tags:1", &["`tags`", "List", "cannot be searched", "tags= and tags!="]);
}
