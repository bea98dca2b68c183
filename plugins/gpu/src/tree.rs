//! The construction of a projection tree as pure data: which dispatches, in which order, of how many workgroups.

use crate::params::Step;
use crate::shape::WORKGROUP;
use crate::stage::Stage;
use embedding::cpu::project::LEAF;

/// Elements that a workgroup sorts by itself (`search/project.wgsl`).
pub const PIECE: u64 = 1024;

/// One dispatch of the construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeDispatch {
    /// The stage.
    pub stage: Stage,
    /// Which step it reads.
    pub step: usize,
    /// Workgroups.
    pub groups: u64,
}

/// How a tree over some points is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreePlan {
    /// What the dispatches read.
    pub steps: Vec<Step>,
    /// The dispatches, in order.
    pub dispatches: Vec<TreeDispatch>,
}

impl TreePlan {
    /// Bytes from one step to the next: what every adapter accepts as the offset of a uniform.
    pub const STEP_BYTES: u64 = 256;

    /// The plan for so many points.
    #[must_use]
    pub fn of(points: u32) -> Self {
        let mut plan = Self { steps: Vec::new(), dispatches: Vec::new() };
        let points = u64::from(points);
        plan.push(Stage::Arrange, Step::default(), points.div_ceil(WORKGROUP));
        let mut level = 0;
        let mut longest = points;
        while longest > LEAF as u64 {
            plan.push(Stage::Keys, Step { level, ..Step::default() }, points.div_ceil(WORKGROUP));
            plan.sort(level, longest);
            level += 1;
            longest = longest.div_ceil(2);
        }
        plan.push(Stage::Join, Step { level, ..Step::default() }, 1 << level);
        plan
    }

    /// Sorts the nodes of a level, the longest of which has so many rows.
    fn sort(&mut self, level: u32, longest: u64) {
        let pieces = longest.div_ceil(PIECE);
        let of_pieces = Step { level, height: 0, per_node: pieces as u32, padding: 0 };
        self.push(Stage::Sort, of_pieces, pieces << level);
        let pairs = longest.next_power_of_two() / 2;
        let mut height = 2 * PIECE;
        while height / 2 < longest {
            let step = |height| Step { level, height: height as u32, per_node: pairs as u32, padding: 0 };
            let groups = (pairs << level).div_ceil(WORKGROUP);
            self.push(Stage::Flip, step(height), groups);
            let mut lower = height / 2;
            while lower > PIECE {
                self.push(Stage::Disperse, step(lower), groups);
                lower /= 2;
            }
            self.push(Stage::Finish, of_pieces, pieces << level);
            height *= 2;
        }
    }

    fn push(&mut self, stage: Stage, step: Step, groups: u64) {
        self.dispatches.push(TreeDispatch { stage, step: self.steps.len(), groups });
        self.steps.push(step);
    }

    /// The steps as they lie in their buffer.
    #[must_use]
    pub fn step_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.steps.len() * Self::STEP_BYTES as usize];
        for (chunk, step) in bytes.chunks_exact_mut(Self::STEP_BYTES as usize).zip(&self.steps) {
            chunk[..size_of::<Step>()].copy_from_slice(bytemuck::bytes_of(step));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(points: u32) -> Vec<Stage> {
        TreePlan::of(points).dispatches.iter().map(|dispatch| dispatch.stage).collect()
    }

    #[test]
    fn few_points_are_one_leaf() {
        assert_eq!(stages(48), [Stage::Arrange, Stage::Join]);
        assert_eq!(stages(49), [Stage::Arrange, Stage::Keys, Stage::Sort, Stage::Join]);
    }

    #[test]
    fn nodes_longer_than_a_piece_are_merged() {
        let count = |points, stage| stages(points).iter().filter(|&&s| s == stage).count();
        assert_eq!(count(1024, Stage::Flip), 0);
        assert_eq!(count(1025, Stage::Flip), 1);
        assert_eq!(count(4096, Stage::Flip), 2 + 1); // 4096 in one node, 2048 in each of the next level
        assert_eq!(count(4096, Stage::Disperse), 1);
        assert_eq!(count(4096, Stage::Finish), count(4096, Stage::Flip));
    }

    #[test]
    fn every_leaf_gets_a_workgroup() {
        let plan = TreePlan::of(70_000);
        let join = plan.dispatches.last().expect("a join");
        assert!(join.groups * LEAF as u64 >= 70_000);
        assert_eq!(plan.step_bytes().len() as u64, TreePlan::STEP_BYTES * plan.steps.len() as u64);
    }
}
