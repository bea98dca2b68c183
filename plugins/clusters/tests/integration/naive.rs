//! DBSCAN as it is told: all pairs, one after the other.

use crate::scenes::Scene;
use clusters::NOISE;
use std::cmp::Reverse;

fn squared(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

/// Labels and sizes.
pub fn dbscan(scene: &Scene, min_points: usize, radius: f32) -> (Vec<u32>, Vec<usize>) {
    let rows = scene.rows();
    let near = |a: usize, b: usize| squared(scene.row(a), scene.row(b)) <= radius * radius;
    let core: Vec<bool> = (0..rows).map(|a| (0..rows).filter(|&b| near(a, b)).count() >= min_points).collect();
    let mut found = vec![NOISE; rows];
    let mut count = 0;
    for start in 0..rows {
        if !core[start] || found[start] != NOISE {
            continue;
        }
        found[start] = count;
        let mut queue = vec![start];
        while let Some(a) = queue.pop() {
            for b in (0..rows).filter(|&b| core[b] && near(a, b)) {
                if found[b] == NOISE {
                    found[b] = count;
                    queue.push(b);
                }
            }
        }
        count += 1;
    }
    for a in (0..rows).filter(|&a| !core[a]) {
        let nearest = (0..rows).filter(|&b| core[b] && near(a, b)).min_by(|&b, &c| {
            let by_distance = squared(scene.row(a), scene.row(b)).total_cmp(&squared(scene.row(a), scene.row(c)));
            by_distance.then(scene.row(b).partial_cmp(scene.row(c)).unwrap())
        });
        if let Some(b) = nearest {
            found[a] = found[b];
        }
    }
    let rows_of = |cluster: u32| (0..rows).filter(|&row| found[row] == cluster).collect::<Vec<_>>();
    let mut clusters: Vec<Vec<usize>> = (0..count).map(rows_of).collect();
    clusters.sort_by_key(|rows| (Reverse(rows.len()), rows[0]));
    let mut labels = vec![NOISE; rows];
    for (label, rows) in (0..).zip(&clusters) {
        rows.iter().for_each(|&row| labels[row] = label);
    }
    (labels, clusters.iter().map(Vec::len).collect())
}
