//! Random numbers as a hash of (seed, iteration, point, draw): the same on every thread and, being 32-bit integer
//! arithmetic only, the same in WGSL.

/// One round of the PCG output permutation (Jarzynski & Olano, "Hash Functions for GPU Rendering", 2020).
#[inline(always)]
#[must_use]
pub fn pcg(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// A random number for one draw of one point in one iteration.
#[inline(always)]
#[must_use]
pub fn hash(seed: u32, iteration: u32, point: u32, draw: u32) -> u32 {
    pcg(draw.wrapping_add(pcg(point.wrapping_add(pcg(iteration.wrapping_add(pcg(seed)))))))
}

/// A whole number in `0..bound`.
#[inline(always)]
#[must_use]
pub fn below(random: u32, bound: u32) -> u32 {
    ((u64::from(random) * u64::from(bound)) >> 32) as u32
}

/// A number in `0.0..1.0`.
#[inline(always)]
#[must_use]
pub fn unit(random: u32) -> f32 {
    (random >> 8) as f32 * (1.0 / (1 << 24) as f32)
}

/// A number from the standard normal distribution, of two random numbers (Box–Muller).
#[must_use]
pub fn normal(first: u32, second: u32) -> f32 {
    let radius = (-2.0 * (1.0 - unit(first)).ln()).sqrt();
    radius * (std::f32::consts::TAU * unit(second)).cos()
}

/// The row numbers `0..rows` in a seeded random order.
#[must_use]
pub fn shuffled(rows: usize, seed: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    for last in (1..rows).rev() {
        let other = below(hash(seed, 0, last as u32, 0), last as u32 + 1);
        order.swap(last, other as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_independent_of_each_other() {
        let mut counts = [0_u32; 16];
        for point in 0..16_000 {
            counts[below(hash(7, 3, point, 1), 16) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
        assert_ne!(hash(7, 3, 5, 1), hash(7, 3, 5, 2));
        assert_ne!(hash(7, 3, 5, 1), hash(8, 3, 5, 1));
    }

    #[test]
    fn shuffled_is_a_permutation_that_moves_rows() {
        let mut order = shuffled(1000, 4);
        assert!(order.iter().enumerate().filter(|&(i, &row)| i == row as usize).count() < 10);
        order.sort_unstable();
        assert!(order.iter().enumerate().all(|(i, &row)| i == row as usize));
    }
}
