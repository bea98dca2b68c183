//! What is said when something is wrong, and the exit code: 1 failed, 2 usage.

use crate::support::*;
use dataset::arrow::array::{Float32Array, ListArray};
use dataset::arrow::buffer::OffsetBuffer;
use dataset::arrow::datatypes::{DataType, Field};
use std::sync::Arc;

#[test]
fn usage_errors_end_with_2() {
    let dir = dir_of_blobs(20);
    let text = fail(dir.path(), &["embed", "--out", "out.parquet"], 2);
    assert!(text.contains("<INPUT>"), "{text}");
    let text = fail(dir.path(), &["embed", "in.parquet"], 2);
    assert!(text.contains("--out <FILE>"), "{text}");
    let embed =
        |flags: &[&str]| fail(dir.path(), &[&["embed", "in.parquet", "--out", "out.parquet"], flags].concat(), 2);
    assert!(embed(&["--metric", "euclid"]).contains("[possible values: euclidean, manhattan,"));
    assert!(embed(&["--perplexity", "0.5"]).contains("--perplexity is 0.5, but must be 1 to 10000"));
    assert!(embed(&["--perplexity", "inf"]).contains("--perplexity is inf, but must be"));
    assert!(embed(&["--dims", "0"]).contains("--dims is 0, but must be"));
    assert!(embed(&["--pca", "some"]).contains("neither auto, off nor a number of components"));
    assert!(embed(&["--vector", "v", "--columns", "a"]).contains("cannot be used with"));
    assert!(embed(&["--threads", "0"]).contains("--threads"));
    let text = fail(dir.path(), &["evaluate", "in.parquet"], 2);
    assert!(text.contains("2 values required"), "{text}");
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let dir = dir_of_blobs(40);
    let place = |name: &str| dir.path().join(name);
    succeed(dir.path(), &["embed", "in.parquet", "--iterations", "5", "--out", "map.parquet"]);
    std::fs::create_dir(place("parts")).unwrap();
    std::fs::copy(place("in.parquet"), place("parts/1.parquet")).unwrap();
    std::fs::hard_link(place("in.parquet"), place("hard.parquet")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("in.parquet", place("soft.parquet")).unwrap();
    let before = [std::fs::read(place("in.parquet")).unwrap(), std::fs::read(place("map.parquet")).unwrap()];
    let over = |args: &[&str]| {
        let text = fail(dir.path(), args, 2);
        assert!(text.contains("is also read here") && text.contains(args[args.len() - 1]), "{args:?}: {text}");
    };
    over(&["embed", "in.parquet", "--out", "in.parquet"]);
    over(&["embed", "in.parquet", "--out", "parts/../in.parquet"]);
    over(&["embed", "in.parquet", "--out", "hard.parquet"]);
    #[cfg(unix)]
    over(&["embed", "in.parquet", "--out", "soft.parquet"]);
    over(&["embed", "parts", "--out", "parts/1.parquet"]);
    over(&["embed", "in.parquet", "--into", "map.parquet", "--out", "in.parquet"]);
    over(&["neighbours", "in.parquet", "--out", "in.parquet"]);
    over(&["hierarchy", "in.parquet", "--out", "in.parquet"]);
    over(&["cluster", "map.parquet", "--out", "map.parquet"]);
    over(&["evaluate", "in.parquet", "map.parquet", "--per-point", "map.parquet"]);
    over(&["evaluate", "in.parquet", "map.parquet", "--per-point", "in.parquet"]);
    assert!(before == [std::fs::read(place("in.parquet")).unwrap(), std::fs::read(place("map.parquet")).unwrap()]);
    // What is not read may be replaced.
    succeed(dir.path(), &["embed", "in.parquet", "--iterations", "5", "--out", "map.parquet"]);
}

#[test]
fn more_dimensions_than_can_be_drawn_are_refused_before_the_work() {
    let dir = dir_of_blobs(80);
    std::fs::write(dir.path().join("s.score"), "nevis score 1\nlength 1\n0..1 set dims 100\n").unwrap();
    let refused = |args: &[&str], code: i32| {
        let text = fail(dir.path(), args, code);
        assert!(text.contains("1 to 64 in a window, picture or movie"), "{args:?}: {text}");
    };
    refused(&["render", "in.parquet", "--dims", "100", "--out", "p.png"], 2);
    refused(&["record", "in.parquet", "--take", "birth", "--dims", "100", "--out", "m.gif"], 2);
    refused(&["record", "in.parquet", "--score", "s.score", "--out", "m.gif"], 1);
    assert_eq!(files_in(dir.path()), ["in.parquet", "s.score"]);
}

#[test]
fn a_session_is_not_taken_for_data() {
    let dir = dir_of_blobs(20);
    let metadata = [("nevis.session".to_owned(), "{}".to_owned())];
    let table = read(&dir.path().join("in.parquet"), &[]).attributes;
    dataset::write_table(&dir.path().join("s.nevis"), &table, &metadata).unwrap();
    for command in ["embed", "neighbours"] {
        let text = fail(dir.path(), &[command, "s.nevis", "--out", "o.parquet"], 1);
        assert!(text.contains("is a saved session, not data") && text.contains("nevis record"), "{text}");
    }
    assert_eq!(files_in(dir.path()), ["in.parquet", "s.nevis"]);
}

#[test]
fn missing_files_and_columns_are_named() {
    let dir = dir_of_blobs(20);
    for command in [&["embed", "no.parquet", "--out", "o.parquet"][..], &["info", "no.parquet"], &["no.parquet"]] {
        assert_eq!(fail(dir.path(), command, 1), "error: \"no.parquet\" does not exist\n");
    }
    let text = fail(dir.path(), &["embed", "in.parquet", "--out", "o.parquet", "--vector", "v"], 1);
    assert!(text.starts_with("error: \"in.parquet\": no column \"v\"; there are: "), "{text}");
    let text = fail(dir.path(), &["embed", "in.parquet", "--out", "o.parquet", "--columns", "label"], 1);
    assert!(text.starts_with("error: \"in.parquet\": column \"label\" holds Utf8, but vectors must be"), "{text}");
}

#[test]
fn bad_rows_are_named_or_dropped() {
    let dir = dir();
    let mut values = blobs(30, 4);
    values[7 * 4 + 2] = f32::NAN;
    values[9 * 4] = f32::INFINITY;
    write(&dir.path().join("in.parquet"), vec![("vector", lists(values, 4))]);
    let embed = ["embed", "in.parquet", "--out", "out.parquet", "--iterations", "5"];
    let text = fail(dir.path(), &embed, 1);
    assert!(text.starts_with("error: \"in.parquet\": column \"vector\" is not finite (NaN) at row 7 "), "{text}");
    assert!(text.contains("--on-bad-rows drop leaves such rows out"), "{text}");
    let report = json(dir.path(), &[&embed[..], &["--on-bad-rows", "drop"]].concat());
    assert_eq!((&report["rows"], &report["dropped_rows"]), (&28.into(), &2.into()));
    assert!(report["notes"][0].as_str().unwrap().starts_with("2 rows left out"), "{report}");
    assert_eq!(column_names(&dir.path().join("out.parquet")), ["row", "x", "y"]);
}

#[test]
fn lists_of_unequal_length_are_named() {
    let dir = dir();
    let offsets = OffsetBuffer::from_lengths([3, 3, 2, 3]);
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    let values = Arc::new(Float32Array::from_iter_values((0..11u8).map(f32::from)));
    let vectors = ListArray::try_new(item, offsets, values, None).unwrap();
    write(&dir.path().join("in.parquet"), vec![("vector", Arc::new(vectors))]);
    let text = fail(dir.path(), &["embed", "in.parquet", "--out", "out.parquet"], 1);
    let fault = "\"in.parquet\": column \"vector\" has a list of 2 values where the others have 3 at row 2";
    assert!(text.contains(fault), "{text}");
}

#[test]
fn outputs_are_checked_before_the_work() {
    let dir = dir_of_blobs(20);
    let embed = |out: &str| fail(dir.path(), &["embed", "in.parquet", "--out", out], 1);
    assert!(embed("out.npz").contains("\"out.npz\": the ending decides the format; use .parquet,"));
    assert!(embed("no/out.parquet").contains("\"no/out.parquet\" cannot be written: its directory does not exist"));
    let text = fail(dir.path(), &["neighbours", "in.parquet", "--k", "3", "--out", "out.csv"], 1);
    assert!(text.contains("which a CSV file cannot"), "{text}");
    assert_eq!(files_in(dir.path()), ["in.parquet"]);
}

#[test]
fn one_row_is_too_few() {
    let dir = dir_of_blobs(1);
    let text = fail(dir.path(), &["embed", "in.parquet", "--out", "out.parquet"], 1);
    assert!(text.contains("an embedding needs at least two rows, the data has 1"), "{text}");
}
