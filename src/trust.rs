//! How faithful positions are where no window watches them: trust in every point, and one figure for all of them.

use crate::backend::Runner;
use crate::error::CommandError;
use crate::viewer::trust_extent;
use colours::{ColourSettings, Paint, paint_numbers};
use embedding::Settings;
use live::{TRUST_NEIGHBOURS, TRUST_REFERENCES, TRUST_SEED, TrustKind};
use quality::{DistanceTrust, LiveOptions, LiveQuality, Trust, embedding_neighbours, exact_neighbours};
use vectors::{Metric, Space};

/// The fewest rows whose neighbourhoods say something.
const FEWEST_ROWS: usize = 5;

/// Measures trust again and again while points move: the data's side of it is found once.
#[derive(Debug, Default)]
pub struct TrustMeter {
    /// Neighbours are found exactly, because the runner has not searched for them.
    exact: bool,
    known: Option<(TrustKind, Metric, Reference)>,
}

/// The data's side.
#[derive(Debug)]
enum Reference {
    /// `[rows][k]` nearest rows, exactly.
    Exact(Vec<u32>),
    /// What the runner has found by then.
    Found,
    Distances(Box<DistanceTrust>),
}

impl TrustMeter {
    /// Of a runner that has not searched for neighbours, and may never do so.
    pub fn exact() -> Self {
        Self { exact: true, known: None }
    }

    /// Colours by how far each row can be trusted at these positions, which are in the caller's row order.
    pub fn paint(
        &mut self,
        kind: TrustKind,
        runner: &mut Runner,
        positions: &[f32],
        settings: &Settings,
        colours: &ColourSettings,
    ) -> Result<Paint, CommandError> {
        let values = self.measure(kind, runner, positions, settings)?;
        Ok(paint_numbers(&values, trust_extent(kind), colours))
    }

    /// The trust in each row.
    fn measure(
        &mut self,
        kind: TrustKind,
        runner: &mut Runner,
        positions: &[f32],
        settings: &Settings,
    ) -> Result<Vec<f32>, CommandError> {
        let (metric, dims) = (settings.metric, settings.dims);
        if !matches!(&self.known, Some((of, at, _)) if (*of, *at) == (kind, metric)) {
            self.known = Reference::of(kind, self.exact, runner, metric).map(|reference| (kind, metric, reference));
        }
        let rows = positions.len() / dims;
        let kept = |lists: &[u32]| {
            let length = lists.len() / rows;
            let k = TRUST_NEIGHBOURS.min(length);
            Trust::neighbourhood_kept(lists, length, &embedding_neighbours(positions, rows, dims, dims, k), k)
        };
        Ok(match &self.known {
            None => Vec::new(),
            Some((.., Reference::Exact(lists))) => kept(lists),
            Some((.., Reference::Found)) => kept(&runner.neighbours()?.0),
            Some((.., Reference::Distances(distances))) => {
                let (_, row_of_point) = runner.points();
                let of_points = distances.measure(&in_order(positions, dims, row_of_point), dims, dims);
                let mut trust = vec![0.0; rows];
                row_of_point.iter().zip(of_points).for_each(|(&row, value)| trust[row as usize] = value);
                trust
            }
        })
    }
}

impl Reference {
    fn of(kind: TrustKind, exact: bool, runner: &Runner, metric: Metric) -> Option<Self> {
        match kind {
            TrustKind::NeighbourhoodKept if !exact => Some(Self::Found),
            TrustKind::NeighbourhoodKept => {
                let (space, row_of_point) = measured(runner, metric);
                let rows = row_of_point.len();
                let k = TRUST_NEIGHBOURS.min(rows.saturating_sub(1));
                let all: Vec<u32> = (0..rows as u32).collect();
                let mut lists = vec![u32::MAX; rows * k];
                for (&row, found) in row_of_point.iter().zip(exact_neighbours(&space, &all, k, &|_, _| {})) {
                    let list = &mut lists[row as usize * k..][..k];
                    list.iter_mut().zip(found).for_each(|(place, (point, _))| *place = row_of_point[point as usize]);
                }
                Some(Self::Exact(lists))
            }
            TrustKind::DistanceCorrelation => {
                let (space, _) = measured(runner, metric);
                let distances = DistanceTrust::new(&space, TRUST_REFERENCES, TRUST_SEED, &|| false);
                distances.map(|distances| Self::Distances(Box::new(distances)))
            }
        }
    }
}

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

    const ROWS: usize = 300;

    fn grid() -> Vectors {
        let mut vectors = Vectors::with_capacity(ROWS, 3);
        (0..ROWS as u16).for_each(|row| vectors.push(&[row % 10, row / 10 % 6, row / 60].map(f32::from)));
        vectors
    }

    fn runner() -> (Runner, Vec<f32>, Settings) {
        let settings = Settings::for_rows(ROWS);
        let mut runner = Runner::Cpu(Box::new(Engine::new(grid(), settings.clone()).expect("an engine")));
        let positions =
            runner.embed(Plan::of(300), Ending::Planned, |_| {}).expect("native steps do not fail").positions;
        (runner, positions, settings)
    }

    #[test]
    fn trust_is_by_row_whatever_the_order_of_the_points() {
        let (mut runner, positions, settings) = runner();
        let space = Space::new(grid(), settings.metric);
        let kind = TrustKind::DistanceCorrelation;
        let found = TrustMeter::default().measure(kind, &mut runner, &positions, &settings).expect("native");
        // The references are others in another order of the points: both are samples of the same.
        let expected = DistanceTrust::new(&space, TRUST_REFERENCES, TRUST_SEED, &|| false)
            .expect("not cancelled")
            .measure(&positions, settings.dims, settings.dims);
        let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum::<f32>() / ROWS as f32;
        assert!(off < 0.06, "off by {off}");
        let mut turned = found.clone();
        turned.rotate_left(37);
        let wrong = turned.iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum::<f32>() / ROWS as f32;
        assert!(wrong > 2.0 * off, "{wrong} in a wrong order, {off} in this");
    }

    #[test]
    fn exact_neighbours_agree_with_a_search_that_is_done() {
        let (mut runner, positions, settings) = runner();
        let kind = TrustKind::NeighbourhoodKept;
        let mut measure = |mut meter: TrustMeter| {
            let kept = meter.measure(kind, &mut runner, &positions, &settings).expect("native");
            kept.iter().sum::<f32>() / ROWS as f32
        };
        let (exact, found) = (measure(TrustMeter::exact()), measure(TrustMeter::default()));
        assert!((exact - found).abs() < 0.1 && exact > 0.3, "{exact} exactly, {found} as found");
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
