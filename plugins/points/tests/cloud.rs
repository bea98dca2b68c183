//! The cloud while it changes: shares, growth, replaced positions, positions of others.

use crate::support::{
    GREEN, RED, Random, Studio, bytes, covered, orthographic, perspective, pixels_of, plain, positions,
};
use bevy::camera::{Camera, RenderTarget};
use bevy::ecs::prelude::{IntoScheduleConfigs, On, ResMut};
use bevy::math::Vec3;
use bevy::render::error_handler::{RenderErrorHandler, RenderErrorPolicy};
use bevy::render::render_resource::{BufferInitDescriptor, BufferUsages};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::RenderCreation;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::render::{Render, RenderApp, RenderSystems};
use points::{Axes, DrawPath, ExternalPositions, PointCloud, PointSettings, draw_order, extend_order, flags};
use std::sync::{Arc, Mutex};

/// `count` points that do not touch each other.
fn grid(count: usize) -> Vec<(Vec3, u32)> {
    let place = |n: usize| Vec3::new((n % 30) as f32 * 0.5 - 7.25, (n / 30) as f32 * 0.5 - 5.0, 0.0);
    (0..count).map(|n| (place(n), RED)).collect()
}

fn dots() -> PointSettings {
    PointSettings { size: 0.1, ..plain() }
}

#[test]
fn an_order_is_a_permutation_and_does_not_depend_on_how_it_came_about() {
    for count in [0, 1, 2, 63, 1_000] {
        let order = draw_order(count);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(index, slot)| index as u32 == *slot));
        for before in [0, count / 3, count, 2 * count] {
            let mut grown = draw_order(before);
            extend_order(&mut grown, count);
            assert_eq!(grown, order);
        }
    }
    let order = draw_order(10_000);
    let mean = order[..1_000].iter().map(|slot| f64::from(*slot)).sum::<f64>() / 1_000.0;
    assert!((mean - 5_000.0).abs() < 400.0, "a prefix is a fair sample, but its mean is {mean}"); // 4 σ
}

#[test]
fn the_order_of_a_cloud_is_kept_and_that_of_its_count() {
    let mut cloud = PointCloud::default();
    assert!(cloud.order().is_empty());
    for count in [70, 600, 5] {
        cloud.set_positions(positions(&vec![Vec3::ZERO; count]));
        assert_eq!(*cloud.order(), draw_order(count));
        assert!(Arc::ptr_eq(&cloud.order(), &cloud.clone().order()), "made once for both worlds");
    }
    cloud.set_external(80, 3, 4);
    assert_eq!(*cloud.order(), draw_order(80), "nothing is known of the buffer yet");
}

#[test]
fn a_share_draws_that_share() {
    let mut studio = Studio::new(dots(), orthographic());
    studio.show(&grid(600));
    for (share, expected) in [(1.0, 600), (0.5, 300), (0.01, 6), (0.0, 0), (f32::NAN, 600)] {
        studio.cloud().set_share(share);
        assert_eq!(covered(&studio.take()), expected, "share {share}");
    }
}

#[test]
fn marks_are_of_drawn_points_and_a_highlighted_one_is_always_drawn() {
    let mut studio = Studio::new(plain(), orthographic());
    let selected: Vec<_> = grid(600).into_iter().map(|(place, style)| (place, style | flags::SELECTED)).collect();
    studio.show(&selected);
    studio.cloud().set_share(0.1);
    let some = covered(&studio.take());
    assert!(some < 60 * 120, "{some} pixels for 60 points of 12 pixels"); // all of them cover everything
    let slot = draw_order(600)[599] as usize; // the last to be drawn
    let mut points = grid(600);
    points[slot].1 = GREEN | flags::HIGHLIGHT;
    studio.show(&points);
    studio.cloud().set_share(0.1);
    assert!(pixels_of(&studio.take(), bytes(GREEN)).len() > 40);
}

#[test]
fn everything_comes_back_after_a_lost_device() {
    for path in [DrawPath::Triangles, DrawPath::Splats, DrawPath::Native] {
        let mut studio = Studio::new(dots(), orthographic());
        studio.app.insert_resource(path);
        studio.show(&grid(300));
        let before = studio.take();
        assert_eq!(covered(&before), 300);
        studio.app.insert_resource(RenderErrorHandler(|_, _, _| RenderErrorPolicy::Recover(RenderCreation::default())));
        let camera = studio.active_camera();
        studio.app.update();
        studio.app.world().resource::<RenderDevice>().wgpu_device().destroy();
        for _ in 0..150 {
            studio.app.update();
            std::thread::sleep(std::time::Duration::from_millis(10)); // the next device is opened meanwhile
        }
        studio.app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = false;
        assert_eq!(studio.take(), before);
    }
}

#[test]
fn clouds_grow_and_shrink_and_vanish() {
    let mut studio = Studio::new(dots(), orthographic());
    assert_eq!(covered(&studio.take()), 0);
    for count in [1, 65, 600, 3, 0, 64, 601, 600] {
        studio.show(&grid(count));
        assert_eq!(covered(&studio.take()), count);
    }
    studio.cloud().clear();
    assert_eq!(covered(&studio.take()), 0);
    assert_eq!(studio.cloud().count(), 0);
}

