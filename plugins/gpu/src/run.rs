//! A run: its buffers, its settings, and what changes of settings do to them.

mod anchors;
mod change;

use crate::command::{Anchors, Load};
use crate::error::GpuError;
use crate::params::{Control, Params, marks};
use crate::pipelines::{Pipelines, bind};
use crate::shape::{Shape, WORKGROUP, two_dimensional};
use crate::stage::{Slot, Stage, Variant, position_stride};
use crate::tree::TreePlan;
use bevy::render::render_resource::{BindGroup, Buffer, BufferDescriptor, BufferUsages, PipelineCache};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use embedding::change::PATIENCE;
use embedding::cpu::decide::Annealing;
use embedding::cpu::far::{self, Far};
use embedding::cpu::forces::position_stride as native_stride;
use embedding::cpu::integrate::{GOVERN, RECENTRE};
use embedding::cpu::propose::Fan;
use embedding::descent::SPRING;
use embedding::living::fitting;
use embedding::search::slice_of;
use embedding::start::random_seed;
use embedding::{BURST, SQUEEZE, Settings, Squeeze, Strain};
use std::borrow::Cow;
use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::Arc;
use vectors::{Metric, Space, Vectors};

/// Iterations between two that recentre the embedding. Counted in iterations, not in frames: how many of them a frame
/// has depends on the clock, and two runs must come out the same.
pub const RECENTRED_EVERY: u32 = 16;

/// What is taken off in a number of iterations where each takes off a share of what is left.
#[must_use]
pub fn over(share: f32, iterations: u32) -> f32 {
    1.0 - (1.0 - share).powi(iterations as i32)
}

/// A pass that is recorded once, before the next iterations.
#[derive(Debug)]
pub struct Once {
    /// What runs.
    pub stage: Stage,
    /// Which variant of it.
    pub variant: Variant,
    /// On which buffers.
    pub bindings: BindGroup,
    /// Workgroups.
    pub groups: (u32, u32),
}

/// What a run needs of the renderer.
#[derive(Clone, Copy)]
pub struct Gpu<'a> {
    /// The device.
    pub device: &'a RenderDevice,
    /// Its queue.
    pub queue: &'a RenderQueue,
    /// Compiled pipelines.
    pub cache: &'a PipelineCache,
}

/// Everything the GPU holds of one embedding.
#[derive(Debug)]
pub struct Run {
    /// Settings in force; their dimensions are those of the positions, also while axes leave.
    pub settings: Settings,
    /// Sizes.
    pub shape: Shape,
    /// Iterations recorded.
    pub recorded: u32,
    /// Start-up projections recorded.
    pub trees: u32,
    /// How a tree is built.
    pub tree: TreePlan,
    /// Passes to be recorded before the next iterations.
    pub once: Vec<Once>,
    /// A first tree is to be built before the next iterations.
    pub plant: bool,
    /// Axes that are leaving.
    pub squeeze: Option<Squeeze>,
    /// A step of the squeeze is to be recorded by itself, without an iteration.
    pub squeeze_alone: bool,
    /// Bind groups of the stages.
    pub bindings: HashMap<Stage, BindGroup>,
    space: Arc<Space>,
    /// Points that the buffers have room for.
    capacity: usize,
    /// Points that the lengths of the lists were chosen for.
    fitted: usize,
    /// Points that live, and one of them.
    living: usize,
    witness: u32,
    /// Points have left lately, and until this iteration free places are no news.
    patient_until: u32,
    seed: u32,
    /// Counts the changes that every row must see; 0 is "never calibrated".
    generation: u32,
    annealing: Option<Annealing>,
    strain: Strain,
    /// Where the spring draws points to, once somebody has said so.
    anchors: Option<Anchors>,
    old: Params,
    buffers: HashMap<Slot, Buffer>,
    most_groups: u32,
}

