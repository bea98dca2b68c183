// How far apart two rows of the data are. For the angular metrics the host uploads directions: rows centred (for the
// correlation) and of length one, or zero where a row has no direction. CPU twin: vectors/kernel.rs
#define_import_path nevis::metric

#import nevis::params::params

@group(0) @binding(3) var<storage, read> vectors: array<vec4<f32>>; // [points][vector_chunks], zero-padded


// D = δ² of two rows.
fn squared_distance(a: u32, b: u32) -> f32 {
    let row_a = a * params.vector_chunks;
    let row_b = b * params.vector_chunks;
#if METRIC == 0
    // Two sums: one would wait for its own latency.
    var even = vec4<f32>(0.0);
    var odd = vec4<f32>(0.0);
    for (var chunk = 0u; chunk < params.vector_chunks; chunk += 2u) { // rows are padded to two chunks
        let first = vectors[row_a + chunk] - vectors[row_b + chunk];
        let second = vectors[row_a + chunk + 1u] - vectors[row_b + chunk + 1u];
        even += first * first;
        odd += second * second;
    }
    let sum = even + odd;
    return (sum.x + sum.y) + (sum.z + sum.w);
#else if METRIC == 1
    var sum = vec4<f32>(0.0);
    for (var chunk = 0u; chunk < params.vector_chunks; chunk += 1u) {
        sum += abs(vectors[row_a + chunk] - vectors[row_b + chunk]);
    }
    let delta = (sum.x + sum.y) + (sum.z + sum.w);
    return delta * delta;
#else if METRIC == 2
    // Cosine and correlation: directions are what was uploaded.
    var sum = vec4<f32>(0.0);
    for (var chunk = 0u; chunk < params.vector_chunks; chunk += 1u) {
        sum += vectors[row_a + chunk] * vectors[row_b + chunk];
    }
    let delta = max(1.0 - ((sum.x + sum.y) + (sum.z + sum.w)), 0.0);
    return delta * delta;
#else if METRIC == 3
    var largest = vec4<f32>(0.0);
    for (var chunk = 0u; chunk < params.vector_chunks; chunk += 1u) {
        largest = max(largest, abs(vectors[row_a + chunk] - vectors[row_b + chunk]));
    }
    let delta = max(max(largest.x, largest.y), max(largest.z, largest.w));
    return delta * delta;
#else
    var differences = vec4<f32>(0.0);
    var sums = vec4<f32>(0.0);
    for (var chunk = 0u; chunk < params.vector_chunks; chunk += 1u) {
        differences += abs(vectors[row_a + chunk] - vectors[row_b + chunk]);
        sums += abs(vectors[row_a + chunk] + vectors[row_b + chunk]);
    }
    let above = (differences.x + differences.y) + (differences.z + differences.w);
    let below = (sums.x + sums.y) + (sums.z + sums.w);
    // Opposite rows make the sum vanish: as far apart as a finite number can say, without an infinity.
    let delta = select(above / max(below, above * 1e-6), 0.0, above == 0.0);
    return delta * delta;
#endif
}
