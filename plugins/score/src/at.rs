//! What holds at a time.

use crate::follow::{Move, by_ratio, evenly, follow};
use crate::setting::{self, Kind};
use crate::{Act, Aim, Cue, Score, ScoreError};
use embedding::Settings;
use std::collections::{BTreeMap, BTreeSet};

/// Where the cloud is seen from.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Angle around the vertical axis (degrees); it counts turns.
    pub yaw: f64,
    /// Angle above the horizon (degrees).
    pub pitch: f64,
    /// How far away the eye is (cloud radii).
    pub distance: f64,
    /// What is looked at: the offset from the cloud's centre (cloud radii).
    pub focus: [f64; 3],
}

impl Score {
    /// The view at a time: each cue leaves from what held when it began, and each of yaw, pitch, distance and focus
    /// goes its own way. Before the first cue that names it, it is that of `start`; beyond the end, what the end holds.
    #[must_use]
    pub fn view_at(&self, time: f64, start: &View) -> View {
        let yaw = follow(time, start.yaw, self.moves(|aim| aim.yaw), evenly);
        let pitch = follow(time, start.pitch, self.moves(|aim| aim.pitch), evenly);
        let distance = follow(time, start.distance, self.moves(|aim| aim.distance), by_ratio);
        let focus = follow(time, start.focus, self.moves(|aim| aim.focus), |a, b, share| {
            std::array::from_fn(|axis| evenly(a[axis], b[axis], share))
        });
        View { yaw, pitch, distance, focus }
    }

    /// The moves of one part of the view.
    fn moves<V: Copy>(&self, part: impl Fn(&Aim) -> Option<V>) -> impl Iterator<Item = Move<V>> {
        self.cues.iter().filter_map(move |cue| match &cue.act {
            Act::Camera(aim) => part(aim).map(|target| Move::of(cue, target)),
            _ => None,
        })
    }

    /// The settings at a time: `base` (the defaults for the data), with the score's settings and seed laid over it, and
    /// over these what cues made of them.
    ///
    /// # Errors
    /// If a setting does not exist, or is out of its range: not for a score that passed [`check`](Self::check).
    pub fn settings_at(&self, time: f64, base: &Settings) -> Result<Settings, ScoreError> {
        let mut named = setting::named(base)?;
        for (name, value) in &self.settings {
            setting::kind_of(name, 0)?;
            named.insert(name.clone(), value.clone());
        }
        if let Some(seed) = self.seed {
            named.insert("seed".to_owned(), seed.into());
        }
        for (name, line) in self.names_set(time) {
            let kind = setting::kind_of(name, line)?;
            let start = named.get(name).and_then(serde_json::Value::as_f64);
            let number = self.number_at(time, name, start);
            let value = number.and_then(|number| setting::value(kind, number));
            let value = value.ok_or_else(|| misfit(line, name, kind, number.unwrap_or(f64::NAN)))?;
            named.insert(name.to_owned(), value);
        }
        for cue in self.begun(time) {
            if let Act::Choose { name, value } = &cue.act {
                setting::kind_of(name, cue.line)?;
                named.insert(name.clone(), value.as_str().into());
            }
        }
        let wrong = |message: serde_json::Error| ScoreError::Json { line: 0, message: message.to_string() };
        let settings = setting::settings(named).map_err(wrong)?;
        settings.validate().map_err(|source| ScoreError::Setting { line: self.line_of(source.name, time), source })?;
        Ok(settings)
    }

    /// The settings that have been given numbers, each with the line that did so first.
    fn names_set(&self, time: f64) -> impl Iterator<Item = (&str, usize)> {
        let mut seen = BTreeSet::new();
        self.begun(time).filter_map(move |cue| match &cue.act {
            Act::Set { name, .. } if seen.insert(name.as_str()) => Some((name.as_str(), cue.line)),
            _ => None,
        })
    }

    /// The number that a setting is at a time; it begins without one where the engine chooses it.
    fn number_at(&self, time: f64, wanted: &str, start: Option<f64>) -> Option<f64> {
        let moves = self.cues.iter().filter_map(|cue| match &cue.act {
            Act::Set { name, value } if name == wanted => Some(Move::of(cue, Some(*value))),
            _ => None,
        });
        let between = if setting::goes_by_ratio(wanted) { by_ratio } else { evenly };
        follow(time, start, moves, |a, b, share| match (a, b) {
            (Some(a), Some(b)) => Some(between(a, b, share)),
            _ => b, // there is no way from no number
        })
    }

