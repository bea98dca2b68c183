//! The sampled push: on average over all samples it is the push of all pairs, whatever points the lists name.

use crate::support::relative_error;
use crate::support::scene::{Plain, Small, add};
use embedding::cpu::forces::BLOCK;
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
    stiffness: Vec<f32>,
    z: f64,
    /// Mean of push/Z.
    push_by_own_z: Vec<f32>,
}

fn mean(small: &Small) -> Mean {
    let iterations = one_of_each(small);
    let values = small.points * small.dims;
    let (mut pull, mut push, mut by_own_z, mut z) = (vec![0.0; values], vec![0.0; values], vec![0.0; values], 0.0);
    let mut stiffness = vec![0.0; 2 * small.points];
    for &iteration in &iterations {
        let sums = small.run(STRIDE, iteration);
        let share = 1.0 / iterations.len() as f64;
        let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
        add(&mut pull, share, &wide(&sums.pull));
        add(&mut push, share, &wide(&sums.push));
        add(&mut stiffness, share, &wide(&sums.stiffness));
        add(&mut by_own_z, share / sums.z, &wide(&sums.push));
        z += share * sums.z;
    }
    let narrow = |values: &[f64]| values.iter().map(|&value| value as f32).collect();
    let stiffness = narrow(&stiffness);
    Mean { pull: narrow(&pull), push: narrow(&push), stiffness, z, push_by_own_z: narrow(&by_own_z) }
}

/// Squared distance of the farthest in each list.
fn radii(small: &Small) -> Vec<f64> {
    let row = |point: usize| &small.ld[point * small.ld_length..][..small.ld_length];
    let radius = |point: usize| row(point).iter().map(|&j| small.difference(point, j as usize).1).fold(0.0, f64::max);
    (0..small.points).map(radius).collect()
}

/// Adds the push of one pair, a number of times.
fn count(small: &Small, sums: &mut Plain, i: usize, j: usize, times: f64) {
    let (difference, squared) = small.difference(i, j);
    let (u, w) = small.kernel(squared);
    sums.z += times * w;
    sums.stiffness[2 * i + 1] += times * w * u;
    add(&mut sums.push[i * small.dims..], times * w * u, &difference);
}

/// The sums of an engine that forgets to take neighbours out of the sample which it has summed already.
fn counted_twice(small: &Small) -> Plain {
    let mut biased = small.plain();
    for (i, radius) in radii(small).into_iter().enumerate() {
        let listed = &small.ld[i * small.ld_length..][..small.ld_length];
        let farther = small.affinities.row(i).0.iter().filter(|&&j| small.difference(i, j as usize).1 > radius);
        listed.iter().chain(farther).for_each(|&j| count(small, &mut biased, i, j as usize, 1.0));
    }
    biased
}

/// The sums of an engine that takes its lists for complete: everybody nearer than the farthest of them who is not in the
/// list is neither summed nor sampled.
fn hidden(small: &Small) -> Plain {
    let mut biased = small.plain();
    for (i, radius) in radii(small).into_iter().enumerate() {
        let listed = &small.ld[i * small.ld_length..][..small.ld_length];
        for j in (0..small.points).filter(|&j| j != i && !listed.contains(&(j as u32))) {
            if small.difference(i, j).1 <= radius {
                count(small, &mut biased, i, j, -1.0);
            }
        }
    }
    biased
}

/// Whom the lists of neighbours in the embedding name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lists {
    Exact,
    /// Anyone, as after a map has been torn apart.
    Stale,
}

/// How far points are apart, in lengths of the kernel: wide, next to each other, and in between.
const SPREADS: [f32; 3] = [10.0, 0.05, 0.7];

fn scene(points: usize, dims: usize, alpha: f32, spread: f32, lists: Lists) -> Small {
    let small = Small::random(points, dims, alpha, spread);
    match lists {
        Lists::Exact => small.with_exact_lists(LD_LENGTH),
        Lists::Stale => small,
    }
}

/// The largest error of push, stiffness and Z.
fn error(mean: &Mean, sums: &Plain) -> f64 {
    let of_push = |values: &[f64]| values.iter().skip(1).step_by(2).copied().collect::<Vec<_>>();
    let found: Vec<f32> = mean.stiffness.iter().skip(1).step_by(2).copied().collect();
    let push = relative_error(&mean.push, &sums.push);
    push.max(relative_error(&found, &of_push(&sums.stiffness))).max((mean.z / sums.z - 1.0).abs())
}

#[test]
fn the_sampled_push_and_z_are_right_on_average() {
    for lists in [Lists::Exact, Lists::Stale] {
        for spread in SPREADS {
            for (points, dims, alpha) in [(200, 2, 1.0), (200, 6, 0.5), (200, 2, 3.0), (200, 6, 1.0), (700, 3, 1.0)] {
                let small = scene(points, dims, alpha, spread, lists);
                let mean = mean(&small);
                let case = format!("{points} points in {dims}-D, α {alpha}, {spread} wide, lists {lists:?}");
                let off = error(&mean, &small.plain());
                assert!(off < MEAN_ERROR, "off by {off:e}, more than {MEAN_ERROR:e}: {case}");
                let twice = error(&mean, &counted_twice(&small));
                assert!(twice > 10.0 * MEAN_ERROR, "a double count goes unnoticed, {twice:e}: {case}");
                let without = error(&mean, &hidden(&small));
                // Complete lists hide nobody.
                assert_eq!(without > 10.0 * MEAN_ERROR, lists == Lists::Stale, "{without:e} off: {case}");
            }
        }
    }
}

#[test]
fn the_mean_gradient_is_that_of_exact_t_sne() {
    const ATTRACTION: f64 = 1.3;
    const REPULSION: f64 = 0.8;
    let exact = Lists::Exact;
    for (dims, spread, lists) in [(2, 10.0, exact), (2, 0.05, exact), (6, 10.0, exact), (2, 0.7, Lists::Stale)] {
        let small = scene(200, dims, 1.0, spread, lists);
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
        assert!(
            by_mean_z < MEAN_ERROR,
            "{dims}-D, {spread} wide, {lists:?}: off by {by_mean_z:e}, more than {MEAN_ERROR:e}"
        );
        assert!(
            by_own_z < OWN_Z_ERROR,
            "{dims}-D, {spread} wide, {lists:?}: off by {by_own_z:e}, more than {OWN_Z_ERROR:e}"
        );
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
