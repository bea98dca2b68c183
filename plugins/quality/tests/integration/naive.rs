//! The definitions, written plainly: all pairs, all ranks by sorting, in f64. For data without ties.

use vectors::{Metric, Space, Vectors};

pub fn quiet(_: usize, _: usize) {}

/// Numbers in −1…1 that look random, from a linear congruential generator.
pub fn noise(rows: usize, dims: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 23) as f32) - 1.0
    };
    (0..rows).map(|_| (0..dims).map(|_| next()).collect()).collect()
}

/// The first coordinates of other rows, blurred: an embedding that is neither perfect nor random.
pub fn blurred(rows: &[Vec<f32>], dims: usize, blur: f32, seed: u64) -> Vec<Vec<f32>> {
    let noise = noise(rows.len(), dims, seed);
    rows.iter().zip(noise).map(|(row, noise)| row.iter().zip(noise).map(|(x, n)| x + blur * n).collect()).collect()
}

pub fn space(rows: &[Vec<f32>], metric: Metric) -> Space {
    Space::new(Vectors::from_rows(&rows.concat(), rows[0].len()), metric)
}

pub fn distance(metric: Metric, a: &[f32], b: &[f32]) -> f64 {
    let pairs: Vec<(f64, f64)> = a.iter().zip(b).map(|(&x, &y)| (f64::from(x), f64::from(y))).collect();
    let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(x, y)| f(x, y)).sum::<f64>();
    let angle = |ma: f64, mb: f64| {
        let lengths = (sum(&|x, _| (x - ma).powi(2)) * sum(&|_, y| (y - mb).powi(2))).sqrt();
        1.0 - sum(&|x, y| (x - ma) * (y - mb)) / lengths
    };
    let dims = pairs.len() as f64;
    match metric {
        Metric::Euclidean => sum(&|x, y| (x - y).powi(2)).sqrt(),
        Metric::Manhattan => sum(&|x, y| (x - y).abs()),
        Metric::Chebyshev => pairs.iter().map(|(x, y)| (x - y).abs()).fold(0.0, f64::max),
        Metric::Cosine => angle(0.0, 0.0),
        Metric::Correlation => angle(sum(&|x, _| x) / dims, sum(&|_, y| y) / dims),
        Metric::BrayCurtis => sum(&|x, y| (x - y).abs()) / sum(&|x, y| (x + y).abs()),
    }
}

/// For each row, all other rows from the nearest to the farthest.
pub fn orders(rows: &[Vec<f32>], metric: Metric) -> Vec<Vec<usize>> {
    let order = |query: usize| {
        let mut others: Vec<usize> = (0..rows.len()).filter(|&row| row != query).collect();
        let key = |row: usize| distance(metric, &rows[query], &rows[row]);
        others.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
        others
    };
    (0..rows.len()).map(order).collect()
}

/// Share of the `size` nearest that two orders have in common.
pub fn overlap(a: &[usize], b: &[usize], size: usize) -> f64 {
    a[..size].iter().filter(|row| b[..size].contains(row)).count() as f64 / size as f64
}

pub fn q_nx(hd: &[Vec<usize>], ld: &[Vec<usize>], size: usize) -> f64 {
    hd.iter().zip(ld).map(|(hd, ld)| overlap(hd, ld, size)).sum::<f64>() / hd.len() as f64
}

pub fn r_nx(hd: &[Vec<usize>], ld: &[Vec<usize>], size: usize) -> f64 {
    let (others, k) = (hd.len() as f64 - 1.0, size as f64);
    (others * q_nx(hd, ld, size) - k) / (others - k)
}

pub fn auc(hd: &[Vec<usize>], ld: &[Vec<usize>], max_k: usize) -> f64 {
    let weights: f64 = (1..=max_k).map(|k| 1.0 / k as f64).sum();
    (1..=max_k).map(|k| r_nx(hd, ld, k) / k as f64).sum::<f64>() / weights
}

/// Trustworthiness; continuity with the orders exchanged.
pub fn trustworthiness(hd: &[Vec<usize>], ld: &[Vec<usize>], k: usize) -> f64 {
    let n = hd.len();
    let mut penalty = 0;
    for (hd, ld) in hd.iter().zip(ld) {
        for near in &ld[..k] {
            let rank = 1 + hd.iter().position(|row| row == near).unwrap();
            penalty += rank.saturating_sub(k);
        }
    }
    1.0 - 2.0 / (n * k * (2 * n - 3 * k - 1)) as f64 * penalty as f64
}

/// Spearman's formula for values without ties.
pub fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let rank = |values: Vec<f64>| -> Vec<f64> {
        values.iter().map(|v| values.iter().filter(|w| *w < v).count() as f64).collect()
    };
    let a = rank(pairs.iter().map(|pair| pair.0).collect());
    let b = rank(pairs.iter().map(|pair| pair.1).collect());
    let n = pairs.len() as f64;
    1.0 - 6.0 * a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / (n * (n * n - 1.0))
}

pub fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: found {found}, expected {expected}");
}

pub fn assert_differs(found: f64, other: f64, what: &str) {
    assert!((found - other).abs() > 1e-6, "{what}: {found} does not notice the change");
}
