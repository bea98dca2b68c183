// Decide: what an iteration does, so that no number has to travel to the host and back. One thread each.
// Reads and writes the state of the run; writes how many workgroups later stages get. CPU twin: cpu/decide.rs
#import nevis::params::{params, Control, WORKGROUP}
#import nevis::random::{hash, unit}

// Arguments of one indirect dispatch.
struct Groups {
    x: u32,
    y: u32,
    z: u32,
}

// Rust twin: params.rs
struct Dispatches {
    slice: Groups, // propose: one thread a point of the slice
    refined: Groups, // merge: one thread a point
    pass_end: Groups, // the same, when a pass over all points ends
    affine: Groups, // calibrate, symmetrise: one thread a point
    affine_rows: Groups, // symmetrise: one workgroup a point
    affine_blocks: Groups, // symmetrise: one workgroup a block of the scan
    affine_once: Groups, // symmetrise: one workgroup
    moved: Groups, // forces: one thread a point
    moved_once: Groups, // normalise: one workgroup
}

@group(0) @binding(1) var<storage, read_write> control: Control;
@group(0) @binding(2) var<storage, read_write> dispatches: Dispatches;

const IDLE_PROBABILITY: f32 = 0.05;
const SMOOTHING: f32 = 0.5;
const WARM_UP_PASSES: u32 = 2u;
const YOUNG_MOMENTUM: f32 = 0.9;
const CHANGES_WORTH_A_REFRESH: f32 = 5.0;
const LONGEST_WAIT: u32 = 150u;
const DRAW: u32 = 2u;
const DRAW_TREE: u32 = 1u;
// Points in a block of the scan (symmetrise.wgsl).
const SCAN_BLOCK: u32 = 1024u;

const NOBODY = Groups(0u, 0u, 0u);

fn groups(x: u32, y: u32, wanted: bool) -> Groups {
    if wanted {
        return Groups(x, y, 1u);
    }
    return NOBODY;
}

// At the beginning of an iteration: does the search refine, and which slice?
@compute @workgroup_size(1)
fn look() {
    control.present = control.iteration;
    atomicStore(&control.found, 0u);
    atomicStore(&control.changed, 0u);
    let probability = IDLE_PROBABILITY + (1.0 - IDLE_PROBABILITY) * control.rate;
    let warming_up = control.pass_number < WARM_UP_PASSES;
    let lucky = unit(hash(params.seed, control.present, 0u, DRAW)) < probability;
    let refining = control.trees >= params.start_projections && (warming_up || lucky);
    control.refining = u32(refining);
    control.slice_start = control.next_slice;
    control.slice_length = min(params.slice, params.points - control.next_slice);
    let ends = control.slice_start + control.slice_length == params.points;
    let slice_groups = (control.slice_length + WORKGROUP - 1u) / WORKGROUP;
    dispatches.slice = groups(slice_groups, 1u, refining);
    dispatches.refined = groups(params.thread_groups_x, params.thread_groups_y, refining);
    dispatches.pass_end = groups(params.thread_groups_x, params.thread_groups_y, refining && ends);
}

// Before a start-up projection: its seed.
@compute @workgroup_size(1)
fn plant() {
    control.tree_seed = hash(params.seed, control.trees, 0u, DRAW_TREE);
    control.trees += 1u;
}

// When the search is done: do points move, are the affinities to be computed anew, and at what pace does it go on?
@compute @workgroup_size(1)
fn refresh() {
    control.changes += atomicLoad(&control.changed);
    if control.refining == 1u {
        let share = f32(atomicLoad(&control.found)) / f32(control.slice_length);
        let part = f32(control.slice_length) / f32(params.points);
        control.rate += SMOOTHING * part * (share - control.rate);
        control.next_slice = control.slice_start + control.slice_length;
        if control.next_slice == params.points {
            control.next_slice = 0u;
            control.pass_number += 1u;
        }
    }
    control.iteration = control.present + 1u;
    let moving = control.pass_number >= WARM_UP_PASSES;
    if !moving && control.born_at == control.present {
        control.born_at = control.iteration; // a run that goes on with what it had is not born again
    }
    let due = moving && refresh_due();
    if due {
        control.changes = 0u;
        control.refreshed_at = control.present;
        control.generation = params.generation;
    }
    let blocks = (params.points + SCAN_BLOCK - 1u) / SCAN_BLOCK;
    dispatches.affine = groups(params.thread_groups_x, params.thread_groups_y, due);
    dispatches.affine_rows = groups(params.row_groups_x, params.row_groups_y, due);
    dispatches.affine_blocks = groups(blocks, 1u, due);
    dispatches.affine_once = groups(1u, 1u, due);
    dispatches.moved = groups(params.thread_groups_x, params.thread_groups_y, moving);
    dispatches.moved_once = groups(1u, 1u, moving);
    set_pace();
}

fn refresh_due() -> bool {
    if control.generation != params.generation {
        return true; // never refreshed yet, or a setting changed that every row must see
    }
    let waited = control.present - control.refreshed_at;
    let share = min(f32(control.changes) / f32(params.living), 1.0);
    return share > 0.0 && (f32(waited) * share >= CHANGES_WORTH_A_REFRESH || waited >= LONGEST_WAIT);
}

fn set_pace() {
    // Born with the next iteration, while points stand still: then nothing moves, and the pace does not matter.
    let age = control.present - min(control.born_at, control.present);
    let young = age < params.early_iterations && params.early_exaggeration > 1.0;
    control.exaggeration = select(1.0, params.early_exaggeration, young);
    control.momentum = select(params.momentum, min(YOUNG_MOMENTUM, params.momentum), young);
    control.annealed = 1.0;
    if params.anneal_over > 0u {
        let gone = f32(control.present - params.anneal_from) / f32(params.anneal_over);
        control.annealed = params.anneal_share * (1.0 - min(gone, 1.0));
    }
}
