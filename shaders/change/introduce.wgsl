// Introduce: those who have come or changed offer themselves to the neighbours that they have found, in two rounds as
// search/propose.wgsl does; merge takes the offers in. One thread a point that the change is about.
#import nevis::params::{params, thread_number}
#import nevis::random::pcg
#import nevis::lists::{POINT, EMPTY, CHANGED}

@group(0) @binding(4) var<storage, read> hd_entries: array<u32>;
@group(0) @binding(5) var<storage, read> hd_distances: array<f32>;
@group(0) @binding(9) var<storage, read_write> inbox: array<atomic<u32>>; // [points][OFFERS distances, OFFERS rows]
@group(0) @binding(24) var<storage, read> changes: array<vec2<u32>>; // [changed] point and marks

const OFFERS: u32 = 4u;

@compute @workgroup_size(64)
fn introduce(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = thread_number(group, groups, local);
    if number >= params.changed || (changes[number].y & CHANGED) == 0u {
        return;
    }
    let point = changes[number].x;
    for (var at = point * params.hd_length; at < (point + 1u) * params.hd_length; at += 1u) {
        let neighbour = hd_entries[at] & POINT;
        if wants(neighbour, point, hd_distances[at]) {
            atomicMin(&inbox[slot(neighbour, point)], bitcast<u32>(hd_distances[at]));
        }
    }
}

// Signs the offers that won their slot.
@compute @workgroup_size(64)
fn sign_offers(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = thread_number(group, groups, local);
    if number >= params.changed || (changes[number].y & CHANGED) == 0u {
        return;
    }
    let point = changes[number].x;
    for (var at = point * params.hd_length; at < (point + 1u) * params.hd_length; at += 1u) {
        let neighbour = hd_entries[at] & POINT;
        if wants(neighbour, point, hd_distances[at]) {
            let place = slot(neighbour, point);
            if atomicLoad(&inbox[place]) == bitcast<u32>(hd_distances[at]) {
                atomicMin(&inbox[place + OFFERS], point);
            }
        }
    }
}

// True if a neighbour's list would take a point in.
fn wants(neighbour: u32, point: u32, distance: f32) -> bool {
    if neighbour == EMPTY || distance >= hd_distances[(neighbour + 1u) * params.hd_length - 1u] {
        return false;
    }
    for (var at = neighbour * params.hd_length; at < (neighbour + 1u) * params.hd_length; at += 1u) {
        if (hd_entries[at] & POINT) == point {
            return false;
        }
    }
    return true;
}

fn slot(to: u32, source: u32) -> u32 {
    return to * 2u * OFFERS + pcg(source) % OFFERS;
}
