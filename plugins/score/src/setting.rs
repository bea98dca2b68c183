//! The settings of the embedding by their names: which there are, of which kind, and how a value is laid over others.
//!
//! Names, kinds and words are asked of [`Settings`] itself, by way of its JSON, so that there is no list to keep up.

use crate::ScoreError;
use crate::nearest::nearest;
use embedding::Settings;
use serde_json::{Map, Number, Value};

/// Settings by name.
pub(crate) type Named = Map<String, Value>;

/// Settings that act by their ratio, and so go evenly in their logarithm.
const BY_RATIO: [&str; 4] = ["alpha", "perplexity", "attraction", "repulsion"];

/// Whole numbers up to this one are exact as `f64`.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// What a setting can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any number.
    Real,
    /// A whole number.
    Whole,
    /// A word out of a few.
    Word,
}

/// The settings by name.
///
/// # Errors
/// If they cannot be written as JSON.
pub(crate) fn named(settings: &Settings) -> Result<Named, ScoreError> {
    let json = |message| ScoreError::Json { line: 0, message };
    match serde_json::to_value(settings).map_err(|error| json(error.to_string()))? {
        Value::Object(named) => Ok(named),
        other => Err(json(format!("found {other}"))),
    }
}

/// What the setting of that name can be.
///
/// # Errors
/// If there is none, with the nearest name.
pub(crate) fn kind_of(name: &str, line: usize) -> Result<Kind, ScoreError> {
    let known = named(&Settings::default())?;
    match known.get(name) {
        None => {
            let nearest = nearest(name, known.keys().map(String::as_str)).to_owned();
            Err(ScoreError::UnknownSetting { line, name: name.to_owned(), nearest })
        }
        Some(Value::String(_)) => Ok(Kind::Word),
        Some(Value::Number(number)) if number.is_f64() => Ok(Kind::Real),
        Some(_) => Ok(Kind::Whole),
    }
}

/// True for settings that go evenly in their logarithm.
pub(crate) fn goes_by_ratio(name: &str) -> bool {
    BY_RATIO.contains(&name)
}

/// A number as the value of a setting; whole ones are rounded. `None` if it cannot be one.
pub(crate) fn value(kind: Kind, number: f64) -> Option<Value> {
    match kind {
        Kind::Real => Number::from_f64(number).map(Value::Number),
        Kind::Whole => (0.0..=MAX_WHOLE).contains(&number).then(|| Value::from(number.round() as u64)),
        Kind::Word => None,
    }
}

/// The settings of these names and values.
///
/// # Errors
/// If a name is unknown or a value of another kind; ranges are not looked at.
pub(crate) fn settings(named: Named) -> Result<Settings, serde_json::Error> {
    serde_json::from_value(Value::Object(named))
}

/// Makes sure that one value fits the setting of that name, in kind and range.
///
/// # Errors
/// If there is no such setting, or it cannot have that value.
pub(crate) fn check(name: &str, value: &Value, line: usize) -> Result<(), ScoreError> {
    kind_of(name, line)?;
    let mut all = named(&Settings::default())?;
    all.insert(name.to_owned(), value.clone());
    let settings = settings(all).map_err(|error| ScoreError::Value {
        line,
        what: name.to_owned(),
        expected: "a value it can have".to_owned(),
        found: format!("{value} ({error})"),
    })?;
    settings.validate().map_err(|source| ScoreError::Setting { line, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_those_of_the_engine() {
        for (name, kind) in [
            ("alpha", Kind::Real),
            ("step", Kind::Real),
            ("dims", Kind::Whole),
            ("hd_neighbours", Kind::Whole),
            ("seed", Kind::Whole),
            ("metric", Kind::Word),
            ("init", Kind::Word),
        ] {
            assert_eq!(kind_of(name, 1).unwrap(), kind, "{name}");
        }
        let error = kind_of("perplexty", 3).unwrap_err().to_string();
        assert_eq!(error, "line 3: there is no setting `perplexty`; did you mean `perplexity`?");
        for name in BY_RATIO {
            assert_eq!(kind_of(name, 1).unwrap(), Kind::Real, "{name}");
        }
    }

    #[test]
    fn settings_come_back_from_their_names() {
        let odd =
            Settings { alpha: 0.3, hd_neighbours: Some(40), seed: u64::MAX, step: 1.1, ..Settings::for_rows(70_000) };
        assert_eq!(settings(named(&odd).unwrap()).unwrap(), odd);
        let mut changed = named(&odd).unwrap();
        changed.insert("dims".into(), Value::from(3));
        assert_ne!(settings(changed).unwrap(), odd);
    }

    #[test]
    fn values_must_fit() {
        assert_eq!(value(Kind::Whole, 2.6), Some(Value::from(3)));
        assert_eq!(value(Kind::Whole, -1.0), None);
        assert_eq!(value(Kind::Whole, f64::NAN), None);
        assert_eq!(value(Kind::Real, f64::INFINITY), None);
        check("alpha", &Value::from(0.5), 2).unwrap();
        check("hd_neighbours", &Value::Null, 2).unwrap();
        for (name, wrong) in [("alpha", Value::from(0.0)), ("metric", Value::from("far")), ("dims", Value::from(2.5))] {
            assert_eq!(check(name, &wrong, 2).unwrap_err().line(), Some(2), "{name}");
        }
    }
}
