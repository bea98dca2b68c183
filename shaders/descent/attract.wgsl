// Attract: pulls a point along its affinities. The same gather serves the exact push of neighbours in the data that lie
// outside the point's neighbourhood in the embedding. One thread a point. Runs after repel, adds to its push, and
// leaves the sum of Z of each workgroup for normalise. CPU twin: cpu/attract.rs
#import nevis::params::{params, Control, WORKGROUP, group_number, thread_number}
#import nevis::random::hash
#import nevis::place::{Place, origin, difference, squared_length, add_scaled}
#import nevis::tail::tail

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(13) var<storage, read> rows: array<vec2<u32>>;
@group(0) @binding(14) var<storage, read> edge_neighbours: array<u32>;
@group(0) @binding(15) var<storage, read> edge_weights: array<f32>;
@group(0) @binding(16) var<storage, read> positions: array<Place>;
@group(0) @binding(18) var<storage, read_write> forces: array<Place>;
@group(0) @binding(19) var<storage, read> near: array<vec4<f32>>;
@group(0) @binding(20) var<storage, read_write> partials: array<f32>; // Σw of each workgroup

const BLOCK: u32 = 512u; // as in repel.wgsl
const DRAW: u32 = 8u;

var<workgroup> z_sums: array<f32, WORKGROUP>;

@compute @workgroup_size(64)
fn attract(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    var z = 0.0;
    if point < params.points {
        z = near[point].z + pull_and_push(point);
    }
    z_sums[local] = z;
    workgroupBarrier();
    for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
        if local < reach {
            z_sums[local] += z_sums[local + reach];
        }
        workgroupBarrier();
    }
    if local == 0u {
        partials[group_number(group, groups)] = z_sums[0];
    }
}

// Adds the forces along a point's affinities; returns their Σw.
fn pull_and_push(point: u32) -> f32 {
    let own = positions[point];
    let exact_within = near[point].y;
    let block = (point / BLOCK) * BLOCK;
    let offset = hash(params.seed, control.present, block, DRAW) & (params.far_stride - 1u);
    var pull = origin();
    var push = forces[2u * point + 1u];
    var z = 0.0;
    let row = rows[point];
    for (var at = row.x; at < row.x + row.y; at += 1u) {
        let neighbour = edge_neighbours[at];
        let apart = difference(own, positions[neighbour]);
        let squared = squared_length(apart);
        let kernel = tail(squared);
        pull = add_scaled(pull, edge_weights[at] * kernel.x, apart);
        if squared > exact_within {
            // One that is also in the far sample was counted there with weight `far_stride`: take that back.
            let sampled = (neighbour & (params.far_stride - 1u)) == offset;
            let share = select(1.0, 1.0 - f32(params.far_stride), sampled);
            z += share * kernel.y;
            push = add_scaled(push, share * kernel.y * kernel.x, apart);
        }
    }
    forces[2u * point] = pull;
    forces[2u * point + 1u] = push;
    return z;
}
