//! The GPU picks what native code picks, from positions that were uploaded and from those of others.

use super::{Scene, look, show};
use crate::support::{Studio, clusters, map, orthographic, perspective, plain};
use bevy::ecs::message::Messages;
use bevy::ecs::prelude::{IntoScheduleConfigs, Res, ResMut, Resource};
use bevy::math::{Vec2, Vec3};
use bevy::render::error_handler::{RenderErrorHandler, RenderErrorPolicy};
use bevy::render::render_resource::{BufferInitDescriptor, BufferUsages};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::RenderCreation;
use bevy::render::{Render, RenderApp, RenderSystems};
use points::{DrawPath, ExternalPositions, Looker, PickPoint, PointPicked, PointSettings, flags};
use std::collections::HashMap;

/// Questions in one frame.
const TOGETHER: usize = 25;
/// Frames within which they must be answered.
const FRAMES: usize = 200;

#[derive(Default, Resource)]
struct Answers(HashMap<u64, Option<u32>>);

/// A program whose camera draws each frame, and that keeps answers.
fn program() -> Studio {
    let mut studio = Studio::new(plain(), perspective());
    studio.active_camera();
    studio.app.init_resource::<Answers>().add_systems(
        bevy::app::Last,
        |mut answers: ResMut<Answers>, mut picked: ResMut<Messages<PointPicked>>| {
            for PointPicked { id, slot } in picked.drain() {
                assert_eq!(answers.0.insert(id, slot), None, "answered twice");
            }
        },
    );
    studio
}

