//! The structs that cross to the GPU, field by field as WGSL declares them.

use bytemuck::{Pod, Zeroable};

/// The distance of an empty place in a list, where the native lists have an infinite one.
pub const FARTHEST: f32 = 3.0e38;

/// Settings of a frame; `shared/params.wgsl` says what each field means.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "documented where the GPU reads them")]
pub struct Params {
    pub points: u32,
    pub vector_chunks: u32,
    pub hd_length: u32,
    pub ld_length: u32,
    pub seed: u32,
    pub slice: u32,
    pub followed_near: u32,
    pub followed_far: u32,
    pub start_projections: u32,
    pub far_stride: u32,
    pub generation: u32,
    pub perplexity: f32,
    pub alpha: f32,
    pub attraction: f32,
    pub repulsion: f32,
    pub step: f32,
    pub momentum: f32,
    pub early_exaggeration: f32,
    pub early_iterations: u32,
    pub anneal_from: u32,
    pub anneal_over: u32,
    pub thread_groups_x: u32,
    pub thread_groups_y: u32,
    pub row_groups_x: u32,
    pub row_groups_y: u32,
    pub old_length: u32,
    pub old_ld_length: u32,
    pub old_dims: u32,
    pub dims: u32,
    pub factor: f32,
    pub kept_dims: u32,
    pub squeezed_from: u32,
    pub living: u32,
    pub witness: u32,
    pub changed: u32,
    pub stiffness: f32,
    pub patient_until: u32,
    pub anneal_share: f32,
    pub recentred: f32,
    pub governed: f32,
    pub perplexity_range: f32,
    pub spring: f32,
    pub spare: u32,
    pub spare_too: u32,
}

/// Marks of a point that the host gives; `shared/lists.wgsl` says what each means, and has more of them.
pub mod marks {
    /// It does not live.
    pub const DEAD: u32 = 4;
    /// It is held where it is.
    pub const PINNED: u32 = 8;
    /// Its row is another.
    pub const CHANGED: u32 = 16;
    /// It is new and has no place yet.
    pub const COMING: u32 = 32;
}

/// The run so far, as the GPU keeps it; `shared/params.wgsl` says what each field means.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "documented where the GPU reads them")]
pub struct Control {
    pub iteration: u32,
    pub present: u32,
    pub trees: u32,
    pub tree_seed: u32,
    pub pass_number: u32,
    pub next_slice: u32,
    pub slice_start: u32,
    pub slice_length: u32,
    pub refining: u32,
    pub found: u32,
    pub changed: u32,
    pub changes: u32,
    pub rate: f32,
    pub refreshed_at: u32,
    pub generation: u32,
    pub born_at: u32,
    pub exaggeration: f32,
    pub annealed: f32,
    pub momentum: f32,
    pub z: f32,
    pub quarantined: u32,
    pub size: f32,
    pub spare: u32,
    pub spare_too: u32,
}

impl Control {
    /// The state before the first iteration of a run that continues at `iteration`.
    #[must_use]
    pub fn at_start(points: u32, iteration: u32) -> Self {
        Self {
            iteration,
            present: iteration,
            changes: points,
            rate: 1.0,
            refreshed_at: iteration,
            born_at: iteration,
            exaggeration: 1.0,
            annealed: 1.0,
            z: 1.0,
            quarantined: u32::MAX,
            ..Self::zeroed()
        }
    }
}

/// Arguments of one indirect dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Groups {
    /// Workgroups in each direction.
    pub size: [u32; 3],
}

/// Which stages run in this iteration, and how many workgroups they get; `control/decide.wgsl` writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "documented where the GPU writes them")]
pub struct Dispatches {
    pub slice: Groups,
    pub refined: Groups,
    pub pass_end: Groups,
    pub affine: Groups,
    pub affine_rows: Groups,
    pub affine_blocks: Groups,
    pub affine_once: Groups,
    pub moved: Groups,
    pub moved_once: Groups,
}

/// One step of the construction of a tree; `search/project.wgsl` reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "documented where the GPU reads them")]
pub struct Step {
    pub level: u32,
    pub height: u32,
    pub per_node: u32,
    pub padding: u32,
}
