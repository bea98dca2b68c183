// Measure: the size of the embedding, the root mean square distance of the points from their centre, where that centre is,
// and how far it has drifted from the origin. One workgroup, once a frame, before recentre and before every move with a
// spring. CPU twin: Descent::extent
#import nevis::params::{params, Control}
#import nevis::lists::{DEAD, PINNED}
#import nevis::place::{Place, origin, difference, squared_length, add_scaled}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read> marks: array<u32>;
@group(0) @binding(16) var<storage, read> positions: array<Place>;
@group(0) @binding(26) var<storage, read_write> drift: array<Place>; // the centre, or nothing while a point is held; the centre

const THREADS: u32 = #{MEASURE_THREADS}u;

var<workgroup> sums: array<Place, THREADS>;
var<workgroup> squares: array<f32, THREADS>;
var<workgroup> held: atomic<u32>;

@compute @workgroup_size(#{MEASURE_THREADS})
fn measure(@builtin(local_invocation_index) local: u32) {
    if local == 0u {
        atomicStore(&held, 0u); // pipelines leave the memory of a workgroup as it was
    }
    workgroupBarrier();
    // Seen from one of the points, so that a distant cloud does not lose its size in the digits of its place.
    let here = positions[params.witness];
    var sum = origin();
    var square = 0.0;
    for (var point = local; point < params.points; point += THREADS) {
        if (marks[point] & DEAD) != 0u {
            continue;
        }
        if (marks[point] & PINNED) != 0u {
            atomicStore(&held, 1u);
        }
        let apart = difference(positions[point], here);
        sum = add_scaled(sum, 1.0, apart);
        square += squared_length(apart);
    }
    sums[local] = sum;
    squares[local] = square;
    workgroupBarrier();
    for (var reach = THREADS / 2u; reach > 0u; reach /= 2u) {
        if local < reach {
            sums[local] = add_scaled(sums[local], 1.0, sums[local + reach]);
            squares[local] += squares[local + reach];
        }
        workgroupBarrier();
    }
    if local == 0u {
        let points = f32(params.living);
        let mean = add_scaled(origin(), 1.0 / points, sums[0]);
        control.size = sqrt(max(squares[0] / points - squared_length(mean), 0.0));
        // Where some are held, the others stay beside them.
        let centre = add_scaled(here, 1.0, mean);
        drift[0] = origin();
        if atomicLoad(&held) == 0u {
            drift[0] = centre;
        }
        drift[1] = centre;
    }
}
