// Relist: lists of neighbours in the embedding of another length, or without those who left: what was known before, then
// the neighbours in the data, then anyone who lives. One thread a point. CPU twin: start::resized_ld_lists
#import nevis::params::{params, thread_number}
#import nevis::random::{below, hash}
#import nevis::lists::{POINT, EMPTY, DEAD}

@group(0) @binding(4) var<storage, read> hd_entries: array<u32>;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(7) var<storage, read_write> ld: array<u32>; // [points][ld_length]
@group(0) @binding(24) var<storage, read> old_ld: array<u32>; // [points][old_ld_length]

const BEFORE: u32 = 0xffffffffu; // "iteration" of the random numbers of this stage
const RANDOM_DRAWS: u32 = 64u; // after so many, everyone in turn

var<private> filled: u32;

@compute @workgroup_size(64)
fn relist(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points || (marks[point] & DEAD) != 0u {
        return;
    }
    filled = 0u;
    for (var place = 0u; place < params.old_ld_length; place += 1u) {
        take(point, old_ld[point * params.old_ld_length + place]);
    }
    for (var place = 0u; place < params.hd_length; place += 1u) {
        let neighbour = hd_entries[point * params.hd_length + place] & POINT;
        if neighbour == EMPTY {
            break;
        }
        take(point, neighbour);
    }
    for (var draw = 0u; filled < params.ld_length && draw < RANDOM_DRAWS + params.points; draw += 1u) {
        if draw < RANDOM_DRAWS {
            take(point, below(hash(params.seed, BEFORE, point, draw), params.points));
        } else {
            take(point, draw % params.points);
        }
    }
}

// Takes a candidate in, if there is room and it is not there yet.
fn take(point: u32, candidate: u32) {
    if filled == params.ld_length || candidate == point || (marks[candidate] & DEAD) != 0u {
        return;
    }
    let row = point * params.ld_length;
    for (var at = row; at < row + filled; at += 1u) {
        if ld[at] == candidate {
            return;
        }
    }
    ld[row + filled] = candidate;
    filled += 1u;
}
