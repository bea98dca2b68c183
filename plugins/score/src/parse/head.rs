//! The lines above the cues.

use crate::check::{HeadLines, RATE};
use crate::nearest::nearest;
use crate::words::Words;
use crate::{Act, MAX_FPS, Score, ScoreError};

/// The words that lines of the head begin with.
const NAMES: [&str; 11] =
    ["data", "hash", "start", "seed", "settings", "iteration", "auc", "fps", "length", "iterations", "loop"];

/// Reads a line of the head into the score; `name` is its first word.
pub(super) fn header(
    score: &mut Score,
    lines: &mut HeadLines,
    name: &str,
    mut words: Words<'_>,
    line: usize,
) -> Result<(), ScoreError> {
    let Some(known) = NAMES.into_iter().find(|known| *known == name) else {
        return Err(unknown(name, line));
    };
    if let Some(first) = lines.note(known, line) {
        return Err(ScoreError::Duplicate { line, name: known, first });
    }
    words.about(known);
    match known {
        "data" => score.data = Some(words.text("a path, or demo:")?),
        "hash" => score.hash = Some(words.word("64 hexadecimal digits in lower case")?.to_owned()),
        "start" => score.start = Some(words.text("a session, or a table of coordinates")?),
        "seed" => score.seed = Some(words.value("a whole number from 0 on")?),
        "settings" => score.settings = settings(&mut words, line)?,
        "iteration" => score.iteration = Some(words.value("a whole number from 0 on")?),
        "auc" => score.auc = Some(words.number("a number from -1 to 1")?),
        "fps" => score.fps = words.value(&format!("a whole number from 1 to {MAX_FPS}"))?,
        "length" => score.length = words.number("seconds, as 12 or 2.5")?,
        "iterations" => score.iterations = words.number(RATE)?,
        _ => score.loops = true,
    }
    words.end()
}

/// The settings in the rest of the line.
fn settings(words: &mut Words<'_>, line: usize) -> Result<serde_json::Map<String, serde_json::Value>, ScoreError> {
    let text = words.rest();
    if text.is_empty() {
        return Err(words.wrong(r#"JSON as {"dims": 3}"#, ""));
    }
    serde_json::from_str(text).map_err(|error| {
        // The place within the JSON, which is one line to serde, would be taken for one of the score's.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        ScoreError::Json { line, message: format!("{message} at letter {} of `{text}`", error.column()) }
    })
}

/// A line below the first cue that does not begin with a time.
pub(super) fn misplaced(name: &str, line: usize) -> ScoreError {
    if NAMES.contains(&name) || Act::NAMES.contains(&name) {
        return ScoreError::LateHeader { line, name: name.to_owned() };
    }
    unknown(name, line)
}

/// A line whose first word is unknown.
fn unknown(name: &str, line: usize) -> ScoreError {
    let meant = if Act::NAMES.contains(&name) {
        format!("the cue `0 {name}`") // a cue without its time
    } else {
        format!("`{}`", nearest(name, NAMES))
    };
    ScoreError::UnknownHeader { line, name: name.to_owned(), nearest: meant }
}
