// Project: start-up projections. Rows are split at the middle by random hyperplanes until few are left together; those
// that share a leaf are compared. CPU twin: cpu/project.rs
//
// The tree is built level by level: `keys` projects every row on its node's axis, and a bitonic network sorts the rows
// of each node (`sort` in pieces that fit into a workgroup, then `flip`, `disperse` and `finish` merge them). The
// network sorts whole nodes where the twin only parts them; both halves are the same sets. `join` compares all pairs
// of a leaf, one thread a row, and takes the nearest into the rows' lists.
#import nevis::params::{params, Control, WORKGROUP, group_number, thread_number}
#import nevis::random::{below, hash}
#import nevis::lists::{NEW, EMPTY, FARTHEST, DIRTY, DEAD}
#import nevis::metric::{vectors, squared_distance}
#import nevis::insert::insert
#import nevis::bitonic::{flipped, dispersed, behind}

// One step of the construction, of many in one buffer. Rust twin: tree.rs
struct Step {
    level: u32,
    // Elements of a block of the network.
    height: u32,
    // Threads or workgroups that work on one node.
    per_node: u32,
    padding: u32,
}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(22) var<storage, read_write> keyed: array<vec2<u32>>; // (key, row) in the order of the tree
@group(0) @binding(23) var<uniform> tree_step: Step;

const LEAF: u32 = 48u;
const FOUND: u32 = 16u;
const PIECE: u32 = 1024u; // elements that a workgroup sorts by itself

var<workgroup> piece: array<vec2<u32>, PIECE>;

struct Node {
    start: u32,
    length: u32,
    number: u32,
}

// The node that path number `path` of a level leads to. Leaves end paths early: only the leftmost goes on in their name.
fn node_at(level: u32, path: u32) -> Node {
    var node = Node(0u, params.points, 1u);
    for (var bit = level; bit > 0u; bit -= 1u) {
        if node.length <= LEAF {
            if (path & ((1u << bit) - 1u)) != 0u {
                return Node(node.start, 0u, node.number);
            }
            return node;
        }
        node = child(node, ((path >> (bit - 1u)) & 1u) == 1u);
    }
    return node;
}

// The node of a level that holds this place.
fn node_of(level: u32, place: u32) -> Node {
    var node = Node(0u, params.points, 1u);
    for (var bit = level; bit > 0u && node.length > LEAF; bit -= 1u) {
        node = child(node, place >= node.start + node.length / 2u);
    }
    return node;
}

fn child(node: Node, right: bool) -> Node {
    let half = node.length / 2u;
    if right {
        return Node(node.start + half, node.length - half, node.number * 2u + 1u);
    }
    return Node(node.start, half, node.number * 2u);
}

// Puts the rows into file order, before the first level.
@compute @workgroup_size(64)
fn arrange(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let place = thread_number(group, groups, local);
    if place < params.points {
        keyed[place] = vec2<u32>(0u, place);
    }
}

// Projects each row on the direction between two rows of its node.
@compute @workgroup_size(64)
fn keys(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let place = thread_number(group, groups, local);
    if place >= params.points {
        return;
    }
    let node = node_of(tree_step.level, place);
    if node.length <= LEAF {
        return;
    }
    let a = random_row(node, 0u) * params.vector_chunks;
    let b = random_row(node, 1u) * params.vector_chunks;
    let row = keyed[place].y * params.vector_chunks;
    var sum = vec4<f32>(0.0);
    for (var chunk = 0u; chunk < params.vector_chunks; chunk += 1u) {
        sum += vectors[row + chunk] * (vectors[a + chunk] - vectors[b + chunk]);
    }
    // Only the key is written: other threads read the rows. Free slots go to the end, where they share few leaves.
    let key = ascending((sum.x + sum.y) + (sum.z + sum.w));
    keyed[place].x = select(key, 0xffffffffu, (marks[keyed[place].y] & DEAD) != 0u);
}

fn random_row(node: Node, draw: u32) -> u32 {
    return keyed[node.start + below(hash(control.tree_seed, node.number, node.length, draw), node.length)].y;
}

