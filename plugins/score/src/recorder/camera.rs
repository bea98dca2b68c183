//! The path of the view, in straight pieces.

use super::Piece;
use super::path::corners;
use crate::follow::evenly;
use crate::{Act, Aim, Score, View};

/// Yaw, pitch, the logarithm of the distance, and the focus: what goes evenly.
type Point = [f64; 6];

/// How far a piece may be from what was seen (degrees, shares of the distance, cloud radii). The rest of the half degree,
/// of 1 % and of 0.01 radii is for rounding.
const TOLERANCE: Point = [0.49, 0.49, 0.0098, 0.0098, 0.0098, 0.0098];

/// A view that stays the same for so long rests (seconds): there are no pieces then. For shorter times a hand that moves
/// may just not have sent anything new.
const REST: f64 = 0.25;

/// A step between two moments is a jump if it is larger than this …
const LEAST_JUMP: Point = [20.0, 20.0, 0.4, 0.25, 0.25, 0.25];
/// … and faster than this a second: two turns, a factor of 400, four radii. No hand is for as long as it takes to the
/// next moment; and if one were, what was seen was a jump all the same. Smaller ones than above are over within a frame
/// of the window, so that a piece from one moment to the next shows the same.
const FASTEST: Point = [720.0, 720.0, 6.0, 4.0, 4.0, 4.0];

/// How fine the numbers in a score are (degrees, cloud radii), and how many digits distances have: far finer than the
/// tolerance, and still to be read.
const FINENESS: f64 = 1e-3;
const FOCUS_FINENESS: f64 = 1e-4;
const DISTANCE_DIGITS: usize = 6;

/// The view at all moments; of those while it rests, the first and the last.
#[derive(Debug)]
pub(super) struct Camera {
    seen: Vec<(f64, Point)>,
    /// The last yaw as it was seen, and what it lacks of one that counts turns (degrees).
    yaw: f64,
    turned: f64,
}

impl Camera {
    pub(super) fn new(first: &View) -> Self {
        let usual = View { yaw: 0.0, pitch: 0.0, distance: 1.0, focus: [0.0; 3] };
        let first = if is_possible(first) { first } else { &usual };
        Self { seen: vec![(0.0, point(first, 0.0))], yaw: first.yaw, turned: 0.0 }
    }

    /// Takes a view down; one that is none is left out.
    pub(super) fn see(&mut self, time: f64, view: &View) {
        let last = self.seen.last().map_or(0.0, |(time, _)| *time);
        if !is_possible(view) || !time.is_finite() {
            return;
        }
        self.turned -= 360.0 * ((view.yaw - self.yaw) / 360.0).round();
        self.yaw = view.yaw;
        let (time, now) = (time.max(last), point(view, self.turned));
        if let [.., (_, before), (until, resting)] = self.seen.as_mut_slice()
            && *before == now
            && *resting == now
        {
            *until = time;
            return;
        }
        self.seen.push((time, now));
    }

    /// The cues of a score that is so many frames long.
    pub(super) fn pieces(&self, score: &Score, end: u64) -> Vec<Piece> {
        let frame = |time: f64| ((time * f64::from(score.fps)).round() as u64).min(end);
        let mut pieces = Vec::new();
        let mut held = None;
        let mut from = 0;
        let mut rest = self.seen.as_slice();
        while !rest.is_empty() {
            let jump = rest.windows(2).position(|pair| is_jump(&pair[0], &pair[1]));
            let (steady, others) = rest.split_at(jump.map_or(rest.len(), |before| before + 1));
            let to = others.first().map_or(end, |(time, _)| frame(*time)).max(from);
            let way = Way { seen: steady, score, from, to };
            for (a, b) in way.straight() {
                let target = way.rounded(b);
                let aim = difference(held.as_ref(), &target);
                held = Some(target);
                if aim != Aim::default() {
                    pieces.push(Piece { from: a, to: b, act: Act::Camera(aim) });
                }
            }
            (from, rest) = (to, others);
        }
        pieces
    }
}

/// A part of the path without jumps, from one frame to another.
struct Way<'a> {
    seen: &'a [(f64, Point)],
    score: &'a Score,
    from: u64,
    to: u64,
}

