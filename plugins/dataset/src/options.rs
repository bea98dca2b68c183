//! What a user can ask of the loader.

use crate::Role;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// How files become vectors. One struct for flags, recipe and panel; an absent field means its default.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadOptions {
    /// The list column that holds the vectors; without it one is guessed.
    pub vector: Option<String>,
    /// Plain numeric columns that make up the vectors, in this order; empty means guess.
    pub columns: Vec<String>,
    /// Use only the first so many rows of the input (over all parts).
    pub limit: Option<usize>,
    /// Use so many rows, chosen by `seed` among those that `limit` leaves; they stay in the file's order.
    /// More than there are means all of them.
    pub sample: Option<usize>,
    /// Seed of the sample and of the randomised PCA.
    pub seed: u64,
    /// Scale every dimension to mean 0 and variance 1 (before PCA).
    pub standardize: bool,
    /// Whether to reduce the vectors to their principal components.
    pub pca: PcaChoice,
    /// What to do with rows whose vector has a null, NaN, an infinity or another length.
    pub on_bad_rows: OnBadRows,
    /// Which of the other columns to read.
    pub attributes: AttributeColumns,
    /// Roles that replace the guessed ones, by column. ([`Role::Vector`] is chosen by `vector` and `columns` instead.)
    pub roles: BTreeMap<String, Role>,
}

impl LoadOptions {
    /// The role that a column was given instead of a guessed one.
    pub(crate) fn role_of(&self, column: &str) -> Option<Role> {
        self.roles.get(column).copied().filter(|&role| role != Role::Vector)
    }
}

/// Whether vectors are reduced to principal components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PcaChoice {
    /// Reduce to [`PcaChoice::AUTO_DIMS`] when there are more than [`PcaChoice::AUTO_ABOVE`] dimensions.
    #[default]
    Auto,
    /// Leave the vectors as they are.
    Off,
    /// Reduce to so many components; no effect if there are not more dimensions than that.
    To(usize),
}

impl PcaChoice {
    /// Components that [`PcaChoice::Auto`] keeps.
    pub const AUTO_DIMS: usize = 50;
    /// [`PcaChoice::Auto`] leaves vectors of up to so many dimensions alone.
    pub const AUTO_ABOVE: usize = 100;

    /// The number of components to keep of `dims`, or none if the vectors stay as they are.
    #[must_use]
    pub fn target(self, rows: usize, dims: usize) -> Option<usize> {
        let target = match self {
            Self::Off => return None,
            Self::To(target) => target,
            Self::Auto if dims > Self::AUTO_ABOVE && rows > Self::AUTO_DIMS => Self::AUTO_DIMS,
            Self::Auto => return None,
        };
        (target < dims).then_some(target)
    }
}

impl fmt::Display for PcaChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Off => f.write_str("off"),
            Self::To(dims) => write!(f, "{dims}"),
        }
    }
}

/// Says what a [`PcaChoice`] may be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither auto, off nor a number of components (1 or more)")]
pub struct PcaChoiceError(String);

impl FromStr for PcaChoice {
    type Err = PcaChoiceError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            number => match number.parse() {
                Ok(dims) if dims > 0 => Ok(Self::To(dims)),
                _ => Err(PcaChoiceError(text.to_owned())),
            },
        }
    }
}

impl From<PcaChoice> for String {
    fn from(choice: PcaChoice) -> Self {
        choice.to_string()
    }
}

impl TryFrom<String> for PcaChoice {
    type Error = PcaChoiceError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// What to do with a row whose vector cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnBadRows {
    /// Stop and name the first one.
    #[default]
    Error,
    /// Carry on without them and count them.
    Drop,
}

impl fmt::Display for OnBadRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Drop => "drop",
        })
    }
}

impl FromStr for OnBadRows {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "error" => Ok(Self::Error),
            "drop" => Ok(Self::Drop),
            other => Err(format!("{other:?} is neither error nor drop")),
        }
    }
}

/// Which columns beside the vectors are read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttributeColumns {
    /// All of them.
    #[default]
    All,
    /// None: the vectors alone.
    None,
    /// These, in the file's order.
    Only(Vec<String>),
}

/// What the loader is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Opens the parts; formats without a row count are read once for it.
    Opening,
    /// Reads rows.
    Reading,
    /// Scales columns.
    Standardizing,
    /// Finds principal components and projects onto them.
    Reducing,
}

/// How far the loader is; reported from several threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// Rows (in [`Phase::Opening`]: parts) done so far.
    pub done: usize,
    /// Rows (in [`Phase::Opening`]: parts) in all.
    pub total: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pca_choice_reads_what_it_prints() {
        for choice in [PcaChoice::Auto, PcaChoice::Off, PcaChoice::To(7)] {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        let message = "0".parse::<PcaChoice>().expect_err("no components").to_string();
        assert_eq!(message, "\"0\" is neither auto, off nor a number of components (1 or more)");
    }

    #[test]
    fn pca_reduces_only_what_is_larger() {
        assert_eq!(PcaChoice::Auto.target(1000, 784), Some(50));
        assert_eq!(PcaChoice::Auto.target(1000, 100), None);
        assert_eq!(PcaChoice::Auto.target(40, 784), None);
        assert_eq!(PcaChoice::To(10).target(5, 10), None);
        assert_eq!(PcaChoice::To(9).target(5, 10), Some(9));
        assert_eq!(PcaChoice::Off.target(1000, 784), None);
    }

    #[test]
    fn options_survive_a_recipe_and_absent_fields_are_defaults() {
        let options = LoadOptions {
            vector: Some("v".into()),
            pca: PcaChoice::To(3),
            on_bad_rows: OnBadRows::Drop,
            attributes: AttributeColumns::Only(vec!["label".into()]),
            roles: [("angle".to_owned(), Role::Continuous)].into(),
            ..LoadOptions::default()
        };
        let json = serde_json::to_string(&options).expect("options are plain data");
        assert_eq!(serde_json::from_str::<LoadOptions>(&json).expect("it was just written"), options);
        assert_eq!(serde_json::from_str::<LoadOptions>("{}").expect("all optional"), LoadOptions::default());
    }
}
