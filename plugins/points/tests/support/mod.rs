//! A program without a window, and pictures of what it draws.

use bevy::MinimalPlugins;
use bevy::app::{App, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::{AssetPlugin, Assets};
use bevy::camera::{Camera, CameraPlugin, OrthographicProjection, Projection, RenderTarget, ScalingMode};
use bevy::core_pipeline::CorePipelinePlugin;
use bevy::ecs::prelude::{Entity, ResMut, Resource};
use bevy::image::{Image, ImagePlugin};
use bevy::math::{UVec2, Vec3};
use bevy::mesh::MeshPlugin;
use bevy::render::RenderPlugin;
use bevy::render::error_handler::RenderErrorHandler;
use bevy::render::render_resource::TextureFormat;
use bevy::transform::TransformPlugin;
use bevy::transform::components::Transform;
use bevy::window::{ExitCondition, WindowPlugin};
use points::picture::{Picture, PictureError, PictureTaken, Pixels, TakePicture};
use points::{Background, PointCloud, PointSettings, PointsPlugin, Positions, SizeUnits, camera_bundle};
use std::sync::{Arc, Mutex, MutexGuard};

/// Size of the pictures.
pub const WIDTH: u32 = 160;
/// Size of the pictures.
pub const HEIGHT: u32 = 120;
/// Frames within which an answer must come.
const FRAMES: usize = 400;
/// How far the camera of space stands from the origin, along z.
pub const DISTANCE: f32 = 5.0;
/// The colour of the background, in [`plain`].
pub const BACK: [u8; 4] = [0x0e, 0x11, 0x16, 0xff];

#[derive(Default, Resource)]
struct Album(Vec<(u64, Result<Pixels, PictureError>)>);

/// One program after another: a device takes memory, and all of them the same two cores.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// A program that draws points.
pub struct Studio {
    pub app: App,
    pub camera: Entity,
    asked: u64,
    _turn: MutexGuard<'static, ()>,
}

/// Colours exactly as given, points of one size.
pub fn plain() -> PointSettings {
    PointSettings { size: 9.0, adapt: 0.0, attenuation: 0.0, lighting: 0.0, fog: 0.0, ..PointSettings::default() }
}

/// Plain, with sizes in world units.
pub fn spheres(diameter: f32) -> PointSettings {
    PointSettings { size: diameter, units: SizeUnits::World, ..plain() }
}

/// A plain map.
pub fn map() -> PointSettings {
    PointSettings { flat: true, ..plain() }
}

pub fn perspective() -> Projection {
    Projection::default()
}

/// Shows a height of 12: ten pixels per unit.
pub fn orthographic() -> Projection {
    let scaling_mode = ScalingMode::FixedVertical { viewport_height: 12.0 };
    Projection::Orthographic(OrthographicProjection { scaling_mode, ..OrthographicProjection::default_3d() })
}

impl Studio {
    /// Looks along −z at the origin.
    pub fn new(settings: PointSettings, projection: Projection) -> Self {
        let turn = turn();
        let mut app = App::new();
        app.add_plugins(MinimalPlugins.build().disable::<ScheduleRunnerPlugin>())
            .add_plugins((
                AssetPlugin::default(),
                TransformPlugin,
                WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..Default::default() },
                RenderPlugin { synchronous_pipeline_compilation: true, ..Default::default() },
                ImagePlugin::default(),
                MeshPlugin,
                CameraPlugin,
                CorePipelinePlugin,
                PointsPlugin,
            ))
            .insert_resource(RenderErrorHandler(|error, _, _| panic!("{:?}: {}", error.ty, error.description)))
            .insert_resource(settings)
            .init_resource::<Album>()
            .add_systems(
                bevy::app::Last,
                |mut taken: ResMut<Album>, mut messages: ResMut<bevy::ecs::message::Messages<PictureTaken>>| {
                    taken.0.extend(messages.drain().map(|answer| (answer.id, answer.result)));
                },
            );
        while app.plugins_state() == bevy::app::PluginsState::Adding {
            bevy::tasks::tick_global_task_pools_on_main_thread();
        }
        app.finish();
        app.cleanup();
        let camera = app
            .world_mut()
            .spawn((
                camera_bundle(),
                Camera { is_active: false, ..Camera::default() },
                RenderTarget::None { size: UVec2::new(WIDTH, HEIGHT) },
                projection,
                Transform::from_xyz(0.0, 0.0, DISTANCE),
            ))
            .id();
        Self { app, camera, asked: 0, _turn: turn }
    }

    pub fn cloud(&mut self) -> bevy::ecs::change_detection::Mut<'_, PointCloud> {
        self.app.world_mut().resource_mut::<PointCloud>()
    }

    pub fn settings(&mut self, settings: PointSettings) {
        self.app.insert_resource(settings);
    }

    /// Places points with colours.
    pub fn show(&mut self, points: &[(Vec3, u32)]) {
        let mut cloud = self.cloud();
        cloud.set_positions(positions(&points.iter().map(|(place, _)| *place).collect::<Vec<_>>()));
        cloud.set_styles(Arc::new(points.iter().map(|(_, style)| *style).collect()));
    }

    /// Lets the camera draw each frame, into an image.
    pub fn active_camera(&mut self) -> Entity {
        let target = Image::new_target_texture(WIDTH, HEIGHT, TextureFormat::Rgba8UnormSrgb, None);
        let target = self.app.world_mut().resource_mut::<Assets<Image>>().add(target);
        let into = RenderTarget::Image(target.into());
        self.app.world_mut().entity_mut(self.camera).insert((Camera::default(), into));
        self.camera
    }

    /// Takes a picture.
    pub fn try_take(&mut self, picture: Picture) -> Result<Pixels, PictureError> {
        self.asked += 1;
        let (id, camera) = (self.asked, self.camera);
        self.app.world_mut().write_message(TakePicture { id, camera, picture });
        for _ in 0..FRAMES {
            self.app.update();
            if let Some((answered, result)) = self.app.world_mut().resource_mut::<Album>().0.pop() {
                assert_eq!(answered, id);
                return result;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("no picture within {FRAMES} frames");
    }

    /// Takes a picture of the usual size.
    pub fn take(&mut self) -> Pixels {
        self.try_take(usual()).unwrap()
    }

    /// Waits for as many pictures as were asked for; their numbers and widths.
    pub fn collect(&mut self, count: usize) -> Vec<(u64, u32)> {
        for _ in 0..FRAMES {
            self.app.update();
            let album = &self.app.world().resource::<Album>().0;
            if album.len() == count {
                return album.iter().map(|(id, result)| (*id, result.as_ref().unwrap().width)).collect();
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("not {count} pictures within {FRAMES} frames");
    }

    /// Where a place is seen, in pixels.
    pub fn seen_at(&mut self, place: Vec3) -> bevy::math::Vec2 {
        self.app.update();
        self.seen_at_now(place)
    }

    /// Where a place was seen in the last frame, in pixels.
    pub fn seen_at_now(&self, place: Vec3) -> bevy::math::Vec2 {
        let entity = self.app.world().entity(self.camera);
        let camera = entity.get::<Camera>().unwrap();
        camera.world_to_viewport(entity.get().unwrap(), place).unwrap()
    }
}

pub fn usual() -> Picture {
    Picture { width: WIDTH, height: HEIGHT, supersample: 1, transparent: false }
}

pub fn positions(places: &[Vec3]) -> Positions {
    let values = places.iter().flat_map(|place| place.to_array()).collect();
    Positions { values: Arc::new(values), count: places.len(), dims: 3, stride: 3 }
}

/// A style from its colour.
pub const fn rgb(red: u8, green: u8, blue: u8) -> u32 {
    red as u32 | (green as u32) << 8 | (blue as u32) << 16
}

pub const RED: u32 = rgb(200, 40, 30);
pub const GREEN: u32 = rgb(20, 180, 90);

pub fn bytes(style: u32) -> [u8; 4] {
    [style as u8, (style >> 8) as u8, (style >> 16) as u8, 255]
}

/// Places of the pixels of a colour.
pub fn pixels_of(picture: &Pixels, colour: [u8; 4]) -> Vec<(u32, u32)> {
    let all = (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
    all.filter(|&(x, y)| picture.at(x, y) == colour).collect()
}

/// Pixels that are not background.
pub fn covered(picture: &Pixels) -> usize {
    picture.rgba.chunks_exact(4).filter(|pixel| **pixel != BACK).count()
}

/// The mean of places of pixels, at their centres.
pub fn middle(places: &[(u32, u32)]) -> bevy::math::Vec2 {
    let sum: bevy::math::Vec2 = places.iter().map(|&(x, y)| bevy::math::Vec2::new(x as f32, y as f32)).sum();
    sum / places.len() as f32 + 0.5
}

/// Numbers between 0 and 1, always the same.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Roughly normal.
    pub fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.next()).sum::<f32>() - 6.0
    }
}

/// Clusters of points with a colour each.
pub fn clusters(count: usize, clusters: usize, seed: u64) -> Vec<(Vec3, u32)> {
    const COLOURS: [u32; 8] = [
        rgb(0xe6, 0x9f, 0x00),
        rgb(0x56, 0xb4, 0xe9),
        rgb(0x00, 0x9e, 0x73),
        rgb(0xf0, 0xe4, 0x42),
        rgb(0x00, 0x72, 0xb2),
        rgb(0xd5, 0x5e, 0x00),
        rgb(0xcc, 0x79, 0xa7),
        rgb(0xbb, 0xbb, 0xbb),
    ];
    let mut random = Random(seed);
    let centres: Vec<(Vec3, f32)> = (0..clusters)
        .map(|_| {
            let centre = Vec3::from_array(std::array::from_fn(|_| random.normal())) * 0.75;
            (centre, 0.12 + 0.28 * random.next())
        })
        .collect();
    (0..count)
        .map(|index| {
            let (centre, width) = centres[index % clusters];
            (
                centre + Vec3::from_array(std::array::from_fn(|_| random.normal())) * width,
                COLOURS[(index % clusters) % COLOURS.len()],
            )
        })
        .collect()
}

/// A background as a pixel.
pub fn background(background: Background) -> [u8; 4] {
    bevy::color::ColorToPacked::to_u8_array(bevy::color::Srgba::from(background.colour()))
}
