// Squeeze: one step of squeezing out the axes that leave. One thread a point; after the moves of an iteration, or by
// itself while nothing moves. CPU twin: Descent::squeeze
#import nevis::params::{params, Control, thread_number}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(16) var<storage, read_write> positions: array<f32>; // [points][stride of dims]
@group(0) @binding(17) var<storage, read_write> velocity: array<f32>;

// Steps over which axes are squeezed out.
const SQUEEZE: u32 = 40u;

// Values per position: two, four, or several times four.
fn stride(dims: u32) -> u32 {
    return select(((dims + 3u) / 4u) * 4u, 2u, dims <= 2u);
}

// The share that is left after so many steps.
fn left(done: u32) -> f32 {
    let gone = f32(done) / f32(SQUEEZE);
    return 1.0 - gone * gone * (3.0 - 2.0 * gone);
}

@compute @workgroup_size(64)
fn squeeze(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let done = control.iteration - params.squeezed_from; // steps done after this one, from 1 on
    var factor = 0.0;
    if done < SQUEEZE {
        factor = left(done) / left(done - 1u);
    }
    for (var axis = params.kept_dims; axis < params.dims; axis += 1u) {
        let at = point * stride(params.dims) + axis;
        positions[at] *= factor;
        velocity[at] *= factor;
    }
}
