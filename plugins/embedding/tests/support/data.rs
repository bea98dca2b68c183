//! Random data without symmetries, and brute force over it.

use embedding::lists::{self, Lists};
use embedding::random::{below, hash, normal};
use vectors::{Space, Vectors};

/// Standard normal numbers.
pub fn noise(count: usize, seed: u32) -> Vec<f32> {
    (0..count as u32).map(|at| normal(hash(seed, 1, at, 0), hash(seed, 1, at, 1))).collect()
}

/// Rows of one cloud, each axis with a spread and a centre of its own.
pub fn cloud(rows: usize, dims: usize, seed: u32) -> Vectors {
    let mut values = noise(rows * dims, seed);
    for row in values.chunks_exact_mut(dims) {
        for (axis, value) in row.iter_mut().enumerate() {
            *value = *value * (1.0 + 0.3 * axis as f32) + 0.7 * axis as f32 - 1.0;
        }
    }
    Vectors::from_rows(&values, dims)
}

/// Blobs of unit variance whose centres spread by `distance`, row by row in turn, and the blob of each row.
pub fn blobs(count: usize, rows: usize, dims: usize, distance: f32, seed: u32) -> (Vectors, Vec<u32>) {
    let centres = noise(count * dims, seed ^ 0x5eed);
    let mut values = noise(rows * dims, seed);
    let labels: Vec<u32> = (0..rows).map(|row| (row % count) as u32).collect();
    for (row, &label) in values.chunks_exact_mut(dims).zip(&labels) {
        for (value, centre) in row.iter_mut().zip(&centres[label as usize * dims..]) {
            *value += distance * centre;
        }
    }
    (Vectors::from_rows(&values, dims), labels)
}

/// The true neighbours of every row.
pub fn exact_lists(space: &Space, k: usize) -> Lists {
    let points = space.rows();
    let mut exact = Lists::empty(points, k);
    let (entries, distances) = exact.rows_mut();
    for (point, (entries, distances)) in entries.chunks_exact_mut(k).zip(distances.chunks_exact_mut(k)).enumerate() {
        for other in (0..points).filter(|&other| other != point) {
            lists::insert(entries, distances, other as u32, space.squared_distance(point, other));
        }
    }
    exact
}

/// `[points][length]` distinct others, anyone.
pub fn random_rows(points: usize, length: usize, seed: u32) -> Vec<u32> {
    assert!(length < points, "there are only {} others", points - 1);
    let mut rows = Vec::with_capacity(points * length);
    for point in 0..points as u32 {
        let mut row = Vec::with_capacity(length);
        let mut draw = 0;
        while row.len() < length {
            let other = below(hash(seed, 2, point, draw), points as u32);
            if other != point && !row.contains(&other) {
                row.push(other);
            }
            draw += 1;
        }
        rows.extend(row);
    }
    rows
}
