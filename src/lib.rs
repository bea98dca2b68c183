//! nevis, the neighbour-embedding visualiser: arranges the rows of a Parquet or Arrow file so that similar rows lie
//! close together.
//!
//! # What flows where
//!
//! Without a window, a command is one way through the house:
//!
//! ```text
//! files ──► dataset::load ──► Vectors ──► backend::Runner ──► positions ──┐
//!                       │                 └ dyn embedding::Embedder       │
//!                       │                   ├ embedding::Engine (cpu)     │
//!                       │                   └ gpu::GpuEngine              ├─► offscreen ──► picture
//!                       └───► attributes ──► colours ─────────────────────┴─► table ──► dataset::write
//!                                                                               └ recipe (how to repeat it)
//! ```
//!
//! The window does the same again and again: see [`viewer`].
//!
//! # The rooms
//!
//! - `plugins/vectors`: what a row is and how far apart two rows are. The one matrix of the program (`Vectors`), the
//!   metrics and their SIMD kernels, standardizing and PCA. Everyone below speaks in its types.
//! - `plugins/dataset`: tables in and out. Opens Parquet, Arrow IPC and CSV, guesses which columns are the vectors and
//!   what the others are good for, and writes results so that an interrupted run leaves the old file alone. Rows leave
//!   and enter in the file's order.
//! - `plugins/embedding`: the method of the paper. An `Engine` owns the matrix, is stepped from outside, and can be
//!   asked for positions, neighbours and statistics between two steps. It knows of no files and prints nothing.
//! - `plugins/gpu`: the same stages as compute shaders (`shaders/`), run by a Bevy plugin in the render graph: without a
//!   window behind `GpuEngine`, which has the face of an `Engine` whose steps may fail, because devices can be lost.
//! - `plugins/quality`: how faithful an embedding is, by exact ranks, once or again and again; knows of matrices only.
//! - `plugins/colours`: from columns to colours and legends; no Bevy in it.
//! - `plugins/live`: an engine that runs while others look: native on threads of its own, or in the render graph. One
//!   face for both, snapshots out, commands in, and a watch on its quality.
//! - `plugins/points`: draws clouds of points, in the window and into pictures.
//! - `plugins/orbit_camera`: moves the camera and follows a cloud that grows.
//! - `plugins/tour`: frames that turn through more than three dimensions, by themselves, towards classes or by hand.
//! - `plugins/inspect`: which point is under the cursor, what lies around it, and which rows are selected.
//! - `plugins/selection`, `plugins/clusters`, `plugins/explain`: sets of rows and the ways to choose them; clusters of an
//!   embedding; what makes a group of rows differ from another. No Bevy in them.
//! - `plugins/hierarchy`: how clusters part from level to level while the tails grow heavier; a graph of them. No Bevy.
//! - `plugins/score`, `plugins/movie`: what happens in a movie and when, as a text file; frames into a file that plays.
//! - `plugins/controls`: the interface: panels, keys, dialogs, notices, undo.
//! - this crate: what was typed → what it means. `args` holds the flags and lays them over the settings of the crates
//!   above; `commands` holds one file per command, each of which ends in a report that prints as text or as JSON;
//!   `backend` decides where the engine runs, so that commands need not know; `recipe` and `table` make the output;
//!   `console` is the only place that prints; `recording` plays a score frame by frame; [`viewer`] puts the plugins together into the window.
//!
//! The engine's settings ([`embedding::Settings`]) and the loader's options ([`dataset::LoadOptions`]) are one struct
//! each, for flags, for the recipe in an output, for the panel and for a saved session; so are the colours
//! ([`colours::ColourSettings`]), the looks ([`points::PointSettings`]) and the camera ([`orbit_camera::CameraSettings`]).
//! Their defaults stand in `Default` alone.
//!
//! # The two backends
//!
//! `--backend cpu` is native code and touches no driver. `--backend gpu` opens an adapter (`--adapter` names one) before
//! any work, and is an error where there is none or it cannot hold the data. `auto` takes an adapter in hardware, and
//! the cpu wherever that does not open or hold the data, with a note; a software renderer is never taken by itself. The
//! stages have the same names on both sides, `plugins/embedding/src/cpu` and `shaders/`. A device that fails for good
//! in mid-run leaves its last good positions in the output, and exit code 1.

