// Follow: keeps the lists of neighbours in the embedding up to date while points move. `follow` tries a few candidates
// and notes the best; `apply` makes the changes when all points are done. One thread a point. CPU twin: cpu/follow.rs
#import nevis::params::{params, Control, thread_number}
#import nevis::random::{below, hash, rotate_left}
#import nevis::lists::{DEAD, EMPTY}
#import nevis::place::{Place, difference, squared_length}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(7) var<storage, read_write> ld: array<u32>;
@group(0) @binding(13) var<storage, read> rows: array<vec2<u32>>;
@group(0) @binding(14) var<storage, read> edge_neighbours: array<u32>;
@group(0) @binding(16) var<storage, read> positions: array<Place>;
@group(0) @binding(19) var<storage, read> near: array<vec4<f32>>;
@group(0) @binding(21) var<storage, read_write> swaps: array<vec2<u32>>; // place in the list, and who comes in (EMPTY: nobody)

const FROM_COMPANION: u32 = 5u;
const DRAW: u32 = 16u;

// The distance to beat, and who beats it.
struct Best {
    squared: f32,
    candidate: u32,
}

@compute @workgroup_size(64)
fn follow(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let random = hash(params.seed, control.present, point, DRAW);
    let neighbours = vec2<u32>(point * params.ld_length, params.ld_length);
    let affine = rows[point];
    var companion = ld[neighbours.x + below(random, neighbours.y)];
    var affine_companion = ld[neighbours.x + below(rotate_left(random, 16u), neighbours.y)];
    if affine.y > 0u {
        if control.present % 2u == 1u {
            companion = edge_neighbours[affine.x + below(random, affine.y)];
        }
        affine_companion = edge_neighbours[affine.x + below(rotate_left(random, 16u), affine.y)];
    }
    var best = Best(near[point].x, EMPTY);
    var at = below(rotate_left(random, 8u), params.ld_length);
    for (var number = 0u; number < FROM_COMPANION; number += 1u) {
        best = nearer(point, ld[companion * params.ld_length + at], best);
        at = select(at + 1u, 0u, at + 1u == params.ld_length);
    }
    best = nearer(point, companion, best);
    best = nearer(point, affine_companion, best);
    // A point that moves in from elsewhere is met by chance alone.
    let anybody = below(hash(params.seed, control.present, point, DRAW + 1u), params.points);
    if (marks[anybody] & DEAD) == 0u {
        best = nearer(point, anybody, best);
    }
    swaps[point] = vec2<u32>(u32(near[point].w), best.candidate);
}

// The better of the best so far and a candidate that is not in the list yet.
fn nearer(point: u32, candidate: u32, best: Best) -> Best {
    let squared = squared_length(difference(positions[point], positions[candidate]));
    if squared >= best.squared || candidate == point {
        return best;
    }
    for (var at = point * params.ld_length; at < (point + 1u) * params.ld_length; at += 1u) {
        if ld[at] == candidate {
            return best;
        }
    }
    return Best(squared, candidate);
}

@compute @workgroup_size(64)
fn apply(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let swap = swaps[point];
    if swap.y != EMPTY {
        ld[point * params.ld_length + swap.x] = swap.y;
    }
}
