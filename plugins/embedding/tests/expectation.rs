//! The sampled push: on average over all samples it is the push of all pairs.

use crate::support::relative_error;
use crate::support::scene::{Plain, Small, add};
use embedding::cpu::forces::BLOCK;
use embedding::cpu::repel::CROWDED;
use std::collections::HashMap;

const STRIDE: u32 = 8;
const LD_LENGTH: usize = 16;
/// Largest error of the mean over all samples: rounding only, as every sample is taken once.
const MEAN_ERROR: f64 = 3e-5;
/// Largest error of the mean gradient when every sample is divided by its own Z, not by the mean of Z.
const OWN_Z_ERROR: f64 = 0.02;
/// Iterations looked through for every combination of the blocks' samples.
const ITERATIONS: u32 = 4000;

/// Iterations that, together, draw every combination of the blocks' samples exactly once.
fn one_of_each(small: &Small) -> Vec<u32> {
    let blocks = small.points.div_ceil(BLOCK);
    let mut first_with = HashMap::new();
    for iteration in 0..ITERATIONS {
        let scene = small.scene(STRIDE, iteration);
        let offsets: Vec<u32> = (0..blocks).map(|block| scene.far(block * BLOCK).offset).collect();
        first_with.entry(offsets).or_insert(iteration);
    }
    assert_eq!(first_with.len(), (STRIDE as usize).pow(blocks as u32), "not every sample is drawn");
    first_with.into_values().collect()
}

struct Mean {
    pull: Vec<f32>,
    push: Vec<f32>,
    z: f64,
    /// Mean of push/Z.
    push_by_own_z: Vec<f32>,
}

fn mean(small: &Small) -> Mean {
    let iterations = one_of_each(small);
    let values = small.points * small.dims;
    let (mut pull, mut push, mut by_own_z, mut z) = (vec![0.0; values], vec![0.0; values], vec![0.0; values], 0.0);
    for &iteration in &iterations {
        let sums = small.run(STRIDE, iteration);
        let share = 1.0 / iterations.len() as f64;
        let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
        add(&mut pull, share, &wide(&sums.pull));
        add(&mut push, share, &wide(&sums.push));
        add(&mut by_own_z, share / sums.z, &wide(&sums.push));
        z += share * sums.z;
    }
    let narrow = |values: &[f64]| values.iter().map(|&value| value as f32).collect();
    Mean { pull: narrow(&pull), push: narrow(&push), z, push_by_own_z: narrow(&by_own_z) }
}

/// Squared distance of the farthest in each list.
fn radii(small: &Small) -> Vec<f64> {
    let row = |point: usize| &small.ld[point * small.ld_length..][..small.ld_length];
    let radius = |point: usize| row(point).iter().map(|&j| small.difference(point, j as usize).1).fold(0.0, f64::max);
    (0..small.points).map(radius).collect()
}

/// The sums of an engine that forgets to take neighbours out of the sample which it has summed already.
fn counted_twice(small: &Small) -> Plain {
    let mut biased = small.plain();
    for (i, radius) in radii(small).into_iter().enumerate() {
        let exact_within = if radius < f64::from(CROWDED) { -1.0 } else { radius };
        for &j in small.affinities.row(i).0 {
            let (difference, squared) = small.difference(i, j as usize);
            if squared > exact_within {
                let (u, w) = small.kernel(squared);
                biased.z += w;
                add(&mut biased.push[i * small.dims..], w * u, &difference);
            }
        }
    }
    biased
}

/// How crowded the neighbourhoods are meant to be.
#[derive(Debug, Clone, Copy)]
enum Scale {
    Wide,
    Crowded,
    Mixed,
}

fn scene(points: usize, dims: usize, alpha: f32, scale: Scale) -> Small {
    let spread = match (scale, dims) {
        (Scale::Wide, _) => 10.0,
        (Scale::Crowded, 2) => 0.05,
        (Scale::Crowded, _) => 0.03,
        (Scale::Mixed, 2) => 0.7,
        (Scale::Mixed, _) => 0.1,
    };
    let small = Small::random(points, dims, alpha, spread).with_exact_lists(LD_LENGTH);
    let crowded = radii(&small).iter().filter(|&&radius| radius < f64::from(CROWDED)).count();
    let as_meant = match scale {
        Scale::Wide => crowded == 0,
        Scale::Crowded => crowded == points,
        Scale::Mixed => crowded > points / 20 && crowded < points * 19 / 20,
    };
    assert!(as_meant, "{crowded} of {points} neighbourhoods are crowded in {dims}-D, which is not {scale:?}");
    small
}

