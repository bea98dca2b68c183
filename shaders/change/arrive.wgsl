// Arrive: a short search for the neighbours of a row that has just come or changed. It starts from what its list knows,
// from those who come with it and from a sample of all rows (the same for all), and walks from neighbour to neighbour, always on from the
// nearest that it has not been to. Its own list is what it walks along. One thread a point that the change is about; a
// row is written only by its owner, and rows of others that arrive are not read. CPU twin: cpu/arrive.rs
#import nevis::params::{params, Control, WORKGROUP, thread_number}
#import nevis::random::{below, hash}
#import nevis::lists::{NEW, NEXT, POINT, EMPTY, FARTHEST, DEAD, CHANGED, COMING}
#import nevis::metric::squared_distance
#import nevis::insert::{insert, hd_entries, hd_distances}
#import nevis::followed::{followed, followed_count}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(21) var<storage, read_write> swaps: array<vec2<u32>>; // here: the nearest that has a place
@group(0) @binding(24) var<storage, read> changes: array<vec2<u32>>; // [changed] point and marks

// Rows looked at to begin with, as a multiple of √N.
const SAMPLE: f32 = 4.0;
// Slots of a filter of rows already met.
const FILTER: u32 = 256u;

var<private> met: array<u32, FILTER>;
var<private> anchor: u32;
var<private> anchor_distance: f32;

@compute @workgroup_size(64)
fn arrive(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = thread_number(group, groups, local);
    if number >= params.changed || (changes[number].y & CHANGED) == 0u {
        return;
    }
    let point = changes[number].x;
    for (var at = 0u; at < FILTER; at += 1u) {
        met[at] = point;
    }
    anchor = EMPTY;
    anchor_distance = FARTHEST;
    look_at_own(point);
    let first = number - local;
    for (var other = first; other < min(first + WORKGROUP, params.changed); other += 1u) {
        look(point, changes[other].x);
    }
    let sample = max(u32(SAMPLE * sqrt(f32(params.points))), params.hd_length);
    for (var draw = 0u; draw < sample; draw += 1u) {
        look(point, below(hash(params.seed, control.iteration, EMPTY, draw), params.points));
    }
    walk(point);
    swaps[point] = vec2<u32>(anchor, 0u);
}

// What the list knows has its neighbours looked at, too.
fn look_at_own(point: u32) {
    for (var at = point * params.hd_length; at < (point + 1u) * params.hd_length; at += 1u) {
        let neighbour = hd_entries[at] & POINT;
        if neighbour != EMPTY {
            hd_entries[at] = neighbour | NEW;
            met[neighbour % FILTER] = neighbour;
            note_anchor(neighbour, hd_distances[at]);
        }
    }
}

fn walk(point: u32) {
    let row = point * params.hd_length;
    let count = followed_count();
    var at = row;
    while at < row + params.hd_length {
        let entry = hd_entries[at];
        if (entry & NEW) == 0u {
            at += 1u;
            continue;
        }
        let neighbour = entry & POINT;
        hd_entries[at] = neighbour;
        if (marks[neighbour] & CHANGED) != 0u {
            hd_entries[at] = neighbour | NEXT; // its list is being written: looked at later
            continue;
        }
        for (var number = 0u; number < count; number += 1u) {
            let candidate = hd_entries[neighbour * params.hd_length + followed(number)] & POINT;
            if candidate != EMPTY {
                look(point, candidate);
            }
        }
        at = row; // somebody nearer may have come in
    }
}

fn look(point: u32, candidate: u32) {
    if candidate == point || met[candidate % FILTER] == candidate || (marks[candidate] & DEAD) != 0u {
        return;
    }
    met[candidate % FILTER] = candidate;
    let distance = squared_distance(point, candidate);
    note_anchor(candidate, distance);
    insert(point, candidate, NEW, distance);
}

// Remembers the nearest that is in the embedding already.
fn note_anchor(candidate: u32, distance: f32) {
    if distance < anchor_distance && (marks[candidate] & COMING) == 0u {
        anchor = candidate;
        anchor_distance = distance;
    }
}
