//! How faithful positions are where no window watches them: one figure for all of them, and trust in every point.

#[cfg(feature = "window")]
mod meter;

#[cfg(feature = "window")]
pub use meter::TrustMeter;

use crate::backend::Runner;
use embedding::Settings;
use quality::{LiveOptions, LiveQuality, TRUST_SEED};
use vectors::{Metric, Space};

/// The fewest rows whose neighbourhoods say something.
const FEWEST_ROWS: usize = 5;

/// The area under R_NX of a runner's embedding, over as many points as the window asks; none of very few rows.
pub fn auc(runner: &Runner, positions: &[f32], settings: &Settings) -> Option<f64> {
    let (space, row_of_point) = measured(runner, settings.metric);
    if row_of_point.len() < FEWEST_ROWS {
        return None;
    }
    let options = LiveOptions { seed: TRUST_SEED, ..LiveOptions::default() };
    let quality = LiveQuality::new(&space, &options, &|| false)?;
    let positions = in_order(positions, settings.dims, row_of_point);
    Some(quality.measure(&positions, settings.dims, settings.dims).auc)
}

/// A runner's data as a metric sees it; the matrix is shared.
fn measured(runner: &Runner, metric: Metric) -> (Space, &[u32]) {
    let (space, row_of_point) = runner.points();
    let mut space = space.clone();
    space.set_metric(metric);
    (space, row_of_point)
}

/// Positions of rows in the order of the points.
fn in_order(positions: &[f32], dims: usize, row_of_point: &[u32]) -> Vec<f32> {
    row_of_point.iter().flat_map(|&row| &positions[row as usize * dims..][..dims]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Ending;
    use embedding::{Engine, Plan};
    use vectors::Vectors;

    pub const ROWS: usize = 300;

    pub fn grid() -> Vectors {
        let mut vectors = Vectors::with_capacity(ROWS, 3);
        (0..ROWS as u16).for_each(|row| vectors.push(&[row % 10, row / 10 % 6, row / 60].map(f32::from)));
        vectors
    }

    pub fn runner() -> (Runner, Vec<f32>, Settings) {
        let settings = Settings::for_rows(ROWS);
        let mut runner = Runner::new(Engine::new(grid(), settings.clone()).expect("an engine"));
        let positions =
            runner.embed(Plan::of(300), Ending::Planned, |_| {}).expect("native steps do not fail").positions;
        (runner, positions, settings)
    }

    #[test]
    fn the_area_is_high_for_an_embedding_and_low_for_noise() {
        let (runner, positions, settings) = runner();
        let good = auc(&runner, &positions, &settings).expect("enough rows");
        let mut order: Vec<usize> = (0..ROWS).collect();
        order.sort_by_key(|row| (*row as u32).wrapping_mul(2_654_435_761)); // as good as shuffled
        let dims = settings.dims;
        let noise: Vec<f32> = order.iter().flat_map(|row| positions[row * dims..][..dims].to_vec()).collect();
        let bad = auc(&runner, &noise, &settings).expect("enough rows");
        assert!(good > 0.4 && bad < 0.2, "{good} and {bad}");
    }
}
