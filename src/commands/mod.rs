//! One file per command: what was typed becomes a job, the job a report, and the report text or JSON.

#[cfg(feature = "gpu")]
pub mod adapters;
pub mod cluster;
pub mod completions;
pub mod embed;
pub mod evaluate;
#[cfg(feature = "experiments")]
pub mod experiment;
#[cfg(feature = "window")]
pub mod headless;
pub mod hierarchy;
pub mod info;
pub mod man;
pub mod neighbours;
#[cfg(feature = "movie")]
pub mod record;
#[cfg(feature = "window")]
pub mod render;

use crate::text;
use embedding::Timings;
use serde::Serialize;
use std::fmt;

/// Where the time of an engine went.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Phases {
    #[serde(flatten)]
    pub engine: Timings,
    /// All stages on a graphics adapter, by its own clock; none on the cpu.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu: Option<f64>,
}

/// Where the time of a run went.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Seconds {
    pub load: f64,
    #[serde(flatten)]
    pub phases: Phases,
    /// The exact search that a recall compares with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    pub write: f64,
    pub total: f64,
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Timings { start, search, affinities, forces, integrate } = self.phases.engine;
        write!(f, "{:.1} s: load {:.1}, start {start:.1}, ", self.total, self.load)?;
        match self.phases.gpu {
            Some(gpu) => write!(f, "gpu {gpu:.1}, ")?,
            None => {
                write!(f, "search {search:.1}, affinities {affinities:.1}, ")?;
                write!(f, "forces {forces:.1}, integrate {integrate:.1}, ")?;
            }
        }
        if let Some(recall) = self.recall {
            write!(f, "recall {recall:.1}, ")?;
        }
        write!(f, "write {:.1}", self.write)
    }
}

/// What PCA did, or that the vectors are as they were.
fn dimensions(input_dims: usize, pca: Option<dataset::PcaReport>) -> String {
    match pca {
        Some(pca) => format!(
            "PCA {} of {} ({} of the variance)",
            text::count(pca.dims),
            text::counted(input_dims, "dimension"),
            text::percent(pca.variance_kept)
        ),
        None => text::counted(input_dims, "dimension"),
    }
}
