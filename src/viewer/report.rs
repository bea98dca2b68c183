//! What only benches and tests ask for, by the environment.
//!
//! - `NEVIS_REPORT=FILE`, what the window achieves: a line of JSON is appended to that file at the first frame, at the
//!   first that has points, and every second.
//! - `NEVIS_LOSE_DEVICE_AFTER=SECONDS`, how it ends: so long after the first points the graphics device is destroyed, as a
//!   driver that crashes would do it. A means of testing, of no use to anyone else.

use bevy::app::{App, Last};
use bevy::ecs::prelude::{IntoScheduleConfigs, Local, Res, ResMut, Resource};
use bevy::render::render_resource::PollType;
use bevy::render::renderer::RenderDevice;
use bevy::render::{Render, RenderApp, RenderSystems};
use inspect::Questions;
use live::LiveEmbedding;
use orbit_camera::CameraState;
use points::PointCloud;
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant, SystemTime};

/// Time between two lines.
const EVERY: Duration = Duration::from_secs(1);

/// The variable that says when the device is to be lost.
const LOSE_DEVICE: &str = "NEVIS_LOSE_DEVICE_AFTER";

/// Where lines go.
#[derive(Resource)]
struct Report(File);

/// When the device is to be lost, from the first points on: before that there is nothing to save.
#[derive(Resource, Debug, Clone, Copy)]
struct LoseDeviceAfter(Duration);

/// A line.
#[derive(Debug, Serialize)]
struct Line {
    /// Seconds since 1970, to be compared with the time at which the program was started.
    at: f64,
    /// Frames so far.
    frame: u64,
    /// Frames a second since the line before.
    fps: f64,
    /// Iterations so far.
    iteration: u32,
    /// Iterations a second since the line before.
    it_per_s: f64,
    /// Share of the points that is drawn.
    drawn_share: f32,
    /// Points of the cloud.
    points: usize,
    /// Whether somebody moves the camera.
    moving: bool,
    /// Milliseconds from asking which point is at a place to the answer, of all since the line before.
    pick_ms: Vec<f64>,
}

/// What the last line was measured from.
#[derive(Default)]
struct Since {
    frame: u64,
    told: Option<(Instant, u64, u32)>,
    had_points: bool,
}

/// Reports, and loses the device, if the environment asks for it.
///
/// # Errors
/// If the file cannot be made, or the seconds are none.
pub fn add(app: &mut App) -> std::io::Result<()> {
    if let Some(path) = std::env::var_os("NEVIS_REPORT") {
        app.insert_resource(Report(File::create(path)?)).add_systems(Last, write_line);
    }
    if let Some(text) = std::env::var_os(LOSE_DEVICE)
        && let Some(render_app) = app.get_sub_app_mut(RenderApp)
    {
        render_app
            .insert_resource(LoseDeviceAfter(seconds(&text.to_string_lossy())?))
            .add_systems(Render, lose_device.in_set(RenderSystems::Cleanup)); // between two frames
    }
    Ok(())
}

fn seconds(text: &str) -> std::io::Result<Duration> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| {
        let what = format!("{LOSE_DEVICE} is {text:?}, but must be a number of seconds");
        std::io::Error::new(std::io::ErrorKind::InvalidInput, what)
    })
}

/// In the render world: the device is gone. Whoever loses one hears of it at once, whoever destroys it when it is polled;
/// Bevy does not do that by itself.
fn lose_device(
    after: Res<LoseDeviceAfter>,
    device: Res<RenderDevice>,
    cloud: Res<PointCloud>,
    mut first: Local<Option<Instant>>,
) {
    if cloud.count() > 0 && first.get_or_insert_with(Instant::now).elapsed() >= after.0 {
        device.wgpu_device().destroy(); // once is enough, and more does no harm
        let _ = device.poll(PollType::Poll); // the device is lost when its last frame is drawn, in this call or the next
    }
}

fn write_line(
    mut report: ResMut<Report>,
    live: Res<LiveEmbedding>,
    cloud: Res<PointCloud>,
    camera: Res<CameraState>,
    mut picks: ResMut<Questions>,
    mut since: Local<Since>,
) {
    since.frame += 1;
    let now = Instant::now();
    let iteration = live.snapshot().map_or(0, |snapshot| snapshot.statistics.iteration);
    let has_points = cloud.count() > 0;
    let due = since.told.is_none_or(|(last, ..)| now - last >= EVERY);
    if !due && has_points == since.had_points {
        return; // nothing new within a second
    }
    let (last, frames, iterations) = since.told.unwrap_or((now, since.frame, iteration));
    let seconds = (now - last).as_secs_f64().max(f64::MIN_POSITIVE);
    let line = Line {
        at: SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs_f64(),
        frame: since.frame,
        fps: (since.frame - frames) as f64 / seconds,
        iteration,
        it_per_s: f64::from(iteration.saturating_sub(iterations)) / seconds, // other data begins at zero again
        drawn_share: cloud.share(),
        points: cloud.count(),
        moving: camera.moving,
        pick_ms: picks.take_times().iter().map(|time| 1e3 * time.as_secs_f64()).collect(),
    };
    since.told = Some((now, since.frame, iteration));
    since.had_points = has_points;
    if let Ok(text) = serde_json::to_string(&line) {
        let _ = writeln!(report.0, "{text}"); // a full disk does not end a bench
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_of_seconds_is_refused() {
        assert_eq!(seconds("2.5").ok(), Some(Duration::from_millis(2500)));
        for wrong in ["", "soon", "-1", "NaN", "inf"] {
            let error = seconds(wrong).expect_err(wrong).to_string();
            assert!(error.contains(LOSE_DEVICE) && error.contains(&format!("{wrong:?}")), "{error}");
        }
    }
}
