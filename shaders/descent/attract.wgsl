// Attract: pulls a point along its affinities. The same gather serves the push, by name, of neighbours in the data that
// are farther away than all neighbours in the embedding. One thread a point. Runs after repel, adds to its push, and
// leaves the sum of Z of each workgroup for normalise. CPU twin: cpu/attract.rs
#import nevis::params::{params, Control, WORKGROUP, group_number, thread_number}
#import nevis::far::{far_offset, share_beside}
#import nevis::place::{Place, origin, difference, squared_length, add_scaled}
#import nevis::tail::tail

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(13) var<storage, read> rows: array<vec2<u32>>;
@group(0) @binding(14) var<storage, read> edge_neighbours: array<u32>;
@group(0) @binding(15) var<storage, read> edge_weights: array<f32>;
@group(0) @binding(16) var<storage, read> positions: array<Place>;
@group(0) @binding(18) var<storage, read_write> forces: array<Place>;
// radius², Σw·u, Σw, place of the farthest; when this is done, Σp·u instead of Σw.
@group(0) @binding(19) var<storage, read_write> near: array<vec4<f32>>;
@group(0) @binding(20) var<storage, read_write> partials: array<f32>; // Σw of each workgroup

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
        z = pull_and_push(point);
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

// Adds the forces along a point's affinities; returns the Σw of the point.
fn pull_and_push(point: u32) -> f32 {
    let own = positions[point];
    let offset = far_offset(point, control.present);
    var pull = origin();
    var push = forces[2u * point + 1u];
    var pull_stiffness = 0.0;
    var known = near[point];
    let row = rows[point];
    for (var at = row.x; at < row.x + row.y; at += 1u) {
        let neighbour = edge_neighbours[at];
        let apart = difference(own, positions[neighbour]);
        let squared = squared_length(apart);
        let kernel = tail(squared);
        let p = edge_weights[at] * kernel.x;
        pull = add_scaled(pull, p, apart);
        pull_stiffness += p;
        // Who is nearer is in the list of neighbours in the embedding, or left to the sample.
        if squared > known.x {
            let w = share_beside(neighbour, offset) * kernel.y;
            push = add_scaled(push, w * kernel.x, apart);
            known.y += w * kernel.x;
            known.z += w;
        }
    }
    forces[2u * point] = pull;
    forces[2u * point + 1u] = push;
    near[point] = vec4<f32>(known.x, known.y, pull_stiffness, known.w);
    return known.z;
}
