//! Scaling: time by number of rows, in 32 dimensions. Seconds of a clock and seconds that cores worked: the latter say
//! more where others work on the same machine.

use super::peers::Peer;
use super::plot::{Axis, Curve, Panel, draw};
use super::sets::{BLOB_DIMS, Blobs};
use super::tidy::Tidy;
use super::{Laboratory, Outcome, SEED};
use crate::error::CommandError;
use crate::table::Table;
use embedding::{Plan, Settings};
use rustix::time::{ClockId, clock_gettime};
use std::time::Instant;

/// One run.
struct Run {
    method: String,
    rows: usize,
    /// None of a method that decides by itself; 0 in the table.
    iterations: Option<u32>,
    seconds: f64,
    cpu_seconds: f64,
}

/// Numbers of rows, iterations of nevis, and those numbers of rows that the peers get: they take their time.
struct Size {
    rows: &'static [usize],
    iterations: u32,
    peers: &'static [usize],
}

pub fn run(laboratory: &mut Laboratory<'_>) -> Result<Outcome, CommandError> {
    let size = if laboratory.quick {
        Size { rows: &[500, 1000, 2000], iterations: 60, peers: &[500, 1000] }
    } else {
        Size {
            rows: &[1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
            iterations: 500,
            peers: &[1000, 5000, 20_000, 100_000],
        }
    };
    let mut runs = Vec::new();
    for &rows in size.rows {
        let vectors = Blobs::overlapping(rows).vectors();
        if size.peers.contains(&rows) {
            for peer in [Peer::Umap, Peer::Pynndescent] {
                if let Some(run) = laboratory.peers.run(peer, &vectors) {
                    let (seconds, cpu_seconds) = (run.figures.warm, run.figures.warm_cpu);
                    runs.push(Run { method: peer.label(&run.figures), rows, iterations: None, seconds, cpu_seconds });
                }
            }
        }
        let settings = Settings { seed: SEED, ..Settings::for_rows(rows) };
        let (begun, worked) = (Instant::now(), cpu_seconds());
        laboratory.embed(vectors, settings, Plan::of(size.iterations))?;
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu_seconds() - worked);
        let method = format!("nevis, {} iterations", size.iterations);
        runs.push(Run { method, rows, iterations: Some(size.iterations), seconds, cpu_seconds });
    }
    let panels = [
        panel(&runs, "Time on the clock", |run| run.seconds),
        panel(&runs, "Time of all cores together", |run| run.cpu_seconds),
    ];
    Ok(Outcome { plot: draw(&panels, 2)?, figures: figures(&runs), table: table(&runs) })
}

/// Time that all threads of this process have worked.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The methods, nevis first.
fn methods(runs: &[Run]) -> Vec<&str> {
    let mut methods: Vec<&str> = runs.iter().map(|run| run.method.as_str()).collect();
    methods.sort_by_key(|method| (!method.starts_with("nevis"), *method));
    methods.dedup();
    methods
}

fn panel(runs: &[Run], title: &str, seconds: fn(&Run) -> f64) -> Panel {
    let curve = |(colour, method): (usize, &str)| {
        let points = runs.iter().filter(|run| run.method == method).map(|run| (run.rows as f64, seconds(run)));
        Curve { name: method.to_owned(), points: points.collect(), colour, dashed: false }
    };
    Panel {
        title: title.to_owned(),
        x: Axis::log_over(&format!("rows of {BLOB_DIMS} dimensions"), runs.iter().map(|run| run.rows as f64)),
        y: Axis::log_over("seconds", runs.iter().map(seconds)),
        curves: methods(runs).into_iter().enumerate().map(curve).collect(),
    }
}

fn figures(runs: &[Run]) -> String {
    let sentence = |method: &str| {
        let of: Vec<&Run> = runs.iter().filter(|run| run.method == method).collect();
        let told: Vec<String> = of
            .iter()
            .map(|run| format!("{}: {:.1} s ({:.1} s of cores)", run.rows, run.seconds, run.cpu_seconds))
            .collect();
        let growth = match of[..] {
            [.., before, last] => {
                let growth =
                    (last.cpu_seconds / before.cpu_seconds).ln() / (last.rows as f64 / before.rows as f64).ln();
                format!("; time of cores grows as N^{growth:.2} at the end")
            }
            _ => String::new(),
        };
        format!("{method}: {}{growth}", told.join(", "))
    };
    methods(runs).into_iter().map(sentence).collect::<Vec<_>>().join("; ")
}

fn table(runs: &[Run]) -> Table {
    Tidy::of(runs)
        .texts("method", |run| &run.method)
        .counts("dims", |_| BLOB_DIMS)
        .counts("rows", |run| run.rows)
        .counts("iterations", |run| run.iterations.unwrap_or(0) as usize)
        .numbers("seconds", |run| run.seconds)
        .numbers("cpu_seconds", |run| run.cpu_seconds)
        .table()
}
