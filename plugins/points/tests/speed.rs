//! How long a frame takes: `cargo test --release … speed -- --ignored --nocapture`.

use crate::support::{Studio, clusters, perspective};
use bevy::asset::Assets;
use bevy::camera::{Camera, RenderTarget};
use bevy::image::Image;
use bevy::math::Vec3;
use bevy::render::render_resource::{PollType, TextureFormat};
use bevy::render::renderer::RenderDevice;
use bevy::transform::components::Transform;
use points::PointSettings;
use std::time::Instant;

const FRAMES: u32 = 20;

#[test]
#[ignore = "measures"]
fn speed() {
    let counts = std::env::var("POINTS_COUNTS").unwrap_or_else(|_| "0 70000 1000000".to_owned());
    for count in counts.split(' ').map(|count| count.parse().unwrap()) {
        let mut studio = Studio::new(PointSettings::default(), perspective());
        let target = Image::new_target_texture(1280, 720, TextureFormat::Rgba8UnormSrgb, None);
        let target = studio.app.world_mut().resource_mut::<Assets<Image>>().add(target);
        let eye = Transform::from_xyz(3.2, 2.2, 4.6).looking_at(Vec3::ZERO, Vec3::Y);
        let camera = studio.camera;
        let into = RenderTarget::Image(target.into());
        studio.app.world_mut().entity_mut(camera).insert((Camera::default(), into, eye));
        studio.show(&clusters(count, 14, 7));
        let usual = PointSettings::default();
        for (name, settings) in [
            ("lighting and fog", usual.clone()),
            ("neither", PointSettings { lighting: 0.0, fog: 0.0, ..usual.clone() }),
            ("spheres of 8 px, lighting", PointSettings { size: 8.0, adapt: 0.0, ..usual.clone() }),
            ("spheres of 8 px, neither", PointSettings { size: 8.0, adapt: 0.0, lighting: 0.0, fog: 0.0, ..usual }),
        ] {
            studio.settings(settings);
            let mut frame = || {
                studio.app.update();
                let device = studio.app.world().resource::<RenderDevice>();
                device.wgpu_device().poll(PollType::wait_indefinitely()).unwrap();
            };
            (0..5).for_each(|_| frame());
            let (begin, cpu) = (Instant::now(), cpu_ms());
            (0..FRAMES).for_each(|_| frame());
            let each = begin.elapsed().as_secs_f64() * 1e3 / f64::from(FRAMES);
            let busy = (cpu_ms() - cpu) / f64::from(FRAMES);
            println!("{count:>9} points, {name}: {each:.1} ms, of {busy:.1} ms on processors");
        }
    }
}

/// What this process has taken of the processors (0 where that is not known), in milliseconds.
pub fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) * 10.0
}