// Bits that ascend with the float.
fn ascending(value: f32) -> u32 {
    let bits = bitcast<u32>(value);
    return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

// Sorts pieces.
@compute @workgroup_size(64)
fn sort(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let bounds = load_piece(group_number(group, groups), local);
    for (var height = 2u; height <= PIECE; height *= 2u) {
        exchange_all(local, height, bounds.y, true);
        for (var lower = height / 2u; lower > 1u; lower /= 2u) {
            exchange_all(local, lower, bounds.y, false);
        }
    }
    store_piece(bounds, local);
}

// Ends a merge of larger blocks within pieces.
@compute @workgroup_size(64)
fn finish(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let bounds = load_piece(group_number(group, groups), local);
    for (var lower = PIECE; lower > 1u; lower /= 2u) {
        exchange_all(local, lower, bounds.y, false);
    }
    store_piece(bounds, local);
}

// Brings a piece of a node in; returns where it starts and how long it is (0: nothing to do).
fn load_piece(number: u32, local: u32) -> vec2<u32> {
    let node = node_at(tree_step.level, number / tree_step.per_node);
    let before = min((number % tree_step.per_node) * PIECE, node.length);
    let start = node.start + before;
    let length = select(min(node.length - before, PIECE), 0u, node.length <= LEAF);
    for (var at = local; at < length; at += WORKGROUP) {
        piece[at] = keyed[start + at];
    }
    workgroupBarrier();
    return vec2<u32>(start, length);
}

fn store_piece(bounds: vec2<u32>, local: u32) {
    for (var at = local; at < bounds.y; at += WORKGROUP) {
        keyed[bounds.x + at] = piece[at];
    }
}

fn exchange_all(local: u32, height: u32, length: u32, first: bool) {
    for (var thread = local; thread < PIECE / 2u; thread += WORKGROUP) {
        var pair = dispersed(thread, height);
        if first {
            pair = flipped(thread, height);
        }
        if pair.y < length && behind(piece[pair.x], piece[pair.y]) {
            let moved = piece[pair.x];
            piece[pair.x] = piece[pair.y];
            piece[pair.y] = moved;
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(64)
fn flip(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let thread = thread_number(group, groups, local);
    exchange(thread, flipped(thread % tree_step.per_node, tree_step.height));
}

@compute @workgroup_size(64)
fn disperse(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let thread = thread_number(group, groups, local);
    exchange(thread, dispersed(thread % tree_step.per_node, tree_step.height));
}

fn exchange(thread: u32, pair: vec2<u32>) {
    let path = thread / tree_step.per_node;
    if path >= (1u << tree_step.level) {
        return;
    }
    let node = node_at(tree_step.level, path);
    if node.length <= LEAF || pair.y >= node.length {
        return;
    }
    let a = keyed[node.start + pair.x];
    let b = keyed[node.start + pair.y];
    if behind(a, b) {
        keyed[node.start + pair.x] = b;
        keyed[node.start + pair.y] = a;
    }
}

var<private> found: array<u32, FOUND>;
var<private> found_distances: array<f32, FOUND>;

// Compares all pairs of a leaf. One workgroup a leaf, one thread a row.
@compute @workgroup_size(64)
fn join(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let path = group_number(group, groups);
    if path >= (1u << tree_step.level) {
        return;
    }
    let leaf = node_at(tree_step.level, path);
    if local >= leaf.length {
        return;
    }
    let row = keyed[leaf.start + local].y;
    if (marks[row] & DEAD) != 0u {
        return;
    }
    for (var at = 0u; at < FOUND; at += 1u) {
        found[at] = EMPTY;
        found_distances[at] = FARTHEST;
    }
    for (var at = 0u; at < leaf.length; at += 1u) {
        let other = keyed[leaf.start + at].y;
        if at != local && (marks[other] & DEAD) == 0u {
            keep(other, squared_distance(row, other));
        }
    }
    var gained = false;
    for (var at = 0u; at < FOUND && found[at] != EMPTY; at += 1u) {
        gained = insert(row, found[at], NEW, found_distances[at]) || gained;
    }
    if gained {
        marks[row] |= DIRTY;
        atomicAdd(&control.changed, 1u);
    }
}

// Puts a row into its place among the nearest of this thread.
fn keep(candidate: u32, distance: f32) {
    if distance >= found_distances[FOUND - 1u] {
        return;
    }
    var place = FOUND - 1u;
    while place > 0u && found_distances[place - 1u] > distance {
        found[place] = found[place - 1u];
        found_distances[place] = found_distances[place - 1u];
        place -= 1u;
    }
    found[place] = candidate;
    found_distances[place] = distance;
}
