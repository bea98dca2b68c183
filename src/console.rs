//! Everything that is printed: reports on stdout; bars, notes and errors on stderr.

use crate::args::ConsoleArgs;
use crate::error::CommandError;
use dataset::Phase;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::error::Error;
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// How this run talks.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    json: bool,
    quiet: bool,
}

impl Console {
    pub fn new(args: &ConsoleArgs) -> Self {
        Self { json: args.json, quiet: args.quiet }
    }

    /// Prints the one result of a command, as JSON or as text.
    pub fn print(self, report: &(impl Serialize + Display)) -> Result<(), CommandError> {
        let text = if self.json { serde_json::to_string(report)? } else { report.to_string() };
        self.print_bytes(format!("{}\n", text.trim_end()).as_bytes())
    }

    /// Prints what is neither: a script or a page for another program.
    pub fn print_bytes(self, bytes: &[u8]) -> Result<(), CommandError> {
        let mut stdout = std::io::stdout().lock();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            // Whoever listened has heard enough, as `nevis info … | head` does.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            result => Ok(result?),
        }
    }

    /// Says what a user should know of what was chosen for them. With `--json` the report holds the notes.
    pub fn notes(self, notes: &[String]) {
        if self.quiet || self.json {
            return;
        }
        for note in notes {
            say(&format!("note: {note}"));
        }
    }

    /// Says why the command failed, down to the last cause.
    pub fn error(self, error: &CommandError) {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let reason = error.to_string();
            if !text.contains(&reason) {
                text += &format!("\n  because {reason}");
            }
            cause = error.source();
        }
        say(&format!("error: {text}"));
    }

    /// A progress bar on stderr, if that is a terminal.
    pub fn bar(self, total: u64, doing: &'static str) -> ProgressBar {
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total), target).with_message(doing);
        if let Ok(style) = ProgressStyle::with_template("{msg:>16} {bar:32} {human_pos} / {human_len}  {eta} left") {
            bar.set_style(style);
        }
        bar
    }

    /// Runs `work`, with a sign of life while it goes on.
    pub fn while_waiting<T>(self, doing: &'static str, work: impl FnOnce() -> T) -> T {
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let spinner = ProgressBar::with_draw_target(None, target).with_message(doing);
        if let Ok(style) = ProgressStyle::with_template("{msg:>16} {spinner} {elapsed}") {
            spinner.set_style(style);
        }
        spinner.enable_steady_tick(std::time::Duration::from_millis(120));
        let result = work();
        spinner.finish_and_clear();
        result
    }

    /// Runs `work` with a progress callback of the loader.
    pub fn while_loading<T>(self, work: impl FnOnce(&(dyn Fn(dataset::Progress) + Sync)) -> T) -> T {
        let bar = self.bar(0, "opening");
        let result = work(&|progress| {
            bar.set_message(match progress.phase {
                Phase::Opening => "opening",
                Phase::Reading => "reading",
                Phase::Standardizing => "standardizing",
                Phase::Reducing => "PCA",
            });
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
        });
        bar.finish_and_clear();
        result
    }

    /// Runs `work` with a progress callback that takes (done, total).
    pub fn while_counting<T>(self, doing: &'static str, work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> T) -> T {
        let bar = self.bar(0, doing);
        let result = work(&|done, total| {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        result
    }
}

fn say(line: &str) {
    // Nothing can be said about a stderr that is closed.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
