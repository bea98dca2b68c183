//! Seeded choices: which rows are queried, and who comes first among equals.

/// SplitMix64: one good 64-bit number for each state; states may be consecutive.
pub(crate) fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The `draw`-th number below `bound` of the stream that belongs to `seed`.
pub(crate) fn below(bound: usize, seed: u64, draw: u64) -> usize {
    let number = mix(mix(seed) ^ draw);
    ((u128::from(number) * bound as u128) >> 64) as usize
}

/// `wanted` different numbers below `rows`, ascending; all of them if there are not more.
pub(crate) fn sample(rows: usize, wanted: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    if wanted < rows {
        for taken in 0..wanted {
            order.swap(taken, taken + below(rows - taken, seed, taken as u64));
        }
        order.truncate(wanted);
        order.sort_unstable();
    }
    order
}

/// Which of two positions at the same distance comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TieBreak {
    /// The lower position.
    Position,
    /// A random order, fixed by this key.
    Shuffled(u32),
}

impl TieBreak {
    /// A random order of its own for each query and each `space` (0 or 1).
    pub(crate) fn shuffled(seed: u64, query: u32, space: u64) -> Self {
        Self::Shuffled(mix(mix(seed ^ 0x7165).wrapping_add(u64::from(query) * 2 + space)) as u32)
    }

    /// Orders by distance, then by this rule; unique for each position.
    /// The distance must not be negative: only then do its bits order as it does.
    #[inline(always)]
    pub(crate) fn key(self, squared: f32, position: u32) -> u64 {
        let turn = match self {
            Self::Position => position,
            Self::Shuffled(key) => shuffle(position ^ key),
        };
        u64::from(squared.to_bits()) << 32 | u64::from(turn)
    }

    /// The position inside a key.
    pub(crate) fn position(self, key: u64) -> u32 {
        match self {
            Self::Position => key as u32,
            Self::Shuffled(own) => unshuffle(key as u32) ^ own,
        }
    }
}

/// The squared distance inside a key.
#[inline(always)]
pub(crate) fn squared_of_key(key: u64) -> f32 {
    f32::from_bits((key >> 32) as u32)
}

/// A well-mixed permutation of all 32-bit numbers (lowbias32 of C. Wellons' hash-prospector): being a permutation, it
/// needs no second tie-break, and the position can be had back from it.
#[inline(always)]
fn shuffle(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

fn unshuffle(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x4302_1123);
    x ^= (x >> 15) ^ (x >> 30);
    x = x.wrapping_mul(0x1d69_e2a5);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_distinct_ascending_seeded_and_even() {
        let chosen = sample(1000, 100, 7);
        assert_eq!(chosen.len(), 100);
        assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(chosen, sample(1000, 100, 7));
        assert_ne!(chosen, sample(1000, 100, 8));
        assert_eq!(sample(5, 5, 1), [0, 1, 2, 3, 4]);
        assert_eq!(sample(5, 9, 1), [0, 1, 2, 3, 4]);
        let low = (0..200).map(|seed| sample(1000, 100, seed).iter().filter(|&&row| row < 500).count()).sum::<usize>();
        assert!((9_700..10_300).contains(&low), "{low} of 20000 in the lower half");
    }

    #[test]
    fn keys_order_by_distance_and_give_the_position_back() {
        let shuffled = TieBreak::shuffled(3, 17, 0);
        for tie in [TieBreak::Position, shuffled] {
            for position in [0, 1, 2, 1_000_000, u32::MAX] {
                assert_eq!(tie.position(tie.key(0.5, position)), position);
                assert_eq!(squared_of_key(tie.key(0.5, position)), 0.5);
            }
            assert!(tie.key(0.0, u32::MAX) < tie.key(1e-30, 0));
            assert!(tie.key(2.0, 1) < tie.key(f32::MAX, 0));
        }
        assert_ne!(shuffled, TieBreak::shuffled(3, 17, 1));
        assert_ne!(shuffled, TieBreak::shuffled(3, 18, 0));
        let ascending = (0..1000).filter(|&p| shuffled.key(1.0, p) < shuffled.key(1.0, p + 1)).count();
        assert!((400..600).contains(&ascending), "{ascending} of 1000 pairs keep row order");
    }
}
