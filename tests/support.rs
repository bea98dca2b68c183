//! Runs the program and makes small inputs for it.

use dataset::arrow::array::{
    ArrayRef, AsArray, FixedSizeListArray, Float32Array, Int32Array, RecordBatch, StringArray,
};
use dataset::arrow::datatypes::{DataType, Field, Float32Type};
use dataset::{Dataset, LoadOptions};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
pub use tempfile::TempDir;

/// Iterations that are enough to see that something moves, and few enough to wait for.
pub const FEW: &str = "30";

pub fn dir() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The program, in a directory and with arguments.
pub fn nevis(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nevis"));
    // Without it, Mesa's libraries complain on stderr, where the tests expect nothing but what nevis says.
    command.current_dir(directory).args(args).env("XDG_RUNTIME_DIR", directory);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY"); // no windows on the developer's desktop
    command
}

pub fn run(directory: &Path, args: &[&str]) -> Output {
    nevis(directory, args).output().unwrap()
}

/// Runs it, expects success, and gives what it printed.
pub fn succeed(directory: &Path, args: &[&str]) -> String {
    let output = run(directory, args);
    assert!(output.status.success(), "nevis {args:?} failed: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The adapter that the gpu backend takes by itself, or nothing where there is none; NEVIS_REQUIRE_GPU=1 forbids that.
pub fn adapter() -> Option<String> {
    let adapter = ::gpu::adapter::list().into_iter().next().map(|adapter| adapter.name);
    if adapter.is_none() {
        let required = std::env::var("NEVIS_REQUIRE_GPU").is_ok_and(|value| value == "1");
        assert!(!required, "there is no graphics adapter here, but NEVIS_REQUIRE_GPU=1");
        eprintln!("skipped: there is no graphics adapter here");
    }
    adapter
}

/// Runs it with `--json`, expects one object on stdout and nothing on stderr.
pub fn json(directory: &Path, args: &[&str]) -> Value {
    let output = run(directory, &[args, &["--json"]].concat());
    assert!(output.status.success(), "nevis {args:?} failed: {}", stderr(&output));
    assert_eq!(stderr(&output), "", "with --json nothing is said beside the object");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(value.is_object());
    value
}

/// Runs it, expects this exit code, and gives what it said on stderr; stdout must be empty.
pub fn fail(directory: &Path, args: &[&str], code: i32) -> String {
    let output = run(directory, args);
    assert_eq!(output.status.code(), Some(code), "nevis {args:?}: {}", stderr(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let text = stderr(&output);
    assert!(text.starts_with("error: "), "{text}");
    text
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn has_keys(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "no {key:?} in {value}");
    }
}

/// Names of the files in a directory, sorted.
pub fn files_in(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub fn lists(values: Vec<f32>, dims: usize) -> ArrayRef {
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    Arc::new(FixedSizeListArray::try_new(item, dims as i32, Arc::new(Float32Array::from(values)), None).unwrap())
}

pub fn write(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    dataset::write_table(path, &batch, &[]).unwrap();
}

/// A number in 0…1 that looks random.
pub fn noise(seed: usize) -> f32 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) & 0xFF_FFFF) as f32 / 16_777_216.0
}

/// `rows` vectors in five blobs: the blob of row `i` is `i % 5`.
pub fn blobs(rows: usize, dims: usize) -> Vec<f32> {
    let value = |row: usize, dim: usize| 6.0 * noise(1000 * (row % 5) + dim) + noise(1_000_000 + row * dims + dim);
    (0..rows).flat_map(|row| (0..dims).map(move |dim| value(row, dim))).collect()
}

/// `label` (text), `vector`, `number` (the row's number): attributes on both sides of the vectors.
pub fn write_blobs(path: &Path, rows: usize) {
    let labels = StringArray::from_iter_values((0..rows).map(|row| format!("blob {}", row % 5)));
    let numbers = Int32Array::from_iter_values((0..rows).map(|row| row as i32));
    let vectors = lists(blobs(rows, 12), 12);
    write(path, vec![("label", Arc::new(labels)), ("vector", vectors), ("number", Arc::new(numbers))]);
}

/// A directory with such a file, `in.parquet`.
pub fn dir_of_blobs(rows: usize) -> TempDir {
    let dir = dir();
    write_blobs(&dir.path().join("in.parquet"), rows);
    dir
}

/// Reads a table back; `columns` are the vectors.
pub fn read(path: &Path, columns: &[&str]) -> Dataset {
    let options = LoadOptions { columns: columns.iter().map(|&c| c.to_owned()).collect(), ..LoadOptions::default() };
    dataset::load(&[path.to_path_buf()], &options, &|_| {}).unwrap()
}

/// The names of all columns of a file, in order.
pub fn column_names(path: &Path) -> Vec<String> {
    let info = dataset::inspect(&[path.to_path_buf()], &LoadOptions::default(), &|_| {}).unwrap();
    info.columns.into_iter().map(|column| column.name).collect()
}

pub fn floats(batch: &RecordBatch, column: &str) -> Vec<f32> {
    batch.column_by_name(column).unwrap().as_primitive::<Float32Type>().values().to_vec()
}

/// A file of the data sets beside the repository, or nothing where they are not; NEVIS_SKIP_NOTHING forbids that.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var_os("NEVIS_SKIP_NOTHING").is_none(), "{} is not here", path.display());
    eprintln!("skipped: {} is not here", path.display());
    None
}
