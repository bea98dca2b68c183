// Forget: takes points that left out of everybody's lists of nearest rows, and measures those anew whose data has changed.
// Places that become free are found again by refinement; a list that has lost much is hungry.
// One thread a point. CPU twin: cpu/forget.rs
#import nevis::gaussian::Gaussian
#import nevis::params::{params, Control, thread_number}
#import nevis::lists::{NEXT, POINT, EMPTY, FARTHEST, DIRTY, DEAD, CHANGED, COMING, HUNGRY, LOST_MUCH}
#import nevis::metric::squared_distance

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(4) var<storage, read_write> hd_entries: array<u32>;
@group(0) @binding(5) var<storage, read_write> hd_distances: array<f32>;
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(10) var<storage, read_write> gaussians: array<Gaussian>;

// A larger share of the points than this in one change is worth a search.
const MANY: f32 = 0.02;

@compute @workgroup_size(64)
fn forget(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    if point == 0u {
        count_changes();
    }
    let own = marks[point];
    if (own & (DEAD | COMING)) != 0u {
        clear(point, 0u); // a free slot, or one that was
        gaussians[point] = Gaussian();
        marks[point] = (own | DIRTY) & ~HUNGRY;
        return;
    }
    let row = point * params.hd_length;
    var kept = 0u;
    var touched = false;
    for (var at = row; at < row + params.hd_length; at += 1u) {
        var entry = hd_entries[at];
        var distance = hd_distances[at];
        if (entry & POINT) == EMPTY {
            break;
        }
        let other = marks[entry & POINT];
        if (other & DEAD) != 0u {
            touched = true;
            continue;
        }
        if ((own | other) & CHANGED) != 0u {
            entry |= NEXT;
            distance = squared_distance(point, entry & POINT);
            touched = true;
        }
        var place = row + kept;
        while place > row && hd_distances[place - 1u] > distance {
            hd_entries[place] = hd_entries[place - 1u];
            hd_distances[place] = hd_distances[place - 1u];
            place -= 1u;
        }
        hd_entries[place] = entry;
        hd_distances[place] = distance;
        kept += 1u;
    }
    if !touched {
        return;
    }
    clear(point, kept);
    let hungry = (params.hd_length - kept) * LOST_MUCH >= params.hd_length;
    marks[point] = (own & ~HUNGRY) | DIRTY | select(0u, HUNGRY, hungry);
}

// Empties a list from a place on.
fn clear(point: u32, first: u32) {
    for (var place = first; place < params.hd_length; place += 1u) {
        hd_entries[point * params.hd_length + place] = EMPTY;
        hd_distances[point * params.hd_length + place] = FARTHEST;
    }
}

// What so many changed points mean for the search and the affinities. No slice is under way: nobody's finds count.
fn count_changes() {
    let share = f32(params.changed) / f32(params.living);
    if share > MANY {
        control.rate = min(control.rate + share, 1.0);
    }
    control.generation = 0u; // affinities are refreshed before anything moves
    control.slice_length = 0u;
}
