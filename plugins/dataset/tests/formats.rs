//! Every format, list kind, number type and codec gives the same matrix.

use crate::support::*;
use arrow::array::{ArrayRef, AsArray, BooleanArray, Float64Array, Int64Array, StringArray};
use arrow::datatypes::DataType;
use dataset::{Bytes, LoadOptions, PcaChoice, Role};
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use std::sync::Arc;

const NUMBERS: [DataType; 15] = [
    DataType::UInt8,
    DataType::UInt16,
    DataType::UInt32,
    DataType::UInt64,
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::Float16,
    DataType::Float32,
    DataType::Float64,
    DataType::Decimal32(6, 2),
    DataType::Decimal64(12, 2),
    DataType::Decimal128(20, 2),
    DataType::Decimal256(50, 2),
];

#[test]
fn every_list_kind_and_number_type_in_every_format() {
    let dir = dir();
    let values: Vec<Option<f64>> = (0..60).map(|i| Some(f64::from(i))).collect();
    for element in NUMBERS {
        for kind in ["fixed", "list", "large"] {
            for ending in BINARY {
                let path = dir.path().join(format!("a.{ending}"));
                let batch = table(vec![("v", lists(kind, &element, values.clone(), 4))]);
                write(&path, &[batch.slice(0, 7), batch.slice(7, 8)]);
                let data =
                    load(&path, &LoadOptions::default()).unwrap_or_else(|e| panic!("{element} {kind} {ending}: {e}"));
                assert_eq!((data.vectors.rows(), data.vectors.dims()), (15, 4), "{element} {kind} {ending}");
                for row in 0..15 {
                    let expected = [0, 1, 2, 3].map(|d| (4 * row + d) as f32);
                    assert_eq!(data.vectors.row(row), expected, "{element} {kind} {ending}");
                }
            }
        }
    }
}

#[test]
fn decimals_are_scaled_to_numbers() {
    let dir = dir();
    let path = dir.path().join("a.parquet");
    let values = vec![Some(1.25), Some(-0.5)];
    write(&path, &[table(vec![("v", lists("list", &DataType::Decimal128(12, 3), values, 2))])]);
    assert_eq!(load(&path, &LoadOptions::default()).unwrap().vectors.row(0), [1.25, -0.5]);
}

#[test]
fn every_standard_codec_of_parquet() {
    let dir = dir();
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for codec in codecs {
        let path = dir.path().join("a.parquet");
        write_parquet(&path, &[numbered(100)], codec, 64);
        let data = load(&path, &LoadOptions::default()).unwrap_or_else(|e| panic!("{codec}: {e}"));
        assert_rows_belong_together(&data);
    }
}

#[test]
fn csv_with_any_separator_and_a_byte_order_mark() {
    let dir = dir();
    for (name, separator) in [("a.csv", ","), ("a.csv", ";"), ("a.tsv", "\t")] {
        let path = dir.path().join(name);
        let text = "\u{feff}x,name,y,id\n1,\"a\nb\",2.5,7\n3,c,-4e2,8\n".replace(',', separator);
        std::fs::write(&path, text).unwrap();
        let data = load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(data.source.vector_columns, ["x", "y"], "{separator:?}");
        assert_eq!(data.vectors.row(0), [1.0, 2.5]);
        assert_eq!(data.vectors.row(1), [3.0, -400.0]);
        assert_eq!(data.attributes.column(0).as_string::<i32>().value(0), "a\nb");
        assert!(data.notes[0].contains("\"id\""), "{:?}", data.notes);
    }
}

#[test]
fn plain_numeric_columns_work_in_every_format_and_can_be_chosen() {
    let dir = dir();
    let column =
        |scale: f64| -> ArrayRef { Arc::new(Float64Array::from_iter_values((0..9).map(|i| scale * f64::from(i)))) };
    let labels: ArrayRef = Arc::new(Int64Array::from_iter_values((0..9).map(|i| i % 2)));
    let flags: ArrayRef = Arc::new(BooleanArray::from_iter((0..9).map(|i| Some(i % 2 == 0))));
    let batch =
        table(vec![("a", column(1.0)), ("label", labels), ("b", column(0.5)), ("flag", flags), ("c", column(2.0))]);
    for ending in ["parquet", "arrow", "arrows", "csv"] {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, std::slice::from_ref(&batch));
        let data = load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(data.source.vector_columns, ["a", "b", "c"], "{ending}");
        assert_eq!(data.vectors.row(4), [4.0, 2.0, 8.0], "{ending}");
        let roles: Vec<Role> = data.roles.iter().map(|(_, role)| *role).collect();
        assert_eq!(roles, [Role::Vector, Role::Categorical, Role::Vector, Role::Categorical, Role::Vector], "{ending}");
        let chosen = LoadOptions { columns: vec!["c".into(), "label".into()], ..LoadOptions::default() };
        let data = load(&path, &chosen).unwrap();
        assert_eq!(data.vectors.row(3), [6.0, 1.0], "{ending}: in the order asked for");
        assert_eq!(data.attributes.num_columns(), 3);
    }
}

