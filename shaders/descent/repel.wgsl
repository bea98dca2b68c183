// Repel: pushes a point away from its neighbours in the embedding, by name, and from everybody else, by a sample. Only who
// is named is taken off the sample, wherever others are: a list that has fallen behind makes the sum noisier, never
// wrong. One thread a point; the workgroup shares the sample. CPU twin: cpu/repel.rs, cpu/far.rs
#import nevis::params::{params, Control, WORKGROUP, thread_number}
#import nevis::far::{far_offset, is_sampled, share_beside}
#import nevis::place::{Place, origin, difference, squared_length, add_scaled}
#import nevis::tail::tail
#import nevis::lists::{DEAD, EMPTY}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(7) var<storage, read> ld: array<u32>;
@group(0) @binding(16) var<storage, read> positions: array<Place>;
@group(0) @binding(18) var<storage, read_write> forces: array<Place>; // [points][pull, push]
@group(0) @binding(19) var<storage, read_write> near: array<vec4<f32>>; // radius², Σw·u, Σw, place of the farthest

const TILE: u32 = #{TILE}u;

var<workgroup> tile: array<Place, TILE>;
var<workgroup> tile_marks: array<u32, TILE>;

// Sums over others.
struct Push {
    force: Place, // Σw·u·(y − y')
    stiffness: f32, // Σw·u
    z: f32, // Σw
}

fn nothing() -> Push {
    return Push(origin(), 0.0, 0.0);
}

fn pushed(by: Push, share: f32, apart: Place, squared: f32) -> Push {
    let kernel = tail(squared);
    let w = share * kernel.y;
    return Push(add_scaled(by.force, w * kernel.x, apart), by.stiffness + w * kernel.x, by.z + w);
}

@compute @workgroup_size(64)
fn repel(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    let own = positions[min(point, params.points - 1u)];
    // Blocks are whole workgroups, so all threads here share one sample.
    let offset = far_offset(point, control.present);
    var named = nothing();
    var radius = 0.0;
    var farthest = 0u;
    let lives = point < params.points && (marks[min(point, params.points - 1u)] & DEAD) == 0u;
    if lives {
        for (var place = 0u; place < params.ld_length; place += 1u) {
            let neighbour = ld[point * params.ld_length + place];
            let apart = difference(own, positions[neighbour]);
            let squared = squared_length(apart);
            if squared >= radius {
                radius = squared;
                farthest = place;
            }
            named = pushed(named, share_beside(neighbour, offset), apart, squared);
        }
    }
    // The point itself may be in the sample. Left out, not taken off afterwards: beside its weight of one, those of a
    // map that was blown up would be lost in rounding.
    let itself = select(EMPTY, (point - offset) / params.far_stride, is_sampled(point, offset));
    var others = nothing();
    let samples = (params.points - min(offset, params.points) + params.far_stride - 1u) / params.far_stride;
    for (var first = 0u; first < params.points / params.far_stride + 1u; first += TILE) {
        for (var at = local; at < TILE && first + at < samples; at += WORKGROUP) {
            let sampled = offset + (first + at) * params.far_stride;
            tile[at] = positions[sampled];
            tile_marks[at] = marks[sampled];
        }
        workgroupBarrier();
        let count = min(TILE, samples - min(first, samples));
        for (var at = 0u; at < count; at += 1u) {
            if (tile_marks[at] & DEAD) != 0u {
                continue;
            }
            let apart = difference(own, tile[at]);
            others = pushed(others, select(1.0, 0.0, first + at == itself), apart, squared_length(apart));
        }
        workgroupBarrier();
    }
    if lives {
        let weight = f32(params.far_stride);
        near[point] =
            vec4<f32>(radius, named.stiffness + weight * others.stiffness, named.z + weight * others.z, f32(farthest));
        forces[2u * point + 1u] = add_scaled(named.force, weight, others.force);
    } else if point < params.points {
        near[point] = vec4<f32>(0.0); // no part of Z, and nobody comes nearer than that
        forces[2u * point + 1u] = origin();
    }
}
