//! What the native stages make of the same input.

use super::bench::Bench;
pub use super::plain::exact_lists;
use embedding::affinities::Affinities;
use embedding::cpu::calibrate::{Gaussian, calibrate, perplexities};
use embedding::cpu::symmetrise::symmetrise;
use embedding::cpu::widen::Neighbourhoods;
use embedding::lists::{self, Lists, NEW};
use gpu::stage::Slot;
use vectors::Space;

/// Lists of the rows named, measured; all new.
pub fn lists_of(space: &Space, rows: &[u32], k: usize) -> Lists {
    let mut hd = Lists::empty(space.rows(), k);
    let named = rows.len() / space.rows();
    let (entries, distances) = hd.rows_mut();
    for (point, (entries, distances)) in entries.chunks_exact_mut(k).zip(distances.chunks_exact_mut(k)).enumerate() {
        for &one in &rows[point * named..][..named] {
            lists::insert(entries, distances, one | NEW, space.squared_distance(point, one as usize));
        }
    }
    hd
}

/// How far the perplexities of a row are apart.
pub const RANGE: f32 = 2.0;

/// The Gaussians of all rows.
pub fn calibrated(hd: &Lists, points: usize, perplexity: f32) -> Vec<Gaussian> {
    let mut gaussians = vec![Gaussian::default(); points];
    calibrate(Neighbourhoods::listed(hd), &vec![true; points], perplexities(perplexity, RANGE), &mut gaussians);
    gaussians
}

/// The affinities of all rows.
pub fn affinities(hd: &Lists, gaussians: &[Gaussian]) -> Affinities {
    let mut affinities = Affinities::default();
    symmetrise(Neighbourhoods::listed(hd), gaussians, &mut affinities);
    affinities
}

/// Puts native affinities where the GPU's stages read theirs.
pub fn write_affinities(bench: &mut Bench, affinities: &Affinities) {
    let (mut rows, mut neighbours, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for point in 0..bench.points() {
        let (row, row_weights) = affinities.row(point);
        rows.push([neighbours.len() as u32, row.len() as u32]);
        neighbours.extend_from_slice(row);
        weights.extend_from_slice(row_weights);
    }
    bench.write(Slot::Rows, &rows);
    bench.write(Slot::EdgeNeighbours, &neighbours);
    bench.write(Slot::EdgeWeights, &weights);
}
