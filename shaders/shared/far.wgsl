// The far sample: every `far_stride`-th point from a random offset on, shared by a block of points. CPU twin: cpu/far.rs
#define_import_path nevis::far

#import nevis::params::params
#import nevis::random::hash

const BLOCK: u32 = 512u; // points that share one sample
const DRAW: u32 = 8u;

// First point of the sample of a point's block.
fn far_offset(point: u32, iteration: u32) -> u32 {
    let block = (point / BLOCK) * BLOCK;
    return hash(params.seed, iteration, block, DRAW) & (params.far_stride - 1u);
}

fn is_sampled(point: u32, offset: u32) -> bool {
    return (point & (params.far_stride - 1u)) == offset;
}

// The factor on a point that is summed by name, beside the sample: 1, less what the sample counts it for.
fn share_beside(point: u32, offset: u32) -> f32 {
    return select(1.0, 1.0 - f32(params.far_stride), is_sampled(point, offset));
}
