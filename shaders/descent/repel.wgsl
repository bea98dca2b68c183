// Repel: pushes a point away from its neighbours in the embedding (exactly) and from everything outside that
// neighbourhood (sampled). One thread a point; the workgroup shares the sample. CPU twin: cpu/repel.rs, cpu/far.rs
#import nevis::params::{params, Control, WORKGROUP, thread_number}
#import nevis::random::hash
#import nevis::place::{Place, origin, difference, squared_length, add_scaled}
#import nevis::tail::tail
#import nevis::lists::DEAD

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(7) var<storage, read> ld: array<u32>;
@group(0) @binding(16) var<storage, read> positions: array<Place>;
@group(0) @binding(18) var<storage, read_write> forces: array<Place>; // [points][pull, push]
@group(0) @binding(19) var<storage, read_write> near: array<vec4<f32>>; // radius², exact within, Σw, place of the farthest

const BLOCK: u32 = 512u; // points that share one sample
const DRAW: u32 = 8u;
const CROWDED: f32 = 0.1;
const NOBODY: f32 = 0.0;
const TILE: u32 = #{TILE}u;

var<workgroup> tile: array<Place, TILE>;
var<workgroup> tile_marks: array<u32, TILE>;

@compute @workgroup_size(64)
fn repel(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    let own = positions[min(point, params.points - 1u)];
    var push = origin();
    var z = 0.0;
    var radius = 0.0;
    var farthest = 0u;
    let lives = point < params.points && (marks[min(point, params.points - 1u)] & DEAD) == 0u;
    if lives {
        for (var place = 0u; place < params.ld_length; place += 1u) {
            let apart = difference(own, positions[ld[point * params.ld_length + place]]);
            let squared = squared_length(apart);
            if squared >= radius {
                radius = squared;
                farthest = place;
            }
            let kernel = tail(squared);
            z += kernel.y;
            push = add_scaled(push, kernel.y * kernel.x, apart);
        }
    }
    var exact_within = radius;
    if params.far_stride == 1u || radius < CROWDED {
        // The sample counts everyone but who lies right here, as the point itself does.
        push = origin();
        z = 0.0;
        exact_within = NOBODY;
    }
    // Blocks are whole workgroups, so all threads here share one sample.
    let block = (point / BLOCK) * BLOCK;
    let offset = hash(params.seed, control.present, block, DRAW) & (params.far_stride - 1u);
    var far_push = origin();
    var far_z = 0.0;
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
            let squared = squared_length(apart);
            let kernel = tail(squared);
            let weight = select(0.0, kernel.y, squared > exact_within);
            far_z += weight;
            far_push = add_scaled(far_push, weight * kernel.x, apart);
        }
        workgroupBarrier();
    }
    if lives {
        let weight = f32(params.far_stride);
        near[point] = vec4<f32>(radius, exact_within, z + weight * far_z, f32(farthest));
        forces[2u * point + 1u] = add_scaled(push, weight, far_push);
    } else if point < params.points {
        near[point] = vec4<f32>(0.0); // no part of Z, and nobody comes nearer than that
        forces[2u * point + 1u] = origin();
    }
}
