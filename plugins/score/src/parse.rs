//! Text into a score.

mod cue;
mod head;

use crate::check::{HeadLines, check_cue};
use crate::text::without_comment;
use crate::words::Words;
use crate::{Cue, Score, ScoreError, VERSION};
use embedding::Settings;
use std::str::FromStr;

/// What every score begins with.
const TITLE: [&str; 2] = ["nevis", "score"];

impl Score {
    /// Reads a score from its text.
    ///
    /// # Errors
    /// Names the first line that is wrong, what is wrong with it, and what could stand there.
    pub fn parse(text: &str) -> Result<Self, ScoreError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut score = Self::default();
        let mut titled = false;
        let mut lines = HeadLines::default();
        let mut count = 0;
        for (at, line_text) in text.lines().enumerate() {
            let line = at + 1;
            count = line;
            let stripped = without_comment(line_text, line);
            if !titled {
                // What is no score at all should be called that, not a score with an open quote.
                let stripped = stripped.unwrap_or(line_text.trim());
                if !stripped.is_empty() {
                    score.version = version(stripped, line)?;
                    titled = true;
                }
                continue;
            }
            let stripped = stripped?;
            let mut words = Words::new(stripped, line, "");
            let Some(first) = words.next() else { continue };
            if cue::is_time(first) {
                let cue = cue::cue(first, words, line)?;
                check_cue(&cue, score.cues.last().map_or(0.0, |former| former.from))?;
                score.cues.push(cue);
            } else if score.cues.is_empty() {
                head::header(&mut score, &mut lines, first, words, line)?;
                score.check_head(&lines)?;
            } else {
                return Err(head::misplaced(first, line));
            }
        }
        if !titled {
            return Err(ScoreError::NotAScore { line: count.max(1), found: "nothing".to_owned() });
        }
        if lines.length() == 0 {
            score.length = score.end_of_cues();
        }
        score.check_at(&lines, &Settings::default())?;
        Ok(score)
    }
}

impl FromStr for Cue {
    type Err = ScoreError;

    /// Reads one cue from its line; a comment behind it is left out.
    fn from_str(text: &str) -> Result<Self, ScoreError> {
        let mut lines = text.trim().lines();
        let stripped = without_comment(lines.next().unwrap_or_default(), 0)?;
        if let Some(more) = lines.next() {
            return Err(Words::new("", 0, "a cue").wrong("one line", more));
        }
        let mut words = Words::new(stripped, 0, "");
        let first = words.next().unwrap_or_default();
        if !cue::is_time(first) {
            let found = if first.is_empty() { "nothing".to_owned() } else { format!("`{first}`") };
            return Err(ScoreError::Time { line: 0, found });
        }
        let cue = cue::cue(first, words, 0)?;
        check_cue(&cue, 0.0)?;
        Ok(cue)
    }
}

/// The version that the title names.
fn version(title: &str, line: usize) -> Result<u32, ScoreError> {
    let words: Vec<&str> = title.split_whitespace().collect();
    match words.as_slice() {
        [first, second, version] if [*first, *second] == TITLE => match version.parse() {
            Ok(VERSION) => Ok(VERSION),
            _ => Err(ScoreError::Version { line, found: (*version).to_owned() }),
        },
        _ => Err(ScoreError::NotAScore { line, found: format!("`{}`", shortened(title)) }),
    }
}

/// The beginning of a text: what is no score may have very long lines.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
