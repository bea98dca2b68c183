// Propose: looks for nearer rows among the neighbours of neighbours, in both spaces. Reads lists, writes none.
// One thread a point of the slice. CPU twin: cpu/propose.rs
//
// What a point finds for itself, and what it would be to others, goes to its row of `finds`. An inbox holds four slots
// a point; each keeps the nearest of the offers that fall into it. There are no 64-bit atomics everywhere, so it takes
// two rounds: `propose` leaves the smallest distance, `offer` the smallest point at that distance. The outcome does not
// depend on who comes first.
#import nevis::params::{params, Control, thread_number}
#import nevis::random::{below, hash, pcg}
#import nevis::lists::{NEW, POINT, EMPTY, FARTHEST, FRESH, DEAD, HUNGRY}
#import nevis::followed::{followed, followed_count}
#import nevis::metric::squared_distance

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(4) var<storage, read> hd_entries: array<u32>;
@group(0) @binding(5) var<storage, read> hd_distances: array<f32>;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(7) var<storage, read> ld: array<u32>; // [points][ld_length]
@group(0) @binding(8) var<storage, read_write> finds: array<vec2<u32>>; // [slice][FINDS own, OFFERED offered]: (row, distance)
@group(0) @binding(9) var<storage, read_write> inbox: array<atomic<u32>>; // [points][OFFERS distances, OFFERS rows]

const FINDS: u32 = 16u;
const OFFERED: u32 = 16u;
const OFFERS: u32 = 4u;
const FROM_EMBEDDING: u32 = 8u;
const ANYWHERE: u32 = 2u;
// Words of a filter that tells most strangers from members of a list without reading the list.
const FILTER: u32 = 8u;

struct Nearest {
    rows: array<u32, 16>,
    distances: array<f32, 16>,
}

var<private> own: Nearest;
var<private> offered: Nearest;
var<private> members: array<u32, FILTER>;

@compute @workgroup_size(64)
fn propose(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let offset = thread_number(group, groups, local);
    if offset >= control.slice_length {
        return;
    }
    let point = control.slice_start + offset;
    for (var at = 0u; at < FINDS; at += 1u) {
        own.rows[at] = EMPTY;
        own.distances[at] = FARTHEST;
        offered.rows[at] = EMPTY;
        offered.distances[at] = FARTHEST;
    }
    if (marks[point] & DEAD) == 0u {
        remember_members(point);
        look_at_neighbours(point);
        look_at_the_embedding(point);
        look_anywhere(point);
    }
    let row = offset * (FINDS + OFFERED);
    for (var at = 0u; at < FINDS; at += 1u) {
        finds[row + at] = vec2<u32>(own.rows[at], bitcast<u32>(own.distances[at]));
        finds[row + FINDS + at] = vec2<u32>(offered.rows[at], bitcast<u32>(offered.distances[at]));
        if offered.rows[at] != EMPTY {
            // Bits of a non-negative float ascend with it.
            atomicMin(&inbox[slot(offered.rows[at], point)], bitcast<u32>(offered.distances[at]));
        }
    }
}

// Signs the offers that won their slot.
@compute @workgroup_size(64)
fn offer(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let offset = thread_number(group, groups, local);
    if offset >= control.slice_length {
        return;
    }
    let point = control.slice_start + offset;
    let row = offset * (FINDS + OFFERED) + FINDS;
    for (var at = row; at < row + OFFERED && finds[at].x != EMPTY; at += 1u) {
        let place = slot(finds[at].x, point);
        if atomicLoad(&inbox[place]) == finds[at].y {
            atomicMin(&inbox[place + OFFERS], point);
        }
    }
}

fn slot(to: u32, source: u32) -> u32 {
    return to * 2u * OFFERS + pcg(source) % OFFERS;
}

