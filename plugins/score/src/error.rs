//! What can be wrong with a score, and where.

use embedding::SettingsError;
use std::fmt;
use std::path::PathBuf;

/// What is wrong with a score. Lines count from 1; 0 is for what came from no file.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    /// The file cannot be read.
    #[error("cannot read the score {path:?}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is not text.
    #[error("{}this is no UTF-8 text; a score is", Place(*line))]
    NotText {
        /// The first line that is not.
        line: usize,
    },
    /// The first line says that it is something else.
    #[error("{}this is no score: its first line must be `nevis score 1`, found {found}", Place(*line))]
    NotAScore {
        /// The line that should have said so.
        line: usize,
        /// What it says.
        found: String,
    },
    /// A score of another version.
    #[error("{}a score of version {found}, but this program reads version 1", Place(*line))]
    Version {
        /// Its first line.
        line: usize,
        /// The version.
        found: String,
    },
    /// A line of the head that does not exist.
    #[error("{}there is no `{name}` in the head of a score; did you mean {nearest}?", Place(*line))]
    UnknownHeader {
        /// The line.
        line: usize,
        /// Its first word.
        name: String,
        /// What may have been meant.
        nearest: String,
    },
    /// A line of the head that stands twice.
    #[error("{}`{name}` stands in line {first} already", Place(*line))]
    Duplicate {
        /// The second line.
        line: usize,
        /// Its first word.
        name: &'static str,
        /// The first line.
        first: usize,
    },
    /// A line of the head below the cues.
    #[error("{}`{name}` belongs above the first cue; a cue begins with its time, as in `2.5 {name}`", Place(*line))]
    LateHeader {
        /// The line.
        line: usize,
        /// Its first word.
        name: String,
    },
    /// A cue that does not exist.
    #[error("{}there is no cue `{name}`; did you mean `{nearest}`?", Place(*line))]
    UnknownCue {
        /// The line.
        line: usize,
        /// The word behind the time.
        name: String,
        /// The one that may have been meant.
        nearest: &'static str,
    },
    /// A value is missing, or is none that can stand there.
    #[error("{}{what}: expected {expected}, found {found}", Place(*line))]
    Value {
        /// The line.
        line: usize,
        /// What the value is of.
        what: String,
        /// What could stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A quote without its other end.
    #[error("{}a quote is not closed", Place(*line))]
    Quote {
        /// The line.
        line: usize,
    },
    /// A time that is none.
    #[error(
        "{}a time is seconds from 0 to 86400, as 2.5, or a range of them, as 2..5; found {found}",
        Place(*line)
    )]
    Time {
        /// The line.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A range that ends before it begins.
    #[error("{}the range ends at {to}, before it begins at {from}", Place(*line))]
    Range {
        /// The line.
        line: usize,
        /// Where it begins (seconds).
        from: f64,
        /// Where it ends (seconds).
        to: f64,
    },
    /// A cue that is earlier than the one above it.
    #[error("{}times are out of order: {time} comes after {before}", Place(*line))]
    Order {
        /// The line of the earlier cue.
        line: usize,
        /// Its time (seconds).
        time: f64,
        /// The time of the cue above it (seconds).
        before: f64,
    },
    /// A range, or easing, for what happens at once.
    #[error("{}`{name}` happens at once; {remedy}", Place(*line))]
    AtOnce {
        /// The line.
        line: usize,
        /// The cue.
        name: &'static str,
        /// What to write instead.
        remedy: &'static str,
    },
    /// A setting that does not exist.
    #[error("{}there is no setting `{name}`; did you mean `{nearest}`?", Place(*line))]
    UnknownSetting {
        /// The line.
        line: usize,
        /// What was asked for.
        name: String,
        /// The one that may have been meant.
        nearest: String,
    },
    /// Settings that are no JSON object.
    #[error(r#"{}settings: expected JSON as {{"dims": 3}}: {message}"#, Place(*line))]
    Json {
        /// The line.
        line: usize,
        /// What is wrong with it, and at which letter.
        message: String,
    },
    /// A setting out of its range.
    #[error("{}{source}", Place(*line))]
    Setting {
        /// The line.
        line: usize,
        /// Which, and its range.
        source: SettingsError,
    },
    /// A length that cuts cues off.
    #[error("{}the length is {length}, but the last cue{} ends at {end}", Place(*line), Within(*cue))]
    Length {
        /// The line of the length.
        line: usize,
        /// The length (seconds).
        length: f64,
        /// The line of the cue that ends last.
        cue: usize,
        /// When it does (seconds).
        end: f64,
    },
}

impl ScoreError {
    /// The line it is about, from 1; `None` where it came from no line.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        let line = match self {
            Self::Read { .. } => 0,
            Self::NotText { line }
            | Self::NotAScore { line, .. }
            | Self::Version { line, .. }
            | Self::UnknownHeader { line, .. }
            | Self::Duplicate { line, .. }
            | Self::LateHeader { line, .. }
            | Self::UnknownCue { line, .. }
            | Self::Value { line, .. }
            | Self::Quote { line }
            | Self::Time { line, .. }
            | Self::Range { line, .. }
            | Self::Order { line, .. }
            | Self::AtOnce { line, .. }
            | Self::UnknownSetting { line, .. }
            | Self::Json { line, .. }
            | Self::Setting { line, .. }
            | Self::Length { line, .. } => *line,
        };
        (line > 0).then_some(line)
    }
}

/// Where in the file, in front of what is wrong; nothing where there is no file.
struct Place(usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 0 { write!(f, "line {}: ", self.0) } else { Ok(()) }
    }
}

/// Where in the file, behind what is meant.
struct Within(usize);

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 0 { write!(f, " (line {})", self.0) } else { Ok(()) }
    }
}
