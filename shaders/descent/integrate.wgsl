// Integrate: moves every point by its momentum and one gradient step, as long as the stiffness of its forces allows. One
// thread a point; after measure where there is a spring. CPU twin: cpu/integrate.rs
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::{DEAD, PINNED}
#import nevis::place::{Place, origin, difference, squared_length, add_scaled}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(16) var<storage, read_write> positions: array<Place>;
@group(0) @binding(17) var<storage, read_write> velocity: array<Place>;
@group(0) @binding(18) var<storage, read> forces: array<Place>;
@group(0) @binding(19) var<storage, read> near: array<vec4<f32>>; // its y and z: Σw·u and Σp·u
@group(0) @binding(26) var<storage, read> drift: array<Place>; // its second: the centre
@group(0) @binding(27) var<storage, read> anchors: array<Place>; // around the origin, of size 1; one of nothing without a spring

// Longest move of a point in one iteration, in units of the kernel's length √α.
const MAX_MOVE: f32 = 5.0;
// A step is at most this share of the longest that is stable.
const STEP_LIMIT: f32 = 0.92;
// Z is at least this for each point: where all weights are as good as none, nobody pushes.
const LEAST_WEIGHT: f32 = 1e-30;
// Where repulsion exceeds attraction: at least this for each point and √N, times what attraction does not balance.
const THINNEST: f32 = 0.12;
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
    let living = f32(params.living);
    let attraction = params.attraction * control.exaggeration;
    let excess = clamp(1.0 - params.attraction / max(params.repulsion, LEAST_WEIGHT), 0.0, 1.0);
    let least = max(THINNEST * excess * sqrt(living), LEAST_WEIGHT);
    let repulsion = params.repulsion * (living / max(control.z, least * living));
    let step = 4.0 * control.annealed * limited(params.step / control.exaggeration, attraction, repulsion, near[point]);
    var move_by = add_scaled(origin(), control.momentum, velocity[point]);
    move_by = add_scaled(move_by, -step * attraction, forces[2u * point]);
    move_by = add_scaled(move_by, step * repulsion, forces[2u * point + 1u]);
    if params.spring > 0.0 {
        // At the place and in the size of the embedding, so that the spring neither moves nor scales it.
        let anchor = add_scaled(drift[1], control.size, anchors[point]);
        move_by = add_scaled(move_by, -step * params.spring, difference(positions[point], anchor));
    }
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
    let longest = MAX_MOVE * sqrt(params.alpha);
    if length > longest {
        move_by = add_scaled(origin(), longest / length, move_by);
    }
    velocity[point] = move_by;
    positions[point] = add_scaled(positions[point], 1.0, move_by);
}

// The step of a point whose forces are this stiff.
fn limited(step: f32, attraction: f32, repulsion: f32, stiffness: vec4<f32>) -> f32 {
    let rate = 4.0 * (attraction * stiffness.z + repulsion * max(stiffness.y, 0.0) + params.spring);
    let limit = STEP_LIMIT * (1.0 + control.momentum);
    if step * rate > limit {
        return limit / rate;
    }
    return step;
}