#[test]
fn among_several_list_columns_the_name_decides_and_then_the_length() {
    let dir = dir();
    let path = dir.path().join("a.parquet");
    let of = |kind: &str, dims: usize| lists(kind, &DataType::Float32, vec![Some(1.0); 6 * dims], dims);
    write(&path, &[table(vec![("aaa", of("list", 5)), ("embedding", of("fixed", 2)), ("bbb", of("fixed", 3))])]);
    let data = load(&path, &LoadOptions::default()).unwrap();
    assert_eq!(data.source.vector_columns, ["embedding"]);
    assert!(data.notes[0].starts_with("column \"embedding\" holds the vectors; --vector takes another: \"aaa\""));
    let named = LoadOptions { vector: Some("bbb".into()), ..LoadOptions::default() };
    assert_eq!(load(&path, &named).unwrap().vectors.dims(), 3);
    write(&path, &[table(vec![("aaa", of("list", 5)), ("bbb", of("fixed", 3))])]);
    assert_eq!(load(&path, &LoadOptions::default()).unwrap().source.vector_columns, ["aaa"]);
}

#[test]
fn attributes_keep_their_types_and_roles_and_roles_can_be_overridden() {
    let dir = dir();
    let colors: ArrayRef = Arc::new(StringArray::from_iter_values((0..40).map(|i| format!("#0000{i:02}"))));
    let mut columns = vec![("vector", lists("fixed", &DataType::UInt8, vec![Some(3.0); 80], 2)), ("color", colors)];
    columns.push(("other", lists("list", &DataType::Float32, vec![Some(3.0); 40], 1)));
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[table(columns.clone())]);
        let options = LoadOptions { roles: [("color".to_owned(), Role::Text)].into(), ..LoadOptions::default() };
        for (options, role) in [(LoadOptions::default(), Role::Color), (options, Role::Text)] {
            let data = load(&path, &options).unwrap();
            let expected = [("vector", Role::Vector), ("color", role), ("other", Role::Ignored)];
            assert_eq!(data.roles, expected.map(|(name, role)| (name.to_owned(), role)), "{ending}");
            assert_eq!(data.attributes.column(1).as_ref(), columns[2].1.as_ref(), "{ending}");
        }
    }
}

#[test]
fn attributes_can_be_left_unread() {
    use dataset::AttributeColumns::{None, Only};
    let dir = dir();
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[numbered(10)]);
        let options = LoadOptions { attributes: None, ..LoadOptions::default() };
        let data = load(&path, &options).unwrap();
        assert_eq!((data.attributes.num_columns(), data.attributes.num_rows()), (0, 10));
        let options = LoadOptions { attributes: Only(vec!["number".into()]), ..LoadOptions::default() };
        assert_rows_belong_together(&load(&path, &options).unwrap());
    }
}

#[test]
fn bytes_in_memory_load_as_a_file_does() {
    let dir = dir();
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[numbered(30)]);
        let bytes = Bytes::from(std::fs::read(&path).unwrap());
        let from_file = load(&path, &LoadOptions::default()).unwrap();
        let from_bytes = dataset::load_bytes("demo", bytes, &LoadOptions::default(), &|_| {}).unwrap();
        assert_eq!(from_bytes.vectors, from_file.vectors);
        assert_eq!(from_bytes.attributes, from_file.attributes);
        assert_eq!(from_bytes.source.hash, from_file.source.hash);
    }
}

#[test]
fn standardize_and_pca_are_applied_in_this_order() {
    let dir = dir();
    let path = dir.path().join("a.csv");
    let rows: String = (0..50).map(|i| format!("{},{},5\n", i, 1000 * (i % 7))).collect();
    std::fs::write(&path, format!("a,b,c\n{rows}")).unwrap();
    let options = LoadOptions { standardize: true, pca: PcaChoice::To(2), ..LoadOptions::default() };
    let data = load(&path, &options).unwrap();
    let report = data.pca.unwrap();
    assert_eq!((data.vectors.dims(), report.dims, data.source.input_dims), (2, 2, 3));
    assert!((report.variance_kept - 1.0).abs() < 1e-6, "the constant column has no variance: {report:?}");
    let total: f32 = data.vectors.padded().iter().map(|v| v * v).sum();
    assert!((total / 50.0 - 2.0).abs() < 1e-3, "two standardized columns have variance 2, found {}", total / 50.0);
    let off = LoadOptions { pca: PcaChoice::To(3), ..LoadOptions::default() };
    assert_eq!(load(&path, &off).unwrap().pca, None);
}
