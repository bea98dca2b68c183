//! Why a command fails, and the exit code that tells scripts.

use dataset::DatasetError;
use embedding::{EngineError, RunError, SettingsError};
use quality::QualityError;
use std::path::PathBuf;

/// A user's error or the machine's: each message says what would help.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    #[error("{input}: {source}")]
    InInput { input: String, source: Box<DatasetError> },
    #[cfg(feature = "window")]
    #[error(transparent)]
    Source(#[from] stream::StreamError),
    #[cfg(feature = "window")]
    #[error("{0}")]
    Stream(String),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("--{flag} is {value}, but must be {range}", flag = .0.name.replace('_', "-"), value = .0.value as f32, range = .0.range)]
    Setting(#[from] SettingsError),
    #[error(transparent)]
    Quality(#[from] QualityError),
    #[error("--label {column:?}: {source}")]
    Labels { column: String, source: QualityError },
    #[error(transparent)]
    Run(#[from] RunError),
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] gpu::GpuError),
    #[cfg(not(feature = "gpu"))]
    #[error("this nevis was built without graphics: use --backend cpu, or build it with the feature `gpu`")]
    NoGraphics,
    #[error("--adapter {adapter:?} names a graphics adapter, but --backend cpu uses none: leave one of the two out")]
    AdapterOnCpu { adapter: String },
    #[error(
        "{source}; the run broke off, and {out:?} holds the positions of iteration {iterations}, the last that came back"
    )]
    BrokenOff { out: PathBuf, iterations: u32, source: RunError },
    #[error("{path:?} holds no recipe: only Parquet and Arrow files that `nevis embed` wrote do")]
    NoRecipe { path: PathBuf },
    #[error("the recipe in {path:?} cannot be read by nevis {}: {source}", env!("CARGO_PKG_VERSION"))]
    BadRecipe { path: PathBuf, source: serde_json::Error },
    #[error("{path:?} holds the recipe of `nevis {command}`, but only those of `nevis embed` can be repeated")]
    OtherRecipe { path: PathBuf, command: String },
    #[error(
        "{input} is not the input of the recipe in {recipe:?}: its hash begins with {found}, the recipe's with \
         {expected}; find the old file, or embed the new one without --from-recipe"
    )]
    InputChanged { input: String, recipe: PathBuf, expected: String, found: String },
    #[error("{path:?} is no map of its own: its rows were placed into {map:?}; use that one")]
    NoMap { path: PathBuf, map: PathBuf },
    #[error(
        "the data of the map {map:?}, {input:?}, is not there, but new rows find their neighbours in it; put it back, or \
         beside the map"
    )]
    MapDataGone { map: PathBuf, input: PathBuf },
    #[error(
        "{input} is not the data that the map {map:?} was made from: its hash begins with {found}, that data's with \
         {expected}; find the old file, or embed it anew and use that map"
    )]
    MapDataChanged { map: PathBuf, input: String, expected: String, found: String },
    #[error(
        "{map:?} has {found} rows and its data, {input}, has {rows}: it is the map of a part, or was changed; use a map \
         of all rows"
    )]
    MapRows { map: PathBuf, input: String, found: usize, rows: usize },
    #[error("{input} does not fit the map {map:?}: {source}")]
    Foreign { input: String, map: PathBuf, source: Box<DatasetError> },
    #[error(
        "row {row} of {input} is too far away: scaled as the rows of the map were, its vector is not finite; leave the \
         row out"
    )]
    OffTheMap { input: String, row: u32 },
    #[error("--out {map:?} is the map itself, and only the new rows are written: choose another name")]
    OverMap { map: PathBuf },
    #[error(
        "{path:?} is a saved session, not data: `nevis FILE` opens it in a window, `nevis record FILE` makes a movie of it"
    )]
    SessionAsData { path: PathBuf },
    #[error("settings file {path:?}: {source}")]
    SettingsFile { path: PathBuf, source: std::io::Error },
    #[error("settings file {path:?} is not JSON of settings: {source}")]
    BadSettings { path: PathBuf, source: serde_json::Error },
    #[error(
        "--init names {found} dimensions ({columns}), but the embedding has {dims}: name as many columns, or set --dims"
    )]
    StartDims { columns: String, found: usize, dims: usize },
    #[error("row {row} has no start in the columns {columns} of --init: every embedded row needs one")]
    NoStart { columns: String, row: u32 },
    #[error(
        "{input} has {hd} rows and {embedding:?} has {ld}: they must be the same rows in the same order; give --limit, \
         --sample and --on-bad-rows as they were when the embedding was made"
    )]
    RowCounts { input: String, embedding: PathBuf, hd: usize, ld: usize },
    #[error("the result cannot be made into a table: {0}")]
    Table(#[from] dataset::arrow::error::ArrowError),
    #[cfg(feature = "window")]
    #[error(transparent)]
    Session(#[from] crate::viewer::session::SessionError),
    #[error(transparent)]
    Colour(#[from] colours::ColourError),
    #[cfg(feature = "window")]
    #[error(transparent)]
    ScoreFile(#[from] score::ScoreError),
    #[cfg(feature = "window")]
    #[error("{0}")]
    Score(String),
    #[cfg(feature = "movie")]
    #[error(transparent)]
    Movie(#[from] movie::MovieError),
    #[error(transparent)]
    Cluster(#[from] clusters::ClusterError),
    #[error(transparent)]
    Hierarchy(#[from] hierarchy::HierarchyError),
    #[error(transparent)]
    HierarchyExport(#[from] hierarchy::ExportError),
    #[error(
        "{path:?} says not how to write a hierarchy: .json or .graphml hold the graph, .parquet, .arrow, .feather, .ipc or \
         .csv the rows with the node of each level"
    )]
    HierarchyEnding { path: PathBuf },
    #[error("{input} has {rows} rows, but clusters need at least {fewest} around a point")]
    TooFewRows { input: String, rows: usize, fewest: usize },
    #[error("--label {column:?} is part of the vectors: name a column beside them")]
    LabelInVectors { column: String },
    #[cfg(feature = "window")]
    #[error(transparent)]
    Picture(#[from] points::picture::PictureError),
    #[cfg(feature = "window")]
    #[error("{0}")]
    Drawing(String),
    #[cfg(feature = "experiments")]
    #[error("it failed in Python: {reason}")]
    Peer { reason: String },
    #[error("--threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("Ctrl-C cannot be watched for: {0}")]
    Signals(#[from] ctrlc::Error),
    #[error("the result cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("nothing can be written into {directory:?}: {source}")]
    Directory { directory: PathBuf, source: std::io::Error },
    #[error("stdout cannot be written: {0}")]
    Stdout(#[from] std::io::Error),
}

impl CommandError {
    /// 2 for what was typed wrong, 1 for what went wrong.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Setting(_) | Self::StartDims { .. } | Self::AdapterOnCpu { .. } | Self::OverMap { .. } => 2,
            Self::Dataset(DatasetError::OverInput { .. }) => 2,
            Self::Hierarchy(hierarchy::HierarchyError::Options { .. }) => 2,
            Self::Cluster(clusters::ClusterError::Options { .. }) => 2,
            _ => 1,
        }
    }

    /// Puts the input's name before messages about columns and rows, which do not say whose they are.
    pub fn in_input(input: &impl ToString, source: DatasetError) -> Self {
        use DatasetError as E;
        match source {
            E::NoNumericColumns { .. }
            | E::MissingColumn { .. }
            | E::NotNumeric { .. }
            | E::NoDimensions { .. }
            | E::BadRow { .. }
            | E::AllRowsBad { .. }
            | E::TooManyRows { .. }
            | E::TooLarge { .. }
            | E::Attributes { .. } => Self::InInput { input: input.to_string(), source: Box::new(source) },
            source => Self::Dataset(source),
        }
    }
}
