//! The sizes of a run as pure data: bytes of every buffer, workgroups of every dispatch, and whether they fit.

use crate::error::GpuError;
use crate::params::{Control, Dispatches, Params};
use crate::stage::{Slot, position_stride};
use crate::tree::TreePlan;
use embedding::Settings;
use embedding::cpu::propose::{FINDS, OFFERED, OFFERS};
use embedding::search::SLICE;

/// Threads of a workgroup in stages that give each point one thread.
pub const WORKGROUP: u64 = 64;
/// Points in a block of the scan (`affinities/symmetrise.wgsl`).
pub const SCAN_BLOCK: u64 = 1024;
/// Principal components that keep what matters of most data.
const USUAL_PCA: usize = 50;
/// Most dimensions of an embedding: beyond, a position no longer fits into a thread.
pub const MAX_DIMS: usize = 256;

/// What the sizes of all buffers follow from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Points: slots in use, living or not.
    pub points: usize,
    /// Values of a row of the data in memory.
    pub vector_stride: usize,
    /// Length of a list of neighbours in the data.
    pub hd_length: usize,
    /// Length of a list of neighbours in the embedding.
    pub ld_length: usize,
    /// Dimensions of the embedding.
    pub dims: usize,
    /// A spring draws points to anchors.
    pub anchored: bool,
}

impl Shape {
    /// The shape of a run over so many points.
    #[must_use]
    pub fn of(points: usize, vector_stride: usize, settings: &Settings) -> Self {
        Self::fitted(points, points, vector_stride, settings)
    }

    /// The shape of a run over so many points, with lists as they are right for `fitted` of them.
    #[must_use]
    pub fn fitted(points: usize, fitted: usize, vector_stride: usize, settings: &Settings) -> Self {
        Self {
            points,
            vector_stride,
            hd_length: settings.hd_list_length(fitted),
            ld_length: settings.ld_list_length(fitted),
            dims: settings.dims,
            anchored: settings.spring > 0.0,
        }
    }

    /// The shape with room for more points: half as many again, so that growing is rare, or as many as fit.
    ///
    /// # Errors
    /// If not even the points there are do.
    pub fn with_room(self, points: usize, limits: &wgpu::Limits) -> Result<Self, GpuError> {
        let roomy = Self { points: points.max(self.points + self.points / 2), ..self };
        let exact = Self { points, ..self };
        if roomy.check(limits).is_ok() { Ok(roomy) } else { exact.check(limits).map(|()| exact) }
    }

    /// Bytes of a buffer.
    #[must_use]
    pub fn bytes(&self, slot: Slot) -> u64 {
        let points = self.points as u64;
        let position = 4 * position_stride(self.dims) as u64;
        match slot {
            Slot::Params => size_of::<Params>() as u64,
            Slot::Control => size_of::<Control>() as u64,
            Slot::Dispatches => size_of::<Dispatches>() as u64,
            Slot::Vectors => 4 * points * self.vector_stride as u64,
            Slot::HdEntries | Slot::HdDistances => 4 * points * self.hd_length as u64,
            Slot::Marks | Slot::Counts => 4 * points,
            Slot::Ld => 4 * points * self.ld_length as u64,
            Slot::Finds => 8 * points.min(SLICE as u64) * (FINDS + OFFERED) as u64,
            Slot::Inbox => 8 * points * OFFERS as u64,
            Slot::Gaussians => 32 * points,
            Slot::Near => 16 * points,
            Slot::Sums => 4 * points.div_ceil(SCAN_BLOCK),
            Slot::Rows | Slot::Swaps | Slot::Keyed => 8 * points,
            Slot::EdgeNeighbours | Slot::EdgeWeights => 8 * points * self.hd_length as u64,
            Slot::Positions | Slot::Velocity => position * points,
            Slot::Forces => 2 * position * points,
            Slot::Drift => 2 * position,
            Slot::Anchors if self.anchored => position * points,
            Slot::Anchors => position, // never read, but a binding holds one at least
            Slot::Partials => 4 * points.div_ceil(WORKGROUP),
            Slot::Steps => TreePlan::STEP_BYTES * TreePlan::of(points as u32).steps.len().max(1) as u64,
            Slot::Old | Slot::OldToo => 0, // buffers that were there before
        }
    }

    /// Bytes of all buffers.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        Slot::ALL.iter().map(|&slot| self.bytes(slot)).sum()
    }

    /// Says whether an adapter with these limits can hold the run.
    ///
    /// # Errors
    /// Names the first buffer that is too large, and what would make it smaller.
    pub fn check(&self, limits: &wgpu::Limits) -> Result<(), GpuError> {
        if self.dims > MAX_DIMS {
            return Err(GpuError::TooManyDims { dims: self.dims, most: MAX_DIMS });
        }
        let allows = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        for slot in Slot::ALL {
            let needs = self.bytes(slot);
            if needs > allows {
                let (what, remedy) = match slot {
                    Slot::Vectors => ("the vectors", self.fewer_columns(allows)),
                    Slot::Positions | Slot::Velocity | Slot::Forces | Slot::Drift | Slot::Anchors => {
                        ("the positions", "fewer --dims".to_owned())
                    }
                    _ => ("the lists of neighbours", "a smaller --perplexity, --sample".to_owned()),
                };
                return Err(GpuError::TooLarge { what, needs: needs.div_ceil(1 << 20), allows: allows >> 20, remedy });
            }
        }
        Ok(())
    }

    /// As many principal components as fit, the usual number at most; a sample where that would be too few.
    fn fewer_columns(&self, allows: u64) -> String {
        let fit = (allows / (4 * self.points as u64)) as usize & !7; // rows are padded to eight values
        if fit >= 8 { format!("--pca {}", fit.min(USUAL_PCA)) } else { "--sample".to_owned() }
    }
}

/// Workgroups in two directions: one number may be larger than a dispatch allows. A few too many are idle.
#[must_use]
pub fn two_dimensional(groups: u64, most: u32) -> (u32, u32) {
    let rows = groups.div_ceil(u64::from(most)).max(1);
    (groups.div_ceil(rows) as u32, rows as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_workgroups_go_two_dimensional() {
        for (groups, most, expected) in [
            (0, 65_535, (0, 1)),
            (65_535, 65_535, (65_535, 1)),
            (65_536, 65_535, (32_768, 2)),
            (1_000_001, 65_535, (62_501, 16)),
        ] {
            let (x, y) = two_dimensional(groups, most);
            assert_eq!((x, y), expected);
            assert!(u64::from(x) * u64::from(y) >= groups && x <= most && y <= most);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_a_remedy() {
        let settings = Settings { hd_neighbours: Some(32), ..Settings::for_rows(1_000_000) };
        let limits = wgpu::Limits { max_storage_buffer_binding_size: 128 << 20, ..wgpu::Limits::default() };
        let wide = Shape::of(1_000_000, 56, &settings).check(&limits).expect_err("too large").to_string();
        assert_eq!(wide, "the vectors need a 214 MiB binding, this adapter allows 128: use --pca 32 or --backend cpu");
        let long = Shape::of(1_000_000, 8, &settings).check(&limits).expect_err("too large").to_string();
        assert!(long.contains("the lists of neighbours need a 245 MiB binding"), "{long}");
        assert_eq!(Shape::of(70_000, 56, &Settings::for_rows(70_000)).check(&limits), Ok(()));
        let dims = Shape { dims: MAX_DIMS + 1, ..Shape::of(100, 8, &settings) };
        assert!(matches!(dims.check(&limits), Err(GpuError::TooManyDims { .. })));
    }
}
