//! Ready-made settings: a name, what it does to the picture, and which settings it changes.

use embedding::Settings;

/// A ready-made choice of settings; what it does not name stays as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    /// What it is called.
    pub name: &'static str,
    /// What it does to the picture.
    pub effect: &'static str,
    alpha: f32,
    attraction: f32,
    repulsion: f32,
    /// As a multiple of the default for the data.
    perplexity: f32,
    spring: f32,
}

/// Spring of the preset for the global shape: more keeps little more of it, and costs the nearest neighbours
/// (docs/measured.md).
const GLOBAL_SPRING: f32 = 0.01;

/// All of them.
pub const PRESETS: [Preset; 4] = [
    Preset {
        name: "t-SNE",
        effect: "The defaults: neighbourhoods as they are, clusters of even density.",
        alpha: 1.0,
        attraction: 1.0,
        repulsion: 1.0,
        perplexity: 1.0,
        spring: 0.0,
    },
    Preset {
        name: "UMAP-like",
        effect: "A stronger pull: compact islands with white space between them, as UMAP draws them.",
        alpha: 1.0,
        attraction: 4.0,
        repulsion: 1.0,
        perplexity: 0.6,
        spring: 0.0,
    },
    Preset {
        name: "fine clusters",
        effect: "Heavier tails: clusters break into their parts.",
        alpha: 0.4,
        attraction: 1.0,
        repulsion: 3.0,
        perplexity: 1.0,
        spring: 0.0,
    },
    Preset {
        name: "global shape",
        effect: "A spring to the principal axes: neighbourhoods as before, with more of the large-scale order.",
        alpha: 1.0,
        attraction: 1.0,
        repulsion: 1.0,
        perplexity: 1.0,
        spring: GLOBAL_SPRING,
    },
];

impl Preset {
    /// The settings with this preset laid over them, for so many rows.
    #[must_use]
    pub fn over(&self, settings: &Settings, rows: usize) -> Settings {
        let usual = Settings::for_rows(rows);
        Settings {
            alpha: self.alpha,
            attraction: self.attraction,
            repulsion: self.repulsion,
            spring: usual.spring + self.spring,
            perplexity: (usual.perplexity * self.perplexity).min(most_perplexity(rows)),
            ..settings.clone()
        }
    }

    /// True if the settings are what this preset makes of them.
    #[must_use]
    pub fn is_in_force(&self, settings: &Settings, rows: usize) -> bool {
        self.over(settings, rows) == *settings
    }
}

/// Largest perplexity that means something for so many rows: a third of them, within what lists can hold.
#[must_use]
pub fn most_perplexity(rows: usize) -> f32 {
    (rows as f32 / 3.0).clamp(2.0, 300.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_valid_for_any_size_and_tell_themselves_apart() {
        for rows in [2, 100, 70_000, 1_000_000] {
            let settings = Settings::for_rows(rows);
            for preset in PRESETS {
                let changed = preset.over(&settings, rows);
                changed.validate().expect("in range");
                assert!(preset.is_in_force(&changed, rows));
                let others = PRESETS.iter().filter(|other| other.is_in_force(&changed, rows));
                assert_eq!(others.count(), 1, "{} at {rows} rows", preset.name);
            }
        }
    }

    #[test]
    fn a_preset_leaves_what_it_does_not_name() {
        let settings = Settings { dims: 3, seed: 9, step: 2.5, ..Settings::for_rows(5000) };
        let changed = PRESETS[2].over(&settings, 5000);
        assert_eq!((changed.dims, changed.seed, changed.step), (3, 9, 2.5));
        assert_ne!(changed, settings);
    }
}
