// Merge: takes finds and offers into the lists. One thread a point; a row is written only by its owner.
// CPU twin: cpu/merge.rs
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::{NEW, NEXT, EMPTY, FARTHEST, DIRTY, FRESH, HUNGRY, LOST_MUCH}
#import nevis::insert::{insert, hd_entries, hd_distances}
#import nevis::followed::followed_far_start

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(8) var<storage, read> finds: array<vec2<u32>>; // as propose.wgsl leaves them
@group(0) @binding(9) var<storage, read_write> inbox: array<u32>;

const FINDS: u32 = 16u;
const OFFERED: u32 = 16u;
const OFFERS: u32 = 4u;
const FREE: u32 = 0xffffffffu;
// As a multiple of the distance (squared) of the last that counts.
const REACH: f32 = 1.5;

// Counted in the workgroup first: one address for all points would be a queue.
var<workgroup> found: atomic<u32>;
var<workgroup> changed: atomic<u32>;

@compute @workgroup_size(64)
fn merge(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if local == 0u {
        atomicStore(&found, 0u);
        atomicStore(&changed, 0u);
    }
    workgroupBarrier();
    if point < params.points {
        let middle = point * params.hd_length + params.hd_length / 2u;
        let half = hd_distances[middle];
        let plausible = plausible_distance(point);
        let gained = take_finds(point, plausible);
        let received = take_offers(point, plausible);
        if gained && (!is_patient() || hd_distances[middle] < half) {
            atomicAdd(&found, 1u);
        }
        if gained || received {
            atomicAdd(&changed, 1u);
            marks[point] |= DIRTY;
        }
    }
    workgroupBarrier();
    if local == 0u {
        atomicAdd(&control.found, atomicLoad(&found));
        atomicAdd(&control.changed, atomicLoad(&changed));
    }
}

// True if points have left lately.
fn is_patient() -> bool {
    return control.iteration < params.patient_until;
}

// Where points leave all the time there always are a few free places, and no hurry to fill them: what is farther away
// than this merely fills a place, and nobody need follow it.
fn plausible_distance(point: u32) -> f32 {
    let last = (point + 1u) * params.hd_length - 1u;
    if !is_patient() || hd_distances[last] < FARTHEST {
        return FARTHEST;
    }
    let known = hd_distances[last - params.hd_length / LOST_MUCH];
    return select(REACH * known, FARTHEST, known == FARTHEST);
}

fn take_finds(point: u32, plausible: f32) -> bool {
    if point < control.slice_start || point >= control.slice_start + control.slice_length {
        return false;
    }
    marks[point] &= ~HUNGRY; // it has looked
    var gained = false;
    let row = (point - control.slice_start) * (FINDS + OFFERED);
    for (var at = row; at < row + FINDS && finds[at].x != EMPTY; at += 1u) {
        let distance = bitcast<f32>(finds[at].y);
        gained = insert(point, finds[at].x, select(0u, NEXT, distance < plausible), distance) || gained;
    }
    return gained;
}

fn take_offers(point: u32, plausible: f32) -> bool {
    var received = false;
    let row = point * 2u * OFFERS;
    for (var at = row; at < row + OFFERS; at += 1u) {
        if inbox[at + OFFERS] != FREE {
            let distance = bitcast<f32>(inbox[at]);
            received = insert(point, inbox[at + OFFERS], select(0u, NEXT, distance < plausible), distance) || received;
        }
        inbox[at] = FREE;
        inbox[at + OFFERS] = FREE;
    }
    return received;
}

// Ends a pass over all points: what was new in a followed place has been looked at, what came in is new.
@compute @workgroup_size(64)
fn end_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let near = min(params.followed_near, params.hd_length);
    let far = followed_far_start();
    var fresh = false;
    for (var place = 0u; place < params.hd_length; place += 1u) {
        let at = point * params.hd_length + place;
        let is_followed = place < near || place >= far;
        var entry = hd_entries[at];
        if is_followed {
            entry &= ~NEW;
        }
        entry = (entry & ~NEXT) | ((entry & NEXT) << 1u);
        hd_entries[at] = entry;
        fresh = fresh || (is_followed && (entry & NEW) != 0u);
    }
    marks[point] = (marks[point] & ~FRESH) | select(0u, FRESH, fresh);
}
