//! When a run ends, where that is not the engine's [`Plan`](embedding::Plan) to say.

use embedding::{Settings, Statistics};

/// Early exaggeration takes no more than this part of a run that was made shorter than usual.
const EARLY_PART: u32 = 3;

/// The search for neighbours alone ends at the latest after so many iterations.
pub const SEARCH_CAP: u32 = 400;
/// The search goes on for so many iterations after the start-up projections, whatever it finds.
const SEARCH_WARM_UP: u32 = 10;
/// Below this share of rows that still find a nearer neighbour, the search has settled.
const SETTLED_RATE: f32 = 0.005;

/// Shortens the early phase of settings that do not ask for a certain one, so that a short run gets beyond it.
pub fn shorten_early_phase(settings: &mut Settings, iterations: u32) {
    settings.early_iterations = settings.early_iterations.min(iterations / EARLY_PART);
}

/// Whether the lists of neighbours have stopped improving.
pub fn settled(statistics: Statistics, settings: &Settings) -> bool {
    let warm = statistics.iteration >= settings.start_projections + SEARCH_WARM_UP;
    warm && statistics.refinement_rate < SETTLED_RATE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_gets_beyond_its_early_phase() {
        let mut settings = Settings { early_iterations: 100, ..Settings::default() };
        shorten_early_phase(&mut settings, 90);
        assert_eq!(settings.early_iterations, 30);
        shorten_early_phase(&mut settings, 3000);
        assert_eq!(settings.early_iterations, 30);
    }

    #[test]
    fn the_search_settles_after_its_warm_up_when_little_is_found() {
        let settings = Settings { start_projections: 5, ..Settings::default() };
        let after = |iteration, refinement_rate| Statistics { iteration, refinement_rate, ..Statistics::default() };
        assert!(!settled(after(14, 0.0), &settings));
        assert!(!settled(after(15, 0.005), &settings));
        assert!(settled(after(15, 0.0049), &settings));
    }
}
