//! A hierarchy small enough to work out by hand.

use crate::{Classes, Hierarchy, Level};
use clusters::NOISE;

/// A level from the rows of its clusters.
pub(crate) fn level(alpha: f32, rows: usize, clusters: &[&[usize]]) -> Level {
    let mut labels = vec![NOISE; rows];
    for (label, rows) in (0..).zip(clusters) {
        rows.iter().for_each(|&row| labels[row] = label);
    }
    Level { alpha, labels, radius: 2.0 * alpha }
}

/// Twelve rows. `1` loses `4` to its side, which takes row 6 from `2`; `8` is half of `3` and half of `4`; `9` comes
/// out of the noise.
///
/// ```text
/// 0 ─┬─ 1 {0 … 5} ──┬─ 3 {0 1 2 3} ─┬─ 6 {0 1 2}
///    │              │               └─ 8 {3 4}
///    │              └─ 4 {4 5 6}
///    ├─ 2 {6 … 10} ─── 5 {7 … 10} ──── 7 {7 8 9}
///    └──────────────────────────────── 9 {11}
/// ```
pub(crate) fn by_hand(weak_edge: f32) -> Hierarchy {
    let levels = vec![
        level(1.0, 12, &[&[0, 1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]]),
        level(0.5, 12, &[&[0, 1, 2, 3], &[4, 5, 6], &[7, 8, 9, 10]]),
        level(0.25, 12, &[&[0, 1, 2], &[7, 8, 9], &[3, 4], &[11]]),
    ];
    Hierarchy::new(levels, weak_edge).unwrap()
}

/// Three classes with awkward names, and a row of none.
pub(crate) fn classes() -> Classes {
    let class = |row| match row {
        0..=3 => Some(0),
        4..=6 => Some(1),
        7..=10 => Some(2),
        _ => None,
    };
    let names = ["salt & pepper", "<i>\"x\"</i>", "bell\u{7}"].map(str::to_owned);
    Classes::new((0..12).map(class).collect(), names.into()).unwrap()
}

/// Levels of random clusters, about a fifth of the rows noise.
pub(crate) fn random(random: &mut fastrand::Rng) -> Vec<Level> {
    let rows = random.usize(1..60);
    let levels = random.usize(1..6);
    let mut level = || {
        let clusters = random.u32(1..12);
        let labels = (0..rows).map(|_| if random.u8(0..5) == 0 { NOISE } else { random.u32(0..clusters) }).collect();
        Level { alpha: 0.5, labels, radius: 1.0 }
    };
    (0..levels).map(|_| level()).collect()
}
