// Random numbers as a hash of (seed, iteration, point, draw). CPU twin: random.rs
#define_import_path nevis::random

fn pcg(value: u32) -> u32 {
    let state = value * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

fn hash(seed: u32, iteration: u32, point: u32, draw: u32) -> u32 {
    return pcg(draw + pcg(point + pcg(iteration + pcg(seed))));
}

// A whole number in 0..bound: the upper half of the 64-bit product, put together from 16-bit pieces.
fn below(random: u32, bound: u32) -> u32 {
    let low = random & 0xffffu;
    let high = random >> 16u;
    let bound_low = bound & 0xffffu;
    let bound_high = bound >> 16u;
    let middle = high * bound_low + ((low * bound_low) >> 16u);
    let carry = low * bound_high + (middle & 0xffffu);
    return high * bound_high + (middle >> 16u) + (carry >> 16u);
}

// A number in 0.0..1.0.
fn unit(random: u32) -> f32 {
    return f32(random >> 8u) * (1.0 / 16777216.0);
}

// A number from the standard normal distribution (Box–Muller).
fn normal(first: u32, second: u32) -> f32 {
    let radius = sqrt(-2.0 * log(1.0 - unit(first)));
    return radius * cos(6.2831855 * unit(second));
}

fn rotate_left(value: u32, bits: u32) -> u32 {
    return (value << bits) | (value >> (32u - bits));
}
