//! Where new points start, against the native rule.

use crate::support::{data, open_adapter};
use embedding::Settings;
use embedding::change::NOISE;
use embedding::cpu::arrive::{GUIDES, Nearest, place};
use embedding::cpu::calibrate::Gaussian;
use embedding::lists::{EMPTY, POINT};
use gpu::GpuEngine;
use gpu::stage::{Slot, position_stride};
use vectors::Vectors;

const OLD: usize = 300;
const NEW: usize = 60;
/// Noise of a new place, in its own standard deviations, that is beyond what chance does.
const MOST_NOISE: f32 = 7.0;

/// Rows of two clusters, and new ones between them: their neighbours are of both.
fn rows() -> Vectors {
    let mut vectors = data::cloud(OLD + NEW, 6, 3);
    for row in 0..OLD + NEW {
        let shift = if row >= OLD { 2.0 } else { 4.0 * (row % 2) as f32 };
        vectors.row_mut(row).iter_mut().for_each(|value| *value += shift);
    }
    vectors
}

fn some(vectors: &Vectors, rows: std::ops::Range<usize>) -> Vectors {
    let mut some = Vectors::with_capacity(rows.len(), vectors.dims());
    rows.for_each(|row| some.push(vectors.row(row)));
    some
}

/// The nearest neighbours of a point that were there before, and its Gaussian, as the GPU has them.
fn guides(fetched: &gpu::command::Fetched, point: usize, is_new: impl Fn(u32) -> bool) -> (Nearest, Gaussian) {
    let k = fetched.lengths.0;
    let (entries, distances) = (fetched.values::<u32>(Slot::HdEntries), fetched.values::<f32>(Slot::HdDistances));
    let listed = entries[point * k..][..k].iter().map(|entry| entry & POINT).zip(&distances[point * k..][..k]);
    let known = listed.take_while(|&(entry, _)| entry != EMPTY).filter(|&(entry, _)| !is_new(entry));
    let (points, distances) = known.map(|(entry, &distance)| (entry, distance)).unzip();
    let [a, b, c, _, d, e, f, nearest] = fetched.values::<[f32; 8]>(Slot::Gaussians)[point];
    let gaussian = Gaussian { beta: [a, b, c], nearest, inverse_sum: [d, e, f] };
    (Nearest { points, distances, wanted_by: Vec::new() }, gaussian)
}

#[test]
fn new_points_start_where_they_do_natively() {
    let Some(adapter) = open_adapter() else { return };
    let all = rows();
    for dims in [2, 3, 6] {
        let settings =
            Settings { dims, early_iterations: 20, start_projections: 4, perplexity: 8.0, ..Settings::default() };
        let mut engine = GpuEngine::new(&adapter, some(&all, 0..OLD), settings, None).expect("an engine");
        engine.run(100, |_| {}).expect("a run");
        let size = engine.statistics().expect("statistics").size;
        let numbers: Vec<u32> = (OLD as u32..(OLD + NEW) as u32).collect();
        engine.insert(&numbers, &some(&all, OLD..OLD + NEW)).expect("they are the next");
        let slots = [Slot::HdEntries, Slot::HdDistances, Slot::Gaussians, Slot::Positions];
        let fetched = engine.fetch(&slots).expect("buffers");
        let (positions, stride) = (fetched.values::<f32>(Slot::Positions), position_stride(dims));
        let new: Vec<u32> = numbers.iter().map(|&row| engine.point(row).expect("it lives")).collect();
        let (mut torn, mut seated) = (0, 0);
        for &point in &new {
            let (nearest, gaussian) = guides(&fetched, point as usize, |other| new.contains(&other));
            if nearest.points.is_empty() {
                continue; // all its neighbours came with it
            }
            seated += 1;
            let position_of = |other: u32, axis: usize| positions[other as usize * stride + axis];
            let mut expected = vec![0.0; dims];
            place(&nearest, gaussian, position_of, &mut expected);
            let off = |place: &[f32]| -> f32 {
                let axes = (0..dims).map(|axis| (position_of(point, axis) - place[axis]).powi(2));
                axes.sum::<f32>().sqrt()
            };
            let noise = MOST_NOISE * NOISE * size * (dims as f32).sqrt();
            assert!(
                off(&expected) < noise,
                "{dims}-D: {point} is {} from its place, more than {noise}",
                off(&expected)
            );
            // The mean of the same guides, weighted alike.
            let count = nearest.points.len().min(GUIDES);
            let weights: Vec<f32> = nearest.distances[..count].iter().map(|&distance| gaussian.p(distance)).collect();
            let mean = |axis: usize| -> f32 {
                let sum = nearest.points.iter().zip(&weights).map(|(&guide, weight)| weight * position_of(guide, axis));
                sum.sum::<f32>() / weights.iter().sum::<f32>()
            };
            torn += usize::from(off(&(0..dims).map(mean).collect::<Vec<_>>()) > noise);
        }
        assert!(
            seated > NEW / 2 && torn > seated / 2,
            "{dims}-D: a mean goes unnoticed: {torn} of {seated} are elsewhere"
        );
    }
}
