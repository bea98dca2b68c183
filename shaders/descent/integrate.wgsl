// Integrate: moves every point by its momentum and one gradient step. One thread a point. CPU twin: cpu/integrate.rs
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::{DEAD, PINNED}
#import nevis::place::{Place, origin, squared_length, add_scaled}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(16) var<storage, read_write> positions: array<Place>;
@group(0) @binding(17) var<storage, read_write> velocity: array<Place>;
@group(0) @binding(18) var<storage, read> forces: array<Place>;

// Longest move of a point in one iteration, so that a kick from a bad sample stays a kick.
const MAX_MOVE: f32 = 5.0;
// The exponent of infinities and of what is not a number: tests on the values themselves may be optimised away.
const NOT_FINITE: u32 = 0x7f800000u;

@compute @workgroup_size(64)
fn integrate(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points || (marks[point] & DEAD) != 0u {
        return;
    }
    let step = 4.0 * params.step * control.annealed / control.exaggeration;
    let attraction = params.attraction * control.exaggeration;
    let repulsion = params.repulsion * f32(params.living) / max(control.z, 1.17549435e-38);
    var move_by = add_scaled(origin(), control.momentum, velocity[point]);
    move_by = add_scaled(move_by, -step * attraction, forces[2u * point]);
    move_by = add_scaled(move_by, step * repulsion, forces[2u * point + 1u]);
    if (marks[point] & PINNED) != 0u {
        move_by = add_scaled(origin(), 1.0 - params.stiffness, move_by);
    }
    let squared = squared_length(move_by);
    if (bitcast<u32>(squared) & NOT_FINITE) == NOT_FINITE { // the point rests, so that it cannot spread
        velocity[point] = origin();
        atomicMin(&control.quarantined, point);
        return;
    }
    let length = sqrt(squared);
    if length > MAX_MOVE {
        move_by = add_scaled(origin(), MAX_MOVE / length, move_by);
    }
    velocity[point] = move_by;
    positions[point] = add_scaled(positions[point], 1.0, move_by);
}