fn look_at_neighbours(point: u32) {
    let count = followed_count();
    let hungry = (marks[point] & HUNGRY) != 0u;
    for (var number = 0u; number < count; number += 1u) {
        let entry = hd_entries[point * params.hd_length + followed(number)];
        let neighbour = entry & POINT;
        // Old neighbours of old neighbours were looked at when one of the two was new.
        if neighbour == EMPTY || ((entry & NEW) == 0u && (marks[neighbour] & FRESH) == 0u && !hungry) {
            continue;
        }
        for (var other = 0u; other < count; other += 1u) {
            let candidate = hd_entries[neighbour * params.hd_length + followed(other)];
            let looked_at = ((entry | candidate) & NEW) == 0u && !hungry;
            if !looked_at && (candidate & POINT) != EMPTY {
                look(point, candidate & POINT);
            }
        }
    }
}

fn look_at_the_embedding(point: u32) {
    let random = hash(params.seed, control.pass_number, point, ANYWHERE);
    for (var at = 0u; at < min(FROM_EMBEDDING, params.ld_length); at += 1u) {
        // The sum may wrap around in 32 bits where the twin's does not: reduce first.
        let place = (random % params.ld_length + at) % params.ld_length;
        let companion = ld[point * params.ld_length + place];
        if at % 2u == 0u {
            look(point, companion);
        } else {
            look(point, ld[companion * params.ld_length + place]);
        }
    }
}

fn look_anywhere(point: u32) {
    for (var draw = 0u; draw < ANYWHERE; draw += 1u) {
        let candidate = below(hash(params.seed, control.pass_number, point, draw), params.points);
        if (marks[candidate] & DEAD) == 0u {
            look(point, candidate);
        }
    }
}

fn look(point: u32, candidate: u32) {
    if candidate == point || is_member(point, candidate) {
        return;
    }
    let distance = squared_distance(point, candidate);
    if distance < hd_distances[(point + 1u) * params.hd_length - 1u] {
        keep_own(candidate, distance);
    }
    if distance < hd_distances[(candidate + 1u) * params.hd_length - 1u] && !lists(candidate, point) {
        keep_offered(candidate, distance);
    }
}

fn remember_members(point: u32) {
    for (var word = 0u; word < FILTER; word += 1u) {
        members[word] = 0u;
    }
    for (var at = 0u; at < params.hd_length; at += 1u) {
        let bit = pcg(hd_entries[point * params.hd_length + at] & POINT) % (32u * FILTER);
        members[bit / 32u] |= 1u << (bit % 32u);
    }
}

fn is_member(point: u32, candidate: u32) -> bool {
    let bit = pcg(candidate) % (32u * FILTER);
    return (members[bit / 32u] & (1u << (bit % 32u))) != 0u && lists(point, candidate);
}

// True if a point's list names another.
fn lists(point: u32, other: u32) -> bool {
    for (var at = point * params.hd_length; at < (point + 1u) * params.hd_length; at += 1u) {
        if (hd_entries[at] & POINT) == other {
            return true;
        }
    }
    return false;
}

fn keep_own(candidate: u32, distance: f32) {
    if !refused(&own, candidate, distance) {
        keep(&own, candidate, distance);
    }
}

fn keep_offered(candidate: u32, distance: f32) {
    if !refused(&offered, candidate, distance) {
        keep(&offered, candidate, distance);
    }
}

fn refused(nearest: ptr<private, Nearest>, candidate: u32, distance: f32) -> bool {
    if distance >= (*nearest).distances[FINDS - 1u] {
        return true;
    }
    for (var at = 0u; at < FINDS; at += 1u) {
        if (*nearest).rows[at] == candidate {
            return true;
        }
    }
    return false;
}

fn keep(nearest: ptr<private, Nearest>, candidate: u32, distance: f32) {
    var place = FINDS - 1u;
    while place > 0u && (*nearest).distances[place - 1u] > distance {
        (*nearest).rows[place] = (*nearest).rows[place - 1u];
        (*nearest).distances[place] = (*nearest).distances[place - 1u];
        place -= 1u;
    }
    (*nearest).rows[place] = candidate;
    (*nearest).distances[place] = distance;
}
