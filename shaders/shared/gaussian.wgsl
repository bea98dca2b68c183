// The Gaussians of a row, and their mean. CPU twin: cpu/calibrate.rs
#define_import_path nevis::gaussian

// Gaussians of a row.
const SCALES: u32 = 3u;

struct Gaussian {
    // 1/(2σ²) of each; 0 until the row is calibrated for the first time.
    beta: vec3<f32>,
    // The settings that it was calibrated for.
    generation: f32,
    // One over the sum of each, and over their number.
    inverse_sum: vec3<f32>,
    // The row's smallest squared distance.
    nearest: f32,
}

// p(j|i) at a squared distance.
fn similarity(gaussian: Gaussian, distance: f32) -> f32 {
    return dot(exp(-gaussian.beta * (distance - gaussian.nearest)), gaussian.inverse_sum);
}
