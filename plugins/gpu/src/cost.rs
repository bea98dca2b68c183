//! What the stages cost on paper: bytes moved and floating-point operations, for a whole dispatch over all points.
//!
//! Bytes count what must come from or go to memory once: rows of others are gathered, so each counts in full (caches
//! make that less), while a sample that a workgroup shares counts once for its 64 points.

use crate::shape::{Shape, WORKGROUP};
use crate::stage::{Slot, Stage, position_stride};
use crate::tree::TreePlan;
use embedding::Settings;
use embedding::cpu::far::{self, Far};
use embedding::cpu::propose::{ANYWHERE, FINDS, FROM_EMBEDDING, OFFERED, OFFERS};
use embedding::search::slice_of;

/// Bytes and operations of one dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Bytes read or written.
    pub bytes: u64,
    /// Floating-point operations.
    pub flops: u64,
}

impl Cost {
    /// Seconds on a card that moves and computes so much a second, whichever takes longer.
    #[must_use]
    pub fn seconds(self, bytes_per_second: f64, flops_per_second: f64) -> f64 {
        (self.bytes as f64 / bytes_per_second).max(self.flops as f64 / flops_per_second)
    }
}

impl std::ops::Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, flops: self.flops + other.flops }
    }
}

/// Edges of a row of the affinities for each place of a list: reverse edges that no list holds are about half as many.
const EDGES_PER_PLACE: f64 = 1.5;
/// Steps that the calibration of a row takes from a warm start.
const NEWTON_STEPS: u64 = 3;
/// Candidates that follow tries.
const CANDIDATES: u64 = 8;

/// The cost of one dispatch of a stage. Propose is taken when every entry is new, its worst case; a tree, [`tree`], is
/// many dispatches.
#[must_use]
pub fn cost(stage: Stage, shape: &Shape, settings: &Settings) -> Cost {
    let points = shape.points as u64;
    let (k, l) = (shape.hd_length as u64, shape.ld_length as u64);
    let row = 4 * shape.vector_stride as u64;
    let distance_flops = 3 * shape.vector_stride as u64;
    let axes = position_stride(shape.dims) as u64;
    let place = 4 * axes;
    let edges = (k as f64 * EDGES_PER_PLACE) as u64;
    // Difference, square, kernel and sum of one pair.
    let pair_flops = 6 * axes + 6;
    let followed = (settings.followed_neighbours as u64).min(k);
    let candidates = followed * followed + FROM_EMBEDDING as u64 + u64::from(ANYWHERE);
    let samples = points.div_ceil(u64::from(Far::stride_for(
        shape.points,
        far::samples(shape.points, shape.dims, settings.far_samples),
    )));
    let (bytes, flops) = match stage {
        Stage::Propose => (
            4 * k + 4 * followed * (followed + 1) + candidates * (row + 4) + 8 * (FINDS + OFFERED) as u64,
            candidates * distance_flops,
        ),
        Stage::Offer => (8 * OFFERED as u64 * 2, 0),
        Stage::Merge => (8 * k + 8 * FINDS as u64 + 16 * OFFERS as u64 + 8, 0),
        Stage::EndPass => (8 * k + 8, 0),
        Stage::Calibrate => (4 * k + 40, NEWTON_STEPS * k * 8),
        Stage::Count => (4 * k + 8 * k, 0),
        Stage::ScanBlocks => (4, 0),
        Stage::ScanRows => (12, 0),
        Stage::Fill => (8 * k + 24 + 8 * k + k * (8 + 8 + 8), 6 * k),
        Stage::Symmetrise => (4 * 8 * k + 16, 0),
        Stage::Repel => {
            let sample = samples * (place + 4) / WORKGROUP;
            (4 * l + l * place + sample + 3 * place + 20, (l + samples) * pair_flops)
        }
        Stage::Attract => (edges * (8 + place) + 8 + 32 + 4 * place, edges * (pair_flops + 2 * axes)),
        Stage::Follow => (CANDIDATES * (4 + place) + 4 * l + 44, CANDIDATES * 3 * axes),
        Stage::Apply => (12, 0),
        Stage::Integrate => (6 * place + 4 + 16, 8 * axes + 6),
        Stage::Measure => (place + 4, 4 * axes),
        Stage::Recentre => (2 * place + 4, 3 * axes),
        Stage::Resize | Stage::Remeasure => (16 * k, 0),
        Stage::Relist => (8 * l + 4 * l, 0),
        Stage::Forget => (8 * k + 4 * k, 0),
        Stage::Reshape | Stage::Scale | Stage::Squeeze => (4 * place, 0),
        _ => (0, 0), // single threads, and the pieces of a tree
    };
    let each = if matches!(stage, Stage::Propose | Stage::Offer) { slice_of(points as usize) as u64 } else { points };
    Cost { bytes: bytes * each, flops: flops * each }
}

