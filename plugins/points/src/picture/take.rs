//! Taking pictures in a running program: a second camera looks as the first does, into an image.

use super::develop::{Developed, Plate};
use super::{PictureError, Pixels};
use crate::camera::{PointFocus, PointScale, Transparent, camera_bundle};
use bevy::asset::{Assets, RenderAssetUsages};
use bevy::camera::{Camera, OrthographicProjection, Projection, RenderTarget, ScalingMode};
use bevy::ecs::prelude::{Commands, Component, Entity, Message, MessageReader, MessageWriter, Query, Res, ResMut};
use bevy::image::Image;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use bevy::render::renderer::RenderDevice;
use bevy::transform::components::{GlobalTransform, Transform};
use std::time::Duration;

/// What a picture shall be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom: as much is seen from top to bottom as by the camera itself.
    pub height: u32,
    /// Pixels drawn per pixel of the picture, along each side (1 or 2). 2 smooths edges.
    pub supersample: u32,
    /// Leaves the background out.
    pub transparent: bool,
}

/// Asks for a picture of what a camera sees now. [`PictureTaken`] answers, some frames later.
#[derive(Debug, Clone, Message)]
pub struct TakePicture {
    /// Returned with the answer.
    pub id: u64,
    /// The camera to look as: its place, projection, [`PointScale`] and [`PointFocus`]. It need not be active.
    pub camera: Entity,
    /// What the picture shall be like.
    pub picture: Picture,
}

/// Answers [`TakePicture`].
#[derive(Debug, Message)]
pub struct PictureTaken {
    /// As it was asked for.
    pub id: u64,
    /// The picture.
    pub result: Result<Pixels, PictureError>,
    /// How long it took until the device had drawn it …
    pub draw: Duration,
    /// … and from then until it was here: copying, and drawing pixels together.
    pub read_back: Duration,
}

impl PictureTaken {
    fn without(id: u64, error: PictureError) -> Self {
        Self { id, result: Err(error), draw: Duration::ZERO, read_back: Duration::ZERO }
    }
}

/// A camera that takes a picture.
#[derive(Debug, Component)]
pub(crate) struct Sitting {
    id: u64,
    waited: u32,
}

/// Frames within which pipelines must be ready, at a few frames per second.
const PATIENCE: u32 = 600;

/// What is copied of a camera.
type Sitter = (
    &'static Camera,
    &'static GlobalTransform,
    &'static Projection,
    Option<&'static PointScale>,
    Option<&'static PointFocus>,
);

/// Sets up cameras for the pictures that were asked for.
pub(crate) fn begin_pictures(
    mut requests: MessageReader<TakePicture>,
    mut taken: MessageWriter<PictureTaken>,
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    cameras: Query<Sitter>,
    device: Res<RenderDevice>,
) {
    for &TakePicture { id, camera, picture } in requests.read() {
        let Ok((camera, transform, projection, scale, focus)) = cameras.get(camera) else {
            taken.write(PictureTaken::without(id, PictureError::Camera));
            continue;
        };
        let supersample = picture.supersample.max(1);
        let (width, height) = (picture.width.saturating_mul(supersample), picture.height.saturating_mul(supersample));
        let most = device.limits().max_texture_dimension_2d;
        if !(1..=most).contains(&width) || !(1..=most).contains(&height) {
            taken.write(PictureTaken::without(id, PictureError::Size { width, height, most }));
            continue;
        }
        let seen_px = camera.physical_viewport_size().map_or(height, |size| size.y.max(1));
        let scale = scale.copied().unwrap_or_default().0 * height as f32 / seen_px as f32;
        let image = images.add(target(width, height));
        let mut sitting = commands.spawn((
            camera_bundle(),
            Camera { order: -1, ..Camera::default() }, // before those of windows
            RenderTarget::Image(image.into()),
            Transform::from(*transform),
            *transform,
            same_sight(projection, camera),
            PointScale(scale),
            Plate::new(supersample),
            Sitting { id, waited: 0 },
        ));
        if let Some(focus) = focus {
            sitting.insert(*focus);
        }
        if picture.transparent {
            sitting.insert(Transparent);
        }
    }
}

/// Tells the renderer how large the picture is; nothing is written to it.
fn target(width: u32, height: u32) -> Image {
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let (format, used) = (TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::RENDER_WORLD);
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, used);
    image.texture_descriptor.usage = TextureUsages::RENDER_ATTACHMENT;
    image
}

/// The projection of a camera, for a target of another size: as much is seen from top to bottom.
fn same_sight(projection: &Projection, camera: &Camera) -> Projection {
    match projection {
        Projection::Orthographic(orthographic) if matches!(orthographic.scaling_mode, ScalingMode::WindowSize) => {
            let height = camera.logical_viewport_size().map_or(1.0, |size| size.y);
            let scaling_mode = ScalingMode::FixedVertical { viewport_height: height };
            Projection::Orthographic(OrthographicProjection { scaling_mode, ..orthographic.clone() })
        }
        other => other.clone(),
    }
}

/// Hands over pictures that came back.
pub(crate) fn hand_over_pictures(
    mut sittings: Query<(Entity, &mut Sitting, &Plate)>,
    mut taken: MessageWriter<PictureTaken>,
    mut commands: Commands,
) {
    for (camera, mut sitting, plate) in &mut sittings {
        sitting.waited += 1;
        let id = sitting.id;
        let answer = match plate.take() {
            Some(Developed { result, draw, read_back }) => PictureTaken { id, result, draw, read_back },
            None if sitting.waited > PATIENCE => PictureTaken::without(id, PictureError::NotDrawn { frames: PATIENCE }),
            None => continue,
        };
        taken.write(answer);
        commands.entity(camera).despawn();
    }
}