    /// The last line that gave a setting its value.
    fn line_of(&self, wanted: &str, time: f64) -> usize {
        let names = |cue: &&Cue| matches!(&cue.act, Act::Set { name, .. } | Act::Choose { name, .. } if name == wanted);
        self.begun(time).filter(names).last().map_or(0, |cue| cue.line)
    }

    /// The words on the picture at a time.
    #[must_use]
    pub fn caption_at(&self, time: f64) -> Option<&str> {
        let last = self.begun(time).filter(|cue| matches!(cue.act, Act::Caption { .. })).last()?;
        match &last.act {
            Act::Caption { text, seconds } if !text.is_empty() && (seconds.is_none() || time < last.end()) => {
                Some(text)
            }
            _ => None,
        }
    }

    /// The words for the presenter at a time.
    #[must_use]
    pub fn note_at(&self, time: f64) -> Option<&str> {
        let notes = self.begun(time).filter_map(|cue| match &cue.act {
            Act::Note(text) => Some(text.as_str()),
            _ => None,
        });
        notes.last().filter(|text| !text.is_empty())
    }

    /// What holds at a time of what happened at once, for going there directly: the last cue of each of colours, labels,
    /// selection, background, size and axes, in their order. The others are asked for by their own names: view, settings,
    /// captions, notes, iterations; and what moved the points cannot be made up for.
    #[must_use]
    pub fn holding(&self, time: f64) -> Vec<&Cue> {
        let mut last = BTreeMap::new();
        for (index, cue) in self.begun(time).enumerate() {
            let holds = match cue.act {
                Act::Select(_) | Act::SelectNamed(_) => "selection", // each takes the place of the other
                Act::Tour { .. } | Act::Axes(_) => "axes",
                Act::ColorBy(_) | Act::Labels(_) | Act::Background(_) | Act::PointSize(_) => cue.act.name(),
                _ => continue,
            };
            last.insert(holds, index);
        }
        let indices: BTreeSet<usize> = last.into_values().collect();
        indices.into_iter().map(|index| &self.cues[index]).collect()
    }

    /// The cues that have begun by then.
    pub(crate) fn begun(&self, time: f64) -> impl Iterator<Item = &Cue> {
        self.cues.iter().take_while(move |cue| cue.from <= time)
    }
}

