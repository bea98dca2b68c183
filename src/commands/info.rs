//! `nevis info`: what is in a file, and what embedding it will take.

use crate::args::InfoArgs;
use crate::console::Console;
use crate::error::CommandError;
use crate::forecast::{Forecast, available_memory, forecast};
use crate::input::Input;
use crate::text;
use dataset::{Info, LoadOptions};
use embedding::Settings;
use serde::Serialize;
use std::fmt;

/// Constant dimensions that are listed by number; beyond that only how many there are.
const LISTED_CONSTANTS: usize = 8;
/// Columns that are listed; a table of thousands has more than anyone reads.
const LISTED_COLUMNS: usize = 40;

#[derive(Debug, Clone, Serialize)]
struct InfoReport {
    #[serde(flatten)]
    info: Info,
    /// Dimensions after PCA, as the options have it.
    embedded_dims: usize,
    memory: Forecast,
}

pub fn run(args: &InfoArgs, console: Console) -> Result<(), CommandError> {
    let options = args.loader.over(LoadOptions::default());
    let info = Input::of(&args.files).inspect(&options, console)?;
    let memory = forecast(&info, &options, &Settings::for_rows(info.rows), available_memory());
    let embedded_dims = options.pca.target(info.rows, info.dims).unwrap_or(info.dims);
    console.print(&InfoReport { info, embedded_dims, memory })
}

impl InfoReport {
    fn facts(&self) -> Vec<Vec<String>> {
        let info = &self.info;
        let first = info.paths.first().map(|path| path.display().to_string()).unwrap_or_default();
        let more = if info.paths.len() > 1 { format!(" and {} more", info.paths.len() - 1) } else { String::new() };
        let mut rows = text::count(info.rows);
        if info.rows != info.file_rows {
            rows += &format!(" of {}", text::count(info.file_rows));
        }
        let mut dims = format!("{} in {}", text::count(info.dims), vectors_of(&info.vector_columns));
        if self.embedded_dims != info.dims {
            dims += &format!("; PCA leaves {}", self.embedded_dims);
        }
        let about = if info.duplicates.exact { "" } else { "about " };
        let bad = info.first_bad_row.as_ref().map_or(String::new(), |first| format!("; first: {first}"));
        let lines = [
            ("file", format!("{first}{more} ({}, {})", info.format, text::bytes(info.bytes))),
            ("rows", rows),
            ("dimensions", dims),
            ("constant", constants(&info.constant_dims)),
            ("duplicates", format!("{about}{}", text::counted(info.duplicates.rows, "row"))),
            ("unusable", format!("{}{bad}", text::counted(info.bad_rows, "row"))),
        ];
        lines.map(|(name, value)| vec![name.to_owned(), value]).to_vec()
    }

    fn memory_lines(&self) -> Vec<Vec<String>> {
        let Forecast { cpu, gpu, available, fits, .. } = self.memory;
        let verdict = match (available, fits) {
            (Some(available), Some(true)) => format!("fits into the {} available", text::bytes(available)),
            (Some(available), _) => {
                format!("does not fit into the {} available: use --pca 50, --limit or --sample", text::bytes(available))
            }
            (None, _) => "available memory unknown".to_owned(),
        };
        let parts = format!(
            "vectors {}, HD lists {}, LD lists {}, affinities {}, positions {}, attributes {}",
            text::bytes(cpu.vectors),
            text::bytes(cpu.hd_lists),
            text::bytes(cpu.ld_lists),
            text::bytes(cpu.affinities),
            text::bytes(cpu.positions),
            text::bytes(cpu.attributes)
        );
        vec![
            vec!["cpu".to_owned(), text::bytes(cpu.total), verdict],
            vec![String::new(), String::new(), parts],
            vec![
                "gpu".to_owned(),
                text::bytes(gpu.total),
                "the same buffers; this backend is not there yet".to_owned(),
            ],
        ]
    }
}

fn vectors_of(columns: &[String]) -> String {
    match columns {
        [only] => format!("column {only:?}"),
        columns => text::counted(columns.len(), "column"),
    }
}

fn constants(dims: &[usize]) -> String {
    let listed: Vec<String> = dims.iter().take(LISTED_CONSTANTS).map(usize::to_string).collect();
    let more = if dims.len() > LISTED_CONSTANTS { ", …" } else { "" };
    let which = if dims.is_empty() { String::new() } else { format!(" ({}{more})", listed.join(", ")) };
    format!("{}{which}", text::counted(dims.len(), "dimension"))
}

impl fmt::Display for InfoReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", text::columns(&self.facts()))?;
        writeln!(f, "\ncolumns")?;
        let columns = self.info.columns.iter().take(LISTED_COLUMNS);
        let lines: Vec<Vec<String>> =
            columns.map(|c| vec![c.name.clone(), c.data_type.clone(), c.role.to_string()]).collect();
        write!(f, "{}", text::columns(&lines))?;
        if self.info.columns.len() > LISTED_COLUMNS {
            writeln!(f, "  … and {} more", text::count(self.info.columns.len() - LISTED_COLUMNS))?;
        }
        writeln!(f, "\nmemory to embed it")?;
        write!(f, "{}", text::columns(&self.memory_lines()))?;
        self.info.notes.iter().try_for_each(|note| writeln!(f, "\nnote: {note}"))
    }
}
