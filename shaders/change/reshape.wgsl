// Reshape: goes on in another number of dimensions. Axes that leave are dropped, axes that come are opened with noise of
// a hundredth of the embedding's size. One thread a point. CPU twin: Descent::set_dims
#import nevis::params::{params, Control, thread_number}
#import nevis::random::{hash, normal}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(16) var<storage, read_write> positions: array<f32>; // [points][stride of dims]
@group(0) @binding(17) var<storage, read_write> velocity: array<f32>;
@group(0) @binding(24) var<storage, read> old_positions: array<f32>; // [points][stride of old_dims]
@group(0) @binding(25) var<storage, read> old_velocity: array<f32>;

const NOISE: f32 = 0.01;
const OPENING: u32 = 0xfffffffeu; // "iteration" of the random numbers of this stage

// Values per position: two, four, or several times four.
fn stride(dims: u32) -> u32 {
    return select(((dims + 3u) / 4u) * 4u, 2u, dims <= 2u);
}

@compute @workgroup_size(64)
fn reshape(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    for (var axis = 0u; axis < stride(params.dims); axis += 1u) {
        var position = 0.0;
        var speed = 0.0;
        if axis < min(params.dims, params.old_dims) {
            position = old_positions[point * stride(params.old_dims) + axis];
            speed = old_velocity[point * stride(params.old_dims) + axis];
        } else if axis < params.dims {
            let first = hash(params.seed, OPENING, point, 2u * axis);
            let second = hash(params.seed, OPENING, point, 2u * axis + 1u);
            position = NOISE * control.size * normal(first, second);
        }
        positions[point * stride(params.dims) + axis] = position;
        velocity[point * stride(params.dims) + axis] = speed;
    }
}
