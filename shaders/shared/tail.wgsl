// The kernel of the tail: u = 1/(1 + D/α) and w = u^α. CPU twin: cpu/lanes.rs
#define_import_path nevis::tail

#import nevis::params::params

// (u, w) at a squared distance.
fn tail(squared: f32) -> vec2<f32> {
#ifdef STUDENT
    return vec2<f32>(1.0 / (1.0 + squared)); // α = 1: t-SNE's own kernel, no power
#else
    let base = 1.0 + squared / params.alpha;
    return vec2<f32>(1.0 / base, exp2(-params.alpha * log2(base)));
#endif
}
