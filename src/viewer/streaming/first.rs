//! The first rows of a map that is fed by a stream: those of files, or the first that arrive.

use super::feed::{Feed, STANDARD};
use crate::error::CommandError;
use crate::input::Input;
use crate::viewer::opening::{Arrived, Read, Report};
use dataset::arrow::record_batch::RecordBatch;
use dataset::{LoadOptions, load_batches};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use stream::{Arrival, Limits, LivingTable, Operation, Origin, Source, whole_files};

/// So many rows are enough to begin with …
const ENOUGH: usize = 1000;
/// … or fewer, if no more have come for so long.
const QUIET: Duration = Duration::from_millis(700);
/// Fewer rows than this are waited for longer: they would make no map.
const FEWEST: usize = 10;
const NAP: Duration = Duration::from_millis(20);

/// What feeds a map.
#[derive(Debug, Clone, Default)]
pub struct StreamPlan {
    /// Where rows come from.
    pub origins: Vec<Origin>,
    /// The column that rows are known by.
    pub key: Option<String>,
    /// The most rows that live at once.
    pub keep_last: Option<usize>,
}

impl StreamPlan {
    /// What it is called.
    pub fn name(&self, ports: &[u16]) -> String {
        let mut ports = ports.iter();
        let names = self.origins.iter().map(|origin| match origin {
            Origin::Directory { path, .. } | Origin::Unix(path) => path.display().to_string(),
            Origin::Standard => STANDARD.to_owned(),
            Origin::Tcp(asked) => format!("127.0.0.1:{}", ports.next().unwrap_or(asked)),
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

/// Reads the first rows and opens the stream.
///
/// # Errors
/// If a source cannot be opened, or its rows cannot be used.
pub fn read_living(
    plan: StreamPlan,
    files: Option<Input>,
    load: LoadOptions,
    report: Report<'_>,
) -> Result<Arrived, CommandError> {
    let mut plan = plan;
    let mut files = files;
    for origin in &mut plan.origins {
        if let Origin::Directory { path, seen } = origin {
            let whole = whole_files(path)?;
            if !whole.is_empty() {
                files = Some(Input::of(&whole));
            }
            *seen = whole;
        }
    }
    let source = Source::open(plan.origins.clone(), Limits::default())?;
    let name = plan.name(source.ports());
    let mut words = match source.ports() {
        [] => Vec::new(),
        _ => vec![(format!("listening on {name}"), false)],
    };
    let (input, dataset) = match files {
        Some(input) => {
            let dataset = input.read(&load, report).map_err(|error| CommandError::in_input(&input, error))?;
            (input, dataset)
        }
        None => {
            eprintln!("nevis: waiting for the first rows from {name}");
            let batches = gather(&source, &mut words)?;
            (Input::of(&[PathBuf::from("stream")]), load_batches(&name, &batches, &load, report)?)
        }
    };
    let table = LivingTable::new(&dataset, plan.key.as_deref(), plan.keep_last)?;
    let feed = Feed { name, source, table, words };
    Ok(Read { feed: Some(feed), ..Read::of(input, load, dataset) }.into())
}

/// Waits for the first rows.
fn gather(source: &Source, words: &mut Vec<(String, bool)>) -> Result<Vec<RecordBatch>, CommandError> {
    let (mut batches, mut rows, mut last) = (Vec::<RecordBatch>::new(), 0, Instant::now());
    loop {
        match source.try_next() {
            Some(Arrival::Rows { operation: Operation::Append, batch, .. }) => {
                if batches.first().is_some_and(|first| first.schema() != batch.schema()) {
                    words.push(("rows of another schema than the first are left out".to_owned(), true));
                    continue;
                }
                rows += batch.num_rows();
                batches.push(batch);
                last = Instant::now();
                if rows >= ENOUGH {
                    return Ok(batches);
                }
            }
            Some(Arrival::Rows { from, .. }) => {
                words.push((format!("{from}: there is nothing to replace or delete yet"), true));
            }
            Some(Arrival::Trouble { from, message }) if rows < FEWEST => {
                eprintln!("nevis: {from}: {message}");
                words.push((format!("{from}: {message}"), true));
                if from.as_ref() == STANDARD {
                    return Err(CommandError::Stream(format!("{from}: {message}")));
                }
            }
            Some(Arrival::Trouble { from, message }) => words.push((format!("{from}: {message}"), true)),
            Some(Arrival::Ended { from }) if rows < FEWEST && from.as_ref() == STANDARD => {
                return match rows {
                    0 | 1 => {
                        Err(CommandError::Stream(format!("{from} ended after {rows} rows: there is no map of those")))
                    }
                    _ => Ok(batches),
                };
            }
            Some(Arrival::Connected { .. } | Arrival::Ended { .. }) => {}
            None if rows >= FEWEST && last.elapsed() > QUIET => return Ok(batches),
            None => std::thread::sleep(NAP),
        }
    }
}
