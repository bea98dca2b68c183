// Recentre: takes the drift off all positions, and draws them together where the embedding has outgrown any size at which
// pull and push can be in balance. Points that are held stay. One thread a point, after measure, once in several
// iterations. CPU twin: cpu/integrate.rs, which does it with every move
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::{DEAD, PINNED}
#import nevis::place::{Place, origin, add_scaled}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(16) var<storage, read_write> positions: array<Place>;
@group(0) @binding(26) var<storage, read> drift: array<Place>;

// Kernel lengths √α for each √N that an embedding is kept within.
const LARGEST: f32 = 5.0;

@compute @workgroup_size(64)
fn recentre(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points || (marks[point] & (DEAD | PINNED)) != 0u {
        return;
    }
    // What settles comes to rest.
    let governed = control.annealed * params.governed;
    let recentred = control.annealed * params.recentred;
    let largest = LARGEST * sqrt(params.alpha * f32(params.living));
    var shrink = 1.0;
    if control.size > largest {
        shrink = 1.0 - governed * (1.0 - largest / control.size);
    }
    let moved = add_scaled(positions[point], -recentred, drift[0]);
    positions[point] = add_scaled(origin(), shrink, moved);
}