// A smaller build uses less of what the commands share.
#![cfg_attr(not(all(feature = "movie", feature = "experiments")), allow(dead_code, unused_imports))]

mod args;
mod backend;
mod choice;
mod commands;
mod console;
mod coordinates;
mod error;
mod forecast;
mod growth;
mod input;
mod plan;
mod recipe;
#[cfg(feature = "window")]
mod recording;
mod start;
mod table;
mod text;
mod trust;
#[cfg(feature = "window")]
pub mod viewer;

use args::{Cli, Command};
use clap::FromArgMatches;
use console::Console;
use error::CommandError;
use std::process::ExitCode;

/// The exit code of a shell's program that Ctrl-C ended: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Runs the program: reads the command line, does what it says, and tells how it ended.
#[must_use]
pub fn run() -> ExitCode {
    let matches = args::command().get_matches(); // ends the program with code 2 where flags make no sense
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let console = Console::new(&cli.console);
    match prepare(&cli).and_then(|()| dispatch(&cli, console)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console.error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// What every command needs: threads, and Ctrl-C that leaves no half file.
fn prepare(cli: &Cli) -> Result<(), CommandError> {
    if let Some(threads) = cli.console.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global()?;
    }
    ctrlc::set_handler(|| {
        // A movie under way is ended so that it plays; a second Ctrl-C ends the program.
        #[cfg(feature = "movie")]
        if commands::record::end_movie() {
            return;
        }
        atomic_file::remove_unfinished();
        std::process::exit(INTERRUPTED);
    })?;
    Ok(())
}

fn dispatch(cli: &Cli, console: Console) -> Result<(), CommandError> {
    match &cli.command {
        Some(Command::Embed(args)) => commands::embed::run(args, console),
        Some(Command::Evaluate(args)) => commands::evaluate::run(args, console),
        #[cfg(feature = "movie")]
        Some(Command::Record(args)) => commands::record::run(args, console),
        Some(Command::Cluster(args)) => commands::cluster::run(args, console),
        Some(Command::Hierarchy(args)) => commands::hierarchy::run(args, console),
        Some(Command::Neighbours(args)) => commands::neighbours::run(args, console),
        Some(Command::Info(args)) => commands::info::run(args, console),
        #[cfg(feature = "experiments")]
        Some(Command::Experiment(args)) => commands::experiment::run(args, console),
        #[cfg(feature = "window")]
        Some(Command::Render(args)) => commands::render::run(args, console),
        Some(Command::Completions(args)) => commands::completions::run(args, console),
        Some(Command::Man(args)) => commands::man::run(args, console),
        #[cfg(feature = "window")]
        Some(Command::Present(args)) if viewer::has_display() => viewer::present(args),
        #[cfg(feature = "window")]
        Some(Command::Present(_)) => Err(CommandError::Drawing(
            "a score is presented in a window, but there is no display; `nevis record` makes a movie".to_owned(),
        )),
        #[cfg(feature = "window")]
        None => open(&cli.open, console),
        #[cfg(not(feature = "window"))]
        None => Ok(()), // help was shown
    }
}

/// Opens a file, or the demo: in a window, or where there is no display as a picture.
#[cfg(feature = "window")]
fn open(args: &args::OpenArgs, console: Console) -> Result<(), CommandError> {
    if viewer::has_display() {
        return viewer::run(args);
    }
    let windowed = if args.restore.is_some() {
        Some("--restore opens a window, but there is no display")
    } else if args.stream.plan(&args.files)?.is_some() {
        Some("living data is seen in a window, but there is no display")
    } else {
        None
    };
    match windowed {
        Some(message) => Err(CommandError::Drawing(message.to_owned())),
        None => commands::headless::run(args, console),
    }
}
