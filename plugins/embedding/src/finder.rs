//! The search for neighbours alone, where nothing is to be arranged: neither positions nor forces are computed.

use crate::engine::{Statistics, Timings};
use crate::error::EngineError;
use crate::search::Search;
use crate::settings::Settings;
use crate::start::{checked_rows, layout, random_seed};
use std::time::Instant;
use vectors::{Space, Vectors};

/// Below this share of rows that still find a nearer neighbour, a search has settled.
const SETTLED_RATE: f32 = 0.005;

/// A running search. It is that of an [`Engine`](crate::Engine), on the same lists.
#[derive(Debug)]
pub struct Finder {
    settings: Settings,
    space: Space,
    row_of_point: Vec<u32>,
    alive: Vec<bool>,
    search: Search,
    iteration: u32,
    timings: Timings,
}

impl Finder {
    /// Takes the data. Of the settings, those of the search count.
    ///
    /// # Errors
    /// If a setting is out of range or there are too few or too many rows.
    pub fn new(vectors: Vectors, settings: Settings) -> Result<Self, EngineError> {
        let rows = checked_rows(&vectors, &settings)?;
        let begun = Instant::now();
        let seed = random_seed(&settings);
        let (space, row_of_point) = layout(vectors, settings.metric, seed);
        let laid_out = Instant::now();
        let search = Search::new(&space, settings.hd_list_length(rows), seed);
        let timings = Timings {
            start: (laid_out - begun).as_secs_f64(),
            search: laid_out.elapsed().as_secs_f64(),
            ..Timings::default()
        };
        Ok(Self { settings, space, row_of_point, alive: vec![true; rows], search, iteration: 0, timings })
    }

    /// One iteration of the search.
    pub fn step(&mut self) {
        let begun = Instant::now();
        // On a thread of the pool: from elsewhere, each of the stages would wait for the pool to wake up.
        rayon::scope(|_| {
            let Self { settings, space, alive, search, iteration, .. } = self;
            search.step(space, alive, (&[], 0), settings, *iteration);
        });
        self.iteration += 1;
        self.timings.search += begun.elapsed().as_secs_f64();
    }

    /// True if the lists have stopped improving, or have nobody left to look at.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let passed = !self.search.warming_up() && self.search.rate < SETTLED_RATE;
        passed || self.search.is_at_rest(&self.settings)
    }

    /// How the search is doing.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            iteration: self.iteration,
            refinement_rate: self.search.rate,
            settled: self.search.settled(),
            ..Statistics::default()
        }
    }

    /// Seconds spent so far.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.timings
    }

    /// As [`Engine::neighbours`](crate::Engine::neighbours).
    #[must_use]
    pub fn neighbours(&self) -> (Vec<u32>, Vec<f32>) {
        self.search.hd.in_rows(&self.row_of_point, self.row_of_point.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{hash, normal};
    use vectors::Metric;

    fn cloud(rows: usize) -> Vectors {
        let random = |at: u32| normal(hash(8, 1, at, 0), hash(8, 1, at, 1));
        Vectors::from_rows(&(0..6 * rows as u32).map(random).collect::<Vec<_>>(), 6)
    }

    #[test]
    fn a_search_alone_settles_with_full_lists_of_true_distances() {
        let vectors = cloud(700);
        for metric in Metric::ALL {
            let settings = Settings { hd_neighbours: Some(10), metric, ..Settings::default() };
            let mut finder = Finder::new(vectors.clone(), settings).expect("settings are right");
            assert!(!finder.is_settled(), "{metric}");
            let mut steps = 0;
            while !finder.is_settled() && steps < 400 {
                finder.step();
                steps += 1;
            }
            assert!(finder.is_settled(), "{metric}");
            assert_eq!(finder.statistics().iteration, steps);
            let space = Space::new(vectors.clone(), metric);
            let (neighbours, distances) = finder.neighbours();
            let rows = neighbours.chunks_exact(10).zip(distances.chunks_exact(10)).enumerate();
            for (row, (neighbours, distances)) in rows {
                assert!(distances.is_sorted() && !neighbours.contains(&u32::MAX), "{metric}, row {row}");
                for (&other, &distance) in neighbours.iter().zip(distances) {
                    let expected = space.squared_distance(row, other as usize).sqrt();
                    assert!((distance - expected).abs() <= 1e-5 * expected, "{metric}, {row} to {other}");
                }
            }
        }
    }

    #[test]
    fn what_no_search_can_take_is_refused() {
        assert!(Finder::new(cloud(1), Settings::default()).is_err());
        assert!(Finder::new(cloud(5), Settings { perplexity: 0.0, ..Settings::default() }).is_err());
    }
}
