//! Outputs: three formats, the recipe inside, and the old file safe until the new one is whole.

use crate::support::*;
use dataset::arrow::array::{AsArray, RecordBatch};
use dataset::write::{check_output, write_batches, write_table, write_text};
use dataset::{DatasetError, LoadOptions, RECIPE_KEY, read_metadata};
use std::path::Path;

fn recipe() -> Vec<(String, String)> {
    vec![(RECIPE_KEY.to_owned(), "{\"seed\": 7, \"note\": \"größer\"}".to_owned())]
}

fn files_in(directory: &Path) -> Vec<String> {
    let names = directory.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn tables_and_their_recipe_come_back() {
    let dir = dir();
    let batch = numbered(300);
    for ending in ["parquet", "arrow", "feather", "ipc"] {
        let path = dir.path().join(format!("out.{ending}"));
        write_table(&path, &batch, &recipe()).unwrap();
        assert_eq!(read_metadata(&path, RECIPE_KEY).unwrap(), Some(recipe()[0].1.clone()), "{ending}");
        assert_eq!(read_metadata(&path, "other").unwrap(), None);
        let data = load(&path, &LoadOptions::default()).unwrap();
        assert_rows_belong_together(&data);
        assert_eq!(data.attributes, batch.project(&[0, 2]).unwrap());
    }
    let path = dir.path().join("out.csv");
    write_table(&path, &batch.project(&[0, 2]).unwrap(), &recipe()).unwrap();
    assert_eq!(read_metadata(&path, RECIPE_KEY).unwrap(), None);
    let data = load(&path, &LoadOptions::default()).unwrap();
    assert_eq!(data.attributes.column(0).as_string::<i32>().value(1), "green");
    assert_eq!(data.vectors.row(299), [299.0]);
    assert_eq!(files_in(dir.path()).len(), 5, "no side files: {:?}", files_in(dir.path()));
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let dir = dir();
    for ending in ["parquet", "arrow", "csv"] {
        let path = dir.path().join(format!("out.{ending}"));
        std::fs::write(&path, "the old file").unwrap();
        let batch = numbered(100).project(&[0, 2]).unwrap();
        let schema = batch.schema();
        let temporary_exists = |dir: &Path| files_in(dir).iter().any(|name| name.ends_with(".unfinished"));
        let failing = (0..3).map(|i| -> Result<RecordBatch, DatasetError> {
            assert!(temporary_exists(dir.path()), "rows go to a temporary file in the same directory");
            if i < 2 { Ok(batch.clone()) } else { Err(DatasetError::NoInput) }
        });
        assert!(message(write_batches(&path, &schema, failing, &[])).starts_with("no input given"));
        assert_eq!(std::fs::read(&path).unwrap(), b"the old file");
        assert!(!temporary_exists(dir.path()));
        write_batches(&path, &schema, [Ok(batch.clone())], &[]).unwrap();
        assert_ne!(std::fs::read(&path).unwrap(), b"the old file");
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn outputs_that_cannot_be_are_refused_before_anything_is_written() {
    let dir = dir();
    let batch = numbered(3);
    let csv = dir.path().join("out.csv");
    std::fs::write(&csv, "old").unwrap();
    let found = "holds FixedSizeList(3 x Float32), which a CSV file cannot; write to a .parquet or .arrow file";
    let text = format!("{csv:?}: column \"vector\" {found}");
    assert_eq!(message(write_table(&csv, &batch, &[])), text);
    assert_eq!(message(check_output(&csv, &batch.schema())), text);
    assert_eq!(std::fs::read(&csv).unwrap(), b"old");
    let odd = dir.path().join("out.npz");
    let endings = "the ending decides the format; use .parquet, .arrow, .feather, .ipc or .csv";
    assert_eq!(message(write_table(&odd, &batch, &[])), format!("{odd:?}: {endings}"));
    let nowhere = dir.path().join("no/out.parquet");
    let text = format!("{nowhere:?} cannot be written: its directory does not exist");
    assert_eq!(message(write_table(&nowhere, &batch, &[])), text);
    let taken = dir.path().join("dir.parquet");
    std::fs::create_dir(&taken).unwrap();
    assert_eq!(message(write_table(&taken, &batch, &[])), format!("{taken:?} cannot be written: it is a directory"));
    assert_eq!(files_in(dir.path()).len(), 2);
}

#[cfg(unix)]
#[test]
fn outputs_are_readable_by_whom_the_umask_allows() {
    use std::os::unix::fs::PermissionsExt;
    let dir = dir();
    let (path, plain) = (dir.path().join("out.parquet"), dir.path().join("plain"));
    write_table(&path, &numbered(3), &[]).unwrap();
    std::fs::write(&plain, "").unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&plain));
}

#[test]
fn a_text_takes_the_place_of_the_old_file_whole() {
    let dir = dir();
    let path = dir.path().join("graph.json");
    std::fs::write(&path, "what was there before, and was longer").unwrap();
    write_text(&path, "{}").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
    assert_eq!(files_in(dir.path()), ["graph.json"], "nothing lies beside it");
    for nowhere in [dir.path().to_path_buf(), dir.path().join("missing/graph.json")] {
        let error = write_text(&nowhere, "{}").unwrap_err();
        assert!(matches!(error, DatasetError::Unwritable { .. }), "{error}");
    }
}

/// In a process of its own: `remove_unfinished` takes the temporary files of every test that is writing.
#[test]
fn remove_unfinished_deletes_what_is_being_written() {
    const CHILD: &str = "DATASET_TEST_REMOVES_UNFINISHED";
    let Some(directory) = std::env::var_os(CHILD) else {
        let dir = dir();
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writing::remove_unfinished_deletes_what_is_being_written"])
            .env(CHILD, dir.path())
            .status();
        assert!(status.unwrap().success());
        return;
    };
    let path = Path::new(&directory).join("out.parquet");
    std::fs::write(&path, "the old file").unwrap();
    let batch = numbered(10);
    let interrupted = (0..2).map(|i| {
        if i == 1 {
            assert_eq!(files_in(Path::new(&directory)).len(), 2);
            atomic_file::remove_unfinished();
            assert_eq!(files_in(Path::new(&directory)), ["out.parquet"]);
        }
        Ok(batch.clone())
    });
    assert!(message(write_batches(&path, &batch.schema(), interrupted, &[])).contains("cannot be written"));
    assert_eq!(std::fs::read(&path).unwrap(), b"the old file");
}
