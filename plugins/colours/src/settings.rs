//! What the user chose about colours.

use crate::{Ramp, Rgb};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// What the points are coloured by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColourBy {
    /// Nothing: one colour for all.
    #[default]
    Uniform,
    /// The values of a column.
    Column(String),
    /// How many of a point's neighbours in the data are also its neighbours in the embedding.
    NeighbourhoodKept,
    /// How well distances from a point in the embedding follow those in the data.
    DistanceCorrelation,
}

/// Begins the text of a column whose name means something else in a flag.
const COLUMN_PREFIX: &str = "column:";

impl fmt::Display for ColourBy {
    /// As flags and scores take it: a word for the choice, or the name of the column.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("none"),
            Self::NeighbourhoodKept => f.write_str("kept"),
            Self::DistanceCorrelation => f.write_str("distances"),
            Self::Column(name) if name.parse() == Ok(self.clone()) => f.write_str(name),
            Self::Column(name) => write!(f, "{COLUMN_PREFIX}{name}"),
        }
    }
}

impl FromStr for ColourBy {
    type Err = Infallible;
    /// Whatever is not one of the other choices is a column; `column:none` is the column of that name.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "none" => Self::Uniform,
            "kept" => Self::NeighbourhoodKept,
            "distances" => Self::DistanceCorrelation,
            name => Self::Column(name.strip_prefix(COLUMN_PREFIX).unwrap_or(name).to_owned()),
        })
    }
}

/// How points are coloured. One struct for flags, state file and panel; an absent field means its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ColourSettings {
    /// What the points are coloured by. Change it with [`ColourSettings::colour_by`], which forgets what was chosen for
    /// the categories and the range of another column.
    pub by: ColourBy,
    /// The colours of numbers, from low to high. No effect on categories.
    pub ramp: Ramp,
    /// The values (in the column's unit; times in seconds since 1970) at the ramp's beginning and end. Values outside
    /// take the colour of the nearer end; a first above the second turns the ramp round. `None`, or a range that is not
    /// finite, follows the column: its extent, or from the 1st to the 99th percentile where a few outliers would leave
    /// less than half of the ramp to everyone else.
    pub range: Option<[f64; 2]>,
    /// Colours given by hand to categories of the current column, by name; they replace the palette's.
    #[serde(with = "crate::hex")]
    pub overrides: BTreeMap<String, Rgb>,
    /// Categories of the current column that are greyed (Shift-click in the legend).
    pub greyed: BTreeSet<String>,
    /// The category that alone keeps its colour (click in the legend): everyone else is greyed, and `greyed` waits. A
    /// name that the column does not have greys nobody.
    pub isolated: Option<String>,
    /// A categorical column whose names stand at the centroids of their points, whatever `by` is.
    pub labels: Option<String>,
}

impl ColourSettings {
    /// Colours by something else. What belonged to the column before (range, overrides, greyed, isolated) is forgotten;
    /// ramp and labels stay.
    pub fn colour_by(&mut self, by: ColourBy) {
        if self.by != by {
            *self = Self { by, ramp: self.ramp, labels: self.labels.take(), ..Self::default() };
        }
    }

    /// A click on a legend row: isolates the category, or lets go of it if it is the isolated one.
    pub fn toggle_isolated(&mut self, category: &str) {
        let again = self.isolated.as_deref() == Some(category);
        self.isolated = (!again).then(|| category.to_owned());
    }

    /// A Shift-click on a legend row: greys the category, or gives its colour back.
    pub fn toggle_greyed(&mut self, category: &str) {
        if !self.greyed.remove(category) {
            self.greyed.insert(category.to_owned());
        }
    }

    /// Gives every category its colour back.
    pub fn show_all(&mut self) {
        self.greyed.clear();
        self.isolated = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_field() -> ColourSettings {
        ColourSettings {
            by: ColourBy::Column("cell type".into()),
            ramp: Ramp::Plasma,
            range: Some([-0.25, 1e9]),
            overrides: [("a".to_owned(), [1, 2, 255])].into(),
            greyed: ["b".to_owned()].into(),
            isolated: Some("a".into()),
            labels: Some("class".into()),
        }
    }

    #[test]
    fn settings_survive_json() {
        for settings in [ColourSettings::default(), every_field()] {
            let json = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<ColourSettings>(&json).unwrap(), settings, "{json}");
        }
        assert_eq!(serde_json::from_str::<ColourSettings>("{}").unwrap(), ColourSettings::default());
    }

    #[test]
    fn json_is_for_people() {
        let json = serde_json::to_string(&every_field()).unwrap();
        for part in [r##""a":"#0102ff""##, r#""by":{"column":"cell type"}"#, r#""ramp":"plasma""#] {
            assert!(json.contains(part), "{part} in {json}");
        }
        assert_eq!(serde_json::to_string(&ColourBy::NeighbourhoodKept).unwrap(), r#""neighbourhood-kept""#);
        let error = serde_json::from_str::<ColourSettings>(r#"{"overrides":{"a":"pink"}}"#).unwrap_err().to_string();
        assert!(error.contains("pink") && error.contains("#rrggbb"), "{error}");
    }

    #[test]
    fn flags_name_every_choice_and_every_column() {
        let column = |name: &str| ColourBy::Column(name.into());
        for by in [ColourBy::Uniform, ColourBy::NeighbourhoodKept, ColourBy::DistanceCorrelation] {
            assert_eq!(by.to_string().parse(), Ok(by));
        }
        for name in ["label", "none", "column:x", ""] {
            assert_eq!(column(name).to_string().parse(), Ok(column(name)), "{name:?}");
        }
        assert_eq!(column("label").to_string(), "label");
    }

    #[test]
    fn another_column_forgets_the_choices_for_the_first() {
        let mut settings = every_field();
        settings.colour_by(ColourBy::Column("cell type".into()));
        assert_eq!(settings, every_field(), "the same column again forgets nothing");
        settings.colour_by(ColourBy::Uniform);
        let expected = ColourSettings { ramp: Ramp::Plasma, labels: Some("class".into()), ..Default::default() };
        assert_eq!(settings, expected);
    }

    #[test]
    fn clicks_toggle() {
        let mut settings = ColourSettings::default();
        settings.toggle_isolated("a");
        settings.toggle_isolated("b");
        assert_eq!(settings.isolated.as_deref(), Some("b"));
        settings.toggle_isolated("b");
        assert_eq!(settings.isolated, None);
        settings.toggle_greyed("a");
        settings.toggle_greyed("b");
        settings.toggle_greyed("a");
        assert_eq!(settings.greyed, ["b".to_owned()].into());
        settings.show_all();
        assert_eq!(settings, ColourSettings::default());
    }
}
