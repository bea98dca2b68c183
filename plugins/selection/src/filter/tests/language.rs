//! Every operator, quoting and precedence.

use super::*;

#[test]
fn bare_words_search_every_column_of_words() {
    check(&[
        ("york", &[0, 1]),
        ("WOOL", &[0, 2]),
        ("\"new york\"", &[1]),
        ("new york", &[1]),
        ("ork", &[0, 1]),
        ("30", &[0]),
        ("3", &[2]),      // exactly: not 30
        ("03", &[]),      // another text than 3
        ("\"-5\"", &[3]), // a minus outside quotes negates
        ("1.5", &[]),     // fractions are asked for by column
        ("yes", &[0, 3]),
        ("FALSE", &[1, 4]),
        ("nothing", &[]),
    ]);
}

#[test]
fn text_is_contained_or_equal() {
    check(&[
        ("city:york", &[0, 1]),
        ("CITY:york", &[0, 1]),
        ("city=York", &[0]),
        ("city==York", &[0]),
        ("city=york", &[]),
        ("city!=York", &[1, 3, 4]),
        ("city:\"w y\"", &[1]),
        ("city=", &[2]),
        ("city!=", &[0, 1, 3, 4]),
        ("city=\"\"", &[4]),
        ("city!=\"\"", &[0, 1, 3]),
        ("city:\"\"", &[0, 1, 3, 4]),
        ("material:wool", &[0, 2]),
        ("Material=wool", &[0]),
        ("material!=wool", &[1, 2, 4]),
        ("material=", &[3]),
        ("material!=", &[0, 1, 2, 4]),
        ("city:a..b", &[]), // no range: text
    ]);
}

#[test]
fn numbers_are_compared_as_numbers() {
    check(&[
        ("age:30", &[0]),
        ("age=30.0", &[0]),
        ("age=3e1", &[0]),
        ("age=3", &[]),
        ("age=30.5", &[]),
        ("age!=30", &[1, 3, 4]),
        ("age!=30.5", &[0, 1, 3, 4]),
        ("age<7", &[3]),
        ("age<7.5", &[3, 4]),
        ("age<=7", &[3, 4]),
        ("age>30", &[1]),
        ("age>29.5", &[0, 1]),
        ("age>=30", &[0, 1]),
        ("age>=-5", &[0, 1, 3, 4]),
        ("age<-4", &[3]),
        ("age:7..30", &[0, 4]),
        ("age:-5..7", &[3, 4]),
        ("age:7.5..", &[0, 1]),
        ("age:..7", &[3, 4]),
        ("age:..", &[0, 1, 3, 4]),
        ("age:30.2..30.8", &[]),
        ("age=", &[2]),
        ("age!=", &[0, 1, 3, 4]),
        ("age<inf", &[0, 1, 3, 4]),
        ("age>inf", &[]),
        ("weight=0.1", &[3]),
        ("weight:0.1", &[3]),
        ("weight!=0.1", &[0, 4]),
        ("weight<0.1", &[4]),
        ("weight<=0.1", &[3, 4]),
        ("weight>0.1", &[0]),
        ("weight>=0.1", &[0, 3]),
        ("weight:-3..0.1", &[3, 4]),
        ("weight:..1", &[3, 4]),
        ("weight:..", &[0, 3, 4]),
        ("weight=", &[1, 2]), // NaN is missing, too
        ("weight!=", &[0, 3, 4]),
        ("\"my column\">3", &[3, 4]),
        ("\"MY column\":2..3", &[1, 2]),
    ]);
}

#[test]
fn truth_values_have_several_words() {
    check(&[
        ("retired:yes", &[0, 3]),
        ("retired=TRUE", &[0, 3]),
        ("retired=1", &[0, 3]),
        ("retired=no", &[1, 4]),
        ("retired:0", &[1, 4]),
        ("retired!=false", &[0, 3]),
        ("retired!=yes", &[1, 4]),
        ("retired=", &[2]),
    ]);
}

#[test]
fn rows_are_found_by_their_number_in_the_file() {
    check(&[
        ("row:104", &[2]),
        ("row=104", &[2]),
        ("row:103", &[]),
        ("ROW:101..104", &[1, 2]),
        ("row:..102", &[0, 1]),
        ("row:106..", &[3, 4]),
        ("row<104", &[0, 1]),
        ("row<=104", &[0, 1, 2]),
        ("row>104", &[3, 4]),
        ("row>=104", &[2, 3, 4]),
        ("row!=104", &[0, 1, 3, 4]),
        ("row=", &[]),
        ("row!=", &[0, 1, 2, 3, 4]),
        ("-row:104", &[0, 1, 3, 4]),
    ]);
    let named: ArrayRef = Arc::new(Int32Array::from(vec![7, 8]));
    let table = RecordBatch::try_from_iter([("Row", named)]).unwrap();
    assert_eq!(found_in("row:8", &table), [1], "the table's own column goes before");
}

#[test]
fn terms_are_joined_and_negated() {
    check(&[
        ("york wool", &[0]),
        ("york and wool", &[0]),
        ("leeds or cotton", &[3, 4]),
        ("york silk or leeds age<0", &[1, 3]), // (york and silk) or (leeds and age<0)
        ("york or leeds or age:7", &[0, 1, 3, 4]),
        ("york OR leeds age>0", &[0, 1]),
        ("-york", &[2, 3, 4]),
        ("not york", &[2, 3, 4]),
        ("not -york", &[0, 1]),
        ("--york", &[0, 1]),
        ("NOT city=York age>0", &[1, 4]), // negates its term only
        ("-age>10", &[2, 3, 4]),          // a missing value is not above 10
        ("-age!=30", &[0, 2]),
        ("-city=", &[0, 1, 3, 4]),
        ("not york or not wool", &[1, 2, 3, 4]),
        ("-york -leeds -city=", &[4]),
        ("  york\t silk ", &[1]),
        ("tags=", &[2]),
        ("tags!=", &[0, 1, 3, 4]),
    ]);
    let words = array(StringArray::from(vec!["this or that", "that", "say \"hi\"", "a:b"]));
    let table = RecordBatch::try_from_iter([("words", words)]).unwrap();
    assert_eq!(found_in("\"or\"", &table), [0]);
    assert_eq!(found_in("this \"or\" that", &table), [0]);
    assert_eq!(found_in("this or that", &table), [0, 1]);
    assert_eq!(found_in(r#""\"hi\"""#, &table), [2]);
    assert_eq!(found_in("\"a:b\"", &table), [3]);
}

#[test]
fn the_examples_are_searches() {
    let table = table();
    for (text, meaning) in Filter::EXAMPLES {
        assert!(Filter::parse(text, &table).is_ok(), "{text}: {meaning}");
    }
}

#[test]
fn another_table_is_searched_by_name_and_kind() {
    let filter = Filter::parse("age>8", &table()).unwrap();
    let numbers = array(Int32Array::from(vec![9, 8, 10]));
    let texts = array(StringArray::from(vec!["9", "8", "10"]));
    let moved = RecordBatch::try_from_iter([("city", Arc::clone(&texts)), ("age", numbers)]).unwrap();
    assert_eq!(filter.rows(&moved, &row_number).iter().collect::<Vec<_>>(), [0, 2]);
    for other in [RecordBatch::try_from_iter([("age", Arc::clone(&texts))]), RecordBatch::try_from_iter([("x", texts)])]
    {
        let rows = filter.rows(&other.unwrap(), &row_number);
        assert_eq!((rows.len(), rows.count()), (3, 0));
    }
}
