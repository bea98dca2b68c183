//! Which point is seen at a pixel: against a projection written anew, against pictures, and on the GPU.

mod clicks;
mod gpu;
mod pictures;
mod reference;
mod speed;

use crate::support::{HEIGHT, Random, Studio, WIDTH};
use bevy::camera::{Camera, Projection};
use bevy::math::{UVec4, Vec2, Vec3};
use bevy::render::renderer::RenderAdapterInfo;
use bevy::transform::components::{GlobalTransform, Transform};
use points::{DrawPath, Eye, Looker, PointCloud, PointSettings, Positions, is_software};
use std::sync::Arc;

/// What is looked at, and how.
struct Scene {
    name: &'static str,
    settings: PointSettings,
    projection: Projection,
    transform: Transform,
    path: DrawPath,
    cloud: PointCloud,
}

impl Scene {
    /// From the usual place.
    fn new(name: &'static str, settings: PointSettings, projection: Projection, points: &[(Vec3, u32)]) -> Self {
        let mut cloud = PointCloud::default();
        let values = points.iter().flat_map(|(place, _)| place.to_array()).collect();
        cloud.set_positions(Positions { values: Arc::new(values), count: points.len(), dims: 3, stride: 3 });
        cloud.set_styles(Arc::new(points.iter().map(|(_, style)| *style).collect()));
        let transform = Transform::from_xyz(0.0, 0.0, crate::support::DISTANCE);
        Self { name, settings, projection, transform, path: DrawPath::Triangles, cloud }
    }

    fn from(self, place: Vec3) -> Self {
        Self { transform: Transform::from_translation(place).looking_at(Vec3::ZERO, Vec3::Y), ..self }
    }

    fn by(self, path: DrawPath) -> Self {
        Self { path, ..self }
    }

    fn share(mut self, share: f32) -> Self {
        self.cloud.set_share(share);
        self
    }

    fn eye(&self) -> Eye {
        let mut projection = self.projection.clone();
        projection.update(WIDTH as f32, HEIGHT as f32);
        Eye {
            clip_from_view: projection.get_clip_from_view(),
            world_from_view: GlobalTransform::from(self.transform),
            viewport: UVec4::new(0, 0, WIDTH, HEIGHT),
            scale: 1.0,
            focus: None,
            transparent: false,
            picture: false,
        }
    }

    fn looker<'a>(&'a self, order: &'a [u32]) -> Looker<'a> {
        let (cloud, settings, path) = (&self.cloud, &self.settings, self.path);
        Looker { cloud, positions: None, settings, eye: self.eye(), path, software: true, order }
    }

    /// Clicks, half of them anywhere, half of them beside points.
    fn clicks(&self, count: usize, seed: u64) -> Vec<Vec2> {
        let mut random = Random(seed);
        let size = Vec2::new(WIDTH as f32, HEIGHT as f32);
        let places = self.looker(&self.cloud.order()).on_screen();
        let seen: Vec<Vec2> =
            places.into_iter().filter(|at| at.cmpge(Vec2::ZERO).all() && at.cmplt(size).all()).collect();
        assert!(seen.len() > 20, "{}: {} points are seen", self.name, seen.len());
        (0..count)
            .map(|index| {
                if index % 2 == 0 {
                    return Vec2::new(random.next(), random.next()) * (size - 0.01);
                }
                let at = seen[(random.next() * seen.len() as f32) as usize % seen.len()];
                at + 4.0 * Vec2::new(random.next() - 0.5, random.next() - 0.5)
            })
            .collect()
    }
}

/// Puts the scene before the camera of a program.
fn show(studio: &mut Studio, scene: &Scene) {
    studio.settings(scene.settings.clone());
    studio.app.insert_resource(scene.path).insert_resource(scene.cloud.clone());
    let camera = studio.camera;
    studio.app.world_mut().entity_mut(camera).insert((scene.transform, scene.projection.clone()));
    studio.app.update(); // the camera moves
}

/// What the camera of a program sees, as it is drawn.
fn look(studio: &Studio) -> (Eye, bool) {
    let entity = studio.app.world().entity(studio.camera);
    let camera = entity.get::<Camera>().unwrap();
    let eye = Eye::of(camera, entity.get().unwrap(), entity.get(), entity.get()).unwrap();
    (eye, is_software(studio.app.world().resource::<RenderAdapterInfo>()))
}
