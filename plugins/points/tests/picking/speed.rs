//! How long picking takes: `cargo test --release … picking::speed -- --ignored --nocapture`.

use super::Scene;
use crate::speed::cpu_ms;
use crate::support::{Random, perspective};
use bevy::math::{UVec4, Vec2, Vec3};
use points::{DrawPath, Eye, Looker, PointSettings};
use std::time::Instant;

const COUNT: usize = 1_000_000;
const TIMES: u32 = 10;

fn time<T>(name: &str, mut run: impl FnMut() -> T) {
    run();
    let (begin, cpu) = (Instant::now(), cpu_ms());
    (0..TIMES).for_each(|_| drop(run()));
    let each = begin.elapsed().as_secs_f64() * 1e3 / f64::from(TIMES);
    println!("{name}: {each:.1} ms, of {:.1} ms on processors", (cpu_ms() - cpu) / f64::from(TIMES));
}

#[test]
#[ignore = "measures"]
fn speed() {
    let mut random = Random(5);
    let points: Vec<(Vec3, u32)> =
        (0..COUNT).map(|_| (Vec3::from_array(std::array::from_fn(|_| 3.0 * random.next() - 1.5)), 0)).collect();
    for (name, settings, path) in [
        ("as usual, by native code", PointSettings::default(), DrawPath::Native),
        ("as usual, as splats", PointSettings::default(), DrawPath::Splats),
        ("as usual, as triangles", PointSettings::default(), DrawPath::Triangles),
        ("spheres of 8 px", PointSettings { size: 8.0, adapt: 0.0, ..PointSettings::default() }, DrawPath::Triangles),
    ] {
        let scene = Scene::new("a million", settings, perspective(), &points).from(Vec3::new(3.2, 2.2, 4.6)).by(path);
        let order = scene.cloud.order();
        let mut projection = scene.projection.clone();
        projection.update(1280.0, 720.0);
        let clip_from_view = projection.get_clip_from_view();
        let eye = Eye { clip_from_view, viewport: UVec4::new(0, 0, 1280, 720), ..scene.eye() };
        let looker = Looker { eye, ..scene.looker(&order) };
        println!("{COUNT} points, {name}, {:?}:", looker.pick(Vec2::new(640.0, 360.0)));
        time("  pick", || looker.pick(Vec2::new(640.0, 360.0)));
        time("  pick_near 8 px", || looker.pick_near(Vec2::new(640.0, 360.0), 8.0));
        time("  visible", || looker.visible());
        time("  on_screen", || looker.on_screen());
    }
}
