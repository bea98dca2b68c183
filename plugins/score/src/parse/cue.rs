//! The lines of cues.

use crate::check::{RATE, THREE_AXES, TOUR_SPEED};
use crate::nearest::nearest;
use crate::setting::{self, Kind};
use crate::words::Words;
use crate::{Act, Aim, BACKGROUNDS, Cue, Ease, Route, ScoreError};

/// True if a line that begins with this word is meant as a cue.
pub(super) fn is_time(word: &str) -> bool {
    let from = word.split_once("..").map_or(word, |(from, _)| from);
    word.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter)) || from.parse::<f64>().is_ok()
}

/// Reads a cue; `time` is its first word. Whether its times and values are possible is another question.
pub(super) fn cue(time: &str, mut words: Words<'_>, line: usize) -> Result<Cue, ScoreError> {
    let wrong = || ScoreError::Time { line, found: format!("`{time}`") };
    let seconds = |text: &str| text.parse::<f64>().map_err(|_| wrong());
    let (from, to) = match time.split_once("..") {
        Some((from, to)) => (seconds(from)?, seconds(to)?),
        None => (seconds(time)?, seconds(time)?),
    };
    words.about("a cue");
    let name = words.word("what happens, as `camera yaw 30`")?;
    let Some(name) = Act::NAMES.into_iter().find(|known| *known == name) else {
        return Err(ScoreError::UnknownCue { line, name: name.to_owned(), nearest: nearest(name, Act::NAMES) });
    };
    words.about(name);
    let (act, ease) = act(name, &mut words, line)?;
    words.end()?;
    if ease.is_some() && from == to {
        return Err(ScoreError::AtOnce { line, name, remedy: "`ease` needs a range, as 2..5" });
    }
    Ok(Cue { from, to, ease: ease.unwrap_or_default(), act, line })
}

/// What happens, and how it goes there if that is said.
fn act(name: &str, words: &mut Words<'_>, line: usize) -> Result<(Act, Option<Ease>), ScoreError> {
    let count = "a whole number from 0 on";
    let act = match name {
        "camera" => return camera(words),
        "set" => return set(words, line),
        "color-by" => Act::ColorBy(words.text("a column, or none")?),
        "labels" => Act::Labels(Some(words.text("a column, or \"\" for none")?).filter(|column| !column.is_empty())),
        "caption" => caption(words)?,
        "note" => Act::Note(words.text("a text")?),
        "implode" => Act::Implode,
        "explode" => Act::Explode,
        "reset" => Act::Reset,
        "settle" => Act::Settle(words.value(count)?),
        "iterations" => Act::Iterations(words.number(RATE)?),
        "pause" => Act::Pause,
        "resume" => Act::Resume,
        "select" => Act::Select(words.search("a search, or \"\" to let go")?),
        "select-named" => Act::SelectNamed(words.text("the name of a selection")?),
        "background" => Act::Background(words.text(&BACKGROUNDS.join(", "))?),
        "tour" => tour(words)?,
        "axes" => {
            let mut axis = || words.value(THREE_AXES);
            Act::Axes([axis()?, axis()?, axis()?])
        }
        "point-size" => Act::PointSize(words.value("pixels, as 3 or 1.5")?),
        _ => Act::Stop,
    };
    Ok((act, None))
}

fn camera(words: &mut Words<'_>) -> Result<(Act, Option<Ease>), ScoreError> {
    let mut aim = Aim::default();
    let mut ease = None;
    while let Some(part) = words.next() {
        words.about(format!("camera {part}"));
        let again = match part {
            "yaw" => aim.yaw.replace(words.number("degrees")?).is_some(),
            "pitch" => aim.pitch.replace(words.number("degrees from -90 to 90")?).is_some(),
            "distance" => aim.distance.replace(words.number("cloud radii, more than 0")?).is_some(),
            "focus" => {
                let mut along = || words.number("three numbers, as 0 0 0");
                aim.focus.replace([along()?, along()?, along()?]).is_some()
            }
            "ease" => ease.replace(self::ease(words)?).is_some(),
            other => {
                words.about("camera");
                return Err(words.wrong("yaw, pitch, distance, focus or ease", other));
            }
        };
        if again {
            return Err(words.wrong("it once", "it twice"));
        }
        words.about("camera");
    }
    Ok((Act::Camera(aim), ease))
}

fn set(words: &mut Words<'_>, line: usize) -> Result<(Act, Option<Ease>), ScoreError> {
    let name = words.word("a setting and its value, as alpha 0.5")?.to_owned();
    words.about(format!("set {name}"));
    let act = match setting::kind_of(&name, line)? {
        Kind::Word => {
            let value = words.word("a word")?.to_owned();
            words.end()?;
            return Ok((Act::Choose { name, value }, None));
        }
        Kind::Real => Act::Set { value: words.number("a number")?, name },
        Kind::Whole => Act::Set { value: words.number("a whole number")?, name },
    };
    let ease = match words.next() {
        None => None,
        Some("ease") => Some(ease(words)?),
        Some(other) => return Err(words.wrong("nothing more, or ease", other)),
    };
    Ok((act, ease))
}

fn ease(words: &mut Words<'_>) -> Result<Ease, ScoreError> {
    words.about("ease");
    words.value("smooth, none, in or out")
}

fn caption(words: &mut Words<'_>) -> Result<Act, ScoreError> {
    let text = words.quoted("a text in quotes")?;
    let seconds = match words.next() {
        None => None,
        Some("for") => Some(words.number("seconds, more than 0")?),
        Some(other) => return Err(words.wrong("nothing more, or for and seconds", other)),
    };
    Ok(Act::Caption { text, seconds })
}

fn tour(words: &mut Words<'_>) -> Result<Act, ScoreError> {
    let ways = "grand, guided or principal";
    let mut route = match words.word(ways)? {
        "principal" | "off" => Route::Principal,
        "grand" => Route::Grand,
        "guided" => Route::Guided(None),
        other => return Err(words.wrong(ways, other)),
    };
    if let Route::Guided(column) = &mut route {
        *column = words.column("a column, or speed")?;
    }
    let speed = match words.next() {
        None => None,
        Some("speed") => {
            words.about("tour speed");
            Some(words.number(TOUR_SPEED)?)
        }
        Some(other) => return Err(words.wrong("nothing more, or speed", other)),
    };
    Ok(Act::Tour { route, speed })
}
