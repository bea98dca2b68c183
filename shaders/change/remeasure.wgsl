// Remeasure: every list anew, after a change of the metric. One thread a point. CPU twin: Search::remeasure
#import nevis::gaussian::Gaussian
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::{NEW, POINT, EMPTY, DIRTY, FRESH}
#import nevis::metric::squared_distance

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(4) var<storage, read_write> hd_entries: array<u32>;
@group(0) @binding(5) var<storage, read_write> hd_distances: array<f32>;
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(10) var<storage, read_write> gaussians: array<Gaussian>;

@compute @workgroup_size(64)
fn remeasure(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let row = point * params.hd_length;
    for (var at = row; at < row + params.hd_length; at += 1u) {
        let entry = hd_entries[at];
        if (entry & POINT) == EMPTY {
            break;
        }
        let distance = squared_distance(point, entry & POINT);
        var place = at;
        while place > row && hd_distances[place - 1u] > distance {
            hd_entries[place] = hd_entries[place - 1u];
            hd_distances[place] = hd_distances[place - 1u];
            place -= 1u;
        }
        hd_entries[place] = entry | NEW;
        hd_distances[place] = distance;
    }
    marks[point] |= DIRTY | FRESH;
    gaussians[point] = Gaussian(); // distances changed by orders of magnitude: no warm start
    if point == 0u {
        control.rate = 1.0;
    }
}
