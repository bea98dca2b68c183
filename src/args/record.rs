//! `nevis record`

use super::view::parse_size;
use super::{BackendArgs, EngineArgs, LoaderArgs, ViewArgs};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args};
use score::Take;
use std::path::PathBuf;

/// `nevis present`
#[derive(Debug, Args)]
pub struct PresentArgs {
    /// What happens. Space, → and clickers go on to the next stop, ← goes back, F freezes, Esc ends it.
    #[arg(value_name = "SCORE")]
    pub score: PathBuf,
    /// The data, where the score names none.
    #[arg(value_name = "INPUT")]
    pub input: Vec<PathBuf>,
    /// Wait nowhere, and begin again at the end.
    #[arg(long)]
    pub kiosk: bool,
    /// No notes in the terminal.
    #[arg(long)]
    pub no_notes: bool,
    /// Where it is computed.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// What is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// `nevis record`
#[cfg(feature = "movie")]
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true))]
pub struct RecordArgs {
    /// Files or directories of parts with one schema, `demo:`, or a saved session (.nevis), from whose positions it goes
    /// on; without any, the data that the score names.
    #[arg(value_name = "INPUT", required_unless_present = "score")]
    pub input: Vec<PathBuf>,
    /// What happens, from a file.
    #[arg(long, value_name = "FILE", group = "what")]
    pub score: Option<PathBuf>,
    /// What happens, ready-made: turntable, birth, alpha-sweep, flat-to-space, fly-through (of a session).
    #[arg(long, value_name = "NAME", group = "what")]
    pub take: Option<Take>,
    /// The movie to write: .mp4, .gif, .png (animated), or a folder for numbered pictures.
    #[arg(long, short, value_name = "MOVIE")]
    pub out: PathBuf,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = parse_size)]
    pub size: (u32, u32),
    /// Frames a second [default: as the score says, or 30].
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..=120))]
    pub fps: Option<u32>,
    /// Length of a ready-made take.
    #[arg(long, value_name = "SECONDS", conflicts_with = "score")]
    pub seconds: Option<f64>,
    /// From 1, small files, to 100, every pixel.
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = RangedU64ValueParser::<u8>::new().range(1..=100))]
    pub quality: u8,
    /// Pixels drawn per pixel, along each side: 2 is smooth, 1 is faster.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = RangedU64ValueParser::<u32>::new().range(1..=2))]
    pub supersample: u32,
    /// Categorical column whose names stand in the middle of their points.
    #[arg(long, value_name = "COLUMN", help_heading = "View")]
    pub labels: Option<String>,
    /// Tell each frame in a line on stderr, for those who made this process.
    #[arg(long, hide = true)]
    pub frame_lines: bool,
    /// Where it is computed.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// How it is seen.
    #[command(flatten)]
    pub view: ViewArgs,
    /// What the picture looks like.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// What is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}
