//! What can be typed.
//!
//! Flags are optional everywhere: those given are laid over the defaults, a settings file, or a recipe. The defaults
//! that the help shows are read from `Settings::default()`, so they cannot disagree with it.

#[cfg(test)]
mod documented;
mod engine;
#[cfg(feature = "experiments")]
mod experiment;
mod loader;
#[cfg(feature = "window")]
mod record;
#[cfg(feature = "window")]
mod stream;
#[cfg(feature = "window")]
mod view;

use engine::FIXED_BY_MAP;
pub use engine::{EngineArgs, metric_parser};
#[cfg(feature = "experiments")]
pub use experiment::{ExperimentArgs, ExperimentName};
pub use loader::LoaderArgs;
#[cfg(feature = "window")]
pub use record::PresentArgs;
#[cfg(feature = "movie")]
pub use record::RecordArgs;
#[cfg(feature = "window")]
pub use stream::StreamArgs;
#[cfg(feature = "window")]
pub use view::{OpenArgs, RenderArgs, ViewArgs};

use crate::growth;
use clap::builder::RangedU64ValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use vectors::Metric;

/// Arranges the rows of a Parquet, Arrow or CSV file so that similar rows lie close together.
#[derive(Debug, Parser)]
#[command(name = "nevis", version, max_term_width = 110, args_conflicts_with_subcommands = true)]
#[cfg_attr(not(feature = "window"), command(arg_required_else_help = true))]
#[cfg_attr(
    feature = "window",
    command(
        after_help = "Without a command: opens FILE, or the built-in demo, in a window; without a display, makes a picture."
    )
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to open in a window.
    #[cfg(feature = "window")]
    #[command(flatten)]
    pub open: OpenArgs,
    /// How to talk.
    #[command(flatten)]
    pub console: ConsoleArgs,
}

/// How every command talks and works.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct ConsoleArgs {
    /// Print one JSON object on stdout and nothing else there.
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress bars and no notes.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Threads to work with; results do not depend on it [default: all cores].
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Embeds the rows of INPUT and writes their positions beside their attributes.
    Embed(Box<EmbedArgs>),
    /// Measures how faithful an embedding is to its data.
    Evaluate(EvaluateArgs),
    /// Embeds the rows of INPUT and draws a picture of them, without a window.
    #[cfg(feature = "window")]
    Render(Box<RenderArgs>),
    /// Makes a movie of an embedding, without a window.
    #[cfg(feature = "movie")]
    Record(Box<RecordArgs>),
    /// Finds clusters in an embedding, as a column.
    Cluster(ClusterArgs),
    /// Grows a hierarchy: how the clusters of INPUT part as the tails of its embedding grow heavier.
    Hierarchy(HierarchyArgs),
    /// Presents a score in the window, step by step; notes and what comes next stand in the terminal.
    #[cfg(feature = "window")]
    Present(PresentArgs),
    /// Finds the nearest rows of every row.
    Neighbours(NeighboursArgs),
    /// Describes files: columns, dimensions, oddities, and the memory that embedding them takes; or graphics adapters.
    Info(InfoArgs),
    /// Repeats an experiment of the paper on this machine: a table, a plot, and a line in a log.
    #[cfg(feature = "experiments")]
    Experiment(ExperimentArgs),
    /// Prints what a shell needs to complete commands and flags: `source <(nevis completions bash)`.
    Completions(CompletionsArgs),
    /// Prints the manual page, or writes that of every command into a directory.
    Man(ManArgs),
}

/// Where the engine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// A graphics adapter where there is one in hardware that holds the data, else the CPU.
    #[default]
    Auto,
    /// Native code; needs no driver.
    Cpu,
    /// Compute shaders on a graphics adapter.
    Gpu,
}

/// Where the engine runs, as flags.
#[derive(Debug, Clone, Default, Args)]
pub struct BackendArgs {
    /// Where the engine runs.
    #[arg(long, value_enum, default_value_t)]
    pub backend: Backend,
    /// Run on the graphics adapter whose name contains NAME (`nevis info --adapters` lists them).
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}

