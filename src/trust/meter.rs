//! Trust in every point, while points move.

use super::{in_order, measured};
use crate::backend::Runner;
use crate::error::CommandError;
use crate::viewer::trust_extent;
use colours::{ColourSettings, Paint, paint_numbers};
use embedding::Settings;
use quality::{
    DistanceTrust, TRUST_NEIGHBOURS, TRUST_REFERENCES, TRUST_SEED, Trust, TrustKind, embedding_neighbours,
    exact_neighbours,
};
use vectors::Metric;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::tests::{ROWS, grid, runner};
    use vectors::Space;

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
}