impl Run {
    /// Uploads the data.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn new(load: Load, gpu: Gpu<'_>, pipelines: &mut Pipelines) -> Result<Self, GpuError> {
        let Load { space, positions, ld, settings, seed, iteration, born_at, annealing, marks: marked, anchors } = load;
        let points = space.rows();
        let lives = |point: &usize| marked.get(*point).is_none_or(|marks| marks & marks::DEAD == 0);
        let living = (0..points).filter(lives).count();
        let shape = Shape::fitted(points, living, space.vectors().stride(), &settings);
        let limits = gpu.device.limits();
        shape.check(&limits)?;
        let mut run = Self {
            shape,
            recorded: iteration,
            trees: 0,
            tree: TreePlan::of(points as u32),
            once: Vec::new(),
            plant: true,
            squeeze: None,
            squeeze_alone: false,
            bindings: HashMap::new(),
            space,
            capacity: points,
            fitted: living,
            living,
            witness: (0..points).find(lives).unwrap_or(0) as u32,
            patient_until: if living < points { iteration + PATIENCE } else { 0 },
            seed,
            generation: 1,
            annealing,
            strain: Strain::of(&settings, iteration),
            anchors,
            old: Params::default(),
            buffers: HashMap::new(),
            most_groups: limits.max_compute_workgroups_per_dimension,
            settings,
        };
        for slot in Slot::ALL {
            if !matches!(slot, Slot::Old | Slot::OldToo) {
                run.create(slot, gpu);
            }
        }
        let control = Control { born_at, ..Control::at_start(points as u32, iteration) };
        run.write(Slot::Control, bytemuck::bytes_of(&control), gpu);
        run.write(Slot::Steps, &run.tree.step_bytes(), gpu);
        run.write(Slot::Inbox, &vec![0xff; run.shape.bytes(Slot::Inbox) as usize], gpu);
        run.write(Slot::Marks, bytemuck::cast_slice(&marked), gpu);
        run.upload_vectors(gpu);
        run.upload_anchors(gpu);
        run.place(&positions, &ld, gpu);
        // Lists of no length made longer are empty lists.
        run.rebind(gpu, pipelines);
        let entries = run.buffer(Slot::Ld).cloned();
        run.once(Stage::Resize, entries.as_ref(), entries.as_ref(), gpu, pipelines);
        Ok(run)
    }

    fn create(&mut self, slot: Slot, gpu: Gpu<'_>) {
        let usage = match slot {
            Slot::Params | Slot::Steps => BufferUsages::UNIFORM,
            Slot::Dispatches => BufferUsages::STORAGE | BufferUsages::INDIRECT,
            _ => BufferUsages::STORAGE,
        };
        let buffer = gpu.device.create_buffer(&BufferDescriptor {
            label: Some(&format!("nevis:buffer:{}", slot.name())),
            size: self.room().bytes(slot).max(16).next_multiple_of(16),
            usage: usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
            mapped_at_creation: false, // new buffers are zero
        });
        self.buffers.insert(slot, buffer);
    }

    /// The shape that the buffers have room for.
    fn room(&self) -> Shape {
        Shape { points: self.capacity, ..self.shape }
    }

    /// True while a change has passes that are not recorded yet.
    #[must_use]
    pub fn is_changing(&self) -> bool {
        self.plant || self.squeeze_alone || !self.once.is_empty()
    }

    /// One of the buffers.
    #[must_use]
    pub fn buffer(&self, slot: Slot) -> Option<&Buffer> {
        self.buffers.get(&slot)
    }

    /// Overwrites the beginning of a buffer.
    pub fn write(&self, slot: Slot, bytes: &[u8], gpu: Gpu<'_>) {
        if let Some(buffer) = self.buffers.get(&slot) {
            let fits = bytes.len().min(buffer.size() as usize);
            gpu.queue.write_buffer(buffer, 0, &bytes[..fits]);
        }
    }

    /// The variant of the pipelines for the present settings.
    #[must_use]
    pub fn variant(&self) -> Variant {
        Variant::of(&self.settings)
    }

    /// Binds every stage's buffers anew and asks for its pipeline.
    fn rebind(&mut self, gpu: Gpu<'_>, pipelines: &mut Pipelines) {
        let variant = self.variant();
        for &stage in Stage::ALL {
            if let Some(bindings) = bind(gpu.device, gpu.cache, stage, |slot| self.buffers.get(&slot)) {
                self.bindings.insert(stage, bindings);
                pipelines.queue(gpu.cache, stage, variant);
            }
        }
    }

    /// Makes a buffer anew; returns the one that was there.
    fn renew(&mut self, slot: Slot, gpu: Gpu<'_>) -> Option<Buffer> {
        let old = self.buffers.remove(&slot);
        self.create(slot, gpu);
        old
    }

    /// Has a stage run once, on the present buffers and on what was there before.
    fn once(
        &mut self,
        stage: Stage,
        old: Option<&Buffer>,
        old_too: Option<&Buffer>,
        gpu: Gpu<'_>,
        pipelines: &mut Pipelines,
    ) {
        let buffer = |slot| match slot {
            Slot::Old => old,
            Slot::OldToo => old_too,
            _ => self.buffers.get(&slot),
        };
        let Some(bindings) = bind(gpu.device, gpu.cache, stage, buffer) else { return };
        let variant = self.variant();
        pipelines.queue(gpu.cache, stage, variant);
        let groups = match stage {
            Stage::Measure => (1, 1),
            Stage::Mark | Stage::Arrive | Stage::Introduce | Stage::SignOffers | Stage::Seat | Stage::Meet => {
                self.groups(u64::from(self.old.changed).div_ceil(WORKGROUP))
            }
            _ => self.point_groups(),
        };
        self.once.push(Once { stage, variant, bindings, groups });
    }

    fn upload_vectors(&self, gpu: Gpu<'_>) {
        self.write(Slot::Vectors, bytemuck::cast_slice(&compared(self.space.vectors(), self.settings.metric)), gpu);
    }

    /// Puts all points to new places, at rest.
    pub fn place(&mut self, positions: &[f32], ld: &[u32], gpu: Gpu<'_>) {
        let (from, to) = (native_stride(self.settings.dims), position_stride(self.settings.dims));
        let mut padded = vec![0.0_f32; self.shape.points * to];
        for (padded, position) in padded.chunks_exact_mut(to).zip(positions.chunks_exact(from)) {
            let dims = from.min(to); // native rows of many dimensions are padded further
            padded[..dims].copy_from_slice(&position[..dims]);
        }
        self.write(Slot::Positions, bytemuck::cast_slice(&padded), gpu);
        self.write(Slot::Velocity, bytemuck::cast_slice(&vec![0.0_f32; padded.len()]), gpu);
        self.write(Slot::Ld, bytemuck::cast_slice(ld), gpu);
    }

    /// As [`place`](Self::place), and the embedding is young again. Axes that were leaving are gone: the positions have
    /// the dimensions that are wanted.
    pub fn restart(&mut self, positions: &[f32], ld: &[u32], gpu: Gpu<'_>, pipelines: &mut Pipelines) {
        if let Some(squeeze) = self.squeeze.take() {
            self.settings.dims = squeeze.dims;
            self.shape = Shape { dims: squeeze.dims, ..self.shape };
            let placed = [Slot::Positions, Slot::Velocity, Slot::Forces, Slot::Drift, Slot::Anchors];
            placed.into_iter().for_each(|slot| self.create(slot, gpu));
            self.upload_anchors(gpu);
            self.rebind(gpu, pipelines);
        }
        self.place(positions, ld, gpu);
        self.set_control(offset_of!(Control, born_at), self.recorded, gpu);
        self.set_control(offset_of!(Control, quarantined), u32::MAX, gpu); // nobody
        self.seed = random_seed(&self.settings);
        self.strain = Strain::of(&self.settings, self.recorded);
        self.annealing = None;
    }

    /// Writes one field of the state of the run.
    fn set_control(&self, offset: usize, value: u32, gpu: Gpu<'_>) {
        if let Some(control) = self.buffers.get(&Slot::Control) {
            gpu.queue.write_buffer(control, offset as u64, bytemuck::bytes_of(&value));
        }
    }

    /// Lets the step fall to zero from the next iteration on.
    pub fn settle(&mut self, over: u32) {
        self.annealing = Some(Annealing::whole(self.recorded, over.max(1)));
    }

    /// Scales all positions.
    pub fn scale(&mut self, factor: f32, gpu: Gpu<'_>, pipelines: &mut Pipelines) {
        self.old.factor = factor;
        self.annealing = None;
        self.once(Stage::Measure, None, None, gpu, pipelines);
        self.once(Stage::Scale, None, None, gpu, pipelines);
    }

    /// Changes settings. What a change does not touch stays as it is; what it does is rebuilt on the GPU. Axes that leave
    /// are squeezed out with the steps to come.
    ///
    /// # Errors
    /// If the change does not fit; then nothing changes.
    pub fn change(&mut self, settings: Settings, gpu: Gpu<'_>, pipelines: &mut Pipelines) -> Result<(), GpuError> {
        settings.validate().map_err(embedding::EngineError::from)?;
        let squeeze = Squeeze::towards(settings.dims, self.shape.dims, self.squeeze);
        if squeeze.is_some() && squeeze != self.squeeze {
            let variant = Variant::of(&settings); // compiled by the time it is needed
            for &stage in Stage::ALL {
                pipelines.queue(gpu.cache, stage, variant);
            }
        }
        let dims = settings.dims.max(squeeze.map_or(0, |_| self.shape.dims)); // what leaves is still there
        let old = self.settings.clone();
        self.rebuild(Settings { dims, ..settings }, gpu, pipelines)?;
        (self.squeeze, self.annealing) = (squeeze, None);
        if self.strain.ends_with(&old, &self.settings, self.recorded) {
            self.scale(1.0 / BURST, gpu, pipelines);
            self.set_control(offset_of!(Control, born_at), self.recorded, gpu);
        }
        Ok(())
    }

    /// Drops axes of which nothing is left.
    ///
    /// # Errors
    /// None that a change to the same settings would not have had.
    pub fn drop_squeezed(&mut self, gpu: Gpu<'_>, pipelines: &mut Pipelines) -> Result<(), GpuError> {
        let Some(squeeze) = self.squeeze.filter(Squeeze::is_done) else { return Ok(()) };
        self.squeeze = None;
        self.rebuild(Settings { dims: squeeze.dims, ..self.settings.clone() }, gpu, pipelines)
    }

    /// Iterations that may be recorded before axes have to be dropped.
    #[must_use]
    pub fn iterations_of_squeeze(&self) -> u32 {
        self.squeeze.map_or(u32::MAX, |squeeze| SQUEEZE - squeeze.done.min(SQUEEZE))
    }

    /// Goes over to other settings at once.
    fn rebuild(&mut self, settings: Settings, gpu: Gpu<'_>, pipelines: &mut Pipelines) -> Result<(), GpuError> {
        let fitted = fitting(self.fitted, self.living, &settings);
        let shape = Shape::fitted(self.shape.points, fitted, self.shape.vector_stride, &settings);
        Shape { points: self.capacity, ..shape }.check(&gpu.device.limits())?;
        self.fitted = fitted;
        if shape.dims != self.shape.dims {
            self.once(Stage::Measure, None, None, gpu, pipelines); // noise on new axes is a share of the size
        }
        let before = std::mem::replace(&mut self.settings, settings);
        let old_shape = std::mem::replace(&mut self.shape, shape);
        let widths = |settings: &Settings| (settings.perplexity, settings.perplexity_range);
        if widths(&self.settings) != widths(&before) {
            self.generation += 1;
        }
        if self.settings.metric != before.metric {
            self.generation += 1;
            self.upload_vectors(gpu);
        }
        let old = |run: &mut Self, slot| run.renew(slot, gpu);
        let mut passes = Vec::new();
        if shape.hd_length != old_shape.hd_length {
            self.generation += 1;
            self.old.old_length = old_shape.hd_length as u32;
            passes.push((Stage::Resize, old(self, Slot::HdEntries), old(self, Slot::HdDistances)));
            for slot in [Slot::EdgeNeighbours, Slot::EdgeWeights] {
                self.create(slot, gpu); // filled anew before anything reads them
            }
        }
        if self.settings.metric != before.metric {
            passes.push((Stage::Remeasure, None, None));
        }
        if shape.ld_length != old_shape.ld_length {
            self.old.old_ld_length = old_shape.ld_length as u32;
            passes.push((Stage::Relist, old(self, Slot::Ld), None));
        }
        if shape.dims != old_shape.dims {
            self.old.old_dims = old_shape.dims as u32;
            passes.push((Stage::Reshape, old(self, Slot::Positions), old(self, Slot::Velocity)));
            [Slot::Forces, Slot::Drift].into_iter().for_each(|slot| self.create(slot, gpu));
        }
        if (shape.dims, shape.anchored) != (old_shape.dims, old_shape.anchored) {
            self.create(Slot::Anchors, gpu);
            self.upload_anchors(gpu);
        }
        for (stage, old, old_too) in passes {
            self.once(stage, old.as_ref(), old_too.as_ref(), gpu, pipelines);
        }
        self.rebind(gpu, pipelines);
        Ok(())
    }

    /// Workgroups of one thread a point.
    #[must_use]
    pub fn point_groups(&self) -> (u32, u32) {
        two_dimensional((self.shape.points as u64).div_ceil(WORKGROUP), self.most_groups)
    }

    /// Workgroups of a dispatch of any size.
    #[must_use]
    pub fn groups(&self, groups: u64) -> (u32, u32) {
        two_dimensional(groups, self.most_groups)
    }

    /// The iteration that the squeeze counts its steps from, if each iteration of this frame is one.
    fn squeezed_from(&self) -> u32 {
        let done = self.squeeze.map_or(0, |squeeze| squeeze.done);
        self.recorded.wrapping_sub(done).wrapping_sub(u32::from(self.squeeze_alone))
    }

    /// What the stages are told in this frame.
    #[must_use]
    pub fn params(&self) -> Params {
        let Settings { perplexity, perplexity_range, alpha, attraction, repulsion, step, momentum, .. } = self.settings;
        let [near, far] =
            Fan::of(self.settings.followed_neighbours).places(usize::MAX).map(|places| places.len() as u32);
        let (thread_groups_x, thread_groups_y) = self.point_groups();
        let (row_groups_x, row_groups_y) = self.groups(self.shape.points as u64);
        let acting = attraction > 0.0 || repulsion > 0.0; // without forces nothing moves at all
        Params {
            points: self.shape.points as u32,
            vector_chunks: (self.shape.vector_stride / 4) as u32,
            hd_length: self.shape.hd_length as u32,
            ld_length: self.shape.ld_length as u32,
            seed: self.seed,
            slice: slice_of(self.shape.points) as u32,
            followed_near: near,
            followed_far: far,
            start_projections: self.settings.start_projections,
            far_stride: Far::stride_for(
                self.shape.points,
                far::samples(self.shape.points, self.settings.dims, self.settings.far_samples),
            ),
            generation: self.generation,
            perplexity,
            perplexity_range,
            alpha,
            attraction,
            repulsion,
            step,
            momentum,
            early_exaggeration: self.settings.early_exaggeration,
            early_iterations: self.settings.early_iterations,
            anneal_from: self.annealing.map_or(0, |annealing| annealing.from),
            anneal_over: self.annealing.map_or(0, |annealing| annealing.over),
            thread_groups_x,
            thread_groups_y,
            row_groups_x,
            row_groups_y,
            dims: self.shape.dims as u32,
            kept_dims: self.squeeze.map_or(self.shape.dims, |squeeze| squeeze.dims) as u32,
            squeezed_from: self.squeezed_from(),
            living: self.living as u32,
            witness: self.witness,
            stiffness: self.settings.stiffness,
            patient_until: self.patient_until,
            anneal_share: self.annealing.map_or(1.0, |annealing| annealing.share),
            recentred: if acting { over(RECENTRE, RECENTRED_EVERY) } else { 0.0 },
            spring: if self.is_anchored() { SPRING * self.settings.spring } else { 0.0 },
            governed: if acting { over(GOVERN, RECENTRED_EVERY) } else { 0.0 },
            ..self.old
        }
    }
}

/// Rows as the stages compare them: padded, or their directions where only those matter.
fn compared(vectors: &Vectors, metric: Metric) -> Cow<'_, [f32]> {
    if !matches!(metric, Metric::Cosine | Metric::Correlation) {
        return Cow::Borrowed(vectors.padded());
    }
    let space = Space::new(vectors.clone(), metric);
    let mut directions = vec![0.0_f32; vectors.rows() * vectors.stride()];
    for (point, direction) in directions.chunks_exact_mut(vectors.stride()).enumerate() {
        let row = space.row(point);
        for (direction, value) in direction[..row.dims].iter_mut().zip(row.values) {
            *direction = (value - row.mean) * row.inverse_norm;
        }
    }
    Cow::Owned(directions)
}