#[test]
fn styles_may_be_replaced_without_positions() {
    let mut studio = Studio::new(dots(), orthographic());
    studio.show(&grid(100));
    studio.cloud().set_styles(Arc::new(vec![GREEN; 100]));
    assert_eq!(pixels_of(&studio.take(), bytes(GREEN)).len(), 100);
    studio.cloud().set_styles(Arc::new(vec![RED; 500])); // more than points
    assert_eq!(pixels_of(&studio.take(), bytes(RED)).len(), 100);
}

#[test]
fn replaced_positions_are_seen_in_the_next_frame() {
    let mut studio = Studio::new(plain(), orthographic());
    let camera = studio.active_camera();
    let target = studio.app.world().get::<RenderTarget>(camera).unwrap().as_image().unwrap().clone();
    studio.show(&[(Vec3::ZERO, RED)]);
    studio.app.update();
    studio.app.update();
    for x in [-3.0, 2.0, 5.0] {
        let seen = Arc::new(Mutex::new(None));
        let keep = seen.clone();
        studio.cloud().set_positions(positions(&[Vec3::new(x, 0.0, 0.0)]));
        studio
            .app
            .world_mut()
            .spawn(Screenshot::image(target.clone()))
            .observe(move |captured: On<ScreenshotCaptured>| *keep.lock().unwrap() = captured.image.data.clone());
        studio.app.update(); // this is the frame
        for _ in 0..200 {
            if seen.lock().unwrap().is_some() {
                break;
            }
            studio.app.update();
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let data = seen.lock().unwrap().take().unwrap();
        let at = |x: f32| data[(60 * 160 + (80.0 + 10.0 * x) as usize) * 4];
        assert_eq!(at(x), 200, "not at {x}");
        assert_eq!(at(0.0), 0x0e, "still at the origin");
    }
}

#[test]
fn positions_of_others_are_drawn_once_they_are_there() {
    let mut studio = Studio::new(dots(), orthographic());
    let points = grid(70);
    studio.show(&points);
    let expected = studio.take();
    // In four floats each, the last of which is not drawn.
    let values: Vec<f32> = points.iter().flat_map(|(place, _)| place.extend(9.0).to_array()).collect();
    studio.cloud().set_external(70, 3, 4);
    assert_eq!(covered(&studio.take()), 0);
    assert_eq!(studio.cloud().held(), 0);
    studio.app.sub_app_mut(RenderApp).add_systems(
        Render,
        (move |mut external: ResMut<ExternalPositions>, device: bevy::ecs::prelude::Res<RenderDevice>| {
            let contents = bytemuck::cast_slice(&values);
            let usage = BufferUsages::STORAGE;
            external.0 = Some(device.create_buffer_with_data(&BufferInitDescriptor { label: None, contents, usage }));
        })
        .in_set(RenderSystems::PrepareResources),
    );
    assert_eq!(studio.take(), expected);
    studio.cloud().set_external(500, 3, 4); // more than there are
    assert_eq!(studio.take(), expected);
    assert_eq!(studio.cloud().held(), 70);
    assert_eq!(*studio.cloud().order(), draw_order(70), "of those that are there");
    studio.show(&points);
    assert_eq!(studio.take(), expected, "and back to own positions");
}

#[test]
fn fewer_dimensions_lie_on_the_first_axes() {
    let mut studio = Studio::new(dots(), orthographic());
    let mut values = |values: Vec<f32>, dims| {
        let count = values.len() / dims;
        studio.cloud().set_positions(points::Positions { values: Arc::new(values), count, dims, stride: dims });
        studio.cloud().set_styles(Arc::new(vec![RED; count]));
        pixels_of(&studio.take(), bytes(RED))
    };
    assert_eq!(values(vec![-2.0, 3.0], 1), [(60, 59), (110, 59)]);
    assert_eq!(values(vec![-2.0, 3.0], 2), [(60, 29)]);
}

#[test]
fn axes_of_another_number_of_dimensions_are_not_used() {
    let mut cloud = PointCloud::default();
    cloud.set_axes(Axes { centre: vec![1.0; 5], axes: vec![Vec3::X; 5] });
    assert_eq!(cloud.axes(), Axes::unit(3));
    cloud.set_external(1, 5, 8);
    assert_eq!(cloud.axes().centre, [1.0; 5]);
}

#[test]
fn many_random_points_are_all_drawn() {
    let mut random = Random(5);
    let place = |random: &mut Random| Vec3::from_array(std::array::from_fn(|_| random.next() - 0.5));
    let points: Vec<(Vec3, u32)> = (0..20_000).map(|_| (place(&mut random), RED)).collect();
    let mut studio = Studio::new(dots(), perspective());
    studio.show(&points);
    studio.app.update(); // the camera learns its size
    let mut expected = std::collections::HashSet::new();
    for (point, _) in &points {
        let at = studio.seen_at_now(*point);
        expected.insert((at.x as u32, at.y as u32));
    }
    let seen = pixels_of(&studio.take(), bytes(RED)).len();
    assert!(seen.abs_diff(expected.len()) <= 3, "{seen} pixels, not {}", expected.len());
}
