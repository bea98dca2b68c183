//! Spearman's rank correlation of distances.

use rayon::slice::ParallelSliceMut;

/// Lists longer than this are sorted by all threads.
const PARALLEL_LEN: usize = 100_000;

/// Rank correlation of pairs of non-negative numbers, in −1…1; ties share their mean rank.
/// 0 where one side is constant or there are no pairs: there is no order to agree with.
pub(crate) fn spearman(pairs: &[(f32, f32)]) -> f64 {
    let a = mean_ranks(pairs.iter().map(|pair| pair.0));
    let b = mean_ranks(pairs.iter().map(|pair| pair.1));
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (&a, &b) in a.iter().zip(&b) {
        let (a, b) = (a - mean, b - mean);
        aa += a * a;
        bb += b * b;
        ab += a * b;
    }
    if aa > 0.0 && bb > 0.0 { (ab / (aa * bb).sqrt()).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The rank of each value, from 1; equal values share the mean of their ranks.
fn mean_ranks(values: impl Iterator<Item = f32>) -> Vec<f64> {
    // The bits of non-negative numbers order as the numbers do.
    let mut keys: Vec<u64> = (0u64..).zip(values).map(|(at, value)| u64::from(value.to_bits()) << 32 | at).collect();
    if keys.len() > PARALLEL_LEN {
        keys.par_sort_unstable()
    } else {
        keys.sort_unstable()
    }
    let mut ranks = vec![0.0; keys.len()];
    let mut first = 0;
    for tied in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        let rank = first as f64 + (tied.len() as f64 + 1.0) / 2.0;
        for key in tied {
            ranks[(key & u64::from(u32::MAX)) as usize] = rank;
        }
        first += tied.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_rising_relation_is_one_and_any_falling_one_minus_one() {
        let rising: Vec<(f32, f32)> = (0..50).map(|i| (i as f32, (i * i) as f32)).collect();
        let falling: Vec<(f32, f32)> = (0..50).map(|i| (i as f32, 1.0 / (1.0 + i as f32))).collect();
        assert!((spearman(&rising) - 1.0).abs() < 1e-12);
        assert!((spearman(&falling) + 1.0).abs() < 1e-12);
    }

    #[test]
    fn ties_share_their_mean_rank() {
        // scipy.stats.spearmanr([1,2,2,3,5], [2,1,3,3,4]) → ranks 1,2.5,2.5,4,5 and 2,1,3.5,3.5,5: 7.25/9.5
        let pairs = [(1.0, 2.0), (2.0, 1.0), (2.0, 3.0), (3.0, 3.0), (5.0, 4.0)];
        assert!((spearman(&pairs) - 7.25 / 9.5).abs() < 1e-12, "{}", spearman(&pairs));
        assert!((spearman(&pairs[1..]) - 7.25 / 9.5).abs() > 1e-3);
    }

    #[test]
    fn without_order_there_is_no_correlation() {
        assert_eq!(spearman(&[(1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]), 0.0);
        assert_eq!(spearman(&[]), 0.0);
    }

    #[test]
    fn long_lists_agree_with_short_ones() {
        let short: Vec<(f32, f32)> = (0..1000).map(|i| ((i * 37 % 101) as f32, (i * 91 % 77) as f32)).collect();
        let long: Vec<(f32, f32)> = short.iter().copied().cycle().take(PARALLEL_LEN + 1000).collect();
        assert!((spearman(&short) - spearman(&long)).abs() < 1e-9); // repetition leaves the correlation as it is
        assert!((spearman(&short[..900]) - spearman(&long)).abs() > 1e-6);
    }
}