#[test]
fn the_sampled_push_and_z_are_right_on_average() {
    for scale in [Scale::Wide, Scale::Crowded, Scale::Mixed] {
        for (points, dims) in [(200, 2), (200, 6), (700, 3)] {
            for alpha in [1.0, 0.5] {
                if points == 700 && matches!(scale, Scale::Mixed) {
                    continue; // two blocks and both ways of summing are covered by the others
                }
                let small = scene(points, dims, alpha, scale);
                let (mean, exact, biased) = (mean(&small), small.plain(), counted_twice(&small));
                let case = format!("{points} points in {dims}-D, α {alpha}, {scale:?}");
                let push = relative_error(&mean.push, &exact.push);
                let z = (mean.z / exact.z - 1.0).abs();
                assert!(push < MEAN_ERROR, "push is off by {push:e}, more than {MEAN_ERROR:e}: {case}");
                assert!(z < MEAN_ERROR, "Z is off by {z:e}, more than {MEAN_ERROR:e}: {case}");
                let push = relative_error(&mean.push, &biased.push);
                let z = (mean.z / biased.z - 1.0).abs();
                assert!(push > MEAN_ERROR && z > MEAN_ERROR, "a double count goes unnoticed: {push:e}, {z:e}, {case}");
            }
        }
    }
}

#[test]
fn the_mean_gradient_is_that_of_exact_t_sne() {
    const ATTRACTION: f64 = 1.3;
    const REPULSION: f64 = 0.8;
    for (dims, scale) in [(2, Scale::Wide), (2, Scale::Crowded), (6, Scale::Wide)] {
        let small = scene(200, dims, 1.0, scale);
        let points = small.points as f64;
        let (mean, exact) = (mean(&small), small.plain());
        let gradient = |pull: f64, push_by_z: f64| 4.0 * (ATTRACTION * pull - REPULSION * points * push_by_z) / points;
        let expected: Vec<f64> =
            exact.pull.iter().zip(&exact.push).map(|(&pull, &push)| gradient(pull, push / exact.z)).collect();
        let found = |by_z: &dyn Fn(usize) -> f64| -> Vec<f32> {
            mean.pull.iter().enumerate().map(|(at, &pull)| gradient(pull.into(), by_z(at)) as f32).collect()
        };
        let by_mean_z = relative_error(&found(&|at| f64::from(mean.push[at]) / mean.z), &expected);
        let by_own_z = relative_error(&found(&|at| mean.push_by_own_z[at].into()), &expected);
        assert!(by_mean_z < MEAN_ERROR, "{dims}-D, {scale:?}: off by {by_mean_z:e}, more than {MEAN_ERROR:e}");
        assert!(by_own_z < OWN_Z_ERROR, "{dims}-D, {scale:?}: off by {by_own_z:e}, more than {OWN_Z_ERROR:e}");
        let wrong = relative_error(&found(&|at| f64::from(mean.push[at]) / (1.1 * mean.z)), &expected);
        assert!(wrong > OWN_Z_ERROR, "a Z that is a tenth too large goes unnoticed");
    }
}

#[test]
fn samples_are_drawn_evenly_and_independently_by_block() {
    let small = Small::random(700, 2, 1.0, 1.0);
    let mut counts = HashMap::<(u32, u32), u32>::new();
    for iteration in 0..6400 {
        let scene = small.scene(STRIDE, iteration);
        *counts.entry((scene.far(0).offset, scene.far(BLOCK).offset)).or_default() += 1;
    }
    // 100 of each are expected, with a standard deviation of 10.
    assert_eq!(counts.len(), 64);
    assert!(counts.values().all(|&count| (50..150).contains(&count)), "{counts:?}");
}
