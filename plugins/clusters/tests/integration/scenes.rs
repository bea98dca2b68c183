//! Positions to find clusters in.

use clusters::Positions;

/// Seeded numbers.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From 0 to 1.
    pub fn even(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// About normal, with variance 1.
    pub fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.even()).sum::<f32>() - 6.0
    }
}

/// Positions that own their values; no stride.
#[derive(Debug, Clone)]
pub struct Scene {
    pub values: Vec<f32>,
    pub dims: usize,
}

impl Scene {
    pub fn rows(&self) -> usize {
        self.values.len() / self.dims
    }

    pub fn positions(&self) -> Positions<'_> {
        Positions { values: &self.values, rows: self.rows(), dims: self.dims, stride: self.dims }
    }

    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.dims..][..self.dims]
    }

    /// Five blobs of different widths in a thin scatter.
    pub fn blobs(rows: usize, dims: usize, seed: u64) -> Self {
        let mut noise = Noise::new(seed);
        let mut values = Vec::with_capacity(rows * dims);
        for row in 0..rows {
            let blob = row % 6;
            for dim in 0..dims {
                values.push(match blob {
                    5 => 40.0 * noise.even() - 20.0,
                    _ => ((blob * 7 + dim * 5) % 11 * 3) as f32 - 15.0 + noise.normal() * (0.4 + 0.2 * blob as f32),
                });
            }
        }
        Self { values, dims }
    }

    /// Whole numbers: distances tie, and rows coincide.
    pub fn lattice(rows: usize, dims: usize, side: f32, seed: u64) -> Self {
        let mut noise = Noise::new(seed);
        Self { values: (0..rows * dims).map(|_| (noise.even() * side).floor() - 2.0).collect(), dims }
    }

    /// Two half circles that reach into each other, and noise around them.
    pub fn moons(rows: usize) -> Self {
        let mut noise = Noise::new(3);
        let mut values = Vec::new();
        for row in 0..rows {
            let angle = std::f32::consts::PI * noise.even();
            let (x, y) = (angle.cos(), angle.sin());
            let (x, y) = if row % 2 == 0 { (x, y) } else { (1.0 - x, 0.5 - y) };
            values.extend([x + 0.04 * noise.normal(), y + 0.04 * noise.normal()]);
        }
        Self { values, dims: 2 }
    }

    /// The rows in another order: row `i` is the `order[i]`-th of these.
    pub fn reordered(&self, order: &[usize]) -> Self {
        Self { values: order.iter().flat_map(|&row| self.row(row)).copied().collect(), dims: self.dims }
    }
}
