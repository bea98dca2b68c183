// Symmetrise: p_ij = (p(j|i) + p(i|j)) / 2N over the union of both directions, as sparse rows. CPU twin:
// cpu/symmetrise.rs
//
// `count` counts who names whom; `scan_blocks`, `scan_sums` and `scan_rows` turn that into the start of each row;
// `fill` writes both directions; `symmetrise` sorts each row by neighbour and sums mutual pairs. Sorting takes out the
// order in which threads happened to fill a row, so that sums over it always come out the same.
#import nevis::gaussian::{Gaussian, similarity}
#import nevis::params::{params, WORKGROUP, group_number, thread_number}
#import nevis::lists::{POINT, EMPTY}
#import nevis::bitonic::{flipped, dispersed}

@group(0) @binding(4) var<storage, read> hd_entries: array<u32>;
@group(0) @binding(5) var<storage, read> hd_distances: array<f32>;
@group(0) @binding(10) var<storage, read> gaussians: array<Gaussian>;
@group(0) @binding(11) var<storage, read_write> counts: array<atomic<u32>>; // rows that name each point; 0 in between
@group(0) @binding(12) var<storage, read_write> sums: array<u32>; // of the blocks of the scan
@group(0) @binding(13) var<storage, read_write> rows: array<vec2<u32>>; // start and length of each row
@group(0) @binding(14) var<storage, read_write> edge_neighbours: array<u32>;
@group(0) @binding(15) var<storage, read_write> edge_weights: array<f32>; // N·p_ij

const SCAN_THREADS: u32 = 256u;
const SCAN_BLOCK: u32 = 1024u;
const EACH: u32 = 4u; // SCAN_BLOCK / SCAN_THREADS

@compute @workgroup_size(64)
fn count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    for (var at = point * params.hd_length; at < (point + 1u) * params.hd_length; at += 1u) {
        let neighbour = hd_entries[at] & POINT;
        if neighbour == EMPTY {
            break; // rows fill from the front
        }
        atomicAdd(&counts[neighbour], 1u);
    }
}

var<workgroup> scanned: array<u32, SCAN_THREADS>;

// Inclusive sums over the threads of a workgroup; all of them must come here.
fn scan(local: u32, value: u32) -> u32 {
    scanned[local] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < SCAN_THREADS; reach *= 2u) {
        var sum = scanned[local];
        if local >= reach {
            sum += scanned[local - reach];
        }
        workgroupBarrier();
        scanned[local] = sum;
        workgroupBarrier();
    }
    return scanned[local];
}

// Length of a row before mutual pairs are summed: its own list and who names it.
fn row_length(point: u32) -> u32 {
    if point >= params.points {
        return 0u;
    }
    return params.hd_length + atomicLoad(&counts[point]);
}

@compute @workgroup_size(256)
fn scan_blocks(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    var sum = 0u;
    for (var at = 0u; at < EACH; at += 1u) {
        sum += row_length(group.x * SCAN_BLOCK + local * EACH + at);
    }
    let total = scan(local, sum);
    if local == SCAN_THREADS - 1u {
        sums[group.x] = total;
    }
}

// Exclusive sums of the blocks. One workgroup.
@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) local: u32) {
    let blocks = (params.points + SCAN_BLOCK - 1u) / SCAN_BLOCK;
    var before = 0u;
    for (var first = 0u; first < blocks; first += SCAN_THREADS) {
        let block = first + local;
        var own = 0u;
        if block < blocks {
            own = sums[block];
        }
        let through = scan(local, own);
        if block < blocks {
            sums[block] = before + through - own;
        }
        before += scanned[SCAN_THREADS - 1u];
        workgroupBarrier();
    }
}

@compute @workgroup_size(256)
fn scan_rows(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let first = group.x * SCAN_BLOCK + local * EACH;
    var own = 0u;
    for (var at = 0u; at < EACH; at += 1u) {
        own += row_length(first + at);
    }
    var start = sums[group.x] + scan(local, own) - own;
    for (var at = 0u; at < EACH && first + at < params.points; at += 1u) {
        let length = row_length(first + at);
        rows[first + at] = vec2<u32>(start, length);
        start += length;
    }
}

@compute @workgroup_size(64)
fn fill(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = thread_number(group, groups, local);
    if point >= params.points {
        return;
    }
    let gaussian = gaussians[point];
    let start = rows[point].x;
    for (var place = 0u; place < params.hd_length; place += 1u) {
        let at = point * params.hd_length + place;
        let neighbour = hd_entries[at] & POINT;
        edge_neighbours[start + place] = neighbour; // empty places too: they are sorted to the end and cut off
        if neighbour == EMPTY {
            edge_weights[start + place] = 0.0;
            continue;
        }
        let p = similarity(gaussian, hd_distances[at]);
        edge_weights[start + place] = 0.5 * p;
        let filled = atomicSub(&counts[neighbour], 1u) - 1u; // ends at zero, ready for the next time
        let reverse = rows[neighbour].x + params.hd_length + filled;
        edge_neighbours[reverse] = point;
        edge_weights[reverse] = 0.5 * p;
    }
}

const FITS: u32 = 512u; // edges that are sorted within the workgroup