impl Way<'_> {
    /// What was seen at the time of a frame: moments are joined by straight lines.
    fn point(&self, frame: u64) -> Point {
        let time = self.score.time_of(frame);
        let next = self.seen.partition_point(|(when, _)| *when < time);
        match (next.checked_sub(1).map(|before| &self.seen[before]), self.seen.get(next)) {
            (Some((a, before)), Some((b, after))) => {
                let share = (time - a) / (b - a);
                std::array::from_fn(|part| evenly(before[part], after[part], share))
            }
            (Some((_, only)), None) | (None, Some((_, only))) => *only,
            (None, None) => Point::default(),
        }
    }

    /// The frames between which it moves: all but its rests.
    fn moving(&self) -> Vec<(u64, u64)> {
        let fps = f64::from(self.score.fps);
        let rests = self.seen.windows(2).filter(|pair| pair[0].1 == pair[1].1 && pair[1].0 - pair[0].0 >= REST);
        let mut moving = Vec::new();
        let mut from = self.from;
        for pair in rests {
            let (a, b) = ((pair[0].0 * fps).ceil() as u64, (pair[1].0 * fps).floor() as u64);
            let (a, b) = (a.clamp(from, self.to), b.clamp(from, self.to));
            if a < b {
                moving.push((from, a));
                from = b;
            }
        }
        moving.push((from, self.to));
        moving.retain(|(from, to)| from < to);
        moving
    }

    /// The straight pieces, by their first and last frames; the first is where it begins.
    fn straight(&self) -> Vec<(u64, u64)> {
        let mut pieces = vec![(self.from, self.from)];
        for (from, to) in self.moving() {
            let seen = self.between(from, to);
            let corners =
                corners(seen.len(), |at| seen[at].frame.is_some(), |a, b, at| off(&seen[a], &seen[b], &seen[at]));
            let frames: Vec<u64> = corners.into_iter().filter_map(|at| seen[at].frame).collect();
            pieces.extend(frames.windows(2).map(|ends| (ends[0], ends[1])));
        }
        pieces
    }

    /// What was seen from one frame to another: at frames, where pieces can end, and at the moments between them.
    fn between(&self, from: u64, to: u64) -> Vec<Seen> {
        let at_frame = |frame| Seen { time: self.score.time_of(frame), point: self.point(frame), frame: Some(frame) };
        let mut seen: Vec<Seen> = (from..=to).map(at_frame).collect();
        let first = self.seen.partition_point(|(time, _)| *time < self.score.time_of(from));
        let last = self.seen.partition_point(|(time, _)| *time < self.score.time_of(to));
        seen.extend(self.seen[first..last].iter().map(|(time, point)| Seen {
            time: *time,
            point: *point,
            frame: None,
        }));
        // Frames first: those at the very beginning and the very end are the ends.
        seen.sort_by(|a, b| a.time.total_cmp(&b.time));
        seen
    }

    /// The view at a frame, as it stands in the score.
    fn rounded(&self, frame: u64) -> View {
        let [yaw, pitch, distance, x, y, z] = self.point(frame);
        View {
            yaw: rounded(yaw, FINENESS),
            pitch: rounded(pitch, FINENESS),
            distance: with_digits(distance.exp()),
            focus: [x, y, z].map(|along| rounded(along, FOCUS_FINENESS)),
        }
    }
}

/// What was seen at a time, and the frame that is there.
struct Seen {
    time: f64,
    point: Point,
    frame: Option<u64>,
}

/// How far something is from the straight way between two others, in tolerances.
fn off(a: &Seen, b: &Seen, at: &Seen) -> f64 {
    let share = (at.time - a.time) / (b.time - a.time);
    let parts = a.point.iter().zip(&b.point).zip(&at.point).zip(TOLERANCE);
    parts.map(|(((a, b), seen), allowed)| (seen - evenly(*a, *b, share)).abs() / allowed).fold(0.0, f64::max)
}

fn is_possible(view: &View) -> bool {
    let focused = view.focus.iter().all(|along| along.is_finite());
    view.yaw.is_finite() && view.pitch.is_finite() && view.distance.is_finite() && view.distance > 0.0 && focused
}

fn point(view: &View, turned: f64) -> Point {
    let [x, y, z] = view.focus;
    [view.yaw + turned, view.pitch.clamp(-90.0, 90.0), view.distance.ln(), x, y, z]
}

fn is_jump((a, from): &(f64, Point), (b, to): &(f64, Point)) -> bool {
    let mut steps = from.iter().zip(to).zip(LEAST_JUMP.iter().zip(FASTEST));
    steps.any(|((from, to), (least, fastest))| {
        let step = (to - from).abs();
        step > *least && step > fastest * (b - a)
    })
}

/// What leads from one view to another: the parts that differ, or all of them.
fn difference(from: Option<&View>, to: &View) -> Aim {
    let Some(from) = from else {
        let View { yaw, pitch, distance, focus } = *to;
        return Aim { yaw: Some(yaw), pitch: Some(pitch), distance: Some(distance), focus: Some(focus) };
    };
    let other = |from: f64, to: f64| Some(to).filter(|_| from != to);
    Aim {
        yaw: other(from.yaw, to.yaw),
        pitch: other(from.pitch, to.pitch),
        distance: other(from.distance, to.distance),
        focus: Some(to.focus).filter(|_| from.focus != to.focus),
    }
}

/// A multiple of a fineness below 1, as few digits as that needs.
fn rounded(number: f64, fineness: f64) -> f64 {
    let a_unit = (1.0 / fineness).round();
    (number * a_unit).round() / a_unit + 0.0 // no −0
}

fn with_digits(number: f64) -> f64 {
    let digits = DISTANCE_DIGITS - 1;
    format!("{number:.digits$e}").parse().unwrap_or(number)
}
