//! The buffers that points are drawn from, and what is uploaded into them.

use crate::camera::ExtractedPointCamera;
use crate::cloud::{PointCloud, Source, flags};
use crate::native::NativeTarget;
use crate::splat::SplatTargets;
use bevy::ecs::prelude::{Commands, Entity, Query, Res, ResMut, Resource, With};
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Positions in a buffer that somebody else owns, in the render world: `[count][stride]` floats, as
/// [`PointCloud::set_external`] says, with `BufferUsages::STORAGE`. Filled in `RenderSystems::PrepareResources`, each
/// frame or whenever it changes.
#[derive(Debug, Clone, Default, Resource)]
pub struct ExternalPositions(pub Option<Buffer>);

/// A buffer that grows with what is written into it.
#[derive(Debug)]
struct GrowingBuffer {
    label: &'static str,
    buffer: Option<Buffer>,
}

impl GrowingBuffer {
    /// The least bytes: nothing to draw is bound, too.
    const LEAST: u64 = 256;

    fn new(label: &'static str) -> Self {
        Self { label, buffer: None }
    }

    /// Replaces the contents.
    fn write(&mut self, device: &RenderDevice, queue: &RenderQueue, bytes: &[u8]) {
        let needed = (bytes.len() as u64).max(Self::LEAST);
        let capacity = self.buffer.as_ref().map_or(0, |buffer| buffer.size());
        if needed > capacity {
            // Half as much again, so that a growing cloud seldom moves; but no more than can be bound.
            let most = device.limits().max_storage_buffer_binding_size;
            let size = needed.max((capacity * 3 / 2).min(most)).next_multiple_of(4);
            self.buffer = Some(device.create_buffer(&BufferDescriptor {
                label: Some(self.label),
                size,
                usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer
            && !bytes.is_empty()
        {
            queue.write_buffer(buffer, 0, bytes);
        }
    }
}

/// The points on the GPU. Made anew with every device.
#[derive(Debug, Resource)]
pub(crate) struct PointBuffers {
    positions: GrowingBuffer,
    styles: GrowingBuffer,
    order: GrowingBuffer,
    selected: GrowingBuffer,
    highlighted: GrowingBuffer,
    positions_generation: u64,
    styles_generation: u64,
    /// The draw order, as uploaded.
    slots: Arc<Vec<u32>>,
    uploaded_slots: Option<usize>,
    /// Points to draw; none while there are no positions.
    pub drawn: u32,
    /// Where in the draw order the points with a rim are.
    selected_ranks: Vec<u32>,
    /// Points with a ring, in draw order.
    pub highlighted_slots: Arc<Vec<u32>>,
    /// How many they are.
    pub highlighted_count: u32,
    /// Slots that have a style.
    pub styled: u32,
    external: Option<Buffer>,
}

/// The buffers to bind for a draw list.
pub(crate) struct Bindings<'a> {
    pub positions: &'a Buffer,
    pub styles: &'a Buffer,
    pub order: &'a Buffer,
    pub selected: &'a Buffer,
    pub highlighted: &'a Buffer,
}

impl PointBuffers {
    fn new() -> Self {
        Self {
            positions: GrowingBuffer::new("points:buffer:positions"),
            styles: GrowingBuffer::new("points:buffer:styles"),
            order: GrowingBuffer::new("points:buffer:order"),
            selected: GrowingBuffer::new("points:buffer:selected"),
            highlighted: GrowingBuffer::new("points:buffer:highlighted"),
            positions_generation: 0,
            styles_generation: 0,
            slots: Arc::default(),
            uploaded_slots: None,
            drawn: 0,
            selected_ranks: Vec::new(),
            highlighted_slots: Arc::default(),
            highlighted_count: 0,
            styled: 0,
            external: None,
        }
    }

    /// What to bind; none if there is nothing to draw.
    pub fn bindings(&self) -> Option<Bindings<'_>> {
        Some(Bindings {
            positions: self.external.as_ref().or(self.positions.buffer.as_ref())?,
            styles: self.styles.buffer.as_ref()?,
            order: self.order.buffer.as_ref()?,
            selected: self.selected.buffer.as_ref()?,
            highlighted: self.highlighted.buffer.as_ref()?,
        })
    }

    fn upload_styles(&mut self, device: &RenderDevice, queue: &RenderQueue, styles: &[u32]) {
        let styles = &styles[..styles.len().min(self.slots.len())];
        self.styles.write(device, queue, bytemuck::cast_slice(styles));
        self.styled = styles.len() as u32;
        self.selected_ranks.clear();
        let (mut selected, mut highlighted) = (Vec::new(), Vec::new());
        if styles.iter().any(|style| *style >= flags::HIGHLIGHT) {
            for (rank, slot) in self.slots.iter().enumerate() {
                let style = styles.get(*slot as usize).copied().unwrap_or_default();
                if style & flags::HIGHLIGHT != 0 {
                    highlighted.push(*slot);
                } else if style & flags::SELECTED != 0 {
                    selected.push(*slot);
                    self.selected_ranks.push(rank as u32);
                }
            }
        }
        self.selected.write(device, queue, bytemuck::cast_slice(&selected));
        self.highlighted.write(device, queue, bytemuck::cast_slice(&highlighted));
        self.highlighted_count = highlighted.len() as u32;
        self.highlighted_slots = Arc::new(highlighted);
    }

    /// The draw order.
    pub fn order(&self) -> &Arc<Vec<u32>> {
        &self.slots
    }

    /// Points with a rim: of those that are drawn.
    pub fn selected_count(&self) -> u32 {
        self.selected_ranks.partition_point(|rank| *rank < self.drawn) as u32
    }
}

/// Makes room for nothing: everything is uploaded again, for a device is new.
pub(crate) fn start_buffers(mut commands: Commands, targets: Query<Entity, With<ExtractedPointCamera>>) {
    commands.insert_resource(PointBuffers::new());
    for view in &targets {
        commands.entity(view).remove::<(SplatTargets, NativeTarget)>();
    }
}

/// How many points a buffer of positions holds, and a binding may reach.
fn points_in(device: &RenderDevice, bytes: u64, stride: usize) -> usize {
    let reach = bytes.min(device.limits().max_storage_buffer_binding_size);
    (reach / (4 * stride as u64)) as usize
}

/// Uploads what has changed.
pub(crate) fn prepare_buffers(
    mut buffers: ResMut<PointBuffers>,
    cloud: Res<PointCloud>,
    external: Res<ExternalPositions>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    let buffers = &mut *buffers;
    buffers.external = None;
    let held = match &cloud.source {
        Source::Nowhere => 0,
        Source::Own(values) => {
            let count = cloud.count.min(points_in(&device, u64::MAX, cloud.stride));
            if buffers.positions_generation != cloud.positions_generation {
                let values = &values[..count * cloud.stride];
                buffers.positions.write(&device, &queue, bytemuck::cast_slice(values));
                buffers.positions_generation = cloud.positions_generation;
            }
            count
        }
        Source::External => {
            buffers.external = external.0.clone();
            external.0.as_ref().map_or(0, |buffer| points_in(&device, buffer.size(), cloud.stride))
        }
    };
    let count = cloud.count.min(held);
    cloud.held.store(count, Ordering::Relaxed);
    buffers.drawn = cloud.drawn_of(count) as u32;
    if buffers.drawn == 0 {
        return; // what is there may be of use again
    }
    if buffers.uploaded_slots != Some(count) {
        buffers.slots = cloud.order_of(count);
        buffers.order.write(&device, &queue, bytemuck::cast_slice(buffers.slots.as_slice()));
        buffers.uploaded_slots = Some(count);
        buffers.styles_generation = 0; // those beyond the count were left out
    }
    if buffers.styles_generation != cloud.styles_generation {
        buffers.upload_styles(&device, &queue, &cloud.styles);
        buffers.styles_generation = cloud.styles_generation;
    }
}
