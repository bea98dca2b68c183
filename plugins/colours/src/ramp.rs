//! The colours of numbers, from low to high.

use crate::Rgb;
use colorgrad::{BasisGradient, BlendMode, Color, Gradient, GradientBuilder, preset};
use serde::{Deserialize, Serialize};
use std::array;
use std::fmt;
use std::sync::LazyLock;

/// A run of colours for numbers. Equal steps of the number look about equally far apart, except in [`Ramp::Turbo`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ramp {
    /// Purple, teal, yellow.
    #[default]
    Viridis,
    /// Blue to yellow; looks the same to people who do not see red or green. Its middle is near the grey of missing
    /// values.
    Cividis,
    /// Purple, pink, cream.
    Magma,
    /// Purple, red, yellow.
    Inferno,
    /// Blue, pink, yellow.
    Plasma,
    /// A rainbow that is smooth, but not of even lightness: much detail, little sense of more and less.
    Turbo,
    /// Blue to near-white to red, for numbers on both sides of a middle.
    BlueWhiteRed,
}

/// Colours kept of each ramp: more than a screen can tell apart.
const STEPS: usize = 1024;

/// A ramp as colours at equal steps.
pub(crate) type Table = [Rgb; STEPS];

static TABLES: LazyLock<[Box<Table>; Ramp::ALL.len()]> = LazyLock::new(|| Ramp::ALL.map(Ramp::sample));

impl Ramp {
    /// Every ramp, in the order users see them.
    pub const ALL: [Self; 7] =
        [Self::Viridis, Self::Cividis, Self::Magma, Self::Inferno, Self::Plasma, Self::Turbo, Self::BlueWhiteRed];

    /// The name used in flags, files and panels.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Cividis => "cividis",
            Self::Magma => "magma",
            Self::Inferno => "inferno",
            Self::Plasma => "plasma",
            Self::Turbo => "turbo",
            Self::BlueWhiteRed => "blue-white-red",
        }
    }

    /// The colour at a place of the ramp, 0 (low) to 1 (high); beyond, that of the nearer end. NaN is
    /// [`crate::MISSING`].
    #[must_use]
    pub fn at(self, t: f64) -> Rgb {
        colour_at(self.table(), t)
    }

    pub(crate) fn table(self) -> &'static Table {
        &TABLES[self as usize]
    }

    /// The part of the published ramp that is used: its ends must not vanish into dark or light backgrounds.
    fn span(self) -> [f32; 2] {
        match self {
            Self::Magma | Self::Inferno => [0.2, 0.95],
            Self::Plasma => [0.0, 0.97],
            Self::Turbo => [0.04, 0.98],
            Self::Viridis | Self::Cividis | Self::BlueWhiteRed => [0.0, 1.0],
        }
    }

    fn sample(self) -> Box<Table> {
        let gradient: Box<dyn Gradient> = match self {
            Self::Viridis => Box::new(preset::viridis()),
            Self::Cividis => Box::new(preset::cividis()),
            Self::Magma => Box::new(preset::magma()),
            Self::Inferno => Box::new(preset::inferno()),
            Self::Plasma => Box::new(preset::plasma()),
            Self::Turbo => Box::new(preset::turbo()),
            Self::BlueWhiteRed => Box::new(blue_white_red()),
        };
        let [first, last] = self.span();
        Box::new(array::from_fn(|step| {
            let t = first + (last - first) * step as f32 / (STEPS - 1) as f32;
            let [red, green, blue, _] = gradient.at(t).to_rgba8();
            [red, green, blue]
        }))
    }
}

/// ColorBrewer's RdBu turned round, with a middle that still shows on white paper.
fn blue_white_red() -> BasisGradient {
    let colours = [0x1f5fa8, 0x5c9fd0, 0xdedede, 0xea8560, 0xb2182b];
    let colours = colours.map(|hex: u32| Color::from_rgba8((hex >> 16) as u8, (hex >> 8) as u8, hex as u8, 255));
    let gradient = GradientBuilder::new().colors(&colours).mode(BlendMode::Oklab).build();
    gradient.expect("five colours make a gradient")
}

/// The colour of a table at a place 0 to 1.
pub(crate) fn colour_at(table: &Table, t: f64) -> Rgb {
    if t.is_nan() {
        return crate::MISSING;
    }
    table[(t.clamp(0.0, 1.0) * (STEPS - 1) as f64 + 0.5) as usize]
}

impl fmt::Display for Ramp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Ramp {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|ramp| ramp.name() == text);
        found.ok_or_else(|| format!("{text:?} is not a ramp; ramps: {}", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oklab::lab_from_rgb;
    use crate::{contrast, distance};

    #[test]
    fn names_are_the_same_in_flags_and_files() {
        for (place, ramp) in Ramp::ALL.into_iter().enumerate() {
            assert_eq!(ramp as usize, place, "tables are found by place");
            assert_eq!(serde_json::to_string(&ramp).unwrap(), format!("{:?}", ramp.name()));
            assert_eq!(ramp.name().parse(), Ok(ramp));
        }
        assert!("jet".parse::<Ramp>().unwrap_err().contains("viridis"));
    }

    #[test]
    fn places_outside_are_clamped() {
        for ramp in Ramp::ALL {
            assert_eq!(ramp.at(-3.0), ramp.at(0.0));
            assert_eq!(ramp.at(f64::INFINITY), ramp.at(1.0));
            assert!(distance(ramp.at(0.0), ramp.at(1.0)) > 0.2, "{ramp}");
            assert_eq!(ramp.at(f64::NAN), crate::MISSING);
        }
        assert_eq!(Ramp::Viridis.at(0.0), [0x44, 0x01, 0x54]);
        assert_eq!(Ramp::Viridis.at(1.0), [0xfe, 0xe8, 0x25]);
    }

    #[test]
    fn more_is_lighter() {
        let lightness = |ramp: Ramp, step: u32| lab_from_rgb(ramp.at(f64::from(step) / 50.0))[0];
        for ramp in [Ramp::Viridis, Ramp::Cividis, Ramp::Magma, Ramp::Inferno, Ramp::Plasma] {
            assert!((0..50).all(|step| lightness(ramp, step) < lightness(ramp, step + 1)), "{ramp}");
        }
        assert!((0..50).any(|step| lightness(Ramp::Turbo, step) > lightness(Ramp::Turbo, step + 1)));
        let diverging = |step| lightness(Ramp::BlueWhiteRed, step);
        assert!((0..24).all(|step| diverging(step) < diverging(step + 1)), "rises to the middle");
        assert!((26..50).all(|step| diverging(step) > diverging(step + 1)), "and falls from it");
    }

    #[test]
    fn no_end_vanishes_into_a_background() {
        const MIN_CONTRAST: f32 = 1.15;
        for ramp in Ramp::ALL {
            for step in 0..=100 {
                let colour = ramp.at(f64::from(step) / 100.0);
                for background in [[0x0e, 0x11, 0x16], [0xff; 3], [0; 3]] {
                    let contrast = contrast(colour, background);
                    assert!(
                        contrast > MIN_CONTRAST,
                        "{ramp} {step} % on {background:?}: {contrast}, not {MIN_CONTRAST}"
                    );
                }
            }
        }
    }
}
