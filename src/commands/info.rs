//! `nevis info`: what is in a file, and what embedding it will take.

#[cfg(feature = "gpu")]
use super::adapters;
use crate::args::InfoArgs;

use crate::console::Console;
use crate::error::CommandError;
use crate::forecast::{Buffers, Forecast, available_memory, forecast};
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
    #[cfg(feature = "gpu")]
    if args.adapters {
        return adapters::run(console);
    }
    let options = args.loader.over(LoadOptions::default());
    let info = Input::of(&args.files).inspect(&options, console)?;
    let settings = Settings::for_rows(info.rows);
    let memory = forecast(&info, &options, &settings, available_memory());
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
        let Forecast { cpu, available, fits, .. } = &self.memory;
        let verdict = match (available, fits) {
            (Some(available), Some(true)) => format!("fits into the {} available", text::bytes(*available)),
            (Some(available), _) => {
                let available = text::bytes(*available);
                format!("does not fit into the {available} available: use --pca 50, --limit or --sample")
            }
            (None, _) => "available memory unknown".to_owned(),
        };
        let cpu_parts = format!("{}, attributes {}", parts(cpu), text::bytes(cpu.attributes));
        let lines = vec![vec!["cpu".to_owned(), text::bytes(cpu.total), verdict], below(cpu_parts)];
        #[cfg(feature = "gpu")]
        let lines = [lines, self.gpu_lines()].concat();
        lines
    }

    #[cfg(feature = "gpu")]
    fn gpu_lines(&self) -> Vec<Vec<String>> {
        let gpu = &self.memory.gpu;
        let verdict = match &gpu.fit {
            None => "no graphics adapter here".to_owned(),
            Some(fit) => match &fit.refusal {
                None => format!("every buffer fits {}", fit.adapter),
                Some(refusal) => format!("not on {}: {refusal}", fit.adapter),
            },
        };
        vec![vec!["gpu".to_owned(), text::bytes(gpu.buffers.total), verdict], below(parts(&gpu.buffers))]
    }
}

/// A line below another one.
fn below(text: String) -> Vec<String> {
    vec![String::new(), String::new(), text]
}

/// The buffers that a user has a hand in.
fn parts(buffers: &Buffers) -> String {
    let parts = [
        ("vectors", buffers.vectors),
        ("HD lists", buffers.hd_lists),
        ("LD lists", buffers.ld_lists),
        ("affinities", buffers.affinities),
        ("positions", buffers.positions),
    ];
    parts.map(|(name, bytes)| format!("{name} {}", text::bytes(bytes))).join(", ")
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
