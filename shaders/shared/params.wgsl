// What every stage knows: the settings of this frame, the state of the run, and who a thread works for.
#define_import_path nevis::params

// Threads of a workgroup in stages that give each point one thread.
const WORKGROUP: u32 = 64u;

// Written by the host between two submissions. Rust twin: params.rs
struct Params {
    // Slots in use.
    points: u32,
    // vec4s in a row of the data.
    vector_chunks: u32,
    hd_length: u32,
    ld_length: u32,
    seed: u32,
    // Points whose neighbours are refined in one iteration, at most.
    slice: u32,
    // Places of a list that are followed, from the front and from the back.
    followed_near: u32,
    followed_far: u32,
    start_projections: u32,
    // Distance of two far samples in memory, a power of two.
    far_stride: u32,
    // Rows whose Gaussian is of another generation are calibrated anew.
    generation: u32,
    perplexity: f32,
    alpha: f32,
    attraction: f32,
    repulsion: f32,
    step: f32,
    momentum: f32,
    early_exaggeration: f32,
    early_iterations: u32,
    // First iteration of the annealing, and over how many (0: none).
    anneal_from: u32,
    anneal_over: u32,
    // Workgroups of one thread a point, and of one workgroup a point; two numbers each, as one may be too large.
    thread_groups_x: u32,
    thread_groups_y: u32,
    row_groups_x: u32,
    row_groups_y: u32,
    // For the stages in `change`: lengths of lists and dimensions before, dimensions now, and a factor.
    old_length: u32,
    old_ld_length: u32,
    old_dims: u32,
    dims: u32,
    factor: f32,
    // While axes leave: the dimensions that stay, and the iteration that the squeeze counts its steps from.
    kept_dims: u32,
    squeezed_from: u32,
    // Points that live, and one of them; the others are free slots.
    living: u32,
    witness: u32,
    // Points that a change of the data is about.
    changed: u32,
    // How firmly pinned points are held: 1 keeps them in place.
    stiffness: f32,
    // Points have left lately: until this iteration a few free places are no news.
    patient_until: u32,
    // Share of the step that the annealing begins with.
    anneal_share: f32,
    // Each time the embedding is recentred: the share of its drift, and of its excess in size, that is taken off.
    recentred: f32,
    governed: f32,
    // Smaller and larger neighbourhoods that count besides: perplexities this many times smaller and larger.
    perplexity_range: f32,
    // How firmly points are drawn to their anchors; 0 without any.
    spring: f32,
    spare: u32,
    spare_too: u32,
}

// The run so far; lives on the GPU and is only read back. Rust twin: params.rs
struct Control {
    // Iterations done, and the one under way.
    iteration: u32,
    present: u32,
    // The search: start-up projections, passes over all points, slice under way.
    trees: u32,
    tree_seed: u32,
    pass_number: u32,
    next_slice: u32,
    slice_start: u32,
    slice_length: u32,
    refining: u32,
    // Points that found, and points that found or were offered, something in this iteration.
    found: atomic<u32>,
    changed: atomic<u32>,
    // Rows changed since the affinities were refreshed.
    changes: u32,
    rate: f32,
    // Affinities: when refreshed, and for which generation of the settings (0: never).
    refreshed_at: u32,
    generation: u32,
    born_at: u32,
    // Pace of this iteration.
    exaggeration: f32,
    annealed: f32,
    momentum: f32,
    // Normaliser of the similarities.
    z: f32,
    // First point that could not be moved; 0xffffffff if none.
    quarantined: atomic<u32>,
    // Root mean square distance from the centre.
    size: f32,
    spare: u32,
    spare_too: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

// Number of a workgroup in a dispatch of one or two dimensions.
fn group_number(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

// Number of a thread in such a dispatch.
fn thread_number(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return group_number(group, groups) * WORKGROUP + local;
}
