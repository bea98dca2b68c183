//! The curve R_NX(K) and its area, from counts of shared neighbours.

use crate::ranking::Ranking;

/// Counts the neighbours that one query shares in HD and LD: at K − 1 those that are in both K-neighbourhoods, but not
/// in both smaller ones. Neighbourhoods reach as far as there are counts.
pub(crate) fn count_shared(shared_from: &mut [u64], hd: &Ranking, ld_order: impl Iterator<Item = u32>) {
    let max_k = shared_from.len();
    for (ld_rank, row) in (1..=max_k).zip(ld_order) {
        if let Some(hd_rank) = hd.rank(row).filter(|&rank| rank <= max_k) {
            shared_from[ld_rank.max(hd_rank) - 1] += 1;
        }
    }
}

/// Adds the counts of other queries.
pub(crate) fn add_shared(sum: &mut [u64], next: &[u64]) {
    sum.iter_mut().zip(next).for_each(|(sum, next)| *sum += next);
}

/// R_NX(K) from the number of shared neighbours that enter both neighbourhoods at each K.
pub(crate) fn rnx_curve(shared_from: &[u64], rows: usize, queries: usize) -> Vec<(usize, f64)> {
    let others = rows as f64 - 1.0;
    let mut shared = 0;
    let curve = (1..).zip(shared_from).map(|(k, &entering)| {
        shared += entering;
        let size = k as f64;
        let overlap = shared as f64 / (size * queries as f64); // Q_NX(K)
        (k, (others * overlap - size) / (others - size))
    });
    curve.collect()
}

/// Σ R_NX(K)/K ÷ Σ 1/K; 0 for an empty curve.
pub(crate) fn area(rnx: &[(usize, f64)]) -> f64 {
    if rnx.is_empty() {
        return 0.0;
    }
    let weights: f64 = rnx.iter().map(|&(k, _)| 1.0 / k as f64).sum();
    rnx.iter().map(|&(k, value)| value / k as f64).sum::<f64>() / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_adds_up_what_enters() {
        // 2 queries of 5 rows: one shared neighbour at K = 1, one more at 2, four more at 3.
        let curve = rnx_curve(&[1, 1, 4], 5, 2);
        assert_eq!(curve[0], (1, (4.0 * 0.5 - 1.0) / 3.0));
        assert_eq!(curve[1], (2, (4.0 * 0.5 - 2.0) / 2.0));
        assert_eq!(curve[2], (3, 1.0));
        assert_ne!(rnx_curve(&[0, 2, 4], 5, 2)[0], curve[0]);
    }

    #[test]
    fn the_area_weighs_small_neighbourhoods_more() {
        assert_eq!(area(&[(1, 1.0), (2, 0.0)]), 1.0 / 1.5);
        assert_eq!(area(&[(1, 0.0), (2, 1.0)]), 0.5 / 1.5);
        assert_eq!(area(&[]), 0.0);
    }
}
