// Normalise: Z, the sum of the similarities of all pairs, from the sums that attract left. One workgroup.
// CPU twin: the sum in cpu/forces.rs
#import nevis::params::{params, Control, WORKGROUP}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(20) var<storage, read> partials: array<f32>;

const THREADS: u32 = 256u;

var<workgroup> z_sums: array<f32, THREADS>;

@compute @workgroup_size(256)
fn normalise(@builtin(local_invocation_index) local: u32) {
    let groups = (params.points + WORKGROUP - 1u) / WORKGROUP;
    var z = 0.0;
    for (var at = local; at < groups; at += THREADS) {
        z += partials[at];
    }
    z_sums[local] = z;
    workgroupBarrier();
    for (var reach = THREADS / 2u; reach > 0u; reach /= 2u) {
        if local < reach {
            z_sums[local] += z_sums[local + reach];
        }
        workgroupBarrier();
    }
    if local == 0u {
        control.z = z_sums[0];
    }
}
