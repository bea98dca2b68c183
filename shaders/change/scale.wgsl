// Scale: draws all points together or apart, as far as their size stays within what single precision can undo and move
// on from; whatever moved comes to rest. Points that are held firmly stay. One thread a point. CPU twin: Descent::scale
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::PINNED
#import nevis::place::{Place, origin, add_scaled}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(16) var<storage, read_write> positions: array<Place>;
@group(0) @binding(17) var<storage, read_write> velocity: array<Place>;

const SMALLEST_SIZE: f32 = 1e-6;
const LARGEST_SIZE: f32 = 1e6;

@compute @workgroup_size(64)
fn scale(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    var factor = 1.0;
    if control.size > 0.0 {
        factor = clamp(control.size * params.factor, SMALLEST_SIZE, LARGEST_SIZE) / control.size;
    }
    if params.stiffness < 1.0 || (marks[point] & PINNED) == 0u {
        positions[point] = add_scaled(origin(), factor, positions[point]);
    }
    velocity[point] = origin();
}
