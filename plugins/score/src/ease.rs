//! How something goes from one value to another.

use std::fmt;
use std::str::FromStr;

/// How something goes from one value to another over its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ease {
    /// Begins and ends gently: its speed has no jumps.
    #[default]
    Smooth,
    /// Evenly.
    None,
    /// Begins gently.
    In,
    /// Ends gently.
    Out,
}

impl Ease {
    /// Every way.
    pub const ALL: [Self; 4] = [Self::Smooth, Self::None, Self::In, Self::Out];

    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Smooth => "smooth",
            Self::None => "none",
            Self::In => "in",
            Self::Out => "out",
        }
    }

    /// The share of the way that is behind after a share of the time (0 to 1).
    #[must_use]
    pub fn share(self, time: f64) -> f64 {
        let s = time.clamp(0.0, 1.0);
        match self {
            Self::Smooth => s * s * (3.0 - 2.0 * s),
            Self::None => s,
            Self::In => s * s,
            Self::Out => s * (2.0 - s),
        }
    }
}

impl fmt::Display for Ease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Ease {
    type Err = String;

    /// Reads a name as files have it; the error says which there are.
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|ease| ease.name() == name);
        found.ok_or_else(|| "smooth, none, in or out".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_leads_from_one_end_to_the_other_and_never_back() {
        for ease in Ease::ALL {
            assert_eq!((ease.share(0.0), ease.share(1.0)), (0.0, 1.0), "{ease}");
            assert_eq!((ease.share(-1.0), ease.share(2.0)), (0.0, 1.0), "{ease}");
            let steps: Vec<f64> = (0..=1000).map(|i| ease.share(f64::from(i) / 1000.0)).collect();
            assert!(steps.windows(2).all(|pair| pair[0] <= pair[1]), "{ease}");
            assert_eq!(ease.name().parse(), Ok(ease));
        }
        assert!("gently".parse::<Ease>().is_err());
    }

    #[test]
    fn gentle_ends_have_no_speed_and_others_have() {
        const STEP: f64 = 1e-4;
        let speeds = |ease: Ease| (ease.share(STEP) / STEP, (1.0 - ease.share(1.0 - STEP)) / STEP);
        let gentle = |speed: f64| speed < 1e-2;
        let both = |ease| (gentle(speeds(ease).0), gentle(speeds(ease).1));
        assert_eq!(both(Ease::Smooth), (true, true));
        assert_eq!(both(Ease::None), (false, false));
        assert_eq!(both(Ease::In), (true, false));
        assert_eq!(both(Ease::Out), (false, true));
        assert_eq!(Ease::Smooth.share(0.5), 0.5);
        assert_eq!((Ease::In.share(0.5), Ease::Out.share(0.5)), (0.25, 0.75));
    }
}
