// Resize: lists of nearest rows of another length; the farthest leave, or empty places come in and everything is to be
// looked at again. Also makes the first lists, which are empty. One thread a point. CPU twin: Lists::resize
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::{NEW, POINT, EMPTY, FARTHEST, DIRTY, FRESH}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(4) var<storage, read_write> hd_entries: array<u32>;
@group(0) @binding(5) var<storage, read_write> hd_distances: array<f32>;
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(24) var<storage, read> old_entries: array<u32>; // [points][old_length]
@group(0) @binding(25) var<storage, read> old_distances: array<f32>;

@compute @workgroup_size(64)
fn resize(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let longer = params.hd_length > params.old_length;
    for (var place = 0u; place < params.hd_length; place += 1u) {
        let at = point * params.hd_length + place;
        var entry = EMPTY;
        var distance = FARTHEST;
        if place < params.old_length {
            entry = old_entries[point * params.old_length + place];
            distance = old_distances[point * params.old_length + place];
            if longer && (entry & POINT) != EMPTY {
                entry |= NEW;
            }
        }
        hd_entries[at] = entry;
        hd_distances[at] = distance;
    }
    marks[point] |= DIRTY;
    if longer {
        marks[point] |= FRESH;
        if point == 0u {
            control.rate = 1.0;
        }
    }
}
