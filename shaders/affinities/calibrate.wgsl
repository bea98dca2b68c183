// Calibrate: finds the widths β of each row's Gaussians, so that each has its perplexity. One thread a row; rows that have
// not changed, nor the settings, keep theirs. CPU twin: cpu/calibrate.rs
#import nevis::params::{params, thread_number}
#import nevis::lists::{DIRTY, FARTHEST}
#import nevis::gaussian::{Gaussian, SCALES}

@group(0) @binding(5) var<storage, read> hd_distances: array<f32>;
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(10) var<storage, read_write> gaussians: array<Gaussian>;

const TOLERANCE: f32 = 1e-4;
const MAX_STEPS: u32 = 60u;
const EPSILON: f32 = 1.1920929e-7;
const MIN_POSITIVE: f32 = 1.17549435e-38;
const HUGE: f32 = 3.0e38;

@compute @workgroup_size(64)
fn calibrate(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let before = gaussians[point];
    if (marks[point] & DIRTY) == 0u && u32(before.generation) == params.generation {
        return;
    }
    let fine = calibrated(point, max(params.perplexity / params.perplexity_range, 1.0), before.beta.x);
    let wanted = calibrated(point, params.perplexity, before.beta.y);
    let coarse = calibrated(point, params.perplexity * params.perplexity_range, before.beta.z);
    let beta = vec3<f32>(fine.x, wanted.x, coarse.x);
    let inverse_sum = vec3<f32>(fine.z, wanted.z, coarse.z) / f32(SCALES);
    gaussians[point] = Gaussian(beta, f32(params.generation), inverse_sum, fine.y);
    marks[point] &= ~DIRTY;
}

// Newton's method on ln β inside a bracket: the entropy falls with β, so each step moves one end of the bracket, and a
// step that would leave it is replaced by bisection.
// Returns β, the nearest distance and one over the sum.
fn calibrated(point: u32, perplexity: f32, warm: f32) -> vec3<f32> {
    let row = point * params.hd_length;
    var count = 0u;
    while count < params.hd_length && hd_distances[row + count] < FARTHEST {
        count += 1u;
    }
    if count == 0u {
        return vec3<f32>(0.0);
    }
    let nearest = hd_distances[row];
    let spread = hd_distances[row + count - 1u] - nearest;
    // More neighbours wanted than there are, or all at one distance: every width gives the same, an even, row.
    if spread <= 0.0 || perplexity >= f32(count) {
        return vec3<f32>(0.0, nearest, 1.0 / f32(count));
    }
    let entropy = log(perplexity);
    var low = 0.0;
    var high = HUGE;
    var beta = select(f32(count) / (spread * perplexity), warm, warm > 0.0);
    var sum = 1.0;
    for (var step = 0u; step < MAX_STEPS; step += 1u) {
        let m = moments(row, count, nearest, beta);
        sum = m.x;
        let mean = m.y / m.x;
        let excess = log(m.x) + beta * mean - entropy;
        if abs(excess) < TOLERANCE {
            break;
        }
        if excess > 0.0 {
            low = beta;
        } else {
            high = beta;
        }
        let slope = -beta * beta * max(m.z / m.x - mean * mean, 1e-30); // dH/d(ln β)
        let newton = beta * exp(clamp(-excess / slope, -2.0, 2.0));
        let bisection = select(beta * 4.0, 0.5 * (low + high), high < HUGE);
        beta = select(bisection, newton, newton > low && newton < high);
        if !(beta > 0.0 && beta < HUGE) || (high - low) <= EPSILON * low {
            beta = max(low, MIN_POSITIVE);
            sum = moments(row, count, nearest, beta).x;
            break; // ties at the nearest distance hold the entropy above the target: the narrowest row it is
        }
    }
    return vec3<f32>(beta, nearest, 1.0 / sum);
}

// Sums of the shifted exponentials and of their first two moments in the distance.
fn moments(row: u32, count: u32, nearest: f32, beta: f32) -> vec3<f32> {
    var sums = vec3<f32>(0.0);
    for (var at = row; at < row + count; at += 1u) {
        let shifted = hd_distances[at] - nearest;
        let e = exp(-beta * shifted);
        sums += e * vec3<f32>(1.0, shifted, shifted * shifted);
    }
    return sums;
}
