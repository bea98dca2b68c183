// Mark: what points are from now on: free slots, living, held. Who comes or has changed is marked so until this stage runs
// a second time, when all that follows from it is done. One thread a point that the change is about.
#import nevis::params::{params, thread_number}
#import nevis::lists::{DIRTY, FRESH, DEAD, PINNED, CHANGED, COMING, HUNGRY}

@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(24) var<storage, read> changes: array<vec2<u32>>; // [changed] point and marks

@compute @workgroup_size(64)
fn mark(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = thread_number(group, groups, local);
    if number >= params.changed {
        return;
    }
    let change = changes[number];
    let before = marks[change.x];
    let passing = (before ^ change.y) & (CHANGED | COMING);
    marks[change.x] = (before & (DIRTY | FRESH | HUNGRY)) | (change.y & (DEAD | PINNED)) | passing;
}
