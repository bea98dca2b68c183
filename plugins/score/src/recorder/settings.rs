//! Settings that change: sliders that are dragged, and single steps.

use super::Piece;
use super::path::corners;
use crate::follow::{by_ratio, evenly};
use crate::setting::{self, Kind, Named};
use crate::{Act, Score};
use embedding::Settings;
use serde_json::Value;
use std::collections::BTreeMap;

/// Changes that follow each other as fast as this are one drag (seconds) …
const PAUSE: f64 = 0.25;
/// … if there are so many.
const LEAST_DRAG: usize = 3;
/// How far a piece of a drag may be from what was seen: a share of the value for what goes by ratio, of all that the drag
/// covers for others.
const TOLERANCE: f64 = 0.01;

/// How each setting changed.
#[derive(Debug)]
pub(super) struct Tracks {
    settings: Settings,
    named: Named,
    tracks: BTreeMap<String, Vec<Change>>,
}

/// Another value of a setting.
#[derive(Debug)]
struct Change {
    /// The last frame that had the one before.
    since: u64,
    frame: u64,
    before: Value,
    value: Value,
}

/// What a number was at frames: all those with moments from the first to the last change, and the one before.
type Drag = Vec<(u64, f64)>;

impl Tracks {
    pub(super) fn new(first: &Settings) -> Self {
        let named = setting::named(first).unwrap_or_default(); // settings are always an object
        Self { settings: first.clone(), named, tracks: BTreeMap::new() }
    }

    /// Takes down what is different at a frame; the moment before was at the frame `before`.
    pub(super) fn see(&mut self, before: u64, frame: u64, settings: &Settings) {
        if *settings == self.settings {
            return;
        }
        self.settings.clone_from(settings);
        let now = setting::named(settings).unwrap_or_default();
        for (name, value) in &now {
            let former = self.named.get(name).unwrap_or(&Value::Null);
            if former == value {
                continue;
            }
            let track = self.tracks.entry(name.clone()).or_default();
            match track.last_mut().filter(|last| last.frame == frame) {
                Some(same) => same.value.clone_from(value),
                None => {
                    let change = Change { since: before, frame, before: former.clone(), value: value.clone() };
                    track.push(change);
                }
            }
        }
        self.named = now;
    }

    /// The cues; `frames` are those of all moments, in order.
    pub(super) fn pieces(&self, score: &Score, frames: &[u64]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (name, track) in &self.tracks {
            match setting::kind_of(name, 0) {
                Ok(Kind::Real) => numbers(name, track, score, frames, &mut pieces),
                Ok(Kind::Whole) => pieces.extend(track.iter().filter_map(|change| step(name, change))),
                Ok(Kind::Word) => pieces.extend(track.iter().filter_map(|change| word(name, change))),
                Err(_) => {} // asked of the settings themselves, there is none
            }
        }
        pieces
    }
}

fn numbers(name: &str, track: &[Change], score: &Score, frames: &[u64], pieces: &mut Vec<Piece>) {
    let pause = (PAUSE * f64::from(score.fps)).ceil() as u64;
    for run in track.chunk_by(|former, next| next.frame - former.frame <= pause) {
        match drag(run, frames, pause).filter(|_| run.len() >= LEAST_DRAG) {
            Some(drag) => {
                if drag[0].0 == run[0].frame {
                    pieces.extend(step(name, &run[0])); // nothing was seen right before it
                }
                pieces.extend(straight(name, &drag));
            }
            None => pieces.extend(run.iter().filter_map(|change| step(name, change))),
        }
    }
}

/// The drag of these changes. The frame before is left out where it is too long ago, or the same; `None` if what was seen
/// is no number.
fn drag(run: &[Change], frames: &[u64], pause: u64) -> Option<Drag> {
    let (first, last) = (run.first()?, run.last()?);
    let begins = frames.partition_point(|frame| *frame < first.frame);
    let ends = frames.partition_point(|frame| *frame <= last.frame);
    let mut drag = Drag::new();
    if first.since < first.frame && first.frame - first.since <= pause {
        drag.push((first.since, number(&first.before)?));
    }
    let mut changes = run.iter().peekable();
    let mut held = &first.value;
    for frame in &frames[begins..ends] {
        while let Some(change) = changes.next_if(|change| change.frame <= *frame) {
            held = &change.value;
        }
        drag.push((*frame, number(held)?));
    }
    Some(drag)
}

/// The straight pieces of a drag.
fn straight(name: &str, drag: &Drag) -> Vec<Piece> {
    let ratio = setting::goes_by_ratio(name);
    let between = if ratio { by_ratio } else { evenly };
    let (low, high) =
        drag.iter().fold((f64::MAX, f64::MIN), |(low, high), (_, value)| (low.min(*value), high.max(*value)));
    let off = |a: usize, b: usize, point: usize| {
        let ((from, start), (to, target), (frame, seen)) = (drag[a], drag[b], drag[point]);
        let share = (frame - from) as f64 / (to - from) as f64;
        let shown = between(start, target, share);
        let difference =
            if ratio && shown > 0.0 && seen > 0.0 { (shown / seen).ln() } else { (shown - seen) / (high - low) };
        difference.abs() / TOLERANCE
    };
    let corners = corners(drag.len(), |_| true, off);
    let ways = corners.windows(2).map(|ends| (drag[ends[0]], drag[ends[1]])).filter(|((_, a), (_, b))| a != b);
    let act = |value| Act::Set { name: name.to_owned(), value };
    ways.map(|((from, _), (to, target))| Piece { from, to, act: act(target) }).collect()
}

/// A number that changes at once.
fn step(name: &str, change: &Change) -> Option<Piece> {
    let value = number(&change.value)?;
    Some(Piece::at(change.frame, Act::Set { name: name.to_owned(), value }))
}

/// A word that changes.
fn word(name: &str, change: &Change) -> Option<Piece> {
    let value = change.value.as_str()?.to_owned();
    Some(Piece::at(change.frame, Act::Choose { name: name.to_owned(), value }))
}

/// The number, with as few digits as are needed to get the same `f32`: settings are of that kind, and 0.3 should not
/// become 0.30000001192092896 in a file.
fn number(value: &Value) -> Option<f64> {
    let exact = value.as_f64()?;
    let short = (exact as f32).to_string().parse().ok();
    Some(short.filter(|_| f64::from(exact as f32) == exact).unwrap_or(exact))
}