/// `nevis embed`
#[derive(Debug, Args)]
pub struct EmbedArgs {
    /// Files or directories of parts with one schema; `demo:` is the built-in demo.
    #[arg(value_name = "INPUT", required_unless_present = "from_recipe")]
    pub input: Vec<PathBuf>,
    /// Where to write: .parquet, .arrow, .feather, .ipc or .csv.
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Iterations to run: more settle large data further [default: by the number of rows, fewer if the map comes to rest].
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
    /// Where it is computed.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Repeat the embedding that FILE holds: its input, options, settings and backend (INPUT, --out, --backend and
    /// --adapter may be given).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["iterations", "settings", "EngineArgs", "LoaderArgs"])]
    pub from_recipe: Option<PathBuf>,
    /// Place the rows of INPUT into the map that MAP holds, and write them alone: they are read, scaled and embedded as
    /// its own rows were, which stay where they are or, with less --stiffness, make some room.
    #[arg(long, value_name = "MAP", conflicts_with_all = ["from_recipe", "settings"], conflicts_with_all = FIXED_BY_MAP)]
    pub into: Option<PathBuf>,
    /// Settings as JSON, named as the flags with _ for -; flags win over it.
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// What the picture looks like.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// What is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// `nevis evaluate`
#[derive(Debug, Args)]
#[command(override_usage = "nevis evaluate [OPTIONS] <INPUT>... <EMBEDDING>")]
pub struct EvaluateArgs {
    /// The data, then its embedding (the last path); `demo:` is the built-in demo. Where the embedding holds a recipe,
    /// the data is read as it says unless flags say otherwise.
    #[arg(value_names = ["INPUT", "EMBEDDING"], num_args = 2.., required = true)]
    pub paths: Vec<PathBuf>,
    /// Column of class labels, of the data or the embedding: also reports how well they can be told apart in the data,
    /// raw and after PCA, and in the embedding.
    #[arg(long, value_name = "COLUMN")]
    pub label: Option<String>,
    /// Neighbours that vote on a row's label in the cross-validation.
    #[arg(long, value_name = "K", default_value_t = quality::LabelOptions::default().k, value_parser = at_least_one(), requires = "label")]
    pub label_k: usize,
    /// Another embedding of the same rows, for the labels to be tested in as well; may be given several times.
    #[arg(long, value_name = "FILE", requires = "label")]
    pub also: Vec<PathBuf>,
    /// Columns of the embedding's coordinates [default: as the recipe says, x y z, or guessed].
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub embedding_columns: Vec<String>,
    /// Points whose neighbourhoods are compared.
    #[arg(long, value_name = "N", default_value_t = quality::EvaluateOptions::default().queries, value_parser = at_least_one())]
    pub queries: usize,
    /// Largest neighbourhood of the curve R_NX(K).
    #[arg(long, value_name = "K", default_value_t = quality::EvaluateOptions::default().max_k, value_parser = at_least_one())]
    pub max_k: usize,
    /// Neighbourhood for trustworthiness, continuity and k-NN recall.
    #[arg(long, value_name = "K", default_value_t = quality::EvaluateOptions::default().k, value_parser = at_least_one())]
    pub k: usize,
    /// Chooses the queries, and the examples and folds of the labels.
    #[arg(long, value_name = "SEED", default_value_t = quality::EvaluateOptions::default().seed)]
    pub seed: u64,
    /// How far apart two rows of the data are [default: as the recipe says, or euclidean].
    #[arg(long, value_parser = metric_parser())]
    pub metric: Option<Metric>,
    /// Also write the embedding with each point's quality: neighbourhood_kept and distance_correlation.
    #[arg(long, value_name = "FILE")]
    pub per_point: Option<PathBuf>,
    /// How the data is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// `nevis cluster`
#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// A table with coordinates: what `nevis embed` or the window wrote, or any other.
    #[arg(value_name = "EMBEDDING")]
    pub embedding: PathBuf,
    /// Where to write: the table with a column more. .parquet, .arrow, .feather, .ipc or .csv.
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Columns of the coordinates [default: as the recipe says, x y z, or guessed].
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub embedding_columns: Vec<String>,
    /// Name of the new column; where the table has one of that name, it gets a prefix.
    #[arg(long, value_name = "NAME", default_value = "cluster")]
    pub name: String,
    /// A point is in a cluster with so many points around it, itself included.
    #[arg(long, value_name = "N", default_value_t = clusters::ClusterOptions::default().min_points, value_parser = at_least_one())]
    pub min_points: usize,
    /// How far around [default: found from the data].
    #[arg(long, value_name = "DISTANCE")]
    pub radius: Option<f32>,
    /// Divides the radius that is found: more makes clusters smaller (0.1 to 10).
    #[arg(long, value_name = "FACTOR", default_value_t = clusters::ClusterOptions::default().granularity, conflicts_with = "radius")]
    pub granularity: f32,
}

/// `nevis hierarchy`
#[derive(Debug, Args)]
pub struct HierarchyArgs {
    /// Files or directories of parts with one schema; `demo:` is the built-in demo.
    #[arg(value_name = "INPUT", required = true)]
    pub input: Vec<PathBuf>,
    /// Where to write: .json or .graphml for the graph; .parquet, .arrow, .feather, .ipc or .csv for the rows, with the
    /// node of each level as a column.
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Dimensions of the embedding that is clustered.
    #[arg(long, value_name = "D", default_value_t = growth::DIMS)]
    pub dims: usize,
    /// Levels: more show in finer steps how clusters part.
    #[arg(long, value_name = "N", default_value_t = hierarchy::HierarchyOptions::default().levels)]
    pub levels: usize,
    /// Column of class labels, for the nodes to say what they hold [default: guessed].
    #[arg(long, value_name = "COLUMN")]
    pub label: Option<String>,
    /// Also list the rows of every node (.json): their places among the rows that were read, from 0.
    #[arg(long)]
    pub members: bool,
    /// How far apart two rows are [default: euclidean].
    #[arg(long, value_parser = metric_parser())]
    pub metric: Option<Metric>,
    /// Seed of every random choice.
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Where it is computed.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// What is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// `nevis neighbours`
#[derive(Debug, Args)]
pub struct NeighboursArgs {
    /// Files or directories of parts with one schema; `demo:` is the built-in demo.
    #[arg(value_name = "INPUT", required = true)]
    pub input: Vec<PathBuf>,
    /// Neighbours of each row.
    #[arg(long, short, value_name = "K", default_value = "32")]
    pub k: NonZeroUsize,
    /// Where to write: .parquet, .arrow, .feather or .ipc.
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Also compare with an exact search, for a sample of rows.
    #[arg(long)]
    pub recall: bool,
    /// Run so many iterations [default: until the lists have settled].
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
    /// How far apart two rows are [default: euclidean].
    #[arg(long, value_parser = metric_parser())]
    pub metric: Option<Metric>,
    /// Seed of every random choice.
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Where it is computed.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// What is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// `nevis info`
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Files or directories of parts with one schema; `demo:` is the built-in demo.
    #[cfg_attr(feature = "gpu", arg(value_name = "FILE", required_unless_present = "adapters"))]
    #[cfg_attr(not(feature = "gpu"), arg(value_name = "FILE", required = true))]
    pub files: Vec<PathBuf>,
    /// List the graphics adapters of this machine instead, and which one --backend auto takes.
    #[cfg(feature = "gpu")]
    #[arg(long, conflicts_with_all = ["files", "LoaderArgs"])]
    pub adapters: bool,
    /// How they would be read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// `nevis completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Whose completions.
    pub shell: Shell,
}

/// `nevis man`
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write nevis.1, nevis-embed.1, … into this directory instead.
    #[arg(long, short, value_name = "DIRECTORY")]
    pub out: Option<PathBuf>,
}

fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// The command line, with the defaults of the settings in its help.
pub fn command() -> clap::Command {
    let command = Cli::command().mut_subcommand("embed", engine::with_defaults);
    #[cfg(feature = "movie")]
    let command = command.mut_subcommand("record", engine::with_defaults);
    #[cfg(feature = "window")]
    let command = engine::with_defaults(command.mut_subcommand("render", engine::with_defaults));
    command
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_sound() {
        super::command().debug_assert();
    }
}