/// A number that a setting of that kind cannot be.
pub(crate) fn misfit(line: usize, name: &str, kind: Kind, number: f64) -> ScoreError {
    let expected = match kind {
        Kind::Real => "a number",
        Kind::Whole => "a whole number",
        Kind::Word => "a word",
    };
    let (what, expected, found) = (format!("set {name}"), expected.to_owned(), format!("`{number}`"));
    ScoreError::Value { line, what, expected, found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embedding::Init;

    const START: View = View { yaw: 10.0, pitch: 5.0, distance: 4.0, focus: [1.0, 2.0, 3.0] };

    fn score(cues: &str) -> Score {
        Score::parse(&format!("nevis score 1\n{cues}")).unwrap()
    }

    #[test]
    fn parts_of_the_view_go_their_own_ways() {
        let score = score("1 camera yaw 30\n2..6 camera yaw 390 ease none\n3..5 camera distance 1 focus 0 0 9\n");
        assert_eq!(score.view_at(0.0, &START), START);
        assert_eq!(score.view_at(1.0, &START), View { yaw: 30.0, ..START });
        let middle = score.view_at(4.0, &START);
        assert_eq!((middle.yaw, middle.pitch, middle.focus), (210.0, 5.0, [0.5, 1.0, 6.0]));
        assert!((middle.distance - 2.0).abs() < 1e-12, "even in the logarithm, not {}", middle.distance);
        assert_eq!(score.view_at(6.0, &START), View { yaw: 390.0, pitch: 5.0, distance: 1.0, focus: [0.0, 0.0, 9.0] });
        assert_eq!(score.view_at(99.0, &START), score.view_at(6.0, &START));
    }

    #[test]
    fn settings_are_laid_over_each_other() {
        let text = concat!(
            "nevis score 1\nseed 7\nsettings {\"alpha\": 2, \"seed\": 3, \"init\": \"random\"}\n",
            "1..3 set alpha 0.5\n2 set metric cosine\n2..4 set dims 5 ease none\n2..3 set momentum 0.5 ease none\n",
            "2..3 set hd_neighbours 40\n",
        );
        let score = Score::parse(text).unwrap();
        let base = Settings { perplexity: 33.0, momentum: 0.9, ..Settings::default() };
        let at = |time| score.settings_at(time, &base).unwrap();
        let begin = Settings { alpha: 2.0, seed: 7, init: Init::Random, ..base.clone() };
        assert_eq!(at(0.0), begin);
        assert_eq!(at(1.0), begin);
        let middle = at(2.0);
        assert!((middle.alpha - 1.0).abs() < 1e-6, "even in the logarithm, not {}", middle.alpha);
        assert_eq!((middle.metric.name(), middle.dims, middle.hd_neighbours), ("cosine", 2, Some(40)));
        assert!((at(2.5).momentum - 0.7).abs() < 1e-6, "even");
        assert_eq!([2.3, 2.4, 3.0, 3.9].map(|time| at(time).dims), [2, 3, 4, 5]);
        assert_eq!((at(3.0).alpha, at(3.0).momentum, at(4.0).dims), (0.5, 0.5, 5));
        assert_eq!(at(9.0), at(4.0));
    }

    #[test]
    fn settings_that_cannot_be_are_errors() {
        let base = Settings::default();
        let mut score = score("1 set alpha 0.5\n");
        score.cues[0].act = Act::Set { name: "alpha".into(), value: 5000.0 };
        assert!(score.settings_at(0.5, &base).is_ok());
        let error = score.settings_at(1.0, &base).unwrap_err();
        assert_eq!(error.to_string(), "line 2: alpha is 5000, but must be 0.01 to 1000");
        score.cues[0].act = Act::Set { name: "metric".into(), value: 3.0 };
        assert!(score.settings_at(1.0, &base).is_err());
        score.cues[0].act = Act::Choose { name: "metric".into(), value: "far".into() };
        assert!(score.settings_at(1.0, &base).is_err());
        score.cues.clear();
        score.settings.insert("alhpa".into(), 1.into());
        assert!(score.settings_at(0.0, &base).unwrap_err().to_string().contains("did you mean `alpha`?"));
    }

    #[test]
    fn captions_and_notes_end() {
        let text = "1 caption \"one\"\n2 caption \"two\" for 1.5\n2 note a\n5 caption \"three\"\n6 caption \"\"\n6 note \"\"\n";
        let score = score(text);
        let captions = [0.5, 1.0, 2.0, 3.4, 3.5, 5.0, 5.9, 6.0].map(|time| score.caption_at(time));
        let expected = [None, Some("one"), Some("two"), Some("two"), None, Some("three"), Some("three"), None];
        assert_eq!(captions, expected);
        assert_eq!([1.9, 2.0, 5.9, 6.0].map(|time| score.note_at(time)), [None, Some("a"), Some("a"), None]);
    }

    #[test]
    fn what_holds_is_the_last_of_each() {
        let score = score(concat!(
            "0 color-by a\n0 labels b\n0 background light\n1 select x=1\n1 color-by c\n1 camera yaw 3\n",
            "2 select-named \"late\"\n2 tour grand\n2 point-size 3\n2 reset\n3 select \"\"\n3 labels \"\"\n3 axes 0 1 4\n3 stop\n",
        ));
        let holding = |time| -> Vec<String> { score.holding(time).iter().map(|cue| cue.act.to_string()).collect() };
        assert_eq!(holding(0.0), ["color-by a", "labels b", "background light"]);
        assert_eq!(holding(1.9), ["labels b", "background light", "select x=1", "color-by c"]);
        let late =
            ["labels b", "background light", "color-by c", "select-named \"late\"", "tour grand", "point-size 3"];
        assert_eq!(holding(2.0), late);
        let end = ["background light", "color-by c", "point-size 3", "select \"\"", "labels \"\"", "axes 0 1 4"];
        assert_eq!(holding(9.0), end);
        assert!(holding(-1.0).is_empty());
    }
}