var<workgroup> edges: array<vec2<u32>, FITS>;
var<workgroup> row: vec2<u32>;
var<workgroup> kept: array<u32, WORKGROUP>;

// Sorts a row and sums its mutual pairs. One workgroup a row.
@compute @workgroup_size(64)
fn symmetrise(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let point = group_number(group, groups);
    if local == 0u {
        row = vec2<u32>(0u, 0u);
        if point < params.points {
            row = rows[point];
        }
    }
    let bounds = workgroupUniformLoad(&row);
    if bounds.y <= FITS {
        for (var at = local; at < bounds.y; at += WORKGROUP) {
            edges[at] = vec2<u32>(edge_neighbours[bounds.x + at], bitcast<u32>(edge_weights[bounds.x + at]));
        }
        workgroupBarrier();
        for (var height = 2u; height < 2u * bounds.y; height *= 2u) {
            sort_within(local, height, bounds.y, true);
            for (var lower = height / 2u; lower > 1u; lower /= 2u) {
                sort_within(local, lower, bounds.y, false);
            }
        }
        for (var at = local; at < bounds.y; at += WORKGROUP) {
            edge_neighbours[bounds.x + at] = edges[at].x;
            edge_weights[bounds.x + at] = bitcast<f32>(edges[at].y);
        }
        storageBarrier();
    } else {
        for (var height = 2u; height < 2u * bounds.y; height *= 2u) {
            sort_outside(local, height, bounds, true);
            for (var lower = height / 2u; lower > 1u; lower /= 2u) {
                sort_outside(local, lower, bounds, false);
            }
        }
    }
    let length = sum_mutual(local, bounds);
    if local == 0u && point < params.points {
        rows[point] = vec2<u32>(bounds.x, length);
    }
}

fn pair_of(thread: u32, height: u32, first: bool) -> vec2<u32> {
    if first {
        return flipped(thread, height);
    }
    return dispersed(thread, height);
}

// Threads of one step of the network for so many elements: half of the next whole block.
fn threads_of(length: u32, height: u32) -> u32 {
    return ((length + height - 1u) / height) * (height / 2u);
}

fn sort_within(local: u32, height: u32, length: u32, first: bool) {
    for (var thread = local; thread < threads_of(length, height); thread += WORKGROUP) {
        let pair = pair_of(thread, height, first);
        if pair.y < length && edges[pair.x].x > edges[pair.y].x {
            let moved = edges[pair.x];
            edges[pair.x] = edges[pair.y];
            edges[pair.y] = moved;
        }
    }
    workgroupBarrier();
}

fn sort_outside(local: u32, height: u32, bounds: vec2<u32>, first: bool) {
    for (var thread = local; thread < threads_of(bounds.y, height); thread += WORKGROUP) {
        let pair = pair_of(thread, height, first);
        if pair.y < bounds.y {
            let a = bounds.x + pair.x;
            let b = bounds.x + pair.y;
            if edge_neighbours[a] > edge_neighbours[b] {
                let neighbour = edge_neighbours[a];
                let weight = edge_weights[a];
                edge_neighbours[a] = edge_neighbours[b];
                edge_weights[a] = edge_weights[b];
                edge_neighbours[b] = neighbour;
                edge_weights[b] = weight;
            }
        }
    }
    storageBarrier();
}

// Moves the distinct neighbours of a sorted row together, with the sum of both directions; returns how many there are.
fn sum_mutual(local: u32, bounds: vec2<u32>) -> u32 {
    var length = 0u;
    for (var first = 0u; first < bounds.y; first += WORKGROUP) {
        let at = bounds.x + first + local;
        let end = bounds.x + bounds.y;
        var neighbour = EMPTY;
        var weight = 0.0;
        var stays = false;
        if at < end {
            neighbour = edge_neighbours[at];
            weight = edge_weights[at];
            stays = neighbour != EMPTY;
            if first + local > 0u && edge_before(at, local) == neighbour {
                stays = false; // the second of a mutual pair
            } else if at + 1u < end && edge_neighbours[at + 1u] == neighbour {
                weight += edge_weights[at + 1u];
            }
        }
        // Everyone has read this piece and its right neighbour before anyone writes; writes never run ahead of it.
        let through = kept_through(local, stays);
        if local == WORKGROUP - 1u {
            last = neighbour;
        }
        if stays {
            edge_neighbours[bounds.x + length + through - 1u] = neighbour;
            edge_weights[bounds.x + length + through - 1u] = weight;
        }
        length += kept[WORKGROUP - 1u];
        storageBarrier();
        workgroupBarrier();
    }
    return length;
}

var<workgroup> last: u32;

// The neighbour before this one. The one before a piece may have been overwritten already, so it is remembered.
fn edge_before(at: u32, local: u32) -> u32 {
    if local == 0u {
        return last;
    }
    return edge_neighbours[at - 1u];
}

// How many of this thread and those before it stay; all threads must come here.
fn kept_through(local: u32, stays: bool) -> u32 {
    kept[local] = u32(stays);
    storageBarrier();
    workgroupBarrier();
    for (var reach = 1u; reach < WORKGROUP; reach *= 2u) {
        var sum = kept[local];
        if local >= reach {
            sum += kept[local - reach];
        }
        workgroupBarrier();
        kept[local] = sum;
        workgroupBarrier();
    }
    return kept[local];
}
