//! `nevis [FILE …]` where there is no display: what the window would have shown, as a table and a picture.

use crate::args::OpenArgs;
use crate::backend::Wish;
use crate::choice::{SettingsChoice, SettingsFile, check_drawn};
use crate::commands::embed::Job;
use crate::commands::render::{column_values, shown};
use crate::console::Console;
use crate::coordinates;
use crate::error::CommandError;
use crate::input::{DEMO, Input};
use crate::recipe::Recipe;
use crate::viewer::offscreen::draw;
use colours::{ColourBy, default_colouring, paint};
use dataset::{AttributeColumns, LoadOptions, RECIPE_KEY};
use points::picture::write_png;
use std::path::{Path, PathBuf};

/// Size of the picture.
const SIZE: (u32, u32) = (1280, 720);

/// Embeds the files, or the demo, into the current directory: coordinates, and a picture of them where there is
/// something to draw it with.
pub fn run(args: &OpenArgs, console: Console) -> Result<(), CommandError> {
    let input = if args.files.is_empty() { Input::Demo } else { Input::of(&args.files) };
    let (table, picture) = (output_for(&input, "parquet"), output_for(&input, "png"));
    args.engine.dims.map_or(Ok(()), check_drawn)?;
    let job = Job {
        out: table.clone(),
        input,
        load: args.loader.over(LoadOptions::default()),
        settings: SettingsChoice::Over {
            file: args.settings.as_deref().map(SettingsFile::read).transpose()?,
            flags: args.engine.clone(),
            iterations: None,
        },
        init_columns: args.engine.init_columns(),
        plan: None,
        backend: Wish::of(&args.backend)?,
        repeats: None,
    };
    let mut report = job.run(console)?;
    report.notes.push("there is no display: embedded without a window".to_owned());
    console.notes(&report.notes[report.notes.len() - 1..]);
    match draw_table(&table, &picture, args, console) {
        Ok(()) => report.picture = Some(picture),
        Err(CommandError::Gpu(error)) => {
            report.notes.push(format!("no picture: {error}"));
            console.notes(&report.notes[report.notes.len() - 1..]);
        }
        Err(error) => return Err(error),
    }
    report.conclude(console)
}

/// Draws what a table holds.
fn draw_table(table: &Path, picture: &Path, args: &OpenArgs, console: Console) -> Result<(), CommandError> {
    let adapter = gpu::adapter::open(args.backend.adapter.as_deref())?;
    let recipe = Recipe::of_embedding(table)?;
    let input = Input::of(&[table.to_path_buf()]);
    let data = coordinates::read(&input, &[], Some(&recipe), AttributeColumns::All, console)?;
    let mut colours = args.view.over_colours(default_colouring(&data));
    if matches!(colours.by, ColourBy::NeighbourhoodKept | ColourBy::DistanceCorrelation) {
        colours.by = ColourBy::Uniform; // the data it would be compared with is gone
    }
    let values = column_values(&data, &colours)?;
    let (rows, dims) = (data.vectors.rows(), data.vectors.dims());
    let positions: Vec<f32> = (0..rows).flat_map(|row| data.vectors.row(row)).copied().collect();
    let pixels = draw(shown(positions, dims, &paint(values.as_ref(), rows, &colours), &args.view, SIZE), &adapter)?;
    Ok(write_png(picture, &pixels, &[(RECIPE_KEY.to_owned(), serde_json::to_string(&recipe)?)])?)
}

/// Named after the first file, but beside the user, not beside the file.
fn output_for(input: &Input, ending: &str) -> PathBuf {
    match input {
        Input::Demo => format!("nevis-demo.{ending}").into(),
        Input::Files(paths) => {
            let first = paths.first().map_or(Path::new(DEMO), PathBuf::as_path);
            let stem = first.file_stem().unwrap_or("input".as_ref());
            PathBuf::from(format!("{}.nevis.{ending}", stem.to_string_lossy()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_the_first_file() {
        assert_eq!(output_for(&Input::Demo, "parquet"), Path::new("nevis-demo.parquet"));
        let files = Input::of(&["/data/a.b.parquet".into(), "/data/c.parquet".into()]);
        assert_eq!(output_for(&files, "png"), Path::new("a.b.nevis.png"));
        assert_eq!(output_for(&Input::of(&["..".into()]), "parquet"), Path::new("input.nevis.parquet"));
    }
}
