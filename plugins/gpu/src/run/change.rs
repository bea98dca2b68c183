//! Points that come, leave, change or are held: what that does to the buffers of a run.

use super::{Gpu, Run, compared};
use crate::command::Change;
use crate::error::GpuError;
use crate::params::marks::{CHANGED, COMING, DEAD};
use crate::pipelines::Pipelines;
use crate::shape::Shape;
use crate::stage::{Slot, Stage};
use crate::tree::TreePlan;
use bevy::render::render_resource::{BufferDescriptor, BufferUsages, CommandEncoderDescriptor};
use embedding::change::{PATIENCE, woken};
use embedding::living::fitting;
use std::sync::Arc;

/// How often those who come offer themselves: an inbox has few slots, and many may want the same.
const ROUNDS: usize = 3;

/// What a point keeps when buffers grow; everything else is made anew before it is read.
const KEPT: [Slot; 8] = [
    Slot::Vectors,
    Slot::HdEntries,
    Slot::HdDistances,
    Slot::Marks,
    Slot::Ld,
    Slot::Gaussians,
    Slot::Positions,
    Slot::Velocity,
];

impl Run {
    /// Takes points in, lets them leave, gives them other data or holds them. Nobody else is touched: lists lose those
    /// who left and gain those who came. Affinities follow with the next iteration that moves points.
    ///
    /// # Errors
    /// If the adapter cannot hold so many points; then nothing changes.
    pub fn change_points(&mut self, change: &Change, gpu: Gpu<'_>, pipelines: &mut Pipelines) -> Result<(), GpuError> {
        let about = |mark: u32| change.points.iter().any(|[_, marks]| marks & mark != 0);
        let (gone, put) = (about(DEAD), about(CHANGED));
        let points = change.points.iter().fold(self.shape.points, |most, [point, _]| most.max(*point as usize + 1));
        let fitted = if gone || put { fitting(self.fitted, change.living, &self.settings) } else { self.fitted };
        let shape = Shape::fitted(points, fitted, self.shape.vector_stride, &self.settings);
        self.make_room(&shape, gpu)?;
        let before = std::mem::replace(&mut self.shape, shape);
        (self.fitted, self.living, self.witness) = (fitted, change.living, change.witness);
        if points != before.points {
            self.tree = TreePlan::of(points as u32);
            self.write(Slot::Steps, &self.tree.step_bytes(), gpu);
        }
        self.put_rows(change, gpu);
        self.old.changed = change.points.len() as u32;
        // Not made with its contents: on a lost device that would be the end of the program.
        let contents = bytemuck::cast_slice(&change.points);
        let list = gpu.device.create_buffer(&BufferDescriptor {
            label: Some("nevis:buffer:changes"),
            size: contents.len() as u64,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue.write_buffer(&list, 0, contents);
        if shape.hd_length != before.hd_length {
            self.generation += 1;
            self.old.old_length = before.hd_length as u32;
            let (entries, distances) = (self.renew(Slot::HdEntries, gpu), self.renew(Slot::HdDistances, gpu));
            self.once(Stage::Resize, entries.as_ref(), distances.as_ref(), gpu, pipelines);
            for slot in [Slot::EdgeNeighbours, Slot::EdgeWeights] {
                self.create(slot, gpu); // filled anew before anything reads them
            }
        }
        self.once(Stage::Mark, Some(&list), None, gpu, pipelines);
        if gone || put {
            if gone {
                self.patient_until = self.recorded + PATIENCE;
            }
            self.annealing = self.annealing.map(|annealing| woken(annealing, self.recorded));
            self.once(Stage::Forget, None, None, gpu, pipelines);
        }
        if gone || shape.ld_length != before.ld_length {
            self.old.old_ld_length = before.ld_length as u32;
            let lists = self.renew(Slot::Ld, gpu);
            self.once(Stage::Relist, lists.as_ref(), None, gpu, pipelines);
        }
        if put {
            self.once(Stage::Arrive, Some(&list), None, gpu, pipelines);
            for _ in 0..ROUNDS {
                for stage in [Stage::Introduce, Stage::SignOffers, Stage::Merge] {
                    self.once(stage, Some(&list), None, gpu, pipelines);
                }
            }
            if about(COMING) {
                for stage in [Stage::Calibrate, Stage::Seat, Stage::Meet] {
                    self.once(stage, Some(&list), None, gpu, pipelines);
                }
            }
            self.once(Stage::Mark, Some(&list), None, gpu, pipelines); // everybody is there
        }
        self.upload_anchors(gpu);
        self.rebind(gpu, pipelines);
        Ok(())
    }

    /// Makes the buffers large enough for a shape; all that points have stays.
    fn make_room(&mut self, shape: &Shape, gpu: Gpu<'_>) -> Result<(), GpuError> {
        let limits = gpu.device.limits();
        if shape.points <= self.capacity {
            return Shape { points: self.capacity, ..*shape }.check(&limits);
        }
        let grown = Shape { points: self.capacity, ..*shape }.with_room(shape.points, &limits)?;
        self.capacity = grown.points;
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor { label: Some("nevis:grow") });
        for slot in Slot::ALL {
            if matches!(slot, Slot::Params | Slot::Control | Slot::Dispatches | Slot::Old | Slot::OldToo) {
                continue; // as large for any number of points
            }
            let old = self.renew(slot, gpu);
            if let (true, Some(old), Some(new)) = (KEPT.contains(&slot), old, self.buffers.get(&slot)) {
                encoder.copy_buffer_to_buffer(&old, 0, new, 0, self.shape.bytes(slot));
            }
        }
        gpu.queue.submit([encoder.finish()]);
        self.write(Slot::Inbox, &vec![0xff; self.room().bytes(Slot::Inbox) as usize], gpu);
        Ok(())
    }

    /// Puts new data into the rows of points.
    fn put_rows(&mut self, change: &Change, gpu: Gpu<'_>) {
        let stride = self.shape.vector_stride;
        let Some(buffer) = self.buffers.get(&Slot::Vectors) else { return };
        let rows = compared(&change.vectors, self.settings.metric);
        for ((point, row), compared) in change.rows().zip(rows.chunks_exact(stride)) {
            Arc::make_mut(&mut self.space).put(point as usize, row);
            gpu.queue.write_buffer(buffer, 4 * (point as usize * stride) as u64, bytemuck::cast_slice(compared));
        }
    }
}