/// What the GPU picks at some pixels.
fn ask(studio: &mut Studio, clicks: &[Vec2]) -> Vec<Option<u32>> {
    studio.app.world_mut().resource_mut::<Answers>().0.clear();
    let camera = studio.camera;
    for (first, together) in clicks.chunks(TOGETHER).enumerate() {
        for (index, pixel) in together.iter().enumerate() {
            let id = (first * TOGETHER + index) as u64;
            studio.app.world_mut().write_message(PickPoint { id, camera, pixel: *pixel });
        }
        studio.app.update();
    }
    for _ in 0..FRAMES {
        let answers = &studio.app.world().resource::<Answers>().0;
        if answers.len() == clicks.len() {
            return (0..clicks.len() as u64).map(|id| answers[&id]).collect();
        }
        studio.app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("{} of {} are answered", studio.app.world().resource::<Answers>().0.len(), clicks.len());
}

/// What native code picks there.
fn find(studio: &Studio, scene: &Scene, positions: Option<&[f32]>, clicks: &[Vec2]) -> Vec<Option<u32>> {
    let (eye, software) = look(studio);
    let order = scene.cloud.order();
    let Scene { cloud, settings, path, .. } = scene;
    let looker = Looker { cloud, positions, settings, eye, path: *path, software, order: &order };
    clicks.iter().map(|click| looker.pick(*click).map(|picked| picked.slot)).collect()
}

fn flagged(mut points: Vec<(Vec3, u32)>) -> Vec<(Vec3, u32)> {
    points.iter_mut().step_by(4).for_each(|(_, style)| *style |= flags::GREYED);
    points.iter_mut().skip(1).step_by(7).for_each(|(_, style)| *style |= flags::HIDDEN);
    points.iter_mut().skip(2).step_by(400).for_each(|(_, style)| *style |= flags::HIGHLIGHT);
    points
}

fn scenes() -> Vec<Scene> {
    let points = clusters(3_000, 7, 5);
    let sized = |size| PointSettings { size, attenuation: 0.7, ..plain() };
    let flat: Vec<_> = points.iter().map(|(place, style)| (place.with_z(0.0), *style)).collect();
    vec![
        Scene::new("spheres", sized(12.0), perspective(), &flagged(points.clone())).from(Vec3::new(2.0, 1.0, 3.6)),
        Scene::new("spots, a share", sized(4.4), perspective(), &flagged(points.clone())).share(0.4),
        Scene::new("a map", PointSettings { size: 7.0, ..map() }, orthographic(), &flagged(flat.clone())),
        Scene::new("a map of tiny points", PointSettings { size: 0.9, ..map() }, orthographic(), &flat),
        Scene::new("splats", sized(4.4), perspective(), &flagged(points.clone())).by(DrawPath::Splats),
        Scene::new("tiny splats", sized(0.3), perspective(), &points).by(DrawPath::Splats),
        Scene::new("native", sized(4.4), perspective(), &points).by(DrawPath::Native),
        Scene::new("native, without perspective", sized(4.4), orthographic(), &points).by(DrawPath::Native),
        Scene::new("a map by native code", PointSettings { size: 7.0, ..map() }, orthographic(), &flat)
            .by(DrawPath::Native),
        Scene::new("whatever is fastest", sized(4.4), perspective(), &clusters(16_000, 9, 2)).by(DrawPath::Auto),
    ]
}

#[test]
fn the_gpu_picks_what_native_code_picks() {
    let mut studio = program();
    let mut clicked = 0;
    for scene in scenes() {
        let clicks = scene.clicks(50, 7);
        show(&mut studio, &scene);
        let [asked, found] = [ask(&mut studio, &clicks), find(&studio, &scene, None, &clicks)];
        let hit = found.iter().flatten().count();
        println!("{}: {hit} of {} clicks hit", scene.name, clicks.len());
        assert!(hit >= clicks.len() / 5, "{}: {hit} hit", scene.name);
        assert_eq!(asked, found, "{}", scene.name);
        let beside: Vec<Vec2> = clicks.iter().map(|click| *click + 3.0).collect();
        assert_ne!(find(&studio, &scene, None, &beside), asked, "{}: elsewhere, other points", scene.name);
        clicked += clicks.len();
    }
    assert!(clicked >= 500);
}

#[test]
fn positions_of_others_are_picked() {
    for path in [DrawPath::Triangles, DrawPath::Splats] {
        let settings = PointSettings { size: 6.0, attenuation: 0.7, ..plain() };
        let points = clusters(2_000, 7, 5);
        let mut scene = Scene::new("of others", settings, perspective(), &points).by(path);
        let clicks = scene.clicks(100, 7);
        // In four floats each, the last of which is not drawn.
        let values: Vec<f32> = points.iter().flat_map(|(place, _)| place.extend(9.0).to_array()).collect();
        scene.cloud.set_external(points.len(), 3, 4);
        let mut studio = program();
        show(&mut studio, &scene);
        assert_eq!(ask(&mut studio, &clicks), vec![None; clicks.len()], "there is nothing yet");
        let contents: Vec<u8> = bytemuck::cast_slice(&values).to_vec();
        studio.app.sub_app_mut(RenderApp).add_systems(
            Render,
            (move |mut external: ResMut<ExternalPositions>, device: Res<RenderDevice>| {
                let (contents, usage) = (contents.as_slice(), BufferUsages::STORAGE);
                let buffer = BufferInitDescriptor { label: None, contents, usage };
                external.0.get_or_insert_with(|| device.create_buffer_with_data(&buffer));
            })
            .in_set(RenderSystems::PrepareResources),
        );
        let found = find(&studio, &scene, Some(&values), &clicks);
        assert!(found.iter().flatten().count() >= clicks.len() / 3);
        assert_eq!(ask(&mut studio, &clicks), found);
        assert_eq!(find(&studio, &scene, None, &clicks), vec![None; clicks.len()], "without a snapshot");
    }
}

#[test]
fn what_cannot_be_asked_is_answered_with_nothing() {
    let scene = &scenes()[0];
    let mut studio = program();
    show(&mut studio, scene);
    let outside = [Vec2::new(-1.0, 5.0), Vec2::new(160.0, 5.0), Vec2::new(f32::NAN, 5.0), Vec2::new(5.0, 1e30)];
    assert_eq!(ask(&mut studio, &outside), [None; 4]);
    let camera = studio.camera;
    studio.app.world_mut().get_mut::<bevy::camera::Camera>(camera).unwrap().is_active = false;
    studio.app.update();
    assert_eq!(ask(&mut studio, &scene.clicks(3, 7)), [None; 3]);
    // More than are asked in a frame.
    studio.app.world_mut().get_mut::<bevy::camera::Camera>(camera).unwrap().is_active = true;
    let clicks = scene.clicks(150, 7);
    let found = find(&studio, scene, None, &clicks);
    studio.app.world_mut().resource_mut::<Answers>().0.clear();
    for (id, pixel) in (0..).zip(&clicks) {
        studio.app.world_mut().write_message(PickPoint { id, camera, pixel: *pixel });
    }
    for _ in 0..FRAMES {
        studio.app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
        if studio.app.world().resource::<Answers>().0.len() == clicks.len() {
            break;
        }
    }
    let answers = &studio.app.world().resource::<Answers>().0;
    assert_eq!((0..150).map(|id| answers[&id]).collect::<Vec<_>>(), found);
}

#[test]
fn questions_to_a_device_that_is_lost_are_answered_and_later_ones_well() {
    let scene = &scenes()[0];
    let mut studio = program();
    show(&mut studio, scene);
    studio.app.insert_resource(RenderErrorHandler(|_, _, _| RenderErrorPolicy::Recover(RenderCreation::default())));
    let clicks = scene.clicks(20, 7);
    let found = find(&studio, scene, None, &clicks);
    let camera = studio.camera;
    for (id, pixel) in (0..).zip(&clicks) {
        studio.app.world_mut().write_message(PickPoint { id, camera, pixel: *pixel });
    }
    studio.app.update();
    studio.app.world().resource::<RenderDevice>().wgpu_device().destroy();
    for _ in 0..150 {
        studio.app.update();
        std::thread::sleep(std::time::Duration::from_millis(10)); // the next device is opened meanwhile
    }
    let answers = &studio.app.world().resource::<Answers>().0;
    assert_eq!(answers.len(), clicks.len());
    assert!((0..).zip(&found).all(|(id, found)| answers[&id].is_none() || answers[&id] == *found));
    assert_eq!(ask(&mut studio, &clicks), found);
}
