//! What can be typed after `nevis experiment`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExperimentName {
    /// Says what there is.
    List,
    /// Quality of the neighbours found in the data, by refinements, while the embedding moves and while it is fixed.
    FeedbackLoop,
    /// Neighbours found in the data beside those of pynndescent.
    NeighbourSearch,
    /// R_NX(K) beside openTSNE and UMAP.
    QualityCurves,
    /// Time by number of rows, in 32 dimensions, beside UMAP and pynndescent.
    Scaling,
    /// Pictures by tails and by attraction to repulsion.
    AlphaGrid,
    /// One-shot classification before and after an embedding in 32 dimensions.
    OneShot,
}

/// `nevis experiment`
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// Which one.
    #[arg(value_enum, value_name = "NAME")]
    pub name: ExperimentName,
    /// Where NAME.parquet and NAME.png go; made if it is not there.
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    pub out_dir: PathBuf,
    /// Markdown file whose table gets a line with date, machine and figures, in place of an older one of this command.
    #[arg(long, value_name = "FILE", default_value = "docs/experiments.md")]
    pub log: PathBuf,
    /// Where the data sets are; --quick needs none.
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    pub data: PathBuf,
    /// Python environment of openTSNE, UMAP and pynndescent, as benches/peers/run makes it; without one the experiment
    /// runs without them [default: $NEVIS_PEERS_ENV, or target/peers-env].
    #[arg(long, value_name = "DIR")]
    pub peers_env: Option<PathBuf>,
    /// A small version, in seconds.
    #[arg(long)]
    pub quick: bool,
}
