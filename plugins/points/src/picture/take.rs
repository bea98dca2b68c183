//! Taking pictures in a running program: a second camera looks as the first does, into an image.

use super::{PictureError, Pixels};
use crate::camera::{Drawn, PointFocus, PointScale, Transparent, camera_bundle};
use bevy::asset::{Assets, Handle};
use bevy::camera::{Camera, OrthographicProjection, Projection, RenderTarget, ScalingMode};
use bevy::ecs::prelude::{Commands, Component, Entity, Message, MessageReader, MessageWriter, On, Query, Res, ResMut};
use bevy::image::Image;
use bevy::render::render_resource::TextureFormat;
use bevy::render::renderer::RenderDevice;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::transform::components::{GlobalTransform, Transform};
use std::sync::atomic::Ordering;

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
}

/// A camera that takes a picture.
#[derive(Debug, Component)]
pub(crate) struct Sitting {
    id: u64,
    supersample: u32,
    image: Handle<Image>,
    waited: u32,
    captured: bool,
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
            taken.write(PictureTaken { id, result: Err(PictureError::Camera) });
            continue;
        };
        let supersample = picture.supersample.max(1);
        let (width, height) = (picture.width.saturating_mul(supersample), picture.height.saturating_mul(supersample));
        let most = device.limits().max_texture_dimension_2d;
        if !(1..=most).contains(&width) || !(1..=most).contains(&height) {
            taken.write(PictureTaken { id, result: Err(PictureError::Size { width, height, most }) });
            continue;
        }
        let seen_px = camera.physical_viewport_size().map_or(height, |size| size.y.max(1));
        let scale = scale.copied().unwrap_or_default().0 * height as f32 / seen_px as f32;
        let image = images.add(Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None));
        let mut sitting = commands.spawn((
            camera_bundle(),
            Camera { order: -1, ..Camera::default() }, // before those of windows
            RenderTarget::Image(image.clone().into()),
            Transform::from(*transform),
            *transform,
            same_sight(projection, camera),
            PointScale(scale),
            Drawn::default(),
            Sitting { id, supersample, image, waited: 0, captured: false },
        ));
        if let Some(focus) = focus {
            sitting.insert(*focus);
        }
        if picture.transparent {
            sitting.insert(Transparent);
        }
    }
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

/// Captures what is drawn, once all of it is.
pub(crate) fn capture_pictures(
    mut sittings: Query<(Entity, &mut Sitting, &Drawn)>,
    mut taken: MessageWriter<PictureTaken>,
    mut commands: Commands,
) {
    for (camera, mut sitting, drawn) in &mut sittings {
        sitting.waited += 1;
        if sitting.waited > PATIENCE {
            taken.write(PictureTaken { id: sitting.id, result: Err(PictureError::NotDrawn { frames: PATIENCE }) });
            commands.entity(camera).despawn();
        } else if !sitting.captured && drawn.0.load(Ordering::Acquire) {
            sitting.captured = true;
            let (id, supersample) = (sitting.id, sitting.supersample);
            commands.spawn(Screenshot::image(sitting.image.clone())).observe(
                move |mut capture: On<ScreenshotCaptured>,
                      mut taken: MessageWriter<PictureTaken>,
                      sittings: Query<&Sitting>,
                      mut commands: Commands| {
                    if !sittings.contains(camera) {
                        return; // given up
                    }
                    let size = capture.image.texture_descriptor.size;
                    let drawn = capture.image.data.take().unwrap_or_default();
                    let result = Pixels::from_drawn(size.width, size.height, supersample, drawn);
                    taken.write(PictureTaken { id, result });
                    commands.entity(camera).despawn();
                },
            );
        }
    }
}
