//! `nevis [FILE …]`: what a machine without a display gets instead of the viewer (for now, every machine).

use crate::backend::Wish;
use crate::choice::SettingsChoice;
use crate::commands::embed::Job;
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{DEMO, Input};
use dataset::LoadOptions;
use std::path::{Path, PathBuf};

/// Embeds the files, or the demo, with default settings into the current directory.
pub fn run(files: &[PathBuf], console: Console) -> Result<(), CommandError> {
    let input = if files.is_empty() { Input::Demo } else { Input::of(files) };
    let job = Job {
        out: output_for(&input),
        input,
        load: LoadOptions::default(),
        settings: SettingsChoice::defaults(),
        init_columns: Vec::new(),
        plan: None,
        backend: Wish::default(),
        repeats: None,
    };
    let mut report = job.run(console)?;
    report.notes.push("there is no viewer yet: embedded without a window".to_owned());
    console.notes(&report.notes[report.notes.len() - 1..]);
    report.conclude(console)
}

/// Named after the first file, but beside the user, not beside the file.
fn output_for(input: &Input) -> PathBuf {
    match input {
        Input::Demo => "nevis-demo.parquet".into(),
        Input::Files(paths) => {
            let first = paths.first().map_or(Path::new(DEMO), PathBuf::as_path);
            let stem = first.file_stem().unwrap_or("input".as_ref());
            PathBuf::from(format!("{}.nevis.parquet", stem.to_string_lossy()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_is_named_after_the_first_file() {
        assert_eq!(output_for(&Input::Demo), Path::new("nevis-demo.parquet"));
        let files = Input::of(&["/data/a.b.parquet".into(), "/data/c.parquet".into()]);
        assert_eq!(output_for(&files), Path::new("a.b.nevis.parquet"));
        assert_eq!(output_for(&Input::of(&["..".into()])), Path::new("input.nevis.parquet"));
    }
}
