//! The Python programs beside which nevis is measured, each run in a process of its own, as `benches/peers` does.

use crate::error::CommandError;
use crate::table::{Table, fixed_lists};
use dataset::arrow::array::Float32Array;
use dataset::write::write_table;
use dataset::{AttributeColumns, LoadOptions, PcaChoice};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use vectors::Vectors;

/// One peer on one file; see there for what it prints.
const PEER: &str = include_str!("../../../benches/peers/peer.py");
/// Where `benches/peers/run` puts the environment, and the variable that says otherwise.
const USUAL_ENVIRONMENT: &str = "target/peers-env";
const VARIABLE: &str = "NEVIS_PEERS_ENV";

/// Who can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    OpenTsne,
    Umap,
    Pynndescent,
}

/// The peers of this machine, and what did not work with them.
#[derive(Debug)]
pub struct Peers {
    environment: PathBuf,
    pub notes: Vec<String>,
}

/// What a peer says of its run.
#[derive(Debug, Clone, Deserialize)]
pub struct PeerFigures {
    /// Seconds of reading and fitting once more, with everything compiled.
    pub warm: f64,
    /// The same as time that cores worked.
    pub warm_cpu: f64,
    pub version: String,
}

/// What a peer did.
#[derive(Debug)]
pub struct PeerRun {
    pub figures: PeerFigures,
    /// Positions, or row numbers of neighbours, by row.
    pub result: Vectors,
}

impl Peer {
    /// As in a legend, with the version that ran.
    pub fn label(self, figures: &PeerFigures) -> String {
        let name = match self {
            Self::OpenTsne => "openTSNE",
            Self::Umap => "UMAP",
            Self::Pynndescent => "pynndescent",
        };
        format!("{name} {}", figures.version)
    }

    /// As the script calls it.
    fn argument(self) -> &'static str {
        match self {
            Self::OpenTsne => "openTSNE",
            Self::Umap => "umap",
            Self::Pynndescent => "pynndescent",
        }
    }
}

impl Peers {
    /// Those of the environment that was named, here or in the variable, or of the usual one.
    pub fn find(named: Option<&Path>) -> Self {
        let from_variable = || std::env::var_os(VARIABLE).map(PathBuf::from);
        let environment = named.map(Path::to_path_buf).or_else(from_variable);
        Self { environment: environment.unwrap_or_else(|| USUAL_ENVIRONMENT.into()), notes: Vec::new() }
    }

    /// Runs a peer with its defaults; nothing but a note where it is not there or fails.
    pub fn run(&mut self, peer: Peer, vectors: &Vectors) -> Option<PeerRun> {
        let python = self.environment.join("bin/python");
        if !python.exists() {
            let note = "without the Python peers, of which there is no environment: see benches/peers/README.md";
            if !self.notes.iter().any(|known| known == note) {
                self.notes.push(note.to_owned());
            }
            return None;
        }
        match ask(&python, peer, vectors) {
            Ok(run) => Some(run),
            Err(reason) => {
                self.notes.push(format!("without {}: {reason}", peer.argument()));
                None
            }
        }
    }
}

fn ask(python: &Path, peer: Peer, vectors: &Vectors) -> Result<PeerRun, CommandError> {
    let scratch = tempfile::tempdir()?;
    let (input, output) = (scratch.path().join("input.parquet"), scratch.path().join("output.parquet"));
    let values: Vec<f32> = (0..vectors.rows()).flat_map(|row| vectors.row(row)).copied().collect();
    let mut table = Table::of_rows(vectors.rows());
    table.push("vector", fixed_lists(Arc::new(Float32Array::from(values)), vectors.dims())?);
    write_table(&input, &table.finish()?, &[])?;
    let begun = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    let said = Command::new(python)
        .args(["-c", PEER, peer.argument()])
        .args([&input, &output])
        .arg(begun.to_string())
        .output()?;
    if !said.status.success() {
        let errors = String::from_utf8_lossy(&said.stderr);
        let last = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        return Err(CommandError::Peer { reason: last.trim().to_owned() });
    }
    let printed = String::from_utf8_lossy(&said.stdout);
    let figures = serde_json::from_str(printed.lines().last().unwrap_or_default())?;
    let pca = PcaChoice::Off;
    let options = LoadOptions { pca, attributes: AttributeColumns::None, ..LoadOptions::default() };
    let result = dataset::load(&[output], &options, &|_| {})?.vectors;
    Ok(PeerRun { figures, result })
}
