//! What `nevis info` is told.

use crate::support::*;
use arrow::array::{ArrayRef, StringArray};
use arrow::datatypes::DataType;
use dataset::{Duplicates, Format, Info, LoadOptions, Role};
use std::path::Path;
use std::sync::Arc;

fn inspect(path: &Path, options: &LoadOptions) -> Info {
    dataset::inspect(&[path.to_path_buf()], options, &|_| {}).unwrap()
}

#[test]
fn info_counts_constants_duplicates_and_bad_rows() {
    let dir = dir();
    // Rows repeat with period 20, the middle value never changes, three rows are bad.
    let mut values: Vec<Option<f64>> = (0..100).flat_map(|i| [Some(f64::from(i % 20)), Some(4.0), Some(1.5)]).collect();
    for row in [5, 50, 99] {
        values[3 * row] = None;
    }
    let words: ArrayRef = Arc::new(StringArray::from_iter_values((0..100).map(|i| format!("w{}", i % 4))));
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(
            &path,
            &[table(vec![("v", lists("list", &DataType::Float32, values.clone(), 3)), ("word", words.clone())])],
        );
        let info = inspect(&path, &LoadOptions::default());
        assert_eq!((info.file_rows, info.rows, info.dims, info.bad_rows), (100, 100, 3, 3));
        assert_eq!(info.constant_dims, [1, 2]);
        assert_eq!(info.duplicates, Duplicates { rows: 77, exact: true });
        let first = info.first_bad_row.as_deref().unwrap();
        assert!(first.starts_with("column \"v\" has a null as value 0 of its list at row 5"), "{first}");
        assert_eq!(info.columns[0].role, Role::Vector);
        assert_eq!((info.columns[1].role, info.columns[1].data_type.as_str()), (Role::Categorical, "Utf8"));
        assert_eq!(info.bytes, path.metadata().unwrap().len());
        let limited = inspect(&path, &LoadOptions { limit: Some(20), ..LoadOptions::default() });
        assert_eq!((limited.rows, limited.duplicates.rows), (20, 0));
        assert!(serde_json::to_string(&info).unwrap().contains("\"constant_dims\":[1,2]"));
    }
}

#[test]
fn info_and_load_guess_the_same_roles() {
    let dir = dir();
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[numbered(3000)]);
        for limit in [None, Some(50)] {
            let options = LoadOptions { limit, ..LoadOptions::default() };
            let roles = load(&path, &options).unwrap().roles;
            let columns = inspect(&path, &options).columns;
            assert_eq!(roles, columns.into_iter().map(|column| (column.name, column.role)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn the_shared_sets_are_as_their_readme_says() {
    for (name, rows, dims, constant, duplicates) in [
        ("iris.parquet", 150, 4, 0, 1),
        ("digits_sklearn.parquet", 1797, 64, 3, 0),
        ("demo_optdigits_5620.parquet", 5620, 64, 2, 0),
        ("letter_20k.parquet", 20_000, 16, 0, 1332),
    ] {
        let Some(path) = shared(name) else { continue };
        let info = inspect(&path, &LoadOptions::default());
        assert_eq!(info.format, Format::Parquet);
        assert_eq!((info.rows, info.dims, info.constant_dims.len()), (rows, dims, constant), "{name}");
        assert_eq!(info.duplicates, Duplicates { rows: duplicates, exact: true }, "{name}");
    }
}
