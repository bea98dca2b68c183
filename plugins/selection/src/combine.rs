//! How newly chosen rows join those chosen before.

use serde::{Deserialize, Serialize};

/// What becomes of the rows chosen before when others are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Combine {
    /// Only the new rows stay.
    #[default]
    Replace,
    /// Both stay.
    Add,
    /// The new rows are taken away from the old.
    Subtract,
    /// Only rows in both stay.
    Intersect,
}

impl Combine {
    /// All ways, in the order to offer them.
    pub const ALL: [Self; 4] = [Self::Replace, Self::Add, Self::Subtract, Self::Intersect];

    /// The name in menus and settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Intersect => "intersect",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn settings_name_the_ways_as_menus_do() {
        for way in Combine::ALL {
            let text: StrDeserializer<'_, Error> = way.name().into_deserializer();
            assert_eq!(Combine::deserialize(text), Ok(way));
        }
        let text: StrDeserializer<'_, Error> = "Replace".into_deserializer();
        assert!(Combine::deserialize(text).is_err());
        assert_eq!(Combine::default(), Combine::Replace);
    }
}
