// Seat: a new point starts at the neighbour from which the others are least far in the embedding, weighted by their
// affinities, with a little noise: a mean would lie between clusters, in nobody's neighbourhood. `meet` then gives it the
// lists of neighbours there. One thread a point that the change is about. CPU twin: cpu/arrive.rs, Descent::put
#import nevis::gaussian::{Gaussian, similarity}
#import nevis::params::{params, Control, thread_number}
#import nevis::random::{below, hash, normal}
#import nevis::lists::{POINT, EMPTY, FARTHEST, DEAD, COMING}
#import nevis::place::{Place, origin, difference, squared_length, add_scaled}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(4) var<storage, read> hd_entries: array<u32>;
@group(0) @binding(5) var<storage, read> hd_distances: array<f32>;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(7) var<storage, read_write> ld: array<u32>;
@group(0) @binding(10) var<storage, read> gaussians: array<Gaussian>;
@group(0) @binding(16) var<storage, read_write> positions: array<Place>;
@group(0) @binding(17) var<storage, read_write> velocity: array<Place>;
@group(0) @binding(21) var<storage, read> swaps: array<vec2<u32>>; // here: the nearest that has a place
@group(0) @binding(24) var<storage, read> changes: array<vec2<u32>>; // [changed] point and marks

// Neighbours whose positions tell where a new point starts.
const GUIDES: u32 = 8u;
// Noise of its place, as a share of the embedding's size: duplicates need a reason to part.
const NOISE: f32 = 1e-4;
const DRAW_NOISE: u32 = 1048576u;
// Neighbours in the data whose neighbours in the embedding a new point gets to know.
const FRIENDS: u32 = 3u;
const DRAW_FILL: u32 = 2097152u;
const RANDOM_DRAWS: u32 = 64u; // after so many, everyone in turn

@compute @workgroup_size(64)
fn seat(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = thread_number(group, groups, local);
    if number >= params.changed || (changes[number].y & COMING) == 0u {
        return;
    }
    let point = changes[number].x;
    var place = origin();
    let chosen = medoid(point);
    if chosen != EMPTY {
        place = positions[chosen];
    } else if swaps[point].x != EMPTY {
        place = positions[swaps[point].x]; // all its neighbours come with it
    }
    positions[point] = add_scaled(place, NOISE * control.size, noise(point));
}

// The one of the nearest neighbours that is nearest to all of them; of equals the nearest to the point.
fn medoid(point: u32) -> u32 {
    let gaussian = gaussians[point];
    var guides: array<u32, GUIDES>;
    var weights: array<f32, GUIDES>;
    var count = 0u;
    for (var at = point * params.hd_length; at < (point + 1u) * params.hd_length && count < GUIDES; at += 1u) {
        let guide = hd_entries[at] & POINT;
        if guide == EMPTY {
            break;
        }
        if (marks[guide] & COMING) != 0u {
            continue; // it has no place either
        }
        guides[count] = guide;
        weights[count] = similarity(gaussian, hd_distances[at]);
        count += 1u;
    }
    var chosen = EMPTY;
    var least = FARTHEST;
    for (var one = 0u; one < count; one += 1u) {
        var cost = 0.0;
        for (var other = 0u; other < count; other += 1u) {
            let apart = difference(positions[guides[one]], positions[guides[other]]);
            cost += weights[other] * sqrt(squared_length(apart));
        }
        if cost < least {
            least = cost;
            chosen = guides[one];
        }
    }
    return chosen;
}

#if CHUNKS == 0
fn noise(point: u32) -> Place {
    return Place(vec2<f32>(noise_on(point, 0u), noise_on(point, 1u)));
}
#else if CHUNKS == 1
fn noise(point: u32) -> Place {
    return Place(vec4<f32>(noise_on(point, 0u), noise_on(point, 1u), noise_on(point, 2u), noise_on(point, 3u)));
}
#else
fn noise(point: u32) -> Place {
    var place = origin();
    for (var chunk = 0u; chunk < #{CHUNKS}u; chunk += 1u) {
        let axis = 4u * chunk;
        place.v[chunk] = vec4<f32>(
            noise_on(point, axis), noise_on(point, axis + 1u), noise_on(point, axis + 2u), noise_on(point, axis + 3u));
    }
    return place;
}
#endif

fn noise_on(point: u32, axis: u32) -> f32 {
    if axis >= params.dims {
        return 0.0;
    }
    let first = hash(params.seed, control.iteration, point, DRAW_NOISE + 2u * axis);
    let second = hash(params.seed, control.iteration, point, DRAW_NOISE + 2u * axis + 1u);
    return normal(first, second);
}

// The nearest candidate so far that is not in the list yet.
struct Best {
    squared: f32,
    candidate: u32,
}

var<private> filled: u32;
var<private> best: Best;

// Lists of those who have a place already, among the neighbours in the data and whom they know; then of anyone who lives.
@compute @workgroup_size(64)
fn meet(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = thread_number(group, groups, local);
    if number >= params.changed || (changes[number].y & COMING) == 0u {
        return;
    }
    let point = changes[number].x;
    velocity[point] = origin();
    filled = 0u;
    while filled < params.ld_length {
        best = Best(FARTHEST, EMPTY);
        try_all(point);
        if best.candidate == EMPTY {
            break;
        }
        take(point, best.candidate);
    }
    for (var draw = 0u; filled < params.ld_length && draw < RANDOM_DRAWS + params.points; draw += 1u) {
        if draw < RANDOM_DRAWS {
            take(point, below(hash(params.seed, control.iteration, point, DRAW_FILL + draw), params.points));
        } else {
            take(point, draw % params.points);
        }
    }
}

fn try_all(point: u32) {
    var friends = 0u;
    for (var at = point * params.hd_length; at < (point + 1u) * params.hd_length; at += 1u) {
        let neighbour = hd_entries[at] & POINT;
        if neighbour == EMPTY {
            break;
        }
        if (marks[neighbour] & COMING) != 0u {
            continue; // its list is being written
        }
        try_one(point, neighbour);
        if friends < FRIENDS {
            friends += 1u;
            for (var place = 0u; place < params.ld_length; place += 1u) {
                try_one(point, ld[neighbour * params.ld_length + place]);
            }
        }
    }
}

fn try_one(point: u32, candidate: u32) {
    if candidate == point || (marks[candidate] & (DEAD | COMING)) != 0u {
        return;
    }
    let squared = squared_length(difference(positions[point], positions[candidate]));
    let nearer = squared < best.squared || (squared == best.squared && candidate < best.candidate);
    if nearer && !is_listed(point, candidate) {
        best = Best(squared, candidate);
    }
}

// Takes a candidate in, if it lives and is not there yet.
fn take(point: u32, candidate: u32) {
    if candidate == point || (marks[candidate] & DEAD) != 0u || is_listed(point, candidate) {
        return;
    }
    ld[point * params.ld_length + filled] = candidate;
    filled += 1u;
}

fn is_listed(point: u32, candidate: u32) -> bool {
    for (var at = point * params.ld_length; at < point * params.ld_length + filled; at += 1u) {
        if ld[at] == candidate {
            return true;
        }
    }
    return false;
}
