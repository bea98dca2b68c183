//! A score into text.

use crate::text::{quoted, written};
use crate::{Act, Aim, Cue, Ease, Route, Score};
use std::fmt::{self, Display, Formatter};

/// How wide the column of times is: cues stand below each other.
const TIME_WIDTH: usize = 8;

impl Display for Score {
    /// The text of its file: what [`Score::parse`] makes this score of, if it passes [`Score::check`].
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "nevis score {}", self.version)?;
        if let Some(data) = &self.data {
            writeln!(f, "data {}", written(data))?;
        }
        if let Some(hash) = &self.hash {
            writeln!(f, "hash {hash}")?;
        }
        if let Some(start) = &self.start {
            writeln!(f, "start {}", written(start))?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed {seed}")?;
        }
        if !self.settings.is_empty() {
            let json = serde_json::to_string(&self.settings).map_err(|_| fmt::Error)?;
            writeln!(f, "settings {json}")?;
        }
        if let Some(iteration) = self.iteration {
            writeln!(f, "iteration {iteration}")?;
        }
        if let Some(auc) = self.auc {
            writeln!(f, "auc {auc}")?;
        }
        writeln!(f, "fps {}", self.fps)?;
        // Left out where it follows from the cues, so that a cue more makes it longer.
        if self.length != self.end_of_cues() {
            writeln!(f, "length {}", self.length)?;
        }
        writeln!(f, "iterations {}", self.iterations)?;
        if self.loops {
            writeln!(f, "loop")?;
        }
        if !self.cues.is_empty() {
            writeln!(f)?;
        }
        self.cues.iter().try_for_each(|cue| writeln!(f, "{cue}"))
    }
}

impl Display for Cue {
    /// Its line in a file.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let time = if self.is_at_once() { self.from.to_string() } else { format!("{}..{}", self.from, self.to) };
        write!(f, "{time:<TIME_WIDTH$} {}", self.act)?;
        if self.ease != Ease::Smooth {
            write!(f, " ease {}", self.ease)?;
        }
        Ok(())
    }
}

impl Display for Act {
    /// What stands behind the time in a file.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Camera(aim) => write!(f, "{aim}"),
            Self::Set { name, value } => write!(f, " {name} {value}"),
            Self::Choose { name, value } => write!(f, " {name} {value}"),
            Self::ColorBy(text) | Self::Select(text) | Self::Background(text) => write!(f, " {}", written(text)),
            Self::Labels(column) => write!(f, " {}", written(column.as_deref().unwrap_or_default())),
            Self::Caption { text, seconds: None } => write!(f, " {}", quoted(text)),
            Self::Caption { text, seconds: Some(seconds) } => write!(f, " {} for {seconds}", quoted(text)),
            Self::Note(text) | Self::SelectNamed(text) => write!(f, " {}", quoted(text)),
            Self::Settle(count) => write!(f, " {count}"),
            Self::Iterations(count) => write!(f, " {count}"),
            Self::PointSize(pixels) => write!(f, " {pixels}"),
            Self::Tour { route, speed } => {
                match route {
                    Route::Principal => f.write_str(" principal")?,
                    Route::Grand => f.write_str(" grand")?,
                    Route::Guided(None) => f.write_str(" guided")?,
                    Route::Guided(Some(column)) => write!(f, " guided {}", quoted(column))?,
                }
                speed.map_or(Ok(()), |speed| write!(f, " speed {speed}"))
            }
            Self::Axes([x, y, z]) => write!(f, " {x} {y} {z}"),
            Self::Implode | Self::Explode | Self::Reset | Self::Pause | Self::Resume | Self::Stop => Ok(()),
        }
    }
}

impl Display for Aim {
    /// What is named, each behind a space.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, value) in [("yaw", self.yaw), ("pitch", self.pitch), ("distance", self.distance)] {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        match self.focus {
            Some([x, y, z]) => write!(f, " focus {x} {y} {z}"),
            None => Ok(()),
        }
    }
}