/// The cost of a start-up projection.
#[must_use]
pub fn tree(shape: &Shape) -> Cost {
    let points = shape.points as u64;
    let row = 4 * shape.vector_stride as u64;
    let leaf = embedding::cpu::project::LEAF as u64;
    let plan = TreePlan::of(shape.points as u32);
    let mut total = Cost { bytes: 16 * shape.bytes(Slot::HdEntries) / 4, flops: points * leaf * 3 * row / 4 };
    for dispatch in &plan.dispatches {
        total.bytes += match dispatch.stage {
            Stage::Keys => points * (row + 12),
            Stage::Join => points * (row + 8),
            _ => 16 * points,
        };
    }
    total
}

/// One iteration that neither refines nor refreshes the affinities: what a settled run does nineteen times of twenty.
#[must_use]
pub fn moving(shape: &Shape, settings: &Settings) -> Cost {
    let stages = [Stage::Repel, Stage::Attract, Stage::Follow, Stage::Apply, Stage::Integrate];
    stages.iter().fold(Cost::default(), |sum, &stage| sum + cost(stage, shape, settings))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures that the documentation of this crate gives for a million rows of 48 columns.
    #[test]
    fn the_documented_figures_are_what_the_model_says() {
        let points = 1_000_000;
        let settings = Settings { hd_neighbours: Some(32), ..Settings::for_rows(points) };
        let shape = Shape::of(points, 48, &settings);
        let each = |stages: &[Stage], points: usize| {
            let sum = stages.iter().fold(Cost::default(), |sum, &stage| sum + cost(stage, &shape, &settings));
            (sum.bytes / points as u64, sum.flops / points as u64)
        };
        assert_eq!(each(&[Stage::Repel], points), (515, 18_018));
        assert_eq!(each(&[Stage::Attract], points), (840, 1056));
        assert_eq!(each(&[Stage::Follow, Stage::Apply], points), (248, 48));
        assert_eq!(each(&[Stage::Integrate], points), (68, 22));
        assert_eq!(each(&[Stage::Propose], slice_of(points)), (53_608, 38_304));
        assert_eq!(each(&[Stage::Merge], points), (456, 0));
        assert_eq!(each(&[Stage::EndPass], points), (264, 0));
        assert_eq!(each(&[Stage::Calibrate], points), (168, 768));
        let symmetrise = [Stage::Count, Stage::ScanBlocks, Stage::ScanRows, Stage::Fill, Stage::Symmetrise];
        assert_eq!(each(&symmetrise, points), (2744, 192));
        assert_eq!(tree(&shape).bytes / points as u64, 8428);
        let moving = [Stage::Repel, Stage::Attract, Stage::Follow, Stage::Apply, Stage::Integrate];
        let seconds: f64 = moving.iter().map(|&stage| cost(stage, &shape, &settings).seconds(500e9, 10e12)).sum();
        assert!((4.1e-3..4.2e-3).contains(&seconds), "{seconds}");
    }
}
