//! Whether a score can be: what a file can say wrongly, and what a program can put together wrongly.

use crate::at::misfit;
use crate::setting::{self, Kind};
use crate::{
    Act, Aim, BACKGROUNDS, Cue, MAX_AXES, MAX_FPS, MAX_ITERATIONS, MAX_SECONDS, MAX_TOUR_SPEED, Route, Score,
    ScoreError, VERSION,
};
use embedding::Settings;
use serde_json::Value;
use std::collections::BTreeMap;

/// How long a hash is, in hexadecimal digits.
const HASH_DIGITS: usize = 64;
/// What iterations a frame can be.
pub(crate) const RATE: &str = "a number from 0 to 1000000";

/// How fast a tour can be.
pub(crate) const TOUR_SPEED: &str = "radians a second from 0 to 2";
/// What axes can be.
pub(crate) const THREE_AXES: &str = "three different dimensions from 0 to 63, as 0 1 4";

/// The lines of the head, by their first words; 0 for those that came from no file.
#[derive(Debug, Default)]
pub(crate) struct HeadLines(BTreeMap<&'static str, usize>);

impl HeadLines {
    /// Remembers a line; gives the line that had this name before.
    pub(crate) fn note(&mut self, name: &'static str, line: usize) -> Option<usize> {
        self.0.insert(name, line)
    }

    fn of(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }

    pub(crate) fn length(&self) -> usize {
        self.of("length")
    }
}

impl Score {
    /// Makes sure that the score can be: settings exist and are in the ranges of the embedding, times ascend, values
    /// are possible. `base` is what the settings are laid over: the defaults for the data.
    ///
    /// A score that was read has passed this for the usual defaults; one that a program put together has not.
    ///
    /// # Errors
    /// Names the first thing that is wrong, and its line if it came from one.
    pub fn check(&self, base: &Settings) -> Result<(), ScoreError> {
        self.check_at(&HeadLines::default(), base)
    }

    /// The same, with the lines of the head for its errors.
    pub(crate) fn check_at(&self, lines: &HeadLines, base: &Settings) -> Result<(), ScoreError> {
        base.validate().map_err(|source| ScoreError::Setting { line: 0, source })?;
        self.check_head(lines)?;
        let mut before = 0.0;
        for cue in &self.cues {
            check_cue(cue, before)?;
            before = cue.from;
        }
        let last = self.cues.iter().max_by(|a, b| a.to.total_cmp(&b.to));
        match last.filter(|last| self.length < last.to) {
            Some(last) => {
                Err(ScoreError::Length { line: lines.length(), length: self.length, cue: last.line, end: last.to })
            }
            None => Ok(()),
        }
    }

    /// Makes sure that the head can be.
    pub(crate) fn check_head(&self, lines: &HeadLines) -> Result<(), ScoreError> {
        if self.version != VERSION {
            return Err(ScoreError::Version { line: 0, found: self.version.to_string() });
        }
        let ensure = |allowed: bool, what: &str, expected: &str, found: &dyn ToString| {
            ensure(allowed, lines.of(what), what, expected, found)
        };
        if let Some(data) = &self.data {
            ensure(!data.is_empty(), "data", "a path, or demo:", data)?;
        }
        if let Some(hash) = &self.hash {
            let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            let whole = hash.len() == HASH_DIGITS && hash.bytes().all(digit);
            ensure(whole, "hash", "64 hexadecimal digits in lower case", hash)?;
        }
        if let Some(start) = &self.start {
            ensure(!start.is_empty(), "start", "a session, or a table of coordinates", start)?;
        }
        if let Some(auc) = self.auc {
            ensure((-1.0..=1.0).contains(&auc), "auc", "a number from -1 to 1", &auc)?;
        }
        ensure(is_rate(self.iterations), "iterations", RATE, &self.iterations)?;
        ensure((1..=MAX_FPS).contains(&self.fps), "fps", "a whole number from 1 to 120", &self.fps)?;
        let length = self.length;
        ensure((0.0..=MAX_SECONDS).contains(&length), "length", "seconds from 0 to 86400", &length)?;
        for (name, value) in &self.settings {
            setting::check(name, value, lines.of("settings"))?;
        }
        Ok(())
    }
}

fn ensure(
    allowed: bool,
    line: usize,
    what: &str,
    expected: &str,
    found: &(impl ToString + ?Sized),
) -> Result<(), ScoreError> {
    if allowed {
        return Ok(());
    }
    let found = found.to_string();
    let found = if found.is_empty() { "nothing".to_owned() } else { format!("`{found}`") };
    Err(ScoreError::Value { line, what: what.to_owned(), expected: expected.to_owned(), found })
}

fn is_rate(iterations: f64) -> bool {
    (0.0..=MAX_ITERATIONS).contains(&iterations)
}

/// Makes sure that a cue can be, behind one of the time `before`.
pub(crate) fn check_cue(cue: &Cue, before: f64) -> Result<(), ScoreError> {
    check_times(cue, before)?;
    check_act(cue)
}

/// Makes sure that a cue follows on the time of the one before, and takes time only if it can.
fn check_times(cue: &Cue, before: f64) -> Result<(), ScoreError> {
    let (line, from, to) = (cue.line, cue.from, cue.to);
    for time in [from, to] {
        if !(0.0..=MAX_SECONDS).contains(&time) {
            return Err(ScoreError::Time { line, found: format!("`{time}`") });
        }
    }
    if to < from {
        return Err(ScoreError::Range { line, from, to });
    }
    if from < before {
        return Err(ScoreError::Order { line, time: from, before });
    }
    let name = cue.act.name();
    if !cue.is_at_once() && !cue.act.can_ease() {
        let remedy = match cue.act {
            Act::Caption { .. } => "write the time it begins, and behind the text `for` and its seconds",
            _ => "write one time, not a range",
        };
        return Err(ScoreError::AtOnce { line, name, remedy });
    }
    if cue.is_at_once() && cue.ease != crate::Ease::Smooth {
        return Err(ScoreError::AtOnce { line, name, remedy: "`ease` needs a range, as 2..5" });
    }
    Ok(())
}

/// Makes sure that what happens can.
fn check_act(cue: &Cue) -> Result<(), ScoreError> {
    let line = cue.line;
    let name = cue.act.name();
    match &cue.act {
        Act::Camera(aim) => check_aim(aim, line),
        Act::Set { name, value } => check_set(name, *value, line),
        Act::Choose { name, value } => match setting::kind_of(name, line)? {
            Kind::Word => setting::check(name, &Value::from(value.as_str()), line),
            _ => ensure(false, line, &format!("set {name}"), "a number", value),
        },
        Act::Labels(Some(column)) => ensure(!column.is_empty(), line, name, "a column", column),
        Act::SelectNamed(known) => ensure(!known.is_empty(), line, name, "the name of a selection", known),
        Act::Caption { seconds: Some(seconds), .. } => {
            let allowed = *seconds > 0.0 && *seconds <= MAX_SECONDS;
            ensure(allowed, line, "caption for", "seconds, more than 0", seconds)
        }
        Act::Iterations(count) => ensure(is_rate(*count), line, name, RATE, count),
        Act::Background(colour) => {
            ensure(BACKGROUNDS.contains(&colour.as_str()), line, name, &BACKGROUNDS.join(", "), colour)
        }
        Act::Tour { route, speed } => {
            let column = if let Route::Guided(Some(column)) = route { column.as_str() } else { "-" };
            ensure(!column.is_empty(), line, "tour guided", "a column, or nothing for the selection", column)?;
            let speed = speed.unwrap_or(0.0);
            ensure((0.0..=MAX_TOUR_SPEED).contains(&speed), line, "tour speed", TOUR_SPEED, &speed)
        }
        Act::Axes(axes @ [x, y, z]) => {
            let known = axes.iter().all(|axis| *axis < MAX_AXES) && x != y && x != z && y != z;
            ensure(known, line, name, THREE_AXES, &format!("{x} {y} {z}"))
        }
        Act::PointSize(pixels) => {
            ensure(pixels.is_finite() && *pixels > 0.0, line, name, "pixels, more than 0", pixels)
        }
        _ => Ok(()),
    }
}

fn check_aim(aim: &Aim, line: usize) -> Result<(), ScoreError> {
    let Aim { yaw, pitch, distance, focus } = aim;
    if *aim == Aim::default() {
        return ensure(false, line, "camera", "yaw, pitch, distance or focus", "");
    }
    if let Some(yaw) = yaw {
        ensure(yaw.is_finite(), line, "camera yaw", "degrees", yaw)?;
    }
    if let Some(pitch) = pitch {
        ensure((-90.0..=90.0).contains(pitch), line, "camera pitch", "degrees from -90 to 90", pitch)?;
    }
    if let Some(distance) = distance {
        let allowed = distance.is_finite() && *distance > 0.0;
        ensure(allowed, line, "camera distance", "cloud radii, more than 0", distance)?;
    }
    for along in focus.iter().flatten() {
        ensure(along.is_finite(), line, "camera focus", "three numbers, as 0 0 0", along)?;
    }
    Ok(())
}

/// Makes sure that a setting can be that number. What lies on the way there can be then too: every range is one piece.
fn check_set(name: &str, number: f64, line: usize) -> Result<(), ScoreError> {
    let kind = setting::kind_of(name, line)?;
    let broken = kind == Kind::Whole && number.fract() != 0.0; // on its way it may be; that is rounded
    let value = if broken { None } else { setting::value(kind, number) };
    setting::check(name, &value.ok_or_else(|| misfit(line, name, kind, number))?, line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ease;

    /// What is wrong with a cue that a program made.
    fn wrong(cue: Cue) -> String {
        let score = Score { length: 9.0, cues: vec![cue], ..Score::default() };
        score.check(&Settings::default()).unwrap_err().to_string()
    }

    #[test]
    fn what_a_program_put_together_wrongly_is_found() {
        let at = |act| Cue::at(1.0, act);
        let set = |name: &str, value| at(Act::Set { name: name.into(), value });
        let aim = Aim::default();
        for (cue, expected) in [
            (Cue::at(f64::NAN, Act::Stop), "found `NaN`"),
            (Cue::at(1e9, Act::Stop), "from 0 to 86400"),
            (at(Act::Camera(aim.clone())), "expected yaw, pitch, distance or focus, found nothing"),
            (at(Act::Camera(Aim { yaw: Some(f64::NAN), ..aim.clone() })), "camera yaw: expected degrees, found `NaN`"),
            (at(Act::Camera(Aim { focus: Some([0.0, f64::INFINITY, 0.0]), ..aim })), "camera focus"),
            (set("metric", 3.0), "set metric: expected a word"),
            (set("dims", 2.5), "set dims: expected a whole number, found `2.5`"),
            (set("alpha", f64::NAN), "set alpha: expected a number, found `NaN`"),
            (at(Act::Choose { name: "alpha".into(), value: "much".into() }), "set alpha: expected a number"),
            (at(Act::Labels(Some(String::new()))), "labels: expected a column, found nothing"),
            (at(Act::Tour { route: Route::Grand, speed: Some(f64::NAN) }), "tour speed: expected radians a second"),
            (at(Act::Tour { route: Route::Grand, speed: Some(-1.0) }), "found `-1`"),
            (
                at(Act::Tour { route: Route::Guided(Some(String::new())), speed: None }),
                "tour guided: expected a column",
            ),
            (at(Act::Axes([0, 1, 1])), "axes: expected three different dimensions"),
            (at(Act::Axes([0, 1, 64])), "found `0 1 64`"),
            (at(Act::PointSize(f32::NAN)), "point-size: expected pixels"),
            (at(Act::Iterations(f64::NAN)), "iterations: expected a number from 0 to 1000000, found `NaN`"),
            (Cue::over(1.0, 2.0, Ease::Smooth, Act::Stop), "`stop` happens at once; write one time"),
            (Cue::over(1.0, 1.0, Ease::In, Act::Stop), "`ease` needs a range"),
        ] {
            let found = wrong(cue);
            assert!(found.contains(expected) && !found.starts_with("line"), "{found}");
        }
    }

    #[test]
    fn heads_are_looked_at_too() {
        let usual = Settings::default();
        let fine = Score { hash: Some("0f".repeat(32)), ..Score::default() };
        fine.check(&usual).unwrap();
        for score in [
            Score { version: 2, ..fine.clone() },
            Score { hash: Some("0F".repeat(32)), ..fine.clone() },
            Score { hash: Some("0f".repeat(31)), ..fine.clone() },
            Score { data: Some(String::new()), ..fine.clone() },
            Score { fps: 0, ..fine.clone() },
            Score { start: Some(String::new()), ..fine.clone() },
            Score { auc: Some(f64::NAN), ..fine.clone() },
            Score { auc: Some(1.01), ..fine.clone() },
            Score { iterations: f64::NAN, ..fine.clone() },
            Score { iterations: -0.5, ..fine.clone() },
            Score { iterations: 1_000_001.0, ..fine.clone() },
            Score { fps: 121, ..fine.clone() },
            Score { length: f64::NAN, ..fine.clone() },
            Score { length: -1.0, ..fine.clone() },
        ] {
            assert!(score.check(&usual).is_err(), "{score:?}");
        }
        assert!(fine.check(&Settings { alpha: 0.0, ..usual }).is_err());
    }
}
