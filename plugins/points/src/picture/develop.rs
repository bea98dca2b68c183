//! Reading back what was drawn, in the frame in which it is drawn: nothing is drawn twice for one picture.

use super::{PictureError, Pixels};
use crate::camera::ExtractedPointCamera;
use crate::draw::ViewPasses;
use bevy::core_pipeline::upscaling::ViewUpscalingPipeline;
use bevy::ecs::prelude::{Commands, Component, Entity, Query, Res, With};
use bevy::render::render_resource::{
    BufferDescriptor, BufferUsages, CommandEncoderDescriptor, MapMode, Origin3d, PipelineCache, TexelCopyBufferInfo,
    TexelCopyBufferLayout, TexelCopyTextureInfo, Texture, TextureAspect,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::view::ViewTarget;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use wgpu::{COPY_BYTES_PER_ROW_ALIGNMENT, PollType};

/// What a picture is taken on: shared by both worlds.
#[derive(Debug, Clone, Component)]
pub struct Plate {
    begun: Instant,
    supersample: u32,
    developed: Arc<Mutex<Option<Developed>>>,
}

/// A picture that came back.
#[derive(Debug)]
pub(crate) struct Developed {
    pub result: Result<Pixels, PictureError>,
    /// From the beginning until the device had drawn it.
    pub draw: Duration,
    /// From then until it was in main memory, at its own size.
    pub read_back: Duration,
}

impl Plate {
    /// For a picture that begins now.
    pub(crate) fn new(supersample: u32) -> Self {
        Self { begun: Instant::now(), supersample, developed: Arc::default() }
    }

    /// The picture, once it is there.
    pub(crate) fn take(&self) -> Option<Developed> {
        self.developed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Keeps Bevy from copying pictures to their targets: they are read from where they are drawn.
pub(crate) fn spare_pictures(
    mut commands: Commands,
    cameras: Query<(Entity, &ExtractedPointCamera), With<ViewUpscalingPipeline>>,
) {
    for (entity, _) in cameras.iter().filter(|(_, camera)| camera.plate.is_some()) {
        commands.entity(entity).remove::<ViewUpscalingPipeline>();
    }
}

/// Waits for the pictures of this frame, and reads them back.
pub(crate) fn develop_pictures(
    views: Query<(&ExtractedPointCamera, &ViewTarget, &ViewPasses)>,
    cache: Res<PipelineCache>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    for (camera, target, passes) in &views {
        let Some(plate) = &camera.plate else { continue };
        let mut developed = plate.developed.lock().unwrap_or_else(PoisonError::into_inner);
        if developed.is_some() || !passes.ready(&cache) {
            continue; // read already, or not drawn yet
        }
        // A submission of nothing comes after all before it: without waiting for it first, a device that draws while
        // one waits would draw while one reads.
        let all = queue.submit([]);
        let waited = device.poll(PollType::Wait { submission_index: Some(all), timeout: None });
        let drawn = Instant::now();
        let lost = |error: &dyn std::error::Error| PictureError::Lost { reason: error.to_string() };
        let result = waited
            .map_err(|error| lost(&error))
            .and_then(|_| read_back(target.main_texture(), plate.supersample, &device, &queue));
        *developed = Some(Developed { result, draw: drawn - plate.begun, read_back: drawn.elapsed() });
    }
}

/// The pixels of a texture, `supersample` × `supersample` of them drawn together.
fn read_back(
    texture: &Texture,
    supersample: u32,
    device: &RenderDevice,
    queue: &RenderQueue,
) -> Result<Pixels, PictureError> {
    let size = texture.size();
    let row_bytes = (4 * size.width).next_multiple_of(COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = device.create_buffer(&BufferDescriptor {
        label: Some("points:buffer:picture"),
        size: u64::from(row_bytes) * u64::from(size.height),
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor { label: Some("points:copy:picture") });
    encoder.copy_texture_to_buffer(
        TexelCopyTextureInfo { texture, mip_level: 0, origin: Origin3d::ZERO, aspect: TextureAspect::All },
        TexelCopyBufferInfo {
            buffer: &buffer,
            layout: TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None },
        },
        size,
    );
    queue.submit([encoder.finish()]);
    let (said, heard) = channel();
    buffer.slice(..).map_async(MapMode::Read, move |mapped| _ = said.send(mapped)); // it is waited for below
    let waited = device.poll(PollType::wait_indefinitely());
    let lost = |reason: String| PictureError::Lost { reason };
    waited.map_err(|error| lost(error.to_string()))?;
    let mapped = heard.try_recv().map_err(|error| lost(error.to_string()))?;
    mapped.map_err(|error| lost(error.to_string()))?;
    let drawn = buffer.slice(..).get_mapped_range();
    Ok(Pixels::from_rows(size.width, size.height, supersample, &drawn, row_bytes as usize))
}
